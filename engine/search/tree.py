"""The tree of a search in sampled worlds, on a core of the game or on its readable rules.

All sampled worlds share one tree, whose nodes are moves and not positions, so that no player in it uses hidden
information. Each playout samples a world, descends the tree, adds one move to it, and plays out the game.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.rows import rounds as nodes
from ccgrid.engine.rows.binding import backend
from ccgrid.engine.rows.dealing import dice_row
from ccgrid.engine.rows.rounds import MOST_COUNTED, NODES_PER_ROUND, Search, SearchSettings, play_rounds
from ccgrid.engine.search.core_search import CoreSearch

MOST_NODES: Final = 1 << 21
"""The maximum number of nodes in a tree, including the root (500 MB in plain Python, 130 MB in arrays)."""


@dataclass(slots=True)
class Node:
    """A move in the tree: its number of visits, and sums of results from the point of view of the player who made it.

    `total` sums values of games, 0 to 1; `lead` sums leads over the best opponent, in points, and `squares` their
    squares; `seen` counts how often the move was legal.
    """

    visits: int = 0
    total: float = 0.0
    lead: float = 0.0
    squares: float = 0.0
    seen: int = 0

    def mean(self) -> float:
        """Return the mean lead, in points; 0 without visits."""
        return self.lead / self.visits if self.visits else 0.0

    def spread(self) -> float:
        """Return the standard deviation of the lead of single games; 0 without visits."""
        return sqrt(max(self.squares / self.visits - self.mean() ** 2, 0.0)) if self.visits else 0.0

    def error(self) -> float:
        """Return the standard error of the mean lead; infinite with fewer than two visits."""
        return self.spread() / sqrt(self.visits - 1) if self.visits > 1 else inf


_INITIAL_NODES: Final = 256
"""The initial capacity in nodes."""

_ROUNDS_PER_CALL: Final = 2048


class SearchTree:
    """A search tree of one position over sampled worlds.

    Every move of the position is tried in the same sequence of worlds, so that luck affects all of them equally.

    Attributes:
        scale: A clear lead in points.
        only: The only move worth considering, or None if there are several.
        rounds_per_call: The maximum number of playouts between two checks of the clock.
        equivalents: The legal moves that are not in `moves`, each with an equivalent move that is.
        most_nodes: The maximum number of nodes; when it is reached, playouts add none.
        links, sums, nodes_of: The arrays described in `engine.rows.rounds`.
    """

    most_nodes: int = MOST_NODES

    def __init__(self, core_search: CoreSearch, dice: Dice) -> None:
        core, world, is_compiled = core_search
        arrays = backend(is_compiled=is_compiled)
        numbers = world.numbers
        # The first of several equivalent moves gives the name: insert it last.
        self._names = {numbers[move]: move for move in reversed(list(numbers))}
        self._numbers = {move: numbers[move] for move in numbers if self._names[numbers[move]] == move}
        self.equivalents: Mapping[str, str] = {
            move: self._names[numbers[move]] for move in numbers if move not in self._numbers
        }
        self.scale: float = core.SCALE
        self.exploring: float = core.EXPLORING
        self.only = world.only
        self.rounds_per_call = _ROUNDS_PER_CALL if is_compiled else 1
        self.links, self.sums = (
            arrays.ints([0] * nodes.LINKS * _INITIAL_NODES),
            arrays.floats([0.0] * nodes.SUMS * _INITIAL_NODES),
        )
        # Move numbers without a bound need a dictionary.
        self.nodes_of = arrays.ints([0] * world.most) if world.most else defaultdict(int)
        self._added = NODES_PER_ROUND if hasattr(core, "reveal_code") else 1
        self._more = arrays.more
        moves, results = [0] * core.MOST_MOVES, [0.0] * world.seats
        path, start = [0] * (MOST_COUNTED * world.depth), world.start
        # `links`, `sums` and `nodes_of` are inserted below: they must be the same arrays.
        search = Search(dice_row(dice.seed), [], [], [], start[:], moves, moves[:], moves[:], path, results, results[:])
        self._search = arrays.arrays(search)._replace(links=self.links, sums=self.sums, nodes_of=self.nodes_of)
        self._rows = arrays.table_arrays(world.table), arrays.ints(start), arrays.arrays(world.hidden)
        self._play = arrays.compiled(play_rounds, core)

    @property
    def moves(self) -> list[str]:
        """The legal moves, one of each set of equivalent moves."""
        return list(self._numbers)

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Run playouts; with `by_lead` all players maximise their lead, else their chance of winning."""
        self._make_room(rounds)
        # -1, -1: any first move, and the world numbered by its visits.
        self._play_rounds(SearchSettings(rounds, -1, -1, self.exploring, self.scale, int(by_lead)))

    def lead(self, move: str, number: int) -> float:
        """Return the lead, in points, of the player to move after trying a move in the world of this number."""
        self._make_room(1)
        return self._play_rounds(SearchSettings(1, self._numbers[move], number, 0.0, self.scale, by_lead=1))

    def tried(self) -> dict[str, Node]:
        """Return the nodes of the moves tried so far."""
        links, sums, found = self.links, self.sums, {}
        node = int(links[nodes.CHILD])
        while node:
            link, place = nodes.LINKS * node, nodes.SUMS * node
            found[self._names[int(links[link + nodes.MOVE])]] = Node(
                int(links[link + nodes.VISITS]),
                float(sums[place + nodes.TOTAL]),
                float(sums[place + nodes.LEAD]),
                float(sums[place + nodes.SQUARES]),
                int(links[link + nodes.TIMES_LEGAL]),
            )
            node = int(links[link + nodes.SIBLING])
        return found

    def _play_rounds(self, settings: SearchSettings) -> float:
        """Run playouts and return the lead at the end of the last one."""
        lead: float = self._play(*self._rows, self._search, settings)
        return lead

    def _make_room(self, rounds: int) -> None:
        room = len(self.links) // nodes.LINKS
        # The maximum number of nodes after these playouts, with the root.
        missing = min(int(self.links[nodes.SIBLING]) + self._added * rounds + 1, self.most_nodes) - room
        if missing > 0:
            # At least double the capacity, so that arrays are rarely copied.
            more = min(max(missing, room), self.most_nodes - room)
            self.links = self._more(self.links, nodes.LINKS * more)
            self.sums = self._more(self.sums, nodes.SUMS * more)
            self._search = self._search._replace(links=self.links, sums=self.sums)
