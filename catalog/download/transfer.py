"""Download of one large file: resumed after an interruption, and verified before it replaces the old file."""

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from os import SEEK_END, fsync
from pathlib import Path
from typing import Any, BinaryIO, Final
from urllib.parse import urlsplit

from ccgrid.catalog import files
from ccgrid.catalog.download import cache
from ccgrid.catalog.download.cache import GZIP_START, DamagedError, GzipCheck, Manifest
from ccgrid.catalog.download.connection import Connection, ServerResponse
from ccgrid.catalog.download.errors import CacheError, NetworkError, TemporaryError, TooLargeError
from ccgrid.catalog.download.hosts import host_of, printable_line
from ccgrid.catalog.formatting import amount

Progress = Callable[[int, int | None], object]
"""Receives the bytes received so far, and all bytes or None."""

# "33a64df5" · W/"33a64df5": only characters that a request header may contain.
VALID_ETAG: Final = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,200}"')
# Wed, 21 Oct 2026 07:28:00 GMT
VALID_DATE: Final = re.compile(r"[A-Za-z0-9,: +-]{1,60}")
# bytes 500-999/1000 · bytes 500-999/* (length unknown) · bytes */1000 (nothing there: 416)
CONTENT_RANGE: Final = re.compile(r"bytes (?:([0-9]{1,18})-([0-9]{1,18})|\*)/([0-9]{1,18}|\*)")


@dataclass(frozen=True, slots=True)
class Request:
    """A file to download: its address and destination, version, and the most bytes."""

    url: str
    destination: Path
    version: str
    max_bytes: int

    @property
    def part(self) -> Path:
        """The path of the partial file."""
        return self.destination.with_name(self.destination.name + ".part")

    @property
    def packed(self) -> bool:
        """Whether the file is a gzip file, by its name."""
        return self.destination.suffix == ".gz" or urlsplit(self.url).path.endswith(".gz")


def validators(answer: ServerResponse) -> tuple[str, str]:
    """Return the ETag and the Last-Modified of an answer, each "" if it is missing or malformed."""
    etag = answer.headers.get("ETag", "")
    modified = answer.headers.get("Last-Modified", "")
    return etag if VALID_ETAG.fullmatch(etag) else "", modified if VALID_DATE.fullmatch(modified) else ""


def conditional_headers(known: Manifest) -> dict[str, str]:
    """Return the headers that request a file only if it has changed since the `known` one."""
    headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in headers.items() if value}


def _strong(etag: str) -> str:
    """Return the ETag if it is a strong one, as If-Range needs (RFC 9110, 13.1.5), else ""."""
    return "" if etag.startswith("W/") else etag


def is_web_page(start: bytes) -> bool:
    """Return whether a body is an HTML page, as networks with a sign-in page send instead of any file."""
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].lower().startswith((b"<!doctype", b"<html"))


class Transfer:
    """The download of one file, in one or more calls of `attempt`."""

    def __init__(self, wanted: Request, connection: Connection, progress: Progress | None) -> None:
        self._wanted = wanted
        self._connection = connection
        self._progress = progress
        self._furthest = 0
        self.gained = 0
        """The bytes that the last attempt received beyond those of all earlier attempts."""

    def attempt(self, known: Manifest | None) -> bool:
        """Request the missing bytes and write them to the partial file.

        Returns:
            False if the file is still the `known` one.

        Raises:
            TemporaryError: If the connection breaks off; the next attempt resumes from the bytes received so far.
            DownloadError: If the file is not available or cannot be stored.
        """
        self.gained = 0
        # A server that declares its gzip files as a transfer encoding would unpack them for a client without gzip. Any
        # other file must not be compressed for the transfer, so that its length and ranges are those of the file.
        headers = {"Accept": "*/*", "Accept-Encoding": "gzip" if self._wanted.packed else "identity"}
        started = self._resumable()
        if started:
            offset, state = started
            headers["Range"] = f"bytes={offset}-"
            # If the file has changed, the server sends all of it, with status 200.
            headers["If-Range"] = _strong(state.etag) or state.last_modified
        elif known:
            headers |= conditional_headers(known)
        with self._connection.ask(self._wanted.url, headers, self._expected(headers)) as answer:
            if answer.status == 304:
                return False
            # 206: a part of the file; 416: there are no further bytes.
            if started and answer.status != 200:
                self._continue(answer, *started)
            else:
                self._begin(answer)
        return True

    @staticmethod
    def _expected(headers: dict[str, str]) -> tuple[int, ...]:
        if "Range" in headers:
            return 200, 206, 416
        return (200, 304) if "If-None-Match" in headers or "If-Modified-Since" in headers else (200,)

    def finish(self, time: float) -> Manifest:
        """Verify the complete file and move it to its destination.

        Raises:
            NetworkError: If it is damaged; it is then deleted.
            CacheError: If it cannot be stored.
        """
        wanted, part = self._wanted, self._wanted.part
        state = cache.read_manifest(part) or Manifest(wanted.url)
        with cache.disk_errors(part):
            with part.open("rb") as file:
                # Some addresses of gzip files do not end in `.gz`.
                packed = wanted.packed or file.read(2) == GZIP_START
            try:
                # Hash and unpack in one pass.
                check = GzipCheck(wanted.max_bytes, part.stat().st_size)
                sha256 = cache.file_sha256(part, check.feed if packed else None)
                if packed:
                    check.finish()
            except DamagedError as error:
                cache.discard(part)
                raise NetworkError(f"the file from {host_of(wanted.url)} {error}, and was deleted") from error
            size = part.stat().st_size
            files.rename(part, wanted.destination)
            cache.discard(part)
        manifest = replace(state, sha256=sha256, size=size, time=time)
        cache.write_manifest(wanted.destination, manifest)
        return manifest

    def _resumable(self) -> tuple[int, Manifest] | None:
        """Return the size and manifest of the partial file if it is certainly of the wanted version, else None."""
        state = cache.read_manifest(self._wanted.part)
        if state is None or (state.url, state.version) != (self._wanted.url, self._wanted.version):
            return None
        # Without one of these headers the server cannot tell whether the rest is of the same file.
        if not (state.last_modified or _strong(state.etag)):
            return None
        try:
            there = self._wanted.part.stat().st_size
        except OSError:
            return None
        return (there, state) if there else None

    def _begin(self, answer: ServerResponse) -> None:
        part = self._wanted.part
        self._check_length(answer, answer.length)
        # Delete the old bytes before writing the new manifest: a crash between must not join two files.
        cache.discard(part)
        etag, modified = validators(answer)
        notes = Manifest(self._wanted.url, self._wanted.version, etag, modified, size=answer.length or 0)
        cache.write_manifest(part, notes)
        self._receive(answer, 0, answer.length)

    def _continue(self, answer: ServerResponse, offset: int, state: Manifest) -> None:
        found = CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        first, _, total = found.groups() if found else (None, None, None)
        # The length of the whole file, if either states it.
        length = int(total) if total and total.isdecimal() else state.size or None
        etag, modified = validators(answer)
        known = (etag, state.etag), (modified, state.last_modified), (state.size, length)
        # Compare only headers that the answer contains.
        other = any(here and here != there for here, there in known)
        # Some servers ignore If-Range: only an equal header in the answer proves that it is the same file.
        proved = not other and bool(_strong(etag) or modified)
        # The partial file is complete: the last attempt broke off after its last byte.
        if answer.status == 416 and total == str(offset) and (proved or (not other and length == state.size)):
            self._check_length(answer, offset)
            return
        # It is another file, or another part: the next attempt starts from the beginning.
        if answer.status == 416 or not proved or first != str(offset):
            cache.discard(self._wanted.part)
            raise TemporaryError(f"{answer.host} no longer has the partly downloaded file")
        self._check_length(answer, length)
        self._receive(answer, offset, length)

    def _check_length(self, answer: ServerResponse, length: int | None) -> None:
        """Check the announced length in bytes.

        Raises:
            TooLargeError: If it is beyond the limit.
        """
        wanted = self._wanted
        if length is not None and length > wanted.max_bytes:
            cache.discard(wanted.part)
            raise TooLargeError(
                f"{answer.host} announces a file of {amount(length)}; "
                f"more than {amount(wanted.max_bytes)} is not downloaded."
            )

    def _receive(self, answer: ServerResponse, offset: int, length: int | None) -> None:
        """Append the body to the partial file, which has `offset` bytes and will have `length` bytes, if known."""
        # At most the announced bytes, or the limit if none were announced.
        limit = self._wanted.max_bytes if length is None else length
        done = offset
        part = self._wanted.part
        with cache.disk_errors(part):
            # Unbuffered: a broken connection loses no received bytes.
            file = files.open_growing_file(part)
            file.seek(0, SEEK_END)
        with file:
            self._report(done, length)
            try:
                for chunk in answer.chunks():
                    if done == 0 and is_web_page(chunk):
                        self._give_up(f"{answer.host} sent a web page, not the file: does this network want a sign-in?")
                    if done + len(chunk) > limit:
                        self._give_up(f"{answer.host} sends more than the announced {amount(limit)}")
                    self._write(file, chunk)
                    done += len(chunk)
                    # Bytes that an earlier attempt received do not count: a server that always breaks off at the same
                    # byte would get endless attempts.
                    self.gained += max(0, done - self._furthest)
                    self._furthest = max(done, self._furthest)
                    self._report(done, length)
            except TemporaryError as error:
                raise error.with_message(f"{error} after {done} of {length or 'unknown'} bytes") from error
            with cache.disk_errors(part):
                fsync(file.fileno())
        # A connection that breaks off may look like the end of the file.
        if length is not None and done < length:
            raise TemporaryError(f"the connection to {answer.host} broke off after {done} of {length} bytes")

    def _give_up(self, reason: str) -> None:
        cache.discard(self._wanted.part)
        raise NetworkError(reason)

    def _report(self, done: int, total: int | None) -> None:
        if self._progress:
            self._progress(done, total)

    def _write(self, file: BinaryIO, chunk: bytes) -> None:
        """Append a chunk to the partial file; delete the file if that fails."""
        rest = memoryview(chunk)
        try:
            with cache.disk_errors(self._wanted.part):
                while rest:
                    rest = rest[file.write(rest) :]
        except CacheError:
            # The disk is probably full: free the space, for the sake of other programs.
            cache.discard(self._wanted.part)
            raise


def read_body(answer: ServerResponse, limit: int) -> bytes:
    """Return the decompressed body of an answer.

    Raises:
        TooLargeError: If it has more than `limit` bytes.
        TemporaryError: If the connection breaks off.
        NetworkError: If it has another compression than requested, or is damaged.
    """
    content = bytearray()
    for chunk in answer.chunks():
        # Checked for each chunk, so that an endless answer does not fill the memory.
        content += chunk
        if len(content) > limit:
            raise _too_long(answer, limit)
    if answer.length is not None and len(content) < answer.length:
        raise TemporaryError(f"the connection to {answer.host} broke off after {len(content)} of {answer.length} bytes")
    match answer.headers.get("Content-Encoding", "identity").strip().lower():
        case "identity" | "":
            return bytes(content)
        case "gzip" | "x-gzip":
            return _unpack(answer, content, limit)
        case other:
            raise NetworkError(
                f"{answer.host} compressed its answer as {printable_line(other, 40)!r}, which was not requested"
            )


def _unpack(answer: ServerResponse, content: bytearray, limit: int) -> bytes:
    # 31: the largest window (15), with the header and checksum of gzip (16).
    unpacker = zlib.decompressobj(wbits=31)
    try:
        # One byte more than allowed, to detect a longer body.
        body = unpacker.decompress(content, limit + 1)
    except zlib.error as error:
        raise NetworkError(f"{answer.host} sent a damaged answer") from error
    if len(body) > limit:
        raise _too_long(answer, limit)
    if not unpacker.eof:
        raise TemporaryError(f"{answer.host} sent an incomplete answer")
    return body


def _too_long(answer: ServerResponse, limit: int) -> TooLargeError:
    return TooLargeError(f"{answer.host} sent an answer of more than {amount(limit)}, which is not read.")


def decode(body: bytes, host: str) -> Any:
    """Return the value of a JSON document.

    Raises:
        NetworkError: If it is not JSON; the message says what it is instead.
    """
    import msgspec

    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if is_web_page(body):
            raise NetworkError(f"{host} sent a web page, not data: does this network want a sign-in?") from error
        start = printable_line(body[:200].decode("utf-8", "replace"), 60)
        what = f"this instead of JSON: {start!r}" if body else "an empty answer instead of JSON"
        raise NetworkError(f"{host} sent {what}") from error
