"""Empty boards with the names of their cells, and sheets to write scores on."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ccgrid.pages.sheet_cards import HEIGHT, WIDTH, Paper
from engine.board import Board
from engine.games import find_game

_NARROWEST: Final = 14
_PER_LETTER: Final = 2
"""How wide the first column of a score sheet is, in millimetres: at least, and for each letter in it."""

_LARGE: Final = 4
"""With so many columns the cells of a board are smaller than cards, so that it fits on one page."""


class ScoreTable(NamedTuple):
    """A table to write on: how many a page, its rows, the heading of their first column, each player's columns."""

    tables: int
    rows: Sequence[str]
    heading: str
    columns: Sequence[str]
    sums: str = "sum"
    players: int = 2


_USUAL: Final = ScoreTable(1, [str(number) for number in range(1, 21)], "turn", ("points",))
_SCORES: Final = {
    "grid": ScoreTable(2, [str(number) for number in range(1, 12)], "move", ("move", "card taken", "points")),
    "tactics": ScoreTable(3, ("captured cards", "corners, 1 each", "sides, 2 each", "centre, 3"), "", ("points",)),
    "matrix": ScoreTable(2, [str(number) for number in range(1, 11)], "round", ("card", "score"), "end"),
    "ninecard": ScoreTable(1, [str(number) for number in range(1, 26)], "turn", ("life", "energy"), "end"),
}
_FRONT: Final = "ninecard"
"""In this game every player has a board, whose first row faces the enemy."""


def board_pages(game: str, paper: Paper, players: int) -> Iterator[str]:
    """The empty board, a card on each cell; of tactics for four players the larger one, too."""
    yield _board(Board(3), paper, WIDTH, HEIGHT, "row 1 is the front" if game == _FRONT else "")
    if game == "tactics" and players == _LARGE:
        yield _board(Board(_LARGE), paper, 47, 65, "")


def _board(board: Board, paper: Paper, width: float, height: float, note: str) -> str:
    left, top = (paper.width - board.size * width) / 2, (paper.height - board.size * height) / 2
    cells = []
    for number, cell in enumerate(board.cells):
        row, column = divmod(number, board.size)
        place = f"left:{left + column * width:.2f}mm;top:{top + row * height:.2f}mm;width:{width}mm;height:{height}mm"
        cells.append(f'<div class="cell" style="{place}"><span>{cell}</span></div>')
    said = f'<p class="note" style="top:{top - 6:.2f}mm">{note}</p>' if note else ""
    return f'<section class="page board">{"".join(cells)}{said}</section>'


def score_pages(game: str) -> Iterator[str]:
    """Tables to write moves and points on."""
    made = _SCORES.get(game, _USUAL)
    tables = "".join(_table(made, number) for number in range(1, made.tables + 1))
    yield f'<section class="page scores"><h1>{find_game(game).title}</h1>{tables}</section>'


def _table(made: ScoreTable, number: int) -> str:
    columns = list(made.columns) * made.players
    names = f'<th colspan="{len(made.columns)}" class="player">player</th>' * made.players
    heads = "".join(f"<th>{column}</th>" for column in columns)
    empty = "<td></td>" * len(columns)
    rows = "".join(f"<tr><th>{row}</th>{empty}</tr>" for row in made.rows)
    which = f"game {number}" if made.tables > 1 else ""
    width = max(_NARROWEST, max(map(len, made.rows)) * _PER_LETTER)
    top = f"<tr><th style='width:{width:.0f}mm'>{which}</th>{names}</tr><tr><th>{made.heading}</th>{heads}</tr>"
    return f'<table><thead>{top}</thead><tbody>{rows}<tr class="sum"><th>{made.sums}</th>{empty}</tr></tbody></table>'
