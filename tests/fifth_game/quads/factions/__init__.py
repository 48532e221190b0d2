"""The ready-made decks of Quads, a file each."""

from typing import Final

from engine.games.quads.decks import DECKS

from engine.games.four_sides.factions import Factions

FACTIONS: Final = Factions("quads", __name__, DECKS.sizes)
