"""The registry of games: one folder and one entry each; a game is imported when somebody uses it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final, overload

from engine.game import Game
from engine.registry import find_named


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game in the registry: where it is, and what help texts say of it, so that they need not import it.

    Attributes:
        name: what people type, and the name of the game's folder.
        title: what people read.
        made_by: the class in the folder's `game.py` that makes the game.
        has_decks: whether it is played with decks of cards, and not with its own.
        has_ready_decks: whether there are ready-made decks, factions.
    """

    name: str
    title: str
    made_by: str
    has_decks: bool = True
    has_ready_decks: bool = False

    def load(self) -> Game:
        """The game itself, always the same object."""
        return _loaded(self.name, self.made_by)


class Games(Sequence[Game]):
    """The games in the order of the registry; going through them imports them, reading the entries does not."""

    def __init__(self, *entries: GameEntry) -> None:
        self.entries: Final = entries

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, which: int) -> Game: ...

    @overload
    def __getitem__(self, which: slice) -> tuple[Game, ...]: ...

    def __getitem__(self, which: int | slice) -> Game | tuple[Game, ...]:
        if isinstance(which, slice):
            return tuple(entry.load() for entry in self.entries[which])
        return self.entries[which].load()


GAMES: Final = Games(
    GameEntry("grid", "3x3 CCG Battle", "GridGame"),
    GameEntry("ninecard", "9 Card", "NinecardGame"),
    GameEntry("tactics", "Play. Process. Draw.", "TacticsGame", has_ready_decks=True),
    GameEntry("matrix", "3x3 Number Matrix", "MatrixGame", has_decks=False),
)


def find_game(name: str) -> Game:
    """The game with this name.

    Raises:
        EngineError: there is none; says which there are.

    >>> find_game("grid").title
    '3x3 CCG Battle'
    """
    return _found(name)


@cache
def _found(name: str) -> Game:
    return find_named("game", name, GAMES.entries).load()


@cache
def _loaded(folder: str, made_by: str) -> Game:
    game: Game = getattr(import_module(f"{__name__}.{folder}.game"), made_by)()
    return game
