"""The computer player that has no plan."""

from collections.abc import Sequence
from typing import ClassVar

from engine.dice import Dice
from engine.game import State
from engine.players.player import Budget, PlainPlayer


class RandomPlayer(PlainPlayer):
    """Every legal move is as likely as any other."""

    name: ClassVar[str] = "random"
    about: ClassVar[str] = "any legal move, each as likely as the others"

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Any of the legal moves."""
        return dice.choose(legal)
