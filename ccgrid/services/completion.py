"""The words that a shell may offer: what the catalogue holds, and what there are lists of; nothing changed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.layouts.layout_file import layout_files
from ccgrid.catalog.sources import SOURCES, plugins
from ccgrid.catalog.store import lookup
from ccgrid.catalog.store.catalogue import Store
from ccgrid.services.catalogue import catalogue_path

Found = TypeVar("Found")


def card_games(database: Path | None) -> list[str]:
    """The card games of which there are cards."""
    return _asked(database, lookup.games)


def sets(database: Path | None, games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Code and name of the sets, of these games or of all, whose code begins so."""
    return _asked(database, lambda store: lookup.sets(store, games, beginning))


def boxes(database: Path | None) -> list[str]:
    """The boxes of the collection."""
    return _asked(database, lookup.boxes)


def decks_out(database: Path | None) -> list[str]:
    """The decks that are out of their boxes."""
    return _asked(database, lookup.decks_out)


def sources() -> list[tuple[str, str]]:
    """Name and title of every source."""
    return [(source.name, source.title) for source in (*SOURCES, *plugins())]


def layouts() -> list[str]:
    """The names of all layouts."""
    return list(layout_files())


def _asked(database: Path | None, ask: Callable[[Store], list[Found]]) -> list[Found]:
    """What a catalogue answers; nothing where there is none, or none that can be read: nobody is there to be told."""
    path = catalogue_path(database)
    if not path.is_file():
        return []
    try:
        with Store(path) as store:
            return ask(store)
    except (CatalogError, OSError):
        return []
