"""Typed keys that the terminal does not show while nothing is asked."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

_LOCAL_FLAGS: Final = 3  # in what tcgetattr returns: termios(3)
_shown: list[object] | None = None
"""The attributes of a terminal whose keys are hidden now, with which it shows them."""


@contextmanager
def keys_hidden() -> Iterator[None]:
    """Show no keys in the block but keep them for the next reader, on terminals that would; then restore the terminal.

    A command that takes long to load begins with this, so that keys pressed early are not shown, either.
    """
    global _shown
    if sys.platform == "win32" or sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    _shown = import_module("termios").tcgetattr(sys.stdin)
    before = signal.signal(signal.SIGCONT, lambda number, frame: _hide_again())
    try:
        _hide()
        yield
    finally:
        signal.signal(signal.SIGCONT, before)
        _restore()
        _shown = None


@contextmanager
def keys_shown() -> Iterator[None]:
    """Show keys in the block again, in which the user types a line."""
    _restore()
    try:
        yield
    finally:
        _hide()


def _hide() -> None:
    if _shown is not None:
        termios = import_module("termios")
        hidden = [*_shown]
        hidden[_LOCAL_FLAGS] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, hidden)


def _hide_again() -> None:
    """Hide keys after Ctrl-Z and fg, since the shell shows them; a job in the background may not change that."""
    if os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp():
        _hide()


def _restore() -> None:
    if _shown is not None:
        termios = import_module("termios")
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, _shown)
