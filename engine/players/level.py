"""Computer players for people: one name for each level, and nothing to choose besides."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.dice import Dice
from engine.errors import EngineError, quoted
from engine.game import State
from engine.players.player import Budget, Player


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
