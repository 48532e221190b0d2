"""Fights in columns of the ninecard game, compiled, and what they look like to a greedy player.

A creature is one number: 256, 16 times its attack, and its defense; 0 is none. A column is its creatures from the
front, nine bits each, whatever cells are empty between them.
"""

from typing import Any, Final

import numpy as np

from engine.games.ninecard import heuristic
from engine.kernels.compiled.compiler import compiled

CREATURE: Final = 256

_I: Final = np.int64
_KILL: Final = _I(heuristic.KILL)


@compiled("int64(int64)", borrows=True)
def attack_of(creature: Any) -> Any:
    """How hard a creature hits."""
    return (creature >> 4) & 15


@compiled("int64(int64)", borrows=True)
def cost_of(creature: Any) -> Any:
    """How much ready energy it takes to play a creature: attack and defense."""
    return ((creature >> 4) & 15) + (creature & 15)


@compiled("int64(int64[:, ::1], int64, int64)", inline=True, borrows=True)
def column_of(grids: Any, seat: Any, cell: Any) -> Any:
    """The creatures of a column from a cell on, front to back."""
    column = _I(0)
    place = _I(0)
    while cell < 9:
        if grids[seat, cell]:
            column |= grids[seat, cell] << place
            place += 9
        cell += 3
    return column


@compiled("void(int64[:, ::1], int64, int64, int64)", inline=True, borrows=True)
def put_column(grids: Any, seat: Any, column: Any, creatures: Any) -> None:
    """Puts creatures on the cells of a column, as far forward as they can stand."""
    for cell in range(column, 9, 3):
        grids[seat, cell] = creatures & 511
        creatures >>= 9


@compiled("int64(int64)", inline=True, borrows=True)
def filled_cells(creatures: Any) -> Any:
    """A bit for each cell of the first column on which `put_column` puts these creatures."""
    return _I(creatures > 0) | _I(creatures > 511) << 3 | _I(creatures >> 18 > 0) << 6


@compiled("UniTuple(int64, 4)(int64, int64)", inline=True, borrows=True)
def clash(attacker: Any, defenders: Any) -> Any:
    """One attack: whether the attacker lives, who of the defenders does, what is left over, what the fallen cost."""
    attack, defense = (attacker >> 4) & 15, attacker & 15
    damage, fallen, living, place = _I(0), _I(0), _I(0), _I(0)
    while defenders:
        defender = defenders & 511
        defenders >>= 9
        damage += (defender >> 4) & 15
        if attack >= defender & 15:
            fallen += cost_of(defender)
        else:
            living |= defender << place
            place += 9
        lives = damage < defense
        if not lives or attack <= defender & 15:
            return _I(lives), living | defenders << place, _I(0), fallen
        attack -= defender & 15
    return _I(1), living, attack, fallen


@compiled("int64(int64, int64, int64)", borrows=True)
def column_gain(attackers: Any, defenders: Any, life: Any) -> Any:
    """What the best number of attackers, front to back, gains against a column, and at least 0."""
    best, gain = _I(0), _I(0)
    while attackers:
        attacker = attackers & 511
        attackers >>= 9
        if attack_of(attacker) == 0:
            break
        lives, defenders, breach, fallen = clash(attacker, defenders)
        gain += breach + fallen
        if not lives:
            gain -= cost_of(attacker)
        life -= breach
        if life <= 0:
            return gain + _KILL
        best = max(best, gain)
    return best


@compiled("int64(int64[:, ::1], int64[::1], int64, int64)", borrows=True)
def assault_gain(grids: Any, life: Any, seat: Any, target: Any) -> Any:
    """What a seat gains by the best assault on another."""
    gain = _I(0)
    for column in range(3):
        gain += column_gain(column_of(grids, seat, _I(column)), column_of(grids, target, _I(column)), life[target])
    return gain


@compiled("int64(int64[:, ::1], int64[::1], uint8[::1], int64)", borrows=True)
def standing(grids: Any, life: Any, out: Any, seat: Any) -> Any:
    """What a seat gains by the best assault now, less what the worst one would cost."""
    mine, theirs = _I(-1), _I(-1)
    for other in range(len(life)):
        if other != seat and not out[other]:
            mine = max(mine, assault_gain(grids, life, seat, _I(other)))
            theirs = max(theirs, assault_gain(grids, life, _I(other), seat))
    return mine - theirs
