"""Rules for requests to hosts: allowed addresses, pauses between requests, and retries."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from ccgrid.catalog.download.errors import AddressError, NetworkError, TemporaryError, UnreachableError

LONGEST_QUOTE: Final = 300
"""The most characters that an error quotes from a server's answer."""


def printable_line(text: str, longest: int = LONGEST_QUOTE) -> str:
    r"""Return an untrusted text as one line without control characters, cut to `longest` characters.

    >>> printable_line("two\nlines and \x1b[31mred")
    'two lines and �[31mred'
    """
    # Cut before splitting: the text may be very long.
    line = " ".join(text[: 4 * longest].split())
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def span(seconds: float) -> str:
    """Format a duration in seconds as text.

    >>> span(31), span(600), span(86_400)
    ('31 seconds', '10 minutes', '24 hours')
    """
    for unit, length in (("seconds", 1), ("minutes", 60)):
        # Up to two of the next unit: 119 seconds, then 2 minutes.
        if seconds < 120 * length:
            return f"{round(seconds / length)} {unit}"
    return f"{round(seconds / 3600)} hours"


LONGEST_ADDRESS: Final = 8_000  # characters


def check_address(url: str) -> SplitResult:
    """Return the parts of a web address.

    Raises:
        AddressError: If it is not an http or https address with a host, or contains a password.
    """
    try:
        parts = urlsplit(url)
        # A point at the end of a name is allowed, and means the same.
        labels = (parts.hostname or "").removesuffix(".").split(".")
        # A label of a host's name has 1 to 63 characters (RFC 1035).
        usable = parts.scheme in ("http", "https") and parts.port != 0 and all(0 < len(one) < 64 for one in labels)
    except ValueError:
        usable = False
    # Spaces and control characters could split the request into two.
    if not usable or len(url) > LONGEST_ADDRESS or not url.isprintable() or " " in url:
        raise AddressError(f"not an http or https address: {printable_line(url, 100)!r}")
    if parts.username is not None or parts.password is not None:
        raise AddressError(f"an address with a user name or password in it is not supported: {host_of(url)}")
    return parts


def host_of(url: str) -> str:
    """Return the host of an address that `check_address` has accepted, with the port if the address names one."""
    return printable_line(urlsplit(url).netloc.rpartition("@")[2], 100)


def next_address(url: str, location: str) -> str:
    """Return the address to which a redirect from `url` leads.

    Raises:
        NetworkError: If it is not an http or https address, or leads from https to http.
    """
    try:
        # Header bytes are decoded as Latin-1, but servers that send other letters mean UTF-8. `urljoin`: a redirect
        # may name only a path.
        target = urljoin(url, location.encode("latin-1", "replace").decode("utf-8", "replace").strip())
        scheme = check_address(target).scheme
    except ValueError:
        raise NetworkError(
            f"{host_of(url)} redirects to an address that is not allowed: {printable_line(location, 100)!r}"
        ) from None
    if urlsplit(url).scheme == "https" and scheme == "http":
        raise NetworkError(
            f"{host_of(url)} redirects from https to plain http, which is not allowed: "
            f"{printable_line(location, 100)!r}"
        )
    return target


FIRST_BACK_OFF: Final = 0.5
"""Seconds before the second attempt; the pause doubles with every further one."""
LONGEST_BACK_OFF: Final = 30.0  # seconds
LONGEST_WAIT: Final = 120.0
"""The longest pause in seconds that a server may ask for. If it asks for more, the download fails with the time."""
LOCKED_OUT: Final = 30.0
"""Seconds to wait after a status 429 without a time: Scryfall locks a client out for so long."""
LONGEST_TIME: Final = 3 * 3600.0
"""Seconds after which reading and retrying stop: 500 MB in that time are 46 kB a second. The bytes received so far are
kept, and the same command resumes from there."""
ENOUGH_PROGRESS: Final = 1_000_000
"""Bytes received in one attempt after which the count of failed attempts starts again."""


class Pace:
    """Pauses between requests to a host: `intervals` maps a host to the least number of seconds between two of them."""

    def __init__(
        self, intervals: Mapping[str, float], clock: Callable[[], float], sleep: Callable[[float], object]
    ) -> None:
        self._intervals = dict(intervals)
        self._clock = clock
        self._sleep = sleep
        self._free_at: dict[str, float] = {}

    def wait(self, host: str) -> None:
        """Sleep until a request to `host` may start. A host without an interval needs no pause."""
        interval = self._intervals.get(host, 0.0)
        if interval <= 0:
            return
        now = self._clock()
        # At the end of the pause after the previous request; the next pause begins there.
        start = max(now, self._free_at.get(host, now))
        self._free_at[host] = start + interval
        if start > now:
            self._sleep(start - now)


class Patience:
    """The decision after each failure of one request: wait for another attempt, or give up."""

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
        """Sleep before the next attempt.

        Args:
            trouble: The failure; it may ask for a pause.
            gained: The bytes received in the failed attempt. If they are many, the count of failures starts again.

        Raises:
            TemporaryError: If no further attempt makes sense: no server was ever reached, the server asks for too
                long a pause, all attempts failed, or together they took too long. It is of the kind of `trouble`.
        """
        # Without any answer so far this computer is offline, and other attempts would not help.
        if isinstance(trouble, UnreachableError) and not self._answered:
            raise trouble
        self._answered = True
        if trouble.wait > LONGEST_WAIT:
            raise trouble.with_message(
                f"{trouble}, and asks for a pause: try again in {span(trouble.wait)}"
            ) from trouble
        seconds = self._clock() - self._start
        if seconds > LONGEST_TIME:
            raise trouble.with_message(f"{trouble}, and {span(seconds)} have passed") from trouble
        self._failures = 1 if gained >= ENOUGH_PROGRESS else self._failures + 1
        if self._failures >= self._attempts:
            times = "" if self._failures == 1 else f" ({self._failures} tries)"
            raise trouble.with_message(f"{trouble}{times}") from trouble
        # Half of the pause to all of it, at random, so that clients that failed together do not return together.
        back_off = min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2.0 ** (self._failures - 1))
        self._sleep(max(trouble.wait, back_off * (1 + self._random.random()) / 2))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a `Retry-After` header asks for, as a number or as an HTTP date (RFC 9110, 10.2.3).

    A date is compared with the server's own `Date`, so that a wrong clock of this computer does no harm, or else with
    `now`, in seconds since 1970. Return None if the header is missing or malformed.
    """
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+", text):
        # Twelve digits are enough for any pause.
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
