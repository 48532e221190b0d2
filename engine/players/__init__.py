"""The registry of computer players: one module and one line each."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, find_named
from ccgrid.engine.games import find_game
from ccgrid.engine.players.player import (
    NO_LIMIT,
    PROGRAM,
    Budget,
    ForfeitError,
    GreedyPlayer,
    LevelPlayer,
    Player,
    RandomPlayer,
    StrongPlayer,
)

if TYPE_CHECKING:
    from ccgrid.engine.game import State

__all__ = [
    "LEVELS",
    "NO_LIMIT",
    "PLAYERS",
    "PROGRAM",
    "Budget",
    "ForfeitError",
    "GreedyPlayer",
    "LevelPlayer",
    "Player",
    "RandomPlayer",
    "StrongPlayer",
    "choose_move",
    "find_player",
    "prepare",
]

LEVELS: Final[tuple[LevelPlayer, ...]] = (
    LevelPlayer("easy", "greedy, but every third move is random", GreedyPlayer(), 33),
    LevelPlayer("fair", "the same as greedy", GreedyPlayer()),
    LevelPlayer("hard", "the same as strong:200", StrongPlayer(200)),
    LevelPlayer("best", "the same as strong:1s", StrongPlayer(None, 1.0)),
)
"""The levels at which people play against the computer, the easiest first."""

PLAYERS: Final[tuple[Player, ...]] = (RandomPlayer(), GreedyPlayer(), StrongPlayer(), *LEVELS)
"""Those that ccgrid brings; another program is a player, too (`players.program`)."""


def find_player(name: str) -> Player:
    """The computer player with this name, and the parameter that stands behind a colon.

    Raises:
        EngineError: there is none, and says which there are; or its parameter means nothing.

    >>> find_player("greedy").about
    'the move that gains most at once'
    """
    kind, colon, parameter = name.partition(":")
    if kind == PROGRAM:
        from ccgrid.engine.players.program import ProgramPlayer

        return ProgramPlayer().with_parameter(parameter)
    player = find_named("computer player", kind, PLAYERS)
    return player.with_parameter(parameter) if colon else player


def prepare(
    players: Iterable[Player],
    game: str,
    tell: Callable[[str], object] | None = None,
    *,
    games: int = 1,
    options: Mapping[str, object] | None = None,
) -> None:
    """Lets players load what they think with before so many games; `tell` is called with a sentence if that is slow.

    `options` are the game's variants.

    Raises:
        EngineError: another program cannot be started.
    """
    variant = find_game(game).variant(options)
    for player in players:
        player.prepare(game, tell, games, variant)


def choose_move(player: Player, state: "State", dice: Dice, budget: Budget = NO_LIMIT) -> str:
    """The move that a computer player makes, shown its own seat's view alone; EngineError once the game is over."""
    legal = state.legal_moves()
    if not legal:
        raise EngineError("The game is over: there is no move to choose.")
    return player.choose(state.view(state.to_move), legal, dice, budget)
