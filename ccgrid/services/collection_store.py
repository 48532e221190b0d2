"""The collection in the catalogue, opened."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from catalog.store.catalogue import Store
from catalog.store.holdings import CollectionStore
from ccgrid.services.catalogue import catalogue_path


@contextmanager
def open_collection(database: Path | None, waiting: Callable[[], None]) -> Iterator[CollectionStore]:
    """The collection in the catalogue that is meant; CatalogError where there is no catalogue.

    `waiting` is called when another command is writing, and this one waits for it.
    """
    with Store(catalogue_path(database)) as store:
        yield CollectionStore(store, waiting)
