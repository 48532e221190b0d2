"""The number of games in differential tests: small by default, or set by the environment."""

import os


def games(usual: int, parts: int = 1) -> int:
    """Return the number of games for one of `parts` tests that share a kind, such as one variant and player count.

    `CCGRID_DIFFERENTIAL=2000` compares 2,000 games of every kind.
    """
    wanted = os.environ.get("CCGRID_DIFFERENTIAL")
    return usual if wanted is None else max(1, int(wanted) // parts)
