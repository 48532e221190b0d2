"""What is printed for ninecard: a table for the turns, and cards by their attack and defense."""

from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.sheet import CardFace, ScoreTable, Sheet, numbered


def _face(card: Card) -> CardFace:
    if card.attack is None or card.defense is None:
        return CardFace(card.name, lines=("energy",))
    lines = "attack / defense", f"costs {card.attack + card.defense}"
    return CardFace(card.name, large=f"{card.attack} / {card.defense}", lines=lines)


def _numbers(card: Card) -> str:
    return "energy" if card.attack is None else f"{card.attack}/{card.defense}"


SHEET: Final = Sheet(
    scores=ScoreTable(1, numbered(25), "turn", ("life", "energy"), "end"),
    note="row 1 is the front",
    face=_face,
    heading="attack/defense",
    numbers=_numbers,
)
