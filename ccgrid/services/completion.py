"""The words that a shell may offer: what the catalogue holds, and what there are lists of; nothing changed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.layouts.layout_file import layout_files
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.sources import SOURCES, plugins
from ccgrid.catalog.store import lookup
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.saved_games import LAST, left_games

Found = TypeVar("Found")

_OF_DECKS: Final = (".toml", ".txt", ".csv", ".dek", ".cod", ".o8d", ".ydk", ".dck", ".mtga")
_OF_RECORDS: Final = (".toml", ".jsonl")


def card_games(database: Path | None) -> list[str]:
    """The card games of which there are cards."""
    return _answers(database, lookup.games)


def sets(database: Path | None, games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Code and name of the sets, of these games or of all, whose code begins so."""
    return _answers(database, lambda store: lookup.sets(store, games, beginning))


def card_names(database: Path | None, beginning: str) -> list[str]:
    """The names of cards that begin so, whatever their case and accents; none for less than two letters."""
    start = fold(beginning)
    return (
        [name for name, _ in _answers(database, lambda store: StoreLookup(store).names_from(start))]
        if start[1:]
        else []
    )


def decks() -> list[str]:
    """The files of decks in the current folder, as far as their names tell."""
    return sorted(file.name for file in Path().glob("*.*") if file.suffix.lower() in _OF_DECKS and file.is_file())


def records() -> list[str]:
    """`last`, where a game was left, and the files of records in the current folder."""
    files = sorted(file.name for file in Path().glob("*.*") if file.suffix.lower() in _OF_RECORDS and file.is_file())
    return [*([LAST] if left_games() else []), *files]


def boxes(database: Path | None) -> list[str]:
    """The boxes of the collection."""
    return _answers(database, lookup.boxes)


def decks_out(database: Path | None) -> list[str]:
    """The decks that are out of their boxes."""
    return _answers(database, lookup.decks_out)


def sources() -> list[tuple[str, str]]:
    """Name and title of every source."""
    return [(source.name, source.title) for source in (*SOURCES, *plugins())]


def layouts() -> list[str]:
    """The names of all layouts."""
    return list(layout_files())


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
