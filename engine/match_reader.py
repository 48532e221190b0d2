"""Games of matches as they stand in files, one after the other: who had to start each, and what they come to."""

from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EngineError, quoted
from engine.game import Outcome
from engine.match import Match
from engine.match_games import MatchGame
from engine.record import Reading, Record
from engine.schema import RecordError


@dataclass(frozen=True, slots=True)
class Standing:
    """How a match stands after a game of it.

    Attributes:
        game: the place of the game in the match.
        totals: each player's points, or games won, in all games up to this one; None where not all of them were read.
        outcome: how the match ended; None while it is not over, or nobody has said of how many games it is.
    """

    game: MatchGame
    totals: dict[str, int] | None = None
    outcome: Outcome | None = None

    def to_dict(self, *, scores: bool = True) -> dict[str, Any]:
        """The standing as scripts see it: `match` in `score --json`, and without scores in `validate --json`."""
        over = self.outcome is not None
        winner = self.outcome.winner if self.outcome else None
        told = {
            "totals": self.totals,
            "over": over,
            "winner": None if winner is None or self.totals is None else list(self.totals)[winner],
        }
        return {**self.game.to_table(), "of": self.game.of, **(told if scores else {})}


class MatchReader:
    """Follows games in the order in which they are read.

    A match begins with its game number 1. A later game whose earlier ones were not read right before it is a game like
    any other: who had to start it cannot be known.
    """

    def __init__(self) -> None:
        self._match: Match | None = None
        self._unfinished: MatchGame | None = None

    def follow(self, reading: Reading) -> tuple[Reading, Standing | None]:
        """The reading, with an error where the game is not the next one of its match, and how that match stands."""
        record = reading.record
        place = record.match if record is not None else None
        if record is None or place is None or reading.error is not None:
            self._match = self._unfinished = None
            return reading, None
        try:
            if place.number == 1:
                self._match, self._unfinished = Match.of_record(record, place), None
            elif not self._is_next(record, place):
                self._match = self._unfinished = None
                return reading, Standing(place)
            standing = self._count(record, place, reading)
        except RecordError as error:
            self._match = self._unfinished = None
            return replace(reading, error=error), Standing(place)
        except EngineError as error:
            self._match = self._unfinished = None
            return replace(reading, error=RecordError("match", str(error))), Standing(place)
        return reading, standing

    def _is_next(self, record: Record, place: MatchGame) -> bool:
        """Whether the game goes on with the match that was read; RecordError where it is of that match and does not."""
        match, before = self._match, self._unfinished
        if match is None or not place.is_of_same_match(before or match.next_game):
            return False
        setup = record.setup
        if setup.game != match.game or set(setup.players) != set(match.players):
            return False
        if before is not None:
            raise RecordError("match.number", f"is {place.number}, but game {before.number} is not over")
        if place.number != match.next_game.number:
            raise RecordError("match.number", f"is {place.number}, and the game before it is {len(match.records)}")
        return True

    def _count(self, record: Record, place: MatchGame, reading: Reading) -> Standing:
        match = self._match
        if match is None:
            return Standing(place)
        first = match.next_first
        if first is not None and record.setup.players == match.next_players and record.setup.first != first:
            raise RecordError("first", _why_starts(match, match.next_players[first]))
        if reading.state is None or reading.state.outcome() is None:
            match.check_next(record)
            self._unfinished = place
        else:
            match = self._match = match.add(record)
        return Standing(place, dict(zip(match.players, match.scores(), strict=True)), match.outcome())


def _why_starts(match: Match, name: str) -> str:
    number = match.next_game.number
    if match.same_deal:
        why = "the deal is played again with the seats exchanged"
    elif match.outcomes[-1].winner is None:
        why = f"game {number - 1} was a draw, and it is the next seat's turn"
    else:
        why = f"{quoted(name)} won game {number - 1}"
    return f"must be {quoted(name)} in game {number} of the match: {why}"
