"""The folder of downloaded files: names, locks, manifests, and verification of files."""

import hashlib
import os
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ccgrid.catalog import files
from ccgrid.catalog.download.errors import BusyDownloadError, CacheError
from ccgrid.catalog.formatting import amount
from ccgrid.catalog.read_limits import ALWAYS_UNPACKED, STEEPEST
from ccgrid.catalog.user_folders import user_folder

BLOCK: Final = 1 << 16  # bytes to hash at a time
GZIP_START: Final = b"\x1f\x8b"
MOST_MEMBERS: Final = 1_000_000
"""The most gzip members of one file: more than any tool writes, few enough to check in seconds."""
LONGEST_NAME: Final = 100  # characters of a file's name
LONGEST_NOTE: Final = 1 << 16  # bytes of a manifest
# CON, nul.txt, com1: Windows opens a device if a file has such a name, with any suffix.
NAMES_OF_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class DamagedError(Exception):
    """Raised if a file is damaged; the message completes the sentence "the file …"."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a cached file, stored as JSON next to it.

    Attributes:
        url: The address of the file.
        version: The source's name for this edition (Scryfall's `updated_at`).
        etag: The server's header, or "".
        last_modified: The server's header, or "".
        sha256: The checksum; "" during the download.
        size: The size in bytes; during the download the announced size, or 0.
        time: The time when the file was last known to be current, in seconds since 1970.
    """

    url: str
    version: str = ""
    etag: str = ""
    last_modified: str = ""
    sha256: str = ""
    size: int = 0
    time: float = 0.0


def cache_folder() -> Path:
    """Return the folder of downloads: `$CCGRID_CACHE`, else the platform's cache folder."""
    chosen = os.environ.get("CCGRID_CACHE")
    return Path(chosen).expanduser() if chosen else user_folder("cache")


def safe_name(name: str) -> str:
    """Return a file name that is valid in any file system and cannot lead out of its folder.

    Different names give different results.

    >>> safe_name("default-cards-20260402.jsonl.gz")
    'default-cards-20260402.jsonl.gz'
    >>> safe_name("../../etc/passwd")
    '3754d6cb3a38-_.._etc_passwd'
    """
    # A point at the beginning hides a file; Windows drops one at the end.
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".").rstrip(".")
    if safe == name and 0 < len(name) <= LONGEST_NAME and not NAMES_OF_DEVICES.fullmatch(name):
        return name
    # The digest distinguishes names with the same safe form; with its hyphen it takes 13 characters.
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    # Keep the end of the name, which contains the suffix `.gz`.
    return f"{digest}-{safe[-LONGEST_NAME + 13 :]}"


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Raise CacheError instead of the OSError of an operation on `path`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise CacheError(
            f"cannot keep {path}: {reason}.\nFree some space, or set CCGRID_CACHE to another folder."
        ) from error


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Lock `path` for this process and thread during the block; create its folder if it is missing.

    The operating system holds the lock on `path` + ".lock", so that it ends with a killed process.

    Raises:
        BusyDownloadError: If another process is downloading the same file.
        CacheError: If the folder cannot be used.
    """
    with ExitStack() as stack:
        with disk_errors(path):
            files.make_folder(path.parent)
            is_held = stack.enter_context(files.lock_beside(path, waits=False))  # a download may take an hour
        if not is_held:
            raise BusyDownloadError(
                f"{path.name} is being downloaded by another ccgrid.\nWait until it is done, then try again."
            )
        yield


def manifest_path(path: Path) -> Path:
    """Return the path of the manifest of the file at `path`."""
    return path.with_name(path.name + ".manifest.json")


def read_manifest(path: Path) -> Manifest | None:
    """Load the manifest of the file at `path`; return None if it is missing or unreadable."""
    import msgspec

    try:
        with manifest_path(path).open("rb") as file:
            return msgspec.json.decode(file.read(LONGEST_NOTE), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write the manifest of the file at `path` atomically."""
    import msgspec

    write_small(manifest_path(path), msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")


def read_small(path: Path) -> bytes:
    """Return the content of a small file.

    Raises:
        CacheError: If it cannot be read.
    """
    with disk_errors(path):
        return path.read_bytes()


def write_small(path: Path, content: bytes) -> None:
    """Write a small file atomically.

    Raises:
        CacheError: If it cannot be written.
    """
    with disk_errors(path):
        files.make_folder(path.parent)
        files.write_atomically(path, content)


def whole_manifest(path: Path, url: str) -> Manifest | None:
    """Return the manifest of the file at `path` if it came from `url` and is complete and unchanged, else None."""
    manifest = read_manifest(path)
    if manifest is None or manifest.url != url:
        return None
    with suppress(OSError):
        # The size first: it detects most incomplete files without reading them.
        if path.stat().st_size == manifest.size and file_sha256(path) == manifest.sha256:
            return manifest
    return None


def discard(path: Path) -> None:
    """Delete a file and its manifest, if they exist.

    Raises:
        CacheError: If they cannot be deleted.
    """
    with disk_errors(path):
        files.remove(path, manifest_path(path))


def file_sha256(path: Path, watch: Callable[[bytes], None] | None = None) -> str:
    """Return the SHA-256 of a file in hexadecimal; `watch` is called with each block of its content."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            if watch:
                watch(block)
    return digest.hexdigest()


class GzipCheck:
    """A check of the checksums and lengths in a gzip file of one or more members, in constant memory.

    Args:
        limit: The most bytes that the file may unpack to. Beyond a few megabytes the most is also `STEEPEST` times its
            size, as for card data.
        packed: The size of the file in bytes, if known.
    """

    def __init__(self, limit: int, packed: int | None = None) -> None:
        # A file that unpacks to far more than card data do is probably a gzip bomb.
        believed = limit if packed is None else max(ALWAYS_UNPACKED, STEEPEST * packed)
        self._limit = min(limit, believed)
        self._unpacked = 0
        self._members = 0
        self._member: zlib._Decompress | None = None

    def feed(self, data: bytes) -> None:
        """Check the next bytes of the file.

        Raises:
            DamagedError: If they are not valid gzip data, or unpack to more than the limit.
        """
        while data:
            if self._member is None:
                # Zeros after a member are padding, which tapes and some servers add.
                data = data.lstrip(b"\0") if self._members else data
                if not data:
                    return
                if not self._members and not GZIP_START.startswith(data[:2]):
                    raise DamagedError("is not a gzip file")
                if self._members == MOST_MEMBERS:
                    raise DamagedError("is a gzip file with too many parts")
                # 31: the largest window (15), with the header and checksum of gzip (16).
                self._member = zlib.decompressobj(wbits=31)
                self._members += 1
            try:
                # At most a megabyte at a time, which is counted and dropped.
                self._unpacked += len(self._member.decompress(data, 16 * BLOCK))
            except zlib.error as error:
                raise DamagedError("is damaged") from error
            if self._unpacked > self._limit:
                raise DamagedError(f"unpacks to more than {amount(self._limit)}")
            # After the end of a member the rest is the next one.
            if self._member.eof:
                data, self._member = self._member.unused_data, None
            else:
                data = self._member.unconsumed_tail

    def finish(self) -> None:
        """Check that the file may end here.

        Raises:
            DamagedError: If it is incomplete.
        """
        if self._member is not None or self._members == 0:
            raise DamagedError("is incomplete")
