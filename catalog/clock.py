"""Times as the catalogue stores them and as messages show them."""

from datetime import UTC, datetime


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def local_minute(moment: str) -> str:
    """Return a time from `now` for users: local, to the minute.

    >>> import re
    >>> bool(re.fullmatch("2026-11-2[23] [0-9]{2}:[0-9]{2}", local_minute("2026-11-22T23:59:58+00:00")))
    True
    """
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"
