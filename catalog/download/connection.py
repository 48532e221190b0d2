"""One request over the network, answered or explained; the only module that knows `requests`."""

import io
import socket
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, responses
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError

from ccgrid.catalog.download.hosts import (
    LOCKED_OUT,
    LONGEST_TIME,
    NetworkError,
    Pace,
    TemporaryError,
    check_address,
    host_of,
    next_address,
    printable_line,
    retry_after,
)

GRACE: Final = 60.0
"""Seconds in which an answer may be as slow as it likes."""
SLOWEST: Final = 1000
"""Bytes of the body a second that have to come after that, counted from the beginning."""
MOST_AROUND: Final = 1 << 18
"""Bytes that may come beside the body: answers such as `100 Continue`, headers, trailers, what frames pieces of it.
Each byte of the body may bring one more."""


class _TimedBytes(io.RawIOBase):
    """The bytes of one answer, stopped where they come too slowly to mean it, or are none of its body."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw, self._start, self._count = raw, time.monotonic(), 0
        self.body = 0
        """How many of them were the body's; the reader of the body adds to it."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        seconds = time.monotonic() - self._start
        # The floor counts bytes of the body alone: extensions of chunks could keep an answer alive for ever.
        # Below the floor, which begins to rise after `GRACE` seconds: 1000 bytes more each second.
        if self.body < SLOWEST * (seconds - GRACE) or seconds > LONGEST_TIME:
            raise TimeoutError("the answer comes too slowly")
        if self._count > MOST_AROUND + 2 * self.body:
            raise HTTPException("an endless answer around its body")
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
        # The stream of the socket is taken out of its buffer and put into a new one, with the watch between the two.
        self._watched = _TimedBytes(self.fp.detach())
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
        # urllib3 asks its pools for connections, and these for their class of answers: each is ours.
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}


CHUNK: Final = 1 << 16  # bytes
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
        # In pieces (`chunked`) no length is meant; 18 digits are more bytes than there are.
        if "Transfer-Encoding" in self.headers or not (text.isascii() and text.isdecimal() and len(text) <= 18):
            return None
        return int(text)

    def chunks(self) -> Iterator[bytes]:
        """The body, piece by piece.

        Raises:
            TemporaryError: the connection broke off, or fell silent for too long.
        """
        try:
            # Not unpacked: the file is kept as it was sent, and checked later.
            while chunk := self._response.raw.read1(CHUNK, decode_content=False):
                yield chunk
        except NETWORK_ERRORS as error:
            raise network_error(error, self.host) from error

    def start(self, longest: int) -> bytes:
        """At most the first `longest` bytes of the body, or what there is of them: a cut is not an error here."""
        body = b""
        with suppress(NetworkError):
            for chunk in self.chunks():
                body += chunk
                if len(body) >= longest:
                    break
        return body[:longest]


class _NoRedirects(requests.Session):
    """A session that leaves redirects alone: requests would read their bodies, however long, into memory."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class Connection:
    """Asks servers politely: under our own name, not too often, within limits, and with certificates checked."""

    def __init__(self, *, agent: str, pace: Pace, timeouts: tuple[float, float], now: Callable[[], float]) -> None:
        self._pace = pace
        self._timeouts = timeouts
        self._now = now
        self._session = _NoRedirects()
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, BoundedAdapter())
        # The library's own headers would ask for packed answers, and say its name.
        self._session.headers.clear()
        self._session.headers["User-Agent"] = agent
        # A password kept in ~/.netrc is none of a card site's business.
        # A function that changes nothing: with any `auth` the library does not look for a password.
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
        # Each address of a chain of redirects is checked, and waited for, by itself.
        for _ in range(MOST_REDIRECTS + 1):
            self._pace.wait(check_address(url).hostname or "")
            with self._get(url, headers) as response:
                answer = ServerResponse(response, url)
                location = answer.headers.get("Location")
                # A 300 or a redirect that leads nowhere is an answer like any other.
                if answer.status not in REDIRECTS or location is None:
                    if answer.status not in expected:
                        raise self._refusal(answer, url)
                    yield answer
                    return
            url = next_address(url, location)
        raise NetworkError(f"{host_of(url)} redirects without end")

    def _get(self, url: str, headers: Mapping[str, str]) -> requests.Response:
        try:
            return self._session.get(
                url, headers=dict(headers), stream=True, allow_redirects=False, timeout=self._timeouts, verify=True
            )
        except NETWORK_ERRORS as error:
            raise network_error(error, host_of(url)) from error

    def _refusal(self, answer: ServerResponse, url: str) -> NetworkError:
        status = answer.status
        name = responses.get(status, "a status without a name")
        said = f"{answer.host} answered {status} ({name})"
        wait = retry_after(answer.headers, self._now())
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            # 429
            return TemporaryError(said, wait=LOCKED_OUT if wait is None else wait)
        if status == HTTPStatus.REQUEST_TIMEOUT or 500 <= status <= 599:
            return TemporaryError(said, wait=wait or 0.0)
        why = _explanation(answer.start(LONGEST_REFUSAL))
        path = printable_line(check_address(url).path or "/", 100)
        return NetworkError(f"{said} for {path}" + (f": {why}" if why else ""))


def _explanation(body: bytes) -> str:
    """A server's own words on why it refused, from an error object as Scryfall and others send it; else nothing."""
    import msgspec

    try:
        answer = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""
    if isinstance(answer, dict):
        for key in ("details", "error", "message"):
            if isinstance(answer.get(key), str):
                return printable_line(answer[key]).rstrip(".")
    return ""


def network_error(error: Exception, host: str) -> NetworkError:
    """A network error in words; a `TemporaryError` where another try makes sense."""
    if isinstance(error, requests.exceptions.InvalidURL):
        return NetworkError(f"{host} is not the name of a server")
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return NetworkError(f"the certificate of {host} is not trusted, so nothing was read from it")
    if isinstance(error, requests.exceptions.ProxyError):
        return NetworkError(f"the proxy named in this environment does not lead to {host}")
    if isinstance(error, (requests.Timeout, ReadTimeoutError, TimeoutError)):
        return TemporaryError(f"{host} did not answer in time")
    # The library wraps what urllib3 says, and that what the operating system said.
    reason = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(reason, NewConnectionError):
        # No address was found for the name.
        if isinstance(reason.__cause__, socket.gaierror):
            return TemporaryError(f"{host} cannot be found: is this computer online?", unreachable=True)
        return TemporaryError(f"no server answers at {host}", unreachable=True)
    return TemporaryError(f"the connection to {host} broke off")
