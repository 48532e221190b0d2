"""Asks what to do with a file that repeats most of an earlier one."""

import sys
from typing import Literal

from catalog.collection.newer import RepeatedError
from ccgrid.view.import_report import show_difference
from ccgrid.view.output import show

_ANSWERS: dict[str, Literal["replace", "again"]] = {
    "r": "replace",
    "replace": "replace",
    "a": "again",
    "again": "again",
}


def ask_what_to_do(repeated: RepeatedError) -> Literal["replace", "again"] | None:
    """Shows what is different, and asks at a terminal; None where nobody can be asked, or somebody wants neither."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    show(str(repeated).partition(" (")[0] + ".", "")
    show_difference(repeated.difference, would=True)
    try:
        typed = input("r: it is what you own now, replace; a: add its cards a second time; Enter: neither> ")
    except (EOFError, KeyboardInterrupt):
        show("")
        return None
    return _ANSWERS.get(typed.strip().casefold()[:1])
