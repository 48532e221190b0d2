"""The rules of the ninecard game on a row of numbers, for what plays it on; cards are what they fight with, not names.

A creature is 256, 16 times its attack, and its defense; 0 is no creature, and among cards energy. A position is what
is true of the turn, as in `NinecardState`, then for each seat its side: `SIDE` numbers from `SIDES` on. Decks are in
a row of their own, `DEPTH` cards for each seat, those that may be drawn in the next turns. A move is `VERB` times its
verb and what it is about: a seat, a cell, two cells (9 times the one and the other), or a card, for `PLAY` 4 times
that and the column.
"""

from typing import Final

from engine.games.ninecard.opening import HAND as HAND_SIZE
from engine.numeric.rows import Ints

CREATURE: Final = 256

TURN, SEAT, SPENT, MOVED, HAS_PLAYED, HAS_SACRIFICED, TARGET, LAST, DISCARDING = range(9)
SEATS, LIMIT, FACEDOWN_ALLOWED, SACRIFICE_ALLOWED = range(9, 13)
SIDES: Final = 13
LIFE, OUT, ENERGY_LAID, HELD, LEFT, NEXT, CELLS = range(7)
HAND: Final = CELLS + 9
MOST_HELD: Final = 12
SIDE: Final = HAND + MOST_HELD

DEPTH: Final = 32

ASSAULT, ATTACK, DISCARD, END, ENERGY, FACEDOWN, STEP, PLAY, SACRIFICE, SWAP = range(10)
VERB: Final = 2048


def side_of(seat: int) -> int:
    """Where the side of a seat begins."""
    return SIDES + SIDE * seat


def cost_of(creature: int) -> int:
    """How much ready energy it takes to play a creature: attack and defense."""
    return ((creature >> 4) & 15) + (creature & 15)


def left(s: Ints) -> int:
    """How many players are left."""
    count = 0
    for seat in range(s[SEATS]):
        count += 1 - s[SIDES + SIDE * seat + OUT]
    return count


def is_over(s: Ints) -> bool:
    """Whether one player alone is left, or all turns are over."""
    return s[TURN] > s[LIMIT] or left(s) == 1


def column_of(s: Ints, first: int) -> int:
    """The creatures of a column, front to back, nine bits each, whatever cells are empty between them.

    `first` is the place in the row of its first cell.
    """
    packed, rest = s[first], s[first + 6]
    if s[first + 3]:
        rest = s[first + 3] | rest << 9
    return packed | rest << 9 if packed else rest


def behind(s: Ints, first: int, last: int) -> int:
    """The creatures of a column from the cell in this row of the grid on, 0 to 3."""
    packed, place = 0, 0
    for row in range(last, 3):
        if s[first + 3 * row]:
            packed |= s[first + 3 * row] << place
            place += 9
    return packed


def put_column(s: Ints, first: int, packed: int) -> None:
    """Puts creatures on the three cells of a column, as far forward as they can stand."""
    s[first] = packed & 511
    s[first + 3] = (packed >> 9) & 511
    s[first + 6] = packed >> 18


def clash(attacker: int, defenders: int) -> tuple[int, int, int, int]:
    """One attack: whether the attacker lives, who of the defenders does, what is left over, what the fallen cost."""
    attack, defense = (attacker >> 4) & 15, attacker & 15
    damage, fallen, living, place = 0, 0, 0, 0
    while defenders:
        defender = defenders & 511
        defenders >>= 9
        damage += (defender >> 4) & 15
        if attack >= defender & 15:
            fallen += ((defender >> 4) & 15) + (defender & 15)
        else:
            living |= defender << place
            place += 9
        if damage >= defense:
            return 0, living | defenders << place, 0, fallen
        if attack <= defender & 15:
            return 1, living | defenders << place, 0, fallen
        attack -= defender & 15
    return 1, living, attack, fallen


def landing(s: Ints, first: int) -> int:
    """The place of the cell to which a creature slides that is played into a column, or -1; `first` is its front."""
    if s[first + 6]:
        return -1
    if s[first + 3]:
        return first + 6
    return first + 3 if s[first] else first


def draw(s: Ints, decks: Ints, seat: int, count: int) -> None:
    """Draws so many cards, or as many as the deck has."""
    at = SIDES + SIDE * seat
    while count > 0 and s[at + LEFT] > 0 and s[at + HELD] < MOST_HELD:
        s[at + HAND + s[at + HELD]] = decks[DEPTH * seat + s[at + NEXT] % DEPTH]
        s[at + HELD] += 1
        s[at + NEXT] += 1
        s[at + LEFT] -= 1
        count -= 1


def take(s: Ints, at: int, card: int) -> None:
    """Takes a card out of the hand of the side that begins there."""
    place = at + HAND
    while s[place] != card:
        place += 1
    s[at + HELD] -= 1
    s[place] = s[at + HAND + s[at + HELD]]


def cheapest_in_hand(s: Ints, at: int) -> int:
    """What the cheapest creature in hand costs; 1,000 where there is none."""
    cheapest = 1000
    for place in range(at + HAND, at + HAND + s[at + HELD]):
        if s[place]:
            cheapest = min(cheapest, cost_of(s[place]))
    return cheapest


def cannot_go_on(s: Ints) -> bool:
    """Whether the player whose turn it is has an empty grid and no creature that could have been played."""
    at = SIDES + SIDE * s[SEAT]
    if s[HAS_PLAYED]:
        return False
    for cell in range(at + CELLS, at + CELLS + 9):
        if s[cell]:
            return False
    creatures = 0
    for place in range(at + HAND, at + HAND + s[at + HELD]):
        creatures += 1 if s[place] else 0
    energy = s[at + ENERGY_LAID] + s[at + HELD] - creatures
    if s[FACEDOWN_ALLOWED]:
        energy += creatures - 1
    elif s[SACRIFICE_ALLOWED] and not s[HAS_SACRIFICED] and creatures > 1:
        energy += 1
    return creatures == 0 or cheapest_in_hand(s, at) > energy


def next_turn(s: Ints, decks: Ints) -> None:
    """The turn of the next player who is left, who draws a card; none after the last turn."""
    seat, turn = s[SEAT], s[TURN]
    for place in range(SIDES - 4):
        s[place] = 0
    s[TARGET] = -1
    s[LAST] = -1
    s[TURN] = turn + 1
    s[SEAT] = seat
    if turn == s[LIMIT]:
        return
    seat = (seat + 1) % s[SEATS]
    while s[SIDES + SIDE * seat + OUT]:
        seat = (seat + 1) % s[SEATS]
    s[SEAT] = seat
    draw(s, decks, seat, 1)


def clean_up(s: Ints, decks: Ints) -> None:
    """What follows an assault: creatures slide forward, who is out is out, cards are drawn or to be discarded."""
    for seat in range(s[SEATS]):
        at = SIDES + SIDE * seat
        for column in range(3):
            put_column(s, at + CELLS + column, column_of(s, at + CELLS + column))
        if s[at + LIFE] <= 0:
            s[at + OUT] = 1
    s[TARGET] = -1
    s[LAST] = -1
    if left(s) == 1:
        return
    seat = s[SEAT]
    at = SIDES + SIDE * seat
    if cannot_go_on(s):
        s[at + OUT] = 1
        if left(s) > 1:
            next_turn(s, decks)
        return
    draw(s, decks, seat, HAND_SIZE - s[at + HELD])
    if s[at + HELD] > HAND_SIZE:
        s[DISCARDING] = 1
    else:
        next_turn(s, decks)


def play(s: Ints, decks: Ints, move: int) -> None:
    """Plays a legal move."""
    verb, about, seat = move // VERB, move % VERB, s[SEAT]
    at = SIDES + SIDE * seat
    if verb in (ENERGY, FACEDOWN, SACRIFICE):
        take(s, at, about)
        s[at + ENERGY_LAID] += 1
        if verb == SACRIFICE:
            s[HAS_SACRIFICED] = 1
    elif verb == PLAY:
        creature = about // 4
        take(s, at, creature)
        s[landing(s, at + CELLS + about % 4)] = creature
        s[SPENT] += cost_of(creature)
        s[HAS_PLAYED] = 1
    elif verb in (STEP, SWAP):
        a, b = about // 9, about % 9
        there = s[at + CELLS + b]
        s[at + CELLS + b] = s[at + CELLS + a]
        s[at + CELLS + a] = there
        s[MOVED] |= 1 << b
        if verb == SWAP:
            s[MOVED] |= 1 << a
    elif verb == ASSAULT:
        s[TARGET] = about
    elif verb == DISCARD:
        take(s, at, about)
        if s[at + HELD] <= HAND_SIZE:
            next_turn(s, decks)
    elif verb == ATTACK:
        attack(s, decks, about)
    else:
        clean_up(s, decks)


def attack(s: Ints, decks: Ints, cell: int) -> None:
    """A creature on a cell of who is to move attacks the column before it."""
    own = SIDES + SIDE * s[SEAT] + CELLS + cell
    target = SIDES + SIDE * s[TARGET]
    lives, living, breach, _ = clash(s[own], column_of(s, target + CELLS + cell % 3))
    put_column(s, target + CELLS + cell % 3, living)
    s[target + LIFE] -= breach
    s[LAST] = cell
    if not lives:
        s[own] = 0
    if s[target + LIFE] <= 0:
        clean_up(s, decks)
