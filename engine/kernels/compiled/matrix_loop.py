"""The loop that plays games of matrix, compiled.

The board is one number with four bits for each cell; a hand is how many cards it has of each kind.
"""

from typing import Any, Final

import numpy as np

from engine.board import AROUND_THE_TABLE
from engine.games.matrix import heuristic
from engine.games.matrix.cards import BOARD, CENTRE, KINDS, MOVES, ROTATIONS, arranged
from engine.games.matrix.state import ROUNDS, board_scores
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.throwing import below, fork_seed

SIDES: Final = AROUND_THE_TABLE[4]

_U: Final = np.uint64
_0, _1, _2, _4, _15 = (_U(number) for number in (0, 1, 2, 4, 15))
_CELLS: Final = len(BOARD.cells)
_KINDS: Final = len(KINDS)
_MIDDLE: Final = _U(4 * CENTRE)
_LAST: Final = _U(1)
_BEHIND: Final = np.int64(heuristic.BEHIND)
_KEEPING: Final = np.int64(heuristic.KEEPING)


def _swapped(move: str) -> int:
    return int(move.rpartition(" ")[2]) if move.startswith("swap-") else 0


def _sources() -> Any:
    """For each way to rotate and each move from which cell, as the place of its bits, each cell's number comes."""
    sources = np.zeros((len(ROTATIONS), len(MOVES), _CELLS), np.uint64)
    for way, rotate in enumerate(ROTATIONS):
        for index, move in enumerate(MOVES):
            if not _swapped(move):
                sources[way, index] = [4 * cell for cell in arranged(tuple(range(_CELLS)), move, rotate)]
    return sources


def _fronts() -> Any:
    """For each side of the table the places of the bits of the three cells before it."""
    fronts = np.zeros((len(SIDES), 3), np.uint64)
    for seat in range(len(SIDES)):
        cells = [cell for cell in range(_CELLS) if board_scores(tuple(one == cell for one in range(_CELLS)), 4)[seat]]
        fronts[seat] = [4 * cell for cell in cells]
    return fronts


_SOURCES: Final = _sources()
_FRONTS: Final = _fronts()
_SWAPPED: Final = np.array([_swapped(move) for move in MOVES], np.uint64)
_KIND: Final = np.array([KINDS.index(move.partition(" ")[0]) for move in MOVES], np.uint64)
_BEGINS: Final = np.array(
    [sum(move.partition(" ")[0] < kind for move in MOVES) for kind in KINDS] + [len(MOVES)], np.uint64
)
"""The moves with each kind of card begin there; after the last stands where they end."""
_WORTH: Final = np.array([[heuristic.WORTH[side].get(kind, 0) for kind in KINDS] for side in SIDES], np.int64)


@compiled("uint64(uint64, uint64, uint64)")
def rearranged(board: Any, move: Any, rotate: Any) -> Any:
    """The board after a move."""
    number = _SWAPPED[move]
    if number:
        at = _0
        while (board >> at) & _15 != number:
            at += _4
        other = ((board >> at) ^ (board >> _MIDDLE)) & _15
        return board ^ (other << at) ^ (other << _MIDDLE)
    changed = _0
    for cell in range(_CELLS):
        changed |= ((board >> _SOURCES[rotate, move, cell]) & _15) << _U(4 * cell)
    return changed


@compiled("int64(uint64, uint64)")
def before(board: Any, side: Any) -> Any:
    """The sum of the numbers before a side."""
    total = _0
    for place in range(3):
        total += (board >> _FRONTS[side, place]) & _15
    return np.int64(total)


@compiled("int64(uint64, uint64, uint64, uint64, uint64, uint64[::1], uint64)")
def looks(board: Any, move: Any, rotate: Any, left: Any, seat: Any, sides: Any, seats: Any) -> Any:
    """How good a move looks to a greedy player of two with so many cards left."""
    after = rearranged(board, move, rotate)
    best = np.int64(-1)
    for other in range(seats):
        if _U(other) != seat:
            best = max(best, before(after, sides[other]))
    lead = before(after, sides[seat]) - best
    if left == _1:
        return lead
    return -abs(lead + _BEHIND) - _KEEPING * _WORTH[sides[seat], _KIND[move]]


@compiled(
    "void(uint64, uint64, uint64, uint64, uint8[::1], uint64[::1], "
    "uint8[::1], uint16[::1], int32[:, ::1], uint16[:, ::1])"
)
def play(
    seed: Any,
    start: Any,
    rotate: Any,
    copies: Any,
    greedy: Any,
    sides: Any,
    first: Any,
    plies: Any,
    scores: Any,
    moves: Any,
) -> None:
    """Plays games in a row: game `start` and so many that follow as the columns have entries.

    There are so many copies of each card. `greedy` has a number that is not 0 for each seat that is, `sides` each
    seat's place in `SIDES`. `moves` has a row for each game, or none if they are not wanted.
    """
    seats = _U(len(greedy))
    pack = np.empty(_KINDS * 4, np.uint8)
    size = copies * _U(_KINDS)
    numbers = np.empty(_CELLS, np.uint64)
    hands = np.empty((len(greedy), _KINDS), np.uint8)
    order = np.empty(len(greedy), np.uint64)
    points = np.empty(len(greedy), np.int64)
    legal = np.empty(len(MOVES), np.uint64)
    keep = len(moves) > 0
    for game in range(len(first)):
        state = fork_seed(seed, start + _U(game))
        for place in range(size):
            pack[place] = place % _KINDS
        for place in range(size - _1):
            at = _U(place)
            state, other = below(state, size - at)
            other += at
            pack[at], pack[other] = pack[other], pack[at]
        for place in range(_CELLS):
            numbers[place] = place + 1
        board = _0
        for place in range(_CELLS):
            at = _U(place)
            if place < _CELLS - 1:
                state, other = below(state, _U(_CELLS) - at)
                other += at
                numbers[at], numbers[other] = numbers[other], numbers[at]
            board |= numbers[at] << _U(4 * place)
        hands[:] = 0
        for place in range(seats * _U(ROUNDS)):
            hands[_U(place) // _U(ROUNDS), pack[place]] += 1
        for seat in range(seats):
            order[seat] = seat
        count = _0
        for number in range(ROUNDS):
            for seat in range(seats):
                points[seat] = before(board, sides[seat])
            for place in range(1, len(order)):  # equal scores keep their order of the round before
                seat = order[place]
                at = place
                while at > 0 and points[order[at - 1]] < points[seat]:
                    order[at] = order[at - 1]
                    at -= 1
                order[at] = seat
            if number == 0:
                first[game] = order[0]
            for turn in range(seats):
                seat = order[turn]
                middle = (board >> _MIDDLE) & _15
                found = _0
                best = np.int64(-(1 << 60))
                for kind in range(_KINDS):
                    if hands[seat, kind]:
                        for move in range(_BEGINS[kind], _BEGINS[kind + 1]):
                            if _SWAPPED[move] == middle:
                                continue
                            if greedy[seat]:
                                value = looks(board, _U(move), rotate, _U(ROUNDS - number), seat, sides, seats)
                                if value < best:
                                    continue
                                if value > best:
                                    best = value
                                    found = _0
                            legal[found] = move
                            found += _1
                state, chosen = below(state, found)
                move = legal[chosen]
                if keep:
                    moves[game, count] = move
                hands[seat, _KIND[move]] -= 1
                board = rearranged(board, move, rotate)
                count += _1
        plies[game] = count
        for seat in range(seats):
            scores[seat, game] = before(board, sides[seat])
