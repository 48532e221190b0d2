"""Matches: several games between the same players, their starting players, and the overall winner."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, RecordError, quoted
from ccgrid.engine.game import Ending, Outcome, Setup, check_seats
from ccgrid.engine.games import find_game
from ccgrid.engine.records.record import LONGEST_MATCH, MatchGame, Reading, Record

if TYPE_CHECKING:
    from ccgrid.engine.records.answers import CountedInMatch, MatchStanding

DEFAULT_GAMES: Final = 3
"""The number of games in a match whose points are added, by default."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the game, the players in seat order, the number of games, how they count, and the finished games.

    Games are added only by `add`, each with its outcome, in the seat order of `players`.

    With `adds_points` all games are played and their points are added, as the rules of some games require. Otherwise a
    win counts one and a draw nothing, and the match is over once the leader cannot be caught. With `same_deal` each
    deal is played once per player, and the players move on by one seat each time: with two players, twice with
    exchanged seats. `length` is None if the number of games is unknown: such a match never ends.
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
        """Return a match of `length` games, all of them played, whose points are added.

        The default is three games, or one deal from every seat with `same_deal`.

        Raises:
            EngineError: If there is no such game, or it does not allow that number of players, or `length` is invalid.
        """
        if length is None:
            length = len(players) if same_deal else DEFAULT_GAMES
        return _check_match(cls(game, tuple(players), length, True, same_deal=same_deal))

    @classmethod
    def best_of(cls, game: str, players: Sequence[str], length: int, *, same_deal: bool = False) -> "Match":
        """Return a match of at most `length` games, won by the player with the most wins.

        Raises:
            EngineError: If there is no such game, or it does not allow that number of players, or `length` is invalid.
        """
        return _check_match(cls(game, tuple(players), length, same_deal=same_deal))

    @classmethod
    def of_record(cls, record: Record, place: MatchGame) -> "Match":
        """Return the match, with no game played, to which a record belongs; raise EngineError if it is invalid."""
        points = place.counts == "points"
        return _check_match(cls(record.setup.game, record.setup.players, place.of, points, same_deal=place.same_deal))

    @property
    def next_game(self) -> MatchGame:
        """The position of the next game in the match."""
        counts = "points" if self.adds_points else "wins"
        return MatchGame(len(self.records) + 1, counts, self.length, self.same_deal)

    @property
    def next_players(self) -> tuple[str, ...]:
        """The players of the next game in its seat order."""
        turn = len(self.records) % len(self.players) if self.same_deal else 0
        return (*self.players[turn:], *self.players[:turn])

    @property
    def next_setup(self) -> Setup | None:
        """The setup of the next game if an earlier deal is played again, else None."""
        # The number of games of this deal played so far: the first of them is this number of games back.
        repeated = len(self.records) % len(self.players) if self.same_deal else 0
        return with_players(self.records[-repeated].setup, self.next_players) if repeated else None

    @property
    def next_first(self) -> int | None:
        """The starting seat of the next game: the last winner, or after a draw the seat after the last starting player.

        None if the seat is random (in the first game, and in new deals that are played from every seat), or if the
        rules of the game determine it.
        """
        if not self.records or not find_game(self.game).has_first:
            return None
        if self.same_deal:
            return None if (setup := self.next_setup) is None else setup.first
        # After a draw, the seat after the last starting player.
        last, outcome = self.records[-1].setup.first, self.outcomes[-1]
        return outcome.winner if outcome.winner is not None else ((last or 0) + 1) % len(self.players)

    def deal(
        self, decks: Sequence[Sequence[Card]], dice: Dice, *, options: Mapping[str, object] | None = None
    ) -> Setup:
        """Deal the next game.

        Raises:
            EngineError: If the match is over, or `Game.deal` raises it.
        """
        self._check_not_over()
        if (repeated := self.next_setup) is not None:
            return repeated
        return find_game(self.game).deal(self.players, decks, dice, first=self.next_first, options=options)

    def check_next(self, record: Record) -> None:
        """Check that a record, finished or not, can be the next game of the match.

        Raises:
            EngineError: If the match is over, or the game, the players, the starting player or the deal is not the
                expected.
        """
        self._check_not_over()
        setup = record.setup
        if setup.game != self.game:
            raise EngineError(f"this is a game of {setup.game}, and the match is of {self.game}")
        if setup.players != self.next_players:
            raise EngineError(
                f"this is a game of {', '.join(setup.players)}: the match is of {', '.join(self.next_players)}"
            )
        if self.next_first is not None and setup.first != self.next_first:
            raise EngineError(f"{self.next_players[self.next_first]} starts this game of the match")
        if (repeated := self.next_setup) is not None and setup != repeated:
            raise EngineError("this is another deal: the last one is played again with the seats exchanged")

    def add(self, record: Record) -> "Match":
        """Return the match with one more game, whose record is given its position in the match.

        Raises:
            EngineError: If the match is over, the record is not its next game (see `check_next`), the game is not over,
                or a move is not legal.
        """
        self.check_next(record)
        outcome = record.outcome(record.final())
        if outcome is None:
            raise EngineError("this game is not over: only a finished one counts in a match")
        scores = dict(zip(record.setup.players, outcome.scores, strict=True))
        # By name: in this game the players may have other seats than in the match.
        outcome = Outcome.of(tuple(scores[player] for player in self.players), outcome.ending)
        record_in_match = replace(record, match=self.next_game)
        return replace(self, records=(*self.records, record_in_match), outcomes=(*self.outcomes, outcome))

    def add_all(self, records: Iterable[Record]) -> "Match":
        """Return the match with these games added in order.

        Raises:
            EngineError: If `add` raises it; the message starts with the number of the game.
        """
        match = self
        for number, record in enumerate(records, start=len(self.records) + 1):
            try:
                match = match.add(record)
            # Numbers start from 1 and include earlier games.
            except EngineError as error:
                raise EngineError(f"game {number}: {error}") from None
        return match

    def scores(self) -> tuple[int, ...]:
        """Return each seat's points in all games so far, or the number of games won."""
        if self.adds_points:
            return tuple(sum(outcome.scores[seat] for outcome in self.outcomes) for seat in range(len(self.players)))
        return tuple(sum(outcome.winner == seat for outcome in self.outcomes) for seat in range(len(self.players)))

    def ending(self) -> Ending | None:
        """Return why the match is over, or None if it is not."""
        if self.length is None:
            return None
        left = self.length - len(self.records)
        if left == 0:
            return Ending(
                "all-games", f"all {self.length} games are played" if self.length > 1 else "the game is played"
            )
        # Even if the second player wins all remaining games.
        first, second = sorted(self.scores(), reverse=True)[:2]
        if not self.adds_points and first > second + left:
            return Ending("decided", f"no other player can catch up (games left: {left})")
        return None

    def outcome(self) -> Outcome | None:
        """Return the result of the match, or None if it is not over: the highest total wins, a tie for it is a draw."""
        ending = self.ending()
        return None if ending is None else Outcome.of(self.scores(), ending)

    def to_json_lines(self) -> str:
        """Return the games as the content of a JSON Lines file."""
        return "".join(f"{record.to_json_line()}\n" for record in self.records)

    def _check_not_over(self) -> None:
        if ending := self.ending():
            raise EngineError(f"the match is over: {ending}")


def with_players(setup: Setup, players: tuple[str, ...]) -> Setup:
    """Return the same deal with these players in its seats."""
    return replace(setup, players=players)


def _check_match(match: Match) -> Match:
    check_seats(find_game(match.game), match.players)
    if match.length is not None and not 1 <= match.length <= LONGEST_MATCH:
        raise ContradictionError(f"a match has 1 to {LONGEST_MATCH} games, not {match.length}")
    # Each deal must be played from every seat: otherwise some players would have the better seat more often.
    if match.same_deal and match.length is not None and match.length % len(match.players):
        seats = len(match.players)
        raise ContradictionError(
            f"each deal is played {seats} times: a match has {seats}, {2 * seats} and so on games, not {match.length}"
        )
    return match


class Standing(NamedTuple):
    """The standing of a match after one of its games.

    Attributes:
        game: The position of the game in the match.
        totals: Each player's points, or games won, in all games up to this one; None if not all of them were read.
        outcome: The result of the match; None if it is not over, or its number of games is unknown.
    """

    game: MatchGame
    totals: dict[str, int] | None = None
    outcome: Outcome | None = None

    @property
    def winner(self) -> str | None:
        """The name of the winner of the match, or None if there is none or it is not known."""
        winner = self.outcome.winner if self.outcome else None
        return None if winner is None or self.totals is None else list(self.totals)[winner]

    def answer(self, *, scores: bool = True) -> "MatchStanding":
        """Return the standing that `score --json` prints, or without scores that of `validate --json`."""
        from msgspec import UNSET

        from ccgrid.engine.records.answers import MatchStanding

        game = self.game
        return MatchStanding(
            of=game.of,
            number=game.number,
            counts=cast("CountedInMatch", game.counts),
            same_deal=True if game.same_deal else UNSET,
            totals=self.totals if scores else UNSET,
            over=self.outcome is not None if scores else UNSET,
            winner=self.winner if scores else UNSET,
        )


class MatchReader:
    """Checks games of matches in the order in which they are read.

    A match begins with its game number 1. A later game that does not directly follow its predecessors is treated as a
    single game, because its starting player cannot be verified.
    """

    def __init__(self) -> None:
        self._match: Match | None = None
        self._unfinished: MatchGame | None = None

    def follow(self, reading: Reading) -> tuple[Reading, Standing | None]:
        """Return the reading, with an error if the game is not the next of its match, and the match's standing."""
        record = reading.record
        place = record.match if record is not None else None
        if record is None or place is None or reading.error is not None:
            self._match = self._unfinished = None
            return reading, None
        try:
            match = Match.of_record(record, place) if place.number == 1 else self._continued_match(record, place)
            self._unfinished = None
            if match is None:
                self._match = None
                return reading, Standing(place)
            standing = self._count(match, record, place, reading)
        except EngineError as error:
            self._match = self._unfinished = None
            located = error if isinstance(error, RecordError) else RecordError("match", str(error))
            return reading._replace(error=located), Standing(place)
        return reading, standing

    def _continued_match(self, record: Record, place: MatchGame) -> Match | None:
        """Return the current match if the game continues it, or None.

        Raises:
            RecordError: If it belongs to the match, but is not its next game.
        """
        match, before = self._match, self._unfinished
        if match is None or not place.belongs_to_same_match(before or match.next_game):
            return None
        setup = record.setup
        if setup.game != match.game or set(setup.players) != set(match.players):
            return None
        if before is not None:
            raise RecordError("match.number", f"is {place.number}, but game {before.number} is not over")
        if place.number != match.next_game.number:
            raise RecordError("match.number", f"is {place.number}, and the game before it is {len(match.records)}")
        return match

    def _count(self, match: Match, record: Record, place: MatchGame, reading: Reading) -> Standing:
        first = match.next_first
        # Checked first, because it is the most visible error.
        if first is not None and record.setup.players == match.next_players and record.setup.first != first:
            raise RecordError("first", _starting_player_error(match, match.next_players[first]))
        if reading.state is None or record.outcome(reading.state) is None:
            match.check_next(record)
            self._unfinished = place
        else:
            match = match.add(record)
        self._match = match
        return Standing(place, dict(zip(match.players, match.scores(), strict=True)), match.outcome())


def _starting_player_error(match: Match, name: str) -> str:
    number = match.next_game.number
    if match.same_deal:
        why = "the deal is played again with the seats exchanged"
    elif match.outcomes[-1].winner is None:
        why = f"game {number - 1} was a draw, and it is the next seat's turn"
    else:
        why = f"{quoted(name)} won game {number - 1}"
    return f"must be {quoted(name)} in game {number} of the match: {why}"
