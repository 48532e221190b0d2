"""What is counted over many games between computer players, and how scripts see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired, TypedDict

import msgspec

from ccgrid.engine.decks import DeckSource
from ccgrid.engine.game import Outcome
from ccgrid.engine.records.match import Match

Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A sum of points, or anything else that may be less than 0."""

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""How often something happened, or a sum of squares."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """What is played: a game between computer players, one policy for each seat, with decks from a source.

    `options` are the game's variants.
    """

    game: str
    policies: tuple[str, ...]
    decks: DeckSource
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order: the policy and the number of the seat."""
        return tuple(f"{policy}-{seat + 1}" for seat, policy in enumerate(self.policies))


@dataclass(slots=True)
class Tally:
    """What was counted over some games; in lists, one entry for each seat. Tallies add up, in whatever order."""

    seats: int
    games: Count = 0
    moves: Count = 0
    draws: Count = 0
    first_player_wins: Count = 0
    wins: list[Count] = field(default_factory=list)
    shared: list[Count] = field(default_factory=list)
    points: list[Whole] = field(default_factory=list)

    def __post_init__(self) -> None:
        for counts in (self.wins, self.shared, self.points):
            counts.extend([0] * (self.seats - len(counts)))

    def count(self, outcome: Outcome, first: int, moves: int) -> None:
        """Adds a game that the seat `first` started."""
        self.games += 1
        self.moves += moves
        for seat, score in enumerate(outcome.scores):
            self.points[seat] += score
        if outcome.winner is None:
            self.draws += 1
            for seat in outcome.leaders:
                self.shared[seat] += 1
        else:
            self.wins[outcome.winner] += 1
            self.first_player_wins += outcome.winner == first

    def add(self, other: "Tally") -> None:
        """Adds the games of another tally."""
        self.games += other.games
        self.moves += other.moves
        self.draws += other.draws
        self.first_player_wins += other.first_player_wins
        for mine, theirs in ((self.wins, other.wins), (self.shared, other.shared), (self.points, other.points)):
            mine[:] = [a + b for a, b in zip(mine, theirs, strict=True)]

    def adds_up(self, games: int) -> bool:
        """Whether so many games can have brought this: each is won by one seat, or drawn between two at least."""
        won = sum(self.wins)
        return (
            games == self.games == won + self.draws
            and self.first_player_wins <= won
            and max(self.shared, default=0) <= self.draws
            and 2 * self.draws <= sum(self.shared)
        )


class MatchPlayerJson(TypedDict):
    """What a player came to; its draws are those in which it shared the lead."""

    name: str
    wins: int
    draws: int
    mean_score: float


class SimulatedPlayerJson(MatchPlayerJson):
    """The same with the policy that it played by."""

    policy: str


class SimulatedMatchesJson(TypedDict):
    """What was counted over matches, each of `length` games, null for whole matches."""

    matches: int
    length: int | None
    counts: str
    same_deal: bool
    players: list[MatchPlayerJson]
    draws: int


class SimulationJson(TypedDict):
    """The outcome of many games; the rate leaves out start-up and compilation.

    Attributes:
        match: what was counted over the matches, where games are parts of some.
        interrupted: there where it ended before all games were played.
    """

    game: str
    games: int
    seed: int
    players: list[SimulatedPlayerJson]
    first_player_wins: int
    draws: int
    mean_moves: float
    games_per_second: float
    match: NotRequired[SimulatedMatchesJson]
    interrupted: NotRequired[Literal[True]]


@dataclass(frozen=True, slots=True)
class SimulationSummary:
    """The outcome of many games, or matches: what was played, what was counted, and in how many seconds on the clock.

    `plan` is what a match is, and `matches` what was counted over the matches; both `None` where games stand alone.
    `is_interrupted` where somebody ended it before all were played.
    """

    match: Lineup
    tally: Tally
    seconds: float
    plan: Match | None = None
    matches: Tally | None = None
    is_interrupted: bool = False

    def to_dict(self) -> SimulationJson:
        """The summary as scripts see it: `simulate --json`. A player's draws are those in which it shared the lead."""
        tally = self.tally
        games = max(tally.games, 1)
        players: list[SimulatedPlayerJson] = [
            {**player, "policy": policy}
            for player, policy in zip(self._players(tally), self.match.policies, strict=True)
        ]
        summary: SimulationJson = {
            "game": self.match.game,
            "games": tally.games,
            "seed": self.match.seed,
            "players": players,
            "first_player_wins": tally.first_player_wins,
            "draws": tally.draws,
            "mean_moves": tally.moves / games,
            "games_per_second": tally.games / self.seconds if self.seconds else 0.0,
        }
        if self.plan is not None and self.matches is not None:
            summary["match"] = self._match(self.plan, self.matches)
        if self.is_interrupted:
            summary["interrupted"] = True
        return summary

    def _match(self, plan: Match, tally: Tally) -> SimulatedMatchesJson:
        return {
            "matches": tally.games,
            "length": plan.length,
            "counts": plan.next_game.counts,
            "same_deal": plan.same_deal,
            "players": self._players(tally),
            "draws": tally.draws,
        }

    def _players(self, tally: Tally) -> list[MatchPlayerJson]:
        return [
            {
                "name": name,
                "wins": tally.wins[seat],
                "draws": tally.shared[seat],
                "mean_score": tally.points[seat] / max(tally.games, 1),
            }
            for seat, name in enumerate(self.match.players)
        ]
