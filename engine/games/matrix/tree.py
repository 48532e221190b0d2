"""Matrix played on in compiled code, which does what its worlds and their tree do, round for round."""

from typing import Any

from engine.board import AROUND_THE_TABLE
from engine.dice import Dice
from engine.games.matrix.cards import KINDS, MOVES, ROTATIONS
from engine.games.matrix.state import COPIES, MatrixState
from engine.games.matrix.table import SWAPS, MatrixTable, is_late
from engine.games.matrix.world import MatrixWorld, exploring
from engine.search.loading import compiled_search
from engine.search.proving import Clock
from engine.search.row_tree import CompiledTree

_SIDES = AROUND_THE_TABLE[4]


class _MatrixRows(CompiledTree):
    """What trees over a position have in common."""

    def __init__(self, view: MatrixState, dice: Dice, compiled: Any) -> None:
        legal = set(view.legal_moves())
        numbers = {move: number for number, move in enumerate(MOVES) if move in legal}
        super().__init__(numbers, len(MOVES), compiled)
        self._board = sum(number << 4 * cell for cell, number in enumerate(view.board))
        self._rotate = ROTATIONS.index(view.setup.rotate)
        self._order = compiled.places(view.order), view.order.index(view.to_move)
        self._sides = compiled.places([_SIDES.index(side) for side in AROUND_THE_TABLE[len(view.hands)]])
        self._throws = compiled.dice(dice.seed)
        self._search = compiled.Search


class MatrixTree(_MatrixRows):
    """A tree over one position."""

    scale: float = MatrixWorld.scale

    def __init__(self, view: MatrixState, dice: Dice, compiled: Any) -> None:
        """`view` is what a seat sees; `compiled` the module of the compiled search."""
        super().__init__(view, dice, compiled)
        self.exploring = exploring(len(view.hands))
        (hidden,) = view.unseen(view.to_move) or (None,)
        cards = [] if hidden is None or hidden.cards is None else [KINDS.index(kind) for kind in hidden.cards]
        unknown = [len(hand) if None in hand else 0 for hand in view.hands]
        known = [[0 if None in hand else hand.count(kind) for kind in KINDS] for hand in view.hands]
        self._rows = (
            self._board,
            self._rotate,
            compiled.ints(known),
            compiled.ints(unknown),
            compiled.ints(cards),
            *self._order,
            self._sides,
        )
        self._play = compiled.play_rounds


class MatrixTableTree(_MatrixRows):
    """A tree over one position in the last rounds of three or four: its moves alone."""

    scale: float = MatrixTable.scale
    exploring: float = MatrixTable.exploring

    def __init__(self, view: MatrixState, dice: Dice, compiled: Any) -> None:
        """`view` is what a seat sees; `compiled` the module of the compiled search."""
        super().__init__(view, dice, compiled)
        world, seats = MatrixTable(view), range(len(view.hands))
        in_box = len(world.hidden) - len(world.holders)
        self._rows = (
            self._board,
            self._rotate,
            COPIES[len(view.hands)],
            compiled.counts([[view.played(seat).count(kind) for kind in KINDS] for seat in seats]),
            compiled.counts([[view.hands[seat].count(kind) for kind in KINDS] for seat in seats]),
            compiled.ints(world.hidden),
            compiled.ints([*world.holders, *[len(view.hands)] * in_box]),
            len(world.holders),
            SWAPS,
            compiled.ints(world.signs),
            compiled.ints(world.habits.slipped),
            compiled.ints(world.habits.judged),
            *self._order,
            self._sides,
            compiled.ints([self._numbers[move] for move in world.legal()]),
        )
        self._play = compiled.play_on


def matrix_tree(view: MatrixState, dice: Dice, rounds: int | None, clock: Clock) -> CompiledTree | None:
    """The tree of a position, if there is compiled code for it."""
    compiled = compiled_search("matrix", rounds, clock)
    if compiled is None:
        return None
    return MatrixTableTree(view, dice, compiled) if is_late(view) else MatrixTree(view, dice, compiled)
