"""Connections of browsers, with limits on clients that send no complete request."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

_SECONDS: Final = 10.0
"""Seconds to send the head of a request."""
_MOST: Final = 32
"""Maximum number of connections of an address without a complete request; a further one ends the oldest."""


def limited_protocol() -> type[Any]:
    """Return uvicorn's protocol class for a server, with limits; other connections do not count."""
    unfinished: dict[str, dict[Any, asyncio.TimerHandle]] = {}

    class LimitedProtocol(H11Protocol):  # type: ignore[misc]  # it is in an extra
        """A connection that is closed if it sends no complete request in time."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._address = self.client[0] if self.client else ""
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self._unwatch()
            super().connection_lost(exc)

        def _watch(self) -> None:
            """Limit the time of a request that has begun, or stop doing so if its head is complete."""
            if self.cycle is not None and not self.cycle.response_complete:
                self._unwatch()
                return
            same = unfinished.setdefault(self._address, {})
            if self in same or self.transport.is_closing():
                return
            same[self] = self.loop.call_later(_SECONDS, self.transport.abort)
            if len(same) > _MOST:
                oldest = next(iter(same))
                oldest._unwatch()  # at once: many connections may be made before this one is lost
                oldest.transport.abort()

        def _unwatch(self) -> None:
            same = unfinished.get(self._address, {})
            if clock := same.pop(self, None):
                clock.cancel()
            if not same:
                unfinished.pop(self._address, None)

    return LimitedProtocol
