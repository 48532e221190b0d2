"""How many games are compared of each kind: usually a few, else as many as the environment says."""

import os


def games(usual: int, parts: int = 1) -> int:
    """So many games of one of `parts` tests that share a kind, such as a variant for a number of players.

    `CCGRID_DIFFERENTIAL=2000` compares 2,000 of every kind.
    """
    wanted = os.environ.get("CCGRID_DIFFERENTIAL")
    return usual if wanted is None else max(1, int(wanted) // parts)
