"""Data sets of many files: a folder, a zip or a tarball, read one file at a time.

Names in an archive never become paths. An archive whose files lead out of it, or unpack without end, is an error.
"""

import hashlib
import io
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO, Any, BinaryIO, Final

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.files import new_file
from ccgrid.catalog.read_limits import Allowance, Report
from ccgrid.catalog.readers.streams import EmptyFileError, open_data
from ccgrid.catalog.readers.worksheets import WORKBOOK
from ccgrid.catalog.temporary import temporary_folder

_SHEETS: Final = frozenset({"xl/workbook.xml", "xl/workbook.bin", "content.xml"})
"""Files in an `.xlsx`, an `.xlsb` and an `.ods`, which are zip files, too."""
MOST_MEMBERS: Final = 100_000
"""The most files of a folder or an archive."""
MOST_EXTRACTED: Final = 4 << 30
"""The most bytes that are extracted from a tarball."""
DATA_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".hjson", ".csv", ".tsv", ".tab", ".txt", ".xml", ".gz")
"""The suffixes of card data; other files of a tarball are not extracted."""
_CHUNK: Final = 1 << 18  # bytes


def copy_bounded(stream: BinaryIO, file: BinaryIO, most: int, name: str) -> int:
    """Copy a file, and return its number of bytes.

    Raises:
        FileFormatError: If it has more than `most` bytes.
    """
    count = 0
    while chunk := stream.read(_CHUNK):
        count += len(chunk)
        # Counted while copying, because the sizes in an archive may be wrong.
        if count > most:
            raise FileFormatError(
                f"stopped, it holds over {MOST_EXTRACTED >> 30} GiB. Is it the right file?", file=name
            )
        file.write(chunk)
    return count


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is not part of the data: hidden, or added by macOS."""
    return name.startswith(".") or name == "__MACOSX"


def check_name(name: str, where: str) -> str:
    """Return a file's name in an archive or a list with `/` between folders.

    Raises:
        FileFormatError: If the name leads out of the folder.
    """
    plain = name.replace("\\", "/")
    # /etc · C:… · ../x; a zero byte ends a name on some systems.
    if plain.startswith("/") or plain[1:2] == ":" or ".." in plain.split("/") or "\0" in plain:
        raise FileFormatError(f"{name!r} leads out of its folder; nothing was read.", file=where)
    return "/".join(part for part in plain.split("/") if part not in ("", "."))


def count_members(count: int, name: str) -> None:
    """Check the number of files in an archive.

    Raises:
        FileFormatError: If there are too many.
    """
    if count > MOST_MEMBERS:
        raise FileFormatError(f"over {MOST_MEMBERS} files. Is it the right archive?", file=name)


_HEADER: Final = 1 << 20  # bytes of a header with a long name


class _Header(tarfile.TarInfo):
    """A header of a tarball, with limits on long names and a check for the last header.

    Without this check a tarball that is cut between two files would count as complete.
    """

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> "_Header":
        # A header has 512 bytes; fewer mean that the archive was cut between two files.
        if len(buf) != tarfile.BLOCKSIZE:
            raise EOFError("it ends too early")
        header = super().frombuf(buf, encoding, errors)
        # A long name is the content of an additional header.
        if not header.isreg() and not header.isdir() and header.size > _HEADER:
            raise CatalogError("the tarball has a name of over 1 MiB; nothing was read")
        return header


def _check_plain(member: tarfile.TarInfo, name: str) -> None:
    if not member.isreg() or member.issparse():
        raise FileFormatError(f"{member.name!r} is a link or a special file; nothing was read.", file=name)


def extract_tarball(path: Path, folder: Path, report: Report | None, allowance: Allowance) -> dict[str, Path]:
    """Copy the data files of a tarball into a folder, each under a number, and return the paths by their names.

    Raises:
        FileFormatError: If the tarball is damaged, contains a link, or a name leads out of it.
        OSError: If the disk is full.
    """
    found: dict[str, Path] = {}
    left = MOST_EXTRACTED
    try:
        with (
            open_data(path, report, allowance) as stream,
            # "r|": a stream that is read once.
            tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive,
        ):
            for count, member in enumerate(archive):
                count_members(count, path.name)
                archive.members.clear()  # type: ignore[attr-defined]  # else it would keep all of them
                plain = check_name(member.name, path.name)
                if member.isdir():
                    continue
                _check_plain(member, path.name)
                file = archive.extractfile(member)
                # Other files are checked, but not copied.
                if file is None or not plain.casefold().endswith(DATA_SUFFIXES):
                    continue
                if any(map(is_hidden, plain.split("/"))):
                    continue
                # Under a number, because names in an archive must not become paths.
                found[plain] = folder / str(count)
                with new_file(found[plain]) as target:
                    # The limit is for the whole archive.
                    left -= copy_bounded(file, target, left, path.name)  # type: ignore[arg-type]
    except CatalogError:
        raise
    except RecursionError:
        raise FileFormatError("a file in the tarball has endless headers; nothing was read.", file=path.name) from None
    except (tarfile.TarError, EOFError, ValueError, LookupError, ArithmeticError) as error:
        raise FileFormatError(f"the tarball is damaged ({error}). Download it again.", file=path.name) from None
    return dict(sorted(found.items()))


_LOCAL_HEADER: Final = 30
"""The least bytes before a file in a zip."""
_NOT_UNPACKED: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError),
    *(NotImplementedError, struct.error),
)
"""Exceptions of the standard library for members that are damaged, encrypted or compressed in an unknown way."""


class Tree(ABC):
    """The files of a data set by their names, in a fixed order, with `/` between folders."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        self.name, self.names = name, tuple(names)

    @abstractmethod
    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open a file for the duration of a block, decompressed if it is gzip. A file may be opened repeatedly."""

    def matching(self, *patterns: str) -> list[str]:
        """Return the names that match a pattern such as `cards/*.json`, in any parent folder and in any case."""
        return [name for name in self.names if any(_fits(name, pattern) for pattern in patterns)]

    def measure(self) -> tuple[str, int]:
        """Return the SHA-256 of all data files and their names, in hexadecimal, and their size in bytes."""
        digest, size = hashlib.sha256(), 0
        for name in self.names:
            if not name.casefold().endswith(DATA_SUFFIXES):
                continue
            # With its length, so that 5 a.csv + "b" differs from 4 a.cs + "vb".
            digest.update(f"{len(name)} {name}\n".encode("utf-8", "surrogateescape"))
            with suppress(EmptyFileError), self.open(name) as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
        return digest.hexdigest(), size


def _fits(name: str, pattern: str) -> bool:
    parts, wanted = name.casefold().split("/"), pattern.casefold().split("/")
    if len(wanted) > len(parts):
        return False
    # From the end: `cards/*.json` matches `en/cards/x.json`.
    return all(map(fnmatchcase, parts[len(parts) - len(wanted) :], wanted))


class Files(Tree):
    """Files on the disk, by their names in the data set."""

    def __init__(
        self, name: str, paths: Mapping[str, Path], report: Report | None = None, allowance: Allowance | None = None
    ) -> None:
        super().__init__(name, paths)
        self._paths, self._report, self._allowance = paths, report, allowance

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Open a file for the duration of the block.

        Raises:
            CatalogError: If it cannot be read.
        """
        inside = "" if self._allowance is None else f"{self.name}: {name}"
        with open_data(self._paths[name], self._report, self._allowance, inside) as stream:
            yield stream


class _Zip(Tree):
    def __init__(
        self, archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], path: Path, report: Report | None
    ) -> None:
        super().__init__(path.name, members)
        self._archive, self._members, self._report = archive, members, report
        # Shared by all members: the limit is for all decompressed bytes in relation to the size of the archive.
        self._allowance = Allowance(path.name, path.stat().st_size)

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        member = self._members[name]
        try:
            file = self._archive.open(member)
        except _NOT_UNPACKED as error:
            raise FileFormatError(f"{name} cannot be unpacked ({error}).", file=self.name) from None
        whole = f"{self.name}: {name}"
        with file, io.BufferedReader(_Member(file, member, whole, self._count_bytes), _CHUNK) as stream:
            yield stream

    def _count_bytes(self, member: str, count: int) -> None:
        """Count and report decompressed bytes."""
        self._allowance.take(member, count)
        if self._report is not None:
            self._report(min(count, self._allowance.packed), self._allowance.packed)


class _Member(io.RawIOBase):
    """A file of a zip. Reading fails if it unpacks to more than its stated size, or than real data would."""

    def __init__(
        self, file: IO[bytes], member: zipfile.ZipInfo, name: str, count_bytes: Callable[[str, int], None]
    ) -> None:
        self._file, self._name, self._count_bytes, self._count, self._most = (
            file,
            name,
            count_bytes,
            0,
            member.file_size,
        )

    def readable(self) -> bool:
        return True

    # Without `seek`, so that no byte is counted twice.
    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._file.read(len(buffer))
        except _NOT_UNPACKED as error:
            raise CatalogError(f"{self._name} is damaged ({error}). Download it again.") from None
        self._count += len(data)
        if self._count > self._most:
            raise FileFormatError("stopped, it unpacks to more than it says. Download it again.", file=self._name)
        self._count_bytes(self._name, self._count)
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def open_tree(path: Path, report: Report | None = None) -> Iterator[Tree]:
    """Open a data set for the duration of the block: a folder, a zip, a tarball, or a single file.

    The content of a file determines its kind.

    Raises:
        CatalogError: If the path cannot be read, or an archive or a link leads out of it.
    """
    with ExitStack() as stack:
        if path.is_dir():
            yield Files(path.name, dict(_folder(path)), report)
            return
        kind = _kind(path)
        if kind == "zip":
            archive = stack.enter_context(_open_zip(path))
            if not _SHEETS.isdisjoint(archive.namelist()):
                raise FileFormatError(f"{WORKBOOK}", file=path.name)
            yield _Zip(archive, _zip_members(archive, path.name), path, report)
        elif kind == "tar":
            folder = stack.enter_context(temporary_folder())
            allowance = Allowance(path.name, path.stat().st_size)
            found = extract_tarball(path, folder, report, allowance)
            # From here on errors name the file in the archive.
            allowance.inside = True
            yield Files(path.name, found, report, allowance)
        elif path.is_file():
            yield Files(path.name, {path.name: path}, report)
        else:  # a pipe can be read only once
            folder = stack.enter_context(temporary_folder())
            yield Files(path.name, {path.name: _copy_pipe(path, folder / "data", report)}, report)


def _kind(path: Path) -> str:
    if not path.is_file():
        return "file"
    # Decompressed, so that a .tar.gz is a tarball.
    with open_data(path) as stream:
        head = stream.read(tarfile.BLOCKSIZE)
    # A zip begins with the header of its first file, or of its end if it is empty; a tarball has a mark at byte 257.
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    return "tar" if head[257:262] == b"ustar" else "file"


def _copy_pipe(path: Path, target: Path, report: Report | None) -> Path:
    with open_data(path, report) as stream, new_file(target) as file:
        copy_bounded(stream, file, MOST_EXTRACTED, path.name)
    return target


def _folder(top: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files below a folder except hidden ones.

    Raises:
        CatalogError: If a link leads out of the folder, or there are too many files.
    """
    home, count = top.resolve(), 0
    for folder, folders, files in os.walk(top):
        # In place: `os.walk` visits the remaining folders.
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        # `os.walk` does not follow links to folders; only those that lead out of it are errors.
        for name in [*folders, *sorted(files)]:
            path = Path(folder, name)
            if path.is_symlink() and not path.resolve().is_relative_to(home):
                raise FileFormatError("this link leads out of the folder; copy the file itself there.", file=path)
        for name in sorted(files):
            count += 1
            if count > MOST_MEMBERS:
                raise FileFormatError(f"over {MOST_MEMBERS} files. Is it the right folder?", file=top)
            path = Path(folder, name)
            if not is_hidden(name) and path.is_file():
                yield path.relative_to(top).as_posix(), path


def _open_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except _NOT_UNPACKED as error:
        raise FileFormatError(f"the zip file is damaged ({error}). Download it again.", file=path.name) from None


def _zip_members(archive: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    entries = archive.infolist()
    count_members(len(entries), name)
    _check_overlaps(entries, name)
    found: dict[str, zipfile.ZipInfo] = {}
    for member in entries:
        # The upper 16 bits are the Unix mode; its upper four bits are the kind of file, and 0o12 is a link.
        if (member.external_attr >> 16) & 0o170000 == 0o120000:
            raise FileFormatError(f"{member.filename!r} is a link; nothing was read.", file=name)
        plain = check_name(member.filename, name)
        if not member.is_dir() and not any(map(is_hidden, plain.split("/"))):
            found[plain] = member
    return found


def _check_overlaps(members: Iterable[zipfile.ZipInfo], name: str) -> None:
    """Check that members of a zip share no bytes: else a few kilobytes could unpack to any size.

    Raises:
        FileFormatError: If they do.
    """
    end = 0
    # In the order of the file, each member must end before the next begins.
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            raise FileFormatError("its files overlap, as in a malicious archive; nothing was read.", file=name)
        end = member.header_offset + _LOCAL_HEADER + member.compress_size
