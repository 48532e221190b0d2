"""The core of the grid game: its rules on a row of whole numbers, for what plays fast (`engine.rows.core`).

Each of the 40 moves has a lane of five bits. It holds 15 and the number of the card that would move, less the number
that it faces, each -1 where there is none: its highest bit is set exactly where the move is legal. Lanes never borrow
from each other, so a position is the sum of what each card adds where it lies, and to take a card, to move one and to
turn one up are four additions. Of four words the first has the lanes of moves 0, 4, 8 ..., the next those of 1, 5, 9:

    bits         9    8   7   6   5    4    3   2   1   0
    word 0     [ 4 ] . . . . . . .   [ 0 ]  . . . . . . .      the highest bits of the lanes of moves 4 and 0,
    word 1     [ 5 ] . . . . . . .   [ 1 ]  . . . . . . .      shifted down by 4 here and by 3 there:
    legal        .   7   6   5   4     .    3   2   1   0      the legal moves as bits, in their order

The number of a move is the place of its bit there.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.card import HIGHEST, LOWEST, Card
from ccgrid.catalog.card_pool import CardPool
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.cards import LARGEST_SCORE
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.grid.options import OPTIONS as DECLARED
from ccgrid.engine.games.grid.options import Options
from ccgrid.engine.games.grid.state import BOARD, DECK_SIZE, EMPTY, GRID_SIZE, MOVES, GridState
from ccgrid.engine.options import by_field_name, option_values
from ccgrid.engine.rows.core import SEAT, CoreGames, CoreWorld, Position
from ccgrid.engine.rows.dealing import SeatDecks, below, pool_without_labels, resolve_decks, shuffle, shuffle_first
from ccgrid.engine.rows.row import Row, Row8, Row32, Seeds, bit_at, count_bits, lowest_bit, write_set_bits

OPTIONS: Final = frozenset({"komi", "order", "empty-pile"})
ENDINGS: Final = ("no-captures",)
SEATS: Final = (2, 3, 4)
SCALE: Final = 40.0
EXPLORING: Final = 0.6
MOST_MOVES: Final = len(MOVES)

WORDS: Final = 4
IN_PLAIN_PYTHON: Final = {"WORDS": 1}
"""How many numbers hold the lanes. In plain Python numbers have no limit, and one of 200 bits is a third faster."""

LANE: Final = 5
# 15 + 1 is 16, the first number with bit 4: one more than equal, and the highest bit of the lane is set.
_EQUAL: Final = 15
"""The bits of a lane, and what it holds where the number that moves equals the one that it faces."""

# The row of a position:
#
#     0     1     2     3..11  12     13 and on      four      twenty, and a 0
#     SEAT  NEXT  HALF  CELLS  LEGAL  LANES, a word  POINTS    DECK
#                                     each
#
# NEXT is the place in the deck of the next card. HALF is 1 where who is to move has two moves (order 1-2-2), else 0.
# LEGAL and LANES follow from the cells; `play` updates them instead of adding all cards up again. No move changes the
# deck. The 0 behind it is no card: it is what comes up when the deck is used up.
NEXT: Final = 1
HALF: Final = 2
CELLS: Final = 3
LEGAL: Final = CELLS + GRID_SIZE
LANES: Final = LEGAL + 1
POINTS: Final = LANES + WORDS
DECK: Final = POINTS + 4

# A card; no card is 0.
#
#     bits    32 and up   0..31
#             score       the place in `Table.lanes` of what it adds to the lanes on a1, then on b1 ...
SCORE: Final = 32
PLACE: Final = (1 << SCORE) - 1


def _move_ends(move: str) -> tuple[int, int, str, str]:
    zone = BOARD.zone_towards(move[:2], move[3:]) or ""
    return BOARD.cells.index(move[:2]), BOARD.cells.index(move[3:]), zone, OPPOSITE[zone]


_ENDS: Final = tuple(map(_move_ends, MOVES))
"""Of each move the cells of the card that moves and of the card that is taken, and the zones by which they face."""


class Table(NamedTuple):
    """What stays the same in all games.

    Attributes:
        seats: how many play.
        komi: the points of each who does not start.
        in_pairs: a number that is not 0 where all moves but the first are made two by two.
        covers: a number that is not 0 where cards are laid over those on the grid when nobody has a move.
        tops: the highest bits of a word's lanes.
        lanes: for no card, and each different one, and for each cell the words that it adds to the lanes there.
        cards: the numbers of no card and of the different ones, as on a cell.
        kinds: for each card of the pool which of these it is.
        source, target: for each move the cell of the card that moves, and of the card that is taken.
    """

    seats: int
    komi: int
    in_pairs: int
    covers: int
    tops: int
    lanes: Row
    cards: Row
    kinds: Row32
    source: Row8
    target: Row8


class Hidden(NamedTuple):
    """The cards of which the draw pile consists, or of which it is drawn, room for as many, and for scores of cards."""

    cards: Row
    drawn: Row
    scores: Row


def length(table: Table) -> int:
    """How long the row of a position is."""
    return DECK + DECK_SIZE + 1


def changing(table: Table) -> int:
    """How many numbers at the beginning of the row moves change."""
    return DECK


def deciding(table: Table) -> int:
    """What decides how the game goes on: whose turn it is, and which card is where."""
    return LEGAL


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Shuffles the deck, and turns up the nine first cards."""
    # From the pool's cards to kinds: cards that play alike are one number, and are shuffled as such.
    cards, kinds, chosen = table.cards, table.kinds, seat_decks.cards
    for place in range(DECK_SIZE):
        s[DECK + place] = cards[kinds[chosen[place]]]
    s[DECK + DECK_SIZE] = 0
    shuffle(dice, s, DECK, DECK_SIZE)
    s[SEAT] = first if first >= 0 else below(dice, table.seats)
    for seat in range(table.seats):
        s[POINTS + seat] = table.komi
    # Everybody has the komi but who starts.
    s[POINTS + s[SEAT]] = 0
    s[HALF] = 0
    s[NEXT] = GRID_SIZE
    for cell in range(GRID_SIZE):
        s[CELLS + cell] = s[DECK + cell]
    add_up(table, s)
    if table.covers:
        cover(table, s)


def add_up(table: Table, s: Row) -> None:
    """The lanes of the cards on the cells, and the legal moves."""
    lanes, tops, legal = table.lanes, table.tops, 0
    for word in range(WORDS):
        total = 0
        for cell in range(GRID_SIZE):
            total += lanes[(s[CELLS + cell] & PLACE) + WORDS * cell + word]
        s[LANES + word] = total
        # A legal move is the highest bit of its lane. Words hold every fourth move, so shifted like this they
        # interleave.
        # The highest bit of lane 0 is bit 4; of word 1 it belongs to bit 1, so it sinks by one less, and so on.
        legal |= (total & tops) >> LANE - 1 - word
    s[LEGAL] = legal


def cover(table: Table, s: Row) -> None:
    """Lays cards over those on the cells, from a1 on, until one takes another, or none is left."""
    cell = 0
    while s[LEGAL] == 0 and s[NEXT] < DECK_SIZE:
        s[CELLS + cell] = s[DECK + s[NEXT]]
        s[NEXT] += 1
        add_up(table, s)
        cell = cell + 1 if cell + 1 < GRID_SIZE else 0


def over(table: Table, s: Row) -> int:
    """The game is over when nobody has a move."""
    return -1 if s[LEGAL] else 0


def legal(table: Table, s: Row, moves: Row) -> int:
    """The legal moves, which are the places of their bits."""
    return write_set_bits(s[LEGAL], moves)


def look(table: Table, s: Row, moves: Row, promises: Row) -> int:
    """The legal moves, and the scores of the cards that they take."""
    count = legal(table, s, moves)
    for place in range(count):
        promises[place] = s[CELLS + table.target[moves[place]]] >> SCORE
    return count


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Any legal move, of which none is listed."""
    return bit_at(s[LEGAL], below(dice, count_bits(s[LEGAL])))


def greedy_move(table: Table, s: Row, moves: Row, promises: Row, dice: Seeds) -> int:
    """Any of the moves that take the highest score."""
    found = highest(table, s)
    return bit_at(found, below(dice, count_bits(found)))


def highest(table: Table, s: Row) -> int:
    """The moves that take the highest score, as bits."""
    left, target, best, found = s[LEGAL], table.target, -1, 0
    while left:
        # The lowest bit that is set: two's complement flips all bits above it.
        bit = left & -left
        score = s[CELLS + target[lowest_bit(left)]] >> SCORE
        left ^= bit
        if score > best:
            best, found = score, bit
        elif score == best:
            found |= bit
    return found


def play(table: Table, s: Row, move: int) -> None:
    """Takes a card, moves the other onto its cell, and turns one up where that lay."""
    lanes, tops, source, target, coming = table.lanes, table.tops, table.source[move], table.target[move], s[NEXT]
    card, mover, taken = s[DECK + coming], s[CELLS + source], s[CELLS + target]
    s[CELLS + source], s[CELLS + target] = cells_after(mover, card)
    at_source, at_target, legal = WORDS * source, WORDS * target, 0
    # Four changes to the lanes: a card comes to the source, the mover leaves it and comes to the target, a card goes.
    turned_up, left = (card & PLACE) + at_source, (mover & PLACE) + at_source
    moved, gone = (mover & PLACE) + at_target, (taken & PLACE) + at_target
    for word in range(WORDS):
        total = s[LANES + word] + lanes[turned_up + word] - lanes[left + word]
        total += lanes[moved + word] - lanes[gone + word]
        s[LANES + word] = total
        legal |= (total & tops) >> LANE - 1 - word
    s[LEGAL] = legal
    seat = s[SEAT]
    s[POINTS + seat] += taken >> SCORE
    s[NEXT] = next_in_deck(coming)
    # Order 1-2-2: HALF counts 0 1 0 1 after the first move, and the turn goes on where it becomes 1. In the usual order
    # it stays 0, as `in_pairs` does, so the turn goes on after every move.
    in_pairs = table.in_pairs
    if in_pairs:
        s[HALF] ^= 1
    if s[HALF] == in_pairs:
        # A division by the number of players costs more than this branch.
        seat += 1
        s[SEAT] = seat if seat < table.seats else 0
    if table.covers:
        cover(table, s)


def cells_after(mover: int, card: int) -> tuple[int, int]:
    """The cards after a move on the cell that the mover left, and on that of the card taken.

    However cards are written: the solver has kinds, in a number.
    """
    return card, mover


def next_in_deck(turned_up: int) -> int:
    """How many cards are turned up after a move, given how many were before it."""
    return turned_up + 1 if turned_up < DECK_SIZE else turned_up


def scores(table: Table, s: Row, points: Row) -> None:
    """Each seat's points, with those for not starting."""
    for seat in range(table.seats):
        points[seat] = s[POINTS + seat]


def settled_lead(table: Table, s: Row) -> int:
    """All points that were made."""
    return s[POINTS] - s[POINTS + 1]


def reveal_count(table: Table, s: Row) -> int:
    """How many cards of the deck were turned up."""
    return s[NEXT]


def reveal_code(table: Table, s: Row, since: int) -> int:
    """The kinds of the cards that were turned up, five bits each."""
    found = 0
    for place in range(DECK + since, DECK + s[NEXT]):
        # A deck has 20 kinds at most, and 0 is no card: five bits.
        found = found << 5 | kind_on_cell(s[place])
    return found


def set_reveal(table: Table, s: Row, hidden: Hidden, place: int, number: int) -> None:
    """Puts a card of the pile at this place among those that are turned up next."""
    s[DECK + s[NEXT] + place] = hidden.cards[number]


def span(table: Table, s: Row, hidden: Hidden, left: int) -> tuple[int, int]:
    """What the cards on the cells and in the pile allow."""
    room, count = hidden.scores, 0
    for cell in range(CELLS, CELLS + GRID_SIZE):
        if s[cell]:
            # Sorted as they come, highest first: `gain_bounds` takes from both ends.
            insert(room, count, s[cell] >> SCORE)
            count += 1
    while left:
        insert(room, count, hidden.cards[lowest_bit(left)] >> SCORE)
        left &= left - 1
        count += 1
    return gain_bounds(room, count, table.in_pairs, s[HALF])


def insert(scores: Row, count: int, score: int) -> None:
    """Inserts a score among `count` that are sorted, the highest first."""
    place = count
    while place > 0 and scores[place - 1] < score:
        scores[place] = scores[place - 1]
        place -= 1
    scores[place] = score


def kind_on_cell(card: int) -> int:
    """Which of the different cards is on a cell, from 1; 0 for no card."""
    return (card & PLACE) // (GRID_SIZE * WORDS)


# For [9, 5, 2, 1], one move each: 9 - 1 + 5 = 13 at best; at worst one takes 1, and the other 9: 1 - 9 = -8.
def gain_bounds(scores: Row, count: int, in_pairs: int, half: int) -> tuple[int, int]:
    """The least and the most that the player to move can still gain on the other with `count` cards left.

    At best one takes the highest and the other the lowest, as long as that pays; one card always stays. `scores` are
    theirs, the highest first; `half` is not 0 where who is to move has two moves.

    >>> gain_bounds([9, 5, 2, 1], 4, 0, 0)
    (-8, 13)
    """
    low = high = worst = best = mine = others = 0
    is_mine = True
    # `mine` and `others` count the moves of each: the best of the cards left are taken from the front, the worst from
    # the back.
    for _ in range(count - 1):
        if is_mine:
            high += scores[mine]
            mine += 1
            low += scores[count - mine]
        else:
            low -= scores[others]
            others += 1
            high -= scores[count - others]
        # The game may end after any capture, so the extremes of all lengths count.
        worst, best = min(worst, low), max(best, high)
        half ^= in_pairs
        if half == in_pairs:
            is_mine = not is_mine
    return worst, best


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Shuffles the draw pile."""
    cards, drawn, top = hidden.cards, hidden.drawn, s[NEXT]
    for place in range(len(cards)):
        drawn[place] = cards[place]
    # More cards than the pile has places may be in question: as many as there are places come of the shuffled ones.
    shuffle_first(dice, drawn, 0, len(cards), DECK_SIZE - top)
    for place in range(DECK_SIZE - top):
        s[DECK + top + place] = drawn[place]


def finish(table: Table, s: Row, moves: Row, promises: Row, dice: Seeds) -> None:
    """Everybody takes the highest score there is; of equal ones any."""
    while s[LEGAL]:
        found = highest(table, s)
        count = count_bits(found)
        play(table, s, bit_at(found, below(dice, count) if count > 1 else 0))


# --- what is never compiled ---


def games(source: DeckSource, players: Sequence[str], options: Mapping[str, object]) -> CoreGames[Table] | None:
    """Games with a deck given, chosen or drawn; cards that play alike are one."""
    try:
        chosen = Options(**by_field_name(option_values("grid", DECLARED, options)))
    except EngineError:
        return None
    origin, decks, _ = resolve_decks(source, 1, range(DECK_SIZE, DECK_SIZE + 1))
    cards = decks[0] if len(decks) == 1 else [card for deck in decks for card in deck]
    if len(players) not in SEATS or not cards:
        return None
    kinds = kinds_of(cards)
    firsts = dict(zip(reversed(kinds), range(len(kinds) - 1, -1, -1), strict=True))  # a pool makes a card when asked
    # `reversed` above: the last write wins, so each kind has the first of its cards.
    different = [cards[firsts[kind]] for kind in range(len(firsts))]
    if not all(map(_can_play, different)):
        return None
    pool = pool_without_labels(origin, [DECK_SIZE] * len(decks), len(cards))
    return CoreGames(table_of(different, kinds, len(players), chosen), pool, moves_by_number().__getitem__, DECK_SIZE)


def world(view: GridState) -> CoreWorld[Table, Hidden]:
    """The game from a position on, with a pile of the cards of the deck that are not known; or of copies of those."""
    known, seats = list(view.setup.cards[: view.turned_up]), len(view.players)
    unseen = [card for group in view.unseen(view.to_move) for card in group.cards or ()]
    cards = [*known, *unseen]
    table = table_of(cards, range(len(cards)), seats, view.setup.options)
    s = row_of(table, view)
    # Where nobody knows the deck, hidden cards are taken for copies of the nine or more known ones: twice as many are
    # enough for the eleven that may be in the pile.
    # `cards[0]` is no card.
    left = table.cards[1 + len(known) :] or table.cards[1:] * (2 if view.pile else 0)
    numbers = {move: number for number, move in moves_by_number().items() if s[LEGAL] >> number & 1}
    # Averages over hidden cards need the very cards of the pile; copies of known ones are a guess.
    known_pile = len(left) if len(left) == view.pile else None
    hidden = Hidden(left, left[:], [0] * DECK_SIZE)
    return CoreWorld(table, seats, s, hidden, numbers, len(table.source), DECK_SIZE, unseen=known_pile)


def kinds_of(cards: Sequence[Card]) -> Sequence[int]:
    """For each card its kind, from 0 in the order in which they come.

    Cards of a kind have the same numbers, and either all of them or none may be in a deck.

    >>> kinds_of([Card("x:1", "x", "Ant", {"top": 2}, 2), Card("x:2", "x", "Bee", {"top": 2}, 2)])
    [0, 0]
    """
    if isinstance(cards, CardPool):
        return cards.kinds
    places: dict[object, int] = {}
    keys = ((*map(card.zones.get, ZONES), card.score, card.legal) for card in cards)
    return [places.setdefault(key, len(places)) for key in keys]


def position(state: GridState) -> Position[Table]:
    """A position in which all cards are known; those that play alike are one."""
    cards = state.setup.cards
    kinds = kinds_of(cards)
    different = [cards[kinds.index(kind)] for kind in range(max(kinds) + 1)]
    table = table_of(different, kinds, len(state.players), state.setup.options)
    return Position(table, row_of(table, state), DECK_SIZE)


def row_of(table: Table, state: GridState) -> Row:
    """The row of a position of a game whose deck is the pool of the table, as far as it is known."""
    # A view knows fewer cards than the deck has: the rest of DECK stays 0, and is dealt by `deal_unseen`.
    s, cards, known = [0] * length(table), table.cards, min(len(table.kinds), len(state.setup.cards))
    s[SEAT], s[NEXT] = state.to_move, state.turned_up
    # Order 1-2-2: after an odd number of moves who is to move has two.
    s[HALF] = sum(map(len, state.taken)) & table.in_pairs
    s[POINTS : POINTS + table.seats] = state.scores()
    s[CELLS : CELLS + GRID_SIZE] = [0 if card == EMPTY else cards[table.kinds[card]] for card in state.grid]
    s[DECK : DECK + known] = [cards[kind] for kind in table.kinds[:known]]
    add_up(table, s)
    return s


def reach(state: GridState) -> tuple[int, int]:
    """What the cards that are left allow."""
    grid = [card for card in state.grid if card != EMPTY]
    left = sorted([state.setup.cards[card].score for card in (*grid, *range(state.turned_up, DECK_SIZE))], reverse=True)
    in_pairs = int(state.setup.options.in_pairs)
    low, high = gain_bounds(left, len(left), in_pairs, sum(map(len, state.taken)) & in_pairs)
    lead = 2 * state.scores()[state.to_move] - sum(state.scores())
    return lead + low, lead + high


def table_of(cards: Sequence[Card], kinds: Sequence[int], seats: int, options: Options) -> Table:
    """The table for different cards, and for a pool of which each card is one of them."""
    size, moves = GRID_SIZE * WORDS, dict(zip(moves_by_number(), _ENDS, strict=True))
    bits = range(max(moves) + 1)
    return Table(
        seats,
        options.komi,
        int(options.in_pairs),
        int(options.empty_pile),
        sum(1 << LANE * lane + LANE - 1 for lane in range(len(MOVES) // WORDS)),
        lanes_of([card.zones for card in cards]),
        [0, *[card.score << SCORE | size * kind for kind, card in enumerate(cards, 1)]],
        # 0 is no card.
        [1 + kind for kind in kinds],
        [moves[bit][0] if bit in moves else 0 for bit in bits],
        [moves[bit][1] if bit in moves else 0 for bit in bits],
    )


def moves_by_number() -> dict[int, str]:
    """Every move, by the place of its bit."""
    # Four words:  move 0 1 2 3 4 5 6 7 8      One word:  move 0 1 2 3
    #              bit  0 1 2 3 5 6 7 8 10                 bit  0 5 10 15
    return {LANE * (number // WORDS) + number % WORDS: move for number, move in enumerate(MOVES)}


def lanes_of(cards: Sequence[Mapping[str, int]]) -> list[int]:
    """What no card, and then each card with these numbers, adds to the lanes on each cell.

    No card takes nothing, and is taken by nothing.
    """
    size = GRID_SIZE * WORDS
    # A lane is 15 + the number that moves - the number that it faces, so its bit 4 is set where the first is higher. An
    # empty cell moves with -1 and faces with the highest number there is: it takes nothing, and nothing takes it. A
    # card without a number in a zone moves with -1 there as well, and faces with -1.
    nothing, least = [0] * size, [0] * size  # of no card, and of one without numbers
    more = {zone: [0] * size for zone in ZONES}  # for each point of its number there
    for number, (source, target, zone, faced) in enumerate(_ENDS):
        word, lane = number % WORDS, LANE * (number // WORDS)
        for row, lowest in (nothing, HIGHEST), (least, LOWEST - 1):
            row[WORDS * source + word] += _EQUAL + LOWEST - 1 << lane
            row[WORDS * target + word] -= lowest << lane
        more[zone][WORDS * source + word] += 1 << lane
        more[faced][WORDS * target + word] -= 1 << lane
    lanes = nothing
    for numbers in cards:
        # A number adds as many ones above the -1 of a card without numbers as it is high.
        row = least
        for zone, value in numbers.items():
            row = [one + (value - LOWEST + 1) * each for one, each in zip(row, more[zone], strict=True)]
        lanes += row
    return lanes


def _can_play(card: Card) -> bool:
    fitting = all(LOWEST <= number <= HIGHEST for number in card.zones.values())
    return card.legal and bool(card.zones) and fitting and LOWEST <= card.score <= LARGEST_SCORE
