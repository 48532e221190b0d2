"""The ninecard game searched in sampled worlds: turns are played on as the heuristic does, and positions judged."""

from math import exp, sqrt
from typing import Final

from engine.games.ninecard.rows import rules, turns
from engine.games.ninecard.rows.rules import (
    CELLS,
    DEPTH,
    DISCARDING,
    ENERGY_LAID,
    FACEDOWN_ALLOWED,
    HAND,
    HAS_SACRIFICED,
    HELD,
    LEFT,
    LIFE,
    OUT,
    SACRIFICE_ALLOWED,
    SEAT,
    SEATS,
    SIDE,
    SIDES,
    SPENT,
    TARGET,
    TURN,
    VERB,
)
from engine.numeric.rows import Floats, Ints
from engine.numeric.throwing import fork, shuffle_first
from engine.rows import tree

MOST_MOVES: Final = 100
MOST_DEEP: Final = 64
MOST_SEATS: Final = 4

OF_LIFE: Final = 0.87
OF_ATTACK: Final = 0.2
OF_DEFENSE: Final = 0.25
OF_COLUMN: Final = 0.08
OF_ENERGY: Final = 3.0
TO_MOVE: Final = 0.46
"""How much a root of life, of attack and of defense in all, a column with creatures, a root of energy, and being to
move, count for winning, as a logarithm of odds: fitted to who won games between greedy players."""
ENERGY_HELD: Final = 0.4
"""So many of the cards that others hold are energy, about."""


def begin(s: Ints, start: Ints, decks: Ints, pools: Ints, hidden: Ints, dice: Ints) -> None:
    """Goes back to the position, and draws what is hidden.

    `hidden` has for each seat where its pool begins, how many cards it has, and how many of the hand are hidden.
    """
    for place in range(len(start)):
        s[place] = start[place]
    for seat in range(s[SEATS]):
        at = SIDES + SIDE * seat
        first, size, held = hidden[3 * seat], hidden[3 * seat + 1], hidden[3 * seat + 2]
        if size == 0:
            continue
        count = held + min(s[at + LEFT], DEPTH)
        shuffle_first(dice, pools, first, size, count)
        for place in range(count):
            card = pools[first + place % size]
            if place < held:
                s[at + HAND + s[at + HELD] - held + place] = card
            else:
                decks[DEPTH * seat + place - held] = card


def legal(s: Ints, room: Ints, moves: Ints, promises: Ints) -> int:
    """How many moves are worth looking at; they are in `moves`, those that look best first.

    Energy is laid before anything else is done.
    """
    if rules.is_over(s):
        return 0
    seat = s[SEAT]
    at = SIDES + SIDE * seat
    first, end = at + HAND, at + HAND + s[at + HELD]
    count = 0
    if s[DISCARDING]:
        for place in range(first, end):
            if is_new(s, first, place):
                promise = -turns.use_in_hand(s[at + ENERGY_LAID], s[place])
                count = put_in(moves, promises, count, VERB * rules.DISCARD + s[place], promise)
        return count
    if s[TARGET] >= 0:
        last = s[rules.LAST]
        for column in range(0 if last < 0 else last % 3, 3):
            cell = turns.next_attacker(s, column)
            if cell >= 0:
                gains = turns.attack_gain(s, column)
                promise = turns.KILL * (3 - column) + gains if gains > 0 else -1 - column
                count = put_in(moves, promises, count, VERB * rules.ATTACK + cell, promise)
        return put_in(moves, promises, count, VERB * rules.END, 0)
    for place in range(first, end):
        if not s[place]:
            moves[0] = VERB * rules.ENERGY
            return 1
    now = turns.look_round(s, room)
    ready = s[at + ENERGY_LAID] - s[SPENT]
    may_lay = s[FACEDOWN_ALLOWED] or (s[SACRIFICE_ALLOWED] and not s[HAS_SACRIFICED])
    for place in range(first, end):
        card = s[place]
        if not is_new(s, first, place):
            continue
        cost = rules.cost_of(card)
        if cost <= ready:
            for column in range(3):
                if not s[at + CELLS + column + 6]:
                    better = max(-49, min(49, turns.after_play(s, room, card, column) - now))
                    promise = 100_000 + 100 * cost + better
                    count = put_in(moves, promises, count, VERB * rules.PLAY + 4 * card + column, promise)
        if may_lay:
            verb = rules.FACEDOWN if s[FACEDOWN_ALLOWED] else rules.SACRIFICE
            promise = 200_000 + cost if turns.wants_energy(s, at) else -10_000 - cost
            count = put_in(moves, promises, count, VERB * verb + card, promise)
    for pair in turns.STEPS:
        a, b = pair // 9, pair % 9
        move = turns.can_step(s, a, b)
        if move:
            better = turns.after_step(s, room, a, b) - now
            promise = 10_000 + better if better > 0 else better - 1_000
            count = put_in(moves, promises, count, move, promise)
    for other in range(s[SEATS]):
        if other != seat and not s[SIDES + SIDE * other + OUT]:
            gains = room[3 * other] + room[3 * other + 1] + room[3 * other + 2]
            count = put_in(moves, promises, count, VERB * rules.ASSAULT + other, gains)
    return count


def is_new(s: Ints, first: int, place: int) -> bool:
    """Whether no card like this one stands before it in hand."""
    earlier = first
    while s[earlier] != s[place]:
        earlier += 1
    return earlier == place


def put_in(moves: Ints, promises: Ints, count: int, move: int, promise: int) -> int:
    """Puts a move behind those of the last `count` that promise as much; how many there are then."""
    at = count
    while at > 0 and promises[at - 1] < promise:
        promises[at] = promises[at - 1]
        moves[at] = moves[at - 1]
        at -= 1
    promises[at] = promise
    moves[at] = move
    return count + 1


def judge(s: Ints, seat: int, shares: Floats, points: Floats) -> None:
    """What the position promises each seat: its share of the game, and points. `seat` is whose hand is known."""
    seats = s[SEATS]
    if rules.is_over(s):
        best, leaders = -1, 0
        for one in range(seats):
            at = SIDES + SIDE * one
            life = 0 if s[at + OUT] else s[at + LIFE]
            points[one] = float(life)
            if life > best:
                best, leaders = life, 1
            elif life == best:
                leaders += 1
        for one in range(seats):
            shares[one] = 1.0 / leaders if points[one] == best else 0.0
        return
    total = 0.0
    for one in range(seats):
        at = SIDES + SIDE * one
        shares[one] = 0.0
        if s[at + OUT]:
            continue
        attack, defense, columns = 0, 0, 0
        for column in range(3):
            packed = rules.column_of(s, at + CELLS + column)
            columns += 1 if packed else 0
            while packed:
                attack += (packed >> 4) & 15
                defense += packed & 15
                packed >>= 9
        energy = float(s[at + ENERGY_LAID])
        if one == seat:
            for place in range(at + HAND, at + HAND + s[at + HELD]):
                energy += 0.0 if s[place] else 1.0
        else:
            energy += ENERGY_HELD * s[at + HELD]
        value = OF_LIFE * sqrt(s[at + LIFE]) + OF_ATTACK * sqrt(attack) + OF_DEFENSE * sqrt(defense)
        value += OF_COLUMN * columns + OF_ENERGY * sqrt(energy)
        if one == s[SEAT]:
            value += TO_MOVE
        shares[one] = exp(value)
        total += shares[one]
    for one in range(seats):
        shares[one] /= total
        points[one] = shares[one] * max(s[SIDES + SIDE * one + LIFE], 0)


def play_rounds(
    start: Ints,
    s: Ints,
    decks: Ints,
    pool: Ints,
    pools: Ints,
    hidden: Ints,
    dice: Ints,
    room: Ints,
    links: Ints,
    sums: Floats,
    nodes_of: Ints,
    results: Floats,
    rounds: int,
    first: int,
    number: int,
    last_turn: int,
    exploring: float,
    scale: float,
    by_lead: int,
) -> float:
    """Plays so many rounds: draws a world, descends the tree, adds a move, plays on to a turn, and judges that.

    `first` is the move that is played first, and `number` the number of the world, or -1; `room` has room for what is
    looked at, the moves, what they promise, the path, and the moves of the position. Gives the lead in points that the
    last round ended with for who is to move.
    """
    seat, seats = start[SEAT], start[SEATS]
    moves, promises = room[turns.ROOM : turns.ROOM + MOST_MOVES], room[turns.ROOM + MOST_MOVES : PATH]
    shares, points = results[:MOST_SEATS], results[MOST_SEATS:]
    path = room[PATH:]
    lead = 0.0
    for place in range(len(start)):
        s[place] = start[place]
    at_root = room[PATH + 2 * MOST_DEEP :]
    count_at_root = legal(s, room, moves, promises)
    for place in range(count_at_root):
        at_root[place] = moves[place]
    for _ in range(rounds):
        node, deep, given = 0, 0, first
        if given < 0:
            given = at_root[tree.choice(links, sums, node, at_root, count_at_root, exploring, nodes_of)]
        child = tree.child_of(links, node, given)
        # As often as a move was tried, so many worlds were drawn for it: the same ones for all moves.
        tried = links[child * tree.LINKS + tree.VISITS] if child else 0
        fork(dice, tried if number < 0 else number)
        for place in range(len(pools)):
            pools[place] = pool[place]
        begin(s, start, decks, pools, hidden, dice)
        while deep < MOST_DEEP:
            if given >= 0:
                move, given = given, -1
            else:
                count = legal(s, room, moves, promises)
                if count == 0:
                    break
                move = moves[tree.choice(links, sums, node, moves, count, exploring, nodes_of)]
            child = tree.child_of(links, node, move)
            is_leaf = child == 0
            if is_leaf:
                child = tree.added(links, node, move)
            mover = s[SEAT]
            rules.play(s, decks, move)
            if child == 0:
                break
            path[2 * deep], path[2 * deep + 1] = child, mover
            deep += 1
            node = child
            if is_leaf or s[TURN] > last_turn:
                break
        while s[TURN] <= last_turn and not rules.is_over(s):
            turns.play_turn(s, decks, dice, room)
        judge(s, seat, shares, points)
        links[tree.VISITS] += 1
        for place in range(deep):
            mover = path[2 * place + 1]
            ahead = ahead_of(points, seats, mover)
            value = 0.5 + ahead / (4.0 * scale) if by_lead else shares[mover]
            tree.count_in(links, sums, path[2 * place], value, ahead)
        lead = ahead_of(points, seats, seat)
    return lead


def ahead_of(points: Floats, seats: int, seat: int) -> float:
    """A seat's points ahead of the best of the others."""
    best = -1e300
    for other in range(seats):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best


PATH: Final = turns.ROOM + 2 * MOST_MOVES
ALL_ROOM: Final = PATH + 2 * MOST_DEEP + MOST_MOVES
