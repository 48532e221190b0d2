"""Dice as a row of two numbers, their state and their seed: the throws of `engine.dice.Dice`.

The row is one of unsigned numbers when it is compiled. Where one of them meets a number with a sign, the result has a
sign: what needs all 64 bits therefore goes through the row again, and nothing has more than 2**31 sides.
"""

from engine.dice import ALL, FIRST, SECOND, SEED_BITS, STEP
from engine.rows.row import Row, Seeds

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


def shuffle_first(dice: Seeds, things: Row, begin: int, size: int, count: int) -> None:
    """Brings so many things of a part of a row, drawn by the dice, to its beginning: how `shuffle` would begin."""
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
