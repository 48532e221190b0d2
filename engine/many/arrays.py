"""Batches with NumPy arrays as columns. NumPy is imported only together with compiled code."""

from dataclasses import dataclass

import numpy as np

from ccgrid.engine.many.kernels import Batch
from ccgrid.engine.many.tally import Tally


@dataclass(frozen=True, slots=True)
class Arrays(Batch):
    """A batch whose columns are NumPy arrays."""

    def rows(self) -> list[tuple[int, ...]]:
        """Return each game's scores in seat order."""
        return list(zip(*(column.tolist() for column in np.array(self.scores)), strict=True))

    def tally(self) -> Tally:
        """Return the tally of these games."""
        # A row per seat, a column per game.
        scores = np.array(self.scores)
        leads = scores == scores.max(axis=0)
        is_won = leads.sum(axis=0) == 1
        return Tally(
            len(scores),
            games=len(self.numbers),
            moves=int(np.sum(self.plies, dtype=np.int64)),
            draws=int(np.sum(~is_won)),
            # If one seat leads alone, `argmax` is that seat.
            first_player_wins=int(np.sum(is_won & (leads.argmax(axis=0) == self.first))),
            wins=(leads & is_won).sum(axis=1).tolist(),
            shared=(leads & ~is_won).sum(axis=1).tolist(),
            points=scores.sum(axis=1, dtype=np.int64).tolist(),
        )
