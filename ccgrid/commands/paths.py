"""Paths on the command line: files to read or to write, or `-` for standard input or output.

A file named `-` is written `./-`.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.view.output import note, remark
from ccgrid.view.streams import TEXT_ALONE, data_only, prints_data, write_file

_STREAM: Final = "-"
_INPUT: Final = "standard input"
_OUTPUT: Final = "standard output"
_ADDRESS: Final = lazy_pattern("[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_KEYBOARD: Final = "CONIN$" if sys.platform == "win32" else "/dev/tty"
# Opening a device to inspect it must neither make it this process's terminal nor block.
_INSPECT: Final = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_NONBLOCK", 0)

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # before Python 3.12 nothing inherits from a plain `Path`


class StreamPath(_Path):
    """A temporary file with the content of a stream: it opens like any file, and messages show the stream's name.

    The current folder is its parent, so that files named in its content are found there.
    """

    stream = ""

    @classmethod
    def of(cls, file: Path, stream: str) -> "StreamPath":
        """Return the path of a temporary file that messages call `stream`."""
        path = cls(file)
        path.stream = stream
        return path

    # Messages show the stream's name; `os.fspath`, which opens the file, returns its real path.
    def __str__(self) -> str:
        return self.stream or super().__str__()

    def __fspath__(self) -> str:
        return super().__str__()

    @property
    def parent(self) -> Path:  # type: ignore[override]
        """The folder of files that the content names."""
        return Path() if self.stream else Path(super().parent)


class TypedPath(_Path):
    """A path with the text that the user typed: `Path("./-")` equals `Path("-")`, and paths have no double slashes."""

    typed = ""

    @classmethod
    def parse(cls, text: str) -> "TypedPath":
        """Return the path of a text."""
        path = cls(text)
        path.typed = text
        return path


def parse_path(text: str) -> TypedPath:
    """Return the path that the user typed, for one of the callbacks below."""
    return TypedPath.parse(text)


def open_input(context: typer.Context, parameter: typer.CallbackParam, value: object) -> object:
    """Return the path or paths to read; standard input and named pipes are read into temporary files.

    Raises:
        BadParameter: If the text is an address, the file may not be read, or standard input is named twice.
    """
    return _each(value, lambda path: _open_input(context, parameter, path))


def open_input_or_name(context: typer.Context, parameter: typer.CallbackParam, value: object) -> object:
    """Return what `open_input` does for streams and folders, and else the typed text: it may name a game or a faction.

    Raises:
        BadParameter: As in `open_input`.
    """

    def open_or_keep(path: TypedPath) -> Path | str:
        opened = _open_input(context, parameter, path)
        return opened if is_stream(opened) or not path.name else path.typed

    return _each(value, open_or_keep)


def _each(value: object, convert: Callable[[TypedPath], object]) -> object:
    """Convert the path or the paths of a parameter; return other values, such as None, unchanged."""
    if isinstance(value, (list, tuple)):
        return [_each(one, convert) for one in value]
    return convert(value) if isinstance(value, TypedPath) else value


def _open_input(context: typer.Context, parameter: typer.CallbackParam, path: TypedPath) -> Path:
    if path.typed == _STREAM and not context.resilient_parsing:  # a shell that completes must not wait for input
        _claim_stream(_INPUT, context, parameter)
        stream: Path = context.with_resource(_spooled_input())  # deleted when the command ends
        return stream
    if "://" in path.typed and _ADDRESS.match(path.typed) and not os.path.lexists(path):
        way = ", or name it with --url" if any("--url" in one.opts for one in context.command.params) else ""
        raise typer.BadParameter(
            f"{path.typed} is an address, not a file: download it first{way}", ctx=context, param=parameter
        )
    if os.path.lexists(path) and not os.access(path, os.R_OK):
        raise typer.BadParameter(f"Path {path.typed!r} is not readable.", ctx=context, param=parameter)
    if os.path.lexists(path) and path.is_fifo() and not context.resilient_parsing:  # a code is too long for a file name
        pipe: Path = context.with_resource(_spooled_pipe(path))
        return pipe
    # Messages name the folder, not ".".
    return Path(path) if path.name else Path(path).absolute()


def open_output(context: typer.Context, parameter: typer.CallbackParam, value: object) -> object:
    """Return the path to write; standard output, or a terminal, is written when the command ends.

    Raises:
        BadParameter: If standard output is named twice.
    """

    def open_path(path: TypedPath) -> Path:
        is_standard = path.typed == _STREAM
        if context.resilient_parsing or not (is_standard or _is_terminal(path)):
            return Path(path)
        if is_standard:
            _claim_stream(_OUTPUT, context, parameter)
        file: Path = context.with_resource(_spooled_output(None if is_standard else Path(path)))
        return file

    return _each(value, open_path)


def file_only(reason: str) -> dict[str, Any]:
    """Return the settings of an option whose file cannot be a stream; `reason` completes "- is not a file here: "."""

    def reject_stream(context: typer.Context, parameter: typer.CallbackParam, value: object) -> object:
        if isinstance(value, TypedPath) and value.typed == _STREAM:
            raise typer.BadParameter(
                f"- is not a file here: {reason} (for a file named -, write ./-)", ctx=context, param=parameter
            )
        return _each(value, Path)

    return {"parser": parse_path, "callback": reject_stream}


INPUT: Final[dict[str, Any]] = {"parser": parse_path, "callback": open_input}
"""The settings of an option or argument that names a file to read, or `-`."""
INPUT_OR_NAME: Final[dict[str, Any]] = {"parser": parse_path, "callback": open_input_or_name}
"""The settings of an argument that names a file to read, `-`, or something else, such as a game."""
OUTPUT: Final[dict[str, Any]] = {"parser": parse_path, "callback": open_output}
"""The settings of an option that names a file to write, or `-`."""
PLAYED: Final = file_only("the game is played there; name a file for its record")


def is_stream(path: object) -> bool:
    """Return whether a path stands for a stream."""
    return isinstance(path, StreamPath)


def tell_written(path: Path, then: str = "") -> None:
    """Report that a file was written, and the next step; do nothing for a stream."""
    if not is_stream(path):
        remark(f"Written to {path}{then or '.'}")


def _claim_stream(stream: str, context: typer.Context, parameter: typer.CallbackParam) -> None:
    """Mark a stream as used; raise BadParameter if another parameter of the command line uses it already."""
    # All parameters of a command line share `meta`.
    if context.meta.setdefault(stream, claim := object()) is not claim:
        raise typer.BadParameter(f"- stands for one file, {stream}: name the others", ctx=context, param=parameter)


@contextmanager
def _spooled_input() -> Iterator[StreamPath]:
    """Yield a temporary file with the content of standard input."""
    if sys.stdin.isatty():
        note(f"Type or paste it here; {'Ctrl-Z and Enter end' if sys.platform == 'win32' else 'Ctrl-D ends'} it.")
    with owned_cards.imports.spool(sys.stdin.buffer, _INPUT) as file:
        if prints_data() and not sys.stdin.isatty():  # not in a script, whose output is elsewhere too
            _answer_at_keyboard()
        yield StreamPath.of(file, _INPUT)


@contextmanager
def _spooled_pipe(path: TypedPath) -> Iterator[StreamPath]:
    """Yield a temporary file with the content of a named pipe, because a pipe can be read only once."""
    with path.open("rb") as pipe, owned_cards.imports.spool(pipe, path.name) as file:
        yield StreamPath.of(file, path.name)


def _answer_at_keyboard() -> None:
    """Read answers and keys from the terminal of this process, if it has one."""
    with suppress(OSError):
        keyboard = os.open(_KEYBOARD, os.O_RDWR)
        os.dup2(keyboard, 0)
        os.close(keyboard)
        sys.stdin = open(0, encoding=sys.stdin.encoding, errors=TEXT_ALONE, closefd=False)  # noqa: SIM115


@contextmanager
def _spooled_output(device: Path | None) -> Iterator[StreamPath]:
    """Yield a temporary file, and copy it to a terminal (None: to standard output) when the block ends."""
    with temporary_folder() as folder, data_only() if device is None else nullcontext():
        file = folder / _OUTPUT
        try:
            yield StreamPath.of(file, str(device or _OUTPUT))
        finally:
            if file.exists():  # not after an error before it was written
                write_file(file, device)


def _is_terminal(path: Path) -> bool:
    """Return whether a path is a terminal device."""
    with suppress(OSError, ValueError):
        if stat.S_ISCHR(path.stat().st_mode):
            descriptor = os.open(path, _INSPECT)
            try:
                return os.isatty(descriptor)
            finally:
                os.close(descriptor)
    return False
