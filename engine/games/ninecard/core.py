"""The core of the ninecard game: its rules on a row of whole numbers, for what plays fast (`engine.rows.core`).

`engine.games.ninecard.row` says what is where in it. A move is its verb in four bits, and before them what it is
about: a seat, a cell, two cells (16 times the one and the other), or the key of a card, for `PLAY` 4 times that and the
column.
"""

from math import exp, sqrt
from typing import Final

from ccgrid.catalog.card import HIGHEST
from ccgrid.engine.games.ninecard.cards import HAND_SIZE
from ccgrid.engine.games.ninecard.combat import BOARD
from ccgrid.engine.games.ninecard.looks import look_round, promise_of, wants_energy
from ccgrid.engine.games.ninecard.row import (
    ASSAULT,
    ATTACK,
    CARD,
    CELL,
    COLUMNS,
    COUNTS,
    CREATURE,
    DEAREST,
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
from ccgrid.engine.rows.core import most_promising
from ccgrid.engine.rows.dealing import SeatDecks, below, shuffle_first, shuffle_order
from ccgrid.engine.rows.row import Floats, Row, Seeds, bit_at, count_bits, lowest_bit

__all__ = ["Hidden", "Table", "games", "world"]

OPTIONS: Final = frozenset({"life", "limit", "facedown", "one_creature", "opening"})
ENDINGS: Final = ("last-player", "turn-limit")
MOST_MOVES: Final = 100
WORTH_COMPILING: Final = 2_000
SCALE: Final = 30.0
EXPLORING: Final = 0.3

OF_LIFE: Final = 0.87
OF_ATTACK: Final = 0.2
OF_DEFENSE: Final = 0.25
OF_COLUMN: Final = 0.08
OF_ENERGY: Final = 3.0
TO_MOVE: Final = 0.46
"""How much a root of life, of attack and of defense in all, a column with creatures, a root of energy, and being to
move, count for winning, as a logarithm of odds: fitted to who won games between greedy players."""
ENERGY_HELD: Final = 0.4
"""About this share of the cards in other hands is energy."""

_ALL_CELLS: Final = (1 << len(BOARD.cells)) - 1
_ALL_VERBS: Final = (1 << len(VERBS)) - 1


def length(table: Table) -> int:
    """How long the row of a position is."""
    return DECKS + table.seats * table.longest


def changing(table: Table) -> int:
    """How many numbers at the beginning of the row moves change."""
    return COUNTS


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Shuffles each player's deck, again where no creature of the first hand can be played, and deals five cards."""
    for place in range(COUNTS):
        s[place] = 0
    s[PLAYERS] = table.seats
    for seat in range(table.seats):
        at, deck = SIDES + SIDE * seat, DECKS + seat * table.longest
        s[at + LIFE], s[at + SIZE] = table.life, seat_decks.size[seat]
        tries = table.again
        while True:
            # Places are shuffled, not cards: their labels are in the order of the deck before it.
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
    """Draws `count` cards, or as many as the deck has."""
    at = SIDES + SIDE * seat
    hand = at + HAND
    while count > 0 and s[at + DRAW_COUNT] < s[at + SIZE]:
        put_in_hand(s, hand, s[at + HAND_COUNT], s[DECKS + seat * table.longest + s[at + DRAW_COUNT]])
        s[at + HAND_COUNT] += 1
        s[at + DRAW_COUNT] += 1
        count -= 1


def put_in_hand(s: Row, hand: int, size: int, card: int) -> None:
    """Puts a card where it belongs in the hand that begins there."""
    at = hand + size
    while at > hand and s[at - 1] > card:
        s[at] = s[at - 1]
        at -= 1
    s[at] = card


def can_play_one(table: Table, s: Row, at: int) -> bool:
    """Whether the side that begins there holds a creature that could be played with all energy that it may lay."""
    # All cards in hand, less the creatures that cannot be laid, below, are the energy that can be.
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
    """The game is over when one player alone is left, or all turns are."""
    if s[PLAYERS] == 1:
        return 0
    return 1 if s[TURN] > table.horizon else -1


def count_moves(table: Table, s: Row) -> int:
    """How many legal moves there are; fills the room for how many of each verb."""
    at = SIDES + SIDE * s[SEAT]
    for place in range(COUNTS, COUNTS + len(VERBS)):
        s[place] = 0
    count = 0
    # In an assault: a move for each column that may still attack, and to end it.
    if s[TARGET]:
        for column in range(s[NEXT_COLUMN], 3):
            if attackers(s, column):
                count += 1
        s[COUNTS + ATTACK], s[COUNTS + END] = count, 1
        return count + 1
    # Counted are different cards: copies make one move. `dearest` is -1 where no creature can be played.
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
        # Creatures enter at the rear, so the rear cell has to be open.
        if not s[column] >> 2 * CELL:
            free += 1
    cells, others, plays = cells_of(s, at), s[PLAYERS] - 1, affordable * free
    able = cells & ~s[MOVED_CELLS]
    # A step leaves a cell of a creature that has not moved, and enters an open one: both sets of steps, cut.
    steps, swaps = table.leaving[able] & table.entering[_ALL_CELLS ^ cells], table.within[able]
    s[STEPS], s[SWAPS], s[DEAREST] = steps, swaps, dearest
    steps, swaps = count_bits(steps), count_bits(swaps)
    facedown = creatures if table.facedown else 0
    sacrifice = creatures if table.one_creature and not s[HAS_SACRIFICED] else 0
    s[COUNTS + ASSAULT], s[COUNTS + ENERGY], s[COUNTS + PLAY] = others, energies, plays
    s[COUNTS + FACEDOWN], s[COUNTS + SACRIFICE], s[COUNTS + STEP], s[COUNTS + SWAP] = facedown, sacrifice, steps, swaps
    return others + energies + plays + facedown + sacrifice + steps + swaps


def list_plays(table: Table, s: Row, least: int) -> int:
    """How many moves play a creature that costs so much at least, in the room for them, as their texts are sorted."""
    at = SIDES + SIDE * s[SEAT]
    ready, count, last = s[at + ENERGIES] - s[ENERGY_USED], 0, -1
    for place in range(at + HAND, at + HAND + s[at + HAND_COUNT]):
        card = s[place]
        if card == last or not card & CREATURE or not least <= cost_of(card) <= ready:
            continue
        last = card
        for column in range(3):
            if not s[at + COLUMNS + column] >> 2 * CELL:
                # As the moves, so the texts: a key is the place of the name, and `play_ranks` has four entries for
                # each.
                key = card >> KEY << 2 | column
                # Insertion sort by the texts of the moves: the dice choose by places in that order.
                rank, there = table.play_ranks[key], PLAYS + count
                while there > PLAYS and table.play_ranks[s[there - 1] >> 4] > rank:
                    s[there] = s[there - 1]
                    there -= 1
                s[there] = key << 4 | PLAY
                count += 1
    return count


def move_of(table: Table, s: Row, verb: int, number: int) -> int:
    """The move with this number among those of a verb; those that play creatures are listed before."""
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
        # Seats in the order of their names, as the texts of assaults are sorted; who is out is passed over.
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
        # In the column that attacks now those in front have done so.
        row = s[NEXT_ROW] if column == s[NEXT_COLUMN] else 0
        while not s[SIDES + SIDE * seat + COLUMNS + column] >> CELL * row & CARD:
            row += 1
        about = 3 * row + column
    elif verb != END:
        about = key_in_hand(s, verb, number)
    return about << 4 | verb


def key_in_hand(s: Row, verb: int, number: int) -> int:
    """The key of the card with this number among those in hand that a verb is for, copies left out."""
    place, last = SIDES + SIDE * s[SEAT] + HAND, -1
    while True:
        card = s[place]
        # Copies lie side by side. `&` binds before `==`: for ENERGY cards that are no creatures, else creatures.
        if card != last and (verb == DISCARD or (card & CREATURE == 0) == (verb == ENERGY)):
            if number == 0:
                return card >> KEY
            number -= 1
        last = card
        place += 1


def list_moves(table: Table, s: Row, moves: Row, verbs: int) -> int:
    """How many moves there are of the verbs whose bits are set, which are in `moves`; they are counted before."""
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
    """What this part of the turn allows: laying, playing and moving, or the assault, or discarding."""
    count_moves(table, s)
    list_plays(table, s, 0)
    return list_moves(table, s, moves, _ALL_VERBS)


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Any legal move: they are counted by verbs, and none is listed but those that play creatures."""
    number, place = below(dice, count_moves(table, s)), COUNTS
    # COUNTS has how many moves each verb has, in the order of the sorted texts.
    while number >= s[place]:
        number -= s[place]
        place += 1
    if place == COUNTS + PLAY:
        list_plays(table, s, 0)
    return move_of(table, s, place - COUNTS, number)


def look(table: Table, s: Row, moves: Row, promises: Row) -> int:
    """The legal moves, and how good each looks; as long as there is energy in hand, laying it alone."""
    if over(table, s) >= 0:
        return 0
    count_moves(table, s)
    return look_at_verbs(table, s, moves, promises, 1 << ENERGY if s[COUNTS + ENERGY] else _ALL_VERBS, 0)


def best(table: Table, s: Row, moves: Row, promises: Row) -> int:
    """The moves that look best: only those are looked at that come first in a turn, and of creatures the dearest.

    A step comes before a creature that can be played only where it decides about a player's last point of life.
    """
    count_moves(table, s)
    # The heuristic keeps kinds of moves far apart: what comes first in its order is all that has to be looked at.
    verbs, least = _ALL_VERBS, 0
    if s[COUNTS + ENERGY]:
        verbs = 1 << ENERGY
    elif s[COUNTS + FACEDOWN] + s[COUNTS + SACRIFICE] and wants_energy(s):
        verbs = 1 << FACEDOWN | 1 << SACRIFICE
    elif s[COUNTS + PLAY]:
        # Each point of cost is worth more than where the creature goes: of creatures only the dearest.
        verbs, least = 1 << PLAY, s[DEAREST]
        if may_fall(table, s):  # else no step brings as much as playing any creature is said to
            verbs |= 1 << STEP | 1 << SWAP
    elif s[COUNTS + ASSAULT]:
        verbs = 1 << STEP | 1 << SWAP | 1 << ASSAULT
    return most_promising(moves, promises, look_at_verbs(table, s, moves, promises, verbs, least))


def may_fall(table: Table, s: Row) -> bool:
    """Whether one more creature in a column may take the last point of life of somebody, or of who is to move."""
    own, found = SIDES + SIDE * s[SEAT], False
    reach = strongest(s, own)
    for seat in range(table.seats):
        at = SIDES + SIDE * seat
        if at != own and not s[at + OUT]:
            found = found or reach >= s[at + LIFE] or strongest(s, at) >= s[own + LIFE]
    return found


def strongest(s: Row, at: int) -> int:
    """The most attack that a column of the side that begins there has with one more creature."""
    most = 0
    for column in range(at + COLUMNS, at + COLUMNS + 3):
        creatures = s[column]
        # The attack of a creature is bits 4 to 7 of its cell.
        most = max(most, (creatures >> 4 & 15) + (creatures >> 4 + CELL & 15) + (creatures >> 4 + 2 * CELL & 15))
    return most + HIGHEST


@not_inlined
def look_at_verbs(table: Table, s: Row, moves: Row, promises: Row, verbs: int, least: int) -> int:
    """The moves of some verbs, and how good each looks; creatures that are played cost so much at least."""
    now = 0
    # How things stand is needed for what changes it; laying energy and discarding do not.
    if s[COUNTS + ASSAULT] and verbs & 1 << ASSAULT | verbs & 1 << PLAY:
        now = look_round(table.seats, s)
        s[COUNTS + PLAY] = list_plays(table, s, least)
    count = list_moves(table, s, moves, verbs)
    for place in range(count):
        promises[place] = promise_of(table.seats, s, moves[place], now)
    return count


def play(table: Table, s: Row, move: int) -> None:
    """Plays a legal move, with all that follows by itself: cleanup, drawing, the next player's first card."""
    verb, about, at = move & 15, move >> 4, SIDES + SIDE * s[SEAT]
    ends_assault, ends_turn = verb == END, False
    if verb == PLAY:
        creature, column = take(s, at, about >> 2) & CARD, at + COLUMNS + (about & 3)
        # Columns are packed after each assault, but not after steps: it slides to behind the rear-most creature.
        s[column] |= creature << first_free(s[column])
        s[ENERGY_USED] += cost_of(creature)
        s[HAS_PLAYED] = 1
    elif verb in (STEP, SWAP):
        exchange(s, at, about)
        # The cell where it stands now.
        s[MOVED_CELLS] |= 1 << (about & 15)
        if verb == SWAP:
            s[MOVED_CELLS] |= 1 << (about >> 4)
    elif verb == ASSAULT:
        s[TARGET] = about + 1
    elif verb == ATTACK:
        ends_assault = attack(s, at, about)
    elif verb == DISCARD:
        take(s, at, about)
        ends_turn = s[at + HAND_COUNT] <= HAND_SIZE
    elif verb != END:
        # Energy, face down or sacrificed: all lie in one zone, and are counted.
        take(s, at, about)
        s[at + ENERGIES] += 1
        if verb == SACRIFICE:
            s[HAS_SACRIFICED] = 1
    if ends_assault:
        ends_turn = clean_up(table, s, at)
    if ends_turn:
        next_turn(table, s)


def take(s: Row, at: int, key: int) -> int:
    """Takes the first card with this key out of the hand of the side that begins there, and gives it."""
    place = place_of(s, at, key)
    card = s[place]
    s[at + HAND_COUNT] -= 1
    for later in range(place, at + HAND + s[at + HAND_COUNT]):
        s[later] = s[later + 1]
    return card


def attack(s: Row, at: int, cell: int) -> bool:
    """A creature of the side that begins there attacks the column before it; whether its target is out."""
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
    """What follows an assault by the side that begins there; whether its turn is over.

    Its creatures slide forward, the others do so at once. It is out if it has none and could have played none; else it
    draws cards, or has some to discard.
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
    """The turn of the next player who is left, who draws a card; nobody's after the last turn."""
    # Everything of a turn lies there side by side: energy used, cells moved, the assault.
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
    """Each player's life, 0 when out."""
    for seat in range(table.seats):
        at = SIDES + SIDE * seat
        points[seat] = 0 if s[at + OUT] else s[at + LIFE]


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Draws the cards that others hold, and of each deck as many as may be drawn before a position is judged."""
    # Copied, for shuffling takes cards out of their order, and the next world starts from the same one.
    for place in range(len(hidden.cards)):
        hidden.pool[place] = hidden.cards[place]
    for seat in range(table.seats):
        at, deck = SIDES + SIDE * seat, DECKS + seat * table.longest
        first, size, hand_size = hidden.parts[3 * seat], hidden.parts[3 * seat + 1], hidden.parts[3 * seat + 2]
        count = hand_size + s[at + SIZE]
        shuffle_first(dice, hidden.pool, first, size, count)
        # With fewer cards in question than places they come again from the first on.
        for place in range(count):
            card = hidden.pool[first + place % size]
            if place < hand_size:
                put_in_hand(s, at + HAND, s[at + HAND_COUNT], card)
                s[at + HAND_COUNT] += 1
            else:
                s[deck + place - hand_size] = card


def judge(table: Table, s: Row, scale: float, points: Floats, worths: Floats) -> None:
    """What the position is worth to each seat, its share of the game, and points.

    Where the game is not over these are the odds of winning that it gives, and so much of the life.
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
            # The parts of the exponentials of the odds are chances that add up to 1 (softmax).
            # Who is out wins nothing, whatever the odds say.
            worths[seat] = 0.0 if s[SIDES + SIDE * seat + OUT] else exp(odds(table, s, seat))
        total += worths[seat]
    for seat in range(seats):
        worths[seat] /= total
        if not is_over:
            points[seat] *= worths[seat]


def odds(table: Table, s: Row, seat: int) -> float:
    """How likely a seat wins, as a logarithm of odds."""
    at, attack, defense, value = SIDES + SIDE * seat, 0, 0, 0.0
    for column in range(at + COLUMNS, at + COLUMNS + 3):
        left = s[column]
        value += OF_COLUMN if left else 0.0
        while left:
            attack += left >> 4 & 15
            defense += left & 15
            left >>= CELL
    energy = float(s[at + ENERGIES])
    # Of the own hand the energy is seen; of others it is the share that hands have on average.
    if seat == table.watcher:
        for place in range(at + HAND, at + HAND + s[at + HAND_COUNT]):
            energy += 0.0 if s[place] & CREATURE else 1.0
    else:
        energy += ENERGY_HELD * s[at + HAND_COUNT]
    value += OF_LIFE * sqrt(s[at + LIFE]) + OF_ATTACK * sqrt(attack) + OF_DEFENSE * sqrt(defense)
    return value + OF_ENERGY * sqrt(energy) + (TO_MOVE if seat == s[SEAT] else 0.0)
