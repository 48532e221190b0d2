"""Dice as a row of two numbers, their state and their seed: the throws of `engine.dice.Dice`.

The row is one of unsigned numbers when it is compiled. Where one of them meets a number with a sign, the result has a
sign: what needs all 64 bits therefore goes through the row again, and nothing has more than 2**31 sides.
"""

from functools import cache
from struct import Struct

from ccgrid.engine.dice import ALL, FIRST, SECOND, SEED_BITS, STEP
from ccgrid.engine.rows.binding import compiled_as
from ccgrid.engine.rows.row import Row, Seeds

_LOW = (1 << 32) - 1
_MOST_SIDES = 1 << 32
_SHIFT = 64 - SEED_BITS


def dice_row(seed: int) -> Row:
    """The dice with a seed."""
    return [seed & ALL, seed & ALL]


def below(dice: Seeds, sides: int) -> int:
    """The throw of `Dice.below`, for at most 2**31 sides."""
    dice[0] = z = (dice[0] + STEP) & ALL
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    product = ((z ^ z >> 31) >> 32) * sides
    while product & _LOW < sides and product & _LOW < _MOST_SIDES % sides:
        dice[0] = z = (dice[0] + STEP) & ALL
        z = ((z ^ z >> 30) * FIRST) & ALL
        z = ((z ^ z >> 27) * SECOND) & ALL
        product = ((z ^ z >> 31) >> 32) * sides
    return product >> 32


def fork(dice: Seeds, number: int) -> None:
    """Throws on as `Dice(seed).fork(number)` does."""
    z = dice[1]
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    dice[0] = ((z ^ z >> 31) + number * STEP) & ALL
    z = dice[0]
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    dice[0] = (z ^ z >> 31) >> _SHIFT


def shuffle(dice: Seeds, things: Row, begin: int, count: int) -> None:
    """Shuffles so many things of a row as `Dice.shuffled` does."""
    shuffle_first(dice, things, begin, count, count)


def _one_by_one(dice: Seeds, things: Row, begin: int, size: int, count: int) -> None:
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


@compiled_as(_one_by_one)
def shuffle_first(dice: Seeds, things: Row, begin: int, size: int, count: int) -> None:
    """Brings so many things of a part of a row, drawn by the dice, to its beginning: how `shuffle` would begin."""
    count, end = max(min(count, size - 1), 0), begin + size
    for place, thrown in enumerate(_coming(dice[0], count), begin):
        product = thrown * (end - place)
        if product & _LOW < size:  # it may have to be thrown again
            dice[0] = (dice[0] + STEP * (place - begin)) & ALL
            _one_by_one(dice, things, place, end - place, begin + count - place)
            return
        other = place + (product >> 32)
        things[place], things[other] = things[other], things[place]
    dice[0] = (dice[0] + STEP * count) & ALL


def _coming(state: int, count: int) -> tuple[int, ...]:
    """The upper halves of the next 64 random bits, so many times.

    All are calculated at once, each in its lane of 128 bits in one long number: in plain Python that takes a fifth of
    the time. A product of two numbers of 64 bits fills a lane, and never reaches into the next one.

        bits    64..127           32..63        0..31
                room to multiply  read in here  thrown away
    """
    each, steps, halves = _lanes(count)
    low = each * ALL
    z = (state * each + steps) & low
    z = ((z ^ z >> 30) & low) * FIRST & low
    z = ((z ^ z >> 27) & low) * SECOND & low
    return halves.unpack((z ^ z >> 31).to_bytes(16 * count, "little"))


@cache
def _lanes(count: int) -> tuple[int, int, Struct]:
    """A one in each of so many lanes; by how much the state is further in each; and how the halves are read."""
    each = sum(1 << 128 * lane for lane in range(count))
    steps = sum((lane + 1) * STEP << 128 * lane for lane in range(count))
    return each, steps, Struct("<" + "4xI8x" * count)


def sample(dice: Seeds, size: int, drawn: Row, begin: int, count: int, places: Row, swapped: Row) -> None:
    """So many of the numbers below `size`, as `Dice.sample` gives them, into a part of `drawn`.

    `places` has the numbers from 0 in order, and has so again in the end; `swapped` is room for as many as are drawn.
    """
    for place in range(count):
        other = place
        if place + 1 < size:
            other += below(dice, size - place)
        swapped[place] = other
        there = places[other]
        places[other] = places[place]
        places[place] = there
        drawn[begin + place] = there
    for place in range(count):
        places[place] = place
        places[swapped[place]] = swapped[place]
