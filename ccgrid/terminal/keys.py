"""Single keys at a terminal: one is read as soon as it is pressed, without Enter."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

ENTER: Final = "enter"
DELETE: Final = "delete"
_ARROWS: Final = {"A": "up", "B": "down", "C": "right", "D": "left"}
_WINDOWS: Final = {"H": "up", "P": "down", "M": "right", "K": "left", "S": DELETE}


def read_key() -> str:
    """The key that is pressed: a character, `enter`, `delete`, `up`, `down`, `left` or `right`; nothing at the end.

    Raises KeyboardInterrupt for Ctrl-C.
    """
    if sys.platform == "win32":
        return _windows_key()
    with _at_once():
        key = _character()
        if key == "\x1b":
            return _escaped()
    return _named(key)


def _named(key: str) -> str:
    if key in ("\r", "\n"):
        return ENTER
    if key in ("\x7f", "\b"):
        return DELETE
    if key == "\x03":
        raise KeyboardInterrupt
    return "" if key == "\x04" else key


def _escaped() -> str:
    """An arrow, which comes as three characters; any other such key is none."""
    if _character() not in ("[", "O"):
        return "?"
    last = _character()
    while last.isdigit() or last == ";":
        if last == "3" and _character() == "~":
            return DELETE
        last = _character()
    return _ARROWS.get(last, "?")


def _character() -> str:
    """One character of standard input, of however many bytes; nothing at its end."""
    told = os.read(sys.stdin.fileno(), 1)
    while told and len(told) < 4:
        try:
            return told.decode()
        except UnicodeDecodeError:
            told += os.read(sys.stdin.fileno(), 1)
    return told.decode(errors="replace")


@contextmanager
def _at_once() -> Iterator[None]:
    """A terminal that passes each key on; afterwards it is as it was."""
    termios, tty = import_module("termios"), import_module("tty")
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _windows_key() -> str:
    keyboard = import_module("msvcrt")
    key = str(keyboard.getwch())
    if key in ("\x00", "\xe0"):
        return _WINDOWS.get(str(keyboard.getwch()), "?")
    return _named(key)
