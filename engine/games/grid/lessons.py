"""What the grid game teaches, and the experiments behind it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from catalog.card import Card
from engine.dice import Dice
from engine.games.grid.state import BOARD, EMPTY
from engine.insight.lessons import Course, Experiment, Lesson, Sample, start_wins, wins
from engine.picture import OPPOSITE

_KINDS: Final = ("corner", "edge", "centre")
_WHERE: Final = {cell: _KINDS[(cell[0] == "b") + (cell[1] == "2")] for cell in BOARD.cells}


def _captures(course: Course) -> Iterator[tuple[Any, Card, str]]:
    """Every capture: the position before it, the card that was taken, and at which of its sides."""
    for state, move in zip(course.positions, course.moves, strict=False):
        zone = BOARD.zone_towards(move[:2], move[3:])
        yield state, state.card_taken(move), OPPOSITE[zone or ""]


def _blanks(course: Course) -> Iterable[Sample]:
    for _, card, side in _captures(course):
        yield Sample("blank", side not in card.zones)


def _places(course: Course) -> Iterable[Sample]:
    for state, move in zip(course.positions, course.moves, strict=False):
        for cell, card in zip(BOARD.cells, state.grid, strict=True):
            if card != EMPTY:
                yield Sample(_WHERE[cell], cell == move[3:])


def _late(course: Course) -> Iterable[Sample]:
    for state, card, _ in _captures(course):
        yield Sample("late", 0 if state.pile else card.score, card.score)


def careful(view: Any, legal: Sequence[str], dice: Dice) -> str:
    """What takes most, less the most that could be taken next of what lies there already."""
    values = [view.card_taken(move).score - _most(_unfilled(view, move)) for move in legal]
    best = max(values)
    return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


def _unfilled(view: Any, move: str) -> Any:
    """The position after a move, but for the card that it turns up."""
    source, target = BOARD.cells.index(move[:2]), BOARD.cells.index(move[3:])
    grid = list(view.grid)
    grid[target], grid[source] = grid[source], EMPTY
    return replace(view, grid=tuple(grid))


def _most(state: Any) -> int:
    return max((state.card_taken(move).score for move in state.legal_moves()), default=0)


_GREEDY: Final = ("greedy", "greedy")

LESSONS: Final = (
    Lesson(
        "greedy",
        "Take the card with the highest score that you can. Who does so wins {player1} of the games against somebody "
        "who takes any.",
        Experiment("between a greedy and a random player", ("greedy", "random"), wins),
        (("player1", "player2"),),
    ),
    Lesson(
        "careful",
        "Then look at what your move leaves behind. Who also counts the most that the other can take next, of what "
        "lies there, wins {player1} of the games against somebody who looks at the own capture alone.",
        Experiment("between one who looks at the reply and a greedy player", (careful, "greedy"), wins, 4000),
        (("player1", "player2"),),
    ),
    Lesson(
        "thinking",
        "Think of what may be turned up, too. Who plays every move on in the mind, with the cards that may lie in the "
        "pile, wins {player1} of the games against a greedy player.",
        Experiment("between strong:200 and greedy", ("strong:200", "greedy"), wins, 1000),
        (("player1", "player2"),),
    ),
    Lesson(
        "blank",
        "Look for sides without a number. {blank} of all captures take a card at a side where it has none; two numbers "
        "are compared in the rest.",
        Experiment("between greedy players", _GREEDY, _blanks),
    ),
    Lesson(
        "centre",
        "What lies in the centre does not lie there for long. A card there is taken in {centre} of all turns, one at "
        "an edge in {edge}, one in a corner in {corner}: take a dear card from the centre before the other does.",
        Experiment("between greedy players", _GREEDY, _places),
        (("centre", "edge"), ("centre", "corner")),
    ),
    Lesson(
        "late",
        "When the pile is empty, count what can still meet. {late} of the points are taken then, and nothing new is "
        "turned up: everything can be worked out.",
        Experiment("between greedy players", _GREEDY, _late),
    ),
    Lesson(
        "start",
        "Starting is worth a lot: who starts wins {starter} of the games, a draw counted as half. Change who starts, "
        "or give the other some points.",
        Experiment("between greedy players", _GREEDY, start_wins, 4000),
        (("starter", "others"),),
    ),
    Lesson(
        "komi",
        "Five points for who does not start make up for it: then who starts wins {starter} of the games.",
        Experiment("between greedy players, with komi=5", _GREEDY, start_wins, 4000, {"komi": 5}),
    ),
)
"""The most important first."""
