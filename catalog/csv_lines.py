"""Lines of tables as they are written: no spreadsheet runs a cell as a formula, and the same cells come back."""

import csv
import io
import re
from collections.abc import Iterable
from typing import Final

_OPENS_A_FORMULA: Final = re.compile(r"'*(?:[\t\r\n]|[\s\x00-\x1f\u200b\ufeff]*[=+\-@＝＋－＠])")
"""Spreadsheets pass over blanks, and some read full width; apostrophes stand before it where it was one of ours."""


def csv_line(cells: Iterable[object], delimiter: str = ",") -> str:
    """A line with its end, each text made harmless; None is blank."""
    line = io.StringIO()
    texts = (harmless(cell) if isinstance(cell, str) else cell for cell in cells)
    # Either end is one to most programs: a cell that holds one is quoted.
    csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow(texts)
    return line.getvalue().removesuffix("\r\n") + "\n"


def harmless(text: str) -> str:
    """A cell that no spreadsheet runs: what opens a formula gets an apostrophe before it.

    >>> harmless("+2 Mace"), harmless(" ＝1"), harmless("Ant"), harmless("'=1")
    ("'+2 Mace", "' ＝1", 'Ant', "''=1")
    """
    return "'" + text if _OPENS_A_FORMULA.match(text) else text


def unharmed(text: str) -> str:
    """A cell as it was before `harmless`.

    >>> unharmed("'+2 Mace"), unharmed("'Twas Night"), unharmed("''=1")
    ('+2 Mace', "'Twas Night", "'=1")
    """
    return text[1:] if text.startswith("'") and _OPENS_A_FORMULA.match(text) else text
