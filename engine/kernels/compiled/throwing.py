"""Dice in compiled code: the throws of `engine.dice.Dice`, on a state that is handed on."""

from typing import Any, Final

import numpy as np

from engine import dice
from engine.kernels.compiled.compiler import compiled

STEP: Final = np.uint64(dice.STEP)
_FIRST: Final = np.uint64(dice.FIRST)
_SECOND: Final = np.uint64(dice.SECOND)
_30: Final = np.uint64(30)
_27: Final = np.uint64(27)
_31: Final = np.uint64(31)
_32: Final = np.uint64(32)
_LOW: Final = np.uint64((1 << 32) - 1)
_ALL_SIDES: Final = np.uint64(1 << 32)
_SHIFT: Final = np.uint64(64 - dice.SEED_BITS)


@compiled("uint64(uint64)", borrows=True)
def mixed(z: Any) -> Any:
    """SplitMix64's last step."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@compiled("UniTuple(uint64, 2)(uint64, uint64)", borrows=True)
def below(state: Any, sides: Any) -> Any:
    """The state after `Dice.below(sides)`, and the number."""
    state += STEP
    product = (mixed(state) >> _32) * sides
    if product & _LOW < sides:
        unfair = _ALL_SIDES % sides
        while product & _LOW < unfair:
            state += STEP
            product = (mixed(state) >> _32) * sides
    return state, product >> _32


@compiled("uint64(uint64, uint64)", borrows=True)
def fork_seed(seed: Any, number: Any) -> Any:
    """The seed of `Dice(seed).fork(number)`."""
    return mixed(mixed(seed) + number * STEP) >> _SHIFT


@compiled("uint64[::1](uint64, uint64, uint64)")
def fork_seeds(seed: Any, start: Any, count: Any) -> Any:
    """The seeds of the games from number `start` on."""
    seeds = np.empty(count, np.uint64)
    for place in range(count):
        seeds[place] = fork_seed(seed, start + np.uint64(place))
    return seeds


@compiled("uint64(uint64, uint32[::1])", borrows=True)
def shuffle(state: Any, things: Any) -> Any:
    """The state after `Dice.shuffled(things)`, which are in that order then."""
    size = np.uint64(len(things))
    for place in range(len(things) - 1):
        at = np.uint64(place)
        state, other = below(state, size - at)
        other += at
        things[at], things[other] = things[other], things[at]
    return state
