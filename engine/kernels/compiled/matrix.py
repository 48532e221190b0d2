"""Games of matrix between random players, or two greedy ones, compiled."""

from typing import Final

import numpy as np

from engine.board import AROUND_THE_TABLE
from engine.deck_sources import FixedDecks
from engine.dice import ALL
from engine.games.matrix.cards import MOVES, ROTATIONS
from engine.games.matrix.state import COPIES, ROUNDS
from engine.kernels.batch import Batch
from engine.kernels.compiled.columns import Columns, can_play, policies
from engine.kernels.compiled.matrix_loop import SIDES, play
from engine.tally import Lineup


class CompiledMatrix:
    """Plays both ways to rotate; greedy players, who try the end out where they are three or four, only two by two."""

    games_at_once: Final = 20_000
    is_compiled: Final = True

    def fits(self, lineup: Lineup) -> bool:
        """Whether it is matrix, of random players, or of two."""
        seats = len(lineup.policies)
        return (
            can_play(lineup, "matrix", tuple(COPIES))
            and (seats == 2 or "greedy" not in lineup.policies)
            and set(lineup.options) <= {"rotate"}
            and lineup.options.get("rotate", ROTATIONS[0]) in ROTATIONS
            and lineup.decks == FixedDecks(())
        )

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers."""
        seats = len(lineup.policies)
        columns = Columns(len(numbers), seats, ROUNDS * seats if keep_moves else 0)
        play(
            lineup.seed & ALL,
            numbers.start,
            ROTATIONS.index(str(lineup.options.get("rotate", ROTATIONS[0]))),
            COPIES[seats],
            policies(lineup),
            np.array([SIDES.index(side) for side in AROUND_THE_TABLE[seats]], np.uint64),
            columns.first,
            columns.plies,
            columns.scores,
            columns.moves,
        )
        return columns.batch(numbers, ("all-rounds",), (lambda game, move: MOVES[move]) if keep_moves else None)


KERNEL: Final = CompiledMatrix()
