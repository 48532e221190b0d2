"""Spreadsheets as tables: the first sheet of an `.xlsx` or `.ods` that has anything in it, as lines of CSV."""

import csv
import datetime
import io
import zipfile
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.card import CatalogError

SUFFIXES: Final = frozenset((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"))
_HEADS: Final = (b"PK", b"\xd0\xcf")
_LARGEST: Final = 256 << 20
"""The most that is unpacked of one, in bytes: all of it is in memory at once."""
WORKBOOK: Final = "a spreadsheet, not text. Save it as CSV (UTF-8) and use that file."
"""What is said of Excel's and LibreOffice's own files where they are not read."""
_NEEDED: Final = "Or install what reads it: pip install 'ccgrid[spreadsheet]'"


def is_workbook(path: Path, head: bytes) -> bool:
    """Whether a file is a spreadsheet, by its name and how it begins."""
    return head in _HEADS and path.suffix.casefold() in SUFFIXES


def as_table(path: Path, name: str) -> bytes:
    """The first sheet with anything in it, as UTF-8; `name` is what errors call the file.

    Raises CatalogError where what reads spreadsheets is not installed, or the file is none, or too large.
    """
    try:
        import python_calamine
    except ImportError:
        raise CatalogError(f"{name}: {WORKBOOK}\n{_NEEDED}") from None
    try:
        _check_size(path, name)
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            sheets = (book.get_sheet_by_name(sheet).to_python(skip_empty_area=False) for sheet in book.sheet_names)
            rows: list[list[Any]] = next(
                (rows for rows in sheets if any(any(cell != "" for cell in row) for row in rows)), []
            )
    except (CatalogError, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # what it is written in ends with errors of its own
        why = str(error)[:80]
        raise CatalogError(
            f"{name}: a spreadsheet that cannot be read ({why}). Save it as CSV (UTF-8) there."
        ) from None
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_shown(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _check_size(path: Path, name: str) -> None:
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > _LARGEST:
            raise CatalogError(f"{name}: over {_LARGEST >> 20} MiB unpacked. Save it as CSV, and name that file.")


def _shown(cell: Any) -> str:
    """A cell as a table in text has it: whole numbers without a point, dates year first."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, bool):
        return str(cell).lower()
    return " ".join(str(cell).splitlines())
