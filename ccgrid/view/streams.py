"""Access to standard input, output and error; no other module of the program prints or asks.

Text for the user never contains control characters. Data (exports, `-o -`) is escaped in the same way on a terminal,
and written unchanged into a file or a pipe.
"""

import codecs
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from shutil import copyfileobj, get_terminal_size, which
from typing import BinaryIO, Final, TextIO, cast

from ccgrid.catalog.errors import CatalogError
from ccgrid.view.text import visible

_LOOKS_LIKE_ONE: Final = frozenset(("FORCE_COLOR", "TTY_COMPATIBLE"))
_NO_TEXT: Final = {b"%PDF": "a PDF", b"PAR1": "Parquet"}
"""The first bytes of files that a terminal cannot show."""
_PLAIN: Final = {"±": "+-", "…": "..."}
"""ASCII spellings of characters in the program's own texts."""
_with_data = False
"""Whether standard output is reserved for data, so that text for the user goes to standard error."""
_page: "_PagedText | None" = None
"""The text for the pager, while it is collected."""


_quiet = False
"""Whether notices are suppressed."""


def be_quiet(*, wanted: bool) -> None:
    """Suppress notices, or print them again; results and errors are always printed."""
    global _quiet
    _quiet = wanted


def is_quiet() -> bool:
    """Return whether notices are suppressed."""
    return _quiet


class _PagedText(StringIO):
    """The collected text for a pager, which counts as a terminal.

    Attributes:
        notices: the notices that were printed before the text.
    """

    encoding = "utf-8"
    notices = ""

    def isatty(self) -> bool:
        return True


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return the replacement for a character that an encoding lacks: an ASCII spelling or an escape."""
    if isinstance(error, UnicodeEncodeError) and (plain := _PLAIN.get(error.object[error.start])):
        return plain, error.start + 1
    return codecs.lookup_error("backslashreplace")(error)


PLAIN: Final = "ccgrid-plain"
codecs.register_error(PLAIN, _plainer)


def _refuse(error: UnicodeError) -> tuple[str | bytes, int]:
    """Raise CatalogError for input that is not valid text, so that no part of it is stored with replacements."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101  the handler is for input only
    byte = error.object[error.start]
    raise CatalogError(f"Standard input is not text in the encoding of this system, {error.encoding} (byte {byte:#x}).")


TEXT_ALONE: Final = "ccgrid-text-alone"
codecs.register_error(TEXT_ALONE, _refuse)


def prepare() -> None:
    """Open closed standard streams, escape characters that an output cannot show, and reject input that is not text.

    A closed stream becomes the null device. Otherwise the next file that the program opens would get its descriptor.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, _null_stream(number, mode))
        if (reconfigure := getattr(getattr(sys, name), "reconfigure", None)) is not None:
            reconfigure(errors=TEXT_ALONE if name == "stdin" else PLAIN)


def _null_stream(number: int, mode: str) -> TextIO:
    """Open the null device as a standard stream with this descriptor."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.set_inheritable(number, True)
    return cast("TextIO", open(number, mode, encoding="utf-8", closefd=False))


@contextmanager
def data_only() -> Iterator[None]:
    """Reserve standard output for data in the block; text for the user goes to standard error."""
    global _with_data
    _with_data = True
    try:
        yield
    finally:
        _with_data = False


def text_stream(*, stderr: bool = False) -> TextIO:
    """Return the stream for text: standard output, or standard error if requested or if standard output is for data."""
    return sys.stderr if stderr or _with_data else _page or sys.stdout


def is_terminal(*, stderr: bool = False) -> bool:
    """Return whether the stream for text is a terminal, or is to be treated as one; Rich may still decide otherwise."""
    return text_stream(stderr=stderr).isatty() or not _LOOKS_LIKE_ONE.isdisjoint(os.environ)


def _is_installed(pager: str) -> bool:
    """Return whether the program of a command such as `LESS=R less -S` is found."""
    return which(next((word for word in pager.split() if "=" not in word), "")) is not None


@contextmanager
def paged() -> Iterator[None]:
    """Show the output of the block in a pager, if it has more lines than the terminal.

    The pager is `$PAGER`, if it is installed, or `less`, which ends at once if the text fits. An interrupt ends only
    the pager. If the block is interrupted, its output is printed without a pager.
    """
    global _page
    pager = next(filter(_is_installed, (os.environ.get("PAGER", ""), "less", "more")), "")
    if not can_ask() or not pager or os.environ.get("TERM") == "dumb" or _page is not None:
        yield
        return
    _page = _PagedText()
    _page.encoding = sys.stdout.encoding  # decides between Unicode and ASCII drawings
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        pager = ""
        raise
    finally:
        text, all_text, _page = _page.getvalue(), _page.notices + _page.getvalue(), None
        columns, lines = get_terminal_size()
        if not pager or not text or sum(1 + len(line) // (columns + 1) for line in all_text.split("\n")) <= lines:
            sys.stdout.write(text)
        else:
            from pydoc import pipepager

            sys.stdout.flush()
            os.environ.setdefault("LESS", "FRX")  # end if the text fits, keep colours, leave the text on the screen
            pipepager(all_text, pager)


def can_ask() -> bool:
    """Return whether a user at a terminal can see a question and answer it."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def write(text: str, *, stderr: bool = False) -> None:
    """Write lines of text for the user, with control characters escaped."""
    text_stream(stderr=stderr).write(_harmless_lines(text))


def _harmless_lines(text: str) -> str:
    return "\n".join(map(visible, text.split("\n"))) + "\n"


def write_notice(text: str) -> None:
    """Write lines about the result on standard error; in a pager they stand where they were printed.

    Notices before the result are printed at once, and the pager repeats them.
    """
    if _page is None or not sys.stderr.isatty():
        write(text, stderr=True)
    elif _page.tell():
        write(text)
    else:
        _page.notices += _harmless_lines(text)
        write(text, stderr=True)


def send(sequence: str) -> None:
    """Write control sequences of the program to the terminal; never pass data."""
    sys.stdout.write(sequence)
    sys.stdout.flush()


def write_data(lines: Iterable[str]) -> None:
    """Write lines of data, with their ends, to standard output: as UTF-8, or escaped on a terminal."""
    if prints_data():
        (_page or sys.stdout).writelines(shown_lines(lines))
        return
    sys.stdout.flush()  # flush text first: the bytes bypass its buffer
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8", "surrogatepass"))


def prints_data() -> bool:
    """Return whether standard output is a terminal, so that data is escaped."""
    return sys.stdout.isatty()


def write_file(file: Path, device: Path | None = None) -> None:
    """Write the content of a file to standard output, or to another terminal.

    Raises:
        CatalogError: If binary data would go to a terminal.
    """
    is_shown = device is not None or prints_data()
    with file.open("rb") as data:
        if not is_shown:
            _write_binary(data)
            return
        if (kind := _NO_TEXT.get(data.read(4))) is not None:
            raise CatalogError(f"A terminal cannot show {kind}: write it to a file or a pipe.")
    with file.open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
        if device is None:
            write_data(lines)
            return
        with device.open("w", encoding="utf-8", errors="backslashreplace") as terminal:
            terminal.writelines(shown_lines(lines))


def _write_binary(data: BinaryIO) -> None:
    """Write bytes to standard output unchanged."""
    sys.stdout.flush()
    copyfileobj(data, sys.stdout.buffer)


def shown_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, with their ends, with control characters escaped."""
    for line in lines:
        yield visible(line.removesuffix("\n")) + "\n"


class RedrawError(Exception):
    """Raised while the program waits for input, if the screen must be drawn again."""


@contextmanager
def redraws(*names: str) -> Iterator[None]:
    """Raise RedrawError if one of these signals arrives in the block; Windows lacks them."""

    def interrupt(number: int, frame: object) -> None:
        raise RedrawError

    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def input_line(prompt: str, *, stderr: bool = False) -> str:
    """Prompt the user on the stream for text, or on standard error, and return the typed line.

    After Ctrl-Z and fg, prompt again: the shell has changed the terminal, and the line editor prepares it anew.

    Raises:
        EOFError: If the input ends.
    """
    if _page is not None:  # the question is about the text so far
        sys.stdout.write(_page.getvalue())
        _page.seek(0)
        _page.truncate()
    shown = visible(prompt)
    while True:
        with suppress(RedrawError), redraws("SIGCONT"):
            if (not stderr and not _with_data) or can_ask():
                return input(shown)
            sys.stderr.write(shown)
            sys.stderr.flush()
            return input()


def flush() -> None:
    """Flush standard output, so that a full disk or a closed pipe is reported here; raise OSError."""
    try:
        sys.stdout.flush()
    except OSError:
        # Discard the rest, or the interpreter would fail to write it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
