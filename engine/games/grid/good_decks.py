"""What a deck of grid is good for: the bars that it is to reach in every way at once, and how far it is from them."""

from dataclasses import dataclass
from typing import Final

from engine.insight.deck_rating import DeckCounts
from engine.insight.deck_search import BY_ONE, CHOICES, EVEN, MET

_SAFE: Final = 0.01
"""A search aims so much beyond each bar: what looks good enough in some games is often a little less so in others."""


@dataclass(frozen=True, slots=True)
class Bars:
    """How far a deck is from each bar, in shares; what is 0 or less is reached.

    `komi` are the points for who does not start with which it is most even, 0 where it is even enough without.
    """

    met: float
    even: float
    by_one: float
    choices: float
    komi: int

    @classmethod
    def of(cls, counts: DeckCounts, usual_choices: float) -> "Bars":
        """What was counted of a deck, beside the choices a turn of random decks."""
        alone = abs(counts.first_share - 0.5)
        komi = 0 if alone <= EVEN else counts.komi
        uneven = abs(counts.share_with(komi) - 0.5) if komi else alone
        wanted = CHOICES * usual_choices
        return cls(
            MET - counts.met_share,
            uneven - EVEN,
            counts.per_game(counts.by_one) - BY_ONE,
            (wanted - counts.per_turn(counts.choices)) / max(wanted, 0.1),
            komi,
        )

    @property
    def missing(self) -> float:
        """How much is missing in all, with something to spare: what a search makes less."""
        return sum(max(0.0, bar + _SAFE) for bar in (self.met, 2 * self.even, self.by_one, self.choices))
