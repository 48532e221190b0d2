"""Reads and writes lists of cards as text, as Arena, MTGO and people do: `2 Wyvern`, `1 Shock (M10) 155 *F*`."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.formats.format import (
    LONGEST_RAW,
    LONGEST_TEXT,
    NO_COPIES,
    CollectionFile,
    FileRows,
    Skipped,
)
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.lines import ABOUT, LONGEST_LINE, fullest, heading_of, is_comment, tidy
from ccgrid.catalog.matching.row import Row, with_reading
from ccgrid.catalog.readers.encodings import Remark, survey, tell_encoding, text_lines
from ccgrid.catalog.readers.streams import open_data

_CODE: Final = re.compile(r"[A-Za-z0-9_-]{1,10}")


def read(file: CollectionFile) -> FileRows:
    """The rows of a list; raises CatalogError where the file is not text."""
    encoding, rows = read_list(file.path, file.name, file.remark)
    return FileRows(rows, encoding)


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
                line = tidy(raw)
                if (heading := heading_of(line)) is not None:
                    about = heading in ABOUT
                elif line and not about and not is_comment(line):
                    yield _row(number, line)

    return found.encoding, rows()


def _row(number: int, line: str) -> Row | Skipped:
    """The row in a line, read as far as one can who does not know which names there are."""
    read = fullest(line)
    if not read.copies_meant:
        return Skipped(number, line[:LONGEST_RAW], NO_COPIES)
    whole = line if len(line) <= LONGEST_RAW else ""
    row = with_reading(Row(number, line[:LONGEST_RAW], (), written=whole), read)
    return row._replace(name=row.name[:LONGEST_TEXT])


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
