"""The line protocol from the side of the program that is asked for moves (docs/protocol.md)."""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, harmless
from ccgrid.engine.game import State
from ccgrid.engine.notation import read_position
from ccgrid.engine.players import Budget, choose_move, find_player
from ccgrid.engine.players.program import PROTOCOL

LONGEST_LINE: Final = 1 << 22
"""So many characters a line may have: a position with the largest decks has a tenth of that."""

_SPARED: Final = 0.9
"""The part of the time for a move that is thought; the rest is for the way there and back."""


def answers(lines: Iterable[str], player: str, seed: int, name: str) -> Iterator[str]:
    """What is answered to each line, if anything, until one says `quit`.

    Args:
        lines: what is asked.
        player: the computer player that thinks, as `find_player` reads it.
        seed: what its dice follow from.
        name: what the program calls itself.

    Raises:
        EngineError: there is no such player.
    """
    thinker, dice = find_player(player), Dice(seed)
    state: State | None = None
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        try:
            match word:
                case "" | "legal":
                    continue
                case "quit":
                    return
                case "ccgrid":
                    _check_version(line.strip())
                    yield f"ready {name}"
                case "position":
                    state = None
                    game, _, position = rest.partition(" ")
                    state = read_position(game, json.loads(position))
                case "go":
                    yield f"move {_move(state, thinker, dice, rest)}"
                case _:
                    yield f"error unknown command {harmless(word)}"
        except (EngineError, ValueError, RecursionError) as error:
            yield f"error {harmless(error)}"


def _check_version(line: str) -> None:
    if line != PROTOCOL:
        raise EngineError(f"this program speaks {PROTOCOL}")


def _move(state: State | None, player: object, dice: Dice, seconds: str) -> str:
    if state is None:
        raise EngineError("there is no position yet")
    budget = Budget(_SPARED * float(seconds)) if seconds else Budget()
    try:
        return choose_move(player, state, dice, budget)  # type: ignore[arg-type]
    except (LookupError, TypeError, AttributeError) as error:  # numbers that no game comes to
        raise EngineError(f"this position cannot be played: {type(error).__name__}") from None
