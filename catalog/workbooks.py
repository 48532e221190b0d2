"""Writing of spreadsheets (.xlsx), with an optional extra."""

import csv
from collections.abc import Iterable
from typing import BinaryIO, Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import install_command

MOST_ROWS: Final = 1_048_576
LONGEST_CELL: Final = 32_767
"""The most rows and the most characters of a cell that an .xlsx file can have."""


def write_workbook(lines: Iterable[str], file: BinaryIO) -> None:
    """Write the lines of a table in CSV as a spreadsheet.

    All cells are texts, so that no program changes a collector number or an id: `0123`, `1E5`, `2-3`.

    Raises:
        CatalogError: If XlsxWriter is not installed, or the table is too large for a spreadsheet.
    """
    try:
        import xlsxwriter
    except ImportError:
        command = install_command("spreadsheet")
        raise CatalogError(f"XlsxWriter writes spreadsheets, and is not installed: {command}") from None
    with xlsxwriter.Workbook(file, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Cards")
        for row, cells in enumerate(csv.reader(lines)):
            if row >= MOST_ROWS or any(len(cell) > LONGEST_CELL for cell in cells):
                raise CatalogError(f"The table is too large for a spreadsheet (row {row + 1}): write it as .csv.")
            for column, cell in enumerate(cells):
                if cell:
                    sheet.write_string(row, column, cell)
