"""Turns of the ninecard game as the heuristic plays them, on a row of numbers, and how good moves look."""

from typing import Final

from engine.games.ninecard import heuristic
from engine.games.ninecard.rows import rules
from engine.games.ninecard.rows.rules import (
    CELLS,
    DISCARDING,
    ENERGY_LAID,
    FACEDOWN_ALLOWED,
    HAND,
    HAS_PLAYED,
    HAS_SACRIFICED,
    HELD,
    LAST,
    LIFE,
    MOVED,
    OUT,
    SACRIFICE_ALLOWED,
    SEAT,
    SEATS,
    SIDE,
    SIDES,
    SPENT,
    TARGET,
)
from engine.numeric.rows import Ints
from engine.numeric.throwing import below

KILL: Final = int(heuristic.KILL)
ENOUGH_ENERGY: Final = heuristic.ENOUGH_ENERGY
SOON: Final = heuristic.SOON

GAINS, LOSSES, OWN, OTHERS, ROOM = 0, 12, 24, 27, 39
"""The parts of a row of room: what a seat gains in each column against each other one, what it loses there, and the
columns of its own and of the others."""

STEPS: Final = tuple(
    9 * a + b for a in range(9) for b in range(9) if a < b and (b - a == 3 or (b - a == 1 and a // 3 == b // 3))
)
"""Every two cells that lie side by side."""


def gain(attackers: int, defenders: int, life: int) -> int:
    """What the best number of attackers, front to back, gains against a column, and at least 0."""
    best, total = 0, 0
    while attackers:
        attacker = attackers & 511
        attackers >>= 9
        if not attacker & 240:
            break
        lives, defenders, breach, fallen = rules.clash(attacker, defenders)
        total += breach + fallen
        if not lives:
            total -= rules.cost_of(attacker)
        life -= breach
        if life <= 0:
            return total + KILL
        best = max(best, total)
    return best


def look_round(s: Ints, room: Ints) -> int:
    """Fills the room for who is to move; what it gains by the best assault now, less what the worst would cost it."""
    seat = s[SEAT]
    at = SIDES + SIDE * seat
    for column in range(3):
        own = rules.column_of(s, at + CELLS + column)
        room[OWN + column] = own
        for other in range(s[SEATS]):
            there = SIDES + SIDE * other
            if other != seat and not s[there + OUT]:
                theirs = rules.column_of(s, there + CELLS + column)
                room[OTHERS + 3 * other + column] = theirs
                room[GAINS + 3 * other + column] = gain(own, theirs, s[there + LIFE])
                room[LOSSES + 3 * other + column] = gain(theirs, own, s[at + LIFE])
    return standing(s, room, -1, 0, -1, 0)


def standing(s: Ints, room: Ints, one: int, first: int, two: int, second: int) -> int:
    """What it would be with other creatures in one or two of the own columns; -1 is no column."""
    seat = s[SEAT]
    most, worst = -1, -1
    for other in range(s[SEATS]):
        there = SIDES + SIDE * other
        if other == seat or s[there + OUT]:
            continue
        gains, losses = 0, 0
        for column in range(3):
            if column in (one, two):
                own = first if column == one else second
                theirs = room[OTHERS + 3 * other + column]
                gains += gain(own, theirs, s[there + LIFE])
                losses += gain(theirs, own, s[SIDES + SIDE * seat + LIFE])
            else:
                gains += room[GAINS + 3 * other + column]
                losses += room[LOSSES + 3 * other + column]
        most, worst = max(most, gains), max(worst, losses)
    return most - worst


def after_step(s: Ints, room: Ints, a: int, b: int) -> int:
    """How the seat would stand with what is on two of its cells exchanged."""
    at = SIDES + SIDE * s[SEAT] + CELLS
    there = s[at + b]
    s[at + b] = s[at + a]
    s[at + a] = there
    one, two = a % 3, b % 3
    first = rules.column_of(s, at + one)
    second = first if one == two else rules.column_of(s, at + two)
    value = standing(s, room, one, first, -1 if one == two else two, second)
    s[at + a] = s[at + b]
    s[at + b] = there
    return value


def after_play(s: Ints, room: Ints, creature: int, column: int) -> int:
    """How the seat would stand with a creature at the end of a column that has room."""
    own = room[OWN + column]
    place = 0
    while own >> place:
        place += 9
    return standing(s, room, column, own | creature << place, -1, 0)


def can_step(s: Ints, a: int, b: int) -> int:
    """Whether what is on two neighbouring cells may change places: as a step, or a swap, of creatures not yet moved."""
    at = SIDES + SIDE * s[SEAT] + CELLS
    moved = s[MOVED]
    if s[at + a]:
        if moved >> a & 1 or (s[at + b] and moved >> b & 1):
            return 0
        return rules.VERB * (rules.SWAP if s[at + b] else rules.STEP) + 9 * a + b
    if not s[at + b] or moved >> b & 1:
        return 0
    return rules.VERB * rules.STEP + 9 * b + a


def attack_gain(s: Ints, column: int) -> int:
    """What attacking in a column from where the last one stood gains the player whose turn it is."""
    at, target, last = SIDES + SIDE * s[SEAT], SIDES + SIDE * s[TARGET], s[LAST]
    row = last // 3 + 1 if last >= 0 and last % 3 == column else 0
    attackers = rules.behind(s, at + CELLS + column, row)
    return gain(attackers, rules.column_of(s, target + CELLS + column), s[target + LIFE])


def next_attacker(s: Ints, column: int) -> int:
    """The cell of a column that may attack next, or -1."""
    at, last = SIDES + SIDE * s[SEAT], s[LAST]
    row = last // 3 + 1 if last >= 0 and last % 3 == column else 0
    for cell in range(column + 3 * row, 9, 3):
        if s[at + CELLS + cell]:
            return cell if s[at + CELLS + cell] & 240 else -1
    return -1


def use_in_hand(energy: int, card: int) -> int:
    """How likely a card in hand is to be of use."""
    if not card:
        return ENOUGH_ENERGY - energy
    cost = rules.cost_of(card)
    return cost if cost <= energy + SOON else energy - cost


def wants_energy(s: Ints, at: int) -> bool:
    """Whether creatures in hand are laid as energy, where that is allowed, because none of them can be played."""
    energy = s[at + ENERGY_LAID]
    return energy < ENOUGH_ENERGY and not s[HAS_PLAYED] and rules.cheapest_in_hand(s, at) > energy


def play_turn(s: Ints, decks: Ints, dice: Ints, room: Ints) -> None:
    """Plays what is left of a turn as the heuristic does."""
    seat, turn = s[SEAT], s[rules.TURN]
    at = SIDES + SIDE * seat
    if s[TARGET] < 0 and not s[DISCARDING]:
        lay_energy(s, at)
        play_creatures(s, decks, dice, room)
        step(s, decks, room)
        rules.play(s, decks, rules.VERB * rules.ASSAULT + best_target(s, room))
    if s[TARGET] >= 0:
        column = 0 if s[LAST] < 0 else s[LAST] % 3
        while column < 3 and s[TARGET] >= 0:
            cell = next_attacker(s, column)
            if cell >= 0 and attack_gain(s, column) > 0:
                rules.attack(s, decks, cell)
            else:
                column += 1
        if s[TARGET] >= 0:
            rules.clean_up(s, decks)
    while s[DISCARDING] and s[rules.TURN] == turn:
        worst = at + HAND
        for place in range(at + HAND, at + HAND + s[at + HELD]):
            if use_in_hand(s[at + ENERGY_LAID], s[place]) < use_in_hand(s[at + ENERGY_LAID], s[worst]):
                worst = place
        rules.play(s, decks, rules.VERB * rules.DISCARD + s[worst])


def lay_energy(s: Ints, at: int) -> None:
    """Lays all energy in hand, and creatures where that is allowed and none can be played."""
    place = at + HAND
    while place < at + HAND + s[at + HELD]:
        if s[place]:
            place += 1
        else:
            s[at + HELD] -= 1
            s[place] = s[at + HAND + s[at + HELD]]
            s[at + ENERGY_LAID] += 1
    while s[FACEDOWN_ALLOWED] or (s[SACRIFICE_ALLOWED] and not s[HAS_SACRIFICED]):
        if s[at + HELD] == 0 or not wants_energy(s, at):
            break
        dearest = at + HAND
        for place in range(at + HAND, at + HAND + s[at + HELD]):
            if rules.cost_of(s[place]) > rules.cost_of(s[dearest]):
                dearest = place
        if not s[FACEDOWN_ALLOWED]:
            s[HAS_SACRIFICED] = 1
        rules.take(s, at, s[dearest])
        s[at + ENERGY_LAID] += 1


def play_creatures(s: Ints, decks: Ints, dice: Ints, room: Ints) -> None:
    """Plays creatures, the dearest first, each into the column where it helps most; among equals any."""
    at = SIDES + SIDE * s[SEAT]
    look_round(s, room)
    while True:
        ready = s[at + ENERGY_LAID] - s[SPENT]
        dearest, most = 0, -1
        for place in range(at + HAND, at + HAND + s[at + HELD]):
            card = s[place]
            if card and most < rules.cost_of(card) <= ready:
                dearest, most = card, rules.cost_of(card)
        best, chosen, equals = -(1 << 40), -1, 0
        if dearest:
            for column in range(3):
                if s[at + CELLS + column + 6]:
                    continue
                value = after_play(s, room, dearest, column)
                if value > best:
                    best, chosen, equals = value, column, 1
                elif value == best:
                    equals += 1
                    if below(dice, equals) == 0:
                        chosen = column
        if chosen < 0:
            break
        rules.play(s, decks, rules.VERB * rules.PLAY + 4 * dearest + chosen)
        look_round(s, room)


def step(s: Ints, decks: Ints, room: Ints) -> None:
    """Moves creatures as long as that helps, what helps most first; `room` is filled."""
    now = standing(s, room, -1, 0, -1, 0)
    while True:
        best, chosen = now, 0
        for pair in STEPS:
            a, b = pair // 9, pair % 9
            move = can_step(s, a, b)
            if move and (a % 3 != b % 3 or move >= rules.VERB * rules.SWAP):
                value = after_step(s, room, a, b)
                if value > best:
                    best, chosen = value, move
        if not chosen:
            break
        rules.play(s, decks, chosen)
        now = look_round(s, room)


def best_target(s: Ints, room: Ints) -> int:
    """The seat from which an assault gains most; `room` is filled."""
    best, chosen = -1, -1
    for other in range(s[SEATS]):
        if other != s[SEAT] and not s[SIDES + SIDE * other + OUT]:
            gains = room[GAINS + 3 * other] + room[GAINS + 3 * other + 1] + room[GAINS + 3 * other + 2]
            if gains > best:
                best, chosen = gains, other
    return chosen
