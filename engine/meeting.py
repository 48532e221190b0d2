"""What of a deck's play can be told from its numbers alone: who can take whom, and whether two numbers meet."""

from collections.abc import Callable, Sequence
from typing import Final

from catalog.card import ZONES, Card
from engine.board import OPPOSITE
from engine.games.grid.state import BOARD, MOVES
from engine.games.ninecard.cards import is_creature
from engine.games.tactics.cards import SIDES

_WAYS: Final = {zone: sum(BOARD.zone_towards(move[:2], move[3:]) == zone for move in MOVES) for zone in ZONES}
"""In how many pairs of neighbours on the grid a zone faces the other cell."""


def takes(one: Card, other: Card, zone: str) -> bool:
    """Whether a card takes another that lies where this zone faces, as the rules of grid say."""
    number = one.zones.get(zone)
    return number is not None and number > other.zones.get(OPPOSITE[zone], -1)


def met_share(cards: Sequence[Card]) -> float:
    """The share of captures in which two numbers are compared, of all that the cards allow on a grid laid at random.

    0 where there is none.
    """
    captures = met = 0
    for place, one in enumerate(cards):
        for zone in one.zones:
            for other in (*cards[:place], *cards[place + 1 :]):
                if takes(one, other, zone):
                    captures += _WAYS[zone]
                    met += _WAYS[zone] * (OPPOSITE[zone] in other.zones)
    return met / captures if captures else 0.0


def _dead_grid(cards: Sequence[Card]) -> str | None:
    for place, one in enumerate(cards):
        others = (*cards[:place], *cards[place + 1 :])
        if any(takes(one, other, zone) for zone in one.zones for other in others):
            return None
    return "no card of it can take another: a game is over before the first move"


def _dead_tactics(cards: Sequence[Card]) -> str | None:
    numbers = {card.zones.get(side) for card in cards for side in SIDES}
    return "all its numbers are equal: no card can take another" if len(numbers) == 1 else None


def _dead_ninecard(cards: Sequence[Card]) -> str | None:
    if not any(is_creature(card) for card in cards):
        return "it has no creature: its player is out in the first turn"
    if not any(is_creature(card) and card.attack for card in cards):
        return "none of its creatures has an attack: it cannot hurt anybody"
    return None


_DEAD: Final[dict[str, Callable[[Sequence[Card]], str | None]]] = {
    "grid": _dead_grid,
    "tactics": _dead_tactics,
    "ninecard": _dead_ninecard,
}


def why_dead(game: str, cards: Sequence[Card]) -> str | None:
    """Why nothing can happen in a game with a deck that is legal all the same, in words; nothing where it can."""
    return _DEAD[game](cards) if cards and game in _DEAD else None
