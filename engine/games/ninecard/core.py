"""The core of the ninecard game: its rules on an integer array, for fast play (`engine.rows.core`).

`engine.games.ninecard.row` describes the array. A move is its verb in four bits, below its argument: a seat, a cell,
two cells (16 times the one plus the other), or the key of a card; for `PLAY` 4 times the key plus the column.
"""

from math import exp, sqrt
from typing import Final

from ccgrid.catalog.card import HIGHEST
from ccgrid.engine.games.ninecard.cards import HAND_SIZE
from ccgrid.engine.games.ninecard.combat import BOARD
from ccgrid.engine.games.ninecard.priorities import fill_balance, priority_of, wants_energy
from ccgrid.engine.games.ninecard.row import (
    ASSAULT,
    ATTACK,
    CARD,
    CELL,
    COLUMNS,
    COUNTS,
    CREATURE,
    DECKS,
    DISCARD,
    DISCARDING,
    DRAW_COUNT,
    END,
    ENERGIES,
    ENERGY,
    ENERGY_USED,
    FACEDOWN,
    HAND,
    HAND_COUNT,
    HAS_PLAYED,
    HAS_SACRIFICED,
    HIGHEST_COST,
    KEY,
    LIFE,
    MOVED_CELLS,
    NEXT_COLUMN,
    NEXT_ROW,
    OUT,
    PLAY,
    PLAYERS,
    PLAYS,
    SACRIFICE,
    SEAT,
    SIDE,
    SIDES,
    SIZE,
    STEP,
    STEPS,
    SWAP,
    SWAPS,
    TARGET,
    TURN,
    VERBS,
    Hidden,
    Table,
    attackers,
    cells_of,
    clash,
    cost_of,
    exchange,
    first_free,
    pack,
    place_of,
)
from ccgrid.engine.games.ninecard.tables import games, world
from ccgrid.engine.rows.binding import not_inlined
from ccgrid.engine.rows.core import keep_best
from ccgrid.engine.rows.dealing import SeatDecks, below, shuffle_first, shuffle_order
from ccgrid.engine.rows.row import Floats, Row, Seeds, bit_at, count_bits, lowest_bit

__all__ = ["Hidden", "Table", "games", "world"]

OPTIONS: Final = frozenset({"life", "limit", "facedown", "one_creature", "opening"})
ENDINGS: Final = ("last-player", "turn-limit")
MOST_MOVES: Final = 100
WORTH_COMPILING: Final = 2_000
SCALE: Final = 30.0
EXPLORING: Final = 0.3

LIFE_WEIGHT: Final = 0.87
ATTACK_WEIGHT: Final = 0.2
DEFENSE_WEIGHT: Final = 0.25
COLUMN_WEIGHT: Final = 0.08
ENERGY_WEIGHT: Final = 3.0
TO_MOVE: Final = 0.46
"""The weights of a position's features as log odds of winning, fitted to the winners of games between greedy players.

They are for a root of life, a root of total attack and defense, a column with creatures, a root of energy, and being to
move.
"""
ENERGY_HELD: Final = 0.4
"""The approximate share of energy among the cards in other hands."""

_ALL_CELLS: Final = (1 << len(BOARD.cells)) - 1
_ALL_VERBS: Final = (1 << len(VERBS)) - 1


def length(table: Table) -> int:
    """Return the length of the row of a position."""
    return DECKS + table.seats * table.longest


def changing(table: Table) -> int:
    """Return how many numbers at the beginning of the row moves can change."""
    return COUNTS


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Shuffle each player's deck, again if no creature of the first hand can be played, and deal five cards."""
    for place in range(COUNTS):
        s[place] = 0
    s[PLAYERS] = table.seats
    for seat in range(table.seats):
        at, deck = SIDES + SIDE * seat, DECKS + seat * table.longest
        s[at + LIFE], s[at + SIZE] = table.life, seat_decks.size[seat]
        tries = table.again
        while True:
            # Indices are shuffled instead of cards: their labels are in the order of the deck before shuffling.
            shuffle_order(seat_decks, seat, dice)
            for place in range(seat_decks.size[seat]):
                there = seat * seat_decks.longest + seat_decks.order[place]
                s[deck + place] = table.ranks[seat_decks.labels[there]] << KEY | table.faces[seat_decks.cards[there]]
            s[at + HAND_COUNT] = s[at + DRAW_COUNT] = 0
            draw(table, s, seat, HAND_SIZE)
            if tries == 0 or can_play_one(table, s, at):
                break
            tries -= 1
    s[SEAT] = first if first >= 0 else below(dice, table.seats)
    s[TURN] = 1
    draw(table, s, s[SEAT], 1)


def draw(table: Table, s: Row, seat: int, count: int) -> None:
    """Draw `count` cards, or all remaining cards if there are fewer."""
    at = SIDES + SIDE * seat
    hand = at + HAND
    while count > 0 and s[at + DRAW_COUNT] < s[at + SIZE]:
        put_in_hand(s, hand, s[at + HAND_COUNT], s[DECKS + seat * table.longest + s[at + DRAW_COUNT]])
        s[at + HAND_COUNT] += 1
        s[at + DRAW_COUNT] += 1
        count -= 1


def put_in_hand(s: Row, hand: int, size: int, card: int) -> None:
    """Insert a card into the sorted hand that begins at an index."""
    at = hand + size
    while at > hand and s[at - 1] > card:
        s[at] = s[at - 1]
        at -= 1
    s[at] = card


def can_play_one(table: Table, s: Row, at: int) -> bool:
    """Return whether a side holds a creature that it could play with all energy that it may lay."""
    # All cards in hand, minus the creatures that may not be laid (below), are energy that may be laid.
    creatures, cheapest, energy = 0, 1000, s[at + ENERGIES] + s[at + HAND_COUNT]
    for place in range(at + HAND, at + HAND + s[at + HAND_COUNT]):
        if s[place] & CREATURE:
            creatures += 1
            cheapest = min(cheapest, cost_of(s[place]))
    if table.facedown:
        energy -= 1
    elif table.one_creature and not s[HAS_SACRIFICED] and creatures > 1:
        energy -= creatures - 1
    else:
        energy -= creatures
    return cheapest <= energy


def over(table: Table, s: Row) -> int:
    """Return 0 if only one player is left, 1 if all turns are over, else -1."""
    if s[PLAYERS] == 1:
        return 0
    return 1 if s[TURN] > table.horizon else -1


def count_moves(table: Table, s: Row) -> int:
    """Return the number of legal moves, and write the numbers for each verb to the part `COUNTS`."""
    at = SIDES + SIDE * s[SEAT]
    for place in range(COUNTS, COUNTS + len(VERBS)):
        s[place] = 0
    count = 0
    # In an assault: a move for each column that may still attack, and the end of the assault.
    if s[TARGET]:
        for column in range(s[NEXT_COLUMN], 3):
            if attackers(s, column):
                count += 1
        s[COUNTS + ATTACK], s[COUNTS + END] = count, 1
        return count + 1
    # Count different cards: copies make one move. `dearest` is -1 if no creature can be played.
    energies, creatures, affordable, dearest, last = 0, 0, 0, -1, -1
    ready = s[at + ENERGIES] - s[ENERGY_USED]
    for place in range(at + HAND, at + HAND + s[at + HAND_COUNT]):
        card = s[place]
        # A hand is sorted: copies are neighbours, and make one move.
        if card == last:
            continue
        last = card
        if card & CREATURE:
            cost = cost_of(card)
            creatures += 1
            if cost <= ready:
                affordable += 1
                dearest = max(dearest, cost)
        else:
            energies += 1
    if s[DISCARDING]:
        s[COUNTS + DISCARD] = energies + creatures
        return energies + creatures
    free = 0
    for column in range(at + COLUMNS, at + COLUMNS + 3):
        # Creatures enter at the rear, so that the rear cell must be open.
        if not s[column] >> 2 * CELL:
            free += 1
    cells, others, plays = cells_of(s, at), s[PLAYERS] - 1, affordable * free
    able = cells & ~s[MOVED_CELLS]
    # A step leaves the cell of a creature that has not moved, and enters an open one: the intersection of both sets of
    # steps.
    steps, swaps = table.leaving[able] & table.entering[_ALL_CELLS ^ cells], table.within[able]
    s[STEPS], s[SWAPS], s[HIGHEST_COST] = steps, swaps, dearest
    steps, swaps = count_bits(steps), count_bits(swaps)
    facedown = creatures if table.facedown else 0
    sacrifice = creatures if table.one_creature and not s[HAS_SACRIFICED] else 0
    s[COUNTS + ASSAULT], s[COUNTS + ENERGY], s[COUNTS + PLAY] = others, energies, plays
    s[COUNTS + FACEDOWN], s[COUNTS + SACRIFICE], s[COUNTS + STEP], s[COUNTS + SWAP] = facedown, sacrifice, steps, swaps
    return others + energies + plays + facedown + sacrifice + steps + swaps


def list_plays(table: Table, s: Row, least: int) -> int:
    """List the moves that play a creature with at least this cost, sorted by their texts, and return their number."""
    at = SIDES + SIDE * s[SEAT]
    ready, count, last = s[at + ENERGIES] - s[ENERGY_USED], 0, -1
    for place in range(at + HAND, at + HAND + s[at + HAND_COUNT]):
        card = s[place]
        if card == last or not card & CREATURE or not least <= cost_of(card) <= ready:
            continue
        last = card
        for column in range(3):
            if not s[at + COLUMNS + column] >> 2 * CELL:
                # Sort like the texts of moves: a key is the index of the name, and `play_ranks` has four entries for
                # each.
                key = card >> KEY << 2 | column
                # Insertion sort by the texts of the moves: random draws refer to this order.
                rank, there = table.play_ranks[key], PLAYS + count
                while there > PLAYS and table.play_ranks[s[there - 1] >> 4] > rank:
                    s[there] = s[there - 1]
                    there -= 1
                s[there] = key << 4 | PLAY
                count += 1
    return count


def move_of(table: Table, s: Row, verb: int, number: int) -> int:
    """Return the move with this number among those of a verb; moves that play creatures are listed before."""
    seat, about = s[SEAT], 0
    if verb == PLAY:
        return s[PLAYS + number]
    if verb == STEP:
        about = table.steps[bit_at(s[STEPS], number)]
    elif verb == SWAP:
        about = table.swaps[bit_at(s[SWAPS], number)]
    elif verb == ASSAULT:
        place = 0
        about = table.by_name[0]
        # Seats in the order of their names, like the texts of assaults; skip eliminated players.
        while about == seat or s[SIDES + SIDE * about + OUT] or number:
            if about != seat and not s[SIDES + SIDE * about + OUT]:
                number -= 1
            place += 1
            about = table.by_name[place]
    elif verb == ATTACK:
        column = s[NEXT_COLUMN]
        while number or not attackers(s, column):
            if attackers(s, column):
                number -= 1
            column += 1
        # In the column that attacks now, the creatures in front have attacked.
        row = s[NEXT_ROW] if column == s[NEXT_COLUMN] else 0
        while not s[SIDES + SIDE * seat + COLUMNS + column] >> CELL * row & CARD:
            row += 1
        about = 3 * row + column
    elif verb != END:
        about = key_in_hand(s, verb, number)
    return about << 4 | verb


def key_in_hand(s: Row, verb: int, number: int) -> int:
    """Return the key of the card with this number among the different cards in hand to which a verb applies."""
    place, last = SIDES + SIDE * s[SEAT] + HAND, -1
    while True:
        card = s[place]
        # Copies are adjacent. `&` binds before `==`: `ENERGY` applies to cards that are no creatures, other verbs to
        # creatures.
        if card != last and (verb == DISCARD or (card & CREATURE == 0) == (verb == ENERGY)):
            if number == 0:
                return card >> KEY
            number -= 1
        last = card
        place += 1


def list_moves(table: Table, s: Row, moves: Row, verbs: int) -> int:
    """Fill `moves` with the moves of the verbs whose bits are set, and return their number; they are counted before."""
    count = 0
    for verb in range(len(VERBS)):
        if not verbs >> verb & 1 or not s[COUNTS + verb]:
            continue
        if verb in (STEP, SWAP):
            left = s[STEPS] if verb == STEP else s[SWAPS]
            while left:
                place = lowest_bit(left)
                moves[count] = (table.steps[place] if verb == STEP else table.swaps[place]) << 4 | verb
                left &= left - 1
                count += 1
        else:
            for number in range(s[COUNTS + verb]):
                moves[count] = move_of(table, s, verb, number)
                count += 1
    return count


def legal(table: Table, s: Row, moves: Row) -> int:
    """Fill `moves` with the legal moves of this part of the turn, and return their number."""
    count_moves(table, s)
    list_plays(table, s, 0)
    return list_moves(table, s, moves, _ALL_VERBS)


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Return a random legal move; moves are counted by verb, and only those that play creatures are listed."""
    number, place = below(dice, count_moves(table, s)), COUNTS
    # COUNTS has the number of moves of each verb, in the order of the sorted texts.
    while number >= s[place]:
        number -= s[place]
        place += 1
    if place == COUNTS + PLAY:
        list_plays(table, s, 0)
    return move_of(table, s, place - COUNTS, number)


def rate_moves(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` and `priorities` with the legal moves and their values.

    While energy is in hand, only with laying it.
    """
    if over(table, s) >= 0:
        return 0
    count_moves(table, s)
    return rate_verbs(table, s, moves, priorities, 1 << ENERGY if s[COUNTS + ENERGY] else _ALL_VERBS, 0)


def best(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the moves of the highest heuristic value, and return their number.

    Only those of the first applicable verb are evaluated, and only the most expensive creatures. A step precedes an
    affordable creature only if it decides about a player's last point of life.
    """
    count_moves(table, s)
    # The heuristic keeps kinds of moves far apart: only the first kind in its order needs evaluation.
    verbs, least = _ALL_VERBS, 0
    if s[COUNTS + ENERGY]:
        verbs = 1 << ENERGY
    elif s[COUNTS + FACEDOWN] + s[COUNTS + SACRIFICE] and wants_energy(s):
        verbs = 1 << FACEDOWN | 1 << SACRIFICE
    elif s[COUNTS + PLAY]:
        # Each point of cost exceeds the value of any column: only the most expensive creatures matter.
        verbs, least = 1 << PLAY, s[HIGHEST_COST]
        if can_eliminate(table, s):  # otherwise no step is worth as much as playing any creature
            verbs |= 1 << STEP | 1 << SWAP
    elif s[COUNTS + ASSAULT]:
        verbs = 1 << STEP | 1 << SWAP | 1 << ASSAULT
    return keep_best(moves, priorities, rate_verbs(table, s, moves, priorities, verbs, least))


def can_eliminate(table: Table, s: Row) -> bool:
    """Return whether a column with one more creature could eliminate a player.

    That is an opponent, by the player to move, or the player to move, by an opponent.
    """
    own, found = SIDES + SIDE * s[SEAT], False
    reach = strongest(s, own)
    for seat in range(table.seats):
        at = SIDES + SIDE * seat
        if at != own and not s[at + OUT]:
            found = found or reach >= s[at + LIFE] or strongest(s, at) >= s[own + LIFE]
    return found


def strongest(s: Row, at: int) -> int:
    """Return the maximum attack of a column of a side with one more creature."""
    most = 0
    for column in range(at + COLUMNS, at + COLUMNS + 3):
        creatures = s[column]
        # The attack of a creature is bits 4 to 7 of its cell.
        most = max(most, (creatures >> 4 & 15) + (creatures >> 4 + CELL & 15) + (creatures >> 4 + 2 * CELL & 15))
    return most + HIGHEST


@not_inlined
def rate_verbs(table: Table, s: Row, moves: Row, priorities: Row, verbs: int, least: int) -> int:
    """Fill `moves` and `priorities` with the moves of some verbs; creatures must have at least this cost."""
    now = 0
    # The balance is needed for moves that change it; laying energy and discarding do not.
    if s[COUNTS + ASSAULT] and verbs & 1 << ASSAULT | verbs & 1 << PLAY:
        now = fill_balance(table.seats, s)
        s[COUNTS + PLAY] = list_plays(table, s, least)
    count = list_moves(table, s, moves, verbs)
    for place in range(count):
        priorities[place] = priority_of(table.seats, s, moves[place], now)
    return count


def play(table: Table, s: Row, move: int) -> None:
    """Play a legal move, and everything that follows automatically: cleanup, drawing, the next player's first card."""
    verb, about, at = move & 15, move >> 4, SIDES + SIDE * s[SEAT]
    ends_assault, ends_turn = verb == END, False
    if verb == PLAY:
        creature, column = remove_from_hand(s, at, about >> 2) & CARD, at + COLUMNS + (about & 3)
        # Columns are packed after each assault, but not after steps: the creature slides behind the rear-most one.
        s[column] |= creature << first_free(s[column])
        s[ENERGY_USED] += cost_of(creature)
        s[HAS_PLAYED] = 1
    elif verb in (STEP, SWAP):
        exchange(s, at, about)
        # The cell where it is now.
        s[MOVED_CELLS] |= 1 << (about & 15)
        if verb == SWAP:
            s[MOVED_CELLS] |= 1 << (about >> 4)
    elif verb == ASSAULT:
        s[TARGET] = about + 1
    elif verb == ATTACK:
        ends_assault = attack(s, at, about)
    elif verb == DISCARD:
        remove_from_hand(s, at, about)
        ends_turn = s[at + HAND_COUNT] <= HAND_SIZE
    elif verb != END:
        # Energy, face-down or sacrificed cards: all are in one zone, and only counted.
        remove_from_hand(s, at, about)
        s[at + ENERGIES] += 1
        if verb == SACRIFICE:
            s[HAS_SACRIFICED] = 1
    if ends_assault:
        ends_turn = clean_up(table, s, at)
    if ends_turn:
        next_turn(table, s)


def remove_from_hand(s: Row, at: int, key: int) -> int:
    """Remove the first card with this key from the hand of a side, and return it."""
    place = place_of(s, at, key)
    card = s[place]
    s[at + HAND_COUNT] -= 1
    for later in range(place, at + HAND + s[at + HAND_COUNT]):
        s[later] = s[later + 1]
    return card


def attack(s: Row, at: int, cell: int) -> bool:
    """Let a creature attack the opposing column; return whether its target is eliminated."""
    own, place = at + COLUMNS + cell % 3, CELL * (cell // 3)
    target = SIDES + SIDE * (s[TARGET] - 1)
    column = target + COLUMNS + cell % 3
    attacker = s[own] >> place & CARD
    lives, living, breach, _ = clash(attacker, s[column])
    s[column] = living
    s[target + LIFE] -= breach
    # The next attack comes from behind this cell, or from a later column.
    s[NEXT_COLUMN], s[NEXT_ROW] = cell % 3, cell // 3 + 1
    if not lives:
        s[own] ^= attacker << place
    if s[target + LIFE] > 0:
        return False
    s[target + OUT] = 1
    s[PLAYERS] -= 1
    return True


def clean_up(table: Table, s: Row, at: int) -> bool:
    """Clean up after a side's assault, and return whether its turn is over.

    Creatures slide forward; the opponents' do so immediately. The side is eliminated if it has no creature and could
    have played none; otherwise it draws cards, or must discard some.
    """
    for column in range(at + COLUMNS, at + COLUMNS + 3):
        s[column] = pack(s[column])
    s[TARGET] = s[NEXT_COLUMN] = s[NEXT_ROW] = 0
    if s[PLAYERS] == 1:
        return False
    if not s[HAS_PLAYED] and not cells_of(s, at) and not can_play_one(table, s, at):
        s[at + OUT] = 1
        s[PLAYERS] -= 1
        return s[PLAYERS] > 1
    draw(table, s, s[SEAT], HAND_SIZE - s[at + HAND_COUNT])
    if s[at + HAND_COUNT] > HAND_SIZE:
        s[DISCARDING] = 1
        return False
    return True


def next_turn(table: Table, s: Row) -> None:
    """Begin the turn of the next remaining player, who draws a card; after the last turn there is none."""
    # All data of a turn are adjacent: used energy, moved cells, the assault.
    for place in range(ENERGY_USED, SIDES):
        s[place] = 0
    s[TURN] += 1
    if s[TURN] > table.limit:
        return
    seat = s[SEAT]
    while True:
        seat = seat + 1 if seat + 1 < table.seats else 0
        if not s[SIDES + SIDE * seat + OUT]:
            break
    s[SEAT] = seat
    draw(table, s, seat, 1)


def scores(table: Table, s: Row, points: Row | Floats) -> None:
    """Write each player's life, 0 if eliminated."""
    for seat in range(table.seats):
        at = SIDES + SIDE * seat
        points[seat] = 0 if s[at + OUT] else s[at + LIFE]


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Sample the other players' cards in hand, and the cards of each deck that may be drawn before the horizon."""
    # A copy, because shuffling changes the order, and the next world starts from the same one.
    for place in range(len(hidden.cards)):
        hidden.pool[place] = hidden.cards[place]
    for seat in range(table.seats):
        at, deck = SIDES + SIDE * seat, DECKS + seat * table.longest
        first, size, hand_size = hidden.parts[3 * seat], hidden.parts[3 * seat + 1], hidden.parts[3 * seat + 2]
        count = hand_size + s[at + SIZE]
        shuffle_first(dice, hidden.pool, first, size, count)
        # If there are fewer candidates than positions, they are repeated.
        for place in range(count):
            card = hidden.pool[first + place % size]
            if place < hand_size:
                put_in_hand(s, at + HAND, s[at + HAND_COUNT], card)
                s[at + HAND_COUNT] += 1
            else:
                s[deck + place - hand_size] = card


def judge(table: Table, s: Row, scale: float, points: Floats, worths: Floats) -> None:
    """Compute each seat's share of the game, and its points.

    If the game is not over, these are the estimated chance of winning, and that share of the life.
    """
    seats, total = table.seats, 0.0
    scores(table, s, points)
    is_over = s[PLAYERS] == 1 or s[TURN] > table.limit
    most = points[0]
    for seat in range(seats):
        most = max(most, points[seat])
    for seat in range(seats):
        if is_over:
            worths[seat] = 1.0 if points[seat] == most else 0.0
        else:
            # Softmax: the parts of the exponentials of the log odds add up to 1. Eliminated players have no chance.
            worths[seat] = 0.0 if s[SIDES + SIDE * seat + OUT] else exp(odds(table, s, seat))
        total += worths[seat]
    for seat in range(seats):
        worths[seat] /= total
        if not is_over:
            points[seat] *= worths[seat]


def odds(table: Table, s: Row, seat: int) -> float:
    """Return a seat's log odds of winning."""
    at, attack, defense, value = SIDES + SIDE * seat, 0, 0, 0.0
    for column in range(at + COLUMNS, at + COLUMNS + 3):
        left = s[column]
        value += COLUMN_WEIGHT if left else 0.0
        while left:
            attack += left >> 4 & 15
            defense += left & 15
            left >>= CELL
    energy = float(s[at + ENERGIES])
    # The energy in the own hand is known; for others use the average share.
    if seat == table.watcher:
        for place in range(at + HAND, at + HAND + s[at + HAND_COUNT]):
            energy += 0.0 if s[place] & CREATURE else 1.0
    else:
        energy += ENERGY_HELD * s[at + HAND_COUNT]
    value += LIFE_WEIGHT * sqrt(s[at + LIFE]) + ATTACK_WEIGHT * sqrt(attack) + DEFENSE_WEIGHT * sqrt(defense)
    return value + ENERGY_WEIGHT * sqrt(energy) + (TO_MOVE if seat == s[SEAT] else 0.0)
