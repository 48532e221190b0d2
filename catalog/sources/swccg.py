"""Star Wars CCG from the Players Committee: files of cards by side, joined with the list of sets."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.layouts.described import file_rows, map_rows, printings, with_fields_checked
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, SourceRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import read_json_list
from ccgrid.catalog.readers.streams import Warn

READER: Final = 1
_SETS: Final = "sets.json"
_CARDS: Final = ("Light*.json", "Dark*.json")


class _Set(msgspec.Struct):
    id: str
    name: str = ""
    date_release: str | None = None


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the cards of both sides, also as before errata, file by file, or those of a single file.

    Raises:
        CatalogError: If there is no file of cards.
    """
    # A single file may have any name.
    files = tree.matching(*_CARDS) or list(tree.names)[: len(tree.names) == 1]
    if not files:
        raise FileFormatError(f"no file of cards in it; looked for {', '.join(_CARDS)}.", file=tree.name)
    sets = {one.id: one for one in read_json_list(tree, _SETS, _Set)}
    if not sets:
        warn(f"There is no {_SETS} with the cards: sets have only numbers.")
    for name in files:
        rows = map_rows(file_rows(tree, name, layout, warn), partial(_with_set, sets=sets))
        found = with_fields_checked(printings(rows, layout, name.rsplit("/", 1)[-1], warn), layout, name, warn)
        yield from with_file_name(found, name, len(files) > 1)


def _with_set(row: DataRow, sets: Mapping[str, _Set]) -> DataRow:
    known = sets.get(str(row.get("set")))
    return {**row, "expansion": msgspec.structs.asdict(known)} if known else row
