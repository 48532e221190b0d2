"""What pairs of games come to, each pair one deal played twice with seats exchanged: shares, Elo, and when to stop."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import erf, log, log10, sqrt
from typing import Any, Final

from engine.errors import EngineError

SURE: Final = 1.959964
"""Intervals reach so many standard errors to either side: 95 of 100 hold the true value."""

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
        return PairCounts(self.counts[::-1])

    def _games(self, half_points: int) -> int:
        return sum(count * divmod(code, _RESULTS).count(half_points) for code, count in enumerate(self.counts))


def pair_code(first: int, second: int) -> int:
    """The place in `PairCounts.counts` of a pair whose games brought so many half points.

    >>> pair_code(2, 1), PairCounts([0, 0, 0, 0, 0, 0, 0, 1, 0]).share
    (7, 0.75)
    """
    return _RESULTS * first + second


def half_points(mine: int, theirs: int) -> int:
    """What a game with these scores brings: 2 won, 1 drawn, 0 lost."""
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
    toss = min(1.0, stderr**2 / variance) if stderr > 0 and variance > 0 else 1 / pairs  # one, of all there are
    centre = share + SURE**2 * toss / 2
    reach = SURE * sqrt(variance * toss + (SURE * toss) ** 2 / 4)
    scale = 1 + SURE**2 * toss
    low = 0.0 if share == 0 else max(0.0, (centre - reach) / scale)
    return low, 1.0 if share == 1 else min(1.0, (centre + reach) / scale)


def likelihood_of_superiority(pairs: PairCounts) -> float:
    """How likely it is that the player is the better one, 0 to 1, if before the first game nothing was known."""
    share, stderr = pairs.share, pairs.stderr
    if stderr > 0:
        return _normal((share - 0.5) / stderr)
    wins = pairs.wins
    losses = 2 * pairs.pairs - wins - pairs.draws
    return _normal((wins - losses) / sqrt(wins + losses)) if wins + losses else 0.5


def _normal(value: float) -> float:
    return (1 + erf(value / sqrt(2))) / 2


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
        weights = [count + 1 / (_MOST + 1) for count in pairs.by_points]
        total = sum(weights)
        mean = sum(points * weight for points, weight in enumerate(weights)) / total / _MOST
        variance = sum(weight * (points / _MOST - mean) ** 2 for points, weight in enumerate(weights)) / total
        low, high = expected_share(self.elo0), expected_share(self.elo1)
        return pairs.pairs * (high - low) * (2 * mean - low - high) / (2 * variance)

    def decided(self, pairs: PairCounts) -> str | None:
        """For which it is decided, `elo0` or `elo1`; nothing while it is not."""
        if pairs.pairs < self.fewest or abs(ratio := self.ratio(pairs)) < self.bound:
            return None
        return "elo1" if ratio > 0 else "elo0"

    def to_dict(self, pairs: PairCounts) -> dict[str, Any]:
        """The state of the test as scripts see it."""
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "llr": self.ratio(pairs),
            "lower": -self.bound,
            "upper": self.bound,
            "decided": self.decided(pairs),
        }
