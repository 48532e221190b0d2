"""What is printed for matrix: its cards and the numbers of its board, and a table for the rounds."""

from collections.abc import Sequence
from typing import Final

from ccgrid.engine.games.matrix.cards import KINDS, NUMBERS
from ccgrid.engine.games.matrix.state import COPIES
from ccgrid.engine.sheet import CardFace, ScoreTable, Sheet, numbered

_DOES: Final = {
    "switch-corners": "Two corners of the board change places.",
    "switch-edges": "Two edges, not corners, change places.",
    "shift-north": "A column rolls up by one; its top number goes to the bottom.",
    "shift-south": "A column rolls down by one; its bottom number goes to the top.",
    "shift-west": "A row rolls left by one; its left number goes to the right.",
    "shift-east": "A row rolls right by one; its right number goes to the left.",
    "swap-even": "An even number that is not in the centre changes places with the centre.",
    "swap-odd": "An odd number that is not in the centre changes places with the centre.",
    "rotate-clockwise": "The whole board turns a quarter clockwise; the centre stays.",
    "rotate-counterclockwise": "The whole board turns a quarter counterclockwise; the centre stays.",
}
_SIGNS: Final = {
    "switch-corners": "\u25f0 \u21c4 \u25f2",
    "switch-edges": "\u25e7 \u21c4 \u25e8",
    "shift-north": "\u2191",
    "shift-south": "\u2193",
    "shift-west": "\u2190",
    "shift-east": "\u2192",
    "swap-even": "2 4 6 8",
    "swap-odd": "1 3 5 7 9",
    "rotate-clockwise": "\u21bb",
    "rotate-counterclockwise": "\u21ba",
}


def _own(players: int) -> Sequence[CardFace]:
    """The cards, the nine numbers of the board, and what each card does."""
    kinds = [kind for kind in KINDS for _ in range(COPIES[players])]
    cards = [CardFace(kind, large=_SIGNS[kind], lines=(_DOES[kind],), foot="3x3 Number Matrix") for kind in kinds]
    numbers = [CardFace("", large=str(number), foot="3x3 Number Matrix: the board") for number in NUMBERS]
    overview = CardFace("The cards", lines=tuple(f"{kind}  {_SIGNS[kind]}" for kind in KINDS))
    return [*cards, *numbers, overview]


SHEET: Final = Sheet(scores=ScoreTable(2, numbered(10), "round", ("card", "score"), "end"), own=_own)
