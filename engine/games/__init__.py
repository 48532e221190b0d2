"""The registry of games: the bundled games, and those of plug-ins. A game is imported on first use."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, overload

from ccgrid.catalog.lazy_modules import has_part, load_part
from ccgrid.catalog.plugins import Plugin, find_plugins, load_plugin, load_plugins, skipped_if_broken
from ccgrid.engine.errors import check_name

if TYPE_CHECKING:
    from ccgrid.engine.decks import ReadyDecks
    from ccgrid.engine.game import AnyGame

PLUGIN_GROUP: Final = "ccgrid.games"
"""The group of entry points: each names a package like the folder of a bundled game."""


class Games(Sequence["AnyGame"]):
    """The bundled games in their order, then those of plug-ins. Reading the names does not import a game."""

    def __init__(self, *bundled: str) -> None:
        self.bundled: Final = bundled

    @property
    def plugins(self) -> Mapping[str, Plugin]:
        """The games of plug-ins by name, also those that cannot be loaded."""
        return find_plugins(PLUGIN_GROUP, self.bundled)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all games, also of those of plug-ins that cannot be loaded."""
        return (*self.bundled, *self.plugins)

    def _package(self, name: str) -> str:
        """Return the import path of a game's folder."""
        return f"{__name__}.{name}" if name in self.bundled else self.plugins[name].module

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator["AnyGame"]:
        """Yield the games; a game of a plug-in that cannot be loaded is skipped with a warning."""
        yield from map(find_game, self.bundled)
        yield from load_plugins(PLUGIN_GROUP, _accept_game, self.bundled).values()

    @overload
    def __getitem__(self, which: int) -> "AnyGame": ...

    @overload
    def __getitem__(self, which: slice) -> "tuple[AnyGame, ...]": ...

    def __getitem__(self, which: int | slice) -> "AnyGame | tuple[AnyGame, ...]":
        if isinstance(which, slice):
            return tuple(map(find_game, self.names[which]))
        return find_game(self.names[which])

    @property
    def default(self) -> str:
        """The name of the game that commands use if none is named."""
        return self.bundled[0]

    def having(self, part: str) -> tuple[str, ...]:
        """Return the names of the games that have a part, such as `decks` or `referee`, without importing them.

        >>> "tactics" in GAMES.having("factions")
        True
        """
        return tuple(name for name in self.names if has_part(self._package(name), part))

    def part(self, game: str, part: str) -> Any:
        """Return a part of a game, or None if it has no such part. Of a bundled game, nothing else is imported.

        Raises:
            PluginError: If the game is a plug-in that cannot be loaded.
        """
        return load_part(self._package(game), part) if game in self.bundled else find_game(game).part(part)

    def parts(self, part: str) -> dict[str, Any]:
        """Return this part of every game that has it, by the game's name.

        A part of a plug-in that cannot be loaded is skipped with a warning.
        """
        found = {}
        for name in self.having(part):
            if name in self.bundled:
                found[name] = self.part(name, part)
            else:
                with skipped_if_broken(self.plugins[name]):
                    found[name] = self.part(name, part)
        return found


GAMES: Final = Games(
    "grid",
    "ninecard",
    "tactics",
    "matrix",
)


@cache
def find_game(name: str) -> "AnyGame":
    """Return the game with this name, always the same object.

    Raises:
        UnknownNameError: If there is none; the message lists the known ones.
        PluginError: If the game is a plug-in that cannot be loaded.

    >>> find_game("grid").title
    '3x3 CCG Battle'
    """
    if name not in GAMES.bundled:
        check_name("game", name, GAMES.names)
        return load_plugin(GAMES.plugins[name], _accept_game)
    game: AnyGame = load_part(f"{__name__}.{name}", "game")
    return game


def ready_decks() -> dict[str, "ReadyDecks"]:
    """Return the ready-made decks of every game that has some, by the game's name."""
    return GAMES.parts("factions")


def _accept_game(name: str, package: object) -> "AnyGame":
    """Return the game in the package of a plug-in; raise TypeError or ValueError if it has none of this name."""
    from ccgrid.engine.game import Game

    game = load_part(package.__name__, "game") if isinstance(package, ModuleType) else None
    if not isinstance(game, Game):
        raise TypeError("it is not a package with a module `game` that contains a Game named GAME")
    if game.name != name:
        raise ValueError(f"the name of its GAME is {game.name!r}")
    return game
