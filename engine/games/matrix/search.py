"""When thinking is of use in matrix, which is searched by its core, and how much."""

from typing import Final

from ccgrid.engine.game import State
from ccgrid.engine.games.matrix.state import MatrixState
from ccgrid.engine.search.thinking import GameSearch

_SEARCHED: Final = 3
"""So many of the last rounds are searched where three or four play: until then only which cards are kept counts."""

_COUNTS_FOR: Final = 5
"""So many rounds one of these counts for: greedy players try their last moves out themselves, which takes long."""


def _hoards(view: State) -> bool:
    return isinstance(view, MatrixState) and len(view.hands) > 2 and len(view.hands[view.to_move]) > _SEARCHED


def _games(view: State, rounds: int | None) -> int | None:
    is_late = isinstance(view, MatrixState) and len(view.hands) > 2 and not _hoards(view)
    return max(rounds // _COUNTS_FOR, 1) if rounds is not None and is_late else rounds


SEARCH: Final = GameSearch(rounds=_games, is_too_early=_hoards)
