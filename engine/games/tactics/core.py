"""The core of the tactics game: its rules on an integer array, for fast play (`engine.rows.core`).

The sides of a card are four lanes of eight bits, so that all four are compared at once. In a hand or a deck they are
upright, in the order of processing; on a cell they are those at the top, right, bottom and left of the table. For a
card on a cell, only its sides and its owner matter:

    bits        32 and up     24..31   16..23   8..15   0..7
    in a hand   its label     left     bottom   right   top
    on a cell   seat and 1    left     bottom   right   top      0 for an open cell, and beyond the rim

A move is 16 times the label, plus the cell. A condition on a side is bit 7 of its lane.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from ccgrid.catalog.card import HIGHEST, LOWEST, Card
from ccgrid.engine.cards import sorted_by_name
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.game import Unseen
from ccgrid.engine.games.four_sides import SIDES, Numbers, sides
from ccgrid.engine.games.tactics.decks import SIZES as DECK_SIZES
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.games.tactics.rules import EMPTY, HAND_SIZE, TABLES, TacticsState, rotate_sides
from ccgrid.engine.rows.core import SEAT, CoreGames, CoreWorld, Position
from ccgrid.engine.rows.dealing import (
    RANDOM_DECKS,
    Labels,
    SeatDecks,
    below,
    make_pool,
    resolve_decks,
    shuffle,
    shuffle_order,
)
from ccgrid.engine.rows.row import Row, Row8, Row32, Seeds, copy

OPTIONS: Final = frozenset[str]()
ENDINGS: Final = ("board-full", "no-cards")
SEATS: Final = tuple(TABLES)
MOST_MOVES: Final = HAND_SIZE * 16
SCALE: Final = 10.0
EXPLORING: Final = 0.25

# The row of a position:
#
#     0     1     2..5        6..9  10..21  22..37  38   39..42    43..46  47 and on
#     SEAT  OPEN  HAND_COUNT  NEXT  HANDS   CELLS   rim  CAPTURES  SIZES   buffers, and the decks
#
# OPEN counts the open cells, and NEXT is the index of a seat's next card in its deck. The rim is a cell that is always
# empty, so that every side of every cell has a neighbour. No move changes the numbers after CAPTURES: SIZES, the number
# of cards in each deck, buffers for the KINDS in hand and the FREE cells, and the decks.
OPEN: Final = 1
HAND_COUNT: Final = 2
NEXT: Final = 6
HANDS: Final = 10
CELLS: Final = HANDS + 4 * HAND_SIZE
# After the cells of the larger board, which has 16.
RIM: Final = 16
CAPTURES: Final = CELLS + RIM + 1
SIZES: Final = CAPTURES + 4
KINDS: Final = SIZES + 4
FREE: Final = KINDS + HAND_SIZE
DECKS: Final = FREE + 16

LABEL: Final = 32
SIDE: Final = 8
_SIDES: Final = (1 << LABEL) - 1
# Lanes of eight bits: 1 in each, bit 7 of each, and the highest number in each.
_ONES: Final = 0x01010101
_TRUE: Final = 0x80808080
_HIGHEST: Final = HIGHEST * _ONES


class Table(NamedTuple):
    """The data that are constant in all games.

    Attributes:
        seats: The number of players.
        longest: The number of cards in the longest deck.
        around: For each cell the neighbours at its top, right, bottom and left, `RIM` for none.
        worth: The points for holding each cell.
        gains: For each cell and orientation of a card on it, in lanes, the points gained by capturing the card at each
            side.
        turns: For each seat, the orientation of its cards in quarter turns clockwise.
        alphabet: The cells in the order in which moves are listed.
        by_label: Nonzero if moves are listed by label, 0 if in the order of drawing.
        faces: For each card of the pool its sides, upright.
        ranks: For each label of the pool its number here: labels are sorted like moves.
    """

    seats: int
    longest: int
    around: Row8
    worth: Row8
    gains: Row
    turns: Row8
    alphabet: Row8
    by_label: int
    faces: Row32
    ranks: Row32


class Hidden(NamedTuple):
    """The candidates for hidden cards: for each group of hidden positions, the decks, or their remaining cards.

    Attributes:
        places: The indices of the hidden cards in the row of a position.
        groups: For each group the beginning and end of its part of `places`, and of its decks.
        decks: The cards of all these decks.
        bounds: The beginning of each deck in `decks`, and the end of the last one.
        deck: A buffer for the cards of one deck.
    """

    places: Row
    groups: Row
    decks: Row
    bounds: Row
    deck: Row


def length(table: Table) -> int:
    """Return the length of the row of a position."""
    return DECKS + table.seats * table.longest


def changing(table: Table) -> int:
    """Return how many numbers at the beginning of the row moves can change."""
    return SIZES


def deciding(table: Table) -> int:
    """Return the number of leading numbers that affect the rest of the game: all except the counts of captures."""
    return CAPTURES


def settled_lead(table: Table, s: Row) -> int:
    """Return the first seat's captures minus the second's."""
    return s[CAPTURES] - s[CAPTURES + 1]


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Shuffle each player's deck and deal three cards to every hand."""
    for place in range(SIZES):
        s[place] = 0
    s[OPEN] = len(table.worth)
    for seat in range(table.seats):
        shuffle_order(seat_decks, seat, dice)
        size, deck = seat_decks.size[seat], DECKS + seat * table.longest
        for place in range(size):
            there = seat * seat_decks.longest + seat_decks.order[place]
            s[deck + place] = table.ranks[seat_decks.labels[there]] << LABEL | table.faces[seat_decks.cards[there]]
        for place in range(HAND_SIZE):
            # The top three cards; NEXT is the index of the next one.
            s[HANDS + HAND_SIZE * seat + place] = s[deck + place]
        s[HAND_COUNT + seat] = s[NEXT + seat] = HAND_SIZE
        s[SIZES + seat] = size
    s[SEAT] = first if first >= 0 else below(dice, table.seats)


def over(table: Table, s: Row) -> int:
    """Return 0 if no cell is open or all hands are empty, else -1."""
    if s[OPEN] == 0:
        return 0
    return -1 if s[HAND_COUNT + s[SEAT]] else 1


def facing(table: Table, s: Row, cell: int) -> tuple[int, int, int]:
    """Return what a card of the player to move would face on a cell, in lanes.

    Returns:
        Whether each neighbour is another player's card, the number that it shows, and whether it is an open cell.
    """
    # `side` is the side of the table that the card's top faces; it advances with the lanes.
    own, side, around = s[SEAT] + 1, table.turns[s[SEAT]], table.around
    others, opposing, free = 0, 0, 0
    for lane in range(0, 4 * SIDE, SIDE):
        place = around[4 * cell + side]
        there = s[CELLS + place]
        if there == 0:
            if place != RIM:
                free |= 128 << lane
        elif there >> LABEL != own:
            # A neighbour faces the card with the opposite side: 0 and 2, 1 and 3.
            others |= 128 << lane
            # Numbers are at most 10: four bits.
            opposing |= (there >> SIDE * (side ^ 2) & 15) << lane
        side = (side + 1) & 3
    return others, opposing, free


def captured_lanes(card: int, others: int, opposing: int) -> int:
    """Return at which sides a card captures, in lanes: in order, until it faces a higher number."""
    # 128 + own - opposing in each lane: no lane borrows, and bit 7 remains set if own is not lower. With 1 subtracted,
    # it remains set if own is higher. `less & -less` is the first side with a lower number; only the sides before it
    # are processed.
    compared = (card | _TRUE) - opposing
    less = ~compared & others
    return (compared - _ONES) & others & ((less & -less) - 1)


def kinds_in_hand(table: Table, s: Row) -> int:
    """Write the different cards in the hand of the player to move to the part `KINDS`, and return their number."""
    hand, kinds = HANDS + HAND_SIZE * s[SEAT], 0
    for place in range(hand, hand + s[HAND_COUNT + s[SEAT]]):
        card, at = s[place], KINDS + kinds
        for other in range(KINDS, KINDS + kinds):
            # A copy has the same moves as the first card.
            if s[other] == card:
                at = 0
        if at:
            # In a search, moves have no names to sort by: they keep the order of drawing.
            while table.by_label and at > KINDS and s[at - 1] > card:
                s[at] = s[at - 1]
                at -= 1
            s[at] = card
            kinds += 1
    return kinds


def open_cells(table: Table, s: Row) -> int:
    """Write the open cells to the part `FREE`, and return their number."""
    count, alphabet = 0, table.alphabet
    for place in range(len(alphabet)):
        cell = alphabet[place]
        if s[CELLS + cell] == 0:
            s[FREE + count] = cell
            count += 1
    return count


def legal(table: Table, s: Row, moves: Row) -> int:
    """Fill `moves` with every card in hand on every open cell, and return their number.

    Copies of a card make one move.
    """
    kinds, cells, count = kinds_in_hand(table, s), open_cells(table, s), 0
    for kind in range(KINDS, KINDS + kinds):
        label = s[kind] >> LABEL << 4
        for free in range(FREE, FREE + cells):
            moves[count] = label | s[free]
            count += 1
    return count


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Return a random legal move without listing the moves."""
    kinds, cells = kinds_in_hand(table, s), open_cells(table, s)
    number = below(dice, kinds * cells)
    # Kind by kind, each on all open cells: the order of `legal`.
    return s[KINDS + number // cells] >> LABEL << 4 | s[FREE + number % cells]


def rate_moves(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the legal moves and `priorities` with their values; return the number of moves.

    The value is the points gained and captured, minus the risk at the weakest exposed side.
    """
    kinds, cells, turn = kinds_in_hand(table, s), open_cells(table, s), table.turns[s[SEAT]]
    worths, gains = table.worth, table.gains
    for place in range(cells):
        cell = s[FREE + place]
        others, opposing, free = facing(table, s, cell)
        worth, gain = worths[cell], gains[4 * cell + turn]
        for kind in range(kinds):
            card = s[KINDS + kind]
            taken, at = captured_lanes(card, others, opposing) if others else 0, kind * cells + place
            priority, at_risk = 10 * worth, taken | free
            if taken:
                # 255 passes the gain of each captured lane; multiplication by `_ONES` adds all four lanes up in the
                # highest one.
                priority += 10 * (((taken >> 7) * 255 & gain) * _ONES >> 24 & 255)  # the sum of the lanes
            if at_risk:
                # A one in the lowest bit of a lane, times 255, sets all bits of the lane, which passes its number.
                risk = (at_risk >> 7) * 255 & (_HIGHEST - (card & _SIDES))
                # The largest of four lanes is the weakest exposed side, next to an open or emptied cell.
                priority -= (1 + worth) * max(risk & 255, risk >> 8 & 255, risk >> 16 & 255, risk >> 24)
            moves[at], priorities[at] = card >> LABEL << 4 | cell, priority
    return kinds * cells


def play(table: Table, s: Row, move: int) -> None:
    """Place a card on a cell, capture, draw a card, and skip players without cards in hand."""
    seat, cell = s[SEAT], move & 15
    place = HANDS + HAND_SIZE * seat
    last = place + s[HAND_COUNT + seat] - 1
    while s[place] >> LABEL != move >> 4:
        place += 1
    card = s[place]
    others, opposing, _ = facing(table, s, cell)
    taken, side = captured_lanes(card, others, opposing), table.turns[seat]
    # Quarter turns rotate the four lanes.
    turned = (card & _SIDES) << SIDE * side
    # The bits shifted out at the top are inserted at the bottom: `>> 4 * SIDE`.
    s[CELLS + cell] = (seat + 1) << LABEL | ((turned | turned >> 4 * SIDE) & _SIDES)
    while taken:
        if taken & 128:
            s[CELLS + table.around[4 * cell + side]] = 0
            s[CAPTURES + seat] += 1
            s[OPEN] += 1
        taken >>= SIDE
        side = (side + 1) & 3
    s[OPEN] -= 1
    # The others move up, and the drawn card comes last: in the order of drawing.
    for later in range(place, last):
        s[later] = s[later + 1]
    if s[NEXT + seat] < s[SIZES + seat]:
        s[last] = s[DECKS + seat * table.longest + s[NEXT + seat]]
        s[NEXT + seat] += 1
    else:
        s[last] = 0
        s[HAND_COUNT + seat] -= 1
    # Finally the same seat, if no other has cards.
    for step in range(1, table.seats + 1):
        following = (seat + step) % table.seats
        if s[HAND_COUNT + following]:
            s[SEAT] = following
            break


def scores(table: Table, s: Row, points: Row) -> None:
    """Write each seat's captures plus the points of its cells."""
    for seat in range(table.seats):
        points[seat] = s[CAPTURES + seat]
    for cell in range(len(table.worth)):
        if s[CELLS + cell]:
            points[(s[CELLS + cell] >> LABEL) - 1] += table.worth[cell]


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Sample the hidden cards: for each group, shuffle one of the decks that it may have, repeated if necessary."""
    for group in range(0, len(hidden.groups), 4):
        first, end = hidden.groups[group], hidden.groups[group + 1]
        # Several decks: the other player's faction is not known, and all that fit are equally likely.
        deck, decks = hidden.groups[group + 2], hidden.groups[group + 3] - hidden.groups[group + 2]
        if decks > 1:
            deck += below(dice, decks)
        begin = hidden.bounds[deck]
        size = hidden.bounds[deck + 1] - begin
        copy(hidden.deck, 0, hidden.decks, begin, size)
        shuffle(dice, hidden.deck, 0, size)
        # A guessed deck may be shorter than the number of hidden cards: then it is repeated.
        for place in range(end - first):
            s[hidden.places[first + place]] = hidden.deck[place % size]


# --- never compiled ---

Label = tuple[str, Numbers]
"""A card's name, and the numbers at the top, right, bottom and left of the table."""

UNKNOWN_LABEL: Final[Label] = ("", (0, 0, 0, 0))
"""The label of an unknown card."""


def games(source: DeckSource, players: Sequence[str], options: Mapping[str, object]) -> CoreGames[Table] | None:
    """Prepare games with fixed, chosen or random decks.

    Names must not contain `@`, which separates the cell in a move.
    """
    seats = len(players)
    kind, decks, longest = resolve_decks(source, seats, DECK_SIZES)
    cards = [card for deck in decks for card in deck]
    if seats not in SEATS or not cards or not all(map(_can_play, cards)):
        return None
    labels = Labels(cards, sides)
    if not labels.are_plain:
        return None
    # Sort with the `@`, like moves: "Ant #2@a1" comes before "Ant@a1".
    ranks = labels.ranks("@")
    texts = dict(zip(ranks, labels.texts, strict=True))
    cells = TABLES[seats].board.cells
    return CoreGames(
        table_of(seats, longest, by_label=True)._replace(faces=[pack(sides(card)) for card in cards], ranks=ranks),
        make_pool(kind, seats, [longest] * seats if kind == RANDOM_DECKS else list(map(len, decks)), labels),
        lambda move: f"{texts[move >> 4]}@{cells[move & 15]}",
        seats * longest,
    )


def world(view: TacticsState) -> CoreWorld[Table, Hidden] | None:
    """Prepare playouts from the view of a seat that knows its own hand.

    Of another deck, the seen cards are known, and which factions contain them: it may be any of these. If there is
    none, it is assumed to consist of the seen cards and those of the own deck.
    """
    if None in view.hand(view.to_move):
        return None
    groups = [(group.places, _candidates(view, group)) for group in view.unseen(view.to_move)]
    known, seating = _labels(view), view.table
    decks = [deck or [UNKNOWN_LABEL] for _, candidates in groups for deck in candidates]
    numbers = _label_numbers([*known, *(label for deck in decks for label in deck)])
    table = table_of(len(view.hands), max(map(len, view.setup.decks)), by_label=False)
    owners = [int(places[0].split(":")[1]) for places, candidates in groups for _ in candidates]
    after = accumulate((len(places) for places, _ in groups), initial=0)
    choices = accumulate((len(candidates) for _, candidates in groups), initial=0)
    hidden = Hidden(
        [_place(table, view, place) for places, _ in groups for place in places],
        # For each group four numbers: the beginning and end of its hidden cards, and of its decks.
        [number for row in zip(pairwise(after), pairwise(choices), strict=True) for pair in row for number in pair],
        [_card(table, numbers, label, owner) for owner, deck in zip(owners, decks, strict=True) for label in deck],
        list(accumulate(map(len, decks), initial=0)),
        [0] * max(map(len, decks), default=0),
    )
    moves = {
        f"{known[place][0]}@{seating.board.cells[cell]}": numbers[known[place]] << 4 | cell
        for place in view.hands[view.to_move]
        for cell, there in enumerate(view.grid)
        if there == EMPTY
    }
    return CoreWorld(
        table, table.seats, _row(table, view, numbers), hidden, moves, len(numbers) << 4, _cards_left(view)
    )


def position(state: TacticsState) -> Position[Table]:
    """Return the position to be solved, with all cards known."""
    table = table_of(len(state.hands), max(map(len, state.setup.decks)), by_label=False)
    return Position(table, row_of(table, state), _cards_left(state))


def row_of(table: Table, state: TacticsState) -> Row:
    """Return the row of a position with all cards known."""
    # Without hidden cards, labels are numbered in their own order.
    return _row(table, state, _label_numbers(_labels(state)))


def reach(state: TacticsState) -> tuple[int, int]:
    """Return bounds of the value: no player can hold more than all cells, or capture more than all remaining cards."""
    ahead = len(state.captured[state.to_move]) - len(state.captured[1 - state.to_move])
    most = sum(state.table.values) + len(state.grid) + _cards_left(state)
    return ahead - most, ahead + most


def _cards_left(state: TacticsState) -> int:
    """Return the number of cards in hands and decks: the maximum number of further moves."""
    return sum(map(len, state.hands)) + sum(map(state.deck_left, range(len(state.hands))))


def _labels(view: TacticsState) -> list[Label]:
    """Return the labels of all cards, in the order of `setup.cards`."""
    cards = zip(view.setup.cards, view.setup.lying, strict=True)
    return [UNKNOWN_LABEL if card is None else (card.name, lying or UNKNOWN_LABEL[1]) for card, lying in cards]


def _label_numbers(labels: Sequence[Label]) -> dict[Label, int]:
    return {label: number for number, label in enumerate(sorted(set(labels)))}


def _card(table: Table, numbers: Mapping[Label, int], label: Label, owner: int) -> int:
    """Return the encoding of a card in the hand or the deck of its owner."""
    # Labels have a card's numbers on the table; rotate them back to upright, as its owner sees it.
    return numbers[label] << LABEL | pack(rotate_sides(label[1], (4 - table.turns[owner]) % 4))


def _row(table: Table, view: TacticsState, numbers: Mapping[Label, int]) -> Row:
    """Return the row of a position, with cards without label at hidden positions."""
    s, setup, offset, known = [0] * length(table), view.setup, 0, _labels(view)
    s[SEAT], s[OPEN] = view.to_move, view.grid.count(EMPTY)
    for seat, deck in enumerate(setup.decks):
        cards = [_card(table, numbers, label, seat) for label in known[offset : offset + len(deck)]]
        s[CAPTURES + seat], s[HAND_COUNT + seat] = len(view.captured[seat]), len(view.hands[seat])
        s[NEXT + seat], s[SIZES + seat] = view.drawn[seat], len(deck)
        for number, place in enumerate(view.hands[seat]):
            s[HANDS + HAND_SIZE * seat + number] = cards[place - offset]
        s[_deck_of(table, seat) : _deck_of(table, seat) + len(deck)] = cards
        offset += len(deck)
    for cell, place in enumerate(view.grid):
        if place != EMPTY:
            s[CELLS + cell] = (setup.owners[place] + 1) << LABEL | pack(known[place][1])
    return s


def _deck_of(table: Table, seat: int) -> int:
    """Return the beginning of a seat's deck in the row of a position."""
    return DECKS + seat * table.longest


def _place(table: Table, view: TacticsState, place: str) -> int:
    """Return the index of a hidden card in the row of a position."""
    zone, owner, number = place.split(":")
    if zone == "hand":
        return HANDS + HAND_SIZE * int(owner) + int(number)
    return _deck_of(table, int(owner)) + view.drawn[int(owner)] + int(number)


def _candidates(view: TacticsState, group: Unseen[Card]) -> list[list[Label]]:
    """Return the decks, or their remaining cards, from which the hidden cards of a group may come."""
    turn = view.table.turns[int(group.places[0].split(":")[1])]
    if group.cards is not None:
        return [[_label(card, turn) for card in group.cards]]
    seen = Counter([_plain(card) for card in group.seen])
    decks = [deck for deck in _factions() if seen <= deck]
    own = sorted_by_name(view.setup.lists[view.to_move] or ())
    # A faction is likely if cards of it were seen, or if the player's own deck is a faction.
    if decks and (seen or Counter(map(_plain, own)) in _factions()):
        return [[(name, rotate_sides(numbers, turn)) for name, numbers in (deck - seen).elements()] for deck in decks]
    return [[_label(card, turn) for card in (*sorted_by_name(group.seen), *own)]]


@cache
def _factions() -> tuple[Counter[Label], ...]:
    return tuple([Counter(map(_plain, faction.cards)) for faction in FACTIONS.bundled()])


def _plain(card: Card) -> Label:
    return card.name, sides(card)


def _label(card: Card, turn: int) -> Label:
    return card.name, rotate_sides(sides(card), turn)


def table_of(seats: int, longest: int, *, by_label: bool) -> Table:
    """Return the table for a number of seats and decks of at most `longest` cards, without the cards of a pool."""
    seating = TABLES[seats]
    worth, names = seating.values, seating.board.cells
    cells = range(len(worth))
    alphabet = sorted(cells, key=names.__getitem__) if by_label else cells
    around = [RIM if other < 0 else other for row in seating.neighbours for other in row]
    # From the card's top on, in any orientation: `row[turn:]` begins at that side of the table.
    gains = [
        pack([0 if other < 0 else 1 + worth[other] for other in (*row[turn:], *row[:turn])])
        for row in seating.neighbours
        for turn in range(4)
    ]
    turns = list(seating.turns)
    return Table(seats, longest, around, list(worth), gains, turns, list(alphabet), int(by_label), [], [])


def pack(numbers: Sequence[int]) -> int:
    """Return four numbers in lanes."""
    return sum(number << SIDE * lane for lane, number in enumerate(numbers))


def _can_play(card: Card) -> bool:
    numbers = [card.zones.get(side, LOWEST - 1) for side in SIDES]
    fitting = all(LOWEST <= number <= HIGHEST for number in numbers)
    return fitting and bool(card.name.strip()) and "@" not in card.name
