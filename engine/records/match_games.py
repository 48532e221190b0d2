"""What the record of one game of a match says about the match: its number, how many there are, how they count."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine import schema
from engine.errors import quoted
from engine.schema import RecordError, Schema

LONGEST_MATCH: Final = 99
COUNTS: Final = ("points", "wins")
"""What is added up over the games of a match."""

MATCH_GAME: Final[Schema] = schema.table(
    {"number": schema.whole, "counts": schema.text}, {"of": schema.whole, "same_deal": schema.truth}
)
"""The keys and types of a record's `match`."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game's place in a match.

    Attributes:
        number: which game it is, from 1.
        counts: what is added up, points or wins.
        of: of how many games, or of at most how many where wins count; None where nobody has said.
        same_deal: whether each deal is played again with the seats exchanged.
    """

    number: int
    counts: str
    of: int | None = None
    same_deal: bool = False

    def to_table(self) -> dict[str, Any]:
        """The `match` table of a record."""
        table = {"of": self.of, "number": self.number, "counts": self.counts, "same_deal": self.same_deal or None}
        return {key: value for key, value in table.items() if value is not None}

    def is_of_same_match(self, other: "MatchGame") -> bool:
        """Whether both may be games of one match: of as many games, which count alike."""
        return (self.of, self.counts, self.same_deal) == (other.of, other.counts, other.same_deal)


def read_match_game(table: Mapping[str, Any]) -> MatchGame:
    """A game's place in a match, of a table that has passed `MATCH_GAME`.

    Raises:
        RecordError: a value cannot be; with its place.
    """
    game = MatchGame(**table)
    if game.counts not in COUNTS:
        raise RecordError("counts", f"must be {' or '.join(map(quoted, COUNTS))}, not {quoted(game.counts)}")
    if game.of is not None and not 1 <= game.of <= LONGEST_MATCH:
        raise RecordError("of", f"must be 1 to {LONGEST_MATCH} games, not {game.of}")
    if not 1 <= game.number <= (game.of or LONGEST_MATCH):
        raise RecordError("number", f"must be 1 to {game.of or LONGEST_MATCH}, not {game.number}")
    return game
