"""A position of the ninecard game as a row of whole numbers, and what happens in one column of it.

A creature is 256, 16 times its attack, and its defense; 0 is none. A column is a number with its three cells:

    bits     18..26   9..17    0..8
             rear     middle   front

It is packed when no cell is open before a creature; so are all columns but those of who moves creatures about, or
attacks with them. A card is a creature, or 0 for energy, and before it its key:

    bits     9 and up   8          4..7     0..3
    card     key        creature   attack   defense

Cards with the same key are copies: in games that are recorded it is where the name stands among all, in a search what
the card fights with. A hand is sorted.
"""

from typing import Final, NamedTuple

from ccgrid.engine.games.ninecard.cards import HAND_SIZE
from ccgrid.engine.rows.row import Row, Row8, Row32

CREATURE: Final = 256
KEY: Final = 9
CELL: Final = 9
CARD: Final = (1 << CELL) - 1
ATTACKS: Final = 240
"""The bits of a creature's attack."""

VERBS: Final = ("assault", "attack", "discard", "end", "energy", "facedown", "move", "play", "sacrifice", "swap")
ASSAULT, ATTACK, DISCARD, END, ENERGY, FACEDOWN, STEP, PLAY, SACRIFICE, SWAP = range(10)

# The row of a position:
#
#     0..2                 3..10          11 and on        then room       last
#     SEAT, TURN, PLAYERS  of this turn   four sides       COUNTS to       DECKS
#                                         of SIDE numbers  LOSSES
#
# PLAYERS counts those who are left. MOVED_CELLS has a bit for each cell of a creature that moved in this turn. TARGET
# is the seat that is assaulted plus 1, 0 before an assault. Attacks go on from NEXT_ROW of NEXT_COLUMN.
SEAT: Final = 0
TURN: Final = 1
PLAYERS: Final = 2
ENERGY_USED: Final = 3
MOVED_CELLS: Final = 4
HAS_PLAYED: Final = 5
HAS_SACRIFICED: Final = 6
TARGET: Final = 7
NEXT_COLUMN: Final = 8
NEXT_ROW: Final = 9
DISCARDING: Final = 10

# A side:
#
#     0     1    2         3           4           5     6..8     9 and on
#     LIFE  OUT  ENERGIES  HAND_COUNT  DRAW_COUNT  SIZE  COLUMNS  HAND
#
# ENERGIES counts the cards laid as energy, DRAW_COUNT those drawn so far of the SIZE that the deck had.
SIDES: Final = 11
LIFE: Final = 0
OUT: Final = 1
ENERGIES: Final = 2
HAND_COUNT: Final = 3
DRAW_COUNT: Final = 4
SIZE: Final = 5
COLUMNS: Final = 6
HAND: Final = 9
MOST_HELD: Final = HAND_SIZE + 7
SIDE: Final = HAND + MOST_HELD

# Then room: how many moves there are of each verb, the cost of the dearest creature that can be played, a bit for each
# step and for each swap; the moves that play creatures; the own columns, packed, and what is gained and lost in each
# against each of the others. Last the decks.
# Four sides, however many play: places are the same in all games.
COUNTS: Final = SIDES + 4 * SIDE
DEAREST: Final = COUNTS + 10
STEPS: Final = DEAREST + 1
SWAPS: Final = STEPS + 1
PLAYS: Final = SWAPS + 1
OWN: Final = PLAYS + 3 * MOST_HELD
GAINS: Final = OWN + 3
LOSSES: Final = GAINS + 12
DECKS: Final = LOSSES + 12


class Table(NamedTuple):
    """What stays the same in all games.

    Attributes:
        seats, longest: how many play, and how many cards the longest deck has.
        life, limit, facedown, one_creature: the options, as of `Options`.
        again: how often a deck is shuffled again at most.
        horizon: the last turn that is played: the limit, or in a search the one after which positions are judged.
        watcher: the seat whose hand is known in a search.
        faces: each card of the pool as a creature, or 0.
        ranks: the key of each label of the pool.
        play_ranks: for each key and column the place of the name with the column behind it when all are sorted.
        by_name: the seats in the order of the players' names.
        leaving, entering: for each set of cells a bit for each step from one of them, or to one of them.
        within: for each set of cells a bit for each swap of two of them.
        steps, swaps: the two cells of each, 16 times the one and the other, as the moves are sorted.
    """

    seats: int
    longest: int
    life: int
    limit: int
    facedown: int
    one_creature: int
    again: int
    horizon: int
    watcher: int
    faces: Row
    ranks: Row32
    play_ranks: Row32
    by_name: Row8
    leaving: Row32
    entering: Row32
    within: Row32
    steps: Row8
    swaps: Row8


class Hidden(NamedTuple):
    """What a seat cannot see, and what may be there.

    Attributes:
        cards: for each seat those that may be there, one seat after the other.
        pool: room for as many.
        parts: for each seat where its cards begin, how many there are, and how many of those in hand are not seen.
    """

    cards: Row
    pool: Row
    parts: Row


def cost_of(card: int) -> int:
    """How much ready energy it takes to play a creature: attack and defense."""
    return (card >> 4 & 15) + (card & 15)


def place_of(s: Row, at: int, key: int) -> int:
    """Where in the hand of the side that begins there the first card with this key is."""
    place = at + HAND
    while s[place] >> KEY != key:
        place += 1
    return place


def pack(column: int) -> int:
    """The creatures of a column, as far forward as they can stand."""
    # First open cells before all creatures, at most two; then one between the first and the last.
    if column and not column & CARD:
        column >>= CELL
        if not column & CARD:
            column >>= CELL
    # Rear and front with the middle open:  r . f  becomes  . r f. What is above the front sinks by a cell.
    if column >> 2 * CELL and not column >> CELL & CARD:
        column = column & CARD | column >> CELL & ~CARD
    return column


# A creature is never 0, so above the highest one all bits are 0.
def first_free(column: int) -> int:
    """Where in a column the cell begins to which a creature slides that enters at its rear: behind all others."""
    place = 0
    while column >> place:
        place += CELL
    return place


def cells_of(s: Row, at: int) -> int:
    """A bit for each cell with a creature of the side that begins at `at`."""
    # Bit 8 of each cell says that a creature is there: bits 0, 9 and 18 of a column, and of the others next to them.
    # The rows then lie 9 apart with three bits each, and are moved together.
    # bits 18, 9, 0: one for each row
    ones = 1 | 1 << CELL | 1 << 2 * CELL
    bits = s[at + COLUMNS] >> 8 & ones | (s[at + COLUMNS + 1] >> 8 & ones) << 1 | (s[at + COLUMNS + 2] >> 8 & ones) << 2
    return (bits | bits >> 6 | bits >> 12) & 511


def exchange(s: Row, at: int, cells: int) -> None:
    """Exchanges what is on two cells of the side that begins there, 16 times the one and the other."""
    one, other = cells >> 4, cells & 15
    first, second = at + COLUMNS + one % 3, at + COLUMNS + other % 3
    place, there = CELL * (one // 3), CELL * (other // 3)
    # What both cells differ in: exchanged in each they have changed places, also within one column.
    changed = (s[first] >> place ^ s[second] >> there) & CARD
    s[first] ^= changed << place
    s[second] ^= changed << there


def attackers(s: Row, column: int) -> int:
    """The creatures of a column of who is to move that may still attack, packed."""
    left = s[SIDES + SIDE * s[SEAT] + COLUMNS + column]
    if column == s[NEXT_COLUMN]:
        # Those in front have attacked, or have been passed.
        left >>= CELL * s[NEXT_ROW]
    left = pack(left)
    return left if left & ATTACKS else 0  # nobody attacks past one who cannot


def clash(attacker: int, defenders: int) -> tuple[int, int, int, int]:
    """One attack on a packed column.

    Whether the attacker lives, who of the defenders does, the points of life taken, and what the fallen cost.
    """
    attack, defense = attacker >> 4 & 15, attacker & 15
    damage, fallen, living, place = 0, 0, 0, 0
    # The front defender is in the lowest cell; those that live are put together again in `living`.
    while defenders:
        defender = defenders & CARD
        defenders >>= CELL
        damage += defender >> 4 & 15
        if attack >= defender & 15:
            fallen += cost_of(defender)
        else:
            living |= defender << place
            place += CELL
        if damage >= defense:
            return 0, living | defenders << place, 0, fallen
        if attack <= defender & 15:
            return 1, living | defenders << place, 0, fallen
        attack -= defender & 15
    return 1, living, attack, fallen
