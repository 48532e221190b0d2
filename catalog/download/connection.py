"""Requests over the network, and the errors that explain a failure. Only this module uses `requests`."""

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

from ccgrid.catalog.download.errors import (
    DownloadTimeoutError,
    NetworkError,
    StatusError,
    TemporaryError,
    UnreachableError,
)
from ccgrid.catalog.download.hosts import (
    LOCKED_OUT,
    LONGEST_TIME,
    Pace,
    check_address,
    host_of,
    next_address,
    printable_line,
    retry_after,
)

GRACE: Final = 60.0
"""Seconds in which an answer may be of any speed."""
SLOWEST: Final = 1000
"""The least bytes of the body per second after that, counted from the beginning."""
MOST_AROUND: Final = 1 << 18
"""The most bytes that an answer may have besides the body: answers such as `100 Continue`, headers, trailers, framing
of chunks. Each byte of the body allows one more."""


class _TimedBytes(io.RawIOBase):
    """The bytes of one answer. Reading fails if they come too slowly, or if too many are not part of the body."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw, self._start, self._count = raw, time.monotonic(), 0
        self.body = 0
        """The number of bytes of the body so far; the reader of the body updates it."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        seconds = time.monotonic() - self._start
        # Only bytes of the body count: extensions of chunks could keep an answer alive endlessly.
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
    """An answer with limits on speed and framing. Read its body with `read1`, which returns the available bytes."""

    def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        # Insert the watching stream between the socket and a new buffer.
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
    """An adapter whose connections limit the speed and framing of answers."""

    def init_poolmanager(self, *arguments: Any, **named: Any) -> None:
        """Create the pools of connections."""
        super().init_poolmanager(*arguments, **named)
        # urllib3 takes connections from its pools, and the class of answers from connections.
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}


CHUNK: Final = 1 << 16  # bytes
MOST_REDIRECTS: Final = 5
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
LONGEST_REFUSAL: Final = 1 << 16
"""The most bytes of an error answer that are read for the server's explanation."""
NETWORK_ERRORS: Final = (requests.RequestException, HTTPError, HTTPException, OSError, ValueError)
"""Exceptions of the libraries for a broken connection, a timeout or a malformed answer, such as an invalid length."""


class ServerResponse:
    """An answer of a server: status, headers, and a body that can be read once, as it was sent (not decompressed)."""

    def __init__(self, response: requests.Response, url: str) -> None:
        self._response = response
        self.url = url
        self.host = host_of(url)
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers

    @property
    def length(self) -> int | None:
        """The announced number of bytes of the body, or None."""
        text = self.headers.get("Content-Length", "")
        # A chunked answer has no length; 18 digits are enough for any.
        if "Transfer-Encoding" in self.headers or not (text.isascii() and text.isdecimal() and len(text) <= 18):
            return None
        return int(text)

    def chunks(self) -> Iterator[bytes]:
        """Yield the body in chunks.

        Raises:
            NetworkError: If the connection breaks off, or no bytes come for too long.
        """
        try:
            # Not decompressed: the file is kept as it was sent, and checked later.
            while chunk := self._response.raw.read1(CHUNK, decode_content=False):
                yield chunk
        except NETWORK_ERRORS as error:
            raise network_error(error, self.host) from error

    def start(self, longest: int) -> bytes:
        """Return the first `longest` bytes of the body, or fewer if it is shorter or breaks off."""
        body = b""
        with suppress(NetworkError):
            for chunk in self.chunks():
                body += chunk
                if len(body) >= longest:
                    break
        return body[:longest]


class _NoRedirects(requests.Session):
    """A session that does not follow redirects: requests would read their whole bodies into memory."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class Connection:
    """A connection that identifies itself, pauses between requests, limits answers and verifies certificates."""

    def __init__(self, *, agent: str, pace: Pace, timeouts: tuple[float, float], now: Callable[[], float]) -> None:
        self._pace = pace
        self._timeouts = timeouts
        self._now = now
        self._session = _NoRedirects()
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, BoundedAdapter())
        # The library's default headers ask for compressed answers and contain its name.
        self._session.headers.clear()
        self._session.headers["User-Agent"] = agent
        # Any `auth`, such as a function that changes nothing, stops the library from sending a password of ~/.netrc.
        self._session.auth = lambda request: request

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    @contextmanager
    def ask(self, url: str, headers: Mapping[str, str], expected: Collection[int]) -> Iterator[ServerResponse]:
        """GET `url`, follow redirects, and yield an answer whose status is one of the `expected`.

        Raises:
            AddressError: If the address is not allowed.
            TemporaryError: If there is no answer, or the answer asks for another attempt later (429, 5xx, 408).
            StatusError: If the status is any other; the message quotes the server's reason, if it gives one.
            NetworkError: If the request fails otherwise, such as for an untrusted certificate.
        """
        # Each address of a chain of redirects is checked, and has its own pause.
        for _ in range(MOST_REDIRECTS + 1):
            self._pace.wait(check_address(url).hostname or "")
            with self._get(url, headers) as response:
                answer = ServerResponse(response, url)
                location = answer.headers.get("Location")
                # A status 300 or a redirect without an address is an answer like any other.
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
        return StatusError(f"{said} for {path}" + (f": {why}" if why else ""), status=status)


def _explanation(body: bytes) -> str:
    """Return the explanation in an error object as Scryfall and others send it, or "" if there is none."""
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
    """Translate an exception of the libraries into a NetworkError, or a TemporaryError if a retry makes sense."""
    if isinstance(error, requests.exceptions.InvalidURL):
        return NetworkError(f"{host} is not the name of a server")
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return NetworkError(f"the certificate of {host} is not trusted, so nothing was read from it")
    if isinstance(error, requests.exceptions.ProxyError):
        return NetworkError(f"the proxy named in this environment does not lead to {host}")
    if isinstance(error, (requests.Timeout, ReadTimeoutError, TimeoutError)):
        return DownloadTimeoutError(f"{host} did not answer in time")
    # requests wraps the exception of urllib3, which wraps that of the operating system.
    reason = getattr(error.args[0], "reason", None) if error.args else None
    if isinstance(reason, NewConnectionError):
        # The name has no address.
        if isinstance(reason.__cause__, socket.gaierror):
            return UnreachableError(f"{host} cannot be found: is this computer online?")
        return UnreachableError(f"no server answers at {host}")
    return TemporaryError(f"the connection to {host} broke off")
