"""Decks for each seat in compiled games: the same for all games, different ones of many, or drawn from cards."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types

from engine.kernels.compiled.compiler import bundle, compiled
from engine.kernels.compiled.labels import Labels, label
from engine.kernels.compiled.throwing import sample, shuffle

SHARED, DIFFERENT, DRAWN, BY_STEPS = range(4)
"""Where decks come from: the same for all games; different ones of many; drawn from all cards; drawn in steps."""

_U: Final = np.uint64
_I: Final = np.int64
_1: Final = _U(1)


class Pool(NamedTuple):
    """What decks are made of.

    Attributes:
        source: where they come from.
        names: each card's name, and in the second row its name and looks, as numbers.
        begins: for each name where its texts begin.
        decks: where each deck's cards begin, and where the last one's end; where they are drawn, the size of each.
        steps: where they are drawn in steps, for each step the first card, how many cards there are from there on, how
            many of them are drawn, with how many it is done, and whether cards drawn before may come again.
        costs: each card's cost if it is a creature, or -1; none where a hand need not have a creature.
    """

    source: Any
    names: Any
    begins: Any
    decks: Any
    steps: Any
    costs: Any


class Dealt(NamedTuple):
    """What is dealt to each seat, the cards and their texts' places, how many there are; and room for dealing."""

    cards: Any
    labels: Any
    size: Any
    everything: Any
    printed: Any
    chosen: Any
    swapped: Any
    deck: Any
    order: Any


POOL: Final = bundle(Pool, "uint64", "uint32[:, ::1]", "uint32[::1]", "uint64[::1]", "int64[:, ::1]", "int64[::1]")
DEALT: Final = bundle(Dealt, "uint32[:, ::1]", "uint32[:, ::1]", "uint64[::1]", *["uint32[::1]"] * 6)


def pool_of(
    source: int,
    decks: Sequence[int],
    labels: Labels,
    *,
    steps: Sequence[tuple[int, int, int, int, bool]] = (),
    costs: Sequence[int] = (),
) -> Pool:
    """The pool of cards with these labels; `decks` are the sizes of the decks."""
    begins = decks if source in (DRAWN, BY_STEPS) else [0, *accumulate(decks)]
    return Pool(
        np.uint64(source),
        np.array([labels.name, labels.look]),
        labels.begins,
        np.array(begins, np.uint64),
        np.array(steps, np.int64).reshape(-1, 5),
        np.array(costs, np.int64),
    )


@compiled(DEALT(types.uint64, POOL))
def room(seats: Any, pool: Any) -> Any:
    """Room for the cards that are dealt to so many seats."""
    decks = pool.decks
    cards = _U(pool.names.shape[1])
    is_drawn = pool.source in (DRAWN, BY_STEPS)
    longest = _U(0)
    for place in range(len(decks) - (0 if is_drawn else 1)):
        longest = max(longest, decks[place] if is_drawn else decks[place + 1] - decks[place])
    everything = np.arange(np.int64(max(cards, _U(len(decks))))).astype(np.uint32)
    printed = np.zeros(cards, np.uint32)
    if not is_drawn:
        for one in range(len(decks) - 1):
            there = everything[decks[one] : decks[one + 1]]
            label(there, pool.names[0], pool.names[1], pool.begins, printed[decks[one] : decks[one + 1]])
    return Dealt(
        np.zeros((seats, longest), np.uint32),
        np.zeros((seats, longest), np.uint32),
        np.zeros(seats, np.uint64),
        everything,
        printed,
        np.zeros(seats, np.uint32),
        np.zeros(max(longest, seats), np.uint32),
        np.zeros(longest, np.uint32),
        np.zeros(longest, np.uint32),
    )


@compiled("boolean(uint32[::1], uint32[::1], int64[::1], int64, int64)", borrows=True)
def can_open(cards: Any, places: Any, costs: Any, facedown: Any, one_creature: Any) -> Any:
    """Whether the cards at these places hold a creature that all energy among them pays for."""
    energy, creatures, cheapest = _I(0), _I(0), _I(1 << 30)
    for place in places:
        cost = costs[cards[place]]
        if cost < 0:
            energy += 1
        else:
            creatures += 1
            cheapest = min(cheapest, cost)
    if facedown:
        energy += creatures - 1
    elif one_creature and creatures > 1:
        energy += 1
    return cheapest <= energy


@compiled(types.uint64(types.uint64, POOL, DEALT, types.uint32[::1]), borrows=True)
def draw_by_steps(state: Any, pool: Any, dealt: Any, cards: Any) -> Any:
    """The state of the dice after a deck was drawn in steps and shuffled, as `BattleDecks` does; it is in `cards`."""
    count, begin = 0, 0
    for step in range(len(pool.steps)):
        first, available, drawn, enough, is_new = pool.steps[step]
        if is_new:
            begin = count
        candidates = dealt.deck[:drawn]
        state = sample(state, _U(available), dealt.everything, dealt.swapped, candidates)
        before = count
        for place in range(drawn):
            card = first + _I(candidates[place])
            is_there = count - begin >= enough
            for other in range(begin, before):
                is_there = is_there or cards[other] == card
            if not is_there:
                cards[count] = card
                count += 1
    return shuffle(state, cards)


@compiled(types.uint64(types.uint64, POOL, DEALT), borrows=True)
def draw_decks(state: Any, pool: Any, dealt: Any) -> Any:
    """The state of the dice after every seat's deck was drawn, if it is drawn; each lies as before it is shuffled."""
    cards, labels, size, decks = dealt.cards, dealt.labels, dealt.size, pool.decks
    if pool.source == DIFFERENT:
        state = sample(state, _U(len(decks) - 1), dealt.everything, dealt.swapped, dealt.chosen)
    for seat in range(len(size)):
        if pool.source in (DRAWN, BY_STEPS):
            size[seat] = decks[seat]
            deck = cards[seat, : size[seat]]
            if pool.source == DRAWN:
                state = sample(state, _U(len(dealt.printed)), dealt.everything, dealt.swapped, deck)
            else:
                state = draw_by_steps(state, pool, dealt, deck)
            label(deck, pool.names[0], pool.names[1], pool.begins, labels[seat, : size[seat]])
            continue
        number = _U(dealt.chosen[seat]) if pool.source == DIFFERENT else _U(seat)
        size[seat] = decks[number + _1] - decks[number]
        for place in range(size[seat]):
            card = decks[number] + _U(place)
            cards[seat, place] = card
            labels[seat, place] = dealt.printed[card]
    return state


@compiled(types.uint64(types.uint64, POOL, DEALT, types.uint64, types.int64, types.int64, types.int64), borrows=True)
def shuffle_decks(state: Any, pool: Any, dealt: Any, hand: Any, again: Any, facedown: Any, one_creature: Any) -> Any:
    """The state of the dice after every seat's deck was shuffled.

    It is shuffled again so often at most if its first `hand` cards hold no creature that they can pay, of whom all may
    be laid as energy where `facedown` is not 0, or one where `one_creature` is not 0.
    """
    order, deck = dealt.order, dealt.deck
    for seat in range(len(dealt.size)):
        size = dealt.size[seat]
        cards, labels = dealt.cards[seat], dealt.labels[seat]
        shuffles = _I(0)
        first = min(size, hand)
        while shuffles == 0 or (
            shuffles <= again and not can_open(cards, order[:first], pool.costs, facedown, one_creature)
        ):
            for place in range(size):
                order[place] = place
            state = shuffle(state, order[:size])
            shuffles += 1
        for things in (cards, labels):
            for place in range(size):
                deck[place] = things[place]
            for place in range(size):
                things[place] = deck[order[place]]
    return state
