"""Matrix played on in compiled code, which does what `MatrixWorld` and its tree do, round for round."""

from typing import Any

from engine.board import AROUND_THE_TABLE
from engine.dice import Dice
from engine.games.matrix.cards import KINDS, MOVES, ROTATIONS
from engine.games.matrix.state import MatrixState
from engine.search.loading import compiled_search
from engine.search.matrix_world import MatrixWorld, exploring
from engine.search.proving import Clock
from engine.search.row_tree import CompiledTree

_SIDES = AROUND_THE_TABLE[4]


class MatrixTree(CompiledTree):
    """A tree over one position."""

    scale: float = MatrixWorld.scale

    def __init__(self, view: MatrixState, dice: Dice, compiled: Any) -> None:
        """`view` is what a seat sees; `compiled` the module of the compiled search."""
        legal = set(view.legal_moves())
        names = {number: move for number, move in enumerate(MOVES) if move in legal}
        super().__init__(names, len(MOVES), compiled)
        self.exploring = exploring(len(view.hands))
        (hidden,) = view.unseen(view.to_move) or (None,)
        cards = [] if hidden is None or hidden.cards is None else [KINDS.index(kind) for kind in hidden.cards]
        unknown = [len(hand) if None in hand else 0 for hand in view.hands]
        known = [[0 if None in hand else hand.count(kind) for kind in KINDS] for hand in view.hands]
        sides = [_SIDES.index(side) for side in AROUND_THE_TABLE[len(view.hands)]]
        self._rows = (
            sum(number << 4 * cell for cell, number in enumerate(view.board)),
            ROTATIONS.index(view.setup.rotate),
            compiled.ints(known),
            compiled.ints(unknown),
            compiled.ints(cards),
            compiled.places(view.order),
            view.order.index(view.to_move),
            compiled.places(sides),
        )
        self._throws = compiled.dice(dice.seed)
        self._search, self._play = compiled.Search, compiled.play_rounds


def matrix_tree(view: MatrixState, dice: Dice, rounds: int | None, clock: Clock) -> MatrixTree | None:
    """The tree of a position, if there is compiled code for it."""
    compiled = compiled_search("matrix", rounds, clock)
    return None if compiled is None else MatrixTree(view, dice, compiled)
