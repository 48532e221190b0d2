"""Lines of CSV and TSV whose cells no spreadsheet runs as formulas."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

_FORMULA_START: Final = re.compile(r"'*(?:[\t\r\n]|[\s\x00-\x1f\u200b\ufeff]*[=+\-@＝＋－＠])")
"""The start of a formula: spreadsheets skip blanks, and some accept full-width signs. We put an apostrophe before it.
"""
_TEXT_FORMULA: Final = re.compile(r'="([^"]*)"')
"""How programs keep a spreadsheet from taking a text for a number or a date."""


def csv_line(cells: Iterable[object], delimiter: str = ",") -> str:
    """Return a line with its end, its texts escaped; None becomes an empty cell."""
    line = io.StringIO()
    texts = (escape_formula(cell) if isinstance(cell, str) else cell for cell in cells)
    # Most programs accept either line end, so that a cell with one of them is quoted.
    csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow(texts)
    return line.getvalue().removesuffix("\r\n") + "\n"


def escape_formula(text: str) -> str:
    """Return a cell that no spreadsheet runs: the start of a formula gets an apostrophe.

    >>> escape_formula("+2 Mace"), escape_formula(" ＝1"), escape_formula("Ant"), escape_formula("'=1")
    ("'+2 Mace", "' ＝1", 'Ant', "''=1")
    """
    return "'" + text if _FORMULA_START.match(text) else text


def formula_text(text: str) -> str:
    """Return a cell as it was before `escape_formula`, or the text in a formula that is only a text: `="146"`.

    >>> formula_text("'+2 Mace"), formula_text("'Twas Night"), formula_text("''=1"), formula_text('="146"')
    ('+2 Mace', "'Twas Night", "'=1", '146')
    """
    if text.startswith("="):
        quoted = _TEXT_FORMULA.fullmatch(text)
        return quoted[1] if quoted else text
    return text[1:] if text.startswith("'") and _FORMULA_START.match(text) else text
