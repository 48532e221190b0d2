"""Decks of cards that have a number on every side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ccgrid.catalog.card import HIGHEST, LOWEST, Card
from ccgrid.engine.decks import Printed, RandomDecks, TooFewCardsError
from ccgrid.engine.games.four_sides.cards import SIDES, as_sided_card


@dataclass(frozen=True, slots=True)
class SidedDecks:
    """The decks of a game of cards with four sides: how many cards they may have, and how many a drawn one has."""

    sizes: range
    usual: int
    any_legal: ClassVar[bool] = False
    numbers: ClassVar[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Which of its sides have no number."""
        missing = [side for side in SIDES if side not in card.zones]
        return f"it has no number at its {' and '.join(missing)}" if missing else None

    def why_dead(self, cards: Sequence[Card]) -> str | None:
        """All numbers are equal."""
        numbers = {card.zones.get(side) for card in cards for side in SIDES}
        return "all its numbers are equal, so no card can capture" if len(numbers) == 1 else None

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
        """Decks of different ones of the cards, as records of the game hold them; raises TooFewCardsError."""
        usable = tuple(as_sided_card(card) for card in cards if self.fault(card) is None)
        if len(usable) < self.usual:
            raise TooFewCardsError(self.usual, "cards with a number on every side", len(usable))
        return RandomDecks(usable, self.usual, count)
