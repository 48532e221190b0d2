"""Computer players that choose at once: any move, or one that looks best; and those that play as another for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.players.player import Budget, PlainPlayer, Player


class RandomPlayer(PlainPlayer):
    """Every legal move is as likely as any other."""

    name: ClassVar[str] = "random"
    about: ClassVar[str] = "any legal move, each as likely as the others"

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Any of the legal moves."""
        return dice.choose(legal)


class GreedyPlayer(PlainPlayer):
    """The move that looks best at once, as the game's heuristic says; among equals any."""

    name: ClassVar[str] = "greedy"
    about: ClassVar[str] = "the move that gains most at once"

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """One of the moves with the highest heuristic."""
        heuristic = find_game(view.game).heuristic
        values = [heuristic(view, move) for move in legal]
        best = max(values)
        return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


@dataclass(frozen=True, slots=True)
class LevelPlayer:
    """Plays as another player does, but for some moves that are any legal one.

    `slips` is in how many of a hundred turns that is so.
    """

    name: str
    about: str
    player: Player
    slips: int = 0

    def __str__(self) -> str:
        return self.name

    def with_parameter(self, parameter: str) -> "LevelPlayer":
        """Raises EngineError: a level is what it is."""
        raise EngineError(
            f"{self.name} takes no parameter: write {self.name}, not {quoted(f'{self.name}:{parameter}')}"
        )

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The other player's move, or any."""
        if self.slips and dice.below(100) < self.slips:
            return dice.choose(legal)
        return self.player.choose(view, legal, dice, budget)
