"""Decks for each seat of many games: the same for all games, different ones of many, or drawn from cards.

Cards are their places among all cards of the pool. Different cards of one name in a deck are told apart as
`engine.cards.label` does: `Name`, `Name #2`, `Name #3` in the order in which they lie in it before it is shuffled. A
label is the place of such a text in `Labels.texts`.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import DeckSource, DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.rows.dice import sample, shuffle
from ccgrid.engine.rows.row import Row, Row32, Seeds

SHARED, DIFFERENT, DRAWN, BY_STEPS = range(4)
"""Where decks come from: the same for all games; different ones of many; drawn from all cards; drawn in steps."""

STEP: Final = 5
"""So many numbers has each step."""


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


class Dealt(NamedTuple):
    """What each seat is dealt, and room for dealing; the deck of a seat begins at `seat * longest`.

    Attributes:
        longest: as of the pool.
        cards, labels: of each seat, in the order of its deck.
        size: how many there are.
        order: room for as many cards as a deck has.
        chosen, swapped, everything: room for drawing.
        is_drawn: a number that is not 0 once decks were drawn: those that all games share stay as they are.
    """

    longest: int
    cards: Row
    labels: Row
    size: Row
    order: Row
    chosen: Row
    swapped: Row
    everything: Row32
    is_drawn: Row


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
            there = found.setdefault(card.name, {})
            key = look(card)
            if key not in there:
                there[key] = count
                count += 1
            self.looks.append(there[key])
        order = {name: number for number, name in enumerate(found)}
        self.names = [order[card.name] for card in cards]
        self.texts: list[str] = []
        self.begins: Row = []
        for name, there in found.items():
            self.begins.append(len(self.texts))
            self.texts += [name if number == 1 else f"{name} #{number}" for number in range(1, len(there) + 1)]
        self.are_plain = len(set(self.texts)) == len(self.texts)

    def ranks(self, ending: str = "") -> Row:
        """For each label where its text, with this ending, stands when all are sorted."""
        ranks = [0] * len(self.texts)
        for rank, place in enumerate(sorted(range(len(ranks)), key=lambda place: self.texts[place] + ending)):
            ranks[place] = rank
        return ranks


def no_pool(seats: int) -> DeckPool:
    """The pool of a game without decks."""
    return DeckPool(SHARED, seats, 0, 0, [], [], [], [0] * (seats + 1), [], [])


def pool_without_labels(kind: int, sizes: Sequence[int], cards: int) -> DeckPool:
    """The pool of a game whose players share one deck, where names do not matter; `sizes` are those of the decks."""
    begins = list(sizes) if kind == DRAWN else [0, *accumulate(sizes)]
    return DeckPool(kind, 1, max(sizes), cards, [], [], [], begins, [0] * (0 if kind == DRAWN else cards), [])


def decks_of(source: DeckSource, seats: int, sizes: range) -> tuple[int, Sequence[Sequence[Card]], int]:
    """Where decks for so many seats come from, what they are, and how many cards the longest has.

    What decks are drawn from is one deck; there is none where the source or a size is none that fits.
    """
    kind, decks, longest = SHARED, tuple[Sequence[Card], ...](), 0
    if isinstance(source, FixedDecks) and len(source.decks) == seats:
        decks = source.decks
    elif isinstance(source, DifferentDecks) and source.count == seats <= len(source.decks):
        kind, decks = DIFFERENT, source.decks
    elif isinstance(source, RandomDecks) and source.count == seats and source.size in sizes:
        fits = len(source.cards) >= source.size
        return DRAWN, [source.cards] if fits else [], source.size
    if all(len(deck) in sizes for deck in decks):
        longest = max(map(len, decks), default=0)
        return kind, decks, longest
    return kind, [], 0


def pool_of(
    kind: int, seats: int, sizes: Sequence[int], labels: Labels, steps: Sequence[tuple[int, int, int, int, bool]] = ()
) -> DeckPool:
    """The pool of cards with these labels; `sizes` are those of the decks."""
    is_drawn = kind in (DRAWN, BY_STEPS)
    begins = list(sizes) if is_drawn else [0, *accumulate(sizes)]
    pool = DeckPool(
        kind,
        seats,
        max(sizes, default=0),
        len(labels.names),
        labels.names,
        labels.looks,
        labels.begins,
        begins,
        [0] * (0 if is_drawn else len(labels.names)),
        [int(number) for step in steps for number in step],
    )
    if not is_drawn:
        cards = list(range(len(labels.names)))
        for begin, end in pairwise(begins):
            label(pool, cards, begin, end - begin, pool.labels)
    return pool


def room(pool: DeckPool) -> Dealt:
    """Room for the cards that are dealt."""
    longest, seats = pool.longest, pool.seats
    everything = max(pool.cards, len(pool.decks))
    return Dealt(
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


def label(pool: DeckPool, cards: Row, begin: int, count: int, labels: Row) -> None:
    """The labels of the cards of a deck, which is a part of a row, in the order in which they lie in it."""
    for place in range(begin, begin + count):
        card = cards[place]
        name, look, number = pool.names[card], pool.looks[card], 0
        first = pool.begins[name]
        for earlier in range(begin, place):
            other = cards[earlier]
            if pool.names[other] != name:
                continue
            if pool.looks[other] == look:
                number = labels[earlier] - first
                break
            number = max(number, labels[earlier] - first + 1)
        labels[place] = first + number


def draw_by_steps(pool: DeckPool, dealt: Dealt, begin: int, dice: Seeds) -> None:
    """Draws a deck in steps and shuffles it, as `BattleDecks` does."""
    cards, chosen = dealt.cards, dealt.chosen
    count, since = 0, 0
    for step in range(0, len(pool.steps), STEP):
        first, available, drawn = pool.steps[step], pool.steps[step + 1], pool.steps[step + 2]
        enough, is_new = pool.steps[step + 3], pool.steps[step + 4]
        if is_new:
            since = count
        sample(dice, available, chosen, 0, drawn, dealt.everything, dealt.swapped)
        before = count
        for place in range(drawn):
            card = first + chosen[place]
            is_there = count - since >= enough
            for other in range(since, before):
                is_there = is_there or cards[begin + other] == card
            if not is_there:
                cards[begin + count] = card
                count += 1
    shuffle(dice, cards, begin, count)


def draw_decks(pool: DeckPool, dealt: Dealt, dice: Seeds) -> None:
    """Draws every seat's deck, if it is drawn; each lies as before it is shuffled."""
    cards, labels, decks = dealt.cards, dealt.labels, pool.decks
    if pool.source == SHARED and dealt.is_drawn[0]:
        return
    dealt.is_drawn[0] = 1
    if pool.source == DIFFERENT:
        sample(dice, len(decks) - 1, dealt.chosen, 0, pool.seats, dealt.everything, dealt.swapped)
    for seat in range(pool.seats):
        begin = seat * dealt.longest
        if pool.source >= DRAWN:
            dealt.size[seat] = decks[seat]
            if pool.source == DRAWN:
                sample(dice, pool.cards, cards, begin, decks[seat], dealt.everything, dealt.swapped)
            else:
                draw_by_steps(pool, dealt, begin, dice)
            if len(pool.names):
                label(pool, cards, begin, decks[seat], labels)
            continue
        number = dealt.chosen[seat] if pool.source == DIFFERENT else seat
        first = decks[number]
        dealt.size[seat] = decks[number + 1] - first
        for place in range(dealt.size[seat]):
            cards[begin + place] = first + place
            labels[begin + place] = pool.labels[first + place]


def shuffle_order(dealt: Dealt, seat: int, dice: Seeds) -> None:
    """In `dealt.order` the places of a seat's cards as they lie when its deck is shuffled."""
    for place in range(dealt.size[seat]):
        dealt.order[place] = place
    shuffle(dice, dealt.order, 0, dealt.size[seat])
