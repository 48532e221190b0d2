"""Errors of downloads.

DownloadError
├── AddressError             an address that is not asked
├── CacheError               the folder of downloads cannot be used
├── BusyDownloadError        another process is downloading the same file
├── TooLargeError            a file or an answer beyond the limit
└── NetworkError             the network or the server is at fault
├── StatusError          an answer with another HTTP status than the expected ones
└── TemporaryError       a failure that may pass
├── DownloadTimeoutError
└── UnreachableError
"""

from copy import copy
from typing import Self

from ccgrid.catalog.errors import CatalogError


class DownloadError(CatalogError):
    """Raised if a file or an answer is not available. The message says why and what to do, in one or two lines."""


class AddressError(DownloadError):
    """Raised for an address that is not http or https, or that contains a password."""


class CacheError(DownloadError):
    """Raised if the folder of downloads cannot be read or written."""


class BusyDownloadError(DownloadError):
    """Raised if another process is downloading the same file."""


class TooLargeError(DownloadError):
    """Raised if a file or an answer is larger than the limit."""


class NetworkError(DownloadError):
    """Raised if the network or the server is at fault, so that downloading the file by other means would help.

    Inside this package the message is a clause without a full stop. `Client` completes it and adds the alternative.
    """

    def with_message(self, message: str) -> Self:
        """Return the same error with another message."""
        error = copy(self)
        error.args = (message,)
        return error


class StatusError(NetworkError):
    """Raised if a server answers with an unexpected HTTP `status`, such as 404."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class TemporaryError(NetworkError):
    """Raised for a failure that may pass: another attempt makes sense after `wait` seconds or more."""

    def __init__(self, message: str, *, wait: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait


class DownloadTimeoutError(TemporaryError):
    """Raised if a server does not answer in time."""


class UnreachableError(TemporaryError):
    """Raised if no server can be reached."""
