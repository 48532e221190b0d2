"""Single keys read from a terminal without Enter, completion of lines, and progress of proofs."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from select import select
from typing import Final

from ccgrid.catalog.matching.names import fold
from ccgrid.view.insight import between
from ccgrid.view.output import note
from ccgrid.view.streams import RedrawError, redraws
from ccgrid.view.text import visible

ENTER: Final = "enter"
DELETE: Final = "delete"
HOME: Final = "home"
END: Final = "end"
REDRAW: Final = "redraw"
_LETTERS: Final = {"A": "up", "B": "down", "C": "right", "D": "left", "H": HOME, "F": END}
_NUMBERS: Final = {"1": HOME, "3": DELETE, "4": END, "7": HOME, "8": END}
"""What terminals send after escape and a bracket: a letter, or a number and a tilde."""

_WINDOWS: Final = {"H": "up", "P": "down", "M": "right", "K": "left", "S": DELETE, "G": HOME, "O": END}


_SEQUENCE_SECONDS: Final = 0.1
"""Seconds in which a terminal sends the rest of an escape sequence; otherwise Esc alone was pressed."""


def read_key() -> str:
    """Read a key: a character, "" at the end of the input, or the name of a special key.

    The names are `enter`, `delete`, `up`, `down`, `left`, `right`, `home` and `end`; and `redraw` if the window was
    resized, or the program continues after Ctrl-Z.

    Raises:
        KeyboardInterrupt: If Ctrl-C is pressed.
    """
    if sys.platform == "win32":
        return _windows_key()
    try:
        with redraws("SIGCONT", "SIGWINCH"), _at_once():
            key = _character()
            if key == "\x1b":
                return _escape_key()
    except RedrawError:
        return REDRAW
    return _name_of_key(key)


def _name_of_key(key: str) -> str:
    if key in ("\r", "\n"):
        return ENTER
    if key in ("\x7f", "\b"):
        return DELETE
    if key == "\x03":
        raise KeyboardInterrupt
    return "" if key == "\x04" else key


def _escape_key() -> str:
    """Read the rest of an escape sequence, and return the name of the key, or "?" for an unused one or Esc itself."""
    if not select([sys.stdin], [], [], _SEQUENCE_SECONDS)[0] or _character() not in ("[", "O"):
        return "?"
    numbers, last = "", _character()
    while last.isdigit() or last == ";":
        numbers += last
        last = _character()
    return _NUMBERS.get(numbers, "?") if last == "~" else _LETTERS.get(last, "?")


def _character() -> str:
    """Read one UTF-8 character from standard input; return "" at its end."""
    data = os.read(sys.stdin.fileno(), 1)
    while data and len(data) < 4:  # the longest in UTF-8
        try:
            return data.decode()
        except UnicodeDecodeError:
            data += os.read(sys.stdin.fileno(), 1)
    return data.decode(errors="replace")


@contextmanager
def _at_once() -> Iterator[None]:
    """Pass each key on without waiting for Enter in the block; then restore the terminal."""
    termios, tty = import_module("termios"), import_module("tty")
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)  # keep keys that are already pressed
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def drop_keys() -> None:
    """Discard the keys pressed so far, which answer nothing that the user has seen."""
    if sys.platform == "win32":
        keyboard = import_module("msvcrt")
        while keyboard.kbhit():
            keyboard.getwch()
    elif sys.stdin.isatty():
        termios = import_module("termios")
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _windows_key() -> str:
    """Read a key on Windows, where arrow keys are two characters, the first of which may also be an à."""
    keyboard = import_module("msvcrt")
    key = str(keyboard.getwch())
    if key == "\x00" or (key == "\xe0" and keyboard.kbhit()):
        return _WINDOWS.get(str(keyboard.getwch()), "?")
    return "" if key == "\x1a" else _name_of_key(key)  # Ctrl-Z ends input there


def line_completion(ends: Callable[[str], Sequence[str]] | None) -> None:
    """Let the Tab key complete lines: `ends` returns the completions of a line; None disables it.

    Completions with control characters are left out, because users cannot type them.
    """
    try:
        readline = import_module("readline")  # its import enables line editing, but not in a pipe
    except ImportError:  # this Python cannot complete names
        return
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0 and ends is not None:
            found[:] = [name for name in ends(readline.get_line_buffer()) if visible(name) == name]
        return found[state] if state < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(None if ends is None else complete)
    is_libedit = "libedit" in (readline.__doc__ or "")  # as on macOS
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


def matching_completions(line: str, names: Sequence[str]) -> list[str]:
    """Return names as completions of a line; if there are several, each starts with the typed text.

    The Tab key replaces the line by the common prefix, which would be shorter than the line if the names were spelled
    differently.

    >>> matching_completions("aeth", ["Æther Vial", "Aether Hub"])
    ['aether Vial', 'aether Hub']
    """
    if len(names) < 2:
        return list(names)
    start = fold(line)
    found = []
    for name in names:
        ends = (end for end in range(len(name) + 1) if fold(name[:end]).startswith(start))
        found.append(line + name[next(ends, len(name)) :])
    return found


_PATIENCE: Final = 1.0
"""Seconds before the first report of a proof's bounds, and between reports."""


def bounds_reporter() -> Callable[[int, int], None]:
    """Return a callback that reports the proved bounds of a position to the user at intervals."""
    last = time.perf_counter()

    def report(low: int, high: int) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= _PATIENCE:
            last = now
            note(f"So far: {between(low, high)}. Press Ctrl-C to stop here.")

    return report
