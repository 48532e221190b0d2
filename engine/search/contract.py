"""What a game may say of how it is thought about: what plays it on more quickly than its readable rules do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.dice import Dice
from engine.search.proving import Clock
from engine.search.thinking import Tree
from engine.search.tree import World


@dataclass(frozen=True, slots=True)
class GameSearch:
    """How a game is searched otherwise than by its core, its part `search`.

    One with neither is played on by its readable rules and its heuristic.

    Attributes:
        options: the names of the options that it knows; with any other the game is played on by its readable rules.
        world: what plays on from what a seat sees, with these dice; None for positions that it does not know.
        tree: what searches the position in rows of numbers, in so many rounds or so much time; None where it cannot.
        compiled: the module that does so compiled, if there is one.
        slowest: its function that takes longest to compile, with the name of the module in which that is written.
        rounds: in a position how many games are played on for so many rounds.
        is_too_early: whether to think is of no use yet: the heuristic says what is played.
    """

    options: tuple[str, ...] = ()
    world: Callable[[Any, Dice], World | None] = lambda view, dice: None
    tree: Callable[[Any, Dice, int | None, Clock], Tree | None] = lambda view, dice, rounds, clock: None
    compiled: str = ""
    slowest: str = ""
    rounds: Callable[[Any, int | None], int | None] = lambda view, rounds: rounds
    is_too_early: Callable[[Any], bool] = lambda view: False
