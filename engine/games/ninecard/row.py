"""Positions of the ninecard game as integer arrays, and combat in one column.

A creature is 256, plus 16 times its attack, plus its defense; 0 is none. A column is a number with its three cells:

    bits     18..26   9..17    0..8
             rear     middle   front

It is packed if no cell in front of a creature is open; this holds for all columns except those of the player who moves
creatures or attacks. A card is a creature, or 0 for energy, below its key:

    bits     9 and up   8          4..7     0..3
    card     key        creature   attack   defense

Cards with the same key are copies: in recorded games the key is the index of the name among all names, in a search it
is derived from attack and defense. A hand is sorted.
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
#     0..2                 3..10          11 and on        then buffers    last
#     SEAT, TURN, PLAYERS  of this turn   four sides       COUNTS to       DECKS
#                                         of SIDE numbers  LOSSES
#
# PLAYERS counts the remaining players. MOVED_CELLS has a bit for each cell of a creature that moved in this turn.
# TARGET is the seat under assault plus 1, 0 before an assault. Attacks continue from NEXT_ROW of NEXT_COLUMN.
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
# ENERGIES counts the cards laid as energy, DRAW_COUNT the drawn cards; SIZE is the original size of the deck.
SIDES: Final = 11
LIFE: Final = 0
OUT: Final = 1
ENERGIES: Final = 2
HAND_COUNT: Final = 3
DRAW_COUNT: Final = 4
SIZE: Final = 5
COLUMNS: Final = 6
HAND: Final = 9
MAX_HELD: Final = HAND_SIZE + 7
SIDE: Final = HAND + MAX_HELD

# Then buffers: the number of moves of each verb, the cost of the most expensive creature that can be played, a bit for
# each step and for each swap; the moves that play creatures; the own columns, packed, and the gain and loss in each
# against each opponent. Finally the decks. There are always four sides, so that indices are the same in all games.
COUNTS: Final = SIDES + 4 * SIDE
HIGHEST_COST: Final = COUNTS + 10
STEPS: Final = HIGHEST_COST + 1
SWAPS: Final = STEPS + 1
PLAYS: Final = SWAPS + 1
OWN: Final = PLAYS + 3 * MAX_HELD
GAINS: Final = OWN + 3
LOSSES: Final = GAINS + 12
DECKS: Final = LOSSES + 12


class Table(NamedTuple):
    """The data that are constant in all games.

    Attributes:
        seats, longest: The number of players, and of cards in the longest deck.
        life, limit, facedown, one_creature: The options, as in `Options`.
        again: The maximum number of times that a deck is shuffled again.
        horizon: The last turn that is played: the limit, or in a search the one after which positions are evaluated.
        watcher: The seat whose hand is known in a search.
        faces: Each card of the pool as a creature, or 0.
        ranks: The key of each label of the pool.
        play_ranks: For each key and column, the index of the name with the column after it when all are sorted.
        by_name: The seats in the order of the players' names.
        leaving, entering: For each set of cells a bit for each step from one of them, or to one of them.
        within: For each set of cells a bit for each swap of two of them.
        steps, swaps: The two cells of each, 16 times the one plus the other, sorted like moves.
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
    """The hidden cards of a seat's view, and the candidates.

    Attributes:
        cards: The candidates of all seats in sequence.
        pool: A buffer of the same length.
        parts: For each seat the beginning of its cards, their number, and the number of unseen cards in its hand.
    """

    cards: Row
    pool: Row
    parts: Row


def cost_of(card: int) -> int:
    """Return the energy that a creature costs: attack plus defense."""
    return (card >> 4 & 15) + (card & 15)


def place_of(s: Row, at: int, key: int) -> int:
    """Return the index in the row of the first card with this key in a side's hand."""
    place = at + HAND
    while s[place] >> KEY != key:
        place += 1
    return place


def pack(column: int) -> int:
    """Return a column with its creatures as far forward as possible."""
    # First the open cells before all creatures, at most two; then one between the first and the last.
    if column and not column & CARD:
        column >>= CELL
        if not column & CARD:
            column >>= CELL
    # Rear and front with the middle open:  r . f  becomes  . r f. The cells above the front move down by one.
    if column >> 2 * CELL and not column >> CELL & CARD:
        column = column & CARD | column >> CELL & ~CARD
    return column


# A creature is never 0: above the highest one all bits are 0.
def first_free(column: int) -> int:
    """Return the beginning of the cell to which a creature slides that enters a column at its rear."""
    place = 0
    while column >> place:
        place += CELL
    return place


def cells_of(s: Row, at: int) -> int:
    """Return a bit for each cell with a creature of the side that begins at `at`."""
    # Bit 8 of each cell is set if a creature is there: bits 0, 9 and 18 of a column, and of the adjacent columns. The
    # rows are then 9 bits apart with three bits each, and are moved together.
    # bits 18, 9, 0: one for each row
    ones = 1 | 1 << CELL | 1 << 2 * CELL
    bits = s[at + COLUMNS] >> 8 & ones | (s[at + COLUMNS + 1] >> 8 & ones) << 1 | (s[at + COLUMNS + 2] >> 8 & ones) << 2
    return (bits | bits >> 6 | bits >> 12) & 511


def exchange(s: Row, at: int, cells: int) -> None:
    """Exchange two cells of a side, given as 16 times the one plus the other."""
    one, other = cells >> 4, cells & 15
    first, second = at + COLUMNS + one % 3, at + COLUMNS + other % 3
    place, there = CELL * (one // 3), CELL * (other // 3)
    # The bits in which both cells differ: inverted in both, the cells are exchanged, also within one column.
    changed = (s[first] >> place ^ s[second] >> there) & CARD
    s[first] ^= changed << place
    s[second] ^= changed << there


def attackers(s: Row, column: int) -> int:
    """Return the creatures of a column of the player to move that may still attack, packed."""
    left = s[SIDES + SIDE * s[SEAT] + COLUMNS + column]
    if column == s[NEXT_COLUMN]:
        # Those in front have attacked, or may no longer attack.
        left >>= CELL * s[NEXT_ROW]
    left = pack(left)
    return left if left & ATTACKS else 0  # a creature that cannot attack blocks those behind it


def clash(attacker: int, defenders: int) -> tuple[int, int, int, int]:
    """Return the result of an attack on a packed column.

    Returns:
        Whether the attacker survives, the surviving defenders, the loss of life, and the cost of the fallen.
    """
    attack, defense = attacker >> 4 & 15, attacker & 15
    damage, fallen, living, place = 0, 0, 0, 0
    # The front defender is in the lowest cell; the survivors are collected in `living`.
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
