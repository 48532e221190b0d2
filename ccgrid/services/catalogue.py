"""The catalogue a person has, and the collection in it: where they are, opened."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from ccgrid.catalog.card import Card, CardPool, CatalogError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import default_path
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.queries import cards_where


def catalogue_path(database: Path | None) -> Path:
    """The catalogue that is meant: the one given, else the one in its usual place."""
    return database or default_path()


def has_cards(database: Path | None) -> bool:
    """Whether there is a catalogue with anything in it."""
    path = catalogue_path(database)
    if not path.exists():
        return False
    with Store(path) as store:
        return not store.is_empty()


@contextmanager
def open_catalogue(database: Path | None) -> Iterator[Store]:
    """The catalogue that is meant; CatalogError where there is none yet, or nothing in it."""
    with Store(catalogue_path(database)) as store:
        if store.is_empty():
            raise CatalogError(f"The catalogue {store.path} is empty. Try: ccgrid import starter")
        yield store


def chosen_cards(store: Store, games: Sequence[str], text: str = "", *, legal: bool) -> Iterator[Card]:
    """Every card that a query asks for, or every legal one, of these games or of all.

    Raises CatalogError where a game has no cards, QueryError where the query means nothing, NothingFoundError where
    nothing answers it.
    """
    for game in games:
        store.check_game(game)
    return store.all_cards(games, legal=legal, only=cards_where(store, text))


def legal_cards(store: Store, games: Sequence[str], text: str = "") -> CardPool:
    """The legal ones of these, made when they are taken; raises the same."""
    for game in games:
        store.check_game(game)
    return store.legal_pool(games, cards_where(store, text))


_A_DECK: Final = 20
"""So many cards entered by hand are a catalogue to play with."""


@contextmanager
def open_cards(database: Path | None, remark: Callable[[str], object]) -> Iterator[Store]:
    """The catalogue that is meant or, where it is missing or empty, the bundled cards, which is remarked."""
    path, empty = catalogue_path(database), "empty"
    if path.exists():
        with Store(path) as store:
            if store.is_enough(_A_DECK):
                yield store
                return
            empty = "empty" if store.is_empty() else "empty except for cards entered by hand"
    remark(f"The catalogue is {empty}: using the bundled cards. For many more: ccgrid import mtg")
    with open_bundled() as store:
        yield store


@contextmanager
def open_bundled() -> Iterator[Store]:
    """A catalogue in memory that holds the bundled cards, each time as they were brought in."""
    with Store.in_memory(_content()) as store:
        if store.is_empty():
            _bring_in(store)
        yield store


@cache
def _content() -> bytes:
    """Such a catalogue as it is kept between two times that it is wanted."""
    with Store.in_memory() as store:
        _bring_in(store)
        return store.content()


def _bring_in(store: Store) -> None:
    from ccgrid.catalog.imports.run import ImportRequest, import_bundled  # whoever has a catalogue does without
    from ccgrid.catalog.sources import find_source

    import_bundled(ImportRequest(find_source("starter")), store)


@contextmanager
def open_collection(
    database: Path | None, waiting: Callable[[], None], games: Sequence[str] = ()
) -> Iterator[CollectionStore]:
    """The collection in the catalogue that is meant; `games` are those that somebody named.

    `waiting` is called when another command is writing, and this one waits for it.

    Raises:
        NoSuchNameError: neither the catalogue nor the collection has a card of one of the games.
        CatalogError: there is no catalogue.
    """
    with Store(catalogue_path(database)) as store:
        collection = CollectionStore(store, waiting)
        for game in games:
            if not collection.has_game(game):
                store.check_game(game)
        yield collection
