"""The variants of the ninecard game."""

from dataclasses import dataclass
from typing import Final

from ccgrid.engine.options import YES_OR_NO, Option

OPENINGS: Final = ("playable", "text")
"""Whoever holds no creature that could be played shuffles and draws again; or, as in the author's text, keeps it."""

MOST: Final = {"life": 10_000, "limit": 2_000}
"""The most that the options with a number may be; they are at least 1."""


@dataclass(frozen=True, slots=True)
class Options:
    """The variants: points of life at the start, which creatures may be laid as energy, and the most turns in all."""

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
