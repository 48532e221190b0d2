"""The core of the matrix game: its rules on an integer array, for fast play (`engine.rows.core`).

The board is one number with six bits for each cell, `a1` lowest. One multiplication gives a seat's score: the board
times a number that has a one for each of the three cells, in the opposite order, has the sum at bit 48. (The product
has 108 bits; compiled code loses the highest, and those below 54 are equal.)

    bits     48..53  42..47  36..41  30..35  24..29  18..23  12..17  6..11  0..5
    board    c3      b3      a3      c2      b2      a2      c1      b1     a1
    weights  a1      b1      c1      a2      b2      c2      a3      b3     c3

A hand has ten bits for the ten kinds of cards, set if it has a card of the kind; ten more bits for a second card, and
so on. The kinds in hand are its lowest ten bits, and to play a card is to clear the highest bit of its kind. A move is
its index in `MOVES`.

    bits    20..29      10..19       0..9
    hand    a third     a second     a card of the kind
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, islice
from typing import Final, NamedTuple

from ccgrid.engine.board import AROUND_THE_TABLE
from ccgrid.engine.cards import without
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.games.matrix.cards import BOARD, CENTRE, KIND_OF, KINDS, MOVES, ROTATIONS, Numbers, board_after
from ccgrid.engine.games.matrix.heuristic import BEHIND, KEEPING, LAST_ROUNDS, LOWEST, TRIES, WIN, WORTH
from ccgrid.engine.games.matrix.rules import COPIES, ROUNDS, MatrixState, board_scores
from ccgrid.engine.rows.binding import not_inlined
from ccgrid.engine.rows.core import SEAT, UNDECIDED, CoreGames, CoreWorld, Position, keep_best
from ccgrid.engine.rows.dealing import SeatDecks, below, fork, no_pool, shuffle
from ccgrid.engine.rows.row import Row, Row8, Row16, Seeds, copy

OPTIONS: Final = frozenset({"rotate"})
ENDINGS: Final = ("all-rounds",)
IS_OPEN: Final = True
MOST_MOVES: Final = len(MOVES)

# The row of a position:
#
#     0     1        2     3            4..7   8..11  12   13 and on
#     SEAT  NUMBERS  TURN  ROUNDS_LEFT  ORDER  HANDS  BOX  buffers
#
# TURN is the number of moves in this round, ROUNDS_LEFT includes it, and ORDER has the seats in the order of play. No
# move changes BOX, the cards in no hand. Buffers: CARDS and DRAW_ROOM for cards, FIRST for the first card that each
# seat draws, BACKUP for a position, TRIAL_HANDS for hands.
NUMBERS: Final = 1
TURN: Final = 2
ROUNDS_LEFT: Final = 3
ORDER: Final = 4
HANDS: Final = 8
BOX: Final = 12
CARDS: Final = 13
MOST_CARDS: Final = len(KINDS) * max(COPIES.values())
DRAW_ROOM: Final = CARDS + MOST_CARDS
FIRST: Final = DRAW_ROOM + MOST_CARDS
BACKUP: Final = FIRST + 4
TRIAL_HANDS: Final = BACKUP + BOX
LENGTH: Final = TRIAL_HANDS + BOX - HANDS

CELLS: Final = len(BOARD.cells)
LANE: Final = 6
LAST: Final = LANE * (CELLS - 1)
MIDDLE: Final = LANE * CENTRE
NUMBER: Final = (1 << LANE) - 1
# For each lane 1; 31, the largest number below its sixth bit; and that bit alone.
_ONES: Final = sum(1 << LANE * cell for cell in range(CELLS))
_FULL: Final = 31 * _ONES
_CARRIES: Final = 32 * _ONES

A_KIND: Final = len(KINDS)
EVERY_KIND: Final = (1 << A_KIND) - 1
EVERY_COPY: Final = sum(1 << A_KIND * copy for copy in range(max(COPIES.values())))

# Kinds are sorted: the bit of a kind is its alphabetical index.
PLACES: Final = {kind: place for place, kind in enumerate(KINDS)}

STAY: Final = len(MOVES)
"""An entry in a table of moves that leaves the board unchanged."""

UNCHANGED: Final = 4 * STAY
"""The index of the unchanged board in the tables for each move and seat."""

EVEN: Final = sum(range(CELLS + 1))
"""Weights of leads are increased by 1, so that none is negative: then all numbers count once more."""


MAX_LEAD: Final = 18
"""Larger than any lead on the board."""

SCALE: Final = 12.0
EXPLORING: Final = 0.3

FINISH_KINDS: Final = 2
"""The number of kinds of cards that a playout considers for a move: those with the lowest values for keeping."""


SWAPS: Final = 60
"""The number of random exchanges of two hidden cards, to find hands that fit the played moves better."""


class Hidden(NamedTuple):
    """The hidden cards.

    Attributes:
        cards: The kinds of the cards that no player is known to hold.
        holders: For each of them, the hand to which it may be dealt.
        against: For each hand and kind, the number of moves that speak against the hand's having the kind.
        swaps: The number of exchanges of two of the cards.
    """

    cards: Row8
    holders: Row8
    against: Row8
    swaps: int


class Table(NamedTuple):
    """The data that are constant in all games.

    Attributes:
        seats: The number of players.
        copies: The number of cards of each kind.
        cards: For each card its bit in a hand that has it as the first of its kind, the second and so on.
        numbers: The numbers on the board, in order.
        swaps: For each move the number that it exchanges with the one in the centre, or 0.
        barred: For each number in the centre the move that would exchange it with itself.
        begins: For each move the beginning of its turns.
        turns: The bits of cells whose numbers are exchanged, the distance in bits up, and the distance down for those
            that would leave these cells; three numbers for each turn, and a 0 after the last one of a move.
        fronts: For each move and seat, the weights that give the seat's score after the move.
        columns: For each move the bits of a hand for the kind of card that makes it.
        leads: With two players, the weights that give a seat's lead after the move, plus `EVEN`.
        keeping: For each move and seat the value of keeping its card.
        sizes: For each set of kinds the number of moves of its cards, including those in `barred`.
        picks: These moves; the part of each set has the length of all moves.
        weakest: For each set of kinds, twice, and each seat of two, the kinds with the lowest values for keeping.
        counts, skips: For each set of kinds, 16 times, and number in the centre, the number of legal moves, and the
            index of the one in `barred`.
    """

    seats: int
    copies: int
    cards: Row
    numbers: Row8
    swaps: Row8
    barred: Row8
    begins: Row8
    turns: Row
    fronts: Row
    leads: Row
    columns: Row
    keeping: Row8
    sizes: Row8
    picks: Row8
    weakest: Row16
    counts: Row16
    skips: Row8


def length(table: Table) -> int:
    """Return the length of the row of a position."""
    return LENGTH


def changing(table: Table) -> int:
    """Return how many numbers at the beginning of the row moves can change."""
    return BOX


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Shuffle the cards and the numbers; the scores determine the starting player."""
    size, seats = A_KIND * table.copies, table.seats
    copy(s, CARDS, table.cards, 0, size)
    shuffle(dice, s, CARDS, size)
    box, at = (1 << size) - 1, CARDS
    for hand in range(seats):
        in_hand = 0
        for place in range(at, at + ROUNDS):
            in_hand |= s[place]
        # The remaining cards stay in the box.
        box ^= in_hand
        at += ROUNDS
        s[HANDS + hand] = lower_bits(in_hand, table.copies)
        s[ORDER + hand] = hand
    s[BOX] = lower_bits(box, table.copies)
    copy(s, CARDS, table.numbers, 0, CELLS)
    shuffle(dice, s, CARDS, CELLS)
    board = 0
    # From the last cell to the first, so that a1 is in the lowest bits.
    for place in range(CARDS + CELLS - 1, CARDS - 1, -1):
        board = board << LANE | s[place]
    s[NUMBERS], s[ROUNDS_LEFT] = board, ROUNDS
    begin_round(table, s)


def lower_bits(cards: int, copies: int) -> int:
    """Return a hand of cards with a bit each, with the bits of each kind filled from the lowest."""
    for _ in range(copies - 1):
        # A bit moves down by one copy if the bit below is free; after this number of passes no bit can move.
        gaps = cards >> A_KIND & ~cards
        cards ^= gaps | gaps << A_KIND
    return cards


def with_card(hand: int, kind: int) -> int:
    """Return a hand with one more card of a kind."""
    return hand | (hand & EVERY_COPY << kind) << A_KIND | 1 << kind


def begin_round(table: Table, s: Row) -> None:
    """Sort the seats by their scores, the highest first; ties keep their previous order."""
    board, fronts, behind, end = s[NUMBERS], table.fronts, ORDER + 1, ORDER + table.seats
    # Insertion sort, which is stable: only a lower score moves back.
    while behind < end:
        before, seat, place = s[behind - 1], s[behind], behind
        score = board * fronts[UNCHANGED + seat] >> LAST & NUMBER
        while board * fronts[UNCHANGED + before] >> LAST & NUMBER < score:
            s[place] = before
            place -= 1
            if place == ORDER:
                break
            before = s[place - 1]
        if place < behind:
            s[place] = seat
        behind += 1
    s[TURN], s[SEAT] = 0, s[ORDER]


def over(table: Table, s: Row) -> int:
    """Return 0 if all cards are played, else -1."""
    return -1 if s[ROUNDS_LEFT] else 0


def legal(table: Table, s: Row, moves: Row) -> int:
    """Fill `moves` with the moves of the cards in hand, and return their number.

    Cards of one kind have the same moves.
    """
    kinds, count = s[HANDS + s[SEAT]] & EVERY_KIND, 0
    barred = table.barred[s[NUMBERS] >> MIDDLE & NUMBER]
    for at in range(kinds * MOST_MOVES, kinds * MOST_MOVES + table.sizes[kinds]):
        move = table.picks[at]
        if move != barred:
            moves[count] = move
            count += 1
    return count


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Return a random legal move without listing the moves."""
    kinds = s[HANDS + s[SEAT]] & EVERY_KIND
    # Tables by kinds in hand and number in the centre have 16 entries for each set of kinds.
    there = kinds << 4 | s[NUMBERS] >> MIDDLE & NUMBER
    number = below(dice, table.counts[there])
    if number >= table.skips[there]:
        number += 1
    return table.picks[kinds * MOST_MOVES + number]


def legal_move(table: Table, board: int, kinds: int, number: int) -> int:
    """Return the legal move of this number with cards of these kinds."""
    if number >= table.skips[kinds << 4 | board >> MIDDLE & NUMBER]:
        number += 1
    return table.picks[kinds * MOST_MOVES + number]


def swap_with_centre(board: int, number: int) -> int:
    """Return the board after a number was exchanged with the one in the centre."""
    # The difference is 0 in the number's lane; adding 31 to any other sets the sixth bit without a carry.
    lane = (~((board ^ number * _ONES) + _FULL) & _CARRIES) >> LANE - 1
    # The number in the centre moves to that lane and the other to the centre: one product makes both changes.
    return board + ((board >> MIDDLE & NUMBER) - number) * (lane - (1 << MIDDLE))


def packed_after(table: Table, board: int, move: int) -> int:
    """Return the board after a legal move."""
    number = table.swaps[move]
    if number:
        return swap_with_centre(board, number)
    turns, at = table.turns, table.begins[move]
    cells = turns[at]
    while cells:
        # Numbers move up or down by the same distance; `& cells` removes the results of the wrong shift.
        moved = board & cells
        board ^= moved ^ (moved << turns[at + 1] | moved >> turns[at + 2]) & cells
        at += 3
        cells = turns[at]
    return board


def play(table: Table, s: Row, move: int) -> None:
    """Rearrange the board and discard the card.

    After every player's card, begin a new round in the order of the scores.
    """
    hand, turn = HANDS + s[SEAT], s[TURN] + 1
    s[NUMBERS] = packed_after(table, s[NUMBERS], move)
    cards = s[hand]
    copies = cards & table.columns[move]
    # `copies` are the bits of one kind, filled from below: 011. Combined with itself shifted down, 001, this isolates
    # its highest bit, 010, which is cleared.
    s[hand] = cards ^ copies ^ copies >> A_KIND
    if turn == table.seats:
        s[ROUNDS_LEFT] -= 1
        begin_round(table, s)
    else:
        s[TURN], s[SEAT] = turn, s[ORDER + turn]


def scores(table: Table, s: Row, points: Row) -> None:
    """Write each seat's sum of the three numbers in front of it."""
    for seat in range(table.seats):
        points[seat] = s[NUMBERS] * table.fronts[UNCHANGED + seat] >> LAST & NUMBER


def lead_after(table: Table, board: int, move: int, seat: int) -> int:
    """Return a seat's lead over its best opponent after a move."""
    number, at, fronts = table.swaps[move], 4 * move, table.fronts
    if number:
        board, at = swap_with_centre(board, number), UNCHANGED
    best = 0
    # Each move has four entries, one for each seat.
    for other in range(at, at + table.seats):
        if other != at + seat:
            best = max(best, board * fronts[other] >> LAST & NUMBER)
    return (board * fronts[at + seat] >> LAST & NUMBER) - best


def rate_moves(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the legal moves and `priorities` with their heuristic values; return the number of moves.

    The values are those of the heuristic without playouts of the last rounds.
    """
    return rate_kinds(table, s, s[HANDS + s[SEAT]] & EVERY_KIND, moves, priorities)


def rate_kinds(table: Table, s: Row, kinds: int, moves: Row, priorities: Row) -> int:
    """Fill `moves` and `priorities` like `rate_moves`, for the moves with cards of these kinds."""
    board, seat, is_last, seats, count = s[NUMBERS], s[SEAT], s[ROUNDS_LEFT] == 1, table.seats, 0
    swaps, leads, fronts, keeping = table.swaps, table.leads, table.fronts, table.keeping
    picks, barred = table.picks, table.barred[board >> MIDDLE & NUMBER]
    for pick in range(kinds * MOST_MOVES, kinds * MOST_MOVES + table.sizes[kinds]):
        move = picks[pick]
        if move == barred:
            continue
        # The new position of a swapped number depends on the board: compute the board after it. For other moves, the
        # board stays unchanged: their weights (`fronts`, `leads`) refer to the cells from which the numbers come.
        after, at, number = board, 4 * move, swaps[move]
        if number:
            after, at = swap_with_centre(board, number), UNCHANGED
        if seats == 2:
            lead = (after * leads[at + seat] >> LAST & NUMBER) - EVEN
            # The last card counts by its lead; before, being three points behind is best, and strong cards are kept.
            priority = lead if is_last else -abs(lead + BEHIND) - keeping[4 * move + seat]
        else:
            own, most, least = after * fronts[at + seat] >> LAST & NUMBER, 0, NUMBER
            for other in range(at, at + seats):
                if other != at + seat:
                    front = after * fronts[other] >> LAST & NUMBER
                    if front > most:
                        most = front
                    if front < least:
                        least = front
            priority = own - most
            if not is_last:
                priority = min(priority + BEHIND, 0) - LOWEST * max(own - least, 0) - keeping[4 * move + seat]
        moves[count], priorities[count] = move, priority
        count += 1
    return count


def greedy_move(table: Table, s: Row, moves: Row, priorities: Row, dice: Seeds) -> int:
    """Return the greedy player's move, ties broken at random."""
    return greedy_with(table, s, moves, priorities, 0, dice)


def greedy_with(table: Table, s: Row, moves: Row, priorities: Row, other: int, dice: Seeds) -> int:
    """Return the greedy player's move with another generator for the playouts of the last rounds; 0 is its own."""
    count = rate_moves(table, s, moves, priorities)
    # Two players know each other's hands, and need no playouts.
    if table.seats > 2 and s[ROUNDS_LEFT] <= LAST_ROUNDS:
        rate_by_playouts(table, s, moves, priorities, count, other, dice)
    return moves[below(dice, keep_best(moves, priorities, count))]


def last_lead(table: Table, s: Row) -> int:
    """Return the best lead after the last card of each player."""
    if s[ROUNDS_LEFT] > 1:
        return UNDECIDED
    board, seat = s[NUMBERS], s[SEAT]
    kinds = s[HANDS + seat] & EVERY_KIND
    if s[TURN]:
        # The last card of the game.
        return lead_with(table, board, kinds, seat)
    others, most = s[HANDS + 1 - seat] & EVERY_KIND, -EVEN
    picks, barred = table.picks, table.barred[board >> MIDDLE & NUMBER]
    for pick in range(kinds * MOST_MOVES, kinds * MOST_MOVES + table.sizes[kinds]):
        move = picks[pick]
        if move != barred:
            most = max(most, -lead_with(table, packed_after(table, board, move), others, 1 - seat))
    return most


def lead_with(table: Table, board: int, kinds: int, seat: int) -> int:
    """Return a seat's best lead after a move with cards of these kinds, computed without making moves, except swaps."""
    # Leads are increased by `EVEN` here: all of them exceed 0.
    most, swaps, leads, picks = 0, table.swaps, table.leads, table.picks
    barred = table.barred[board >> MIDDLE & NUMBER]
    for pick in range(kinds * MOST_MOVES, kinds * MOST_MOVES + table.sizes[kinds]):
        move = picks[pick]
        number = swaps[move]
        if number == 0:
            lead = board * leads[4 * move + seat] >> LAST & NUMBER
        elif move == barred:
            continue
        else:
            lead = swap_with_centre(board, number) * leads[UNCHANGED + seat] >> LAST & NUMBER
        if lead > most:
            most = lead
    return most - EVEN


@not_inlined
def rate_by_playouts(table: Table, s: Row, moves: Row, priorities: Row, count: int, other: int, dice: Seeds) -> None:
    """Evaluate `count` moves by playouts to the end of the game, with the heuristic's own generator or another."""
    seat = s[SEAT]
    for place in range(count):
        # The heuristic's value, share + lead / 1000, times 1000 * WIN * TRIES, as an integer: the current lead, plus up
        # to 1000 for each part of a game that is won.
        priorities[place] = WIN * TRIES * lead_after(table, s[NUMBERS], moves[place], seat)
    for place in range(BOX):
        s[BACKUP + place] = s[place]
    hidden = hidden_cards(table, s)
    # Generators fork from their seed: it is the heuristic's during the playouts, and is restored at the end.
    before, seed = dice[0], dice[1]
    # The generator from which the heuristic forks in this position, or another one.
    dice[1] = seed_of(s, hidden) ^ other
    for number in range(TRIES):
        for at in range(hidden):
            s[DRAW_ROOM + at] = s[CARDS + at]
        fork(dice, number)
        shuffle(dice, s, DRAW_ROOM, hidden)
        # Every move of this try continues from here, with the same generator.
        dice_state = dice[0]
        for at in range(BOX):
            s[at] = s[BACKUP + at]
        draw_hands(table, s, seat)
        # The sampled hands are saved, and restored before each move.
        for hand in range(BOX - HANDS):
            s[TRIAL_HANDS + hand] = s[HANDS + hand]
        for place in range(count):
            for at in range(HANDS):
                s[at] = s[BACKUP + at]
            for hand in range(BOX - HANDS):
                s[HANDS + hand] = s[TRIAL_HANDS + hand]
            dice[0] = dice_state
            finish_trial(table, s, seat, moves[place], dice)
            priorities[place] += 1000 * win_share(table, s, seat)
    for place in range(BOX):
        s[place] = s[BACKUP + place]
    dice[0], dice[1] = before, seed


def win_share(table: Table, s: Row, seat: int) -> int:
    """Return a seat's share of `WIN` in a finished game."""
    best, leaders = 0, 0
    for one in range(table.seats):
        score = s[NUMBERS] * table.fronts[UNCHANGED + one] >> LAST & NUMBER
        if score > best:
            best, leaders = score, 0
        leaders += 1 if score == best else 0
    own = s[NUMBERS] * table.fronts[UNCHANGED + seat] >> LAST & NUMBER
    return WIN // leaders if own == best else 0


def hidden_cards(table: Table, s: Row) -> int:
    """Write the cards that are hidden from the player to move to the part `CARDS`, and return their number."""
    size = 0
    for number in range(table.copies):
        # This number of the kind is in the player's hand or was played; the other copies are hidden.
        for kind in range(A_KIND):
            # In the order of `MatrixState.unseen`, so that the same random draws deal the same hands as in the
            # heuristic.
            seen = table.copies - copies_of(s[BOX], kind)
            for hand in range(HANDS, HANDS + table.seats):
                if hand != HANDS + s[SEAT]:
                    seen -= copies_of(s[hand], kind)
            if number >= seen:
                s[CARDS + size] = kind
                size += 1
    return size


def copies_of(hand: int, kind: int) -> int:
    """Return the number of cards of a kind in a hand."""
    count, bits = 0, hand >> kind
    while bits & 1:
        count += 1
        bits >>= A_KIND
    return count


def seed_of(s: Row, hidden: int) -> int:
    """Return the seed of the generator for playouts: the digits of the relevant parts of the position."""
    seed = 0
    for cell in range(CELLS):
        seed = 10 * seed + (s[NUMBERS] >> LANE * cell & NUMBER)
    # The digits in sequence, as in `heuristic._share`: the number of cards has at most two digits.
    return (10 * seed + s[SEAT]) * (100 if hidden >= 10 else 10) + hidden


def draw_hands(table: Table, s: Row, seat: int) -> None:
    """Deal the cards in `DRAW_ROOM` to all other players, with the sizes of their hands."""
    taken = DRAW_ROOM
    for other in range(table.seats):
        if other != seat:
            left, hand = s[HANDS + other], 0
            # The readable rules list the moves of the card drawn first before those of the other card.
            s[FIRST + other] = s[taken]
            while left:
                left &= left - 1
                hand = with_card(hand, s[taken])
                taken += 1
            s[HANDS + other] = hand


def finish_trial(table: Table, s: Row, seat: int, move: int, dice: Seeds) -> None:
    """Play out a game of at most two rounds after a move: the seat plays its last card well, the others randomly."""
    while True:
        play(table, s, move)
        if s[ROUNDS_LEFT] == 0:
            break
        board, mover = s[NUMBERS], s[SEAT]
        kinds = s[HANDS + mover] & EVERY_KIND
        count = table.counts[kinds << 4 | board >> MIDDLE & NUMBER]
        if mover == seat:
            # Below any lead: points are sums of three numbers, at most 24.
            most = -NUMBER
            for number in range(count):
                other = legal_move(table, board, kinds, number)
                lead = lead_after(table, board, other, seat)
                if lead > most:
                    most, move = lead, other
        else:
            number = below(dice, count)
            lower = kinds & (1 << s[FIRST + mover]) - 1
            if lower and kinds != lower:  # the moves of the card drawn first come first
                # Moves are listed by kind: those of the lower kind come first. Skip them, and count them at the end.
                number += table.counts[lower << 4 | board >> MIDDLE & NUMBER]
                number -= count if number >= count else 0
            move = legal_move(table, board, kinds, number)


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Deal the hidden cards, and exchange some to find hands that fit the played moves better."""
    cards, holders, against, size = hidden.cards, hidden.holders, hidden.against, len(hidden.cards)
    for place in range(size):
        s[CARDS + place] = cards[place]
    shuffle(dice, s, CARDS, size)
    for _ in range(hidden.swaps):
        one, other = below(dice, size), below(dice, size)
        first, second = s[CARDS + one], s[CARDS + other]
        here, there = A_KIND * holders[one], A_KIND * holders[other]
        # Keep exchanges that do not increase the number of moves against the two hands: a random walk towards hands
        # that fit the played moves.
        if against[here + second] + against[there + first] <= against[here + first] + against[there + second]:
            s[CARDS + one], s[CARDS + other] = second, first
    for place in range(size):
        hand = HANDS + holders[place]
        s[hand] = with_card(s[hand], s[CARDS + place])


def finish(table: Table, s: Row, moves: Row, priorities: Row, dice: Seeds) -> None:
    """Play out the game.

    Two players keep the most valuable cards, and play the others by the heuristic; more players are greedy. The
    generator of their playouts is unknown.
    """
    while s[ROUNDS_LEFT]:
        if table.seats > 2:
            move = greedy_with(table, s, moves, priorities, below(dice, 1 << 31), dice)
        else:
            kinds = s[HANDS + s[SEAT]] & EVERY_KIND
            if s[ROUNDS_LEFT] > 1:
                kinds = table.weakest[kinds << 1 | s[SEAT]] & EVERY_KIND
            found = keep_best(moves, priorities, rate_kinds(table, s, kinds, moves, priorities))
            move = moves[below(dice, found) if found > 1 else 0]
        play(table, s, move)


# --- never compiled ---


def games(source: DeckSource, players: Sequence[str], options: Mapping[str, object]) -> CoreGames[Table] | None:
    """Prepare games of two to four players, with both kinds of rotation."""
    seats, rotate = len(players), options.get("rotate", ROTATIONS[0])
    if source != FixedDecks(()) or seats not in COPIES or rotate not in ROTATIONS:
        return None
    return CoreGames(table_of(seats, str(rotate)), no_pool(seats), MOVES.__getitem__, seats * ROUNDS)


def world(view: MatrixState) -> CoreWorld[Table, Hidden] | None:
    """Prepare playouts from the view of a seat that knows its own hand."""
    seat = view.to_move
    view = view.view(seat)
    if None in view.hands[seat]:
        return None
    table, unseen = table_of(len(view.hands), view.setup.rotate), view.unseen(seat)
    known = [kind for other, hand in enumerate(view.hands) if other != seat for kind in hand if kind is not None]
    cards = without(unseen[0].cards or (), known) if unseen else ()
    holders = [other for other, hand in enumerate(view.hands) for kind in hand if kind is None]
    against = against_holding(table, view) if holders else []
    hidden = Hidden(
        [PLACES[kind] for kind in cards],
        holders + [BOX - HANDS] * (len(cards) - len(holders)),
        against,
        SWAPS if any(against) else 0,
    )
    numbers = {text: move for move, text in enumerate(MOVES) if text in view.legal_moves()}
    # A tree in which all others find the best reply to hands that they cannot see would be misleading.
    depth = sum(map(len, view.hands)) if table.seats == 2 else 1
    return CoreWorld(table, table.seats, row_of(table, view), hidden, numbers, MOST_MOVES, depth)


def position(state: MatrixState) -> Position[Table]:
    """Return the position to be solved, with all hands known."""
    table = table_of(len(state.hands), state.setup.rotate)
    return Position(table, row_of(table, state), sum(map(len, state.hands)))


def reach(state: MatrixState) -> tuple[int, int]:
    """Return bounds of the value from the nine numbers: 7, 8 and 9 against 1, 2 and 3."""
    return -MAX_LEAD, MAX_LEAD


def row_of(table: Table, state: MatrixState) -> Row:
    """Return the row of a position, without unknown cards."""
    s, order = [0] * LENGTH, state.order
    s[SEAT], s[TURN], s[ROUNDS_LEFT] = state.to_move, order.index(state.to_move), len(state.hands[state.to_move])
    s[NUMBERS] = pack(state.board)
    s[ORDER : ORDER + len(order)] = order
    for seat, cards in enumerate(state.hands):
        hand = 0
        for kind in cards:
            if kind is not None:
                hand = with_card(hand, PLACES[kind])
        s[HANDS + seat] = hand
    return s


def pack(board: Numbers) -> int:
    """Return a board as one number."""
    code = 0
    for number in reversed(board):
        code = code << LANE | number
    return code


def against_holding(table: Table, view: MatrixState) -> Row:
    """Return for each hand and kind the number of the seat's moves that speak against its having one.

    A card of that kind would have had a higher heuristic value. The last rounds, for which greedy players use playouts,
    do not count.
    """
    against, left = [0] * (A_KIND * (BOX + 1 - HANDS)), [len(hand) for hand in view.hands]
    s, moves, priorities = [0] * LENGTH, [0] * MOST_MOVES, [0] * MOST_MOVES
    for seat, board, move in reversed(view.past):
        left[seat] += 1
        if seat == view.to_move or left[seat] <= LAST_ROUNDS:
            continue
        s[SEAT], s[NUMBERS], s[ROUNDS_LEFT], s[HANDS + seat] = seat, pack(board), left[seat], EVERY_KIND
        count = rate_moves(table, s, moves, priorities)
        value = priorities[moves.index(MOVES.index(move), 0, count)]
        better = {KIND_OF[MOVES[moves[place]]] for place in range(count) if priorities[place] > value}
        for kind in better:
            against[A_KIND * seat + PLACES[kind]] += 1
    return against


@cache
def table_of(seats: int, rotate: str) -> Table:
    """Return the table for a number of seats, with this kind of rotation."""
    sides = AROUND_THE_TABLE[seats]
    swaps = [int(move.rpartition(" ")[2]) if move.startswith("swap-") else 0 for move in MOVES]
    sources = [
        tuple(range(CELLS)) if number else board_after(tuple(range(CELLS)), move, rotate)
        for move, number in zip(MOVES, swaps, strict=True)
    ]
    turns = [_turns(source) for source in sources]
    begins = list(accumulate(map(len, turns), initial=0))
    fronts = [weight for source in (*sources, tuple(range(CELLS))) for weight in _fronts(source, seats)]
    keeping = [
        KEEPING * (WORTH[sides[seat]].get(KIND_OF[move], 0) if seat < seats else 0)
        for move in MOVES
        for seat in range(4)
    ]
    kinds = [PLACES[KIND_OF[move]] for move in MOVES]
    picks = [
        [move for move, kind in enumerate(kinds) if kinds_in_hand >> kind & 1]
        for kinds_in_hand in range(EVERY_KIND + 1)
    ]
    barred = [swaps.index(number) if number in swaps[1:] and number else STAY for number in range(16)]
    skips = [row.index(move) if move in row else STAY for row in picks for move in barred]
    order = [sorted(range(A_KIND), key=lambda kind: WORTH[side].get(KINDS[kind], 0)) for side in sides[:2]]
    return Table(
        seats=seats,
        copies=COPIES[seats],
        cards=[1 << card for card in range(A_KIND * COPIES[seats])],
        numbers=list(range(1, CELLS + 1)),
        swaps=swaps,
        barred=barred,
        begins=begins,
        turns=[number for row in turns for number in row],
        fronts=fronts,
        # The own weights minus the opponent's, for two seats, increased by one so that none is negative: every number
        # then counts once more, which adds `EVEN`.
        leads=[fronts[at] - fronts[at ^ 1] + _ONES if at % 4 < seats else 0 for at in range(len(fronts))],
        columns=[EVERY_COPY << kind for kind in kinds],
        keeping=keeping,
        sizes=list(map(len, picks)),
        picks=[move for row in picks for move in (*row, *[0] * (MOST_MOVES - len(row)))],
        weakest=[
            sum(islice((1 << kind for kind in row if kinds_in_hand >> kind & 1), FINISH_KINDS))
            for kinds_in_hand in range(EVERY_KIND + 1)
            for row in order
        ],
        counts=[len(row) - (move in row) for row in picks for move in barred],
        skips=skips,
    )


def _turns(source: tuple[int, ...]) -> Row:
    """Return turns that bring each cell the number of its source: see `Table.turns`."""
    now, found = list(range(CELLS)), list[int]()
    while now != list(source):
        turned = dict[tuple[int, int], set[int]]()
        for cell in range(CELLS):
            cycle = [cell]
            while (before := now.index(source[cycle[-1]])) != cell:
                cycle.append(before)
            ways = {after - before for after, before in zip(cycle, (*cycle[1:], cell), strict=True)}
            if len(ways) > 2:  # a cell has its number once it was exchanged with the source
                cycle = cycle[:2]
                ways = {cycle[0] - cycle[1], cycle[1] - cycle[0]}
            cells = turned.setdefault((max(ways), -min(ways)), set())
            if _turn_alone({*cells, *cycle}, max(ways), -min(ways)):
                cells |= {*cycle}
        turned.pop((0, 0), None)
        (up, down), cells = max(turned.items(), key=lambda one: len(one[1]))
        now = [
            now[cell - up if cell - up in cells else cell + down] if cell in cells else now[cell]
            for cell in range(CELLS)
        ]
        found += sum(NUMBER << LANE * cell for cell in cells), LANE * up, LANE * down
    return [*found, 0]


def _turn_alone(cells: set[int], up: int, down: int) -> bool:
    """Return whether all numbers of some cells stay among them if they move up, or down, by these distances."""
    return all((cell - up in cells) != (cell + down in cells) for cell in cells)


def _fronts(source: tuple[int, ...], seats: int) -> list[int]:
    """Return for each of four seats the weights of the three cells whose numbers are in front of it after a move."""
    weights = [0] * 4
    for cell, there in enumerate(source):
        for seat, counts in enumerate(board_scores(tuple([one == cell for one in range(CELLS)]), seats)):
            weights[seat] += counts << LANE * (CELLS - 1 - there)
    return weights
