"""How answers are read off the network: with a floor to the body's bytes in a second, and an end to all around it."""

import io
import socket
import time
from http.client import HTTPException, HTTPResponse
from typing import Any, Final

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from catalog.download.patience import LONGEST_TIME

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
