"""The order of texts with numbers in them, such as the names of boxes."""

import re


def natural_order(text: str) -> str:
    """Return a sort key by which row 10 comes after row 9, box A before box A1, and an empty text last.

    >>> sorted(["", "A10", "a9", "A"], key=natural_order)
    ['A', 'a9', 'A10', '']
    """
    numbered = re.sub("[0-9]+", lambda digits: f"\t{int(digits[0][:18]):018}", text.casefold())
    return f"{numbered}\0" if numbered else "\U0010ffff"
