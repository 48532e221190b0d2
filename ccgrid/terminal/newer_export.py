"""Asks what to do with a file that repeats most of an earlier one."""

from typing import Literal

from catalog.collection.newer import RepeatedError, ReplacesAllError
from ccgrid.view.import_report import show_difference
from ccgrid.view.output import show
from ccgrid.view.streams import can_ask, input_line

_ANSWERS: dict[str, Literal["replace", "again"]] = {
    "r": "replace",
    "replace": "replace",
    "a": "again",
    "again": "again",
}


def ask_what_to_do(repeated: RepeatedError) -> Literal["replace", "again"] | None:
    """Shows what is different, and asks at a terminal; None where nobody can be asked, or somebody wants neither."""
    typed = _answer(repeated, "r: it is what you own now, replace; a: add its cards a second time; Enter: neither> ")
    return _ANSWERS.get(typed)


def ask_whether_all(refused: ReplacesAllError) -> bool:
    """Shows what would go, and asks at a terminal whether a file is all that one owns; no where nobody can be asked."""
    return _answer(refused, "y: it is all that you own; Enter: leave everything as it is> ") == "y"


def _answer(error: RepeatedError | ReplacesAllError, question: str) -> str:
    """The first letter of what somebody says to a question about a file; nothing where nobody can be asked."""
    if not can_ask():
        return ""
    show(str(error).partition(" (")[0] + ".", "")
    show_difference(error.difference, would=True)
    try:
        return input_line(question).strip().casefold()[:1]
    except (EOFError, KeyboardInterrupt):
        show("")
        return ""
