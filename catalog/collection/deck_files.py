"""Reads decks from files: our own, lists in text, and whatever collection files other programs write."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ccgrid.catalog.codes import is_code
from ccgrid.catalog.deck_text import MOST_CARDS, parse_deck
from ccgrid.catalog.decks import DeckEntry, ListedDeck
from ccgrid.catalog.documents import LARGEST_DOCUMENT
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.surrogates import replace_surrogates

if TYPE_CHECKING:
    from ccgrid.catalog.collection.formats.format import Rows

LARGEST_TEXT: Final = 4 << 20
"""Maximum size of a ccgrid deck or a list, in bytes; MTGJSON's decks contain whole cards, and are larger."""

# cards = [ … ] or [[cards]]
_OURS: Final = re.compile(rb"^[ \t]*(?:cards[ \t]*=[ \t]*\[|\[\[[ \t]*cards[ \t]*\]\])", re.MULTILINE)
"""The list of cards in a ccgrid deck in TOML."""
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_deck(path: Path) -> ListedDeck:
    """Read a deck from a file or a code: TOML, JSON, a list, or any collection file.

    Cards that another program has placed outside the deck, such as in a sideboard, are omitted.

    Raises:
        CatalogError: If the file cannot be read as a deck.
    """
    if is_code(str(path)):
        return parse_deck(str(path), "")
    raw = _content(path)
    if raw and path.is_file() and _is_of_another_program(path, raw):
        listed = _read_foreign(path)
    else:
        listed = parse_deck(_text(path, raw), replace_surrogates(path.stem))
    if not listed.entries:
        raise FileFormatError("it contains no cards.", file=path)
    return listed


def own_text(path: Path) -> str:
    """Return the text of a deck file of ccgrid or of a list.

    Raises:
        CatalogError: If it is a code or a file of another program, or cannot be read.
    """
    if is_code(str(path)):
        raise CatalogError("A code is not a file: write the deck to a file with -o deck.toml")
    raw = _content(path)
    if _is_of_another_program(path, raw):
        raise CatalogError(f"{path} is another program's file and is not changed: write the deck with -o deck.toml")
    return _text(path, raw)


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_DOCUMENT + 1)
    except IsADirectoryError:
        raise FileFormatError("this is a folder; name the deck file in it.", file=path) from None
    except OSError as error:
        raise FileFormatError(f"{error.strerror or error}.", file=path) from None
    if len(raw) > LARGEST_DOCUMENT:
        raise FileFormatError(f"larger than {LARGEST_DOCUMENT >> 20} MiB; is it a deck?", file=path)
    return raw


def _is_of_another_program(path: Path, raw: bytes) -> bool:
    """Return whether a file is neither a deck of ccgrid nor a plain list."""
    if path.suffix.lower() == ".toml" and _OURS.search(raw):
        return False
    # Imported here: a list in text needs none of it.
    from ccgrid.catalog.collection.formats import is_known, lists, tables
    from ccgrid.catalog.collection.formats.format import CollectionFile

    file = CollectionFile(path, str(path), lambda message: None)
    if is_known(file):
        return True
    if lists.sniff_own(file):
        # JSON with a list of cards is a ccgrid deck; without one it is a collection.
        return b'"cards"' not in raw
    # Zero bytes are in UTF-16 texts, too, which say so at their beginning.
    is_text = b"\0" not in raw or raw.startswith(_WIDE)
    return is_text and tables.has_card_columns(file)


def _text(path: Path, raw: bytes) -> str:
    if len(raw) > LARGEST_TEXT:
        raise FileFormatError(f"larger than {LARGEST_TEXT >> 20} MiB; is it a deck?", file=path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"a deck must be UTF-8 text (byte {error.start}).", file=path) from None
    if "\0" in text:
        raise FileFormatError("this is not a text.", file=path)
    return text


def _read_foreign(path: Path) -> ListedDeck:
    """Read a deck from a file of another program, without its sideboard and the like."""
    from ccgrid.catalog.collection.formats import open_rows

    reading = open_rows(path, str(path), None, None, lambda message: None)
    left_out: Counter[str] = Counter()
    entries = tuple(_entries(str(path), reading.rows, left_out))
    return ListedDeck(reading.deck or replace_surrogates(path.stem), entries, left_out=tuple(left_out.items()))


def _entries(name: str, rows: "Rows", left_out: Counter[str]) -> Iterator[DeckEntry]:
    """Yield the cards of a deck, each copy by itself, and count those of other parts in `left_out`."""
    from ccgrid.catalog.collection.formats.format import NO_CARD, NO_COPIES, SkippedRow

    total = 0
    for row in rows:
        if isinstance(row, SkippedRow):
            if row.part:
                left_out[row.part.capitalize()] += row.copies
                continue
            if row.reason in (NO_CARD, NO_COPIES):
                continue
            raise FileFormatError(f"{row.reason}: {row.raw[:60]!r}.", file=name, line=row.line)
        if row.beside:
            left_out["Sideboard"] += row.copies
            continue
        total += row.copies
        if total > MOST_CARDS:
            raise FileFormatError(f"{total} cards are too many for a deck.", file=name, line=row.line)
        # The card is identified by its name, an id, or its number, in this order.
        text = row.name or next((f"{kind} {value}" for kind, value in row.ids), row.number)
        set_code, number = row.set_code or row.set_name, row.number
        entry = DeckEntry(f"line {row.line}", text, None, set_code, number, row.written, row.ids)
        yield from [entry] * row.copies
