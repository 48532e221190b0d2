"""Decks of the tactics game: factions, or cards of other games with a number on every side."""

from typing import Final

from ccgrid.engine.decks import GameDecks
from ccgrid.engine.games.four_sides import SidedDecks

SIZES: Final = range(3, 1001)
"""The numbers of cards that a deck may have."""

DECKS: Final[GameDecks] = SidedDecks(SIZES, usual=18)
