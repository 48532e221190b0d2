"""Rows: lists of numbers with a fixed length, which are arrays in compiled code.

Integers are signed with 64 bits when compiled, and unlimited otherwise: a core keeps them below 2**62, so that both
agree. Large rows in a bundle (a `NamedTuple`) can be stored with fewer bits.
"""

from typing import Annotated

from ccgrid.engine.rows.binding import compiled_as

Row = list[int]
Floats = list[float]

Row32 = Annotated[Row, "int32"]
Row16 = Annotated[Row, "int16"]
Row8 = Annotated[Row, "uint8"]
"""Rows of narrower integers; those of 8 bits are unsigned. Arithmetic on their elements uses 64 bits."""

Seeds = Annotated[Row, "uint64"]
"""Rows of generator states, which need all 64 bits."""


def _copy_one_by_one(into: Row, at: int, row: Row, begin: int, count: int) -> None:
    for place in range(count):
        into[at + place] = row[begin + place]


@compiled_as(_copy_one_by_one)
def copy(into: Row, at: int, row: Row, begin: int, count: int) -> None:
    """Copy `count` numbers from `row[begin:]` to `into[at:]`."""
    into[at : at + count] = row[begin : begin + count]


# --- non-negative integers as bit sets; counting and finding bits is one instruction in compiled code ---


def count_bits(bits: int) -> int:
    """Return the number of set bits."""
    return bits.bit_count()


def lowest_bit(bits: int) -> int:
    """Return the index of the lowest set bit of a number other than 0.

    >>> lowest_bit(0b1000)
    3
    """
    return (bits & -bits).bit_length() - 1


def write_set_bits(bits: int, places: Row) -> int:
    """Write the indices of the set bits to `places`, the lowest first, and return their number."""
    # `bits & (bits - 1)` clears the lowest set bit.
    count = 0
    while bits:
        places[count] = lowest_bit(bits)
        bits &= bits - 1
        count += 1
    return count


def bit_at(bits: int, number: int) -> int:
    """Return the index of the n-th set bit, counted from 0 at the lowest; without a branch if n is below 4.

    >>> bit_at(0b1101, 1)
    2
    """
    while number > 3:
        bits &= bits - 1
        number -= 1
    # Compute the first four set bits unconditionally: that is faster than a mispredicted branch.
    second = bits & (bits - 1)
    third = second & (second - 1)
    fourth = third & (third - 1)
    # The lower bit of `number` selects within each pair, the upper bit selects the pair.
    one = second if number & 1 else bits
    other = fourth if number & 1 else third
    return lowest_bit(other if number & 2 else one)
