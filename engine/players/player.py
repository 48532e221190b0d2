"""Computer players: their interface, players that choose without search, and the searching player."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Protocol, Self

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, quoted
from ccgrid.engine.games import find_game

if TYPE_CHECKING:
    from ccgrid.engine.game import State


class Budget(NamedTuple):
    """Limits for one move: seconds of wall-clock time, and the number of playouts; None means no limit.

    The caller sets them; a player may have further limits as its own parameter.
    """

    seconds: float | None = None
    playouts: int | None = None


NO_LIMIT: Final = Budget()

PROGRAM: Final = "cmd"
"""The name of external programs as players: `cmd:` is followed by a command line (`players.program`)."""


class ForfeitError(EngineError):
    """Raised if a player gives no legal move in time, and so loses the game; the message describes its answer.

    Attributes:
        moves: The moves of the game so far, if the game is played out.
        state: The position after them, or None.
    """

    moves: Sequence[str] = ()
    state: "State | None" = None


class Player(Protocol):
    """A policy selected by name, with a parameter after a colon if it takes one: `strong:0.2s`.

    `str` returns the name with its parameter, from which `find_player` creates an equal player.
    """

    @property
    def name(self) -> str:
        """The name in commands, without a parameter: `greedy`."""

    @property
    def about(self) -> str:
        """A short description of how it plays."""

    def with_parameter(self, parameter: str) -> "Player":
        """Return the same policy with a parameter.

        Raises:
            EngineError: If the parameter is invalid.
        """

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Load or compile the code for this number of games.

        Args:
            game: The name of the game.
            tell: Called with a sentence if this is slow.
            games: The number of games to be played.
            variant: The options whose values differ from the defaults.
        """

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Return one of the legal moves (at least one) for the player to move, given that seat's view."""


def policy_name(policy: str | Player) -> str:
    """Return the name of a player, with its parameter, as counts and records show it."""
    if isinstance(policy, str) or type(policy).__str__ is not object.__str__:
        return str(policy)
    return policy.name


def chosen_move(player: Player, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
    """Return the legal move that a player chooses for the player to move.

    Raises:
        EngineError: If it chooses another move; the message names the file and line of its `choose`.
    """
    move = player.choose(view, legal, dice, budget)
    if move not in legal:
        code = getattr(player.choose, "__code__", None)
        place = f" ({code.co_filename}, line {code.co_firstlineno})" if code else ""
        raise EngineError(f"{policy_name(player)} chose {quoted(move)}, which is not a legal move{place}.")
    return move


class PlainPlayer:
    """Base class of policies without parameters."""

    name: str

    def __str__(self) -> str:
        return self.name

    def with_parameter(self, parameter: str) -> Self:
        """Raise EngineError: this policy takes no parameter."""
        raise ContradictionError(
            f"{self.name} takes no parameter: write {self.name}, not {quoted(f'{self.name}:{parameter}')}"
        )

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Do nothing: the rules are enough."""


class RandomPlayer(PlainPlayer):
    """Plays a uniformly random legal move."""

    name = "random"
    about = "any legal move, each as likely as the others"

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Return a random legal move."""
        return dice.choose(legal)


class GreedyPlayer(PlainPlayer):
    """Plays the move with the highest heuristic value; ties are broken at random."""

    name = "greedy"
    about = "the move that gains most at once"

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Return one of the moves with the highest heuristic value."""
        heuristic = find_game(view.game).heuristic
        # Unsorted: a random index into the legal moves breaks ties, so that a seed selects the same moves.
        values = [heuristic(view, move) for move in legal]
        best = max(values)
        return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


@dataclass(frozen=True)
class LevelPlayer(PlainPlayer):
    """Plays at a level of the game: like a policy, but with random legal moves in some of its turns (`Game.levels`)."""

    name: str
    about: str
    level: str

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Prepare the policy of the level."""
        self._policy(game)[0].prepare(game, tell, games, variant)

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Return the policy's move, or at times a random one."""
        player, slips = self._policy(view.game)
        if slips and dice.below(100) < slips:
            return dice.choose(legal)
        return player.choose(view, legal, dice, budget)

    def _policy(self, game: str) -> tuple[Player, int]:
        """Return the policy of the level in a game, and in how many of 100 turns it moves at random."""
        policy, slips = find_game(game).levels[self.level]
        kind, _, parameter = policy.partition(":")
        player: Player = GreedyPlayer() if kind == GreedyPlayer.name else StrongPlayer()
        return (player.with_parameter(parameter) if parameter else player), slips


DEFAULT_ROUNDS: Final = 1_000
MAX_ROUNDS: Final = 10_000_000
MAX_SECONDS: Final = 3_600.0

_GAMES_WORTH_COMPILING: Final = 100
"""The number of games that take about as long, at 500 playouts per move, as compiling the search."""

# 2000, 0.2s or 1s; the number of digits is bounded, so that huge numbers do not match.
_PARAMETER: Final = re.compile(r"(\d{1,8})|(\d{1,4}(?:\.\d{1,4})?)s")


@dataclass(frozen=True, slots=True)
class StrongPlayer:
    """Plays the move that wins most playouts, given playouts or seconds per move (default: 1,000 playouts).

    With a number of playouts its moves are reproducible; with a time they depend on the speed of the machine. The time
    is mostly processor time, so that they depend less on other programs.
    """

    rounds: int | None = DEFAULT_ROUNDS
    seconds: float | None = None
    name: ClassVar[str] = "strong"
    about: ClassVar[str] = (
        "the move that wins most often in trial games: strong:2000 plays 2000, strong:0.2s thinks for 0.2 s"
    )

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.name}:{self.seconds:g}s"
        return self.name if self.rounds == DEFAULT_ROUNDS else f"{self.name}:{self.rounds}"

    def with_parameter(self, parameter: str) -> Self:
        """Return a player with a number of playouts, or a time such as `0.2s`; raise EngineError if it is neither."""
        # `isascii`, because `\d` also matches digits of other scripts.
        read = _PARAMETER.fullmatch(parameter) if parameter.isascii() else None
        if read and read[1] and 1 <= int(read[1]) <= MAX_ROUNDS:
            return type(self)(int(read[1]))
        if read and read[2] and 0 < float(read[2]) <= MAX_SECONDS:
            return type(self)(None, float(read[2]))
        raise ContradictionError(
            f"{self.name} takes a number of rounds or a time: write {self.name}:2000 or {self.name}:0.2s, "
            f"not {quoted(f'{self.name}:{parameter}')}"
        )

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Load or compile the search, and report that to `tell`, so that no move has to wait for it.

        A hundred short games justify compiling as much as one long game does.
        """
        from ccgrid.engine.search.core_search import prepare

        # `None` stays None: with a time limit, everything that speeds up the search is loaded.
        prepare(game, self.rounds and self.rounds * max(games // _GAMES_WORTH_COMPILING, 1), tell, variant)

    def choose(self, view: "State", legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Return the most visited move; exactly one random number is drawn, however long the search takes."""
        from ccgrid.engine.search import Clock, best_move

        # Draw before anything else, so that the number of draws does not depend on the legal moves.
        own = Dice(dice.bits())
        if len(legal) == 1:
            return legal[0]
        seconds = min((time for time in (self.seconds, budget.seconds) if time is not None), default=None)
        counts = [count for count in (self.rounds, budget.playouts) if count is not None]
        # The caller who sets a budget waits in real time.
        clock = Clock.of(seconds, inf if budget.seconds is None else budget.seconds)
        return best_move(view, own, rounds=min(counts, default=None), clock=clock)
