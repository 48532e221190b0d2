"""The computer player that thinks ahead: by search in worlds that may be, and by proof where nothing is hidden."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import State
from ccgrid.engine.players.player import Budget

ROUNDS: Final = 1_000
MOST_ROUNDS: Final = 10_000_000
MOST_SECONDS: Final = 3_600.0

_SHORT: Final = 100
"""So many games take about as long to play as to compile what plays them, at 500 rounds a move."""

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
        self,
        game: str,
        tell: Callable[[str], object] | None = None,
        games: int = 1,
        varied: Mapping[str, object] | None = None,
    ) -> None:
        """Loads what it thinks with, or compiles it, which `tell` is told: afterwards no move waits for that.

        What is worth compiling for one game that takes long is so for some hundred that do not. `varied` are options
        that are not as usual.
        """
        from ccgrid.engine.search.loading import prepare

        prepare(game, self.rounds and self.rounds * max(games // _SHORT, 1), tell, varied)

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The move tried most; the dice are thrown once, however long it thinks."""
        from ccgrid.engine.search import Clock, best_move

        own = Dice(dice.bits())
        if len(legal) == 1:
            return legal[0]
        seconds = min((time for time in (self.seconds, budget.seconds) if time is not None), default=None)
        counts = [count for count in (self.rounds, budget.playouts) if count is not None]
        clock = Clock.of(seconds)
        return best_move(view, own, rounds=min(counts, default=None), clock=clock)
