"""When to ask a server again: the least time between two requests, and the waits after a failure."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from ccgrid.catalog.download.address import NetworkError, TemporaryError, span

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
            raise NetworkError(f"{trouble}, and asks for a pause: try again in {span(trouble.wait)}") from trouble
        seconds = self._clock() - self._start
        if seconds > LONGEST_TIME:
            raise NetworkError(f"{trouble}, and {span(seconds)} have passed") from trouble
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
