"""Pokémon from pokemon-tcg-data: a file of cards for each set, joined with the list of sets.

The zones of a card's numbers depend on its era (`data/layouts/pokemon.toml`), which this module adds to each card.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.layouts.described import FoundRow, file_rows, map_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.json_paths import as_documented, read_json_list
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.sources.source import Edition, Part

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client

READER: Final = 3
_SETS: Final = "sets/en.json"
_CARDS: Final = "cards/en/{}.json"
_FILES_WITHOUT_CARDS: Final = ("sets/*.json", "decks/*/*.json", "package.json", "schema.json")
# base1 · swsh12pt5: the id becomes part of an address.
_SET_ID = re.compile(r"[a-z0-9]+")

_FIRST_DAYS: Final[Mapping[str, str]] = {
    **{"base": "1999-01-09", "gym": "2000-08-14", "neo": "2000-12-16", "si": "2001-07-31", "ecard": "2002-09-15"},
    **{"ex": "2003-07-01", "np": "2003-10-01", "pop": "2004-09-01", "dp": "2007-05-01", "dpp": "2007-05-01"},
    **{"pl": "2009-02-11", "hgss": "2010-02-10", "hsp": "2010-02-10", "col": "2011-02-09", "bw": "2011-04-25"},
    **{"bwp": "2011-03-01", "xy": "2013-10-12", "xyp": "2013-10-12", "sm": "2017-02-03", "smp": "2017-02-03"},
    **{"swsh": "2019-11-15", "swshp": "2019-11-15", "sv": "2023-01-01", "svp": "2023-01-01", "sve": "2023-03-31"},
    **{"bp": "2002-12-01", "tk": "2004-06-01", "ru": "2009-12-02", "dv": "2012-10-05", "dc": "2015-03-25"},
    **{"g": "2016-02-22", "det": "2019-04-05", "sma": "2019-08-23", "cel": "2021-10-08", "pgo": "2022-07-01"},
    **{"basep": "1999-07-01", "fut": "2020-09-11", "me": "2025-09-26", "mep": "2025-09-26", "zsv": "2025-07-18"},
    **{"rsv": "2025-07-18"},
}
"""The first day of each series, by the letters of its sets' ids, for a file of cards without the list of sets."""


class _Set(msgspec.Struct):
    id: str
    name: str = ""
    releaseDate: str = ""  # noqa: N815  a key of the file
    updatedAt: str = ""  # noqa: N815
    ptcgoCode: str | None = None  # noqa: N815


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the printings in a copy of the repository, in a part of it, or in one file of cards, set by set.

    Raises:
        CatalogError: If there is no file of cards of this game.
    """
    sets = {one.id: one for one in read_json_list(tree, _SETS, _Set)}
    files = tree.matching(_CARDS.format("*")) or _card_files(tree)
    if not files:
        raise FileFormatError("no file of cards in it; the repository has them in cards/en.", file=tree.name)
    if not sets:
        warn(f"There is no {_SETS} with the cards: sets have no name and date; eras come from set ids.")
    for name in files:
        codes: dict[str, str] = {}
        with_sets = partial(_with_set, sets=sets, codes=codes)
        rows = map_rows(_cards(file_rows(tree, name, layout, warn), name), with_sets)
        found = (_with_code(row, codes) for row in printings(rows, layout, name.rsplit("/", 1)[-1], warn))
        yield from with_file_name(found, name, len(files) > 1)


def _with_code(row: SourceRow, codes: Mapping[str, str]) -> SourceRow:
    """Return a printing with the code of its set in Pokémon TCG Live, which newer cards show."""
    if isinstance(row, UnreadRow) or row.set_code not in codes:
        return row
    return row._replace(ids=f"ptcgo:{codes[row.set_code]}")


def _card_files(tree: Tree) -> list[str]:
    others = set(tree.matching(*_FILES_WITHOUT_CARDS))
    return [name for name in tree.matching("*.json") if name not in others] or list(tree.names)[: len(tree.names) == 1]


def _cards(rows: Iterator[FoundRow | UnreadRow], name: str) -> Iterator[FoundRow | UnreadRow]:
    """Yield the rows of a file.

    Raises:
        CatalogError: If they are decks, or cards of Pokémon TCG Pocket.
    """
    for found in rows:
        if not isinstance(found, UnreadRow):
            if isinstance(found[1].get("cards"), list):
                raise FileFormatError("these are decks. The sets are in cards/en.", file=name)
            if not found[1].keys().isdisjoint(("pack", "packs")) and "supertype" not in found[1]:
                raise FileFormatError(
                    "these are cards of Pokémon TCG Pocket, another game. To import them: ccgrid import "
                    "pokemonpocket FILE",
                    file=name,
                )
        yield found


def _with_set(row: DataRow, sets: Mapping[str, _Set], codes: dict[str, str]) -> DataRow:
    """Return a card with its set as `set`, and as `era` the day that determines its layout.

    Add the code of the set in the game's client to `codes`.
    """
    own_set = row.get("set")  # answers of the API contain the set in each card
    known = own_set if isinstance(own_set, dict) else _find_set(row, sets)
    # 1999/01/09; without a list of sets the first day of the series.
    era = str(known.get("releaseDate") or "").replace("/", "-") or _first_day_of_series(str(known.get("id") or ""))
    set_id, code = str(known.get("id") or ""), str(known.get("ptcgoCode") or "").casefold()
    if re.fullmatch(r"[a-z0-9-]{1,10}", code):
        codes[set_id] = code
    return {**row, "set": known, "era": era}


def _find_set(row: DataRow, sets: Mapping[str, _Set]) -> dict[str, str]:
    # base1-4 belongs to the set base1.
    name = str(row.get("id") or "").rpartition("-")[0]
    return msgspec.structs.asdict(sets[name]) if name in sets else {"id": name}


def _first_day_of_series(set_id: str) -> str:
    # McDonald's collections have the year.
    if collection := re.fullmatch(r"mcd(\d\d)", set_id):
        return f"20{collection[1]}-01-01"
    # swsh12 belongs to the series swsh.
    letters = re.match("[a-z]*", set_id)
    return _FIRST_DAYS.get(letters.group() if letters else "", "")


def latest(client: "Client", address: str, bulk: str | None) -> Edition:
    """Return the files of all sets below an address that ends with `/`; any other address is a file, such as a tarball.

    Raises:
        CatalogError: If the list of sets is not as documented.
    """
    if not address.endswith("/"):
        return Edition("", address, address.rsplit("/", 1)[-1])
    sets = as_documented(client.get_json(address + _SETS), list[_Set], "The list of Pokémon sets")
    if not sets or not all(_SET_ID.fullmatch(one.id) for one in sets):
        raise CatalogError("The list of Pokémon sets has an unexpected form (ids of sets). Is ccgrid up to date?")
    names = [_SETS, *(_CARDS.format(one.id) for one in sets)]
    version = f"{counted(len(sets), 'set')}, {max(one.updatedAt for one in sets)}"
    return Edition(version, address, "files", tuple(Part(address + name, name) for name in names))
