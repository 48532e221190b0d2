"""One request over the network, answered or explained; the only module that knows `requests`."""

import io
import re
import socket
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from random import Random
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError

from catalog.download.address import NetworkError, TemporaryError, check_address, host_of, next_address, plain, span

FIRST_BACK_OFF: Final = 0.5
"""Seconds before the second try; it doubles with every further one."""
LONGEST_BACK_OFF: Final = 30.0
LONGEST_WAIT: Final = 120.0
"""The most seconds that a server may make us wait; asked for more, the program stops and says when to come back."""
LOCKED_OUT: Final = 30.0
"""Seconds to wait after a 429 that does not say how long: what Scryfall locks a client out for."""
LONGEST_TIME: Final = 3 * 3600.0
"""Seconds after which no answer goes on, and no other try begins: 500 MB in that time are 46 kB a second. What has come
by then is kept, and the same command goes on from there."""
ENOUGH_PROGRESS: Final = 1_000_000
"""Bytes received after which a download that breaks off has earned all its tries again."""


class Pace:
    """Keeps requests to one host apart: `intervals` maps a host to the least number of seconds between two of them."""

    def __init__(
        self, intervals: Mapping[str, float], clock: Callable[[], float], sleep: Callable[[float], object]
    ) -> None:
        self._intervals = dict(intervals)
        self._clock = clock
        self._sleep = sleep
        self._free_at: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Sleep until a request to `host` may start. A host without an interval is never waited for."""
        interval = self._intervals.get(host, 0.0)
        if interval <= 0:
            return
        now = self._clock()
        start = max(now, self._free_at.get(host, now))
        self._free_at[host] = start + interval
        if start > now:
            self._sleep(start - now)


class Patience:
    """Decides after each failure of one request whether to wait and try again, or to give up."""

    def __init__(
        self, clock: Callable[[], float], sleep: Callable[[float], object], random: Random, attempts: int
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._random = random
        self._attempts = attempts
        self._start = clock()
        self._failures = 0
        self._answered = False

    def after(self, trouble: TemporaryError, gained: int = 0) -> None:
        """Sleep for as long as `trouble` and the number of failures so far call for.

        A try that failed in the end but brought enough bytes (`gained`) starts the count anew.

        Raises:
            NetworkError: it is time to give up: no server was ever reached, it asks for too long a wait, or every
                try failed, or all of them together took too long.
        """
        if trouble.unreachable and not self._answered:
            raise trouble
        self._answered = True
        if trouble.wait > LONGEST_WAIT:
            raise NetworkError(f"{trouble}, and asks to be left alone: try again in {span(trouble.wait)}") from trouble
        seconds = self._clock() - self._start
        if seconds > LONGEST_TIME:
            raise NetworkError(f"{trouble}, and {span(seconds)} are over") from trouble
        self._failures = 1 if gained >= ENOUGH_PROGRESS else self._failures + 1
        if self._failures >= self._attempts:
            times = "" if self._failures == 1 else f" ({self._failures} tries)"
            raise NetworkError(f"{trouble}{times}") from trouble
        back_off = min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2.0 ** (self._failures - 1))
        self._sleep(max(trouble.wait, back_off * (1 + self._random.random()) / 2))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that a `Retry-After` header asks for, as a number or as an HTTP date (RFC 9110, 10.2.3).

    A date is compared with the server's own `Date` where there is one, so that a wrong clock here does no harm; else
    with `now`, in seconds since 1970. None where there is no such header, or one that makes no sense.
    """
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text[:12])
    until = _seconds_of(text)
    if until is None:
        return None
    server_now = _seconds_of(headers.get("Date", ""))
    return max(0.0, until - (now if server_now is None else server_now))


def _seconds_of(date: str) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(date[:100]).timestamp()
    except (TypeError, ValueError, OverflowError, IndexError):
        return None


GRACE: Final = 60.0
"""Seconds in which an answer may be as slow as it likes."""
SLOWEST: Final = 1000
"""Bytes of the body a second that have to come after that, counted from the beginning."""
MOST_AROUND: Final = 1 << 18
"""Bytes that may come beside the body: answers such as `100 Continue`, headers, trailers, what frames pieces of it.
Each byte of the body may bring one more."""


class _Watched(io.RawIOBase):
    """The bytes of one answer, stopped where they come too slowly to mean it, or are none of its body."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw, self._start, self._count = raw, time.monotonic(), 0
        self.body = 0
        """How many of them were the body's: told by whoever takes it out."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        seconds = time.monotonic() - self._start
        if self.body < SLOWEST * (seconds - GRACE) or seconds > LONGEST_TIME:
            raise TimeoutError("the answer comes too slowly")
        if self._count > MOST_AROUND + 2 * self.body:
            raise HTTPException("an answer without end around its body")
        count = self._raw.readinto(buffer)
        self._count += count or 0
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    """An answer whose bytes are watched; its body is to be read with `read1`, which waits for no more than has come."""

    def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        self._watched = _Watched(self.fp.detach())
        self.fp = io.BufferedReader(self._watched)

    def read1(self, n: int = -1) -> bytes:
        data = super().read1(n)
        self._watched.body += len(data)
        return data


class _Plain(HTTPConnection):
    response_class = _Response


class _Secure(HTTPSConnection):
    response_class = _Response


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


class BoundedAdapter(HTTPAdapter):
    """Makes every connection of a session one whose answers end."""

    def init_poolmanager(self, *arguments: Any, **named: Any) -> None:
        """Make the pools that connections come from."""
        super().init_poolmanager(*arguments, **named)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}


CHUNK: Final = 1 << 16
MOST_REDIRECTS: Final = 5
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
LONGEST_REFUSAL: Final = 1 << 16
"""How many bytes of a refusal are read in search of the server's explanation."""
NETWORK_ERRORS: Final = (requests.RequestException, HTTPError, HTTPException, OSError, ValueError)
"""What libraries say to a network that breaks off, falls silent or talks nonsense, such as a size that is no number."""


class ServerResponse:
    """What a server answered: status, headers, and a body that is read once, as it was sent (never unpacked)."""

    def __init__(self, response: requests.Response, url: str) -> None:
        self._response = response
        self.url = url
        self.host = host_of(url)
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    @property
    def length(self) -> int | None:
        """The number of bytes announced for the body, where it is announced."""
        text = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (text.isascii() and text.isdecimal() and len(text) <= 18):
            return None
        return int(text)

    def chunks(self) -> Iterator[bytes]:
        """The body, piece by piece.

        Raises:
            TemporaryError: the connection broke off, or fell silent for too long.
        """
        try:
            while chunk := self._response.raw.read1(CHUNK, decode_content=False):
                yield chunk
        except NETWORK_ERRORS as error:
            raise explain(error, self.host) from error

    def start(self, longest: int) -> bytes:
        """At most the first `longest` bytes of the body, or what there is of them: a cut is not an error here."""
        body = b""
        with suppress(NetworkError):
            for chunk in self.chunks():
                body += chunk
                if len(body) >= longest:
                    break
        return body[:longest]


class _Session(requests.Session):
    """A session that leaves redirects alone: requests would read their bodies, however long, into memory."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class Connection:
    """Asks servers politely: under our own name, not too often, within limits, and with certificates checked."""

    def __init__(self, *, agent: str, pace: Pace, timeouts: tuple[float, float], now: Callable[[], float]) -> None:
        self._pace = pace
        self._timeouts = timeouts
        self._now = now
        self._session = _Session()
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, BoundedAdapter())
        self._session.headers.clear()
        self._session.headers["User-Agent"] = agent
        # A password kept in ~/.netrc is none of a card site's business.
        self._session.auth = lambda request: request

    def close(self) -> None:
        """Close what is still open."""
        self._session.close()

    @contextmanager
    def ask(self, url: str, headers: Mapping[str, str], expected: Collection[int]) -> Iterator[ServerResponse]:
        """GET `url`, following redirects, and hand over an answer whose status is one of the `expected`.

        Raises:
            DownloadError: the address is not one that may be asked.
            TemporaryError: no answer, or one that asks to try again later (429, 5xx, 408).
            NetworkError: any other answer, quoting the server's reason where it gives one.
        """
        for _ in range(MOST_REDIRECTS + 1):
            self._pace.wait(check_address(url).hostname or "")
            with self._get(url, headers) as response:
                answer = ServerResponse(response, url)
                location = answer.headers.get("Location")
                if answer.status not in REDIRECTS or location is None:
                    if answer.status not in expected:
                        raise self._refusal(answer, url)
                    yield answer
                    return
            url = next_address(url, location)
        raise NetworkError(f"{host_of(url)} redirects from address to address without end")

    def _get(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        try:
            return self._session.get(
                url, headers=dict(headers), stream=True, allow_redirects=False, timeout=self._timeouts, verify=True
            )
        except NETWORK_ERRORS as error:
            raise explain(error, host_of(url)) from error

    def _refusal(self, answer: ServerResponse, url: str) -> NetworkError:
        status = answer.status
        name = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "a status without a name"
        said = f"{answer.host} answered {status} ({name})"
        wait = retry_after(answer.headers, self._now())
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return TemporaryError(said, wait=LOCKED_OUT if wait is None else wait)
        if status == HTTPStatus.REQUEST_TIMEOUT or 500 <= status <= 599:
            return TemporaryError(said, wait=wait or 0.0)
        why = _explanation(answer.start(LONGEST_REFUSAL))
        path = plain(check_address(url).path or "/", 100)
        return NetworkError(f"{said} for {path}" + (f": {why}" if why else ""))


def _explanation(body: bytes) -> str:
    """A server's own words on why it refused, from an error object as Scryfall and others send it; else nothing."""
    import msgspec

    try:
        told = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    if isinstance(told, dict):
        for key in ("details", "error", "message"):
            if isinstance(told.get(key), str):
                return plain(told[key]).rstrip(".")
    return ""


def explain(error: Exception, host: str) -> NetworkError:
    """A network error in words; a `TemporaryError` where another try makes sense."""
    if isinstance(error, requests.exceptions.InvalidURL):
        return NetworkError(f"{host} is not the name of a server")
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return NetworkError(f"the certificate of {host} is not trusted, so nothing was read from it")
    if isinstance(error, requests.exceptions.ProxyError):
        return NetworkError(f"the proxy named in this environment does not lead to {host}")
    if isinstance(error, (requests.Timeout, ReadTimeoutError, TimeoutError)):
        return TemporaryError(f"{host} did not answer in time")
    reason = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(reason, NewConnectionError):
        if isinstance(reason.__cause__, socket.gaierror):
            return TemporaryError(f"{host} cannot be found: is this computer online?", unreachable=True)
        return TemporaryError(f"nobody answers at {host}", unreachable=True)
    return TemporaryError(f"the connection to {host} broke off")
