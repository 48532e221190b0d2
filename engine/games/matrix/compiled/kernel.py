"""Games of matrix between random and greedy players, compiled."""

from dataclasses import replace
from typing import Final

import numpy as np

from engine.board import AROUND_THE_TABLE
from engine.deck_sources import FixedDecks
from engine.games.matrix.cards import MOVES, ROTATIONS
from engine.games.matrix.compiled.board import SIDES
from engine.games.matrix.compiled.loop import play
from engine.games.matrix.game import GAME
from engine.games.matrix.state import COPIES, ROUNDS
from engine.kernels.batch import Batch, Deals
from engine.kernels.compiled.columns import Columns, can_play, deal_arrays, dealt_alone, policies
from engine.tally import Lineup


class CompiledMatrix:
    """Plays both ways to rotate."""

    games_at_once: Final = 20_000
    is_compiled: Final = True

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is matrix between random and greedy players."""
        return can_play(lineup, "matrix", tuple(COPIES)) and lineup.decks == FixedDecks(())

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        return replace(self.run_dealt(lineup, dealt_alone(lineup, numbers), keep_moves=keep_moves), numbers=numbers)

    def run_dealt(self, lineup: Lineup, deals: Deals, *, keep_moves: bool = False) -> Batch:
        """Plays games with dice of their own; who starts is a matter of the rules."""
        numbers = range(len(deals.drawing))
        seats = len(lineup.policies)
        columns = Columns(len(numbers), seats, ROUNDS * seats if keep_moves else 0)
        play(
            deal_arrays(deals),
            ROTATIONS.index(GAME.chosen(lineup.options)["rotate"]),
            COPIES[seats],
            policies(lineup, deals),
            np.array([SIDES.index(side) for side in AROUND_THE_TABLE[seats]], np.uint64),
            columns.filled,
            columns.moves,
        )
        return columns.batch(numbers, ("all-rounds",), (lambda game, move: MOVES[move]) if keep_moves else None)


KERNEL: Final = CompiledMatrix()
