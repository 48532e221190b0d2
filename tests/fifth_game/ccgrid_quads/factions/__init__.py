"""The ready-made decks of Quads, one file per deck."""

from typing import Final

from ccgrid.engine.games.four_sides import Factions

from ..decks import DECKS

FACTIONS: Final = Factions("quads", __name__, DECKS.sizes)
