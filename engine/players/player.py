"""What a computer player owes: it chooses from what its seat may see and the dice it is given, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol, Self

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import State


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a player may take for one move: seconds on the clock, and games played out; `None` is any number.

    It is the caller's; what a player takes of itself follows from its own parameter.
    """

    seconds: float | None = None
    playouts: int | None = None


NO_LIMIT: Final = Budget()


class ForfeitError(EngineError):
    """A player did not answer with a legal move in time, and so loses the game; the message says what it did.

    Attributes:
        moves, state: the game up to there, where games are played out.
    """

    moves: Sequence[str] = ()
    state: State | None = None


class Player(Protocol):
    """A policy that people call by its name, with a parameter behind a colon where it takes one: `strong:0.2s`.

    As a text it is that name with its parameter, of which `find_player` makes an equal player.
    """

    @property
    def name(self) -> str:
        """What people type, without a parameter: `greedy`."""

    @property
    def about(self) -> str:
        """How it plays, in a few words."""

    def with_parameter(self, parameter: str) -> "Player":
        """The same policy with what stands behind the colon.

        Raises:
            EngineError: the parameter means nothing to it.
        """

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """One of the legal moves, of which there is at least one, for the seat that is to move in its own view."""


class PlainPlayer:
    """A policy without parameters."""

    name: ClassVar[str]

    def __str__(self) -> str:
        return self.name

    def with_parameter(self, parameter: str) -> Self:
        """Raises EngineError: there is nothing to be said of how it plays."""
        raise EngineError(
            f"{self.name} takes no parameter: write {self.name}, not {quoted(f'{self.name}:{parameter}')}"
        )
