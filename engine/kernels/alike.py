"""Which cards of many are alike to a kernel: tens of thousands of cards have a thousand different sets of numbers."""

from collections.abc import Sequence

from catalog.card import ZONES, Card
from catalog.pool import CardPool


def kinds(cards: Sequence[Card]) -> Sequence[int]:
    """For each card its kind, from 0 in the order in which they come.

    Cards of a kind have the same numbers, and either all of them or none may be in a deck.

    >>> kinds([Card("x:1", "x", "Ant", {"top": 2}, 2), Card("x:2", "x", "Bee", {"top": 2}, 2)])
    [0, 0]
    """
    if isinstance(cards, CardPool):
        return cards.kinds
    places: dict[object, int] = {}
    keys = ((*map(card.zones.get, ZONES), card.score, card.legal) for card in cards)
    return [places.setdefault(key, len(places)) for key in keys]
