"""Match play: several games between the same players, who starts each of them, and who wins them all together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, RecordError, quoted
from ccgrid.engine.game import Ending, Outcome, Setup, check_seats
from ccgrid.engine.games import find_game
from ccgrid.engine.records.record import LONGEST_MATCH, CountedInMatch, MatchGame, MatchStandingJson, Reading, Record

USUAL_GAMES: Final = 3
"""How many games a match has whose points are added, where nobody says."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the game, the players in seat order, at most how many games, how they count, and those that are over.

    Games come in by `add` alone, each with its outcome, whose seats are those of `players`.

    With `adds_points` all games are played and their points added, as some rules say. Without, each game won
    counts one, a drawn one nothing, and the match is over as soon as nobody can catch up with the leader. With
    `same_deal` each deal is played as often as there are players, who each time move on by one seat: with two, twice
    with the seats exchanged. `length` is None where nobody has said how many games there are: such a match never ends.
    """

    game: str
    players: tuple[str, ...]
    length: int | None
    adds_points: bool = False
    records: tuple[Record, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    same_deal: bool = False

    @classmethod
    def by_points(
        cls, game: str, players: Sequence[str], length: int | None = None, *, same_deal: bool = False
    ) -> "Match":
        """A match of `length` games, all of them played, whose points are added.

        Where no number is given it is three games, and one deal for every seat with `same_deal`.

        Raises:
            EngineError: there is no such game, or not for that number of players; or the number of games cannot be.
        """
        if length is None:
            length = len(players) if same_deal else USUAL_GAMES
        return _check_match(cls(game, tuple(players), length, True, same_deal=same_deal))

    @classmethod
    def best_of(cls, game: str, players: Sequence[str], length: int, *, same_deal: bool = False) -> "Match":
        """A match of at most `length` games, won by who wins most of them; raises what `by_points` raises."""
        return _check_match(cls(game, tuple(players), length, same_deal=same_deal))

    @classmethod
    def of_record(cls, record: Record, place: MatchGame) -> "Match":
        """The match, of which nothing is played, that a record of its first game says it is of; raises EngineError."""
        points = place.counts == "points"
        return _check_match(cls(record.setup.game, record.setup.players, place.of, points, same_deal=place.same_deal))

    @property
    def next_game(self) -> MatchGame:
        """The place of the next game in the match."""
        counts = "points" if self.adds_points else "wins"
        return MatchGame(len(self.records) + 1, counts, self.length, self.same_deal)

    @property
    def next_players(self) -> tuple[str, ...]:
        """The players of the next game in the order in which they sit then."""
        turn = len(self.records) % len(self.players) if self.same_deal else 0
        return (*self.players[turn:], *self.players[:turn])

    @property
    def next_setup(self) -> Setup | None:
        """The setup of the next game where the deal of an earlier one is played again; else None."""
        # How many games of this deal are played: so many back is the first of them.
        again = len(self.records) % len(self.players) if self.same_deal else 0
        return seated(self.records[-again].setup, self.next_players) if again else None

    @property
    def next_first(self) -> int | None:
        """The seat that starts the next game: the winner of the last, after a draw the seat after its starter.

        `None` where the dice decide, for the first game and for new deals that are played from every seat, or the
        game's own rules.
        """
        if not self.records or not find_game(self.game).has_first:
            return None
        if self.same_deal:
            return None if (setup := self.next_setup) is None else setup.first
        # After a draw the seat behind the last starter's.
        last, outcome = self.records[-1].setup.first, self.outcomes[-1]
        return outcome.winner if outcome.winner is not None else ((last or 0) + 1) % len(self.players)

    def deal(
        self, decks: Sequence[Sequence[Card]], dice: Dice, *, options: Mapping[str, object] | None = None
    ) -> Setup:
        """Deals the next game; raises `EngineError` as `Game.deal` does, or when the match is over."""
        self._check_goes_on()
        if (again := self.next_setup) is not None:
            return again
        return find_game(self.game).deal(self.players, decks, dice, first=self.next_first, options=options)

    def check_next(self, record: Record) -> None:
        """Refuses what cannot be the next game of the match, whether it is over or not.

        Raises:
            EngineError: the match is over, or this is another game, or of other players, or another one starts, or it
                is another deal.
        """
        self._check_goes_on()
        setup = record.setup
        if setup.game != self.game:
            raise EngineError(f"this is a game of {setup.game}, and the match is of {self.game}")
        if setup.players != self.next_players:
            raise EngineError(
                f"this is a game of {', '.join(setup.players)}: the match is of {', '.join(self.next_players)}"
            )
        if self.next_first is not None and setup.first != self.next_first:
            raise EngineError(f"{self.next_players[self.next_first]} starts this game of the match")
        if (again := self.next_setup) is not None and setup != again:
            raise EngineError("this is another deal: the last one is played again with the seats exchanged")

    def add(self, record: Record) -> "Match":
        """The match with one more game, whose record is given its place in it.

        Raises:
            EngineError: the match is over, or this is not its next game: another game or other players or another
                starter, or not over; or a move of it is not legal.
        """
        self.check_next(record)
        outcome = record.final().outcome()
        if outcome is None:
            raise EngineError("this game is not over: only a finished one counts in a match")
        scores = dict(zip(record.setup.players, outcome.scores, strict=True))
        # By the names: in this game the players may sit in other seats than in the match.
        outcome = Outcome.of(tuple(scores[player] for player in self.players), outcome.ending)
        record_in_match = replace(record, match=self.next_game)
        return replace(self, records=(*self.records, record_in_match), outcomes=(*self.outcomes, outcome))

    def add_all(self, records: Iterable[Record]) -> "Match":
        """The match with these games, one after the other, as they stand in a file; an error says which game it is in.

        Raises:
            EngineError: what `add` raises.
        """
        match = self
        for number, record in enumerate(records, start=len(self.records) + 1):
            try:
                match = match.add(record)
            # Games are counted as people do: from 1, with those before.
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
        if self.length is None:
            return None
        left = self.length - len(self.records)
        if left == 0:
            return Ending(
                "all-games", f"all {self.length} games are played" if self.length > 1 else "the game is played"
            )
        # Even if the second one wins all games that are left.
        first, second = sorted(self.scores(), reverse=True)[:2]
        if not self.adds_points and first > second + left:
            return Ending("decided", f"nobody can catch up in the {left} remaining games")
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


def seated(setup: Setup, players: tuple[str, ...]) -> Setup:
    """The same deal with these players at its seats; setups are dataclasses."""
    dealt: Any = setup
    changed: Setup = replace(dealt, players=players)
    return changed


def _check_match(match: Match) -> Match:
    check_seats(find_game(match.game), match.players)
    if match.length is not None and not 1 <= match.length <= LONGEST_MATCH:
        raise EngineError(f"a match has 1 to {LONGEST_MATCH} games, not {match.length}")
    # Each deal is played from every seat, or some would have had the better one more often.
    if match.same_deal and match.length is not None and match.length % len(match.players):
        seats = len(match.players)
        raise EngineError(
            f"each deal is played {seats} times: a match has {seats}, {2 * seats} and so on games, not {match.length}"
        )
    return match


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

    def to_dict(self, *, scores: bool = True) -> MatchStandingJson:
        """The standing as scripts see it: `match` in `score --json`, and without scores in `validate --json`."""
        game, winner = self.game, self.outcome.winner if self.outcome else None
        standing: MatchStandingJson = {
            "of": game.of,
            "number": game.number,
            "counts": cast("CountedInMatch", game.counts),
        }
        if game.same_deal:
            standing["same_deal"] = True
        if scores:
            standing["totals"] = self.totals
            standing["over"] = self.outcome is not None
            standing["winner"] = None if winner is None or self.totals is None else list(self.totals)[winner]
        return standing


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
        # Said before anything else: it is what a person sees first.
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
