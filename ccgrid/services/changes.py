"""Changes of the catalogue, which can be undone and redone."""

from collections.abc import Callable
from pathlib import Path

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store import history
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.history import Change
from ccgrid.services.catalogue import catalogue_path


def all_changes(database: Path | None) -> list[Change]:
    """Return all changes that are kept, the oldest first; those that are undone come last."""
    path = catalogue_path(database)
    if not path.exists():
        return []
    with Store(path) as store:
        return history.history(store)


def last_change(database: Path | None) -> Change:
    """Return the change that is undone next.

    Raises:
        CatalogError: If there is no catalogue, or no change that can be undone.
    """
    with Store(catalogue_path(database)) as store:
        found = history.last_change(store)
    if found is None:
        raise CatalogError("There is nothing to undo.")
    return found


def undo(database: Path | None, last: Change, waiting: Callable[[], None]) -> Change:
    """Undo the last change, and return it.

    Raises:
        CatalogError: If it is no longer the last one.
    """
    with Store(catalogue_path(database)) as store:
        return history.undo(store, last.id, waiting)


def redo(database: Path | None, waiting: Callable[[], None]) -> Change:
    """Redo the change that was undone last, and return it.

    Raises:
        CatalogError: If no change is undone.
    """
    with Store(catalogue_path(database)) as store:
        return history.redo(store, waiting)


def undo_last(database: Path | None) -> str:
    """Undo the last change and return what it did.

    Raises:
        CatalogError: If there is no change, or if it is an import of cards.
    """
    last = last_change(database)
    if last.kind == "import":
        raise CatalogError("The last change was an import. At the computer: ccgrid undo")
    undo(database, last, lambda: None)
    return last.what
