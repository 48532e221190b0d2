"""Data sets of many files: a folder, a zip or a tarball, looked through by name and read a file at a time.

An archive is never unpacked by the names in it; what would climb out of it, or unpack without end, is refused.
"""

import hashlib
import io
import os
import tarfile
import tempfile
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, Final

from catalog.card import CatalogError
from catalog.readers.streams import ALWAYS_UNPACKED, LARGEST_UNPACKED, STEEPEST, Report, open_data

MOST_MEMBERS: Final = 100_000
"""The most files that a folder or an archive is looked through."""
MOST_KEPT: Final = 4 << 30
"""The most that is taken out of a tarball, in bytes."""
DATA_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".txt", ".xml", ".gz")
"""What card data are called; nothing else is taken out of a tarball."""
_HEADER: Final = 1 << 20
_CHUNK: Final = 1 << 18


class Tree(ABC):
    """The files of a data set under their names, in a fixed order; `/` parts folders in a name."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        self.name, self.names = name, tuple(names)

    @abstractmethod
    def open(self, name: str) -> Any:
        """A context manager with the bytes of a file, unpacked where it is gzipped; may be called again."""

    def matching(self, *patterns: str) -> list[str]:
        """The names that fit one of these patterns, such as `cards/*.json`; in whatever folder, in whatever case."""
        return [name for name in self.names if any(_fits(name, pattern) for pattern in patterns)]

    def measure(self) -> tuple[str, int]:
        """The SHA-256 of all data files and their names, as hexadecimal digits, and their size in bytes."""
        digest, size = hashlib.sha256(), 0
        for name in self.names:
            if not name.casefold().endswith(DATA_SUFFIXES):
                continue
            digest.update(f"{len(name)} {name}\n".encode("utf-8", "surrogateescape"))
            with self.open(name) as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
        return digest.hexdigest(), size


def _fits(name: str, pattern: str) -> bool:
    parts, wanted = name.casefold().split("/"), pattern.casefold().split("/")
    if len(wanted) > len(parts):
        return False
    return all(map(fnmatchcase, parts[len(parts) - len(wanted) :], wanted))


class Files(Tree):
    """Files on the disk, under the names that they have in the data set."""

    def __init__(self, name: str, paths: Mapping[str, Path], report: Report | None = None) -> None:
        super().__init__(name, paths)
        self._paths, self._report = paths, report

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """The bytes of a file; raises CatalogError where it cannot be read."""
        with open_data(self._paths[name], self._report) as stream:
            yield stream


class _Zip(Tree):
    def __init__(self, archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], name: str) -> None:
        super().__init__(name, members)
        self._archive, self._members = archive, members

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        member = self._members[name]
        try:
            file = self._archive.open(member)
        except (RuntimeError, NotImplementedError, zipfile.BadZipFile, OSError) as error:
            raise CatalogError(f"{self.name}: {name} cannot be unpacked ({error}).") from None
        with io.BufferedReader(_Member(file, member, f"{self.name}: {name}"), _CHUNK) as stream:
            yield stream


class _Member(io.RawIOBase):
    """A file of a zip, stopped where it unpacks to more than it says or than real data would."""

    def __init__(self, file: Any, member: zipfile.ZipInfo, name: str) -> None:
        self._file, self._name, self._count = file, name, 0
        self._most = min(member.file_size, LARGEST_UNPACKED, max(ALWAYS_UNPACKED, STEEPEST * member.compress_size))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._file.read(len(buffer))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise CatalogError(f"{self._name} is damaged ({error}). Download it again.") from None
        self._count += len(data)
        if self._count > self._most:
            raise CatalogError(f"{self._name}: stopped, it unpacks to far more than card data would.")
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def open_tree(path: Path, report: Report | None = None) -> Iterator[Tree]:
    """The data set at a path: a folder, a zip, a tarball, or a single file, told apart by content.

    Raises CatalogError where it is none of these, or where an archive or a link in it leads out of it.
    """
    with ExitStack() as stack:
        if path.is_dir():
            yield Files(path.name, dict(_folder(path)), report)
            return
        kind = _kind(path)
        if kind == "zip":
            archive = stack.enter_context(_opened_zip(path))
            yield _Zip(archive, _zip_members(archive, path.name), path.name)
        elif kind == "tar":
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ccgrid-")))
            yield Files(path.name, _taken_out(path, folder, report))
        elif path.is_file():
            yield Files(path.name, {path.name: path}, report)
        else:  # a pipe can be read only once
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ccgrid-")))
            yield Files(path.name, {path.name: _copied(path, folder / "data", report)})


def _kind(path: Path) -> str:
    if not path.is_file():
        return "file"
    with open_data(path) as stream:
        head = stream.read(tarfile.BLOCKSIZE)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return "zip"
    return "tar" if head[257:262] == b"ustar" else "file"


def _copied(path: Path, target: Path, report: Report | None) -> Path:
    with open_data(path, report) as stream, target.open("wb") as file:
        _copy(stream, file, MOST_KEPT, path.name)
    return target


def _copy(stream: BinaryIO, file: BinaryIO, most: int, name: str) -> int:
    count = 0
    while chunk := stream.read(_CHUNK):
        count += len(chunk)
        if count > most:
            raise CatalogError(f"{name}: stopped, it holds over {MOST_KEPT >> 30} GiB. Is it the right file?")
        file.write(chunk)
    return count


def _folder(top: Path) -> Iterator[tuple[str, Path]]:
    """The files below a folder but for hidden ones; a link that leads out of it is refused."""
    home, count = top.resolve(), 0
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        for name in [*folders, *sorted(files)]:
            path = Path(folder, name)
            if path.is_symlink() and not path.resolve().is_relative_to(home):
                raise CatalogError(f"{path}: this link leads out of the folder; copy the file itself there.")
        for name in sorted(files):
            count += 1
            if count > MOST_MEMBERS:
                raise CatalogError(f"{top}: over {MOST_MEMBERS} files. Is it the right folder?")
            path = Path(folder, name)
            if not _is_hidden(name) and path.is_file():
                yield path.relative_to(top).as_posix(), path


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def check_name(name: str, where: str) -> str:
    """A file's name in an archive or a list, with `/` between folders; CatalogError where it would climb out."""
    plain = name.replace("\\", "/")
    if plain.startswith("/") or plain[1:2] == ":" or ".." in plain.split("/") or "\0" in plain:
        raise CatalogError(f"{where}: {name!r} leads out of the folder that it should stay in; nothing was read.")
    return "/".join(part for part in plain.split("/") if part not in ("", "."))


def _count_members(count: int, name: str) -> None:
    if count > MOST_MEMBERS:
        raise CatalogError(f"{name}: over {MOST_MEMBERS} files. Is it the right archive?")


def _opened_zip(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise CatalogError(f"{path.name}: the zip file is damaged ({error}). Download it again.") from None


def _zip_members(archive: zipfile.ZipFile, name: str) -> dict[str, zipfile.ZipInfo]:
    members = archive.infolist()
    _count_members(len(members), name)
    found: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        if (member.external_attr >> 16) & 0o170000 == 0o120000:
            raise CatalogError(f"{name}: {member.filename!r} is a link, which card data need not be; nothing was read.")
        plain = check_name(member.filename, name)
        if not member.is_dir() and not any(map(_is_hidden, plain.split("/"))):
            found[plain] = member
    return found


class _Header(tarfile.TarInfo):
    """A header of a tarball; one of those that hold long names may not be long itself, and the last may not be missing.

    Without the last a tarball that broke off between two files would pass for a whole one.
    """

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> "_Header":
        if len(buf) != tarfile.BLOCKSIZE:
            raise EOFError("it ends too early")
        header = super().frombuf(buf, encoding, errors)
        if not header.isreg() and not header.isdir() and header.size > _HEADER:
            raise CatalogError("the tarball holds a name of over a MiB; nothing was read")
        return header


def _taken_out(path: Path, folder: Path, report: Report | None) -> dict[str, Path]:
    """The data files of a tarball, copied into a folder under numbers: no name in the tarball becomes a path."""
    found: dict[str, Path] = {}
    room = MOST_KEPT
    try:
        with (
            open_data(path, report) as stream,
            tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive,
        ):
            for count, member in enumerate(archive):
                _count_members(count, path.name)
                archive.members.clear()  # type: ignore[attr-defined]  # or it remembers every one
                plain = check_name(member.name, path.name)
                if member.isdir():
                    continue
                if not member.isreg() or member.issparse():
                    raise CatalogError(f"{path.name}: {member.name!r} is a link or no file; nothing was read.")
                file = archive.extractfile(member)
                if file is None or not plain.casefold().endswith(DATA_SUFFIXES):
                    continue
                if any(map(_is_hidden, plain.split("/"))):
                    continue
                found[plain] = folder / str(count)
                with found[plain].open("wb") as target:
                    room -= _copy(file, target, room, path.name)  # type: ignore[arg-type]
    except (tarfile.TarError, EOFError, UnicodeError) as error:
        raise CatalogError(f"{path.name}: the tarball is damaged ({error}). Download it again.") from None
    return dict(sorted(found.items()))
