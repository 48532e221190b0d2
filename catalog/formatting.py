"""Counts, shares, sizes and paths as messages show them."""

import sys
from pathlib import Path
from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern

_PLAIN: Final = lazy_pattern(r"[\w@%+=:./\\~-]+")


def sentence(reason: str) -> str:
    """Return a reason as a sentence, with a capital letter and a full stop.

    >>> sentence("it is no move"), sentence("Type a number.")
    ('It is no move.', 'Type a number.')
    """
    return f"{reason[:1].upper()}{reason[1:]}{'' if reason.endswith(('.', '?', '!')) else '.'}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "card"), counted(1200, "card"), counted(0, "copy", "copies")
    ('1 card', '1,200 cards', '0 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percent(share: float) -> str:
    """Return a share as a whole percentage.

    >>> percent(0.25)
    '25 %'
    """
    return f"{100 * share:.0f} %"


def amount(size: int) -> str:
    """Return a number of bytes for users.

    >>> amount(512), amount(1_500_000)
    ('512 bytes', '1.5 MB')
    """
    if size < 1000:
        return counted(size, "byte")
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 1000:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"


def shell_word(text: str | Path) -> str:
    """Quote a path or text for a printed command: for POSIX shells, on Windows for PowerShell.

    Double quotes also work in `cmd`, but PowerShell looks for variables in them. A stream becomes `-`.
    """
    from shlex import quote

    text = "-" if getattr(text, "stream", "") else str(text)
    if sys.platform != "win32":
        return quote(text)
    if _PLAIN.fullmatch(text):
        return text
    return f'"{text}"' if set(text).isdisjoint('$`"') else "'" + text.replace("'", "''") + "'"
