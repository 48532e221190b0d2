"""Rows: lists of numbers that keep their length. Where functions are compiled they are arrays.

Whole numbers have 64 bits and a sign when they are compiled, and no limit when they are not: a core keeps them below
2**62, so that both are the same. What a bundle of rows (a `NamedTuple`) holds by the thousand can be stored in less.
"""

from typing import Annotated

from ccgrid.engine.rows.binding import compiled_as

Row = list[int]
Floats = list[float]

Row32 = Annotated[Row, "int32"]
Row16 = Annotated[Row, "int16"]
Row8 = Annotated[Row, "uint8"]
"""Rows of narrower numbers; those of 8 bits go from 0 to 255. What is read from them is calculated in 64 bits."""

Seeds = Annotated[Row, "uint64"]
"""Rows of dice, which alone use all 64 bits."""


def _copy_one_by_one(into: Row, at: int, row: Row, begin: int, count: int) -> None:
    for place in range(count):
        into[at + place] = row[begin + place]


@compiled_as(_copy_one_by_one)
def copy(into: Row, at: int, row: Row, begin: int, count: int) -> None:
    """Copies `count` numbers of one row, from `begin` on, into another, from `at` on."""
    into[at : at + count] = row[begin : begin + count]


def fetch(row: Row, place: int) -> None:
    """Compiled, an instruction: this place will be read soon, and what else is done meanwhile need not wait for it."""


# --- whole numbers as rows of bits, none negative; compiled, to count or to find them is one instruction ---


def count_bits(bits: int) -> int:
    """How many bits are set."""
    return bits.bit_count()


def lowest_bit(bits: int) -> int:
    """The place of the lowest bit that is set, of a number that is not 0.

    >>> lowest_bit(0b1000)
    3
    """
    return (bits & -bits).bit_length() - 1


def bits_of(bits: int, places: Row) -> int:
    """How many bits are set, whose places are in `places`, the lowest first."""
    # As in `bit_at`: `bits & (bits - 1)` is the number without its lowest bit.
    count = 0
    while bits:
        places[count] = lowest_bit(bits)
        bits &= bits - 1
        count += 1
    return count


def bit_at(bits: int, number: int) -> int:
    """The place of the set bit with this number, from 0 at the lowest; found without a branch if it is below 4.

    >>> bit_at(0b1101, 1)
    2
    """
    while number > 3:
        bits &= bits - 1
        number -= 1
    # The first four set bits are found whether they are needed or not: that is sooner than a branch guessed wrong.
    second = bits & (bits - 1)
    third = second & (second - 1)
    fourth = third & (third - 1)
    # `number` in two bits: the lower one chooses in both pairs, the upper one the pair.
    one = second if number & 1 else bits
    other = fourth if number & 1 else third
    return lowest_bit(other if number & 2 else one)
