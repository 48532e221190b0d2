"""The heuristic of the ninecard game on integer arrays: `engine.games.ninecard.heuristic` in another form.

A move's priority is `POINT` times the heuristic value, so that assaults, whose values are below 1 there, are ordered by
their total gain. Useless moves are negative, and not equal, for a search.
"""

from typing import Final

from ccgrid.engine.games.ninecard import heuristic
from ccgrid.engine.games.ninecard.row import (
    ASSAULT,
    ATTACK,
    ATTACKS,
    CARD,
    CELL,
    COLUMNS,
    CREATURE,
    DISCARD,
    ENERGIES,
    FACEDOWN,
    GAINS,
    HAS_PLAYED,
    HIGHEST_COST,
    LIFE,
    LOSSES,
    OUT,
    OWN,
    PLAY,
    SACRIFICE,
    SEAT,
    SIDE,
    SIDES,
    STEP,
    SWAP,
    TARGET,
    attackers,
    clash,
    cost_of,
    exchange,
    first_free,
    pack,
    place_of,
)
from ccgrid.engine.rows.binding import not_inlined
from ccgrid.engine.rows.row import Row

# 2**13: above any sum of the gains of three columns, each at most `KILL`, the costs of three creatures, and a life.
POINT: Final = 1 << 13
_LAY_CREATURE: Final = int(heuristic.LAY_CREATURE) * POINT
_PLAY: Final = int(heuristic.PLAY) * POINT
_PLAY_EACH_COST: Final = int(heuristic.PLAY_EACH_COST) * POINT
_STEP: Final = int(heuristic.STEP) * POINT
_KILL: Final = int(heuristic.KILL)
_ENOUGH_ENERGY: Final = heuristic.ENOUGH_ENERGY
_SOON: Final = heuristic.SOON


@not_inlined
def gain(fighters: int, defenders: int, life: int) -> int:
    """Return the gain of the best number of attackers of a packed column, front to back, against another one.

    At least 0.
    """
    best, total = 0, 0
    # `fighters` is shifted down: its front creature is always in the lowest cell. A creature with attack 0 ends the
    # attack.
    while fighters & ATTACKS:
        fighter = fighters & CARD
        fighters >>= CELL
        lives, defenders, breach, fallen = clash(fighter, defenders)
        total += breach + fallen
        if not lives:
            total -= cost_of(fighter)
        life -= breach
        if life <= 0:
            return total + _KILL
        best = max(best, total)
    return best


def fill_balance(seats: int, s: Row) -> int:
    """Return the balance of the player to move, and fill the buffers for the own columns, gains and losses."""
    seat = s[SEAT]
    at = SIDES + SIDE * seat
    # Gains and losses do not change while moves are evaluated: a move changes only one or two own columns.
    for column in range(3):
        own = pack(s[at + COLUMNS + column])
        s[OWN + column] = own
        for other in range(seats):
            there = SIDES + SIDE * other
            if other != seat and not s[there + OUT]:
                theirs = s[there + COLUMNS + column]
                s[GAINS + 3 * other + column] = gain(own, theirs, s[there + LIFE])
                s[LOSSES + 3 * other + column] = gain(theirs, own, s[at + LIFE])
    return balance(seats, s, -1, 0, -1, 0)


@not_inlined
def balance(seats: int, s: Row, one: int, first: int, two: int, second: int) -> int:
    """Return the gain of the best assault minus the loss by the worst one, with one or two own columns changed.

    -1 is none.
    """
    seat, most, worst = s[SEAT], -1, -1
    life = s[SIDES + SIDE * seat + LIFE]
    for other in range(seats):
        there = SIDES + SIDE * other
        if other == seat or s[there + OUT]:
            continue
        gains, losses = 0, 0
        for column in range(3):
            if column in (one, two):
                own = first if column == one else second
                theirs = s[there + COLUMNS + column]
                gains += gain(own, theirs, s[there + LIFE])
                losses += gain(theirs, own, life)
            else:
                gains += s[GAINS + 3 * other + column]
                losses += s[LOSSES + 3 * other + column]
        most, worst = max(most, gains), max(worst, losses)
    return most - worst


def priority_of(seats: int, s: Row, move: int, now: int) -> int:
    """Return the priority of a legal move; `now` is the balance of the player to move."""
    verb, about, at = move & 15, move >> 4, SIDES + SIDE * s[SEAT]
    if verb == PLAY:
        creature, own = s[place_of(s, at, about >> 2)] & CARD, s[OWN + (about & 3)]
        # Limited to 49, so that the column never outweighs a point of cost, which is worth 100.
        better = balance(seats, s, about & 3, own | creature << first_free(own), -1, 0) - now
        return _PLAY + _PLAY_EACH_COST * cost_of(creature) + POINT * max(-49, min(49, better))
    if verb in (STEP, SWAP):
        better = after_step(seats, s, at, about, now) - now
        # Useless steps remain below 0, and the less harmful one is higher: a search distinguishes them.
        return _STEP + POINT * better if better > 0 else better - 1
    if verb == ASSAULT:
        return s[GAINS + 3 * about] + s[GAINS + 3 * about + 1] + s[GAINS + 3 * about + 2]
    if verb == ATTACK:
        column, target = about % 3, SIDES + SIDE * (s[TARGET] - 1)
        gained = gain(attackers(s, column), s[target + COLUMNS + column], s[target + LIFE])
        # Columns from left to right as in the heuristic; useless attacks differ by their column.
        return POINT * (_KILL * (3 - column) + gained) if gained > 0 else -1 - column
    if verb in (FACEDOWN, SACRIFICE):
        cost = cost_of(s[place_of(s, at, about)])
        return _LAY_CREATURE + POINT * cost if wants_energy(s) else -POINT - cost
    if verb == DISCARD:
        return -POINT * use_in_hand(s[at + ENERGIES], s[place_of(s, at, about)])
    return 0


def after_step(seats: int, s: Row, at: int, cells: int, now: int) -> int:
    """Return the balance of a side with two of its cells exchanged."""
    one, other = (cells >> 4) % 3, (cells & 15) % 3
    exchange(s, at, cells)
    first, second = pack(s[at + COLUMNS + one]), pack(s[at + COLUMNS + other])
    exchange(s, at, cells)
    # A step within a packed column has no effect once it slides forward again.
    if first == s[OWN + one] and second == s[OWN + other]:
        return now
    return balance(seats, s, one, first, other, second)


def use_in_hand(energy: int, card: int) -> int:
    """Return how likely a card in hand is useful with this amount of energy laid."""
    if not card & CREATURE:
        return _ENOUGH_ENERGY - energy
    cost = cost_of(card)
    return cost if cost <= energy + _SOON else energy - cost


def wants_energy(s: Row) -> bool:
    """Return whether creatures are laid as energy, if that is allowed.

    That is so if none can be played, and there is not enough energy.
    """
    return s[SIDES + SIDE * s[SEAT] + ENERGIES] < _ENOUGH_ENERGY and not s[HAS_PLAYED] and s[HIGHEST_COST] < 0
