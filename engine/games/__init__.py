"""The registry of games: a folder and a name each. A game is imported when somebody uses it."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, overload

from ccgrid.catalog.lazy_modules import has_part, load_part
from ccgrid.engine.errors import check_name

if TYPE_CHECKING:
    from ccgrid.engine.decks import ReadyDecks
    from ccgrid.engine.game import Game


class Games(Sequence["Game"]):
    """The games in the order of the registry; going through them imports them, reading their names does not."""

    def __init__(self, *names: str) -> None:
        self.names: Final = names

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, which: int) -> "Game": ...

    @overload
    def __getitem__(self, which: slice) -> "tuple[Game, ...]": ...

    def __getitem__(self, which: int | slice) -> "Game | tuple[Game, ...]":
        if isinstance(which, slice):
            return tuple(map(find_game, self.names[which]))
        return find_game(self.names[which])

    @property
    def default(self) -> str:
        """The name of the game that is meant where none is named."""
        return self.names[0]

    def having(self, part: str) -> tuple[str, ...]:
        """The names of the games whose folder has this part, `decks` or `referee`; none of them is imported.

        >>> "tactics" in GAMES.having("factions")
        True
        """
        return tuple(name for name in self.names if has_part(f"{__name__}.{name}", part))

    def part(self, game: str, part: str) -> Any:
        """What a game hands out as a part, of which no more is imported than that; None where it has no such part."""
        return load_part(f"{__name__}.{game}", part)


GAMES: Final = Games(
    "grid",
    "ninecard",
    "tactics",
    "matrix",
)


@cache
def find_game(name: str) -> "Game":
    """The game with this name, always the same object.

    Raises:
        UnknownNameError: there is none; says which there are.

    >>> find_game("grid").title
    '3x3 CCG Battle'
    """
    check_name("game", name, GAMES.names)
    game: Game = load_part(f"{__name__}.{name}", "game")
    return game


def ready_decks() -> dict[str, "ReadyDecks"]:
    """The ready-made decks of every game that has some, by the game's name."""
    games = map(find_game, GAMES.having("factions"))
    return {game.name: game.factions for game in games if game.factions is not None}
