"""The folder of downloaded files: names, locks, notes beside each file, whether a file is whole. No network here."""

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
from ccgrid.catalog.download.hosts import DownloadError
from ccgrid.catalog.formatting import amount
from ccgrid.catalog.read_limits import ALWAYS_UNPACKED, STEEPEST

BLOCK: Final = 1 << 16  # bytes that are hashed at a time
GZIP_START: Final = b"\x1f\x8b"
MOST_MEMBERS: Final = 1_000_000
"""How many gzip members one file may have: more than any tool writes, few enough to be checked in seconds."""
LONGEST_NAME: Final = 100  # characters of a file's name
LONGEST_NOTE: Final = 1 << 16  # bytes of a manifest
# CON, nul.txt, com1: Windows opens a device where a file is called so, whatever the ending.
NAMES_OF_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


class DamagedError(Exception):
    """A file that is not what it should be; the message completes the sentence "the file …"."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of a cached file, written beside it as JSON.

    `version` is what the source calls this edition (Scryfall's `updated_at`); `etag` and `last_modified` are the
    server's headers, empty where there were none; `size` is in bytes; `time` is when it was last known to be
    current, in seconds since 1970. While a file is on its way, `sha256` is empty, and `size` what the
    server announced, 0 where it announced nothing.
    """

    url: str
    version: str = ""
    etag: str = ""
    last_modified: str = ""
    sha256: str = ""
    size: int = 0
    time: float = 0.0


def cache_folder() -> Path:
    """Where downloaded files are kept: `$CCGRID_CACHE`, else the platform's folder for such things."""
    chosen = os.environ.get("CCGRID_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("ccgrid", appauthor=False)


def safe_name(name: str) -> str:
    """A file name that stays in its folder on every system; different names stay different.

    >>> safe_name("default-cards-20260402.jsonl.gz")
    'default-cards-20260402.jsonl.gz'
    >>> safe_name("../../etc/passwd")
    '3754d6cb3a38-_.._etc_passwd'
    """
    # No point at the beginning, which hides a file, nor at the end, which Windows drops.
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".").rstrip(".")
    if safe == name and 0 < len(name) <= LONGEST_NAME and not NAMES_OF_DEVICES.fullmatch(name):
        return name
    # The digest keeps names apart that are safe in the same way; with its hyphen it takes 13 characters.
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    # The end of the name is kept: it has the ending, by which a gzip is known.
    return f"{digest}-{safe[-LONGEST_NAME + 13 :]}"


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about `path` into a DownloadError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DownloadError(
            f"cannot keep {path}: {reason}.\nFree some space, or set CCGRID_CACHE to another folder."
        ) from error


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Be the only process, and the only thread, that works on `path`; its folder is made where it is missing.

    The lock is held by the operating system on `path` + ".lock", so that a killed process leaves none behind.

    Raises:
        DownloadError: another process is downloading the same file, or the folder cannot be used.
    """
    with ExitStack() as stack:
        with disk_errors(path):
            files.make_folder(path.parent)
            is_held = stack.enter_context(files.lock_beside(path, waits=False))  # a download may take an hour
        if not is_held:
            raise DownloadError(
                f"{path.name} is being downloaded by another ccgrid.\nWait until it is done, then try again."
            )
        yield


def manifest_path(path: Path) -> Path:
    """The path of the manifest of the file at `path`."""
    return path.with_name(path.name + ".manifest.json")


def read_manifest(path: Path) -> Manifest | None:
    """The manifest of the file at `path`; None where there is none, or none that can be read."""
    import msgspec

    try:
        with manifest_path(path).open("rb") as file:
            return msgspec.json.decode(file.read(LONGEST_NOTE), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write the manifest of the file at `path`, whole or not at all."""
    import msgspec

    write_small(manifest_path(path), msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")


def read_small(path: Path) -> bytes:
    """The content of a small file."""
    with disk_errors(path):
        return path.read_bytes()


def write_small(path: Path, content: bytes) -> None:
    """Write a small file so that a reader sees the old one or the new one, never a part."""
    with disk_errors(path):
        files.make_folder(path.parent)
        files.write_atomically(path, content)


def whole_manifest(path: Path, url: str) -> Manifest | None:
    """The manifest of the file at `path`, if it came from `url` and is still byte for byte the one that was written."""
    manifest = read_manifest(path)
    if manifest is None or manifest.url != url:
        return None
    with suppress(OSError):
        # The size first: most files that were cut off are known without reading them.
        if path.stat().st_size == manifest.size and file_sha256(path) == manifest.sha256:
            return manifest
    return None


def discard(path: Path) -> None:
    """Remove a file and its manifest, where they are there."""
    with disk_errors(path):
        files.remove(path, manifest_path(path))


def file_sha256(path: Path, watch: Callable[[bytes], None] | None = None) -> str:
    """The SHA-256 of a file, in hexadecimal; `watch` sees its content pass, block by block, in flat memory."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
            if watch:
                watch(block)
    return digest.hexdigest()


class GzipCheck:
    """Follows a gzip file of one or more members to its end: checksum and length of each, in flat memory.

    It may unpack to `limit` bytes; beyond a few megabytes to `STEEPEST` times its own size (`packed`), as card data do.
    """

    def __init__(self, limit: int, packed: int | None = None) -> None:
        # A file that unpacks to far more than card data do is taken for one that unpacks without end.
        believed = limit if packed is None else max(ALWAYS_UNPACKED, STEEPEST * packed)
        self._limit = min(limit, believed)
        self._unpacked = 0
        self._members = 0
        self._member: zlib._Decompress | None = None

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the file.

        Raises:
            DamagedError: they are not what a gzip file may hold here, or unpack to more than `limit` bytes.
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
                raise DamagedError("is garbled") from error
            if self._unpacked > self._limit:
                raise DamagedError(f"unpacks to more than {amount(self._limit)}")
            # A member has ended: what is behind it is the next one. Else what was left of the data is fed again.
            if self._member.eof:
                data, self._member = self._member.unused_data, None
            else:
                data = self._member.unconsumed_tail

    def finish(self) -> None:
        """Say that the file ended here.

        Raises:
            DamagedError: it ended too early.
        """
        if self._member is not None or self._members == 0:
            raise DamagedError("is cut short")
