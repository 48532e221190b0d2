"""The files of tables at which several people play."""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

from ccgrid.catalog.files import make_folder, write_own_file
from ccgrid.engine.errors import EngineError
from ccgrid.engine.records.record import RESIGNED, Record
from ccgrid.services.session import Session
from ccgrid.services.versions import first_version

TABLE_FORMAT: Final = 1


MOST_GAMES: Final = 20
"""The maximum number of finished games of a table that are kept; older ones are deleted."""


@dataclass(slots=True)
class TableFile(ABC):
    """A numbered table, and its file.

    Attributes:
        number: The number that users see.
        path: The file.
        games: The finished games before the current one.
        won: The number of games before the current one that each player won.
        remarks: Notices about the cards.
        version: A number that changes with every visible change; unlike those of another process.
        on_change: Called after every change.
        failed: The reason why the file could not be written, or empty.
        undone: How many times input was undone since the server started.
        where: The first word in the address of the table's page.
    """

    where: ClassVar[str] = "table"

    number: int
    path: Path
    games: list[Record] = field(default_factory=list, kw_only=True)
    won: Counter[str] = field(default_factory=Counter, kw_only=True)
    remarks: tuple[str, ...] = field(default=(), kw_only=True)
    version: int = field(default_factory=first_version, kw_only=True)
    on_change: Callable[[], object] | None = field(default=None, kw_only=True)
    failed: str = field(default="", kw_only=True)
    undone: int = field(default=0, kw_only=True)

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
        """The current game, or the last one; None before the cards on the table are known."""

    @property
    def turn(self) -> str:
        """An identifier of the next step; input for another one is rejected, also if this one was undone."""
        return f"{self._step}.{self.undone}" if self.undone else self._step

    @property
    @abstractmethod
    def _step(self) -> str:
        """The numbers of the game and of the next step in it."""

    @abstractmethod
    def _document(self) -> dict[str, object]:
        """Return the part of the document that only this kind of table has."""

    def _check(self, turn: str) -> None:
        """Raise EngineError if it is another turn now."""
        if turn != self.turn:
            raise EngineError("The game has moved on.")

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.playing is not None and self.playing.is_over

    @property
    def finished(self) -> list[Record]:
        """The finished games, the first one first."""
        return [*self.games, *([self.playing.record()] if self.playing is not None and self.is_over else [])]

    def standings(self) -> list[tuple[str, int]]:
        """Return the number of games that each player won; empty before the end of the first game."""
        if not self.finished:
            return []
        won = self.won + games_won(self.finished[-1:] if self.is_over else [])
        return [(player, won[player]) for player in self.players]

    def _finish(self) -> None:
        """Keep the current game, which is over, with the finished ones."""
        self.won += games_won(self.finished[-1:])
        self.games = self.finished[-MOST_GAMES:]

    def save(self) -> None:
        """Save the table atomically; if that fails, the game continues, and `failed` has the reason."""
        document = {
            "format": TABLE_FORMAT,
            "number": self.number,
            "remarks": list(self.remarks),
            "games": [record.to_document() for record in self.games],
            "won": self.won,
            **self._document(),
        }
        try:
            make_folder(self.path.parent, private=True)
            write_own_file(self.path, json.dumps(document, default=str).encode())  # dates as text
            self.failed = ""
        except OSError as error:
            self.failed = f"The game cannot be saved in {self.path.parent}: {error.strerror or error}."

    def _note(self) -> None:
        """Save the table, and notify the pages that show it."""
        self.version += 1
        self.save()
        if self.on_change is not None:
            self.on_change()


def games_won(games: Iterable[Record]) -> Counter[str]:
    """Return the number of games that each player won; if one of two players resigns, the other wins."""
    won = Counter[str]()
    for record in games:
        players, outcome = record.setup.players, record.final().outcome()
        left = [player for player in players if player != record.notes.get(RESIGNED)]
        if len(left) < len(players):
            won.update(left if len(left) == 1 else [])
        elif outcome is not None and outcome.winner is not None:
            won[players[outcome.winner]] += 1
    return won


def read_won(document: Mapping[str, Any], games: Iterable[Record]) -> Counter[str]:
    """Return the number of games that each player won; files of earlier versions have only the games themselves."""
    won = document.get("won")
    return games_won(games) if won is None else Counter({str(name): int(count) for name, count in won.items()})
