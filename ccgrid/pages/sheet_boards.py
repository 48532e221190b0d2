"""Empty boards with the names of their cells, and sheets to write scores on."""

from collections.abc import Iterator
from typing import Final

from ccgrid.pages.sheet_cards import HEIGHT, WIDTH, Paper
from engine.board import Board
from engine.sheet import ScoreTable, Sheet

_NARROWEST: Final = 14
_PER_LETTER: Final = 2
"""How wide the first column of a score sheet is, in millimetres: at least, and for each letter in it."""


def board_pages(sheet: Sheet, paper: Paper, players: int) -> Iterator[str]:
    """The empty boards, on the first of them a card on each cell; each fits on one page."""
    first, *others = sheet.boards(players)
    yield _board(Board(first), paper, WIDTH, HEIGHT, sheet.note)
    for size in others:
        yield _board(Board(size), paper, WIDTH * first // size, HEIGHT * first // size, "")


def _board(board: Board, paper: Paper, width: float, height: float, note: str) -> str:
    left, top = (paper.width - board.size * width) / 2, (paper.height - board.size * height) / 2
    cells = []
    for number, cell in enumerate(board.cells):
        row, column = divmod(number, board.size)
        place = f"left:{left + column * width:.2f}mm;top:{top + row * height:.2f}mm;width:{width}mm;height:{height}mm"
        cells.append(f'<div class="cell" style="{place}"><span>{cell}</span></div>')
    said = f'<p class="note" style="top:{top - 6:.2f}mm">{note}</p>' if note else ""
    return f'<section class="page board">{"".join(cells)}{said}</section>'


def score_pages(title: str, made: ScoreTable) -> Iterator[str]:
    """Tables to write moves and points on."""
    tables = "".join(_table(made, number) for number in range(1, made.tables + 1))
    yield f'<section class="page scores"><h1>{title}</h1>{tables}</section>'


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
