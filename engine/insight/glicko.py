"""Glicko-2: ratings of players, their uncertainty, and updates after games.

Formulas and names follow Mark Glickman's "Example of the Glicko-2 system" (2012, at
glicko.net/glicko/glicko2.pdf), whose example is a test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final

SCALE: Final = 173.7178
"""Rating points per unit of Glicko-2's internal scale."""

_TAU: Final = 0.5
"""Glickman's tau, which limits changes of the volatility; 0.3 to 1.2 are usual."""
_TOLERANCE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating and its standard error, in points, and its volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


Result = tuple[Rating, float]
"""An opponent, and the score of the game: 1 for a win, 0.5 for a draw, 0 for a loss."""


def update_rating(player: Rating, results: Sequence[Result]) -> Rating:
    """Return the rating after one rating period of at least one game."""
    # Step 2: convert the player to Glicko-2's scale; then g of the opponents' deviations, and E, the expected scores.
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    weights, expected = [], []
    for other, _ in results:
        weights.append(1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2))
        expected.append(1 / (1 + exp(-weights[-1] * (mu - (other.rating - 1500) / SCALE))))
    # Step 3: v, the variance from the games alone. Step 4: delta, which is v times the score beyond expectation.
    variance = 1 / sum(g * g * e * (1 - e) for g, e in zip(weights, expected, strict=True))
    gained = sum(g * (score - e) for g, e, (_, score) in zip(weights, expected, results, strict=True))
    sigma = _volatility(player.volatility, phi, variance, variance * gained)
    # Steps 6 and 7: the volatility increases the deviation, and the games reduce it. It never exceeds a new player's.
    phi = 1 / sqrt(1 / (phi * phi + sigma * sigma) + 1 / variance)
    return Rating(1500 + SCALE * (mu + phi * phi * gained), min(SCALE * phi, 350.0), sigma)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5: find the root of f by the Illinois algorithm."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (_TAU * _TAU)

    # `low` is the paper's A, `high` its B: f changes its sign between the two.
    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        high = start - _TAU
        while f(high) < 0:
            high -= _TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        # Illinois: interpolate linearly, and halve the value at an end that is kept, to avoid slow convergence.
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
