"""Reads and writes lists of cards as text, as Arena, MTGO and people do: `2 Wyvern`, `1 Shock (M10) 155 *F*`."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from catalog.card import CatalogError
from catalog.collection.formats.format import CollectionFile, Reading
from catalog.collection.formats.row import LONGEST_RAW, LONGEST_TEXT, NO_COPIES, Skipped
from catalog.decks.deck_lines import LONGEST_LINE, heading_of, read_line
from catalog.holding import NORMAL, Holding
from catalog.matching.row import Row
from catalog.readers.encodings import Remark, survey, tell_encoding, text_lines
from catalog.readers.streams import open_data

_FOIL: Final = re.compile(r" (?:\*F\*|\[foil\]|\((?:F|foil)\)|\^foil\^)", re.IGNORECASE)
_ETCHED: Final = re.compile(r" (?:\*E\*|\[etched\])", re.IGNORECASE)
_BESIDE: Final = re.compile(r"(?:sb|side|sideboard|maybeboard): ?(?=\d)", re.IGNORECASE)
_NUMBER_FIRST: Final = re.compile(r"(?P<number>[A-Z][A-Z0-9]{0,5}-[A-Z]{0,2}\d{1,4}[a-z]?) (?P<copies>\d{1,4})")
_CODE: Final = re.compile(r"[A-Za-z0-9_-]{1,10}")


def read(file: CollectionFile) -> Reading:
    """The rows of a list; raises CatalogError where the file is not text."""
    encoding, rows = read_list(file.path, file.name, file.remark)
    return Reading(rows, encoding)


def read_list(path: Path, name: str, remark: Remark) -> tuple[str, Iterator[Row | Skipped]]:
    """How a list is written, and its rows; what lies in a sideboard is owned as well, and counts.

    Raises CatalogError where the file is not text.
    """
    with open_data(path) as stream:
        found = survey(stream, name)
    tell_encoding(found, name, remark)

    def rows() -> Iterator[Row | Skipped]:
        about = False
        with open_data(path) as stream:
            for number, raw in enumerate(text_lines(stream, found, name), 1):
                if len(raw) > LONGEST_LINE:
                    raise CatalogError(f"{name}, line {number} is too long to be a card. Is it the right file?")
                line = " ".join(raw.split())
                if (heading := heading_of(line)) is not None:
                    about = heading in ("about", "metadata")
                elif line and not about and (row := _row(number, line)) is not None:
                    yield row

    return found.encoding, rows()


def _row(number: int, line: str) -> Row | Skipped | None:
    """The row in a line; None for a comment."""
    if match := _NUMBER_FIRST.fullmatch(line):
        return Row(number, line, ((NORMAL, int(match["copies"])),), number=match["number"])
    try:
        card = read_line(_BESIDE.sub("", line, count=1), number)
    except CatalogError:
        return Skipped(number, line[:LONGEST_RAW], NO_COPIES)
    if card is None:
        return None
    finish = "etched" if _ETCHED.search(line) else "foil" if _FOIL.search(line) else NORMAL
    return Row(
        number,
        line[:LONGEST_RAW],
        ((finish, card.copies),),
        card.name[:LONGEST_TEXT],
        card.set_code,
        "",
        card.collector_number,
        written=card.written[:LONGEST_TEXT],
    )


def is_list_code(set_code: str) -> bool:
    """Whether a list may name a set so; printing, number and finish are left out where it may not."""
    return bool(_CODE.fullmatch(set_code))


def write_list(holdings: Iterable[Holding], *, printing: bool) -> Iterator[str]:
    """The lines of a list, with set and number where `printing` says so; a finish is a mark behind them."""
    for holding in holdings:
        name = " ".join(holding.name.split())
        shown = f"{holding.copies} {name}"
        if printing and is_list_code(holding.set_code):
            shown += f" ({holding.set_code.upper()}) {holding.number}".rstrip()
            shown += {"foil": " *F*", "etched": " *E*"}.get(holding.finish, "")
        yield shown + "\n"
