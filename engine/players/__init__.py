"""The registry of computer players: the built-in ones, and those of plug-ins."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, overload

from ccgrid.catalog.plugins import Plugin, find_plugins, load_plugin, load_plugins
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, check_name
from ccgrid.engine.games import find_game
from ccgrid.engine.players.player import (
    NO_LIMIT,
    PROGRAM,
    Budget,
    ForfeitError,
    GreedyPlayer,
    LevelPlayer,
    PlainPlayer,
    Player,
    RandomPlayer,
    StrongPlayer,
    chosen_move,
    policy_name,
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
    "PlainPlayer",
    "Player",
    "Players",
    "RandomPlayer",
    "StrongPlayer",
    "choose_move",
    "chosen_move",
    "find_player",
    "policy_name",
    "prepare",
]

LEVELS: Final[tuple[LevelPlayer, ...]] = (
    LevelPlayer("easy", "the easiest level of every game", "easy"),
    LevelPlayer("fair", "better than easy", "fair"),
    LevelPlayer("hard", "better than fair", "hard"),
    LevelPlayer("best", "the best level of every game", "best"),
)
"""The levels of play against the computer, the easiest first."""

PLUGIN_GROUP: Final = "ccgrid.players"
"""The group of entry points: each names a `Player`."""


class Players(Sequence[Player]):
    """The built-in players in their order, then those of plug-ins. Reading the names does not import a plug-in."""

    def __init__(self, *built_in: Player) -> None:
        self._built_in = {player.name: player for player in built_in}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all players, also of those of plug-ins that cannot be loaded."""
        return (*self._built_in, *self._plugins)

    @property
    def _plugins(self) -> Mapping[str, Plugin]:
        return find_plugins(PLUGIN_GROUP, (*self._built_in, PROGRAM))

    def named(self, name: str) -> Player:
        """Return the player with this name, without a parameter.

        Raises:
            UnknownNameError: If there is none; the message lists the known ones.
            PluginError: If the player is a plug-in that cannot be loaded.
        """
        if name not in self._built_in:
            check_name("computer player", name, self.names)
            return load_plugin(self._plugins[name], _accept_player)
        return self._built_in[name]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Player]:
        """Yield the players; a player of a plug-in that cannot be loaded is skipped with a warning."""
        yield from self._built_in.values()
        yield from load_plugins(PLUGIN_GROUP, _accept_player, (*self._built_in, PROGRAM)).values()

    @overload
    def __getitem__(self, which: int) -> Player: ...

    @overload
    def __getitem__(self, which: slice) -> tuple[Player, ...]: ...

    def __getitem__(self, which: int | slice) -> Player | tuple[Player, ...]:
        if isinstance(which, slice):
            return tuple(map(self.named, self.names[which]))
        return self.named(self.names[which])


MEDIUM: Final = LevelPlayer("medium", "another name for fair", "fair")

PLAYERS: Final = Players(RandomPlayer(), GreedyPlayer(), StrongPlayer(), *LEVELS, MEDIUM)
"""The computer players by name. Another program can be a player, too (`players.program`)."""


def _accept_player(name: str, player: Any) -> Player:
    """Return the player that a plug-in provides; raise TypeError or ValueError if it is not a player of this name."""
    for member in ("name", "about", "with_parameter", "prepare", "choose"):
        if isinstance(player, type) or not hasattr(player, member):
            raise TypeError(f"it is not an object with the methods of a Player, such as {member}")
    if player.name != name:
        raise ValueError(f"its name is {player.name!r}")
    accepted: Player = player
    return accepted


def find_player(policy: str | Player) -> Player:
    """Return the computer player of this name, with the parameter that follows a colon, or the given player.

    Raises:
        EngineError: If there is no such player (the message lists the known ones), or its parameter is invalid.
        PluginError: If the player is a plug-in that cannot be loaded.

    >>> find_player("greedy").about
    'the move that gains most at once'
    """
    if not isinstance(policy, str):
        return policy
    kind, colon, parameter = policy.partition(":")
    if kind == PROGRAM:
        from ccgrid.engine.players.program import ProgramPlayer

        return ProgramPlayer().with_parameter(parameter)
    player = PLAYERS.named(kind)
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


def choose_move(player: str | Player, state: "State", dice: Dice, budget: Budget = NO_LIMIT) -> str:
    """Return the move of a computer player, which is given only its own seat's view.

    Raises:
        EngineError: If the game is over, or the player chooses a move that is not legal.
    """
    legal = state.legal_moves()
    if not legal:
        raise EngineError("The game is over: there is no move to choose.")
    return chosen_move(find_player(player), state.view(state.to_move), legal, dice, budget)
