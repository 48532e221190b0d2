"""Dealing on rows: the random draws of `engine.dice.Dice`, and the decks of each seat in many games.

A generator is a row of two numbers, its state and its seed, unsigned in compiled code. An operation of an unsigned and
a signed number is signed there: values that need all 64 bits are therefore stored in the row in between, and the number
of sides is at most 2**31.

Decks are the same for all games, chosen among many, or drawn from cards. Cards are indices in the pool. Different cards
of one name in a deck are labelled like `engine.cards.label`: `Name`, `Name #2`, `Name #3`, in their order in the deck
before it is shuffled. A label is the index of such a text in `Labels.texts`.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.decks import DeckSource
from ccgrid.engine.dice import ALL, FIRST, SECOND, SEED_BITS, STEP
from ccgrid.engine.rows.row import Row, Row32, Seeds

_LOW_32_BITS = (1 << 32) - 1
_MAX_SIDES = 1 << 32
# `Dice.fork` makes seeds of the upper `SEED_BITS` bits, short enough to type.
_SHIFT = 64 - SEED_BITS


def dice_row(seed: int) -> Row:
    """Return a generator with a seed."""
    return [seed & ALL, seed & ALL]


def below(dice: Seeds, sides: int) -> int:
    """Return a draw like `Dice.below`, for at most 2**31 sides."""
    # As `_mixed`, without a call.
    dice[0] = z = (dice[0] + STEP) & ALL
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    # The upper 32 of 64 random bits times the sides: a fraction of 1 in 32 bits, scaled to 0 … sides.
    product = ((z ^ z >> 31) >> 32) * sides
    # Lemire's method without a division: the upper half of the product is the result. If its lower half is below
    # 2**32 % sides, the result would be biased and is drawn again; the division is needed only if that is possible.
    while product & _LOW_32_BITS < sides and product & _LOW_32_BITS < _MAX_SIDES % sides:
        dice[0] = (dice[0] + STEP) & ALL
        product = (_mixed(dice[0]) >> 32) * sides
    return product >> 32


def fork(dice: Seeds, number: int) -> None:
    """Set the generator to `Dice(seed).fork(number)`."""
    # Uses the seed instead of the state: a fork does not depend on previous draws.
    dice[0] = (_mixed(dice[1]) + number * STEP) & ALL
    dice[0] = _mixed(dice[0]) >> _SHIFT


def _mixed(z: int) -> int:
    """Return the random number of 64 bits of a state (SplitMix64, as in `engine.dice`)."""
    # `& ALL` has no effect when compiled.
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    return z ^ z >> 31


def shuffle(dice: Seeds, things: Row, begin: int, count: int) -> None:
    """Shuffle `count` elements of a row like `Dice.shuffled`."""
    shuffle_first(dice, things, begin, count, count)


def shuffle_first(dice: Seeds, things: Row, begin: int, size: int, count: int) -> None:
    """Draw `count` elements of a part of a row to its beginning: the first ones after a `shuffle`."""
    # From front to back, swap each element with itself or a later one. The last one needs no draw.
    for place in range(begin, begin + min(count, size - 1)):
        other = place + below(dice, begin + size - place)
        thing = things[other]
        things[other] = things[place]
        things[place] = thing


def sample(dice: Seeds, size: int, drawn: Row, begin: int, count: int, places: Row, swapped: Row) -> None:
    """Write `count` different numbers below `size` to a part of `drawn`, like `Dice.sample`.

    `places` contains the numbers from 0 in order before and after the call; `swapped` is a buffer of `count` numbers.
    """
    for place in range(count):
        # A partial Fisher-Yates shuffle. Restoring `places` afterwards is faster than filling it again.
        other = place
        if place + 1 < size:
            other += below(dice, size - place)
        swapped[place] = other
        number = places[other]
        places[other] = places[place]
        places[place] = number
        drawn[begin + place] = number
    # Restore the swapped entries: the first `count`, and those that they were swapped with.
    for place in range(count):
        places[place] = place
        places[swapped[place]] = swapped[place]


# --- decks ---

FIXED_DECKS, DIFFERENT_DECKS, RANDOM_DECKS, STEPWISE_DECKS = range(4)
"""The source of decks: the same for all games, chosen among many, drawn from all cards, or drawn in steps."""

NUMBERS_PER_STEP: Final = 5
"""The number of fields of a step."""


class DeckPool(NamedTuple):
    """The source of decks.

    Attributes:
        source: The kind of source.
        seats: The number of decks per game.
        longest: The size of the largest deck.
        cards: The number of cards.
        names, looks: For each card a number for its name, and one for its name and looks; empty if labels are not
        needed.
        begins: For each name the label of its first text.
        decks: The start of each deck in the cards, and the end of the last one; for drawn decks, the size of each.
        labels: The labels of the cards of decks that are not drawn.
        steps: If decks are drawn in steps, for each step: the first card, the number of available cards, the number of
            cards drawn, the number that completes the step, and whether cards drawn before may be repeated.
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
    """Each seat's deck, and buffers for dealing; the deck of a seat begins at `seat * longest`.

    Attributes:
        longest: See `DeckPool`.
        cards, labels: The cards and labels of each seat, in the order of its deck.
        size: The number of cards of each seat.
        order: A buffer for the cards of a deck.
        chosen, swapped, everything: Buffers for drawing.
        is_filled: Nonzero once decks have been set: decks shared by all games are not set again.
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
    """The names of cards as numbers: cards with equal looks and name are copies.

    Attributes:
        names: For each card a number for its name.
        looks: For each card a number for its name and looks.
        begins: For each name the index of its first text: `Name`, `Name #2` and so on, one for each of its looks.
        texts: All texts.
        are_plain: Whether all texts are different.
    """

    def __init__(self, cards: Sequence[Card], look: Callable[[Card], Hashable]) -> None:
        found: dict[str, dict[Hashable, int]] = {}
        count = 0
        self.looks: Row = []
        for card in cards:
            # For each name its different looks, numbered over all names.
            looks_of_name = found.setdefault(card.name, {})
            key = look(card)
            if key not in looks_of_name:
                looks_of_name[key] = count
                count += 1
            self.looks.append(looks_of_name[key])
        order = {name: number for number, name in enumerate(found)}
        self.names = [order[card.name] for card in cards]
        self.texts: list[str] = []
        # Two names with two and one looks: texts Ant | Ant #2 | Bee, begins 0, 2
        self.begins: Row = []
        for name, looks_of_name in found.items():
            self.begins.append(len(self.texts))
            self.texts += [name if number == 1 else f"{name} #{number}" for number in range(1, len(looks_of_name) + 1)]
        self.are_plain = len(set(self.texts)) == len(self.texts)

    def ranks(self, ending: str = "") -> Row:
        """Return for each label the rank of its text, with this ending, in alphabetical order."""
        # Texts do not sort like their labels: "Ant #10" comes before "Ant #2", and an ending can move "Ant" behind "Ant
        # #2".
        ranks = [0] * len(self.texts)
        for rank, place in enumerate(sorted(range(len(ranks)), key=lambda place: self.texts[place] + ending)):
            ranks[place] = rank
        return ranks


def no_pool(seats: int) -> DeckPool:
    """Return the pool of a game without decks."""
    return DeckPool(FIXED_DECKS, seats, 0, 0, [], [], [], [0] * (seats + 1), [], [])


def pool_without_labels(kind: int, sizes: Sequence[int], cards: int) -> DeckPool:
    """Return the pool of a game with one shared deck and without names; `sizes` are the sizes of the decks."""
    begins = list(sizes) if kind == RANDOM_DECKS else [0, *accumulate(sizes)]
    return DeckPool(kind, 1, max(sizes), cards, [], [], [], begins, [0] * (0 if kind == RANDOM_DECKS else cards), [])


def resolve_decks(source: DeckSource, seats: int, sizes: range) -> tuple[int, Sequence[Sequence[Card]], int]:
    """Return the kind of a source, its decks, and the size of the largest, for a number of seats.

    The cards of random decks are returned as one deck; the list is empty if the source or a size is not suitable.
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


def make_pool(
    kind: int, seats: int, sizes: Sequence[int], labels: Labels, steps: Sequence[tuple[int, int, int, int, bool]] = ()
) -> DeckPool:
    """Return the pool of cards with these labels; `sizes` are the sizes of the decks."""
    is_random = kind in (RANDOM_DECKS, STEPWISE_DECKS)
    # Fixed decks are consecutive in `cards`; of random ones only the sizes are known.
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
        # `NUMBERS_PER_STEP` numbers per step, in one row; `int` converts the last one, a boolean.
        [int(number) for step in steps for number in step],
    )
    if not is_random:
        cards = list(range(len(labels.names)))
        for begin, end in pairwise(begins):
            label_deck(pool, cards, begin, end - begin, pool.labels)
    return pool


def room(pool: DeckPool) -> SeatDecks:
    """Return buffers for the cards that are dealt."""
    longest, seats = pool.longest, pool.seats
    # `sample` draws from all cards, or from all decks: one row of the numbers 0, 1, 2 … suffices for both.
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
    """Compute the labels of the cards of a deck, which is a part of a row, in its order."""
    for place in range(begin, begin + count):
        card = cards[place]
        name, look, number = pool.names[card], pool.looks[card], 0
        first = pool.begins[name]
        for earlier in range(begin, place):
            other = cards[earlier]
            if pool.names[other] != name:
                continue
            # A copy has the label of the first equal card; a different card of the name has the next label.
            if pool.looks[other] == look:
                number = labels[earlier] - first
                break
            number = max(number, labels[earlier] - first + 1)
        labels[place] = first + number


def draw_by_steps(pool: DeckPool, seat_decks: SeatDecks, begin: int, dice: Seeds) -> None:
    """Draw a deck in steps and shuffle it, like `BattleDecks`."""
    cards, chosen = seat_decks.cards, seat_decks.chosen
    count, since = 0, 0
    for step in range(0, len(pool.steps), NUMBERS_PER_STEP):
        first, available, drawn = pool.steps[step], pool.steps[step + 1], pool.steps[step + 2]
        enough, is_new = pool.steps[step + 3], pool.steps[step + 4]
        if is_new:
            since = count
        # Before the step's cards are examined, as in `BattleDecks`, so that the random draws are the same.
        sample(dice, available, chosen, 0, drawn, seat_decks.everything, seat_decks.swapped)
        before = count
        for place in range(drawn):
            card = first + chosen[place]
            # `BattleDecks` also draws more cards than it takes: ignore surplus ones.
            is_skipped = count - since >= enough
            for other in range(since, before):
                is_skipped = is_skipped or cards[begin + other] == card
            if not is_skipped:
                cards[begin + count] = card
                count += 1
    shuffle(dice, cards, begin, count)


def draw_decks(pool: DeckPool, seat_decks: SeatDecks, dice: Seeds) -> None:
    """Set every seat's deck, drawn if necessary, but not shuffled."""
    cards, labels, decks = seat_decks.cards, seat_decks.labels, pool.decks
    # Not set again for the next range of games.
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
                # Cards are indices in the pool: the sample is the deck.
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
    """Shuffle the indices of a seat's cards into `seat_decks.order`."""
    for place in range(seat_decks.size[seat]):
        seat_decks.order[place] = place
    shuffle(dice, seat_decks.order, 0, seat_decks.size[seat])
