"""How a deck of Quads plays: which cards are put on the board."""

from typing import Final

from ccgrid.engine.insight.deck_rating import RatingRules, Use

from .state import QuadsState


class QuadsRating(RatingRules):
    """Counts the cards that are played."""

    def use(self, state: QuadsState, move: str) -> Use | None:
        """The card that is put on the board."""
        return Use(move.rpartition("@")[0], state.to_move, 0)


RATING: Final[RatingRules] = QuadsRating()
