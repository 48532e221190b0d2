"""How turns of the ninecard game begin and end, compiled."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.ninecard.compiled.combat import column_of, cost_of, put_column
from engine.games.ninecard.compiled.table import (
    DISCARDING,
    HAS_PLAYED,
    HAS_SACRIFICED,
    LAST,
    SEAT,
    TABLE,
    TARGET,
    TURN,
    card_of,
    creature_of,
    held_card,
)
from engine.games.ninecard.opening import HAND
from engine.kernels.compiled.compiler import compiled

_I: Final = np.int64
_U: Final = np.uint64


def _slid(cells: int) -> int:
    """The cells on which creatures of these cells stand when they have slid forward."""
    columns = [sum(cells >> cell & 1 for cell in range(column, 9, 3)) for column in range(3)]
    return sum(1 << column + 3 * row for column, count in enumerate(columns) for row in range(count))


_SLID: Final = np.array([_slid(cells) for cells in range(1 << 9)], np.int64)


@compiled(types.void(TABLE, types.int64, types.int64), inline=True, borrows=True)
def draw(table: Any, seat: Any, count: Any) -> None:
    """Draws so many cards, or as many as the deck has; a hand is kept sorted by names."""
    hands, held, drawn, size, ranks = table.hands, table.held, table.drawn, table.size, table.ranks.alone
    while count > 0 and _U(drawn[seat]) < size[seat]:
        card = drawn[seat]
        new = held_card(_I(ranks[table.labels[seat, card]]), table.creatures[seat, card], card)
        at = held[seat]
        while at > 0 and hands[seat, at - 1] > new:
            hands[seat, at] = hands[seat, at - 1]
            at -= 1
        hands[seat, at] = new
        held[seat] += 1
        drawn[seat] += 1
        count -= 1


@compiled("int64(uint8[::1])", inline=True, borrows=True)
def left(out: Any) -> Any:
    """How many players are left."""
    count = _I(0)
    for seat in range(len(out)):
        count += 1 - _I(out[seat])
    return count


@compiled("void(int64[::1], int64)", inline=True, borrows=True)
def begin(turn: Any, seat: Any) -> None:
    """A new turn, of this seat."""
    number = turn[TURN]
    turn[:] = 0
    turn[TURN], turn[SEAT] = number + 1, seat
    turn[TARGET] = turn[LAST] = -1


@compiled(types.void(TABLE), inline=True, borrows=True)
def next_turn(table: Any) -> None:
    """The turn of the next player who is left, who draws a card; none after the last turn."""
    turn, out = table.turn, table.out
    seat = turn[SEAT]
    if turn[TURN] == table.rules.limit:
        begin(turn, seat)
        return
    seat = (seat + 1) % len(out)
    while out[seat]:
        seat = (seat + 1) % len(out)
    begin(turn, seat)
    draw(table, seat, _I(1))


@compiled(types.boolean(TABLE), inline=True, borrows=True)
def cannot_go_on(table: Any) -> Any:
    """Whether the player whose turn it is has an empty grid and no creature that could have been played."""
    turn = table.turn
    seat = turn[SEAT]
    if turn[HAS_PLAYED] or table.occupied[seat]:
        return False
    count, cheapest, energy = _I(0), _I(1000), table.energy[seat]
    for place in range(table.held[seat]):
        creature = creature_of(table.hands[seat, place])
        if creature:
            count += 1
            cheapest = min(cheapest, cost_of(creature))
        else:
            energy += 1
    if table.rules.facedown:
        energy += count - 1
    elif table.rules.one_creature and not turn[HAS_SACRIFICED] and count > 1:
        energy += 1
    return count == 0 or cheapest > energy


@compiled(types.void(TABLE), inline=True, borrows=True)
def clean_up(table: Any) -> None:
    """What follows an assault: creatures slide forward, who is out is out, cards are drawn or to be discarded."""
    turn, grids, occupied, out, held = table.turn, table.grids, table.occupied, table.out, table.held
    for seat in range(len(out)):
        slid = _SLID[occupied[seat]]
        if slid != occupied[seat]:
            occupied[seat] = slid
            for column in range(3):
                put_column(grids, _I(seat), _I(column), column_of(grids, _I(seat), _I(column)))
        if table.life[seat] <= 0:
            out[seat] = 1
    turn[TARGET] = turn[LAST] = -1
    if left(out) == 1:
        return
    seat = turn[SEAT]
    if cannot_go_on(table):
        out[seat] = 1
        if left(out) > 1:
            next_turn(table)
        return
    draw(table, seat, HAND - held[seat])
    if held[seat] > HAND:
        turn[DISCARDING] = 1
    else:
        next_turn(table)


@compiled(types.void(TABLE, types.int64, types.int64), inline=True, borrows=True)
def take(table: Any, seat: Any, card: Any) -> None:
    """Takes a card out of a hand."""
    hands, held = table.hands, table.held
    place = _I(0)
    while card_of(hands[seat, place]) != card:
        place += 1
    held[seat] -= 1
    for later in range(place, held[seat]):
        hands[seat, later] = hands[seat, later + 1]
