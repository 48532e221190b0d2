"""What a path on the command line may be: a file to read or to write, where `-` is a stream, or a file and no stream.

A file that is called `-` is named `./-`.
"""

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer.models import TyperPath

from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.view.output import note, remark
from ccgrid.view.streams import TEXT_ALONE, data_alone, shows_data, write_file

_INPUT: Final = "standard input"
_OUTPUT: Final = "standard output"
_ADDRESS: Final = re.compile("[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_KEYBOARD: Final = "CONIN$" if sys.platform == "win32" else "/dev/tty"
# Only to look what a device is: it must neither become the terminal of this process nor keep it waiting.
_LOOK: Final = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_NONBLOCK", 0)

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # before Python 3.12 nothing inherits from a plain `Path`


class StreamPath(_Path):
    """A file with what came, or is to go, through a stream: it opens as any file does, and is called as the stream is.

    Files that it names are looked for in the current folder.
    """

    stream = ""

    @classmethod
    def of(cls, file: Path, stream: str) -> "StreamPath":
        """The file with the content of a stream that is called so."""
        path = cls(file)
        path.stream = stream
        return path

    # What people read is the name of the stream; what opens the file (`os.fspath`) gets its real path.
    def __str__(self) -> str:
        return self.stream or super().__str__()

    def __fspath__(self) -> str:
        return super().__str__()

    @property
    def parent(self) -> Path:  # type: ignore[override]
        """The folder in which files are looked for."""
        return Path() if self.stream else Path(super().parent)


class FilePath(TyperPath):
    """A path that is no stream; `why` completes "- is no file: …"."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The path; raises a usage error for `-`."""
        if value == "-":
            self.fail(f"- is not a file here: {self.why} (for a file named -, write ./-)", param, ctx)
        return super().convert(value, param, ctx)


class InputPath(TyperPath):
    """A file to read; `-` is standard input, all of which is read first."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the path, or the file with what came; raise a usage error for an address."""
        if value != "-" or ctx is None or ctx.resilient_parsing:  # a shell that completes reads nothing
            if ctx is not None and _ADDRESS.match(str(value)) and not os.path.lexists(value):
                way = ", or name it with --url" if any("--url" in one.opts for one in ctx.command.params) else ""
                self.fail(f"{value} is an address, not a file: download it first{way}", param, ctx)
            path = super().convert(value, param, ctx)
            # Messages name the folder, not ".". Anything else stays text: it may be the name of a game or a faction.
            return path if Path(os.fsdecode(path)).name else Path(os.fsdecode(path)).absolute()
        _take(self, _INPUT, param, ctx)
        return ctx.with_resource(_from_input())  # lasts as long as the command


class OutputPath(TyperPath):
    """A file to write; `-` is standard output, which then has that alone. What goes to a terminal is shown there."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The path, or the file whose content goes out when the command ends."""
        if ctx is None or ctx.resilient_parsing or not (value == "-" or _is_terminal(value)):
            return super().convert(value, param, ctx)
        if value == "-":
            _take(self, _OUTPUT, param, ctx)
        return ctx.with_resource(_to_output(None if value == "-" else Path(value)))


INPUT: Final = InputPath()
OUTPUT: Final = OutputPath()
PLAYED: Final = FilePath("the game is played there; name a file for its record")


def is_stream(path: Path | None) -> bool:
    """Whether a path stands for a stream."""
    return isinstance(path, StreamPath)


def tell_written(path: Path, then: str = "") -> None:
    """Say that a file is written, and what to do with it; of a stream that is plain."""
    if not is_stream(path):
        remark(f"Written to {path}{then or '.'}")


def _take(kind: TyperPath, stream: str, param: Any, ctx: Any) -> None:
    """Raises a usage error where something else on the command line is this stream already."""
    # `meta` is shared by all parameters of a command line: the first to ask leaves its mark, the next finds it.
    if ctx.meta.setdefault(stream, taken := object()) is not taken:
        kind.fail(f"- is {stream}, and that is one file: name the others", param, ctx)


@contextmanager
def _from_input() -> Iterator[StreamPath]:
    """The file with all that comes on standard input."""
    if sys.stdin.isatty():
        note(f"Type or paste it here; {'Ctrl-Z and Enter end' if sys.platform == 'win32' else 'Ctrl-D ends'} it.")
    with owned_cards.imports.spool(sys.stdin.buffer, _INPUT) as file:
        if shows_data() and not sys.stdin.isatty():  # a script has its output elsewhere, and nobody to ask
            _answer_at_keyboard()
        yield StreamPath.of(file, _INPUT)


def _answer_at_keyboard() -> None:
    """Lets questions be answered, and keys be pressed, at the terminal at which the command was typed, if any."""
    with suppress(OSError):
        keyboard = os.open(_KEYBOARD, os.O_RDWR)
        os.dup2(keyboard, 0)
        os.close(keyboard)
        sys.stdin = open(0, encoding=sys.stdin.encoding, errors=TEXT_ALONE, closefd=False)  # noqa: SIM115


@contextmanager
def _to_output(device: Path | None) -> Iterator[StreamPath]:
    """A file to write, whose content goes to standard output, or to a terminal, when the block ends."""
    with temporary_folder() as folder, data_alone() if device is None else nullcontext():
        file = folder / _OUTPUT
        try:
            yield StreamPath.of(file, str(device or _OUTPUT))
        finally:
            if file.exists():  # it is written whole, or not at all
                write_file(file, device)


def _is_terminal(path: str) -> bool:
    with suppress(OSError, ValueError):
        if stat.S_ISCHR(os.stat(path).st_mode):  # noqa: PTH116  as it was typed
            descriptor = os.open(path, _LOOK)
            try:
                return os.isatty(descriptor)
            finally:
                os.close(descriptor)
    return False
