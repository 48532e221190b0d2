"""The loop that plays games of tactics, compiled."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.tactics.compiled.looks import OPEN, SIDES, beaten, looks
from engine.games.tactics.state import HAND_SIZE
from engine.games.tactics.table import TABLES
from engine.kernels.compiled.columns import DEALS, FILLED
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.dealing import POOL, draw_decks, room, shuffle_decks
from engine.kernels.compiled.throwing import below

_U: Final = np.uint64
_I: Final = np.int64
_0, _1, _3, _4 = _U(0), _U(1), _U(3), _U(4)
_HAND: Final = _U(HAND_SIZE)


def alphabetical(players: int) -> Any:
    """The cells in the order of their names."""
    cells = TABLES[players].board.cells
    return np.array(sorted(range(len(cells)), key=cells.__getitem__), np.uint64)


@compiled(
    types.void(
        DEALS,
        POOL,
        types.uint8[:, ::1],
        types.uint32[::1],
        types.uint64[:, ::1],
        types.int64[::1],
        types.uint64[::1],
        types.uint64[::1],
        types.uint8[::1],
        FILLED,
        types.uint16[:, ::1],
    )
)
def play(
    deals: Any,
    pool: Any,
    numbers: Any,
    ranks: Any,
    around: Any,
    worth: Any,
    turn: Any,
    alphabet: Any,
    greedy: Any,
    filled: Any,
    moves: Any,
) -> None:
    """Plays games in a row.

    Args:
        deals: as in `Deals`.
        pool: what decks are made of.
        numbers: each card's at its top, right, bottom and left.
        ranks: for each text where it stands when all are sorted.
        around: for each cell the neighbours at its sides; behind the last cell what is off the board.
        worth: the points for each cell.
        turn: for each seat how many quarter turns clockwise its cards lie.
        alphabet: the cells in the order of their names.
        greedy: a number that is not 0 for each seat that is.
        filled: what is counted; an ending is 0 where every cell is taken, 1 where nobody has a card left.
        moves: to be filled, too: the card's place in all decks in a row, times 16, and the cell; no row if not wanted.
    """
    seats, cells = len(greedy), len(worth)
    table = room(_U(seats), pool)
    dealt, labels, size = table.cards, table.labels, table.size
    first, plies, scores, endings = filled
    once = none = _I(0)
    hands = np.zeros((seats, HAND_SIZE), np.uint64)
    held = np.zeros(seats, np.uint64)
    drawn = np.zeros(seats, np.uint64)
    lying = np.zeros((cells + 1 + HAND_SIZE, SIDES), np.uint8)
    holder = np.full(cells + 1, OPEN, np.uint8)
    points = np.zeros(seats, np.int64)
    found = np.zeros(SIDES, np.uint64)
    texts = np.zeros(HAND_SIZE, np.uint32)
    places = np.zeros(HAND_SIZE, np.uint64)
    free = np.zeros(cells, np.uint64)
    best_moves = np.zeros(HAND_SIZE * cells, np.uint64)
    drawing, dealing, playing, starting = deals
    keep = len(moves) > 0
    for game in range(len(first)):
        state = draw_decks(drawing[game], pool, table)
        if len(dealing):
            state = dealing[game]
        state = shuffle_decks(state, pool, table, _HAND, once, none, none)
        for seat in range(seats):
            held[seat] = _HAND
            drawn[seat] = _HAND
            for place in range(HAND_SIZE):
                hands[seat, place] = place
        if len(starting):
            seat = _U(starting[game])
        else:
            state, seat = below(state, _U(seats))
        first[game] = seat
        if len(playing):
            state = playing[game]
        holder[:] = OPEN
        points[:] = 0
        count = _0
        left = _U(cells)
        while left and held[seat]:
            kinds = _0
            for place in range(held[seat]):  # the names in hand, sorted, each once with the first card of it
                text = ranks[labels[seat, hands[seat, place]]]
                at = kinds
                while at > _0 and texts[at - _1] > text:
                    at -= _1
                if at > _0 and texts[at - _1] == text:
                    continue
                for later in range(kinds - at):
                    to = kinds - _U(later)
                    texts[to] = texts[to - _1]
                    places[to] = places[to - _1]
                texts[at] = text
                places[at] = place
                kinds += _1
            number = _0
            for place in range(cells):
                cell = alphabet[place]
                if holder[cell] == OPEN:
                    free[number] = cell
                    number += _1
            for kind in range(kinds):
                card = dealt[seat, hands[seat, places[kind]]]
                for side in range(SIDES):
                    lying[cells + 1 + kind, side] = numbers[card, (_U(side) + _4 - turn[seat]) & _3]
            if greedy[seat]:
                most = _I(-(1 << 60))
                ways = _0
                for move in range(kinds * number):
                    kind, cell = _U(move) // number, free[_U(move) % number]
                    value = looks(cell, lying, holder, around, worth, _U(seat), turn[seat], _U(cells + 1) + kind, found)
                    if value > most:
                        most = value
                        ways = _0
                    if value == most:
                        best_moves[ways] = move
                        ways += _1
                state, move = below(state, ways)
                move = best_moves[move]
            else:
                state, move = below(state, kinds * number)
            kind, cell = move // number, free[move % number]
            in_hand = places[kind]
            if keep:
                before = _0
                for other in range(seat):
                    before += size[other]
                moves[game, count] = (before + hands[seat, in_hand]) * _U(16) + cell
            taken = beaten(cell, lying, holder, around, _U(seat), turn[seat], _U(cells + 1) + kind, found)
            for place in range(taken):
                holder[found[place]] = OPEN
            holder[cell] = seat
            lying[cell] = lying[_U(cells + 1) + kind]
            left = left - _1 + taken
            points[seat] += _I(taken)
            held[seat] -= _1
            for place in range(in_hand, held[seat]):
                hands[seat, place] = hands[seat, place + 1]
            if drawn[seat] < size[seat]:
                hands[seat, held[seat]] = drawn[seat]
                held[seat] += _1
                drawn[seat] += _1
            count += _1
            for step in range(seats):
                following = (seat + _1 + _U(step)) % _U(seats)
                if held[following]:
                    seat = following
                    break
        endings[game] = 1 if left else 0
        plies[game] = count
        for cell in range(cells):
            if holder[cell] != OPEN:
                points[holder[cell]] += worth[cell]
        for one in range(seats):
            scores[one, game] = points[one]
