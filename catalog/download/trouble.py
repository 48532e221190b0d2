"""What can go wrong between this program and a server, in words; the only errors that the download package raises."""

from typing import Final

from catalog.card import CatalogError

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
