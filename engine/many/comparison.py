"""House rule against house rule: the same deals played under two of them, and how what is counted differs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import erf, log, log10, sqrt
from pathlib import Path
from typing import Any, Final, Literal, NotRequired, TypedDict, cast

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import Count, Lineup, SavedCounts, Whole, count_all, digest
from ccgrid.engine.players import Player, choose_move, find_player

SURE: Final = 1.959964
"""Standard errors to either side of an interval: 95 of 100 such intervals hold the true value."""

_RESULTS: Final = 3
"""Of one game: lost, drawn, won, as 0, 1 and 2 half points."""
_MOST: Final = 2 * (_RESULTS - 1)
"""Half points that a pair holds."""


@dataclass(slots=True)
class PairCounts:
    """How often each result of a pair came about, by the half points of one player in its first and second game.

    `counts` has the pair with `first` and `second` half points at `3 * first + second`.
    """

    counts: list[int] = field(default_factory=lambda: [0] * _RESULTS**2)

    def add(self, codes: Sequence[int]) -> None:
        """Adds pairs by their places in `counts`."""
        for code in codes:
            self.counts[code] += 1

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    @property
    def wins(self) -> int:
        """Games that the player won."""
        return self._games(2)

    @property
    def draws(self) -> int:
        """Games that were drawn."""
        return self._games(1)

    @property
    def by_points(self) -> list[int]:
        """How many pairs brought the player none, one … four half points."""
        found = [0] * (_MOST + 1)
        for code, count in enumerate(self.counts):
            # `divmod` takes the code apart again, into the half points of both games.
            found[sum(divmod(code, _RESULTS))] += count
        return found

    @property
    def share(self) -> float:
        """Points won of points to be won, 0 to 1; a half where nothing is played."""
        won = sum(points * count for points, count in enumerate(self.by_points))
        return won / (_MOST * self.pairs) if self.pairs else 0.5

    @property
    def stderr(self) -> float:
        """The standard error of the share: pairs are independent, the two games of one are not."""
        pairs, share = self.pairs, self.share
        if pairs < 2:
            return 0.5
        squares = sum(count * (points / _MOST - share) ** 2 for points, count in enumerate(self.by_points))
        return sqrt(squares / (pairs - 1) / pairs)

    def mirrored(self) -> "PairCounts":
        """The same pairs as the other player sees them."""
        # Half points of the other are 2 less mine, so a code c becomes 8 - c: the list backwards.
        return PairCounts(self.counts[::-1])

    def _games(self, half_points: int) -> int:
        # 0, 1 or 2 of the pair's games have this result.
        return sum(count * divmod(code, _RESULTS).count(half_points) for code, count in enumerate(self.counts))


def pair_code(first: int, second: int) -> int:
    """The place in `PairCounts.counts` of a pair, by the half points that its games gave.

    >>> pair_code(2, 1), PairCounts([0, 0, 0, 0, 0, 0, 0, 1, 0]).share
    (7, 0.75)
    """
    return _RESULTS * first + second


def half_points(mine: int, theirs: int) -> int:
    """What a game with these scores brings: 2 won, 1 drawn, 0 lost."""
    # 1 + 1 won, 0 + 1 drawn, 0 + 0 lost.
    return (mine > theirs) + (mine >= theirs)


def elo(share: float) -> float | None:
    """The difference in Elo that makes one expect this share; nothing where no finite one does.

    >>> elo(0.5), round(elo(0.64), 1), elo(1.0)
    (0.0, 100.0, None)
    """
    return 400 * log10(share / (1 - share)) if 0 < share < 1 else None


def expected_share(difference: float) -> float:
    """The share that one expects at a difference in Elo."""
    return 1 / (1 + 10 ** (-difference / 400))


def interval(share: float, stderr: float, pairs: int) -> tuple[float, float]:
    """From where to where the true share is, with 95 % likelihood: Wilson's interval, inside of 0 to 1 at any share.

    It is that of as many coin tosses as have this standard error; where all pairs ended alike, of as many as there are
    pairs.
    """
    if not pairs:
        return 0.0, 1.0
    variance = share * (1 - share)
    # `toss` is 1 / n in Wilson's formula: n coin tosses have the variance share * (1 - share) / n.
    toss = min(1.0, stderr**2 / variance) if stderr > 0 and variance > 0 else 1 / pairs  # one, of all there are
    centre = share + SURE**2 * toss / 2
    reach = SURE * sqrt(variance * toss + (SURE * toss) ** 2 / 4)
    scale = 1 + SURE**2 * toss
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if share == 0 else max(0.0, (centre - reach) / scale)
    return low, 1.0 if share == 1 else min(1.0, (centre + reach) / scale)


def likelihood_of_superiority(pairs: PairCounts) -> float:
    """How likely it is that the player is the better one, 0 to 1, if before the first game nothing was known."""
    share, stderr = pairs.share, pairs.stderr
    if stderr > 0:
        return _normal((share - 0.5) / stderr)
    # All pairs ended alike, and no error can be estimated: a sign test on single games.
    # A draw says nothing of who is better.
    wins = pairs.wins
    losses = 2 * pairs.pairs - wins - pairs.draws
    return _normal((wins - losses) / sqrt(wins + losses)) if wins + losses else 0.5


def _normal(value: float) -> float:
    return (1 + erf(value / sqrt(2))) / 2


Decision = Literal["elo0", "elo1"]


class SprtJson(TypedDict):
    """A stopping rule: the logarithm of the likelihood ratio, between which bounds it goes on, and what is decided."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    decided: Decision | None


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test whether the first player is `elo1` or rather `elo0` better, wrong in at most 5 % of its runs.

    It is the generalised test of Van den Bergh on pairs. Two guards: it decides nothing before `fewest` pairs, and to
    every result of a pair a fifth of a pair is added, so that a run of equal results is no proof of anything.
    """

    elo0: float
    elo1: float
    wrong: float = 0.05
    fewest: int = 50

    def __post_init__(self) -> None:
        if not -2000 <= self.elo0 < self.elo1 <= 2000:
            raise EngineError(f"a test is between two Elos, the lower one first: 0,10, not {self.elo0:g},{self.elo1:g}")

    @property
    def bound(self) -> float:
        """The logarithm of the likelihood ratio at which it is decided for the one, and its negative for the other."""
        return log((1 - self.wrong) / self.wrong)

    def ratio(self, pairs: PairCounts) -> float:
        """The logarithm of how much likelier the pairs are at `elo1` than at `elo0`."""
        # Five results a pair: a fifth of a pair to each is one pair in all.
        weights = [count + 1 / (_MOST + 1) for count in pairs.by_points]
        total = sum(weights)
        mean = sum(points * weight for points, weight in enumerate(weights)) / total / _MOST
        variance = sum(weight * (points / _MOST - mean) ** 2 for points, weight in enumerate(weights)) / total
        low, high = expected_share(self.elo0), expected_share(self.elo1)
        # The normal approximation of the likelihood ratio of two shares.
        return pairs.pairs * (high - low) * (2 * mean - low - high) / (2 * variance)

    def decision(self, pairs: PairCounts) -> Decision | None:
        """For which it is decided, `elo0` or `elo1`; nothing while it is not."""
        if pairs.pairs < self.fewest or abs(ratio := self.ratio(pairs)) < self.bound:
            return None
        return "elo1" if ratio > 0 else "elo0"

    def to_dict(self, pairs: PairCounts) -> SprtJson:
        """The state of the test as scripts see it."""
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "llr": self.ratio(pairs),
            "lower": -self.bound,
            "upper": self.bound,
            "decided": self.decision(pairs),
        }


class StandingJson(TypedDict):
    """What a player came to: `share` is points won of points to be won, 0 to 1, with its standard error.

    The Elos are null where the share is 0 or 1; `elo_low` and `elo_high` are the ends of a 95 % interval.
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


class RuleJson(TypedDict):
    """What was counted under one rule."""

    rule: str
    games: int
    first_share: float
    first_stderr: float
    draws: float
    mean_moves: float
    mean_choices: float


class MeasureDifferenceJson(TypedDict):
    """How much more of something there is under the other rule, with its standard error and a 95 % interval."""

    value: float
    stderr: float
    low: float
    high: float


class MeasureDifferencesJson(TypedDict):
    """The other rule less the one: the points of who starts, draws, moves of a game, legal moves a turn."""

    first_share: MeasureDifferenceJson
    draws: MeasureDifferenceJson
    mean_moves: MeasureDifferenceJson
    mean_choices: MeasureDifferenceJson


class ComparisonJson(TypedDict):
    """Two house rules, or two decks, compared by the same deals."""

    game: str
    games: int
    seed: int
    players: list[StandingJson]
    los: None
    sprt: None
    rules: list[RuleJson]
    differences: MeasureDifferencesJson
    interrupted: NotRequired[Literal[True]]


MEASURES: Final = ("first_share", "draws", "mean_moves", "mean_choices")
"""What is counted of every game: the points of who starts, whether it was a draw, its moves, and legal moves a turn."""

_PARTS: Final = 1000
"""Counts are whole thousandths, so that sums are exact in whatever order they are added."""
_AT_ONCE: Final = 100


@dataclass(slots=True)
class Moments:
    """Of numbers in thousandths how many there are, their sum, and the sum of their squares."""

    count: Count = 0
    total: Whole = 0
    squares: Count = 0

    def take(self, value: int) -> None:
        """Counts a number in."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def add(self, other: "Moments") -> None:
        """Adds the numbers of another."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    def adds_up(self, count: int) -> bool:
        """Whether `count` numbers can have these sums: by Cauchy and Schwarz, whatever the numbers are."""
        # (sum of x)² <= n * (sum of x²)
        return count == self.count and self.total**2 <= count * self.squares

    @property
    def are_shares(self) -> bool:
        """Whether they can be sums of numbers from 0 to 1."""
        # x² <= 1000 x for each x of 0 to 1000.
        return self.squares <= _PARTS * self.total

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / max(self.count, 1) / _PARTS

    @property
    def stderr(self) -> float:
        """The standard error of the mean; 0 of fewer than two."""
        if self.count < 2:
            return 0.0
        squares = self.squares - self.total * self.total / self.count
        return sqrt(max(squares, 0.0) / (self.count - 1) / self.count) / _PARTS


def _moments() -> list[Moments]:
    return [Moments() for _ in MEASURES]


@dataclass(slots=True)
class ComparisonCounts:
    """What was counted: each of `MEASURES` under the one rule, under the other, and the second less the first.

    `points` are each seat's share of the points of a game, `wins` and `draws` its games, all under both rules.
    """

    seats: int
    one: list[Moments] = field(default_factory=_moments)
    other: list[Moments] = field(default_factory=_moments)
    differences: list[Moments] = field(default_factory=_moments)
    points: list[Moments] = field(default_factory=list)
    wins: list[Count] = field(default_factory=list)
    draws: list[Count] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points.extend(Moments() for _ in range(self.seats - len(self.points)))
        for counts in (self.wins, self.draws):
            # None yet where it is new; counts that were saved have all of them.
            counts.extend([0] * (self.seats - len(counts)))

    def add(self, more: "ComparisonCounts") -> None:
        """Adds the games of another."""
        pairs = ((self.one, more.one), (self.other, more.other), (self.differences, more.differences))
        for mine, theirs in (*pairs, (self.points, more.points)):
            for sums, others in zip(mine, theirs, strict=True):
                sums.add(others)
        for own, new in ((self.wins, more.wins), (self.draws, more.draws)):
            own[:] = [a + b for a, b in zip(own, new, strict=True)]

    def adds_up(self, deals: int) -> bool:
        """Whether these can be the counts of `deals` deals, each played under both rules."""
        # A draw is taken as 1000 thousandths.
        drawn = (self.one[1].total + self.other[1].total) // _PARTS
        return (
            all(sums.adds_up(deals) for sums in (*self.one, *self.other, *self.differences))
            and all(sums.adds_up(2 * deals) for sums in self.points)
            and all(sums.are_shares for sums in (*self.one[:2], *self.other[:2], *self.points))
            and all(map(_differ_by, self.one, self.other, self.differences))
            # Each game is won by one seat or drawn.
            and sum(self.wins) + drawn == 2 * deals
            and max(self.draws) <= drawn
            # At least two seats share a draw.
            and 2 * drawn <= sum(self.draws)
            and all(
                # A shared game gives a seat something, and a half at most.
                _PARTS * won <= sums.total <= _PARTS * won + _PARTS // 2 * shared
                for won, shared, sums in zip(self.wins, self.draws, self.points, strict=True)
            )
        )


def _differ_by(one: Moments, other: Moments, differences: Moments) -> bool:
    """Whether the numbers of `other` less those of `one` can have the sums `differences`."""
    return (
        differences.total == other.total - one.total
        and differences.squares <= 2 * (one.squares + other.squares)  # (b - a)² + (b + a)² = 2 (a² + b²)
    )


@dataclass(frozen=True, slots=True)
class ComparisonSummary:
    """Two lineups that differ in their options or their decks, what each is called, and what was counted."""

    one: Lineup
    other: Lineup
    names: tuple[str, str]
    counts: ComparisonCounts
    is_interrupted: bool = False

    def to_dict(self) -> ComparisonJson:
        """The summary as scripts see it: `arena --json`, with what was counted under each rule and the differences."""
        counts = self.counts
        summary: ComparisonJson = {
            "game": self.one.game,
            "games": 2 * counts.differences[0].count,
            "seed": self.one.seed,
            "players": [self._standing(seat) for seat in range(counts.seats)],
            "los": None,
            "sprt": None,
            "rules": [
                _rule(name, moments) for name, moments in zip(self.names, (counts.one, counts.other), strict=True)
            ],
            "differences": cast(
                "MeasureDifferencesJson", dict(zip(MEASURES, map(_difference, counts.differences), strict=True))
            ),
        }
        return {**summary, "interrupted": True} if self.is_interrupted else summary

    def _standing(self, seat: int) -> StandingJson:
        points = self.counts.points[seat]
        low, high = interval(points.mean, points.stderr, points.count)
        return {
            "name": self.one.players[seat],
            "policy": self.one.policies[seat],
            "games": points.count,
            "wins": self.counts.wins[seat],
            "draws": self.counts.draws[seat],
            "points": points.total / _PARTS,
            "share": points.mean,
            "stderr": points.stderr,
            "elo": elo(points.mean),
            "elo_low": elo(low),
            "elo_high": elo(high),
        }


def _rule(name: str, moments: list[Moments]) -> RuleJson:
    first, draws, moves, choices = moments
    return {
        "rule": name,
        "games": first.count,
        "first_share": first.mean,
        "draws": draws.mean,
        "mean_moves": moves.mean,
        "mean_choices": choices.mean,
        "first_stderr": first.stderr,
    }


def _difference(moments: Moments) -> MeasureDifferenceJson:
    error = SURE * moments.stderr
    mean = moments.mean
    return {"value": mean, "stderr": moments.stderr, "low": mean - error, "high": mean + error}


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
    """Plays every deal under both: `games` games in all, one more where the number is odd.

    An interrupt from the keyboard ends it with a summary of what was played, unless that is nothing.

    Args:
        one: what is played; its seed deals for both.
        other: the same game between the same players, with other options or other decks.
        names: what the two are called.
        games: how many, under both together.
        runner: where they are played.
        progress: called now and then with how many more games are done.
        resume: a file that keeps the counts; what it holds already is not played again.

    Raises:
        EngineError: a player, a deck, an option or a number is not as it must be, or the file is of other games.
    """
    if games < 1:
        raise EngineError(f"the number of games is at least 1, not {games}")
    # Both lineups have the same policies: players are made once.
    table = one, other, tuple(find_player(name) for name in one.policies)
    saved = SavedCounts(resume, _work_document(one, other) if resume else {}, ComparisonCounts)
    result = count_all(
        Task(_play, table, _AT_ONCE),
        (games + 1) // 2,
        ComparisonCounts(len(one.policies)),
        lambda more: more,
        saved=saved,
        runner=runner,
        progress=progress and (lambda deals: progress(2 * deals)),
        what="deals",
    )
    return ComparisonSummary(one, other, names, result.counts, result.is_interrupted)


def _work_document(one: Lineup, other: Lineup) -> dict[str, Any]:
    return {
        "what": "house rules",
        "game": one.game,
        "players": list(one.policies),
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
            # The same deal under both rules: the difference within a deal is counted, too, since luck falls out of it.
            for sums, value in zip(moments, values, strict=True):
                sums.take(value)
        for sums, first, second in zip(counts.differences, *found, strict=True):
            sums.take(second - first)
    return counts


def _measure_game(
    lineup: Lineup, players: tuple[Player, ...], number: int, counts: ComparisonCounts
) -> tuple[int, ...]:
    """Plays a game; what of it is measured, in thousandths."""
    dice = Dice(lineup.seed).fork(number)
    setup = find_game(lineup.game).deal(lineup.players, lineup.decks(dice), dice, options=lineup.options)
    state = setup.start()
    first = state.to_move if setup.first is None else setup.first
    turns = choices = 0
    while legal := state.legal_moves():
        turns += 1
        choices += len(legal)
        state = state.play_unchecked(choose_move(players[state.to_move], state, dice))
    outcome = state.outcome()
    if outcome is None:
        raise EngineError(f"{lineup.game}: nobody can move and the game is not over (seed {dice.seed})")
    leaders = outcome.leaders
    for seat in range(len(players)):
        counts.points[seat].take(_PARTS // len(leaders) if seat in leaders else 0)
        counts.wins[seat] += outcome.winner == seat
        counts.draws[seat] += outcome.winner is None and seat in leaders
    won = _PARTS // len(leaders) if first in leaders else 0
    return won, _PARTS * (outcome.winner is None), _PARTS * turns, _PARTS * choices // max(turns, 1)
