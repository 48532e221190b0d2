"""A match in progress: one session after the other, the games so far, and the file that holds them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from catalog.files import write_whole
from ccgrid.services.session import Session
from engine.game import Outcome
from engine.records.match import Match


@dataclass(slots=True)
class MatchSession:
    """A match in progress: the games that are over, and the one that is played.

    Attributes:
        match: the match with the games that are over.
        session: the game that is played, or the last one.
        deal: deals the next game of a match.
    """

    match: Match
    session: Session
    deal: Callable[[Match], Session]

    @classmethod
    def begin(cls, match: Match, deal: Callable[[Match], Session]) -> "MatchSession":
        """A match whose first game is dealt."""
        return cls(match, deal(match), deal)

    @property
    def number(self) -> int:
        """The number of the game that is played, counted from 1."""
        return len(self.match.records) + 1

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return len(self.session.computers) < len(self.match.players)

    def end_game(self) -> Outcome | None:
        """Counts the game, which is over, and returns how the match ended; None where there are more games to play."""
        self.match = self.match.add(self.session.record())
        return self.match.outcome()

    def next_game(self) -> Session:
        """Deals the next game and returns it; raises EngineError where the match is over."""
        self.session = self.deal(self.match)
        return self.session

    def write(self, path: Path) -> None:
        """Writes the games, a line each, the last one perhaps unfinished; nothing where none was begun."""
        lines = self.match.to_json_lines()
        played = self.session.record()
        is_counted = any(replace(record, match=played.match) == played for record in self.match.records)
        if self.session.moves and not is_counted:
            lines += replace(played, match=self.match.next_game).to_json_line() + "\n"
        if lines:
            write_whole(path, lines)
