"""What happens in a game in progress, and what a seat may know of it at one moment: values for who shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.game import Outcome, State
from engine.records.record import Ply


@dataclass(frozen=True, slots=True)
class Played:
    """A player made a move; `ply` holds it with the position before it."""

    ply: Ply


@dataclass(frozen=True, slots=True)
class TookBack:
    """So many moves were taken back."""

    moves: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gave the game up."""

    player: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over by its rules."""

    outcome: Outcome


Event = Played | TookBack | Resigned | Ended
"""What happened in a game."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one seat may know of a game at one moment, and nothing else: enough to show it.

    Attributes:
        seat: whose eyes these are.
        view: the position as the seat sees it.
        to_move: the seat whose turn it is.
        is_person: whether a person is to move.
        legal: the legal moves, if this seat is to move and the game goes on; else none.
        moves: how many moves were made.
        last: the move that led here, None at the beginning.
        news: what the others did between the seat's last turn and this one, where it is to move.
        unseen: how many cards lie where the seat cannot see them: in `pile`, or in `hand:1`, the hand of seat 1.
        scores: each seat's points so far.
        outcome: how the game ended; None while it goes on or was given up.
        resigned: who gave the game up.
    """

    seat: int
    view: State
    to_move: int
    is_person: bool
    legal: tuple[str, ...]
    moves: int
    last: str | None
    news: tuple[Ply, ...]
    unseen: Mapping[str, int]
    scores: tuple[int, ...]
    outcome: Outcome | None
    resigned: str | None

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.view.players


def told(events: Sequence[Event]) -> list[Ply]:
    """The moves among events."""
    return [event.ply for event in events if isinstance(event, Played)]
