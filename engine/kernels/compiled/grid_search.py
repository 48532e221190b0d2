"""Alpha-beta search of grid, compiled: the search of `engine.search.grid` on whole numbers, with a table of fixed size.

A position is nine kinds of cards, five bits each, and how many cards were turned up: the key under which what was
proved of it is kept. The table has room for a fixed number of positions; of four places for a key one is given up where
all are taken.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from catalog.card import ZONES
from engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE, MOVES
from engine.kernels.compiled.compiler import compiled, lowest_bit

DEEPEST: Final = DECK_SIZE
"""No game has more moves, and the end."""

INFINITE: Final = 1 << 30
ENDED: Final = 1 << 29
"""What a search gives that looked at as many positions as it may."""

_PROBES: Final = 4
_U: Final = np.uint64
_0, _1, _5, _31, _LOW16, _45, _SHIFT16, _SHIFT32 = (_U(number) for number in (0, 1, 5, 31, 0xFFFF, 45, 16, 32))
_SPREAD: Final = _U(0x9E3779B97F4A7C15)
_MIDDLE: Final = np.int64(1 << 15)
_NO_MOVE: Final = len(MOVES)

_SOURCE: Final = np.array([BOARD.cells.index(move[:2]) for move in MOVES], np.int64)
_TARGET: Final = np.array([BOARD.cells.index(move[3:]) for move in MOVES], np.int64)
_TOWARDS: Final = np.array([ZONES.index(BOARD.zone_towards(move[:2], move[3:]) or "") for move in MOVES], np.int64)


@compiled("UniTuple(int64, 2)(uint64, int64[::1], int64[::1])")
def between(left: Any, ranked: Any, room: Any) -> Any:
    """Between what the value lies when these cards, bits by their ranks, are left and somebody can move."""
    count = 0
    while left:
        room[count] = ranked[lowest_bit(left)]
        count += 1
        left &= left - _1
    captures = count - 1
    highest = room[0]
    best = highest
    for pairs in range(1, (captures + 1) // 2):
        highest += room[pairs] - room[count - pairs]
        best = max(best, highest)
    lowest = np.int64(0)
    worst = room[count - 1]
    for pairs in range(1, captures // 2 + 1):
        lowest += room[count - pairs] - room[pairs - 1]
        worst = min(worst, lowest)
    return worst, best


@compiled(
    "int64(uint8[:, ::1], int64, uint64, int64, uint8[:, ::1], int64[::1], int64[::1], uint64[::1], int64[::1],"
    " uint64[::1], uint64[::1], int64[:, ::1], int64[::1], int64[::1], int64[::1])"
)
def search(
    boards: Any,
    turned_up: Any,
    left: Any,
    bound: Any,
    takes: Any,
    scores: Any,
    deck: Any,
    ranks: Any,
    ranked: Any,
    keys: Any,
    kept: Any,
    moves: Any,
    room: Any,
    counts: Any,
    depth_of: Any,
) -> Any:
    """A number at least `bound` that the value reaches, or one below it that it does not exceed; or `ENDED`.

    `boards` holds the kinds on the cells for every depth, that of this position at `depth_of[0]`; `takes` has a bit for
    each zone in which one kind takes another; `deck` the kinds in the order of the deck, then 0; `ranks` for each
    kind the bits of its cards, and `ranked` the scores by rank. `counts` are the positions looked at, and the most.
    """
    counts[0] += 1
    if counts[0] > counts[1]:
        return np.int64(ENDED)
    depth = depth_of[0]
    key = _U(turned_up)
    for cell in range(GRID_SIZE):
        key |= _U(boards[depth, cell]) << (_5 * _U(cell + 1))
    mask = _U(len(keys) - 1)
    slot = (key * _SPREAD) >> _SHIFT16
    found = -1
    for probe in range(_PROBES):
        if keys[np.int64((slot + _U(probe)) & mask)] == key:
            found = np.int64((slot + _U(probe)) & mask)
            break
    hint = _NO_MOVE
    if found >= 0:
        entry = kept[found]
        low = np.int64(entry & _LOW16) - _MIDDLE
        high = np.int64((entry >> _SHIFT16) & _LOW16) - _MIDDLE
        hint = np.int64(entry >> _SHIFT32)
    else:
        low, high = between(left, ranked, room)
    board, row = boards[depth], moves[depth]
    if found < 0:
        can_move = False
        for move in range(_NO_MOVE):
            if (takes[board[_SOURCE[move]], board[_TARGET[move]]] >> _TOWARDS[move]) & 1:
                can_move = True
                break
        if not can_move:
            return np.int64(0)
    if low >= bound:
        return low
    if high < bound:
        return high
    count = 0
    for move in range(_NO_MOVE):
        source, target = board[_SOURCE[move]], board[_TARGET[move]]
        if (takes[source, target] >> _TOWARDS[move]) & 1:
            promise = (scores[target] << 6 | move) if move != hint else INFINITE | move
            place = count
            while place > 0 and row[place - 1] < promise:
                row[place] = row[place - 1]
                place -= 1
            row[place] = promise
            count += 1
    card = deck[turned_up]
    after = turned_up + 1 if card else turned_up
    best, chosen = np.int64(-INFINITE), _NO_MOVE
    below = boards[depth + 1]
    for number in range(count):
        move = row[number] & 63
        source, target = _SOURCE[move], _TARGET[move]
        for cell in range(GRID_SIZE):
            below[cell] = board[cell]
        taken = board[target]
        below[target] = board[source]
        below[source] = card
        worth = scores[taken]
        copies = left & ranks[taken]
        rest = left ^ (copies & (_0 - copies))
        depth_of[0] = depth + 1
        value = search(
            boards,
            after,
            rest,
            worth - bound + 1,
            takes,
            scores,
            deck,
            ranks,
            ranked,
            keys,
            kept,
            moves,
            room,
            counts,
            depth_of,
        )
        depth_of[0] = depth
        if value == ENDED:
            return value
        value = worth - value
        if value > best:
            best, chosen = value, move
            if value >= bound:
                break
    if best >= bound:
        low = best
    else:
        high = min(best, high)
    if found < 0:
        found = np.int64((slot + _U(counts[0] & (_PROBES - 1))) & mask)
        for probe in range(_PROBES):
            if keys[np.int64((slot + _U(probe)) & mask)] == _0:
                found = np.int64((slot + _U(probe)) & mask)
                break
    keys[found] = key
    kept[found] = _U(low + _MIDDLE) | _U(high + _MIDDLE) << _SHIFT16 | _U(chosen) << _SHIFT32
    return best


class Table:
    """What was proved of positions of one deal, and the search that fills it."""

    def __init__(
        self,
        deck: Sequence[int],
        scores: Sequence[int],
        ranked: Sequence[int],
        ranks: Sequence[int],
        takes: Sequence[Sequence[int]],
        places: int,
    ) -> None:
        """The arguments are those of `search`, the deck without the 0 at its end; `places` is a power of two."""
        self.nodes = 0
        self._deck = np.array([*deck, 0], np.int64)
        self._scores = np.array(scores, np.int64)
        self._ranked = np.array(ranked, np.int64)
        self._ranks = np.array(ranks, np.uint64)
        self._takes = np.array(takes, np.uint8)
        self._keys = np.zeros(places, np.uint64)
        self._kept = np.zeros(places, np.uint64)
        self._boards = np.zeros((DEEPEST + 1, GRID_SIZE), np.uint8)
        self._moves = np.zeros((DEEPEST + 1, len(MOVES)), np.int64)
        self._room = np.zeros(DECK_SIZE, np.int64)

    def search(self, lying: Sequence[int], turned_up: int, left: int, bound: int, most: int) -> int | None:
        """A number at least `bound` that the value reaches, or one below that it does not exceed.

        Nothing where `most` positions were looked at before that was found; what was proved by then is kept.
        """
        self._boards[0] = lying
        counts = np.array([0, most], np.int64)
        found = search(
            self._boards,
            turned_up,
            np.uint64(left),
            bound,
            self._takes,
            self._scores,
            self._deck,
            self._ranks,
            self._ranked,
            self._keys,
            self._kept,
            self._moves,
            self._room,
            counts,
            np.zeros(1, np.int64),
        )
        self.nodes += int(counts[0])
        return None if found == ENDED else int(found)
