"""The options of the ninecard game."""

from dataclasses import dataclass
from typing import Final

from ccgrid.engine.options import YES_OR_NO, Option

OPENINGS: Final = ("playable", "text")
"""The kinds of dealing: a player without a playable creature shuffles and draws again, or keeps the hand."""

MOST: Final = {"life": 10_000, "limit": 2_000}
"""The maximum values of the options with a number; the minimum is 1."""


@dataclass(frozen=True, slots=True)
class Options:
    """The values of all options: life at the start, which creatures may be energy, and the maximum number of turns."""

    life: int = 50
    facedown: bool = False
    one_creature: bool = False
    limit: int = 200


USUAL: Final = Options()

OPTIONS: Final = (
    Option("life", range(1, MOST["life"] + 1), USUAL.life, "points of life at the start", samples=range(5, 12)),
    Option("facedown", YES_OR_NO, USUAL.facedown, "creatures may be laid face down as energy"),
    Option("one_creature", YES_OR_NO, USUAL.one_creature, "one creature a turn may be laid as energy"),
    Option("limit", range(1, MOST["limit"] + 1), USUAL.limit, "the most turns in all", samples=range(3, 8)),
    Option("opening", OPENINGS, OPENINGS[0], "which first hands are kept"),
)
