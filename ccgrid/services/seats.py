"""Seats of computer players."""

from collections.abc import Sequence
from contextlib import suppress

from ccgrid.engine.errors import EngineError
from ccgrid.engine.players import PLAYERS, PROGRAM, Player, find_player


def computer_seats(players: Sequence[str]) -> dict[int, Player]:
    """Return the computer players of a recorded game by seat."""
    found: dict[int, Player] = {}
    for seat, name in enumerate(map(_policy, players)):
        if _is_policy(name):
            with suppress(EngineError):  # a person whose name looks like a policy with an invalid parameter
                found[seat] = find_player(name)
    return found


def computers(names: Sequence[str]) -> dict[int, Player]:
    """Return the computer players of a new game by seat; their names are policies, with a parameter if these take one.

    Raises:
        EngineError: If a parameter is invalid.
    """
    return {seat: find_player(name) for seat, name in enumerate(names) if _is_policy(name) or _is_program(name)}


def near_policy(name: str) -> str | None:
    """Return the policy of whose name a person's name is at most one letter away, or None."""
    if _is_policy(name) or _is_program(name):
        return None
    from rapidfuzz.distance import OSA

    return next((known for known in PLAYERS.names if OSA.distance(name.casefold(), known) <= 1), None)


def is_computer(name: str) -> bool:
    """Return whether the player of this name is a computer player."""
    return _is_policy(_policy(name)) or _is_program(name)


def _is_program(name: str) -> bool:
    """Return whether a name stands for an external program. In a record, a person plays such a seat."""
    return name.partition(":")[0] == PROGRAM


def _is_policy(name: str) -> bool:
    return name.partition(":")[0] in PLAYERS.names


def _policy(name: str) -> str:
    """Return the policy of a seat's name: `greedy` for `greedy-2`, and any other name unchanged."""
    policy, _, number = name.rpartition("-")
    return policy if policy and number.isdecimal() else name
