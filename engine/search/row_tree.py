"""Trees in rows of numbers, as `engine.rows.tree` describes them: what games that are searched so have in common."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.rows import tree as nodes
from engine.search.tree import MARGIN, MOST_NODES, Node

_ROOM: Final = 256
"""So many nodes have room at first."""

_AT_ONCE: Final = 2048


class RowTree:
    """A tree over one position; a game says how rounds are played.

    Attributes:
        scale, only, at_once, alike: as of `engine.search.thinking.Tree`.
        most_nodes: so many nodes it has at most; then rounds add none.
        links, sums, nodes_of: the rows of the tree.
    """

    most_nodes: int = MOST_NODES
    scale: float = 10.0
    exploring: float = 0.3

    def __init__(self, numbers: Mapping[str, int], most: int, compiled: Any = None) -> None:
        """Moves have numbers below `most`, those that play alike one.

        `compiled` is the module that makes rows, where rounds are compiled.
        """
        ints = compiled.ints if compiled is not None else list
        floats = compiled.floats if compiled is not None else list
        self.only: str | None = None
        self.at_once = 1 if compiled is None else _AT_ONCE
        self.links, self.sums = ints([0] * nodes.LINKS * _ROOM), floats([0.0] * nodes.SUMS * _ROOM)
        self.nodes_of = ints([0] * most)
        self._more = _more if compiled is None else compiled.more
        self._names = {number: move for move, number in reversed(numbers.items())}
        self._numbers = {move: numbers[move] for move in numbers if self._names[numbers[move]] == move}
        self.alike = {move: self._names[numbers[move]] for move in numbers if move not in self._numbers}

    @property
    def moves(self) -> list[str]:
        """The legal moves, one of those that are the same."""
        return list(self._numbers)

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Plays so many rounds; with `by_lead` everybody wants points ahead, else to win, by however much."""
        self._make_room(rounds)
        self.play(rounds, -1, -1, self.exploring, by_lead)

    def lead(self, move: str, number: int) -> float:
        """The lead of who is to move, in points, when a move is tried in the world of this number."""
        self._make_room(1)
        return self.play(1, self._numbers[move], number, 0.0, by_lead=True)

    def play(self, rounds: int, first: int, number: int, exploring: float, by_lead: bool) -> float:
        """Plays so many rounds, and gives the lead that the last one ended with."""
        raise NotImplementedError

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

    def _make_room(self, rounds: int) -> None:
        room = len(self.links) // nodes.LINKS
        missing = min(int(self.links[nodes.BESIDE]) + rounds + 1, self.most_nodes) - room
        if missing > 0:
            more = min(max(missing, room), self.most_nodes - room)
            self.links = self._more(self.links, nodes.LINKS * more)
            self.sums = self._more(self.sums, nodes.SUMS * more)


class CompiledTree(RowTree):
    """A tree whose rounds `engine.kernels.compiled` plays as `WorldTree` does, after a position in rows of its own."""

    _rows: tuple[Any, ...]
    _throws: Any
    _search: Callable[..., Any]
    _play: Callable[..., float]

    def play(self, rounds: int, first: int, number: int, exploring: float, by_lead: bool) -> float:
        """Plays so many rounds, and gives the lead that the last one ended with."""
        rows = self._throws, self.links, self.sums, self.nodes_of
        search = self._search(*rows, rounds, first, number, exploring, self.scale, MARGIN, int(by_lead))
        return self._play(*self._rows, search)


def _more(row: list[Any], count: int) -> list[Any]:
    return row + [0] * count
