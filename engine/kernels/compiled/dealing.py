"""Decks for each seat in compiled games: the same for all games, different ones of many, drawn from cards, or given."""

from typing import Any, Final

import numpy as np

from engine.games.ninecard.opening import HAND
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.labels import label
from engine.kernels.compiled.throwing import sample, shuffle

SHARED, DIFFERENT, DRAWN, GIVEN = range(4)
"""Where decks come from: the same for all games; different ones of many; drawn from cards; given for each game."""

_U: Final = np.uint64
_I: Final = np.int64
_HAND: Final = _U(HAND)
_1: Final = _U(1)

_SPACE: Final = "Tuple((uint32[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1], uint32[::1]))"


@compiled(
    f"Tuple((uint32[:, ::1], uint32[:, ::1], uint64[::1], {_SPACE}))"
    "(uint64, uint64, uint64, uint32[:, ::1], uint32[::1], uint64[::1])"
)
def room(seats: Any, source: Any, cards: Any, names: Any, begins: Any, decks: Any) -> Any:
    """Room for the cards that are dealt to each seat, their texts, how many there are, and for dealing them."""
    sized = source in (DRAWN, GIVEN)
    count = _U(len(decks)) if sized else _U(len(decks) - 1)
    longest = _U(0)
    for place in range(count):
        longest = max(longest, decks[place] if sized else decks[place + 1] - decks[place])
    everything = np.arange(np.int64(max(cards, _U(len(decks))))).astype(np.uint32)
    printed = np.zeros(cards, np.uint32)
    if not sized:
        for one in range(count):
            there = everything[decks[one] : decks[one + 1]]
            label(there, names[0], names[1], begins, printed[decks[one] : decks[one + 1]])
    chosen = np.zeros(seats, np.uint32)
    swapped = np.zeros(max(longest, seats), np.uint32)
    deck = np.zeros(longest, np.uint32)
    order = np.zeros(longest, np.uint32)
    dealt = np.zeros((seats, longest), np.uint32)
    labels = np.zeros((seats, longest), np.uint32)
    return dealt, labels, np.zeros(seats, np.uint64), (everything, printed, chosen, swapped, deck, order)


@compiled("boolean(uint32[::1], uint32[::1], int64[::1], uint8, uint8)")
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


@compiled(
    "uint64(uint64, uint64, int64, uint32[:, ::1], uint32[::1], uint64[::1], uint32[:, ::1],"
    f" uint32[:, ::1], uint32[:, ::1], uint64[::1], {_SPACE}, int64[::1], int64, uint8, uint8)"
)
def deal(
    state: Any,
    source: Any,
    game: Any,
    names: Any,
    begins: Any,
    decks: Any,
    given: Any,
    dealt: Any,
    labels: Any,
    size: Any,
    space: Any,
    costs: Any,
    again: Any,
    facedown: Any,
    one_creature: Any,
) -> Any:
    """The state of the dice after every seat's deck was drawn, if it is drawn, and shuffled.

    Args:
        state: of the dice.
        source: where decks come from.
        game: the place of the game among those that are played.
        names: each card's name, and in the second row its name and looks, as numbers.
        begins: for each name where its texts begin.
        decks: where each deck's cards begin, and where the last one's end; where they are drawn, the size of each.
        given: for each game the cards of all decks, where they were drawn before.
        dealt: to be filled, like what follows: each seat's cards.
        labels: their texts.
        size: how many there are.
        space: what `room` gave.
        costs: each card's cost if it is a creature, or -1.
        again: how often a deck is shuffled again at most whose first cards hold no creature that they can pay.
        facedown: not 0 where every creature may be laid as energy.
        one_creature: not 0 where one may.
    """
    everything, printed, chosen, swapped, deck, order = space
    seats = len(size)
    if source == DIFFERENT:
        state = sample(state, _U(len(decks) - 1), everything, swapped, chosen)
    offset = _U(0)
    for seat in range(seats):
        if source == DRAWN:
            size[seat] = decks[seat]
            state = sample(state, _U(len(printed)), everything, swapped, dealt[seat, : size[seat]])
        elif source == GIVEN:
            size[seat] = decks[seat]
            for place in range(size[seat]):
                dealt[seat, place] = given[game, offset + _U(place)]
            offset += size[seat]
        else:
            number = _U(chosen[seat]) if source == DIFFERENT else _U(seat)
            size[seat] = decks[number + _1] - decks[number]
            for place in range(size[seat]):
                dealt[seat, place] = decks[number] + _U(place)
    for seat in range(seats):
        if source in (DRAWN, GIVEN):
            label(dealt[seat, : size[seat]], names[0], names[1], begins, labels[seat, : size[seat]])
        else:
            for place in range(size[seat]):
                labels[seat, place] = printed[dealt[seat, place]]
        shuffles = _I(0)
        hand = min(size[seat], _HAND)
        while shuffles == 0 or (
            shuffles <= again and not can_open(dealt[seat], order[:hand], costs, facedown, one_creature)
        ):
            for place in range(size[seat]):
                order[place] = place
            state = shuffle(state, order[: size[seat]])
            shuffles += 1
        deck[: size[seat]] = dealt[seat, : size[seat]]
        for place in range(size[seat]):
            dealt[seat, place] = deck[order[place]]
        deck[: size[seat]] = labels[seat, : size[seat]]
        for place in range(size[seat]):
            labels[seat, place] = deck[order[place]]
    return state
