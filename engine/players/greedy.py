"""The computer player that sees no further than the next move."""

from collections.abc import Sequence
from typing import ClassVar

from engine.dice import Dice
from engine.game import State
from engine.games import find_game
from engine.players.player import Budget, PlainPlayer


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
