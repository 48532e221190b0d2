"""Trees on the cores of games: rounds in rows of numbers, in plain Python or compiled."""

from importlib import import_module
from types import ModuleType
from typing import Any

from engine.dice import Dice
from engine.game import State
from engine.rows.binding import bound, outside
from engine.rows.core import World
from engine.rows.dice import dice_row
from engine.rows.rounds import Search, Ways, play_rounds
from engine.search.loading import compiled_search, searched_core
from engine.search.proving import Clock
from engine.search.row_tree import RowTree


class CoreTree(RowTree):
    """A tree over one position of a game that has a core."""

    def __init__(self, core: ModuleType, world: World, dice: Dice, *, is_compiled: bool) -> None:
        """`world` is what the core knows of the position."""
        arrays = import_module("engine.rows.arrays") if is_compiled else None
        super().__init__(world.numbers, world.most, arrays)
        self.scale, self.exploring, self.only = core.SCALE, core.EXPLORING, world.only
        moves, results = [0] * core.MOST_MOVES, [0.0] * world.seats
        path = [0] * (2 * world.plies + 2)
        table, start, hidden = world.table, world.start, world.hidden
        search = Search(dice_row(dice.seed), [], [], [], start[:], moves, moves[:], moves[:], path, results, results[:])
        if arrays is not None:
            table, start, hidden = arrays.arrays(table), arrays.ints(start), arrays.arrays(hidden)
            search = arrays.arrays(search)
        made: Any = import_module("engine.rows.compiling").compiled if is_compiled else bound
        self._play = made(play_rounds, core)
        self._rows = table, start, hidden
        self._search = search._replace(nodes_of=self.nodes_of)

    def play(self, rounds: int, first: int, number: int, exploring: float, by_lead: bool) -> float:
        """Plays so many rounds, and gives the lead that the last one ended with."""
        search = self._search._replace(links=self.links, sums=self.sums)
        ways = Ways(rounds, first, number, exploring, self.scale, int(by_lead))
        lead: float = self._play(*self._rows, search, ways)
        return lead


def core_tree(view: State, dice: Dice, rounds: int | None, clock: Clock) -> CoreTree | None:
    """The tree of a position of a game that has a core; none where there is none, or it does not search this."""
    core: Any = searched_core(view.game, view.varied)
    if core is None:
        return None
    is_compiled = compiled_search(view.game, rounds, clock) is not None
    world = outside(core.world, core, is_compiled=is_compiled)(view)
    return None if world is None else CoreTree(core, world, dice, is_compiled=is_compiled)
