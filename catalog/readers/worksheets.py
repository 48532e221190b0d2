"""Spreadsheets of Excel and LibreOffice, read as tables in CSV."""

import csv
import datetime
import io
import zipfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.errors import CatalogError, FileFormatError, MissingExtraError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.words import heading_key, vocabulary

WORKBOOK_SUFFIXES: Final = frozenset((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"))
_TOP: Final = 30  # rows that may be above the headings
_HEADS: Final = (b"PK", b"\xd0\xcf")
_LARGEST: Final = 256 << 20
"""The most bytes of a decompressed spreadsheet, which is held in memory."""
WORKBOOK: Final = "a spreadsheet, not text. Save it as CSV (UTF-8) and use that file."
"""The error for a spreadsheet that cannot be read."""


def is_workbook(path: Path, head: bytes) -> bool:
    """Return whether a file is a spreadsheet, by its suffix and first bytes."""
    return head in _HEADS and path.suffix.casefold() in WORKBOOK_SUFFIXES


class Worksheet(io.BytesIO):
    """A sheet as CSV in UTF-8, with its name and the names of the other sheets that are not empty."""

    def __init__(self, table: bytes, sheet: str, others: tuple[str, ...]) -> None:
        super().__init__(table)
        self.sheet, self.others = sheet, others


def as_table(path: Path, name: str) -> Worksheet:
    """Return the first sheet with headings of cards, or else the first that is not empty.

    Args:
        path: The path of the file.
        name: The name of the file in errors.

    Raises:
        MissingExtraError: If the library that reads spreadsheets is not installed.
        FileFormatError: If the file is not a spreadsheet, or too large.
    """
    state = path.stat()
    return Worksheet(*_first_sheet(path, name, state.st_mtime_ns, state.st_size))


@lru_cache(1)  # detecting the format opens a file several times
def _first_sheet(path: Path, name: str, _changed: int, _size: int) -> tuple[bytes, str, tuple[str, ...]]:
    try:
        import python_calamine
    except ImportError:
        raise MissingExtraError(
            f"{name}: {WORKBOOK}\nOr install what reads it: {install_command('spreadsheet')}", extra="spreadsheet"
        ) from None
    try:
        _check_size(path, name)
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            # Keep empty rows, so that lines have the numbers of the sheet.
            sheets = {one: book.get_sheet_by_name(one).to_python(skip_empty_area=False) for one in book.sheet_names}
    except (CatalogError, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # panics of Rust are not an Exception
        why = str(error)[:80]
        raise FileFormatError(
            f"a spreadsheet that cannot be read ({why}). Save it as CSV (UTF-8) there.", file=name
        ) from None
    filled = [one for one, rows in sheets.items() if any(any(cell != "" for cell in row) for row in rows)]
    # The first sheet may contain notes.
    chosen = next((one for one in filled if _has_headings(sheets[one])), filled[0] if filled else "")
    rows: list[list[Any]] = sheets[chosen] if filled else []
    # The table begins with the first row of several cells.
    titles = next((place for place, row in enumerate(rows) if sum(cell != "" for cell in row) > 1), 0)
    rows[:titles] = [[]] * titles  # titles above the table, often merged cells; lines keep their numbers
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell_text(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace"), chosen, tuple(one for one in filled if one != chosen)


def _has_headings(rows: Sequence[Sequence[object]]) -> bool:
    """Return whether a row at the top of a sheet has headings of a table of cards, one of which names the cards."""
    for row in rows[:_TOP]:
        fields = {vocabulary().find("headings", heading_key(cell)) for cell in row if isinstance(cell, str) and cell}
        if len(fields - {""}) > 1 and fields & {"name", "number", "card", "scryfall"}:
            return True
    return False


def _check_size(path: Path, name: str) -> None:
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        # The sizes that the archive states: decompression fails for a member that is larger.
        if sum(member.file_size for member in archive.infolist()) > _LARGEST:
            raise FileFormatError(f"over {_LARGEST >> 20} MiB unpacked. Save it as CSV, and name that file.", file=name)


def _cell_text(cell: object) -> str:
    """Return a cell as text: numbers as they are shown, ISO dates."""
    if isinstance(cell, float):
        # Spreadsheets store all numbers as floats with 15 digits.
        return str(int(cell)) if cell.is_integer() else f"{cell:.15g}"
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, bool):
        return str(cell).lower()
    return " ".join(str(cell).splitlines())
