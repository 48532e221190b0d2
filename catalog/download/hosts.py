"""Hosts that are asked for data: which addresses are allowed, how often one is asked, and what can go wrong."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from ccgrid.catalog.errors import CatalogError

LONGEST_QUOTE: Final = 300
"""How many characters of a server's own words an error may quote."""


class DownloadError(CatalogError):
    """A file or an answer that could not be had: one or two lines that say why and what to do."""


class NetworkError(DownloadError):
    """The network or the server is at fault, so that a file downloaded by other means would help.

    The message is a clause without a full stop: `Client` ends it and adds the way around.
    """


class TemporaryError(NetworkError):
    """A failure that may pass by itself, worth another try after `wait` seconds or more.

    `unreachable` says that there was no server at all to talk to.
    """

    def __init__(self, message: str, *, wait: float = 0.0, unreachable: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.unreachable = unreachable


def printable_line(text: str, longest: int = LONGEST_QUOTE) -> str:
    r"""A stranger's text as one line without anything that a terminal would obey, cut to `longest` characters.

    >>> printable_line("two\nlines and \x1b[31mred")
    'two lines and �[31mred'
    """
    # Cut before it is split: a stranger's text may be endless.
    line = " ".join(text[: 4 * longest].split())
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def span(seconds: float) -> str:
    """A time to wait, in seconds, as people say it.

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
    """The parts of a web address.

    Raises:
        DownloadError: it is not an http or https address with a host, or it carries a password.
    """
    try:
        parts = urlsplit(url)
        # A point at the end of a name is allowed, and means the same.
        labels = (parts.hostname or "").removesuffix(".").split(".")
        # A label of a host's name has 1 to 63 characters (RFC 1035).
        usable = parts.scheme in ("http", "https") and parts.port != 0 and all(0 < len(one) < 64 for one in labels)
    except ValueError:
        usable = False
    # Spaces and what is not printable could break the request into two.
    if not usable or len(url) > LONGEST_ADDRESS or not url.isprintable() or " " in url:
        raise DownloadError(f"not an http or https address: {printable_line(url, 100)!r}")
    if parts.username is not None or parts.password is not None:
        raise DownloadError(f"an address with a user name or password in it is not supported: {host_of(url)}")
    return parts


def host_of(url: str) -> str:
    """The host, and the port where one is named, of an address that `check_address` has passed."""
    return printable_line(urlsplit(url).netloc.rpartition("@")[2], 100)


def next_address(url: str, location: str) -> str:
    """Where a redirect from `url` leads.

    Raises:
        DownloadError: it leads to something other than http or https, or from https down to http.
    """
    try:
        # Header bytes arrive as Latin-1; servers that send other letters mean UTF-8.
        # `urljoin`: a redirect may name only a path.
        target = urljoin(url, location.encode("latin-1", "replace").decode("utf-8", "replace").strip())
        scheme = check_address(target).scheme
    except ValueError:
        raise NetworkError(
            f"{host_of(url)} redirects to an address that is refused: {printable_line(location, 100)!r}"
        ) from None
    if urlsplit(url).scheme == "https" and scheme == "http":
        raise NetworkError(
            f"{host_of(url)} redirects from https to plain http, which is refused: {printable_line(location, 100)!r}"
        )
    return target


FIRST_BACK_OFF: Final = 0.5
"""Seconds before the second try; it doubles with every further one."""
LONGEST_BACK_OFF: Final = 30.0  # seconds
LONGEST_WAIT: Final = 120.0
"""The most seconds that a server may make us wait; asked for more, the program stops and says when to come back."""
LOCKED_OUT: Final = 30.0
"""Seconds to wait after a 429 that does not say how long: what Scryfall locks a client out for."""
LONGEST_TIME: Final = 3 * 3600.0
"""Seconds after which no answer is read on, and no other try is made: 500 MB in that time are 46 kB a second. What has
come by then is kept, and the same command continues from there."""
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
        # Not before the pause after the last request is over; the request after this one waits from here.
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

        A try that failed but received enough bytes (`gained`) starts the count anew.

        Raises:
            NetworkError: it is time to give up: no server was ever reached, it asks for too long a wait, or every
                try failed, or all of them together took too long.
        """
        # Nobody was ever reached: this computer is offline, and other tries would not help.
        if trouble.unreachable and not self._answered:
            raise trouble
        self._answered = True
        if trouble.wait > LONGEST_WAIT:
            raise NetworkError(f"{trouble}, and asks for a pause: try again in {span(trouble.wait)}") from trouble
        seconds = self._clock() - self._start
        if seconds > LONGEST_TIME:
            raise NetworkError(f"{trouble}, and {span(seconds)} have passed") from trouble
        # Much has come: as if this were the first failure.
        self._failures = 1 if gained >= ENOUGH_PROGRESS else self._failures + 1
        if self._failures >= self._attempts:
            times = "" if self._failures == 1 else f" ({self._failures} tries)"
            raise NetworkError(f"{trouble}{times}") from trouble
        # Waits for half to all of it, at random: clients that failed together do not come back together.
        back_off = min(LONGEST_BACK_OFF, FIRST_BACK_OFF * 2.0 ** (self._failures - 1))
        self._sleep(max(trouble.wait, back_off * (1 + self._random.random()) / 2))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that a `Retry-After` header asks for, as a number or as an HTTP date (RFC 9110, 10.2.3).

    A date is compared with the server's own `Date` where there is one, so that a wrong clock here does no harm; else
    with `now`, in seconds since 1970. None where there is no such header, or one that makes no sense.
    """
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+", text):
        # Twelve digits are more seconds than anybody waits.
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
