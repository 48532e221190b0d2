"""Seats of computer players."""

from collections.abc import Sequence
from contextlib import suppress

from ccgrid.engine.errors import EngineError
from ccgrid.engine.players import PLAYERS, PROGRAM, Player, find_player


def computer_seats(players: Sequence[str]) -> dict[int, Player]:
    """The computer players of a game that is taken up, by their seats."""
    found: dict[int, Player] = {}
    for seat, name in enumerate(map(_policy, players)):
        if _is_policy(name):
            with suppress(EngineError):  # a person who is called like a policy, with a colon and what means nothing
                found[seat] = find_player(name)
    return found


def computers(names: Sequence[str]) -> dict[int, Player]:
    """The seats that computers play, which are named after their policies, with a parameter where they take one.

    Raises:
        EngineError: a parameter means nothing.
    """
    return {seat: find_player(name) for seat, name in enumerate(names) if _is_policy(name) or _is_program(name)}


def is_computer(name: str) -> bool:
    """Whether a seat of this name is a computer player's."""
    return _is_policy(_policy(name)) or _is_program(name)


def _is_program(name: str) -> bool:
    """Whether it is another program's; what a record calls so is never started, and a person plays it."""
    return name.partition(":")[0] == PROGRAM


def _is_policy(name: str) -> bool:
    return name.partition(":")[0] in PLAYERS.names


def _policy(name: str) -> str:
    """The policy that a seat's name stands for: `greedy-2` for greedy, any other for itself."""
    policy, _, number = name.rpartition("-")
    return policy if policy and number.isdecimal() else name
