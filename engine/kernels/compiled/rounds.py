"""What came of a round that was played on in compiled code: counted in the tree, as `engine.search.tree` does."""

from typing import Any, Final

import numpy as np

from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.numeric import FLOATS, INTS, compile_with
from engine.numeric import tree

MOST_DEEP: Final = 64
"""No game that is played on so has more moves."""

_NONE: Final = -(1 << 40)

compile_with(tree)


@compiled(f"int64({INTS}, int64)")
def ahead_of(points: Any, seat: Any) -> Any:
    """A seat's points ahead of the best of the others."""
    best = np.int64(_NONE)
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best


@compiled(f"void({INTS}, {FLOATS}, int64[:, ::1], int64, {INTS}, float64, float64, int64)")
def count_path(links: Any, sums: Any, path: Any, deep: Any, points: Any, scale: Any, margin: Any, by_lead: Any) -> None:
    """Counts a round with these points at the end in so many nodes of the path, which has node and seat in a row."""
    links[tree.VISITS] += 1
    best, leaders = points[0], 0
    for seat in range(len(points)):
        best = max(best, points[seat])
    for seat in range(len(points)):
        leaders += 1 if points[seat] == best else 0
    for place in range(deep):
        ahead = ahead_of(points, path[place, 1])
        if by_lead:
            value = 0.5 + ahead / (4.0 * scale)
        else:
            share = 1.0 / leaders if ahead == 0 else (1.0 if ahead > 0 else 0.0)
            value = (1.0 - margin) * share + margin * (1.0 + min(max(ahead / scale, -1.0), 1.0)) / 2.0
        tree.count_in(links, sums, path[place, 0], value, float(ahead))
