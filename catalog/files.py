"""Writes files whole: what was there stays as it was until the new file is complete."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A file to write UTF-8 text into; it takes its place when the block ends well, and else leaves no trace.

    A device or a pipe is written as it is. Raises OSError where the file cannot be written.
    """
    target = path.resolve()  # what a link points to is written, and the link stays
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            yield file
        return
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    except OSError as error:  # it names the temporary file, of which nobody has heard
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            yield file
        Path(temporary).chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_whole(path: Path, text: str) -> None:
    """Writes a text so that the file is there whole or, if anything goes wrong, as it was; raises OSError."""
    with whole_file(path) as file:
        file.write(text)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
