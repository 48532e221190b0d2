"""Match play: several games between the same players, who starts each of them, and who wins them all together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from catalog.card import Card
from engine.dice import Dice
from engine.errors import EngineError
from engine.game import Ending, Outcome, Setup, check_seats
from engine.games import find_game
from engine.record import Record

LONGEST_MATCH: Final = 99
TACTICS_GAMES: Final = 3
"""How many games a match of tactics has by its rules."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the game, the players in seat order, at most how many games, how they count, and those that are over.

    Games come in by `add` alone, each with its outcome.

    With `adds_points` all games are played and their points added, as the rules of tactics say. Without, each game won
    counts one, a drawn one nothing, and the match is over as soon as nobody can catch up with the leader.
    """

    game: str
    players: tuple[str, ...]
    length: int
    adds_points: bool = False
    records: tuple[Record, ...] = ()
    outcomes: tuple[Outcome, ...] = ()

    @classmethod
    def by_points(cls, game: str, players: Sequence[str], length: int = TACTICS_GAMES) -> "Match":
        """A match of so many games, all of them played, whose points are added.

        Raises:
            EngineError: there is no such game, or it is not for so many players; or the number of games cannot be.
        """
        return _checked(cls(game, tuple(players), length, True))

    @classmethod
    def best_of(cls, game: str, players: Sequence[str], length: int) -> "Match":
        """A match of at most so many games, won by who wins most of them; raises what `by_points` raises."""
        return _checked(cls(game, tuple(players), length))

    @property
    def next_first(self) -> int | None:
        """The seat that starts the next game: the winner of the last, after a draw the seat after its starter.

        `None` where the dice decide, for the first game, or the game's own rules.
        """
        if not self.records or not find_game(self.game).has_first:
            return None
        last, outcome = self.records[-1].setup.first, self.outcomes[-1]
        return outcome.winner if outcome.winner is not None else ((last or 0) + 1) % len(self.players)

    def deal(
        self, decks: Sequence[Sequence[Card]], dice: Dice, *, options: Mapping[str, object] | None = None
    ) -> Setup:
        """Deals the next game; raises `EngineError` as `Game.deal` does, or when the match is over."""
        self._check_goes_on()
        return find_game(self.game).deal(self.players, decks, dice, first=self.next_first, options=options)

    def add(self, record: Record) -> "Match":
        """The match with one more game.

        Raises:
            EngineError: the match is over, or this is not its next game: another game or other players or another
                starter, or not over; or a move of it is not legal.
        """
        self._check_goes_on()
        setup = record.setup
        if setup.game != self.game:
            raise EngineError(f"this is a game of {setup.game}, and the match is of {self.game}")
        if setup.players != self.players:
            raise EngineError(
                f"this is a game of {', '.join(setup.players)}: the match is of {', '.join(self.players)}"
            )
        if self.next_first is not None and setup.first != self.next_first:
            raise EngineError(f"{self.players[self.next_first]} starts this game of the match")
        outcome = record.final().outcome()
        if outcome is None:
            raise EngineError("this game is not over: only a finished one counts in a match")
        return replace(self, records=(*self.records, record), outcomes=(*self.outcomes, outcome))

    def add_all(self, records: Iterable[Record]) -> "Match":
        """The match with these games, one after the other, as they stand in a file; an error says which game it is in.

        Raises:
            EngineError: what `add` raises.
        """
        match = self
        for number, record in enumerate(records, start=len(self.records) + 1):
            try:
                match = match.add(record)
            except EngineError as error:
                raise EngineError(f"game {number}: {error}") from None
        return match

    def scores(self) -> tuple[int, ...]:
        """Each seat's points in all games so far, or the games it has won."""
        if self.adds_points:
            return tuple(sum(outcome.scores[seat] for outcome in self.outcomes) for seat in range(len(self.players)))
        return tuple(sum(outcome.winner == seat for outcome in self.outcomes) for seat in range(len(self.players)))

    def ending(self) -> Ending | None:
        """Why the match is over; nothing while it is not."""
        played = len(self.records)
        if played == self.length:
            return Ending(
                "all-games", f"all {self.length} games are played" if self.length > 1 else "the game is played"
            )
        first, second = sorted(self.scores(), reverse=True)[:2]
        if not self.adds_points and first > second + self.length - played:
            return Ending("decided", f"nobody can catch up in the {self.length - played} games left")
        return None

    def outcome(self) -> Outcome | None:
        """How the match ended: the highest total wins, equal is a draw; nothing while it is not over."""
        ending = self.ending()
        return None if ending is None else Outcome.of(self.scores(), ending)

    def to_json_lines(self) -> str:
        """The games as a file of JSON Lines holds them, one a line."""
        return "".join(f"{record.to_json_line()}\n" for record in self.records)

    def _check_goes_on(self) -> None:
        if ending := self.ending():
            raise EngineError(f"the match is over: {ending}")


def _checked(match: Match) -> Match:
    check_seats(find_game(match.game), match.players)
    if not 1 <= match.length <= LONGEST_MATCH:
        raise EngineError(f"a match has 1 to {LONGEST_MATCH} games, not {match.length}")
    return match
