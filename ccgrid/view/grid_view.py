"""How the grid game is shown."""

from typing import TYPE_CHECKING, Final

from ccgrid.view.game_view import GameView, is_low
from ccgrid.view.text import visible

if TYPE_CHECKING:
    from rich.text import Text

    from engine.games.grid.state import GridState


def _draw(state: "GridState", seat: int | None, last: str | None) -> "Text":
    from ccgrid.view.board import draw_board
    from engine.games.grid.state import BOARD

    cards = [state.card_on(cell) for cell in BOARD.cells]
    return draw_board(cards, last=last.split("x") if last else (), low=is_low())


def _describe(state: "GridState", move: str) -> str:
    taken = state.card_on(move.split("x")[1])
    return "" if taken is None else f"+{taken.score} {visible(taken.name)}"


VIEW: Final = GameView(_draw, _describe, shows_scores=False)
