"""Decks of Quads: five cards with a number on every side."""

from typing import Final

from engine.games.quads.state import HAND

from engine.decks import GameDecks
from engine.games.four_sides.decks import SidedDecks

DECKS: Final[GameDecks] = SidedDecks(range(HAND, HAND + 1), usual=HAND)
