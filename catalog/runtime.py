"""What a process needs besides: lazy modules, garbage, the clock, numbers and words that people type, its extras."""

import gc
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_PLAIN: Final = re.compile(r"[\w@%+=:./\\~-]+")


def lazy_modules(package: str) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package: imports the module that is asked for; AttributeError where there is none."""

    def module(name: str) -> ModuleType:
        called = f"{package}.{name}"
        try:
            return import_module(called)
        except ModuleNotFoundError as error:
            # A module that is there and lacks another one is a defect, and no missing name.
            if error.name != called:
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return module


@cache
def has_part(package: str, part: str) -> bool:
    """Whether a package has a module of this name, which is not imported for that."""
    return find_spec(f"{package}.{part}") is not None


@cache
def part_of(package: str, part: str) -> Any:
    """What a package hands out as a part: what its module of this name calls by the same name in capitals.

    The module is imported when it is first asked for. None where there is no such module.
    """
    return getattr(import_module(f"{package}.{part}"), part.upper()) if has_part(package, part) else None


@cache
def module_of(package: str, part: str) -> ModuleType | None:
    """The module of a package with this name, imported when it is first asked for; None where there is none."""
    return import_module(f"{package}.{part}") if has_part(package, part) else None


@contextmanager
def no_collector() -> Iterator[None]:
    """Rows hold no cycles, and what is loaded stays: looking for cycles there would only cost time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def local_minute(moment: str) -> str:
    """A time that `now` gave, as people read it: local, to the minute.

    >>> import re
    >>> bool(re.fullmatch("2026-11-2[23] [0-9]{2}:[0-9]{2}", local_minute("2026-11-22T23:59:58+00:00")))
    True
    """
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"


def place_in(text: str, count: int) -> int | None:
    """The place, from 0, in a list of so many that a number from 1 names; None where it names none.

    >>> place_in("2", 2), place_in("3", 2), place_in("00002", 2)
    (1, None, None)
    """
    # No longer than the longest number: `int` refuses thousands of digits, and 00002 is rather the number of a card.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(count))
    return int(text) - 1 if is_number and 1 <= int(text) <= count else None


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "card"), counted(1200, "card"), counted(0, "copy", "copies")
    ('1 card', '1,200 cards', '0 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def amount(size: int) -> str:
    """A number of bytes as people write it.

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
    """A path or a text as one types it in a command that is printed: for POSIX shells, on Windows for PowerShell.

    What is in double quotes `cmd` reads as well, but in them PowerShell looks for variables. A stream is typed as `-`.
    """
    from shlex import quote

    text = "-" if getattr(text, "stream", "") else str(text)
    if sys.platform != "win32":
        return quote(text)
    if _PLAIN.fullmatch(text):
        return text
    return f'"{text}"' if set(text).isdisjoint('$`"') else "'" + text.replace("'", "''") + "'"


def install_command(extra: str) -> str:
    """The command that installs an extra of this program, from where the program itself was installed (PEP 610)."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        noted = json.loads(distribution("ccgrid").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        noted = {}
    place = unquote(urlsplit(noted.get("url", "")).path)
    place = place.removeprefix("/") if sys.platform == "win32" else place
    wanted = f"ccgrid[{extra}]"
    if place and Path(place).exists():  # else it was made elsewhere, as one file that runs by itself is
        wanted = f"{place}[{extra}]"
    if "pipx" in (home := Path(sys.prefix).parts):
        return f"pipx install --force {shell_word(wanted)}"
    if {"uv", "tools"} <= set(home):
        return f"uv tool install {shell_word(wanted)}"
    return f"pip install {'-e ' if noted.get('dir_info', {}).get('editable') else ''}{shell_word(wanted)}"
