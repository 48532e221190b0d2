"""How answers are read off the network: with an end to headers and trailers, and a floor to the bytes in a second."""

import io
import socket
import time
from http.client import HTTPException, HTTPResponse
from typing import Any, Final

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

GRACE: Final = 60.0
"""Seconds in which an answer may be as slow as it likes."""
SLOWEST: Final = 1000
"""Bytes a second that have to come after that, counted from the beginning."""
MOST_INTERIM: Final = 10
"""The most answers such as `100 Continue` that may come before the answer itself."""
MOST_TRAILERS: Final = 100


class _Watched(io.RawIOBase):
    """The bytes of one answer, stopped where they come too slowly to mean it."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw, self._began, self._count = raw, time.monotonic(), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        count = self._raw.readinto(buffer)
        self._count += count or 0
        late = time.monotonic() - self._began - GRACE
        if late > 0 and self._count < SLOWEST * late:
            raise TimeoutError("the answer comes too slowly")
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    """An answer with an end to what stands around its body."""

    def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        self._interim = 0
        self.fp = io.BufferedReader(_Watched(self.fp.detach()))

    def _read_status(self) -> tuple[str, int, str]:
        self._interim += 1
        if self._interim > MOST_INTERIM:
            raise HTTPException("answers that are none, without end")
        return super()._read_status()  # type: ignore[misc, no-any-return]

    def _read_next_chunk_size(self) -> int:
        size: int = super()._read_next_chunk_size()  # type: ignore[misc]
        if size < 0:
            raise HTTPException("a piece of a negative size")
        return size

    def _read_and_discard_trailer(self) -> None:
        for _ in range(MOST_TRAILERS):
            if self.fp.readline(1 << 16) in (b"\r\n", b"\n", b""):
                return
        raise HTTPException("trailers without end")


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
