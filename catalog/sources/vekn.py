"""VEKN's tables of Vampire: The Eternal Struggle: the crypt, the library, and the sets with their dates."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.layouts.described import FoundRow, expand_rows, file_rows, printings
from ccgrid.catalog.layouts.layout import Layout
from ccgrid.catalog.printing import DataRow, Printing, SourceRow, UnreadRow, with_file_name
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import Warn
from ccgrid.catalog.readers.tables import headings_shown

READER: Final = 2
_CRYPT, _LIBRARY, _SETS = "vtescrypt.csv", "vteslib.csv", "vtessets.csv"
_HEADINGS: Final = {
    _CRYPT: ("Name", "Set", "Group", "Capacity", "Card Text"),
    _LIBRARY: ("Name", "Set", "Pool Cost", "Blood Cost", "Conviction Cost", "Card Text"),
}
"""The columns that each table of cards must have."""


def read_tree(tree: Tree, layout: Layout, warn: Warn) -> Iterator[SourceRow]:
    """Yield the cards of the crypt and the library, a printing for each set of a card.

    Raises:
        CatalogError: If there is neither, or one lacks a column.
    """
    files = tree.matching(_CRYPT, _LIBRARY)
    if not files:
        raise FileFormatError(f"neither {_CRYPT} nor {_LIBRARY} in it.", file=tree.name)
    rows_of_sets = [row for name in tree.matching(_SETS) for row in file_rows(tree, name, layout, warn, checked=False)]
    sets = {row[1].get("Abbrev", ""): row[1] for row in rows_of_sets if not isinstance(row, UnreadRow)}
    if not sets:
        warn(f"There is no {_SETS} with the cards: sets have only codes.")
    for name in files:
        found = expand_rows(
            _checked(file_rows(tree, name, layout, warn, checked=False), name), partial(_in_sets, sets=sets)
        )
        rows = (_with_group(row) for row in printings(found, layout, "", warn))
        yield from with_file_name(rows, name, len(files) > 1)


def _checked(rows: Iterator[FoundRow | UnreadRow], name: str) -> Iterator[FoundRow | UnreadRow]:
    """Yield the rows of a table.

    Raises:
        FileFormatError: If it lacks a column with numbers, without which cards would count as legal.
    """
    wanted = _HEADINGS[_CRYPT if name.casefold().endswith(_CRYPT) else _LIBRARY]
    is_checked = False
    for row in rows:
        if not is_checked and not isinstance(row, UnreadRow):
            is_checked = True
            if missing := [heading for heading in wanted if heading not in row[1]]:
                columns = headings_shown(row[1])
                raise FileFormatError(f"it has no column {missing[0]!r}. Its columns: {columns}.", file=name)
        yield row


def _with_group(row: SourceRow) -> SourceRow:
    """Return a printing with its group as an id: lists distinguish vampires of one name by their group."""
    group = "" if isinstance(row, UnreadRow) else str(row.fields.get("Group", "")).casefold()
    return (
        row._replace(ids=f"{row.ids} group:{group}".strip()) if group.isalnum() and isinstance(row, Printing) else row
    )


def _in_sets(where: str, row: DataRow, sets: Mapping[str, DataRow]) -> Iterator[FoundRow]:
    """Yield a card once for each of its sets, such as `FN:U2, POD:DTC`, with the layout's names of fields."""
    fields = {**row, "Text": row.get("Card Text", "")}
    if row.get("Adv"):
        fields["Name"] = f"{row['Name']} (ADV)"
    if "Pool Cost" in row:
        fields["Capacity"] = ""  # in the library it is the capacity that a card requires or adds
    # FN:U2, POD:DTC: set and rarity; a set may occur twice.
    for code in dict.fromkeys(entry.partition(":")[0].strip() for entry in row.get("Set", "").split(",")):
        known = sets.get(code, {})
        # Promo-20190408 contains its date.
        date = known.get("Release Date") or code.removeprefix("Promo-")
        fields["Release Date"] = f"{date[:4]}-{date[4:6]}-{date[6:]}" if date.isdecimal() and len(date) == 8 else ""
        yield where, {**fields, "Set": code, "Set Name": known.get("Full Name", code)}
