"""Keeps what one player saw from the next at one terminal: a screen beside the usual one, cleared between players."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ccgrid.view.output import console, on_terminal
from ccgrid.view.streams import send

_OTHER_SCREEN: Final = "\x1b[?1049h"
_USUAL_SCREEN: Final = "\x1b[?1049l"
_CLEAR: Final = "\x1b[H\x1b[2J"
_CLEAR_HISTORY: Final = "\x1b[3J"
_ONE_SCREEN: Final = ("linux",)
"""Terminals, by the beginning of `$TERM`, that have no other screen: their history is cleared instead."""


class Window:
    """Remembers how wide and high the terminal was when it was last looked at."""

    def __init__(self) -> None:
        self.look()

    def look(self) -> None:
        """Remembers it as it is now."""
        self._seen = console().size

    def changed(self) -> bool:
        """Whether it is another now."""
        return self._seen != console().size


@contextmanager
def other_screen(wanted: bool) -> Iterator[None]:
    """While the block runs, the terminal's other screen is shown, which has no history; afterwards the usual one."""
    if not wanted or not obeys() or _has_one_screen():
        yield
        return
    send(_OTHER_SCREEN)
    try:
        yield
    finally:
        send(_USUAL_SCREEN)


def clear() -> None:
    """Take from the screen all that was on it, and from the lines typed what could be called back."""
    _forget_lines()
    if obeys():
        send(_CLEAR + (_CLEAR_HISTORY if _has_one_screen() else ""))
    elif on_terminal():
        send("\n" * console().height)


def obeys() -> bool:
    """Whether standard output is a terminal that knows escape sequences, and so shows one page in place of another."""
    return on_terminal() and not console().is_dumb_terminal


def _has_one_screen() -> bool:
    return os.environ.get("TERM", "").startswith(_ONE_SCREEN)


def _forget_lines() -> None:
    """Where lines are edited with readline, the arrow keys would show the next player what the last one typed."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()
