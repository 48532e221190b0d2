"""Words from the catalogue that a shell offers to complete."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.store import lists
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import catalogue_path

Found = TypeVar("Found")


def card_games(database: Path | None) -> list[str]:
    """The card games of which there are cards."""
    return _answers(database, lists.game_names)


def sets(database: Path | None, games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Code and name of the sets, of these games or of all, whose code begins so."""
    return _answers(database, lambda store: lists.sets_from(store, games, beginning))


def card_names(database: Path | None, beginning: str) -> list[str]:
    """The names of cards that begin so, whatever their case and accents; none for less than two letters."""
    start = fold(beginning)
    if len(start) < 2:
        return []
    return [name for name, _ in _answers(database, lambda store: StoreLookup(store).names_from(start))]


def box_names(database: Path | None) -> list[str]:
    """The boxes of the collection."""
    return _answers(database, lists.box_names)


def decks_out(database: Path | None) -> list[str]:
    """The decks that are out of their boxes."""
    return _answers(database, lists.deck_names_out)


def _answers(database: Path | None, ask: Callable[[Store], list[Found]]) -> list[Found]:
    """What a catalogue answers; nothing where there is none, or none that can be read: nobody is there to be told."""
    path = catalogue_path(database)
    if not path.is_file():
        return []
    try:
        with Store(path) as store:
            return ask(store)
    except (CatalogError, OSError):
        return []
