"""The client that every source of cards uses: small answers as JSON, large files into the cache folder."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from ccgrid.catalog.download import cache
from ccgrid.catalog.download.cache import Manifest
from ccgrid.catalog.download.hosts import (
    DownloadError,
    NetworkError,
    Pace,
    Patience,
    TemporaryError,
    check_address,
    host_of,
)

if TYPE_CHECKING:
    from ccgrid.catalog.download.connection import Connection
    from ccgrid.catalog.download.transfer import Progress

Result = TypeVar("Result")

INTERVALS: Final[Mapping[str, float]] = MappingProxyType({"api.scryfall.com": 0.1, "db.ygoprodeck.com": 0.1})
"""Seconds between two requests to a host that asks for them. Files on *.scryfall.io are not limited."""

TIMEOUTS: Final = (10.0, 30.0)
"""Seconds to wait for a connection, and for the next bytes on it."""

ATTEMPTS: Final = 5  # tries of one request
LARGEST_ANSWER: Final = 16_000_000  # bytes
LARGEST_FILE: Final = 8_000_000_000  # bytes


def user_agent() -> str:
    """The name under which this program asks: Scryfall refuses those of libraries."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        about = metadata("ccgrid")
    except PackageNotFoundError:
        return "ccgrid/0"
    # `Project-URL` is "Homepage, https://…": what is behind the first comma.
    home = [link.partition(", ")[2] for link in about.get_all("Project-URL") or []]
    return f"ccgrid/{about['Version']}" + (f" (+{home[0]})" if home else "")


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file that is in the cache, whole and checked; `downloaded` is False where it was there already."""

    path: Path
    manifest: Manifest
    downloaded: bool


class Client:
    """Reaches the network on behalf of one source, politely and with bounds; not to be shared between threads.

    `by_hand` says in an error what a person can do without it. `intervals` adds hosts to `INTERVALS`, in seconds.
    `cache` is the folder for files, by default `cache_folder()`. What it needs of the world (clocks, sleep, chance) is
    passed in by tests.
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
        # One for all requests of this client, so that pauses hold across files.
        self._pace = Pace({**INTERVALS, **intervals}, clock, sleep)
        self._open_connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is still open."""
        if self._open_connection:
            self._open_connection.close()
            self._open_connection = None

    def cache_path(self, *names: str) -> Path:
        """A path in the cache folder made of `names`; wherever they come from, it does not lead out of the folder."""
        return (self._cache or cache.cache_folder()).joinpath(*map(cache.safe_name, names))

    def get_json(self, url: str, *, max_age: float | None = None, max_bytes: int = LARGEST_ANSWER) -> Any:
        """What `url` answers, decoded from JSON; unpacked it may have at most `max_bytes` bytes.

        With `max_age`, in seconds, the answer is cached: a younger one is used without asking, an older one
        if the server says that nothing has changed.

        Raises:
            DownloadError: no answer, a refusal, or one that is not JSON.
        """
        from ccgrid.catalog.download.transfer import decode

        check_address(url)
        host = host_of(url)
        path = self._answer_path(url)
        known = None if max_age is None else cache.whole_manifest(path, url)
        # What goes wrong from here on is the network's: the error says how to do without it.
        with self._with_advice():
            # A time in the future, from a clock that was wrong, does not make an answer young.
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
        """Drops a kept answer that turned out to be none, so that it is asked for anew; raises DownloadError."""
        cache.discard(self._answer_path(url))

    def _answer_path(self, url: str) -> Path:
        # Addresses are long and have characters that names may not: their hash stands for them.
        return self.cache_path("answers", f"{sha256(url.encode()).hexdigest()[:32]}.json")

    def fetch(
        self,
        url: str,
        destination: Path,
        *,
        version: str = "",
        size: int | None = None,
        max_bytes: int = LARGEST_FILE,
        progress: "Progress | None" = None,
    ) -> CachedFile:
        """Download the file at `url` to `destination`, just as it is sent (a gzip file stays one), and check it.

        `destination` is best made with `cache_path`. A file of the same `version` that is already there is not asked
        for again; without a `version` the server is asked whether it has changed. One that broke off, now or in an
        earlier run, is resumed if it is certain to be the same. `size` is its exact length in bytes, where the caller
        knows it; `progress` gets the bytes that have come and, where known, the bytes in all. Until the file is
        whole, an older one at `destination` stays as it was.

        Raises:
            DownloadError: it cannot be had or kept, is damaged, larger than `max_bytes` (also when unpacked), or
                being downloaded by another process.
        """
        from ccgrid.catalog.download.transfer import Request, Transfer

        check_address(url)
        with self._with_advice(), cache.lock_file(destination):
            known = cache.whole_manifest(destination, url)
            # Whole, but not the file that the source speaks of now.
            if known and size is not None and known.size != size:
                known = None
            if known and version and known.version == version:
                return CachedFile(destination, known, downloaded=False)
            transfer = Transfer(Request(url, destination, version, size, max_bytes), self._connection, progress)
            # `attempt` is False where the server says that nothing has changed.
            if self._persist(lambda: transfer.attempt(known), lambda: transfer.gained) or known is None:
                return CachedFile(destination, transfer.finish(self._now()), downloaded=True)
            known = replace(known, version=version or known.version, time=self._now())
            cache.write_manifest(destination, known)
            return CachedFile(destination, known, downloaded=False)

    def final_address(self, url: str) -> str:
        """The address that `url` leads to in the end, over all redirects; it is not read.

        Raises:
            DownloadError: no answer, or a refusal.
        """
        check_address(url)

        def attempt() -> str:
            with self._connection.ask(url, {"Accept": "*/*"}, (200,)) as answer:
                return answer.url

        with self._with_advice():
            return self._persist(attempt)

    def _ask(self, url: str, known: Manifest | None, max_bytes: int) -> tuple[bytes | None, Manifest]:
        """The body of an answer, or None if it is still the `known` one; and what is to be noted about it."""
        from ccgrid.catalog.download.transfer import conditional_headers, read_body, validators

        conditions = conditional_headers(known) if known else {}
        # JSON if it can be; and packed for the way, which `read_body` undoes.
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
        """Made when it is first needed: the library behind it takes longer to load than most commands to run."""
        if self._open_connection is None:
            from ccgrid.catalog.download.connection import Connection

            self._open_connection = Connection(
                agent=user_agent(), pace=self._pace, timeouts=self._timeouts, now=self._now
            )
        return self._open_connection

    def _persist(self, attempt: Callable[[], Result], gained: Callable[[], int] = int) -> Result:
        """What `attempt` returns, tried again after a temporary error; `gained` gives the bytes that a try added."""
        patience = Patience(self._clock, self._sleep, self._random, self._attempts)
        while True:
            try:
                return attempt()
            except TemporaryError as trouble:
                patience.after(trouble, gained())

    @contextmanager
    def _with_advice(self) -> Iterator[None]:
        try:
            yield
        except NetworkError as error:
            end = "" if str(error).endswith("?") else "."
            raise DownloadError(f"{error}{end}\nTry again later, or {self._by_hand}") from error
