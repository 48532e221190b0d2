"""The one way out to standard output and standard error, and the one question to a person.

What people read is shown: no character of it acts on a terminal. Data (exports, files after `-o -`) are shown so on a
terminal alone; a file or a pipe gets them byte for byte. Nothing else in the program prints.
"""

import codecs
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from shutil import copyfileobj, get_terminal_size, which
from typing import BinaryIO, Final, TextIO, cast

from ccgrid.catalog.errors import CatalogError
from ccgrid.view.text import visible

_LOOKS_LIKE_ONE: Final = frozenset(("FORCE_COLOR", "TTY_COMPATIBLE"))
_NO_TEXT: Final = {b"%PDF": "a PDF", b"PAR1": "Parquet"}
"""How files begin that no terminal can show."""
_PLAIN: Final = {"±": "+-", "…": "..."}
"""How characters in what we say ourselves are written where there are only letters."""
_with_data = False
"""Whether standard output has data alone, and people read standard error."""
_page: "_PagedText | None" = None
"""What is to be shown by a pager."""


_quiet = False
"""Whether nothing is said beside results and errors."""


def be_quiet(*, wanted: bool) -> None:
    """Say nothing beside results and errors from now on, or say it again."""
    global _quiet
    _quiet = wanted


def is_quiet() -> bool:
    """Whether nothing is said beside results and errors."""
    return _quiet


class _PagedText(StringIO):
    """What a terminal is to show, while it is gathered."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for a character that an encoding lacks: the usual letters for one of our own, else its escape."""
    if isinstance(error, UnicodeEncodeError) and (plain := _PLAIN.get(error.object[error.start])):
        return plain, error.start + 1
    return codecs.lookup_error("backslashreplace")(error)


PLAIN: Final = "ccgrid-plain"
codecs.register_error(PLAIN, _plainer)


def _refuse(error: UnicodeError) -> tuple[str | bytes, int]:
    """Raise the error of a command whose input is not text, so that no part of it is stored as something else."""
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101  nothing is written to it
    byte = error.object[error.start]
    raise CatalogError(f"Standard input is not text in the encoding of this system, {error.encoding} (byte {byte:#x}).")


TEXT_ALONE: Final = "ccgrid-text-alone"
codecs.register_error(TEXT_ALONE, _refuse)


def prepare() -> None:
    """Open closed standard streams; escape what an output cannot show, and refuse input that is not text.

    A closed stream becomes the null device: nothing is read from it, and what is written to it is lost. Otherwise the
    next file that the program opens would get its descriptor.
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
    """While the block runs, standard output is for data, and what people read goes to standard error."""
    global _with_data
    _with_data = True
    try:
        yield
    finally:
        _with_data = False


def text_stream(*, stderr: bool = False) -> TextIO:
    """The stream that people read: standard output or, where asked or it is for data, standard error."""
    return sys.stderr if stderr or _with_data else _page or sys.stdout


def is_terminal(*, stderr: bool = False) -> bool:
    """Whether people read it on a terminal, or it is to look so: Rich may yet decide otherwise."""
    return text_stream(stderr=stderr).isatty() or not _LOOKS_LIKE_ONE.isdisjoint(os.environ)


@contextmanager
def paged() -> Iterator[None]:
    """Show what is printed while the block runs page by page, where it is more than a terminal has lines.

    `$PAGER` shows it, else `less`, which ends at once where all fits. An interrupt there ends no more than that.
    """
    global _page
    pager = os.environ.get("PAGER") or which("less") or which("more")
    if not can_ask() or not pager or os.environ.get("TERM") == "dumb" or _page is not None:
        yield
        return
    _page = _PagedText()
    _page.encoding = sys.stdout.encoding  # decides which characters are drawn
    try:
        yield
    finally:
        text, _page = _page.getvalue(), None
        if text.count("\n") < get_terminal_size().lines:
            sys.stdout.write(text)
        else:
            from pydoc import pipepager

            sys.stdout.flush()
            os.environ.setdefault("LESS", "FRX")  # end where all fits, keep colours, leave the text on the screen
            pipepager(text, pager)


def can_ask() -> bool:
    """Whether somebody sits at a terminal who sees a question and can answer it."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def write(text: str, *, stderr: bool = False) -> None:
    """Write lines for people."""
    text_stream(stderr=stderr).write("\n".join(map(visible, text.split("\n"))) + "\n")


def send(sequence: str) -> None:
    """Write what is meant to act on the terminal: our own controls, and no text of anybody's."""
    sys.stdout.write(sequence)
    sys.stdout.flush()


def write_data(lines: Iterable[str]) -> None:
    """Write data to standard output, each line with its end: UTF-8 byte for byte, but shown on a terminal."""
    if prints_data():
        sys.stdout.writelines(shown_lines(lines))
        return
    sys.stdout.flush()  # what was written as text comes first: bytes go past its buffer
    for line in lines:
        sys.stdout.buffer.write(line.encode("utf-8", "surrogatepass"))


def prints_data() -> bool:
    """Whether data go to a terminal."""
    return sys.stdout.isatty()


def write_file(file: Path, device: Path | None = None) -> None:
    """Write what is in a file as data to standard output, or to another terminal.

    Raises CatalogError where it is no text, and is to go to a terminal.
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
    """Writes bytes to standard output as they are."""
    sys.stdout.flush()
    copyfileobj(data, sys.stdout.buffer)


def shown_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines with their ends as a terminal may have them."""
    for line in lines:
        yield visible(line.removesuffix("\n")) + "\n"


def input_line(prompt: str, *, stderr: bool = False) -> str:
    """The line that a person types behind a prompt, which stands on the stream that people read, or on standard error.

    Raises EOFError where nobody answers.
    """
    shown = visible(prompt)
    if (not stderr and not _with_data) or can_ask():
        return input(shown)
    sys.stderr.write(shown)
    sys.stderr.flush()
    return input()


def flush() -> None:
    """Write out what is left, so that a full disk or a closed pipe is met here; raises OSError."""
    try:
        sys.stdout.flush()
    except OSError:
        # What cannot be written must not be tried again when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
