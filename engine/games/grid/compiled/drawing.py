"""Decks of grid drawn from a pool, compiled: the places that `Dice.sample` gives."""

from typing import Any, Final

import numpy as np

from engine.games.grid.state import DECK_SIZE
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.throwing import below

_U: Final = np.uint64
_0, _1, _6, _63 = (_U(number) for number in (0, 1, 6, 63))


@compiled("uint64(uint64, uint64, uint64[::1], uint64[::1], uint64[::1])", inline=True, borrows=True)
def draw(state: Any, size: Any, changed: Any, displaced: Any, drawn: Any) -> Any:
    """The state of the dice after drawing different ones of so many cards, and their places, in `drawn`.

    What changes places is kept in two short lists, nothing as long as the pool beside it. They are read where a place
    is likely to be in there: by a bit for each place below 64, and by two bits, of a place's lower and higher digits.
    """
    low, ones, sixty_fours = _0, _0, _0
    for place in range(DECK_SIZE):
        at = _U(place)
        other = at
        if at + _1 < size:
            state, other = below(state, size - at)
            other += at
        here, there = at, other
        one, sixty_four = _1 << (other & _63), _1 << ((other >> _6) & _63)
        if (low >> at) & _1:
            for before in range(place):
                if changed[before] == at:
                    here = displaced[before]
        if ones & one and sixty_fours & sixty_four:
            for before in range(place):
                if changed[before] == other:
                    there = displaced[before]
        changed[place], displaced[place] = other, here
        ones |= one
        sixty_fours |= sixty_four
        low |= one if other <= _63 else _0
        drawn[place] = here if other == at else there
    return state
