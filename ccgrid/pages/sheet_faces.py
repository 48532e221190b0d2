"""What is printed on the cards of each game: of decks, and of games that have their own cards."""

from collections.abc import Sequence
from typing import Final

from catalog.card import Card
from ccgrid.pages.sheet_cards import Face
from engine.games import find_game
from engine.games.matrix.cards import KINDS, NUMBERS
from engine.games.matrix.state import COPIES

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


def faces_of(game: str, cards: Sequence[Card], title: str) -> list[Face]:
    """The cards of a deck as this game uses them."""
    if game == "ninecard":
        return [_battle_face(card, title) for card in cards]
    shows_score = find_game(game).decks_needed(2) == 1
    return [
        Face(
            card.name,
            card.zones,
            lines=(f"score {card.score}",) if shows_score else (),
            foot=" ".join(filter(None, (card.game, card.set_code, card.collector_number))) or title,
        )
        for card in cards
    ]


def _battle_face(card: Card, title: str) -> Face:
    foot = " ".join(filter(None, (card.game, card.set_code, card.collector_number))) or title
    if card.attack is None or card.defense is None:
        return Face(card.name, lines=("energy",), foot=foot)
    lines = "attack / defense", f"costs {card.attack + card.defense}"
    return Face(card.name, large=f"{card.attack} / {card.defense}", lines=lines, foot=foot)


def game_faces(game: str, players: int) -> list[Face]:
    """The cards of a game that has its own: those of matrix, the nine numbers of its board, and what each card does."""
    if game != "matrix":
        return []
    kinds = [kind for kind in KINDS for _ in range(COPIES[players])]
    cards = [Face(kind, large=_SIGNS[kind], lines=(_DOES[kind],), foot="3x3 Number Matrix") for kind in kinds]
    numbers = [Face("", large=str(number), foot="3x3 Number Matrix: the board") for number in NUMBERS]
    overview = Face("The cards", lines=tuple(f"{kind}  {_SIGNS[kind]}" for kind in KINDS))
    return [*cards, *numbers, overview]
