"""Computer players: what one owes, those that choose at once, and the one that thinks ahead."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Protocol, Self

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.games import find_game

if TYPE_CHECKING:
    from ccgrid.engine.game import State


class Budget(NamedTuple):
    """The most that a player may take for one move: seconds on the clock, and games played out; `None` is any number.

    It is the caller's; what a player takes of itself follows from its own parameter.
    """

    seconds: float | None = None
    playouts: int | None = None


NO_LIMIT: Final = Budget()

PROGRAM: Final = "cmd"
"""What stands before the colon and the command line of another program that plays (`players.program`)."""


class ForfeitError(EngineError):
    """A player did not answer with a legal move in time, and so loses the game; the message says what it did.

    Attributes:
        moves, state: the game up to there, where games are played out.
    """

    moves: Sequence[str] = ()
    state: "State | None" = None


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

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Loads what it chooses with before so many games; `tell` is called with a sentence where that is slow.

        `variant` are the game's options that are not as usual.
        """

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
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

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Does nothing: it needs no more than the rules."""


class RandomPlayer(PlainPlayer):
    """Every legal move is as likely as any other."""

    name: ClassVar[str] = "random"
    about: ClassVar[str] = "any legal move, each as likely as the others"

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Any of the legal moves."""
        return dice.choose(legal)


class GreedyPlayer(PlainPlayer):
    """The move that looks best at once, as the game's heuristic says; among equals any."""

    name: ClassVar[str] = "greedy"
    about: ClassVar[str] = "the move that gains most at once"

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """One of the moves with the highest heuristic."""
        heuristic = find_game(view.game).heuristic
        # No sorting: the dice choose among equals by their place in the list of legal moves.
        values = [heuristic(view, move) for move in legal]
        best = max(values)
        return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


class LevelPlayer(NamedTuple):
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

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Prepares the other player."""
        self.player.prepare(game, tell, games, variant)

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The other player's move, or any."""
        if self.slips and dice.below(100) < self.slips:
            return dice.choose(legal)
        return self.player.choose(view, legal, dice, budget)


ROUNDS: Final = 1_000
MOST_ROUNDS: Final = 10_000_000
MOST_SECONDS: Final = 3_600.0

_SHORT: Final = 100
"""So many games take about as long to play as to compile what plays them, at 500 rounds a move."""

# 2000 · 0.2s · 1s; so few digits that no number is endless.
_PARAMETER: Final = re.compile(r"(\d{1,8})|(\d{1,4}(?:\.\d{1,4})?)s")


@dataclass(frozen=True, slots=True)
class StrongPlayer:
    """Plays games on from the position, so many rounds or so many seconds for a move; plain `strong` 1,000 rounds.

    With rounds it plays the same whenever it is asked; with seconds as the machine has time.
    """

    rounds: int | None = ROUNDS
    seconds: float | None = None
    name: ClassVar[str] = "strong"
    about: ClassVar[str] = (
        "the move that wins most often in trial games: strong:2000 plays 2000, strong:0.2s takes 0.2 s"
    )

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.name}:{self.seconds:g}s"
        return self.name if self.rounds == ROUNDS else f"{self.name}:{self.rounds}"

    def with_parameter(self, parameter: str) -> Self:
        """The same with a number of rounds, or a time as in `0.2s`; raises EngineError where it is neither."""
        # `isascii`: `\d` also fits digits of other scripts.
        read = _PARAMETER.fullmatch(parameter) if parameter.isascii() else None
        if read and read[1] and 1 <= int(read[1]) <= MOST_ROUNDS:
            return type(self)(int(read[1]))
        if read and read[2] and 0 < float(read[2]) <= MOST_SECONDS:
            return type(self)(None, float(read[2]))
        raise EngineError(
            f"{self.name} takes a number of rounds or a time: write {self.name}:2000 or {self.name}:0.2s, "
            f"not {quoted(f'{self.name}:{parameter}')}"
        )

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Loads what it thinks with, or compiles it, which `tell` is told: afterwards no move waits for that.

        What is worth compiling for one game that takes long is so for some hundred that do not.
        """
        from ccgrid.engine.search.core_search import prepare

        # `None` rounds stay None: with a time everything is loaded that helps.
        prepare(game, self.rounds and self.rounds * max(games // _SHORT, 1), tell, variant)

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The move tried most; the dice are thrown once, however long it thinks."""
        from ccgrid.engine.search import Clock, best_move

        # Before anything else, so that it is one throw for any number of legal moves.
        own = Dice(dice.bits())
        if len(legal) == 1:
            return legal[0]
        seconds = min((time for time in (self.seconds, budget.seconds) if time is not None), default=None)
        counts = [count for count in (self.rounds, budget.playouts) if count is not None]
        clock = Clock.of(seconds)
        return best_move(view, own, rounds=min(counts, default=None), clock=clock)
