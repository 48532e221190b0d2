"""Pictures of positions and words for moves, game by game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ccgrid.view.output import console, show, shown
from ccgrid.view.text import pad, shorten, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from engine.game import State

_BESIDE_THE_BOARD: Final = 4
"""So many lines stand on a screen besides the board and the list of moves: what was played, a blank, scores, prompt."""

_LOW: Final = 30
"""On a terminal of fewer lines boards are drawn with flatter cards."""

_LONGEST_NAME: Final = 30
"""So many cells of a player's name are shown at most."""

_NARROWEST: Final = 18
_GAP: Final = 2
"""The least width of a column of moves, and what stands between two, in cells."""


@dataclass(frozen=True, slots=True)
class GameView:
    """How one game is shown: a position, with the cells of the last move marked, and what a move would do."""

    draw: Callable[[Any, "str | None"], "Text"]
    describe: Callable[[Any, str], str]


def is_low() -> bool:
    """Whether the terminal is so low that a board should be."""
    screen = console()
    return screen.is_terminal and screen.height < _LOW


def _draw_grid(state: Any, last: "str | None") -> "Text":
    from ccgrid.view.board import draw_board
    from engine.games.grid import BOARD

    cards = [state.card_on(cell) for cell in BOARD.cells]
    return draw_board(cards, last=last.split("x") if last else (), low=is_low())


def _describe_grid(state: Any, move: str) -> str:
    taken = state.card_on(move.split("x")[1])
    return f"+{taken.score} {visible(taken.name)}"


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
    return ", ".join(f"{player_name(player)} {score}" for player, score in scores)


def player_name(name: str) -> str:
    """A player's name as it stands in sentences and at the prompt: nothing in it acts, and it floods nothing."""
    return shorten(shown(name), _LONGEST_NAME)


def show_moves(game: str, state: "State", moves: "tuple[str, ...]") -> None:
    """Print the legal moves, numbered from 1, each with what it would do.

    On a terminal they stand in as many columns as it takes to leave the board in sight above them.
    """
    digits, longest = len(str(len(moves))), max(map(len, moves), default=0)
    lines = [
        shown(f"{number:>{digits}}  {move:<{longest}}  {describe_move(game, state, move)}")
        for number, move in enumerate(moves, 1)
    ]
    screen = console()
    if screen.is_terminal:
        board = draw_state(game, state).plain.count("\n") + 1
        lines = in_columns(lines, screen.width, screen.height - board - _BESIDE_THE_BOARD)
    show(*lines)


def in_columns(texts: "Sequence[str]", cells: int, most: int) -> list[str]:
    """Lines of at most so many cells that hold texts in columns, read downwards.

    There are as few columns as leave at most `most` lines, but none so narrow that nothing can be read in it.

    >>> in_columns(["1 a1xb1", "2 a1xb2", "3 b1xc1"], 40, 2)
    ['1 a1xb1              3 b1xc1', '2 a1xb2']
    """
    most_columns = max(1, (cells + _GAP) // (_NARROWEST + _GAP))
    columns = min(most_columns, -(-len(texts) // max(most, 1))) or 1
    height = -(-len(texts) // columns)
    inner = (cells + _GAP) // columns - _GAP
    rows = (texts[row::height] for row in range(height))
    return [(" " * _GAP).join(pad(text, inner) for text in row).rstrip() for row in rows]
