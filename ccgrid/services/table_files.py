"""The files of tables at which several people play."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

from ccgrid.catalog.files import make_folder, write_atomically
from ccgrid.engine.records.record import Record
from ccgrid.services.session import Session

TABLE_FORMAT: Final = 1


MOST_GAMES: Final = 20
"""So many games of a table that are over are kept, the newest ones."""


@dataclass(slots=True)
class TableFile(ABC):
    """A table by its number, and the file that holds it.

    Attributes:
        number: what people call it.
        path: the file.
        games: the games before the one that is played, which are over.
        remarks: what was said of its cards.
        version: counts the changes that anybody sees, from when the program was started.
        on_change: is called after every change.
        failed: why it could not be written.
        where: the word with which the address of its page begins.
    """

    where: ClassVar[str] = "table"

    number: int
    path: Path
    games: list[Record] = field(default_factory=list, kw_only=True)
    remarks: tuple[str, ...] = field(default=(), kw_only=True)
    version: int = field(default=0, kw_only=True)
    on_change: Callable[[], object] | None = field(default=None, kw_only=True)
    failed: str = field(default="", kw_only=True)

    @property
    @abstractmethod
    def game(self) -> str:
        """The name of the game."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""

    @property
    @abstractmethod
    def playing(self) -> Session | None:
        """The game that is played, or was played last; None before its cards lie on the table."""

    @property
    @abstractmethod
    def turn(self) -> str:
        """What is to be done next, in a word: what was meant for another turn is refused."""

    @abstractmethod
    def _document(self) -> dict[str, Any]:
        """What the file holds besides what all have."""

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more."""
        return self.playing is not None and self.playing.is_over

    @property
    def finished(self) -> list[Record]:
        """The games that are over, the first one first."""
        return [*self.games, *([self.playing.record()] if self.playing is not None and self.is_over else [])]

    def keep(self) -> None:
        """Writes the table, whole; a disk that does not allow it costs nobody their game, and `failed` says so."""
        document = {
            "format": TABLE_FORMAT,
            "number": self.number,
            "remarks": list(self.remarks),
            "games": [record.to_document() for record in self.games],
            **self._document(),
        }
        try:
            make_folder(self.path.parent, private=True)
            write_atomically(self.path, json.dumps(document, default=str))  # days are texts
            self.failed = ""
        except OSError as error:
            self.failed = f"The game cannot be saved in {self.path.parent}: {error.strerror or error}."

    def _note(self) -> None:
        """Keeps the table as it is now, and lets everybody know."""
        self.version += 1
        self.keep()
        if self.on_change is not None:
            self.on_change()
