"""Dice as a row of two numbers, their state and their seed: the throws of `engine.dice.Dice`."""

from typing import Final

from engine.dice import ALL, Dice
from engine.numeric.rows import Ints

SIDES: Final = 1 << 32


def below(dice: Ints, sides: int) -> int:
    """The throw of `Dice.below`; compiled code has its own."""
    thrown = Dice(dice[0])
    number = thrown.below(sides)
    dice[0] = thrown.state & ALL
    return number


def fork(dice: Ints, number: int) -> None:
    """Throws on as `Dice(seed).fork(number)` does; compiled code has its own."""
    dice[0] = Dice(dice[1]).fork(number).state


def shuffle_first(dice: Ints, things: Ints, begin: int, size: int, count: int) -> None:
    """Brings so many things of a part of a row, drawn by the dice, to its beginning, in random order."""
    for place in range(min(count, size - 1)):
        other = place + below(dice, size - place)
        there = things[begin + other]
        things[begin + other] = things[begin + place]
        things[begin + place] = there
