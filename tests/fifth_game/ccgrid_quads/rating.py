"""The rating of decks of Quads."""

from typing import Final

from ccgrid.engine.insight.deck_rating import RatingRules, Use

from .rules import QuadsState


class QuadsRating(RatingRules[QuadsState]):
    """A counter of played cards."""

    def use(self, state: QuadsState, move: str) -> Use | None:
        """Return the card of a move."""
        return Use(move.rpartition("@")[0], state.to_move, 0)


RATING: Final = QuadsRating()
