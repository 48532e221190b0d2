"""The line protocol on the side of the program that chooses moves (docs/protocol.md)."""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, harmless
from ccgrid.engine.game import State
from ccgrid.engine.notation import read_position
from ccgrid.engine.players import Budget, choose_move, find_player
from ccgrid.engine.players.program import PROTOCOL

MAX_LINE_LENGTH: Final = 1 << 22
"""The maximum length of a line in characters: ten times a position with the largest decks."""

_THINKING_TIME_SHARE: Final = 0.9
"""The share of the time for a move that is used for thinking; the rest is for communication."""


def answers(lines: Iterable[str], player: str, seed: int, name: str) -> Iterator[str]:
    """Yield the answers to lines of the protocol until a line is `quit`; some lines have no answer.

    Args:
        lines: The lines from the other program.
        player: The name of the computer player, for `find_player`.
        seed: The seed of the player's random number generator.
        name: The name that the program reports.

    Raises:
        EngineError: If there is no such player.
    """
    computer_player, dice = find_player(player), Dice(seed)
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
                    yield f"move {_move(state, computer_player, dice, rest)}"
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
    budget = Budget(_THINKING_TIME_SHARE * float(seconds)) if seconds else Budget()
    try:
        return choose_move(player, state, dice, budget)  # type: ignore[arg-type]
    except (LookupError, TypeError, AttributeError) as error:  # impossible values in the position
        raise EngineError(f"this position cannot be played: {type(error).__name__}") from None
