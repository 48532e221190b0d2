"""Decks in the files of other programs: whatever can be read as a collection."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.formats import lists, open_rows, tables, xml_lists
from ccgrid.catalog.collection.formats.format import NO_COPIES, CollectionFile, Rows, Skipped
from ccgrid.catalog.decks import MOST_CARDS, DeckEntry, ListedDeck

_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_foreign(path: Path, raw: bytes) -> bool:
    """Whether the file at `path`, which holds `raw`, is in a format of another program."""
    file = CollectionFile(path, str(path), lambda message: None)
    if any(sniff(file) for sniff in (lists.sniff_mtgjson, lists.sniff_ydk, xml_lists.sniff)):
        return True
    if lists.sniff_own(file):
        return b'"cards"' not in raw
    is_text = b"\0" not in raw or raw.startswith(_WIDE)
    return is_text and tables.has_card_columns(file)


def read_foreign(path: Path) -> ListedDeck:
    """The deck in such a file; what stands beside it, in a sideboard or the like, is left out.

    Raises:
        CatalogError: it cannot be read as a deck.
    """
    opened = open_rows(path, str(path), None, None, lambda message: None)
    return ListedDeck(opened.deck or path.stem, tuple(_entries(str(path), opened.rows)))


def _entries(name: str, rows: Rows) -> Iterator[DeckEntry]:
    """The lines of a deck, each copy by itself."""
    total = 0
    for row in rows:
        if isinstance(row, Skipped):
            if row.reason == NO_COPIES:
                continue
            raise CatalogError(f"{name}, line {row.line}: {row.reason}: {row.raw[:60]!r}.")
        if row.beside:
            continue
        total += row.copies
        if total > MOST_CARDS:
            raise CatalogError(f"{name}, line {row.line}: {total} cards are too many for a deck.")
        text = row.name or next((f"{kind} {value}" for kind, value in row.ids), row.number)
        set_code, number = row.set_code or row.set_name, row.number
        entry = DeckEntry(f"line {row.line}", text, None, set_code, number, row.written, row.ids)
        yield from [entry] * row.copies
