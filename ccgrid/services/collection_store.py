"""The collection in the catalogue, opened."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.services.catalogue import catalogue_path


@contextmanager
def open_collection(
    database: Path | None, waiting: Callable[[], None], games: Sequence[str] = ()
) -> Iterator[CollectionStore]:
    """The collection in the catalogue that is meant; `games` are those that somebody named.

    `waiting` is called when another command is writing, and this one waits for it.

    Raises:
        UnknownNameError: neither the catalogue nor the collection has a card of one of the games.
        CatalogError: there is no catalogue.
    """
    with Store(catalogue_path(database)) as store:
        collection = CollectionStore(store, waiting)
        for game in games:
            if not collection.has_game(game):
                store.check_game(game)
        yield collection
