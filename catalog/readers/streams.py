"""Data files as streams of bytes: gzip is decompressed, a spreadsheet becomes CSV.

Reading stops early if a file decompresses to far more than real data would.
"""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.read_limits import Allowance, Report
from ccgrid.catalog.readers.worksheets import as_table, is_workbook

Warn = Callable[[str], None]
"""Receives a warning for the user about how data were read, in one sentence."""

LONGEST_ROW: Final = 1 << 20
"""The most bytes of a row; real ones have under 100 KiB."""
_CHUNK: Final = 1 << 18  # bytes


class EmptyFileError(FileFormatError):
    """Raised if a data file is empty."""


class _GzipStream(io.RawIOBase):
    """The decompressed bytes of a gzip file. Reading fails if they are far more than real data would have."""

    def __init__(self, packed: BinaryIO, watched: "_CountedFile", name: str, allowance: Allowance) -> None:
        self._watched, self._name, self._allowance, self._count = watched, name, allowance, 0
        self._unpacked = gzip.GzipFile(fileobj=packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            # Return the bytes available so far instead of waiting for the rest.
            data = self._unpacked.read1(len(buffer))
        except EOFError:
            raise FileFormatError("the gzip file ends too early. Download it again.", file=self._name) from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise FileFormatError(f"the gzip file is damaged ({error}). Download it again.", file=self._name) from None
        self._count += len(data)
        if not self._allowance.inside:
            # A pipe's size is unknown; use the bytes read so far.
            self._allowance.packed = max(self._watched.total, self._watched.count)
        self._allowance.take(f"{self._name}, unpacked", self._count)
        self._watched.send_report()
        buffer[: len(data)] = data
        return len(data)


class _CountedFile(io.FileIO):
    """A file, or a pipe, that counts, reports and passes on the bytes read."""

    report: Report | None = None
    seen: Callable[[memoryview], object] | None = None
    total = 0
    count = 0

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        self.count += count or 0
        if self.seen is not None:
            self.seen(buffer[: count or 0])
        self.send_report()
        return count

    def send_report(self) -> None:
        """Report the bytes read so far."""
        if self.report is not None:
            self.report(self.count, self.total)


@contextmanager
def open_data(
    path: Path,
    report: Report | None = None,
    allowance: Allowance | None = None,
    name: str = "",
    seen: Callable[[memoryview], object] | None = None,
) -> Iterator[BinaryIO]:
    """Open a data file for the duration of the block: decompressed if it is gzip, as CSV if it is a spreadsheet.

    Args:
        path: The path of the file.
        report: Receives the bytes read, and their total.
        allowance: The limits of the archive that contained the file.
        name: The name of the file in that archive, for errors.
        seen: Receives all bytes of the file: while they are read, and the others at the end of the block.

    Raises:
        CatalogError: If the file is missing, empty, a folder, or damaged.
    """
    try:
        raw = _CountedFile(path)
        raw.report, raw.total, raw.seen = report, path.stat().st_size, seen
    except IsADirectoryError:
        raise FileFormatError("this is a folder; name the file in it.", file=path) from None
    except OSError as error:
        raise FileFormatError(f"{error.strerror or error}.", file=path) from None
    name = name or path.name
    with io.BufferedReader(raw, _CHUNK) as file:
        head = file.peek(2)[:2]
        if not head:
            raise EmptyFileError("the file is empty.", file=name)
        if is_workbook(path, head):
            yield as_table(path, name)
        elif head != b"\x1f\x8b":
            yield file
        else:
            with io.BufferedReader(_GzipStream(file, raw, name, allowance or Allowance(name)), _CHUNK) as unpacked:
                yield unpacked
        # A reader may stop early, at the end of a list.
        while seen is not None and file.read(_CHUNK):
            pass


def markup_advice(head: str, wanted: str) -> str:
    """Return why a file that begins with `<` cannot be read as the `wanted` kind, and how to import it if it is XML."""
    if not head.lstrip().startswith("<?xml"):
        return f"this is a web page or XML, not {wanted}. Download the data file itself."
    return f"this is XML, not {wanted}. For OCTGN's set.xml: ccgrid import octgn; for Cockatrice's: import cockatrice."
