"""The ready-made decks of Quads, a file each."""

from typing import Final

from ccgrid.engine.games.four_sides import Factions

from ..decks import DECKS

FACTIONS: Final = Factions("quads", __name__, DECKS.sizes)
