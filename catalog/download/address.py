"""Which addresses may be asked, and where a redirect may lead."""

from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from ccgrid.catalog.card import CatalogError

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


def plain(text: str, longest: int = LONGEST_QUOTE) -> str:
    r"""A stranger's text as one line without anything that a terminal would obey, cut to `longest` characters.

    >>> plain("two\nlines and \x1b[31mred")
    'two lines and �[31mred'
    """
    line = " ".join(text[: 4 * longest].split())
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def span(seconds: float) -> str:
    """A time to wait, in seconds, as people say it.

    >>> span(31), span(600), span(86_400)
    ('31 seconds', '10 minutes', '24 hours')
    """
    for unit, length in (("seconds", 1), ("minutes", 60)):
        if seconds < 120 * length:
            return f"{round(seconds / length)} {unit}"
    return f"{round(seconds / 3600)} hours"


LONGEST_ADDRESS: Final = 8_000


def check_address(url: str) -> SplitResult:
    """The parts of a web address.

    Raises:
        DownloadError: it is not an http or https address with a host, or it carries a password.
    """
    try:
        parts = urlsplit(url)
        labels = (parts.hostname or "").removesuffix(".").split(".")
        usable = parts.scheme in ("http", "https") and parts.port != 0 and all(0 < len(one) < 64 for one in labels)
    except ValueError:
        usable = False
    if not usable or len(url) > LONGEST_ADDRESS or not url.isprintable() or " " in url:
        raise DownloadError(f"not an http or https address: {plain(url, 100)!r}")
    if parts.username is not None or parts.password is not None:
        raise DownloadError(f"an address with a user name or password in it is not supported: {host_of(url)}")
    return parts


def host_of(url: str) -> str:
    """The host, and the port where one is named, of an address that `check_address` has passed."""
    return plain(urlsplit(url).netloc.rpartition("@")[2], 100)


def next_address(url: str, location: str) -> str:
    """Where a redirect from `url` leads.

    Raises:
        DownloadError: it leads to something other than http or https, or from https down to http.
    """
    try:
        # Header bytes arrive as Latin-1; servers that send other letters mean UTF-8.
        target = urljoin(url, location.encode("latin-1", "replace").decode("utf-8", "replace").strip())
        scheme = check_address(target).scheme
    except ValueError:
        raise NetworkError(
            f"{host_of(url)} redirects to an address that is refused: {plain(location, 100)!r}"
        ) from None
    if urlsplit(url).scheme == "https" and scheme == "http":
        raise NetworkError(
            f"{host_of(url)} redirects from https to plain http, which is refused: {plain(location, 100)!r}"
        )
    return target
