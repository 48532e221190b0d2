"""Pictures of positions and words for moves, game by game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ccgrid.view.output import Column, show_table
from ccgrid.view.text import visible

if TYPE_CHECKING:
    from rich.text import Text

    from engine.game import State


@dataclass(frozen=True, slots=True)
class GameView:
    """How one game is shown: a position, with the cells of the last move marked, and what a move would do."""

    draw: Callable[[Any, "str | None"], "Text"]
    describe: Callable[[Any, str], str]


def _draw_grid(state: Any, last: "str | None") -> "Text":
    from ccgrid.view.board import draw_board
    from engine.games.grid import BOARD

    return draw_board([state.card_on(cell) for cell in BOARD.cells], last=last.split("x") if last else ())


def _describe_grid(state: Any, move: str) -> str:
    taken = state.card_on(move.split("x")[1])
    return f"takes {visible(taken.name)} (+{taken.score})"


_VIEWS: Final[dict[str, GameView]] = {"grid": GameView(_draw_grid, _describe_grid)}


def draw_state(game: str, state: "State", last: "str | None" = None) -> "Text":
    """The picture of a position; `last` is the move that led to it."""
    return _VIEWS[game].draw(state, last)


def describe_move(game: str, state: "State", move: str) -> str:
    """What a legal move would do, in a few words."""
    return _VIEWS[game].describe(state, move)


def standing(state: "State") -> str:
    """The scores so far, in one line."""
    scores = zip(state.players, state.scores(), strict=True)
    return ", ".join(f"{visible(player)} {score}" for player, score in scores)


def show_moves(game: str, state: "State", moves: "tuple[str, ...]") -> None:
    """Print the legal moves, numbered from 1, each with what it would do."""
    rows = [(number, move, describe_move(game, state, move)) for number, move in enumerate(moves, 1)]
    show_table([Column("no.", "right"), Column("move"), Column("", wrap=True)], rows)
