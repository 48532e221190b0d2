"""Computer players: each chooses a legal move from what its seat may see and the dice it is given, and nothing else."""

from collections.abc import Sequence
from typing import Final, Protocol

from engine.dice import Dice
from engine.game import State
from engine.games import find_game
from engine.registry import find_named


class Player(Protocol):
    """A policy that people call by its name."""

    @property
    def name(self) -> str:
        """What people type: `greedy`."""

    @property
    def about(self) -> str:
        """How it plays, in a few words."""

    def choose(self, view: State, legal: Sequence[str], dice: Dice) -> str:
        """One of the legal moves, of which there is at least one, for the seat that is to move in its own view."""


class RandomPlayer:
    """Every legal move is as likely as any other."""

    name: Final = "random"
    about: Final = "any legal move, each as likely as the others"

    def choose(self, view: State, legal: Sequence[str], dice: Dice) -> str:
        """Any of the legal moves."""
        return dice.choose(legal)


class GreedyPlayer:
    """The move that looks best at once, as the game says; among equals any."""

    name: Final = "greedy"
    about: Final = "the move that gains most at once"

    def choose(self, view: State, legal: Sequence[str], dice: Dice) -> str:
        """One of the moves with the highest heuristic."""
        heuristic = find_game(view.game).heuristic
        values = [heuristic(view, move) for move in legal]
        best = max(values)
        return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


PLAYERS: Final[tuple[Player, ...]] = (RandomPlayer(), GreedyPlayer())


def find_player(name: str) -> Player:
    """The computer player with this name.

    Raises:
        EngineError: there is none; says which there are.

    >>> find_player("greedy").about
    'the move that gains most at once'
    """
    return find_named("computer player", name, PLAYERS)


def choose_move(player: Player, state: State, dice: Dice) -> str:
    """The move that a computer player makes in an unfinished game; it is shown its own seat's view alone."""
    return player.choose(state.view(state.to_move), state.legal_moves(), dice)
