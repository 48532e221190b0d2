"""The lessons of the grid game, and the experiments behind them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.dice import Dice
from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.games.grid.rules import EMPTY, GridState
from ccgrid.engine.insight.lessons import Course, Experiment, Lesson, Sample, start_wins, wins

_KINDS: Final = ("corner", "edge", "centre")
_WHERE: Final = {cell: _KINDS[(cell[0] == "b") + (cell[1] == "2")] for cell in BOARD.cells}


def _captures(course: Course[GridState]) -> Iterator[tuple[GridState, Card, str]]:
    """Yield every capture: the position before it, the captured card, and its facing side."""
    for state, move in zip(course.positions, course.moves, strict=False):
        zone = BOARD.zone_towards(move[:2], move[3:])
        yield state, state.card_taken(move), OPPOSITE[zone or ""]


def _blanks(course: Course[GridState]) -> Iterable[Sample]:
    for _, card, side in _captures(course):
        yield Sample("blank", side not in card.zones)


def _places(course: Course[GridState]) -> Iterable[Sample]:
    for state, move in zip(course.positions, course.moves, strict=False):
        for cell, card in zip(BOARD.cells, state.grid, strict=True):
            if card != EMPTY:
                yield Sample(_WHERE[cell], cell == move[3:])


def _late(course: Course[GridState]) -> Iterable[Sample]:
    for state, card, _ in _captures(course):
        yield Sample("late", 0 if state.pile else card.score, card.score)


def careful(view: GridState, legal: Sequence[str], dice: Dice) -> str:
    """Choose the capture with the highest score, minus the best reply among the cards that are on the grid already."""
    values = [view.card_taken(move).score - _best_reply(_without_refill(view, move)) for move in legal]
    best = max(values)
    return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


def _without_refill(view: GridState, move: str) -> GridState:
    """Return the position after a move, without revealing a card."""
    source, target = BOARD.cells.index(move[:2]), BOARD.cells.index(move[3:])
    grid = list(view.grid)
    grid[target], grid[source] = grid[source], EMPTY
    return replace(view, grid=tuple(grid))


def _best_reply(state: GridState) -> int:
    return max((state.card_taken(move).score for move in state.legal_moves()), default=0)


_GREEDY: Final = ("greedy", "greedy")

LESSONS: Final = (
    Lesson(
        "greedy",
        "Take the highest score you can. This wins {player1} of the games against random captures.",
        Experiment("between a greedy and a random player", ("greedy", "random"), wins),
        (("player1", "player2"),),
    ),
    Lesson(
        "careful",
        "Then look at what your move leaves. Counting the opponent's best reply wins {player1} of the games against "
        "only counting your own capture.",
        Experiment("between one who looks at the reply and a greedy player", (careful, "greedy"), wins, 4000),
        (("player1", "player2"),),
    ),
    Lesson(
        "thinking",
        "Think of the cards that may be turned up. Playing every move on with possible cards wins {player1} of the "
        "games against a greedy player.",
        Experiment("between strong:200 and greedy", ("strong:200", "greedy"), wins, 1000),
        (("player1", "player2"),),
    ),
    Lesson(
        "blank",
        "Look for sides without a number. {blank} of all captures take a card at a side without one; the rest compare "
        "two numbers.",
        Experiment("between greedy players", _GREEDY, _blanks),
    ),
    Lesson(
        "centre",
        "Take high cards from the centre first. A card there is taken in {centre} of all turns, at an edge in {edge}, "
        "in a corner in {corner}.",
        Experiment("between greedy players", _GREEDY, _places),
        (("centre", "edge"), ("centre", "corner")),
    ),
    Lesson(
        "late",
        "When the pile is empty, count what can still meet. {late} of the points are taken then, and nothing is "
        "hidden any more.",
        Experiment("between greedy players", _GREEDY, _late),
    ),
    Lesson(
        "start",
        "Starting is worth a lot: the first player wins {starter} of the games, with draws as half. Take turns to "
        "start, or give the second player points.",
        Experiment("between greedy players", _GREEDY, start_wins, 4000),
        (("starter", "others"),),
    ),
    Lesson(
        "komi",
        "Giving the second player five points makes it even: the first player then wins {starter} of the games.",
        Experiment("between greedy players, with komi=5", _GREEDY, start_wins, 4000, {"komi": 5}),
    ),
)
"""The lessons, the most important first."""
