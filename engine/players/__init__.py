"""The registry of computer players."""

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
"""The levels of play against the computer, the easiest first."""

PLAYERS: Final[tuple[Player, ...]] = (RandomPlayer(), GreedyPlayer(), StrongPlayer(), *LEVELS)
"""The built-in players. Another program can be a player, too (`players.program`)."""


def find_player(name: str) -> Player:
    """Return the computer player of this name, with the parameter that follows a colon.

    Raises:
        EngineError: If there is no such player (the message lists the known ones), or its parameter is invalid.

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
    """Let players load or compile their code before the first move.

    Args:
        players: The players.
        game: The name of the game.
        tell: Called with a sentence if this is slow.
        games: The number of games to be played; compiling pays only for many games.
        options: The game's options.

    Raises:
        EngineError: If an external program cannot be started, or an option is invalid.
    """
    variant = find_game(game).variant(options)
    for player in players:
        player.prepare(game, tell, games, variant)


def choose_move(player: Player, state: "State", dice: Dice, budget: Budget = NO_LIMIT) -> str:
    """Return the move of a computer player, which is given only its own seat's view.

    Raises:
        EngineError: If the game is over.
    """
    legal = state.legal_moves()
    if not legal:
        raise EngineError("The game is over: there is no move to choose.")
    return player.choose(state.view(state.to_move), legal, dice, budget)
