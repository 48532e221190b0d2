"""Asks at a terminal what is to be taken back, and whether."""

from collections.abc import Sequence

from ccgrid.services.undoing import Done
from ccgrid.view.output import show
from ccgrid.view.streams import input_line


def ask(found: Sequence[Done]) -> Done | None:
    """Which of several a person wants back, or whether the only one; None where they want none."""
    if len(found) == 1:
        show(f"Last: {found[0]}.")
        return found[0] if _answer("Take it back? yes or no> ") in ("y", "yes") else None
    show("Which is to be taken back?")
    for number, done in enumerate(found, 1):
        show(f"  {number}: {done}")
    answer = _answer(f"1 to {len(found)}, or nothing for none> ")
    return next((done for number, done in enumerate(found, 1) if answer == str(number)), None)


def _answer(prompt: str) -> str:
    try:
        return input_line(prompt).strip().casefold()
    except (EOFError, KeyboardInterrupt):
        show("")
        return ""
