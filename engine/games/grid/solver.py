"""Grid solved, for two players and with the order of the pile known."""

from typing import Any, ClassVar, Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.games.grid import core, solving
from ccgrid.engine.games.grid.state import DECK_SIZE, GridState
from ccgrid.engine.search.core_search import CoreSearcher


class GridSearcher(CoreSearcher):
    """Searches whole games; at most 512 MB are remembered compiled."""

    solving: ClassVar[Any] = solving
    # A place is a key and a proof, 16 bytes: 1 MB at first, 512 MB at most.
    least_places: ClassVar[int] = 1 << 16
    places: ClassVar[int] = 1 << 25


class GridSolver:
    """Says which positions of grid are solved, and how."""

    options: Final = tuple(core.OPTIONS)

    def refusal(self, state: GridState) -> str:
        """Games of two whose cards are all known are solved."""
        if len(state.players) != 2:
            return f"grid is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
        if len(state.setup.cards) < DECK_SIZE:
            missing = DECK_SIZE - len(state.setup.cards)
            return (
                f"{counted(missing, 'card')} of the draw pile {'is' if missing == 1 else 'are'} "
                "not known: ask 'ccgrid advise' what to play."
            )
        return ""

    def is_quick(self, state: GridState) -> bool:
        """With no card in the pile, or one."""
        return state.pile <= 1

    def searcher(self, state: GridState) -> GridSearcher:
        """What searches below this position."""
        return GridSearcher(core, state)


SOLVER: Final = GridSolver()
