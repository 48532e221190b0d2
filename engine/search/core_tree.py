"""Trees on the cores of games: nodes and rounds in rows of numbers, in plain Python or compiled."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from engine.dice import Dice
from engine.rows import tree as nodes
from engine.rows.binding import bound
from engine.rows.dice import dice_row
from engine.rows.rounds import MOST_COUNTED, NODES_A_ROUND, Search, Ways, play_rounds
from engine.search.loading import Searched
from engine.search.tree import MOST_NODES, Node

_ROOM: Final = 256
"""So many nodes have room at first."""

_AT_ONCE: Final = 2048


class CoreTree:
    """A tree over one position of a game that has a core.

    Attributes:
        scale, only, at_once, alike: as of `engine.search.thinking.Tree`.
        most_nodes: so many nodes it has at most; then rounds add none.
        links, sums, nodes_of: its rows, as `engine.rows.tree` describes them.
    """

    most_nodes: int = MOST_NODES

    def __init__(self, searched: Searched, dice: Dice) -> None:
        core, world, is_compiled = searched
        arrays = import_module("engine.rows.arrays") if is_compiled else None
        ints, floats, bundle = (arrays.ints, arrays.floats, arrays.arrays) if arrays else (list, list, _as_it_is)
        numbers = world.numbers
        self._names = {numbers[move]: move for move in reversed(list(numbers))}
        self._numbers = {move: numbers[move] for move in numbers if self._names[numbers[move]] == move}
        self.alike: Mapping[str, str] = {
            move: self._names[numbers[move]] for move in numbers if move not in self._numbers
        }
        self.scale: float = core.SCALE
        self.exploring: float = core.EXPLORING
        self.only = world.only
        self.at_once = _AT_ONCE if is_compiled else 1
        self.links, self.sums = ints([0] * nodes.LINKS * _ROOM), floats([0.0] * nodes.SUMS * _ROOM)
        self.nodes_of = ints([0] * world.most)
        self._added = NODES_A_ROUND if hasattr(core, "shown") else 1
        self._more: Any = arrays.more if arrays else _more
        moves, results = [0] * core.MOST_MOVES, [0.0] * world.seats
        path, start = [0] * (MOST_COUNTED * world.depth), world.start
        search = Search(dice_row(dice.seed), [], [], [], start[:], moves, moves[:], moves[:], path, results, results[:])
        self._search = bundle(search)._replace(nodes_of=self.nodes_of)
        self._rows = bundle(world.table), ints(start), bundle(world.hidden)
        made: Any = import_module("engine.rows.compiling").compiled if is_compiled else bound
        self._play = made(play_rounds, core)

    @property
    def moves(self) -> list[str]:
        """The legal moves, one of those that are the same."""
        return list(self._numbers)

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Plays so many rounds; with `by_lead` everybody wants points ahead, else to win, by however much."""
        self._make_room(rounds)
        self._play_rounds(Ways(rounds, -1, -1, self.exploring, self.scale, int(by_lead)))

    def lead(self, move: str, number: int) -> float:
        """The lead of who is to move, in points, when a move is tried in the world of this number."""
        self._make_room(1)
        return self._play_rounds(Ways(1, self._numbers[move], number, 0.0, self.scale, by_lead=1))

    def tried(self) -> dict[str, Node]:
        """What came of the moves that were tried."""
        links, sums, found = self.links, self.sums, {}
        node = int(links[nodes.BELOW])
        while node:
            link, place = nodes.LINKS * node, nodes.SUMS * node
            found[self._names[int(links[link + nodes.MOVE])]] = Node(
                int(links[link + nodes.VISITS]),
                float(sums[place + nodes.TOTAL]),
                float(sums[place + nodes.LEAD]),
                float(sums[place + nodes.SQUARES]),
                int(links[link + nodes.SEEN]),
            )
            node = int(links[link + nodes.BESIDE])
        return found

    def _play_rounds(self, ways: Ways) -> float:
        """The lead that the last round ended with."""
        search = self._search._replace(links=self.links, sums=self.sums)
        lead: float = self._play(*self._rows, search, ways)
        return lead

    def _make_room(self, rounds: int) -> None:
        room = len(self.links) // nodes.LINKS
        missing = min(int(self.links[nodes.BESIDE]) + self._added * rounds + 1, self.most_nodes) - room
        if missing > 0:
            more = min(max(missing, room), self.most_nodes - room)
            self.links = self._more(self.links, nodes.LINKS * more)
            self.sums = self._more(self.sums, nodes.SUMS * more)


def _as_it_is(bundle: Any) -> Any:
    return bundle


def _more(row: list[Any], count: int) -> list[Any]:
    return row + [0] * count
