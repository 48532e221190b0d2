"""The rating of ninecard decks."""

from typing import Final

from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.insight.deck_rating import RatingRules, Use


class NinecardRating(RatingRules[NinecardState]):
    """Counts the creatures that are played."""

    default_games = 200
    default_games_slow_players = 100

    def use(self, state: NinecardState, move: str) -> Use | None:
        """Return the creature that is played, or None."""
        return Use(move[5:-2], state.to_move, 0) if move.startswith("play ") else None


RATING: Final = NinecardRating()
