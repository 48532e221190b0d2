"""The client of all sources: requests small answers as JSON, and downloads large files into the cache folder."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self, TypeVar

from ccgrid.catalog.download import cache
from ccgrid.catalog.download.cache import Manifest
from ccgrid.catalog.download.errors import NetworkError, TemporaryError
from ccgrid.catalog.download.hosts import Pace, Patience, check_address, host_of

if TYPE_CHECKING:
    from ccgrid.catalog.download.connection import Connection
    from ccgrid.catalog.download.transfer import Progress

Result = TypeVar("Result")

INTERVALS: Final[Mapping[str, float]] = MappingProxyType({"api.scryfall.com": 0.1, "db.ygoprodeck.com": 0.1})
"""Seconds between two requests to a host that demands a pause. Files on *.scryfall.io are not limited."""

TIMEOUTS: Final = (10.0, 30.0)
"""Seconds to wait for a connection, and for its next bytes."""

ATTEMPTS: Final = 5  # per request
LARGEST_ANSWER: Final = 16_000_000  # bytes
LARGEST_FILE: Final = 8_000_000_000  # bytes


def user_agent() -> str:
    """Return the User-Agent header: Scryfall rejects those of libraries."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        about = metadata("ccgrid")
    except PackageNotFoundError:
        return "ccgrid/0"
    # `Project-URL` is "Homepage, https://…".
    home = [link.partition(", ")[2] for link in about.get_all("Project-URL") or []]
    return f"ccgrid/{about['Version']}" + (f" (+{home[0]})" if home else "")


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A verified file in the cache; `downloaded` is False if it was already cached."""

    path: Path
    manifest: Manifest
    downloaded: bool


class Client:
    """A client for the network, with pauses, retries and limits. Threads must not share it.

    Args:
        by_hand: How the user can do without the network; errors end with it.
        intervals: Hosts to add to `INTERVALS`, in seconds.
        cache: The folder for files; `cache_folder()` by default.
        timeouts: As `TIMEOUTS`.
        attempts: The most attempts per request.
        clock: Returns monotonic seconds. This and the following arguments are for tests.
        now: Returns seconds since 1970.
        sleep: Waits for a number of seconds.
        random: A source of randomness for the pauses between attempts.
    """

    def __init__(
        self,
        by_hand: str,
        *,
        intervals: Mapping[str, float] = MappingProxyType({}),
        cache: Path | None = None,
        timeouts: tuple[float, float] = TIMEOUTS,
        attempts: int = ATTEMPTS,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        random: Random | None = None,
    ) -> None:
        self._by_hand = by_hand
        self._cache = cache
        self._timeouts = timeouts
        self._attempts = attempts
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._random = random or Random()
        # Shared by all requests of this client, so that pauses apply across files.
        self._pace = Pace({**INTERVALS, **intervals}, clock, sleep)
        self._open_connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._open_connection:
            self._open_connection.close()
            self._open_connection = None

    def cache_path(self, *names: str) -> Path:
        """Return a path in the cache folder made of `names`. Untrusted names cannot lead out of the folder."""
        return (self._cache or cache.cache_folder()).joinpath(*map(cache.safe_name, names))

    def get_json(self, url: str, *, max_age: float | None = None, max_bytes: int = LARGEST_ANSWER) -> object:
        """Return the answer of `url`, decoded from JSON.

        Args:
            url: The address.
            max_age: Seconds for which a cached answer is used without a request; an older one is used if the server
                confirms that it has not changed. None does not cache the answer.
            max_bytes: The most bytes of the answer when decompressed.

        Raises:
            DownloadError: If there is no answer, its status is an error, or it is not JSON.
        """
        from ccgrid.catalog.download.transfer import decode

        check_address(url)
        host = host_of(url)
        path = self._answer_path(url)
        known = None if max_age is None else cache.whole_manifest(path, url)
        with self._with_advice():
            # A time in the future, from a wrong clock, does not count.
            if known and max_age is not None and 0 <= self._now() - known.time < max_age:
                return decode(cache.read_small(path), host)
            body, current = self._ask(url, known, max_bytes)
            answer = decode(cache.read_small(path) if body is None else body, host)
        if max_age is not None:
            if body is not None:
                cache.write_small(path, body)
            cache.write_manifest(path, current)
        return answer

    def forget_answer(self, url: str) -> None:
        """Delete a cached answer, so that the next request asks for it again.

        Raises:
            CacheError: If it cannot be deleted.
        """
        cache.discard(self._answer_path(url))

    def _answer_path(self, url: str) -> Path:
        # Addresses may be too long for names of files, or have characters that these may not have.
        return self.cache_path("answers", f"{sha256(url.encode()).hexdigest()[:32]}.json")

    def fetch(
        self,
        url: str,
        destination: Path,
        *,
        version: str = "",
        max_bytes: int = LARGEST_FILE,
        progress: "Progress | None" = None,
    ) -> CachedFile:
        """Download the file at `url` as it is sent (a gzip file stays one), and verify it.

        A partial download, of this run or an earlier one, is resumed if it is certainly the same file. Until the
        download is complete, an older file at `destination` stays unchanged.

        Args:
            url: The address.
            destination: The path of the file, usually from `cache_path`.
            version: The version of the file. One of this version in the cache is used without a request; without a
                version the server is asked whether the file has changed.
            max_bytes: The most bytes of the file, also when decompressed.
            progress: Called with the bytes received so far, and all bytes or None.

        Raises:
            DownloadError: If the file is not available, damaged, too large, cannot be stored, or is being downloaded
                by another process.
        """
        from ccgrid.catalog.download.transfer import Request, Transfer

        check_address(url)
        with self._with_advice(), cache.lock_file(destination):
            known = cache.whole_manifest(destination, url)
            if known and version and known.version == version:
                return CachedFile(destination, known, downloaded=False)
            transfer = Transfer(Request(url, destination, version, max_bytes), self._connection, progress)
            # `attempt` returns False if the file has not changed.
            if self._persist(lambda: transfer.attempt(known), lambda: transfer.gained) or known is None:
                return CachedFile(destination, transfer.finish(self._now()), downloaded=True)
            known = replace(known, version=version or known.version, time=self._now())
            cache.write_manifest(destination, known)
            return CachedFile(destination, known, downloaded=False)

    def final_address(self, url: str) -> str:
        """Return the address to which `url` leads over all redirects, without reading its content.

        Raises:
            DownloadError: If there is no answer, or its status is an error.
        """
        check_address(url)

        def attempt() -> str:
            with self._connection.ask(url, {"Accept": "*/*"}, (200,)) as answer:
                return answer.url

        with self._with_advice():
            return self._persist(attempt)

    def _ask(self, url: str, known: Manifest | None, max_bytes: int) -> tuple[bytes | None, Manifest]:
        """Return the body of an answer, or None if it is the `known` one, and its manifest."""
        from ccgrid.catalog.download.transfer import conditional_headers, read_body, validators

        conditions = conditional_headers(known) if known else {}
        # Prefer JSON; `read_body` decompresses gzip.
        headers = {"Accept": "application/json;q=0.9,*/*;q=0.8", "Accept-Encoding": "gzip"} | conditions

        def attempt() -> tuple[bytes | None, Manifest]:
            with self._connection.ask(url, headers, (200, 304) if conditions else (200,)) as answer:
                if known and answer.status == 304:
                    return None, replace(known, time=self._now())
                body = read_body(answer, max_bytes)
                etag, modified = validators(answer)
                return body, Manifest(url, "", etag, modified, sha256(body).hexdigest(), len(body), self._now())

        return self._persist(attempt)

    @property
    def _connection(self) -> "Connection":
        """The connection, created on first use: its library takes longer to load than most commands to run."""
        if self._open_connection is None:
            from ccgrid.catalog.download.connection import Connection

            self._open_connection = Connection(
                agent=user_agent(), pace=self._pace, timeouts=self._timeouts, now=self._now
            )
        return self._open_connection

    def _persist(self, attempt: Callable[[], Result], gained: Callable[[], int] = int) -> Result:
        """Call `attempt` again after each temporary error, and return its result.

        Args:
            attempt: The request.
            gained: Returns the bytes that the failed attempt received.
        """
        patience = Patience(self._clock, self._sleep, self._random, self._attempts)
        while True:
            try:
                return attempt()
            except TemporaryError as trouble:
                patience.after(trouble, gained())

    @contextmanager
    def _with_advice(self) -> Iterator[None]:
        """Add to the message of a NetworkError how to do without the network."""
        try:
            yield
        except NetworkError as error:
            end = "" if str(error).endswith("?") else "."
            raise error.with_message(f"{error}{end}\nTry again later, or {self._by_hand}") from error
