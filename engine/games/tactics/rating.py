"""The rating of tactics decks."""

from typing import Final

from ccgrid.engine.games.tactics.rules import TacticsState
from ccgrid.engine.insight.deck_rating import RatingRules, Use


class TacticsRating(RatingRules[TacticsState]):
    """Counts the cards that are played."""

    default_games = 1_000
    default_games_slow_players = 400

    def use(self, state: TacticsState, move: str) -> Use | None:
        """Return the card that is placed on the board."""
        name = move.rpartition("@")[0]
        return Use(name, state.to_move, 0) if name else None


RATING: Final = TacticsRating()
