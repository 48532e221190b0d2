"""The ready-made decks of the tactics game, a file each."""

from typing import Final

from ccgrid.engine.games.four_sides import Factions
from ccgrid.engine.games.tactics.decks import SIZES

FACTIONS: Final = Factions("tactics", __name__, SIZES)
