"""Decks of the tactics game: factions, or cards of other games that have a number on every side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from catalog.card import HIGHEST, LOWEST, Card
from engine.deck_sources import RandomDecks, TooFewCardsError
from engine.decks import GameDecks, Printed
from engine.games.tactics.cards import LARGEST_DECK, SIDES, SMALLEST_DECK, as_tactics_card

USUAL_DECK: Final = 18


class TacticsDecks:
    """The decks of the tactics game."""

    sizes: Final = range(SMALLEST_DECK, LARGEST_DECK + 1)
    any_legal: Final = False
    numbers: Final[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Which of its sides have no number."""
        missing = [side for side in SIDES if side not in card.zones]
        return f"it has no number at its {' and '.join(missing)}" if missing else None

    def why_dead(self, cards: Sequence[Card]) -> str | None:
        """All numbers are equal."""
        numbers = {card.zones.get(side) for card in cards for side in SIDES}
        return "all its numbers are equal: no card can take another" if len(numbers) == 1 else None

    def numbered(self, card: Card, printed: Printed) -> Card:
        """The card with a number on each of its sides, where it prints these elsewhere under the names of the sides.

        Triple Triad's four ranks stand in one corner; its layouts call the fields after the sides.
        """
        if card.legal or self.fault(card) is None:
            return card
        fields = printed()
        ranks = {side: int(fields[side]) for side in SIDES if fields.get(side, "").isdecimal()}
        if len(ranks) < len(SIDES) or not all(LOWEST <= rank <= HIGHEST for rank in ranks.values()):
            return card
        return replace(card, zones=ranks, score=max(card.score, sum(ranks.values())))

    def drawn(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> RandomDecks:
        """Decks of 18 different ones of the cards, as records of the game hold them; raises TooFewCardsError."""
        usable = tuple(as_tactics_card(card) for card in cards if self.fault(card) is None)
        if len(usable) < USUAL_DECK:
            raise TooFewCardsError(USUAL_DECK, "cards with a number on every side", len(usable))
        return RandomDecks(usable, USUAL_DECK, count)


DECKS: Final[GameDecks] = TacticsDecks()
