"""The rules for decks of Quads: five cards with a number on every side."""

from typing import Final

from ccgrid.engine.decks import GameDecks
from ccgrid.engine.games.four_sides import SidedDecks

from .rules import HAND

DECKS: Final[GameDecks] = SidedDecks(range(HAND, HAND + 1), usual=HAND)
