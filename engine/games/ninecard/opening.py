"""How a game of ninecard opens: which hands a player keeps, and what energy a hand allows."""

from collections.abc import Sequence
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.ninecard.cards import BattleCard, Creature, DeckList, Energy
from ccgrid.engine.games.ninecard.options import OPENINGS, Options

HAND: Final = 5
"""So many cards are drawn at the start, and held at the end of a turn."""

MOST_AGAIN: Final = 10
"""So often a deck is shuffled again at most: some have hardly a creature that can be played."""


def energy_allowed(hand: Sequence[BattleCard], options: Options, *, has_sacrificed: bool = False) -> int:
    """The most energy that can be laid from a hand with one of its creatures left to be played."""
    creatures = sum(isinstance(card, Creature) for card in hand)
    energy = sum(isinstance(card, Energy) for card in hand)
    if options.facedown:
        return energy + creatures - 1
    if options.one_creature and not has_sacrificed:
        return energy + (creatures > 1)
    return energy


def can_open(hand: Sequence[BattleCard], options: Options) -> bool:
    """Whether a hand holds a creature that could be played in the first turn with all energy that the hand allows."""
    energy = energy_allowed(hand, options)
    return any(isinstance(card, Creature) and card.cost <= energy for card in hand)


def shuffled(deck: DeckList, dice: Dice, options: Options, opening: str) -> DeckList:
    """A deck shuffled, and shuffled again as long as the opening wants it."""
    cards = dice.shuffled(deck)
    for _ in range(MOST_AGAIN if opening == OPENINGS[0] else 0):
        if can_open(cards[:HAND], options):
            break
        cards = dice.shuffled(deck)
    return tuple(cards)
