"""How the grid game is shown: nine cards with their numbers and scores."""

from typing import Final

from catalog.card import Card
from engine.game_view import GameView
from engine.games.grid.state import BOARD, GridState
from engine.picture import Name, Tile, Tiles, Words


def _picture(state: GridState, seat: int | None, last: str | None) -> Tiles:
    """The grid, which is the same for every seat; both cells of a move are marked."""
    changed = last.split("x") if last else ()
    return Tiles(tuple(_tile(cell, state.card_on(cell), cell in changed) for cell in BOARD.cells), BOARD.size)


def _tile(cell: str, card: Card | None, marked: bool) -> Tile:
    if card is None:
        return Tile(label=cell, captions=("empty",), marked=marked)
    return Tile(label=cell, name=card.name, zones=card.zones, captions=(f"score {card.score}",), marked=marked)


def _describe(state: GridState, move: str) -> Words:
    taken = state.card_on(move.split("x")[1])
    return "" if taken is None else (f"+{taken.score} ", Name(taken.name, None))


VIEW: Final = GameView("engine.games.grid", _picture, _describe, shows_scores=False)
