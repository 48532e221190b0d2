"""A match in progress: its finished games, and the current one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ccgrid.catalog.files import write_atomically
from ccgrid.engine.game import Outcome
from ccgrid.engine.records.match import Match
from ccgrid.services.session import Session


@dataclass(slots=True)
class MatchSession:
    """A match in progress: the finished games, and the current one.

    Attributes:
        match: the match with its finished games.
        session: the current game, or the last one.
        deal: deals the next game of a match.
    """

    match: Match
    session: Session
    deal: Callable[[Match], Session]

    @classmethod
    def begin(cls, match: Match, deal: Callable[[Match], Session]) -> "MatchSession":
        """Return a match with its first game dealt."""
        return cls(match, deal(match), deal)

    @property
    def number(self) -> int:
        """The number of the current game, from 1."""
        return len(self.match.records) + 1

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return len(self.session.computers) < len(self.match.players)

    def end_game(self) -> Outcome | None:
        """Count the finished game; return the outcome of the match, or None if there are more games."""
        self.match = self.match.add(self.session.record())
        return self.match.outcome()

    def next_game(self) -> None:
        """Deal the next game.

        Raises:
            EngineError: If the match is over.
        """
        self.session = self.deal(self.match)

    def write(self, path: Path) -> None:
        """Write the games, one per line, the last one perhaps unfinished; write nothing if none has begun."""
        lines = self.match.to_json_lines()
        game = self.session.record()
        is_counted = any(replace(record, match=game.match) == game for record in self.match.records)
        if self.session.moves and not is_counted:
            lines += replace(game, match=self.match.next_game).to_json_line() + "\n"
        if lines:
            write_atomically(path, lines)
