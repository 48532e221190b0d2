"""The four-letter code that people type instead of scanning the QR code."""

import hmac
import secrets
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ccgrid.catalog.errors import CatalogError

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without I and O, which look like digits."""
_LENGTH: Final = 4
_LIFETIME: Final = 600.0
"""Seconds after which the code changes."""
_MOST_WRONG: Final = 50
"""Maximum number of wrong tries; then there is no code until it would change."""
_MOST_A_MINUTE: Final = 5
"""Maximum number of wrong tries of one address in a minute."""
_MOST_ADDRESSES: Final = 1000


class JoinCode:
    """A code that lets a browser in while a page shows it; it changes after use and after ten minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._code, self._end, self._wrong = "", 0.0, 0
        self._pages = Counter[str]()
        self._tries: dict[str, deque[float]] = {}

    @contextmanager
    def shown_for(self, path: str) -> Iterator[None]:
        """Keep the code valid during the block, in which a page shows it that invites to `path`."""
        self._pages[path] += 1
        try:
            yield
        finally:
            self._pages -= Counter([path])

    @property
    def letters(self) -> str:
        """The current code, or "" after too many wrong tries."""
        if self._clock() >= self._end:
            self._code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
            self._end, self._wrong = self._clock() + _LIFETIME, 0
        return self._code if self._wrong < _MOST_WRONG else ""

    def enter(self, text: str, address: str) -> str:
        """Return the path to which a code invites, and replace the code.

        Raises:
            CatalogError: If the code is wrong, no page shows it, or there were too many wrong tries.
        """
        now, tries = self._clock(), self._tries.setdefault(address, deque(maxlen=_MOST_A_MINUTE))
        if len(self._tries) > _MOST_ADDRESSES:
            del self._tries[next(iter(self._tries))]
        letters = self.letters
        if not letters or (len(tries) == _MOST_A_MINUTE and now - tries[0] < 60):
            raise CatalogError("Too many wrong codes. Wait a minute, or scan the QR code.")
        typed = "".join(text.split()).upper()
        if not self._pages or not hmac.compare_digest(typed.encode(), letters.encode()):
            tries.append(now)
            self._wrong += 1
            raise CatalogError("This is not the code that the board shows now.")
        self._end = now
        return next(iter(self._pages)) if len(self._pages) == 1 else "/"
