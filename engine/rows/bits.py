"""Whole numbers as rows of bits, none negative; compiled, to count or to find them is one instruction."""

from engine.rows.row import Row


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
    count = 0
    while bits:
        places[count] = lowest_bit(bits)
        bits &= bits - 1
        count += 1
    return count


def bit_at(bits: int, number: int) -> int:
    """The place of the bit of which so many lower ones are set; found without a branch if it is one of the first four.

    >>> bit_at(0b1101, 1)
    2
    """
    while number > 3:
        bits &= bits - 1
        number -= 1
    second = bits & (bits - 1)
    third = second & (second - 1)
    fourth = third & (third - 1)
    one = second if number & 1 else bits
    other = fourth if number & 1 else third
    return lowest_bit(other if number & 2 else one)
