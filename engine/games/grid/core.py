"""The core of the grid game: its rules on an integer array, for fast play (`engine.rows.core`).

Each of the 40 moves has a lane of five bits. It holds 15, plus the number of the card that would move, minus the number
that it faces, each -1 if there is none: its highest bit is set exactly if the move is legal. Lanes never borrow from
each other, so that a position is the sum of the contributions of its cards, and a capture takes four additions. The
first of four words has the lanes of moves 0, 4, 8 ..., the next one those of moves 1, 5, 9:

    bits         9    8   7   6   5    4    3   2   1   0
    word 0     [ 4 ] . . . . . . .   [ 0 ]  . . . . . . .      the highest bits of the lanes of moves 4 and 0,
    word 1     [ 5 ] . . . . . . .   [ 1 ]  . . . . . . .      shifted down by 4 here and by 3 there:
    legal        .   7   6   5   4     .    3   2   1   0      the legal moves as bits, in their order

The number of a move is the index of its bit there.
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
from ccgrid.engine.games.grid.moves import BOARD, DECK_SIZE, GRID_SIZE, MOVES
from ccgrid.engine.games.grid.options import OPTIONS as DECLARED
from ccgrid.engine.games.grid.options import Options
from ccgrid.engine.games.grid.rules import EMPTY, QUARTERS, GridState, turned_zones
from ccgrid.engine.options import by_field_name, option_values
from ccgrid.engine.rows.core import SEAT, CoreGames, CoreWorld, Position
from ccgrid.engine.rows.dealing import SeatDecks, below, pool_without_labels, resolve_decks, shuffle, shuffle_first
from ccgrid.engine.rows.row import Row, Row8, Row32, Seeds, bit_at, count_bits, lowest_bit, write_set_bits

OPTIONS: Final = frozenset({"komi", "order", "empty-pile", "turn"})
ENDINGS: Final = ("no-captures",)
SEATS: Final = (2, 3, 4)
SCALE: Final = 40.0
EXPLORING: Final = 0.6
MOST_MOVES: Final = len(MOVES)

WORDS: Final = 4
IN_PLAIN_PYTHON: Final = {"WORDS": 1}
"""The number of integers that store the lanes. In plain Python integers are unlimited, and a single one of 200 bits is
a third faster.
"""

LANE: Final = 5
# 15 + 1 is 16, the first number with bit 4: for a difference of one or more, the highest bit of the lane is set.
_EQUAL: Final = 15
"""The bits per lane, and the value of a lane in which both numbers are equal."""

# The row of a position:
#
#     0     1     2     3..11  12     13 and on      four      twenty, and a 0
#     SEAT  NEXT  HALF  CELLS  LEGAL  LANES, a word  POINTS    DECK
#                                     each
#
# NEXT is the index in the deck of the next card. HALF is 1 if the player to move has two moves (order 1-2-2), else 0.
# LEGAL and LANES follow from the cells; `play` updates them incrementally. No move changes the deck. The 0 after it is
# no card: it is revealed when the deck is used up.
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
#             score       the index in `Table.lanes` of its contributions to the lanes on a1, then on b1 ...
#
# If cards are turned, a card turned a quarter has the index `Table.quarter` further on.
SCORE: Final = 32
PLACE: Final = (1 << SCORE) - 1


def _move_ends(move: str) -> tuple[int, int, str, str]:
    zone = BOARD.zone_towards(move[:2], move[3:]) or ""
    return BOARD.cells.index(move[:2]), BOARD.cells.index(move[3:]), zone, OPPOSITE[zone]


_ENDS: Final = tuple(map(_move_ends, MOVES))
"""For each move, the cells of the moving and the captured card, and the zones in which they face each other."""


class Table(NamedTuple):
    """The data that are constant in all games.

    Attributes:
        seats: The number of players.
        komi: The points of each player who does not start.
        in_pairs: Nonzero if all moves except the first are made in pairs.
        covers: Nonzero if cards are covered while there is no legal move.
        quarter: The distance in `lanes` from a card to the same card turned a quarter; 0 if cards are never turned.
        tops: The highest bits of the lanes of a word.
        lanes: For no card and each kind, and for each cell, its contributions to the words of lanes; if cards are
            turned, then again for each kind turned one, two and three quarters.
        cards: The encodings of no card and of each kind on a cell.
        kinds: The index in `cards` of each card of the pool.
        source, target: For each move, the cells of the moving and the captured card.
    """

    seats: int
    komi: int
    in_pairs: int
    covers: int
    quarter: int
    tops: int
    lanes: Row
    cards: Row
    kinds: Row32
    source: Row8
    target: Row8


class Hidden(NamedTuple):
    """The candidates for the draw pile, a buffer for drawing them, and a buffer for scores of cards."""

    cards: Row
    drawn: Row
    scores: Row


def length(table: Table) -> int:
    """Return the length of the row of a position."""
    return DECK + DECK_SIZE + 1


def changing(table: Table) -> int:
    """Return how many numbers at the beginning of the row moves can change."""
    return DECK


def deciding(table: Table) -> int:
    """Return how many numbers determine the rest of the game: the seat to move, and the card on each cell."""
    return LEGAL


def deal(table: Table, s: Row, seat_decks: SeatDecks, first: int, dice: Seeds) -> None:
    """Shuffle the deck and deal nine cards face up."""
    # Convert the pool's cards to kinds: interchangeable cards are one number, and are shuffled as such.
    cards, kinds, chosen = table.cards, table.kinds, seat_decks.cards
    for place in range(DECK_SIZE):
        s[DECK + place] = cards[kinds[chosen[place]]]
    s[DECK + DECK_SIZE] = 0
    shuffle(dice, s, DECK, DECK_SIZE)
    s[SEAT] = first if first >= 0 else below(dice, table.seats)
    for seat in range(table.seats):
        s[POINTS + seat] = table.komi
    # All seats have the komi except the starting player.
    s[POINTS + s[SEAT]] = 0
    s[HALF] = 0
    s[NEXT] = GRID_SIZE
    for cell in range(GRID_SIZE):
        s[CELLS + cell] = s[DECK + cell]
    add_up(table, s)
    if table.covers:
        cover(table, s)


def add_up(table: Table, s: Row) -> None:
    """Compute the lanes of the cards on the cells, and the legal moves."""
    lanes, tops, legal = table.lanes, table.tops, 0
    for word in range(WORDS):
        total = 0
        for cell in range(GRID_SIZE):
            total += lanes[(s[CELLS + cell] & PLACE) + WORDS * cell + word]
        s[LANES + word] = total
        # A legal move is the highest bit of its lane. A word holds every fourth move, so that the words interleave with
        # this shift.
        # The highest bit of lane 0 is bit 4; word 1 is shifted by one less, so that its bit becomes bit 1, and so on.
        legal |= (total & tops) >> LANE - 1 - word
    s[LEGAL] = legal


def cover(table: Table, s: Row) -> None:
    """Cover the cards on the cells, from a1 on, until a capture is possible or the draw pile is empty."""
    cell = 0
    while s[LEGAL] == 0 and s[NEXT] < DECK_SIZE:
        s[CELLS + cell] = s[DECK + s[NEXT]]
        s[NEXT] += 1
        add_up(table, s)
        cell = cell + 1 if cell + 1 < GRID_SIZE else 0


def over(table: Table, s: Row) -> int:
    """Return 0 if there is no legal move, else -1."""
    return -1 if s[LEGAL] else 0


def legal(table: Table, s: Row, moves: Row) -> int:
    """Fill `moves` with the legal moves, which are the indices of the set bits, and return their number."""
    return write_set_bits(s[LEGAL], moves)


def rate_moves(table: Table, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the legal moves and `priorities` with the captured scores; return the number of moves."""
    count = legal(table, s, moves)
    for place in range(count):
        priorities[place] = s[CELLS + table.target[moves[place]]] >> SCORE
    return count


def random_move(table: Table, s: Row, moves: Row, dice: Seeds) -> int:
    """Return a random legal move without listing the moves."""
    return bit_at(s[LEGAL], below(dice, count_bits(s[LEGAL])))


def greedy_move(table: Table, s: Row, moves: Row, priorities: Row, dice: Seeds) -> int:
    """Return a random one of the moves that capture the highest score."""
    found = highest(table, s)
    return bit_at(found, below(dice, count_bits(found)))


def highest(table: Table, s: Row) -> int:
    """Return the moves that capture the highest score, as bits."""
    left, target, best, found = s[LEGAL], table.target, -1, 0
    while left:
        # The lowest set bit: two's complement inverts all bits above it.
        bit = left & -left
        score = s[CELLS + target[lowest_bit(left)]] >> SCORE
        left ^= bit
        if score > best:
            best, found = score, bit
        elif score == best:
            found |= bit
    return found


def play(table: Table, s: Row, move: int) -> None:
    """Capture a card: move the other card onto its cell, and refill the vacated cell from the draw pile."""
    lanes, tops, source, target, coming = table.lanes, table.tops, table.source[move], table.target[move], s[NEXT]
    card, mover, taken = s[DECK + coming], s[CELLS + source], s[CELLS + target]
    landed = turned(table, mover) if table.quarter else mover
    s[CELLS + source], s[CELLS + target] = cells_after(landed, card)
    at_source, at_target, legal = WORDS * source, WORDS * target, 0
    # Four changes of the lanes: a card is added to the source, the mover is removed from there and added to the target,
    # and the captured card is removed.
    turned_up, left = (card & PLACE) + at_source, (mover & PLACE) + at_source
    moved, gone = (landed & PLACE) + at_target, (taken & PLACE) + at_target
    for word in range(WORDS):
        total = s[LANES + word] + lanes[turned_up + word] - lanes[left + word]
        total += lanes[moved + word] - lanes[gone + word]
        s[LANES + word] = total
        legal |= (total & tops) >> LANE - 1 - word
    s[LEGAL] = legal
    seat = s[SEAT]
    s[POINTS + seat] += taken >> SCORE
    s[NEXT] = next_in_deck(coming)
    # Order 1-2-2: HALF alternates 0 1 0 1 after the first move, and the turn passes on when it becomes 1. In the usual
    # order it stays 0, like `in_pairs`, so that the turn passes on after every move.
    in_pairs = table.in_pairs
    if in_pairs:
        s[HALF] ^= 1
    if s[HALF] == in_pairs:
        # A division by the number of players is slower than this branch.
        seat += 1
        s[SEAT] = seat if seat < table.seats else 0
    if table.covers:
        cover(table, s)


def turned(table: Table, card: int) -> int:
    """Return a card turned a quarter further; after three quarters, it is upright again."""
    last = QUARTERS * table.quarter
    return card + table.quarter if (card & PLACE) + table.quarter <= last else card + table.quarter - last


def cells_after(mover: int, card: int) -> tuple[int, int]:
    """Return the cards on the vacated cell and on the cell of the captured card after a move.

    The encoding of cards does not matter: the solver passes kinds instead.
    """
    return card, mover


def next_in_deck(turned_up: int) -> int:
    """Return the number of cards revealed after a move, given the number before it."""
    return turned_up + 1 if turned_up < DECK_SIZE else turned_up


def scores(table: Table, s: Row, points: Row) -> None:
    """Write each seat's points, including the komi."""
    for seat in range(table.seats):
        points[seat] = s[POINTS + seat]


def settled_lead(table: Table, s: Row) -> int:
    """Return the first seat's lead: all points are settled."""
    return s[POINTS] - s[POINTS + 1]


def reveal_count(table: Table, s: Row) -> int:
    """Return how many cards of the deck have been revealed."""
    return s[NEXT]


def reveal_code(table: Table, s: Row, since: int) -> int:
    """Return the kinds of the cards revealed after the first `since`, five bits each."""
    found = 0
    for place in range(DECK + since, DECK + s[NEXT]):
        # A deck has at most 20 kinds, and 0 is no card: five bits are enough.
        found = found << 5 | kind_on_cell(s[place])
    return found


def set_reveal(table: Table, s: Row, hidden: Hidden, place: int, number: int) -> None:
    """Make a hidden card the one at this index among those revealed next."""
    s[DECK + s[NEXT] + place] = hidden.cards[number]


def span(table: Table, s: Row, hidden: Hidden, left: int) -> tuple[int, int]:
    """Return bounds of the player to move's further gain from the cards on the cells and in the draw pile."""
    room, count = hidden.scores, 0
    for cell in range(CELLS, CELLS + GRID_SIZE):
        if s[cell]:
            # Insert in order, the highest first: `gain_bounds` takes from both ends.
            insert(room, count, s[cell] >> SCORE)
            count += 1
    while left:
        insert(room, count, hidden.cards[lowest_bit(left)] >> SCORE)
        left &= left - 1
        count += 1
    return gain_bounds(room, count, table.in_pairs, s[HALF])


def insert(scores: Row, count: int, score: int) -> None:
    """Insert a score into `count` scores that are sorted, the highest first."""
    place = count
    while place > 0 and scores[place - 1] < score:
        scores[place] = scores[place - 1]
        place -= 1
    scores[place] = score


def kind_on_cell(card: int) -> int:
    """Return the kind of a card on a cell, from 1, or 0 for no card."""
    return (card & PLACE) // (GRID_SIZE * WORDS)


# For [9, 5, 2, 1] with single moves: at best 9 - 1 + 5 = 13; at worst the player to move captures 1 and the opponent 9:
# 1 - 9 = -8.
def gain_bounds(scores: Row, count: int, in_pairs: int, half: int) -> tuple[int, int]:
    """Return the bounds of the player to move's further gain while `count` cards remain.

    At best the player captures the highest and the opponent the lowest scores, for as long as that pays; one card
    always remains. `scores` are sorted, the highest first; `half` is nonzero if the player to move has two moves.

    >>> gain_bounds([9, 5, 2, 1], 4, 0, 0)
    (-8, 13)
    """
    low = high = worst = best = mine = others = 0
    is_mine = True
    # `mine` and `others` count each side's moves: the best remaining cards are taken from the front, the worst from the
    # back.
    for _ in range(count - 1):
        if is_mine:
            high += scores[mine]
            mine += 1
            low += scores[count - mine]
        else:
            low -= scores[others]
            others += 1
            high -= scores[count - others]
        # The game may end after any capture: consider the extremes over all lengths.
        worst, best = min(worst, low), max(best, high)
        half ^= in_pairs
        if half == in_pairs:
            is_mine = not is_mine
    return worst, best


def deal_unseen(table: Table, s: Row, hidden: Hidden, dice: Seeds) -> None:
    """Shuffle the draw pile."""
    cards, drawn, top = hidden.cards, hidden.drawn, s[NEXT]
    for place in range(len(cards)):
        drawn[place] = cards[place]
    # There may be more candidates than cards in the pile: then draw only the number of cards in the pile.
    shuffle_first(dice, drawn, 0, len(cards), DECK_SIZE - top)
    for place in range(DECK_SIZE - top):
        s[DECK + top + place] = drawn[place]


def finish(table: Table, s: Row, moves: Row, priorities: Row, dice: Seeds) -> None:
    """Play out the game: every player captures the highest score, ties broken at random."""
    while s[LEGAL]:
        found = highest(table, s)
        count = count_bits(found)
        play(table, s, bit_at(found, below(dice, count) if count > 1 else 0))


# --- never compiled ---


def games(source: DeckSource, players: Sequence[str], options: Mapping[str, object]) -> CoreGames[Table] | None:
    """Prepare games with fixed, chosen or random decks; interchangeable cards share a kind."""
    try:
        chosen = Options(**by_field_name(option_values("grid", DECLARED, options)))
    except EngineError:
        return None
    origin, decks, _ = resolve_decks(source, 1, range(DECK_SIZE, DECK_SIZE + 1))
    cards = decks[0] if len(decks) == 1 else [card for deck in decks for card in deck]
    if len(players) not in SEATS or not cards:
        return None
    kinds = kinds_of(cards)
    firsts = dict(
        zip(reversed(kinds), range(len(kinds) - 1, -1, -1), strict=True)
    )  # a pool creates a card only on access
    # `reversed` above: the last assignment wins, so that each kind has its first card.
    different = [cards[firsts[kind]] for kind in range(len(firsts))]
    if not all(map(_can_play, different)):
        return None
    pool = pool_without_labels(origin, [DECK_SIZE] * len(decks), len(cards))
    return CoreGames(table_of(different, kinds, len(players), chosen), pool, moves_by_number().__getitem__, DECK_SIZE)


def world(view: GridState) -> CoreWorld[Table, Hidden]:
    """Prepare playouts from a view: the draw pile has the unseen cards of the deck, or copies of known cards."""
    known, seats = list(view.setup.cards[: view.turned_up]), len(view.players)
    unseen = [card for group in view.unseen(view.to_move) for card in group.cards or ()]
    cards = [*known, *unseen]
    table = table_of(cards, range(len(cards)), seats, view.setup.options)
    s = row_of(table, view)
    # If the deck is not known, hidden cards are copies of the nine or more known ones: two of each are enough for the
    # at most eleven cards in the pile.
    left = table.cards[1 + len(known) :] or table.cards[1:] * (2 if view.pile else 0)
    numbers = {move: number for number, move in moves_by_number().items() if s[LEGAL] >> number & 1}
    # Averages over hidden cards need the actual cards of the pile, not copies of known ones.
    known_pile = len(left) if len(left) == view.pile else None
    hidden = Hidden(left, left[:], [0] * DECK_SIZE)
    return CoreWorld(table, seats, s, hidden, numbers, len(table.source), DECK_SIZE, unseen=known_pile)


def kinds_of(cards: Sequence[Card]) -> Sequence[int]:
    """Return each card's kind, numbered from 0 in the order of first appearance.

    Cards of one kind have equal numbers, and either all or none of them are legal.

    >>> kinds_of([Card("x:1", "x", "Ant", {"top": 2}, 2), Card("x:2", "x", "Bee", {"top": 2}, 2)])
    [0, 0]
    """
    if isinstance(cards, CardPool):
        return cards.kinds
    places: dict[object, int] = {}
    keys = ((*map(card.zones.get, ZONES), card.score, card.legal) for card in cards)
    return [places.setdefault(key, len(places)) for key in keys]


def position(state: GridState) -> Position[Table]:
    """Return the position to be solved, with all cards known; interchangeable cards share a kind."""
    cards = state.setup.cards
    kinds = kinds_of(cards)
    different = [cards[kinds.index(kind)] for kind in range(max(kinds) + 1)]
    table = table_of(different, kinds, len(state.players), state.setup.options)
    return Position(table, row_of(table, state), DECK_SIZE)


def row_of(table: Table, state: GridState) -> Row:
    """Return the row of a position of a game whose deck is the pool of the table; unknown cards are 0."""
    # A view has fewer known cards than the deck: the rest of DECK stays 0, and `deal_unseen` fills it.
    s, cards, known = [0] * length(table), table.cards, min(len(table.kinds), len(state.setup.cards))
    s[SEAT], s[NEXT] = state.to_move, state.turned_up
    # Order 1-2-2: after an odd number of moves, the player to move has two moves.
    s[HALF] = sum(map(len, state.taken)) & table.in_pairs
    s[POINTS : POINTS + table.seats] = state.scores()
    turns = state.turns or (0,) * GRID_SIZE
    s[CELLS : CELLS + GRID_SIZE] = [
        0 if card == EMPTY else cards[table.kinds[card]] + table.quarter * quarters
        for card, quarters in zip(state.grid, turns, strict=True)
    ]
    s[DECK : DECK + known] = [cards[kind] for kind in table.kinds[:known]]
    add_up(table, s)
    return s


def reach(state: GridState) -> tuple[int, int]:
    """Return bounds of the value from the remaining cards."""
    grid = [card for card in state.grid if card != EMPTY]
    left = sorted([state.setup.cards[card].score for card in (*grid, *range(state.turned_up, DECK_SIZE))], reverse=True)
    in_pairs = int(state.setup.options.in_pairs)
    low, high = gain_bounds(left, len(left), in_pairs, sum(map(len, state.taken)) & in_pairs)
    lead = 2 * state.scores()[state.to_move] - sum(state.scores())
    return lead + low, lead + high


def table_of(cards: Sequence[Card], kinds: Sequence[int], seats: int, options: Options) -> Table:
    """Return the table for cards of different kinds; `kinds` has the kind of each card of the pool."""
    size, moves = GRID_SIZE * WORDS, dict(zip(moves_by_number(), _ENDS, strict=True))
    bits = range(max(moves) + 1)
    quarters = range(QUARTERS if options.turns_cards else 1)
    return Table(
        seats,
        options.komi,
        int(options.in_pairs),
        int(options.empty_pile),
        size * len(cards) if options.turns_cards else 0,
        sum(1 << LANE * lane + LANE - 1 for lane in range(len(MOVES) // WORDS)),
        lanes_of([turned_zones(card.zones, turns) for turns in quarters for card in cards]),
        [0, *[card.score << SCORE | size * kind for kind, card in enumerate(cards, 1)]],
        # 0 is no card.
        [1 + kind for kind in kinds],
        [moves[bit][0] if bit in moves else 0 for bit in bits],
        [moves[bit][1] if bit in moves else 0 for bit in bits],
    )


def moves_by_number() -> dict[int, str]:
    """Return every move by the index of its bit."""
    # Four words:  move 0 1 2 3 4 5 6 7 8      One word:  move 0 1 2 3
    #              bit  0 1 2 3 5 6 7 8 10                 bit  0 5 10 15
    return {LANE * (number // WORDS) + number % WORDS: move for number, move in enumerate(MOVES)}


def lanes_of(cards: Sequence[Mapping[str, int]]) -> list[int]:
    """Return the contributions to the lanes on each cell, first of no card, and then of cards with these numbers.

    An empty cell neither captures nor is captured.
    """
    size = GRID_SIZE * WORDS
    # A lane is 15 + the moving number - the facing number, so that its bit 4 is set if the first is higher. An empty
    # cell moves with -1 and faces with the highest number: it neither captures nor is captured. Without a number in a
    # zone, a card moves and faces with -1.
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
