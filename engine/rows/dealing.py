"""Dealing on rows: the throws of `engine.dice.Dice`, and the decks for each seat of many games.

Dice are a row of two numbers, their state and their seed, of unsigned ones when it is compiled. Where one of them meets
a number with a sign, the result has a sign: what needs all 64 bits therefore goes through the row again, and nothing
has more than 2**31 sides.

Decks are the same for all games, different ones of many, or drawn from cards. Cards are their places among all cards of
the pool. Different cards of one name in a deck are told apart as `engine.cards.label` does: `Name`, `Name #2`,
`Name #3` in the order in which they lie in it before it is shuffled. A label is the place of such a text in
`Labels.texts`.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import accumulate, pairwise
from struct import Struct
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import DeckSource, DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.dice import ALL, FIRST, SECOND, SEED_BITS, STEP
from ccgrid.engine.rows.binding import compiled_as
from ccgrid.engine.rows.row import Row, Row32, Seeds

_LOW = (1 << 32) - 1
_MOST_SIDES = 1 << 32
# `Dice.fork` makes seeds of as many bits as people can type: the upper ones.
_SHIFT = 64 - SEED_BITS


def dice_row(seed: int) -> Row:
    """The dice with a seed."""
    return [seed & ALL, seed & ALL]


def below(dice: Seeds, sides: int) -> int:
    """The throw of `Dice.below`, for at most 2**31 sides."""
    # SplitMix64, as `engine.dice` explains it, without a call: `& ALL` does nothing when compiled.
    dice[0] = z = (dice[0] + STEP) & ALL
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    # The upper 32 of 64 random bits times the sides: a fraction of 1 in 32 bits, stretched to 0 … sides.
    product = ((z ^ z >> 31) >> 32) * sides
    # Lemire's way to throw without a division: the upper half of the product is the throw. Only where its lower half is
    # below 2**32 % sides it would come up too often, and is thrown again; the division is made where that is possible
    # at all.
    while product & _LOW < sides and product & _LOW < _MOST_SIDES % sides:
        dice[0] = z = (dice[0] + STEP) & ALL
        z = ((z ^ z >> 30) * FIRST) & ALL
        z = ((z ^ z >> 27) * SECOND) & ALL
        product = ((z ^ z >> 31) >> 32) * sides
    return product >> 32


def fork(dice: Seeds, number: int) -> None:
    """Throws on as `Dice(seed).fork(number)` does."""
    # The seed, and not the state: a fork is the same however often was thrown before.
    z = dice[1]
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    dice[0] = ((z ^ z >> 31) + number * STEP) & ALL
    z = dice[0]
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    dice[0] = (z ^ z >> 31) >> _SHIFT


def shuffle(dice: Seeds, things: Row, begin: int, count: int) -> None:
    """Shuffles `count` things of a row as `Dice.shuffled` does."""
    shuffle_first(dice, things, begin, count, count)


def _shuffle_one_by_one(dice: Seeds, things: Row, begin: int, size: int, count: int) -> None:
    # Place by place from the front, each with itself or a later one. The last one has nothing left to swap with.
    for place in range(min(count, size - 1)):
        z = (dice[0] + STEP) & ALL  # `below`, written out: dealing is half of what a short game takes
        z = ((z ^ z >> 30) * FIRST) & ALL
        z = ((z ^ z >> 27) * SECOND) & ALL
        product = ((z ^ z >> 31) >> 32) * (size - place)
        if product & _LOW < size - place:
            other = begin + place + below(dice, size - place)
        else:
            dice[0] = (dice[0] + STEP) & ALL
            other = begin + place + (product >> 32)
        thing = things[other]
        things[other] = things[begin + place]
        things[begin + place] = thing


@compiled_as(_shuffle_one_by_one)
def shuffle_first(dice: Seeds, things: Row, begin: int, size: int, count: int) -> None:
    """Draws `count` things of a part of a row to its beginning: the first ones that `shuffle` would put there."""
    # No throw for the last place, as in `_shuffle_one_by_one`; 0 for an empty deck.
    count, end = max(min(count, size - 1), 0), begin + size
    for place, thrown in enumerate(_next_halves(dice[0], count), begin):
        product = thrown * (end - place)
        # `size` instead of `end - place`, which is no more: a few throws go the long way for nothing, with the same
        # result.
        if product & _LOW < size:  # it may have to be thrown again
            # The state goes on by `STEP` for each throw that counted; this one is thrown once more from there.
            dice[0] = (dice[0] + STEP * (place - begin)) & ALL
            _shuffle_one_by_one(dice, things, place, end - place, begin + count - place)
            return
        other = place + (product >> 32)
        things[place], things[other] = things[other], things[place]
    dice[0] = (dice[0] + STEP * count) & ALL


def _next_halves(state: int, count: int) -> tuple[int, ...]:
    """The upper halves of the next `count` random numbers of 64 bits.

    All are calculated at once, each in its lane of 128 bits in one long number: in plain Python that takes a fifth of
    the time. A product of two numbers of 64 bits fills a lane, and never reaches into the next one.

        bits    64..127           32..63        0..31
                room to multiply  read in here  thrown away
    """
    each, steps, halves = _lanes(count)
    # The lower half of each lane; it cuts off what a shift took from the lane above, and what a product left over.
    low = each * ALL
    z = (state * each + steps) & low
    # Masked before it is multiplied: otherwise a product would not fit its lane.
    z = ((z ^ z >> 30) & low) * FIRST & low
    z = ((z ^ z >> 27) & low) * SECOND & low
    return halves.unpack((z ^ z >> 31).to_bytes(16 * count, "little"))


@cache
def _lanes(count: int) -> tuple[int, int, Struct]:
    """A one in each of `count` lanes; by how much the state is further in each; and how the halves are read."""
    each = sum(1 << 128 * lane for lane in range(count))
    steps = sum((lane + 1) * STEP << 128 * lane for lane in range(count))
    # Of 16 bytes a lane, lowest first: 4 thrown away, 4 read as one number, 8 left over.
    return each, steps, Struct("<" + "4xI8x" * count)


def sample(dice: Seeds, size: int, drawn: Row, begin: int, count: int, places: Row, swapped: Row) -> None:
    """Writes `count` of the numbers below `size`, as `Dice.sample` gives them, into a part of `drawn`.

    `places` has the numbers from 0 in order, and has so again in the end; `swapped` is room for as many as are drawn.
    """
    for place in range(count):
        # Fisher and Yates, as far as it is needed. `places` is put in order again in the end, which takes less than to
        # fill it.
        other = place
        if place + 1 < size:
            other += below(dice, size - place)
        swapped[place] = other
        there = places[other]
        places[other] = places[place]
        places[place] = there
        drawn[begin + place] = there
    # Only what was swapped is out of order: `count` first places, and those that they were swapped with.
    for place in range(count):
        places[place] = place
        places[swapped[place]] = swapped[place]


# --- decks ---

FIXED_DECKS, DIFFERENT_DECKS, RANDOM_DECKS, STEPWISE_DECKS = range(4)
"""Where decks come from: the same for all games; different ones of many; drawn from all cards; drawn in steps."""

NUMBERS_A_STEP: Final = 5
"""Numbers that describe a step."""


class DeckPool(NamedTuple):
    """What decks are made of.

    Attributes:
        source: where they come from.
        seats: how many decks a game has.
        longest: how many cards the longest deck has.
        cards: how many there are.
        names, looks: for each card a number for its name, and one for its name and looks; none where nobody asks.
        begins: for each name the label of its first text.
        decks: where each deck's cards begin, and where the last one's end; where they are drawn, the size of each.
        labels: of each card of decks that are not drawn.
        steps: where they are drawn in steps, for each step the first card, how many cards there are from there on, how
            many of them are drawn, with how many it is done, and whether cards drawn before may come again.
    """

    source: int
    seats: int
    longest: int
    cards: int
    names: Row32
    looks: Row32
    begins: Row32
    decks: Row
    labels: Row32
    steps: Row


class SeatDecks(NamedTuple):
    """What each seat is dealt, and room for dealing; the deck of a seat begins at `seat * longest`.

    Attributes:
        longest: as of the pool.
        cards, labels: of each seat, in the order of its deck.
        size: how many there are.
        order: room for as many cards as a deck has.
        chosen, swapped, everything: room for drawing.
        is_filled: a number that is not 0 once decks were drawn: those that all games share stay as they are.
    """

    longest: int
    cards: Row
    labels: Row
    size: Row
    order: Row
    chosen: Row
    swapped: Row
    everything: Row32
    is_filled: Row


class Labels:
    """The names of cards, as numbers: cards with equal look and name are copies.

    Attributes:
        names: for each card a number for its name.
        looks: for each card a number for its name and its looks.
        begins: for each name where its texts begin: `Name`, `Name #2` and so on, one for each look that there is.
        texts: all texts.
        are_plain: whether all are different.
    """

    def __init__(self, cards: Sequence[Card], look: Callable[[Card], Hashable]) -> None:
        found: dict[str, dict[Hashable, int]] = {}
        count = 0
        self.looks: Row = []
        for card in cards:
            # For each name the looks that there are, numbered over all names.
            there = found.setdefault(card.name, {})
            key = look(card)
            if key not in there:
                there[key] = count
                count += 1
            self.looks.append(there[key])
        order = {name: number for number, name in enumerate(found)}
        self.names = [order[card.name] for card in cards]
        self.texts: list[str] = []
        # Two names with two and one looks:  texts  Ant | Ant #2 | Bee     begins  0, 2
        self.begins: Row = []
        for name, there in found.items():
            self.begins.append(len(self.texts))
            self.texts += [name if number == 1 else f"{name} #{number}" for number in range(1, len(there) + 1)]
        self.are_plain = len(set(self.texts)) == len(self.texts)

    def ranks(self, ending: str = "") -> Row:
        """For each label the place of its text, with this ending, when all are sorted."""
        # Texts do not sort like their labels: "Ant #10" comes before "Ant #2", and an ending moves "Ant" behind "Ant
        # #2".
        ranks = [0] * len(self.texts)
        for rank, place in enumerate(sorted(range(len(ranks)), key=lambda place: self.texts[place] + ending)):
            ranks[place] = rank
        return ranks


def no_pool(seats: int) -> DeckPool:
    """The pool of a game without decks."""
    return DeckPool(FIXED_DECKS, seats, 0, 0, [], [], [], [0] * (seats + 1), [], [])


def pool_without_labels(kind: int, sizes: Sequence[int], cards: int) -> DeckPool:
    """The pool of a game whose players share one deck, where names do not matter; `sizes` are those of the decks."""
    begins = list(sizes) if kind == RANDOM_DECKS else [0, *accumulate(sizes)]
    return DeckPool(kind, 1, max(sizes), cards, [], [], [], begins, [0] * (0 if kind == RANDOM_DECKS else cards), [])


def decks_of(source: DeckSource, seats: int, sizes: range) -> tuple[int, Sequence[Sequence[Card]], int]:
    """Where decks for a number of seats come from, what they are, and how many cards the longest has.

    What decks are drawn from is one deck; there is none where the source or a size is none that fits.
    """
    kind, decks, longest = FIXED_DECKS, tuple[Sequence[Card], ...](), 0
    if isinstance(source, FixedDecks) and len(source.decks) == seats:
        decks = source.decks
    elif isinstance(source, DifferentDecks) and source.count == seats <= len(source.decks):
        kind, decks = DIFFERENT_DECKS, source.decks
    elif isinstance(source, RandomDecks) and source.count == seats and source.size in sizes:
        fits = len(source.cards) >= source.size
        return RANDOM_DECKS, [source.cards] if fits else [], source.size
    if all(len(deck) in sizes for deck in decks):
        longest = max(map(len, decks), default=0)
        return kind, decks, longest
    return kind, [], 0


def pool_of(
    kind: int, seats: int, sizes: Sequence[int], labels: Labels, steps: Sequence[tuple[int, int, int, int, bool]] = ()
) -> DeckPool:
    """The pool of cards with these labels; `sizes` are those of the decks."""
    is_random = kind in (RANDOM_DECKS, STEPWISE_DECKS)
    # Decks that are there lie one behind the other in `cards`; of those that are drawn only the sizes are known.
    begins = list(sizes) if is_random else [0, *accumulate(sizes)]
    pool = DeckPool(
        kind,
        seats,
        max(sizes, default=0),
        len(labels.names),
        labels.names,
        labels.looks,
        labels.begins,
        begins,
        [0] * (0 if is_random else len(labels.names)),
        # `NUMBERS_A_STEP` a step, in one row. `int`, since the last one is a truth value.
        [int(number) for step in steps for number in step],
    )
    if not is_random:
        cards = list(range(len(labels.names)))
        for begin, end in pairwise(begins):
            label_deck(pool, cards, begin, end - begin, pool.labels)
    return pool


def room(pool: DeckPool) -> SeatDecks:
    """Room for the cards that are dealt."""
    longest, seats = pool.longest, pool.seats
    # `sample` draws from all cards, or from all decks: one row of the numbers 0, 1, 2 … does for both.
    everything = max(pool.cards, len(pool.decks))
    return SeatDecks(
        longest,
        [0] * (seats * longest),
        [0] * (seats * longest),
        [0] * seats,
        [0] * longest,
        [0] * max(longest, seats),
        [0] * max(longest, seats),
        list(range(everything)),
        [0],
    )


def label_deck(pool: DeckPool, cards: Row, begin: int, count: int, labels: Row) -> None:
    """The labels of the cards of a deck, which is a part of a row, in its order."""
    for place in range(begin, begin + count):
        card = cards[place]
        name, look, number = pool.names[card], pool.looks[card], 0
        first = pool.begins[name]
        for earlier in range(begin, place):
            other = cards[earlier]
            if pool.names[other] != name:
                continue
            # A copy has the label of the first one like it; another card of the name has the next label.
            if pool.looks[other] == look:
                number = labels[earlier] - first
                break
            number = max(number, labels[earlier] - first + 1)
        labels[place] = first + number


def draw_by_steps(pool: DeckPool, seat_decks: SeatDecks, begin: int, dice: Seeds) -> None:
    """Draws a deck in steps and shuffles it, as `BattleDecks` does."""
    cards, chosen = seat_decks.cards, seat_decks.chosen
    count, since = 0, 0
    for step in range(0, len(pool.steps), NUMBERS_A_STEP):
        first, available, drawn = pool.steps[step], pool.steps[step + 1], pool.steps[step + 2]
        enough, is_new = pool.steps[step + 3], pool.steps[step + 4]
        if is_new:
            since = count
        # Before the step's cards are looked at, as `BattleDecks` does: the throws are the same.
        sample(dice, available, chosen, 0, drawn, seat_decks.everything, seat_decks.swapped)
        before = count
        for place in range(drawn):
            card = first + chosen[place]
            # `BattleDecks` throws for more cards than it takes, too: what is enough already is passed over.
            is_there = count - since >= enough
            for other in range(since, before):
                is_there = is_there or cards[begin + other] == card
            if not is_there:
                cards[begin + count] = card
                count += 1
    shuffle(dice, cards, begin, count)


def draw_decks(pool: DeckPool, seat_decks: SeatDecks, dice: Seeds) -> None:
    """Fills in every seat's deck, drawn if it is to be, and not shuffled yet."""
    cards, labels, decks = seat_decks.cards, seat_decks.labels, pool.decks
    # Not filled in again for the next range of games, either.
    if pool.source == FIXED_DECKS and seat_decks.is_filled[0]:
        return
    seat_decks.is_filled[0] = 1
    if pool.source == DIFFERENT_DECKS:
        sample(dice, len(decks) - 1, seat_decks.chosen, 0, pool.seats, seat_decks.everything, seat_decks.swapped)
    for seat in range(pool.seats):
        begin = seat * seat_decks.longest
        if pool.source >= RANDOM_DECKS:
            seat_decks.size[seat] = decks[seat]
            if pool.source == RANDOM_DECKS:
                # A card is its place among all: what is sampled is the deck already.
                sample(dice, pool.cards, cards, begin, decks[seat], seat_decks.everything, seat_decks.swapped)
            else:
                draw_by_steps(pool, seat_decks, begin, dice)
            if len(pool.names):
                label_deck(pool, cards, begin, decks[seat], labels)
            continue
        number = seat_decks.chosen[seat] if pool.source == DIFFERENT_DECKS else seat
        first = decks[number]
        seat_decks.size[seat] = decks[number + 1] - first
        for place in range(seat_decks.size[seat]):
            cards[begin + place] = first + place
            labels[begin + place] = pool.labels[first + place]


def shuffle_order(seat_decks: SeatDecks, seat: int, dice: Seeds) -> None:
    """Shuffles the places of a seat's cards into `seat_decks.order`."""
    for place in range(seat_decks.size[seat]):
        seat_decks.order[place] = place
    shuffle(dice, seat_decks.order, 0, seat_decks.size[seat])
