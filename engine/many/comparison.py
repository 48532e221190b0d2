"""Comparison of house rules: the same deals under two of them, and the differences of the measures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import erf, log, log10, sqrt
from operator import add
from pathlib import Path
from typing import Final, Literal

import msgspec

from ccgrid.engine.errors import ContradictionError, EngineError
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import Lineup, SavedCounts, count_all, digest
from ccgrid.engine.players import Player, choose_move, find_player

Z_95: Final = 1.959964
"""Half the width of a 95 % confidence interval in standard errors."""

_RESULTS: Final = 3
"""The number of results of a game: lost, drawn and won are 0, 1 and 2 half points."""
_MAX_HALF_POINTS: Final = 2 * (_RESULTS - 1)
"""The maximum number of half points of a player in a pair."""


@dataclass(slots=True)
class PairCounts:
    """The frequency of each result of a pair, by a player's half points in the first and second game.

    The pair with `first` and `second` half points is counted in `counts[3 * first + second]`.
    """

    counts: list[int] = field(default_factory=lambda: [0] * _RESULTS**2)

    def add(self, codes: Sequence[int]) -> None:
        """Add pairs, given as indices in `counts`."""
        for code in codes:
            self.counts[code] += 1

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def wins(self) -> int:
        """The number of games that the player won."""
        return self._games(2)

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return self._games(1)

    @property
    def by_points(self) -> list[int]:
        """The numbers of pairs in which the player scored 0, 1, 2, 3 and 4 half points."""
        found = [0] * (_MAX_HALF_POINTS + 1)
        for code, count in enumerate(self.counts):
            # `divmod` splits the code into the half points of both games.
            found[sum(divmod(code, _RESULTS))] += count
        return found

    @property
    def share(self) -> float:
        """The share of points won, 0 to 1; 0.5 before the first pair."""
        won = sum(points * count for points, count in enumerate(self.by_points))
        return won / (_MAX_HALF_POINTS * self.pairs) if self.pairs else 0.5

    @property
    def stderr(self) -> float:
        """The standard error of the share, computed from pairs, because the two games of a pair are not independent."""
        pairs, share = self.pairs, self.share
        if pairs < 2:
            return 0.5
        squares = sum(count * (points / _MAX_HALF_POINTS - share) ** 2 for points, count in enumerate(self.by_points))
        return sqrt(squares / (pairs - 1) / pairs)

    def mirrored(self) -> "PairCounts":
        """Return the same pairs from the opponent's point of view."""
        # The opponent has 2 - h half points, so that code c becomes 8 - c: reverse the list.
        return PairCounts(self.counts[::-1])

    def _games(self, half_points: int) -> int:
        # 0, 1 or 2 games of the pair have this result.
        return sum(count * divmod(code, _RESULTS).count(half_points) for code, count in enumerate(self.counts))


def pair_code(first: int, second: int) -> int:
    """Return the index in `PairCounts.counts` of a pair with these half points.

    >>> pair_code(2, 1), PairCounts([0, 0, 0, 0, 0, 0, 0, 1, 0]).share
    (7, 0.75)
    """
    return _RESULTS * first + second


def half_points(mine: int, theirs: int) -> int:
    """Return the half points of a game with these scores: 2 for a win, 1 for a draw, 0 for a loss."""
    # A win is 1 + 1, a draw 0 + 1, a loss 0 + 0.
    return (mine > theirs) + (mine >= theirs)


def elo(share: float) -> float | None:
    """Return the Elo difference with this expected share, or None if it is infinite.

    >>> elo(0.5), round(elo(0.64), 1), elo(1.0)
    (0.0, 100.0, None)
    """
    return 400 * log10(share / (1 - share)) if 0 < share < 1 else None


def expected_share(difference: float) -> float:
    """Return the expected share at an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))


def interval(share: float, stderr: float, pairs: int) -> tuple[float, float]:
    """Return the 95 % Wilson confidence interval of a share, within 0 to 1.

    The effective number of coin tosses is derived from the standard error; if all pairs had the same result, it is the
    number of pairs.
    """
    if not pairs:
        return 0.0, 1.0
    variance = share * (1 - share)
    # `toss` is 1 / n in Wilson's formula: n coin tosses have the variance share * (1 - share) / n. If all pairs are
    # equal, n is their number.
    toss = min(1.0, stderr**2 / variance) if stderr > 0 and variance > 0 else 1 / pairs
    centre = share + Z_95**2 * toss / 2
    reach = Z_95 * sqrt(variance * toss + (Z_95 * toss) ** 2 / 4)
    scale = 1 + Z_95**2 * toss
    # At the ends the exact values are 0 and 1; avoid rounding errors.
    low = 0.0 if share == 0 else max(0.0, (centre - reach) / scale)
    return low, 1.0 if share == 1 else min(1.0, (centre + reach) / scale)


def likelihood_of_superiority(pairs: PairCounts) -> float:
    """Return the likelihood, 0 to 1, that the player is the better one, given a uniform prior."""
    share, stderr = pairs.share, pairs.stderr
    if stderr > 0:
        return _normal((share - 0.5) / stderr)
    # All pairs had the same result, so that no error can be estimated: use a sign test on single games, ignoring draws.
    wins = pairs.wins
    losses = 2 * pairs.pairs - wins - pairs.draws
    return _normal((wins - losses) / sqrt(wins + losses)) if wins + losses else 0.5


def _normal(value: float) -> float:
    return (1 + erf(value / sqrt(2))) / 2


Decision = Literal["elo0", "elo1"]


class SprtState(msgspec.Struct, frozen=True, kw_only=True):
    """A stopping rule: the log-likelihood ratio, the bounds within which the test continues, and the decision."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    decided: Decision | None


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test whether the first player is better by `elo1` or by `elo0`, with an error rate of at most 5 %.

    It is Van den Bergh's generalised test on pairs, with two safeguards: it decides nothing before `min_pairs` pairs,
    and it adds a fifth of a pair to every possible result, so that a run of equal results is not conclusive.
    """

    elo0: float
    elo1: float
    error_rate: float = 0.05
    min_pairs: int = 50

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise ContradictionError(
                f"a test is between two Elos, the lower one first: 0,10, not {self.elo0:g},{self.elo1:g}"
            )

    @property
    def bound(self) -> float:
        """The log-likelihood ratio at which the test decides for `elo1`; its negative decides for `elo0`."""
        return log((1 - self.error_rate) / self.error_rate)

    def ratio(self, pairs: PairCounts) -> float:
        """Return the log-likelihood ratio of the pairs at `elo1` versus `elo0`."""
        # A pair has five results: a fifth for each is one additional pair.
        weights = [count + 1 / (_MAX_HALF_POINTS + 1) for count in pairs.by_points]
        total = sum(weights)
        mean = sum(points * weight for points, weight in enumerate(weights)) / total / _MAX_HALF_POINTS
        variance = (
            sum(weight * (points / _MAX_HALF_POINTS - mean) ** 2 for points, weight in enumerate(weights)) / total
        )
        low, high = expected_share(self.elo0), expected_share(self.elo1)
        # The normal approximation of the likelihood ratio of two shares.
        return pairs.pairs * (high - low) * (2 * mean - low - high) / (2 * variance)

    def decision(self, pairs: PairCounts) -> Decision | None:
        """Return the decision, `elo0` or `elo1`, or None while the test continues."""
        if pairs.pairs < self.min_pairs or abs(ratio := self.ratio(pairs)) < self.bound:
            return None
        return "elo1" if ratio > 0 else "elo0"

    def state(self, pairs: PairCounts) -> SprtState:
        """Return the state of the test after some pairs."""
        return SprtState(
            elo0=self.elo0,
            elo1=self.elo1,
            llr=self.ratio(pairs),
            lower=-self.bound,
            upper=self.bound,
            decided=self.decision(pairs),
        )


class ComparedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's result: `share` is the share of points won, 0 to 1, with its standard error.

    The Elo values are null if the share is 0 or 1; `elo_low` and `elo_high` are the ends of a 95 % interval.
    """

    name: str
    policy: str
    games: int
    wins: int
    draws: int
    points: float
    share: float
    stderr: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None


class RuleFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The counts under one rule."""

    rule: str
    games: int
    first_share: float
    draws: float
    mean_moves: float
    mean_choices: float
    first_stderr: float


class MeasureDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The difference of a measure between the rules, with its standard error and a 95 % interval."""

    value: float
    stderr: float
    low: float
    high: float


class MeasureDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """The differences, second rule minus first: starting player's points, draws, moves per game, choices per turn."""

    first_share: MeasureDifference
    draws: MeasureDifference
    mean_moves: MeasureDifference
    mean_choices: MeasureDifference


class ComparisonResult(msgspec.Struct, frozen=True, kw_only=True):
    """Two house rules, or two decks, compared on the same deals."""

    game: str
    games: int
    seed: int
    players: list[ComparedPlayer]
    los: None = None
    sprt: None = None
    rules: list[RuleFigures]
    differences: MeasureDifferences
    interrupted: Literal[True] | msgspec.UnsetType = msgspec.UNSET


MEASURES: Final = ("first_share", "draws", "mean_moves", "mean_choices")
"""The measures of every game: the starting player's points, whether it was a draw, moves, and legal moves per turn."""

_THOUSANDTHS: Final = 1000
"""Values are counted in integer thousandths, so that sums are exact in any order."""
_DEALS_PER_CHUNK: Final = 100


@dataclass(slots=True)
class Moments:
    """The number of values in thousandths, their sum, and the sum of their squares."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def take(self, value: int) -> None:
        """Add a value."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def add(self, other: "Moments") -> None:
        """Add the values of another instance."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """The mean; 0 without values."""
        return self.total / max(self.count, 1) / _THOUSANDTHS

    @property
    def stderr(self) -> float:
        """The standard error of the mean; 0 for fewer than two values."""
        if self.count < 2:
            return 0.0
        squares = self.squares - self.total * self.total / self.count
        return sqrt(max(squares, 0.0) / (self.count - 1) / self.count) / _THOUSANDTHS


def _moments() -> list[Moments]:
    return [Moments() for _ in MEASURES]


@dataclass(slots=True)
class ComparisonCounts:
    """Counts of a comparison: each of `MEASURES` under the first rule, the second rule, and their difference.

    `points` are each seat's shares of the points of a game; `wins` and `draws` count its games, all under both rules.
    """

    seats: int
    one: list[Moments] = field(default_factory=_moments)
    other: list[Moments] = field(default_factory=_moments)
    differences: list[Moments] = field(default_factory=_moments)
    points: list[Moments] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)
    draws: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points.extend(Moments() for _ in range(self.seats - len(self.points)))
        for counts in (self.wins, self.draws):
            # Empty in a new instance; saved counts are complete.
            counts.extend([0] * (self.seats - len(counts)))

    def add(self, more: "ComparisonCounts") -> None:
        """Add the games of another instance."""
        pairs = ((self.one, more.one), (self.other, more.other), (self.differences, more.differences))
        for mine, theirs in (*pairs, (self.points, more.points)):
            for sums, others in zip(mine, theirs, strict=True):
                sums.add(others)
        for own, new in ((self.wins, more.wins), (self.draws, more.draws)):
            own[:] = map(add, own, new)


@dataclass(frozen=True, slots=True)
class ComparisonSummary:
    """Two lineups that differ in options or decks, their names, and the counts."""

    one: Lineup
    other: Lineup
    names: tuple[str, str]
    counts: ComparisonCounts
    is_interrupted: bool = False

    def answer(self) -> ComparisonResult:
        """Return the result that `arena --json` prints: the counts under each rule, and the differences."""
        counts = self.counts
        return ComparisonResult(
            game=self.one.game,
            games=2 * counts.differences[0].count,
            seed=self.one.seed,
            players=[self._standing(seat) for seat in range(counts.seats)],
            rules=[_rule(name, moments) for name, moments in zip(self.names, (counts.one, counts.other), strict=True)],
            differences=MeasureDifferences(**dict(zip(MEASURES, map(_difference, counts.differences), strict=True))),
            interrupted=True if self.is_interrupted else msgspec.UNSET,
        )

    def _standing(self, seat: int) -> ComparedPlayer:
        points = self.counts.points[seat]
        low, high = interval(points.mean, points.stderr, points.count)
        return ComparedPlayer(
            name=self.one.players[seat],
            policy=self.one.policy_names[seat],
            games=points.count,
            wins=self.counts.wins[seat],
            draws=self.counts.draws[seat],
            points=points.total / _THOUSANDTHS,
            share=points.mean,
            stderr=points.stderr,
            elo=elo(points.mean),
            elo_low=elo(low),
            elo_high=elo(high),
        )


def _rule(name: str, moments: list[Moments]) -> RuleFigures:
    first, draws, moves, choices = moments
    return RuleFigures(
        rule=name,
        games=first.count,
        first_share=first.mean,
        draws=draws.mean,
        mean_moves=moves.mean,
        mean_choices=choices.mean,
        first_stderr=first.stderr,
    )


def _difference(moments: Moments) -> MeasureDifference:
    error = Z_95 * moments.stderr
    mean = moments.mean
    return MeasureDifference(value=mean, stderr=moments.stderr, low=mean - error, high=mean + error)


def compare(
    one: Lineup,
    other: Lineup,
    names: tuple[str, str],
    games: int,
    *,
    runner: Runner | None = None,
    progress: Callable[[int], object] | None = None,
    resume: Path | None = None,
) -> ComparisonSummary:
    """Play every deal under both lineups: `games` games in all, rounded up to an even number.

    After a keyboard interrupt, the summary covers the games played so far; if there are none, the interrupt is raised.

    Args:
        one: The first lineup; its seed is used for both.
        other: A lineup of the same game and players with other options or decks.
        names: The names of the two lineups.
        games: The number of games under both together.
        runner: The runner that plays them.
        progress: Called from time to time with the number of newly finished games.
        resume: A file that stores the counts; games that it already contains are not played again.

    Returns:
        The counts under both rules.

    Raises:
        EngineError: If a player, a deck, an option or a number is invalid, or the file belongs to other games.
    """
    if games < 1:
        raise ContradictionError(f"the number of games is at least 1, not {games}")
    # Both lineups have the same policies, so that they share the players.
    table = one, other, tuple(find_player(name) for name in one.policies)
    saved = SavedCounts(resume, _work_document(one, other) if resume else {}, ComparisonCounts)
    result = count_all(
        Task(_play, table, _DEALS_PER_CHUNK),
        (games + 1) // 2,
        ComparisonCounts(len(one.policies)),
        lambda more: more,
        saved=saved,
        runner=runner,
        progress=progress and (lambda deals: progress(2 * deals)),
        what="deals",
    )
    return ComparisonSummary(one, other, names, result.counts, result.is_interrupted)


def _work_document(one: Lineup, other: Lineup) -> dict[str, object]:
    return {
        "what": "house rules",
        "game": one.game,
        "players": list(one.policy_names),
        "seed": one.seed,
        "options": [dict(one.options), dict(other.options)],
        "cards": digest([one.decks, other.decks]),
    }


def _play(table: tuple[Lineup, Lineup, tuple[Player, ...]], numbers: range) -> ComparisonCounts:
    one, other, players = table
    counts = ComparisonCounts(len(players))
    for number in numbers:
        found = [_measure_game(lineup, players, number, counts) for lineup in (one, other)]
        for moments, values in ((counts.one, found[0]), (counts.other, found[1])):
            # Count the difference within each deal as well: the luck of the deal cancels out.
            for sums, value in zip(moments, values, strict=True):
                sums.take(value)
        for sums, first, second in zip(counts.differences, *found, strict=True):
            sums.take(second - first)
    return counts


def _measure_game(
    lineup: Lineup, players: tuple[Player, ...], number: int, counts: ComparisonCounts
) -> tuple[int, ...]:
    """Play a game and return its measures, in thousandths."""
    setup, dice = lineup.deal(number)
    state = setup.start()
    first, turns, choices = state.to_move, 0, 0
    while legal := state.legal_moves():
        turns += 1
        choices += len(legal)
        state = state.play_unchecked(choose_move(players[state.to_move], state, dice))
    outcome = state.outcome()
    if outcome is None:
        raise EngineError(f"{lineup.game}: no legal move, but the game is not over (seed {dice.seed})")
    leaders = outcome.leaders
    for seat in range(len(players)):
        counts.points[seat].take(_THOUSANDTHS // len(leaders) if seat in leaders else 0)
        counts.wins[seat] += outcome.winner == seat
        counts.draws[seat] += outcome.winner is None and seat in leaders
    won = _THOUSANDTHS // len(leaders) if first in leaders else 0
    return won, _THOUSANDTHS * (outcome.winner is None), _THOUSANDTHS * turns, _THOUSANDTHS * choices // max(turns, 1)
