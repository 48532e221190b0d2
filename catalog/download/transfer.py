"""One large file on its way to the disk: resumed where it broke off, and checked before it gets its name."""

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
from ccgrid.catalog.download.hosts import DownloadError, NetworkError, TemporaryError, host_of, printable_line
from ccgrid.catalog.formatting import amount

Progress = Callable[[int, int | None], object]
"""Receives the bytes that are there, and how many there will be where that is known."""

# "33a64df5" · W/"33a64df5": only what can stand in a header of ours again.
VALID_ETAG: Final = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,200}"')
# Wed, 21 Oct 2026 07:28:00 GMT
VALID_DATE: Final = re.compile(r"[A-Za-z0-9,: +-]{1,60}")
# bytes 500-999/1000 · bytes 500-999/* (length unknown) · bytes */1000 (nothing there: 416)
CONTENT_RANGE: Final = re.compile(r"bytes (?:([0-9]{1,18})-([0-9]{1,18})|\*)/([0-9]{1,18}|\*)")


@dataclass(frozen=True, slots=True)
class Request:
    """A file that is wanted: from where and to where, its edition, its size in bytes if known, its largest size."""

    url: str
    destination: Path
    version: str
    size: int | None
    max_bytes: int

    @property
    def part(self) -> Path:
        """Where the file grows until it is whole."""
        return self.destination.with_name(self.destination.name + ".part")

    @property
    def packed(self) -> bool:
        """Whether a gzip file is to come, by its name."""
        return self.destination.suffix == ".gz" or urlsplit(self.url).path.endswith(".gz")


def validators(answer: ServerResponse) -> tuple[str, str]:
    """The ETag and the Last-Modified of an answer, each empty where it is missing or malformed."""
    etag = answer.headers.get("ETag", "")
    modified = answer.headers.get("Last-Modified", "")
    return etag if VALID_ETAG.fullmatch(etag) else "", modified if VALID_DATE.fullmatch(modified) else ""


def conditional_headers(known: Manifest) -> dict[str, str]:
    """The headers that ask for a file only if it is no longer the `known` one."""
    headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in headers.items() if value}


def _strong(etag: str) -> str:
    """An ETag that promises the same bytes, which alone is allowed in If-Range (RFC 9110, 13.1.5); else empty."""
    return "" if etag.startswith("W/") else etag


def is_web_page(start: bytes) -> bool:
    """Whether a body that starts so is a page for people, as networks that want a sign-in send in place of anything."""
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()[:9].lower().startswith((b"<!doctype", b"<html"))


class Transfer:
    """Downloads one file, over as many calls of `attempt` as it takes."""

    def __init__(self, wanted: Request, connection: Connection, progress: Progress | None) -> None:
        self._wanted = wanted
        self._connection = connection
        self._progress = progress
        self._furthest = 0
        self.gained = 0
        """By how many bytes the last attempt got further than any before it."""

    def attempt(self, known: Manifest | None) -> bool:
        """Ask for what is missing and write it down; False where the file is still the `known` one.

        Raises:
            TemporaryError: it broke off; what has come is kept, and the next attempt continues from there.
            DownloadError: the file cannot be had, or not kept.
        """
        self.gained = 0
        # A server that labels its gzip files as packed for the way would unpack them for a client that takes no gzip;
        # any other file is to come as it is there, so that its length and its ranges mean what they say.
        headers = {"Accept": "*/*", "Accept-Encoding": "gzip" if self._wanted.packed else "identity"}
        started = self._resumable()
        if started:
            offset, state = started
            headers["Range"] = f"bytes={offset}-"
            # Only if it is still the same file; if not, all of it is sent, with status 200.
            headers["If-Range"] = _strong(state.etag) or state.last_modified
        elif known:
            headers |= conditional_headers(known)
        with self._connection.ask(self._wanted.url, headers, self._expected(headers)) as answer:
            if answer.status == 304:
                return False
            # 206, a part of it, or 416, nothing behind what is there.
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
        """Check the whole file and give it its name.

        Raises:
            DownloadError: it is damaged (and then removed), or cannot be kept.
        """
        wanted, part = self._wanted, self._wanted.part
        state = cache.read_manifest(part) or Manifest(wanted.url)
        with cache.disk_errors(part):
            with part.open("rb") as file:
                # Some addresses do not say `.gz`; the first two bytes do.
                packed = wanted.packed or file.read(2) == GZIP_START
            try:
                # Hashed and unpacked in one pass over the file.
                check = GzipCheck(wanted.max_bytes, part.stat().st_size)
                sha256 = cache.file_sha256(part, check.feed if packed else None)
                if packed:
                    check.finish()
            except DamagedError as error:
                cache.discard(part)
                raise NetworkError(f"the file from {host_of(wanted.url)} {error}, and was thrown away") from error
            size = part.stat().st_size
            files.rename(part, wanted.destination)
            cache.discard(part)
        manifest = replace(state, sha256=sha256, size=size, time=time)
        cache.write_manifest(wanted.destination, manifest)
        return manifest

    def _resumable(self) -> tuple[int, Manifest] | None:
        """How many bytes are there already and of what, if they are of the wanted edition beyond doubt."""
        state = cache.read_manifest(self._wanted.part)
        if state is None or (state.url, state.version) != (self._wanted.url, self._wanted.version):
            return None
        # Without a mark of its edition nobody knows whether the rest belongs to it.
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
        # The old bytes go before the new notes come: a crash between the two must not join one file to another.
        cache.discard(part)
        etag, modified = validators(answer)
        notes = Manifest(self._wanted.url, self._wanted.version, etag, modified, size=answer.length or 0)
        cache.write_manifest(part, notes)
        self._receive(answer, 0, answer.length)

    def _continue(self, answer: ServerResponse, offset: int, state: Manifest) -> None:
        found = CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        first, _, total = found.groups() if found else (None, None, None)
        # The whole length of the file, where one of the two says it.
        length = int(total) if total and total.isdecimal() else state.size or None
        etag, modified = validators(answer)
        known = (etag, state.etag), (modified, state.last_modified), (state.size, length)
        # Only what the answer says can contradict what is known.
        other = any(here and here != there for here, there in known)
        # What the server was asked for with If-Range it may send without having looked at it.
        proved = not other and bool(_strong(etag) or modified)
        # All bytes were there already: the last attempt broke off after the last of them.
        if answer.status == 416 and total == str(offset) and (proved or (not other and length == state.size)):
            self._check_length(answer, offset)
            return
        # Another file, or another part of it: the next attempt begins anew.
        if answer.status == 416 or not proved or first != str(offset):
            cache.discard(self._wanted.part)
            raise TemporaryError(f"{answer.host} no longer has the partly downloaded file")
        self._check_length(answer, length)
        self._receive(answer, offset, length)

    def _check_length(self, answer: ServerResponse, length: int | None) -> None:
        """Refuse a file whose announced length, in bytes, is not the expected one or beyond the limit."""
        wanted = self._wanted
        if length is not None and wanted.size is not None and length != wanted.size:
            cache.discard(wanted.part)
            raise NetworkError(f"{answer.host} announces a file of {length} bytes where {wanted.size} were expected")
        if (length or wanted.size or 0) > wanted.max_bytes:
            cache.discard(wanted.part)
            raise DownloadError(
                f"{answer.host} announces a file of {amount(length or wanted.size or 0)}; "
                f"more than {amount(wanted.max_bytes)} is not downloaded."
            )

    def _receive(self, answer: ServerResponse, offset: int, length: int | None) -> None:
        """Append the body to the part file, whose first `offset` bytes are there, up to `length` bytes in all."""
        total = self._wanted.size if length is None else length
        # No more than was announced; where nothing was, no more than is allowed.
        limit = self._wanted.max_bytes if total is None else total
        done = offset
        part = self._wanted.part
        with cache.disk_errors(part):
            # Unbuffered: what has come is on the disk when the connection breaks.
            file = files.open_growing_file(part)
            file.seek(0, SEEK_END)
        with file:
            self._report(done, total)
            try:
                for chunk in answer.chunks():
                    if done == 0 and is_web_page(chunk):
                        self._give_up(f"{answer.host} sent a web page, not the file: does this network want a sign-in?")
                    if done + len(chunk) > limit:
                        self._give_up(f"{answer.host} sends more than the {amount(limit)} that were to come")
                    self._write(file, chunk)
                    done += len(chunk)
                    # Bytes that were there before do not count: a server that always breaks off at one place would earn
                    # tries for ever.
                    self.gained += max(0, done - self._furthest)
                    self._furthest = max(done, self._furthest)
                    self._report(done, total)
            except TemporaryError as error:
                raise TemporaryError(f"{error} after {done} of {total or 'unknown'} bytes") from error
            with cache.disk_errors(part):
                fsync(file.fileno())
        # A connection that ends too early may look like the end of the file.
        if total is not None and done < total:
            raise TemporaryError(f"the connection to {answer.host} broke off after {done} of {total} bytes")

    def _give_up(self, reason: str) -> None:
        cache.discard(self._wanted.part)
        raise NetworkError(reason)

    def _report(self, done: int, total: int | None) -> None:
        if self._progress:
            self._progress(done, total)

    def _write(self, file: BinaryIO, chunk: bytes) -> None:
        """Append all of `chunk`; where that fails, remove the part file."""
        rest = memoryview(chunk)
        try:
            with cache.disk_errors(self._wanted.part):
                while rest:
                    rest = rest[file.write(rest) :]
        except DownloadError:
            # A disk filled to the brim hurts every other program: give back what was taken.
            cache.discard(self._wanted.part)
            raise


def read_body(answer: ServerResponse, limit: int) -> bytes:
    """The body of an answer, unpacked.

    Raises:
        DownloadError: it has more than `limit` bytes.
        TemporaryError: it broke off.
        NetworkError: it is packed in a way that was not asked for, or garbled.
    """
    content = bytearray()
    for chunk in answer.chunks():
        # Counted while it comes, so that no endless answer fills the memory.
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
                f"{answer.host} packed its answer as {printable_line(other, 40)!r}, which was not asked for"
            )


def _unpack(answer: ServerResponse, content: bytearray, limit: int) -> bytes:
    # 31: the largest window (15), with the header and checksum of gzip (16).
    unpacker = zlib.decompressobj(wbits=31)
    try:
        # One byte more than allowed: if it comes, there is too much.
        body = unpacker.decompress(content, limit + 1)
    except zlib.error as error:
        raise NetworkError(f"{answer.host} sent a garbled answer") from error
    if len(body) > limit:
        raise _too_long(answer, limit)
    if not unpacker.eof:
        raise TemporaryError(f"{answer.host} sent an answer that is cut short")
    return body


def _too_long(answer: ServerResponse, limit: int) -> DownloadError:
    return DownloadError(f"{answer.host} sent an answer of more than {amount(limit)}, which is not read.")


def decode(body: bytes, host: str) -> Any:
    """A JSON document.

    Raises:
        NetworkError: it is none; the message says what it is instead.
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
