"""The ready-made decks of the tactics game, a file each."""

from typing import Final

from engine.games.four_sides.factions import Factions
from engine.games.tactics.decks import SIZES

FACTIONS: Final = Factions("tactics", __name__, SIZES)
