"""What a person did last, whatever it was, and how it is taken back and done again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from catalog.card import CatalogError
from catalog.store import deeds
from catalog.store.catalogue import Store
from catalog.store.deeds import Deed
from catalog.store.ledger import last_entry
from ccgrid.services.catalogue import catalogue_path


def history(database: Path | None) -> list[tuple[Deed, dict[str, Any]]]:
    """All that is remembered, the oldest first, imports with their line of the ledger; nothing without a catalogue."""
    path = catalogue_path(database)
    if not path.exists():
        return []
    with Store(path) as store:
        return deeds.deeds(store)


def last_done(database: Path | None, *, imported: bool = False) -> Deed:
    """What is taken back next: what was done last, or the last import.

    Raises:
        CatalogError: there is no catalogue, or nothing that can be taken back.
    """
    with Store(catalogue_path(database)) as store:
        found = deeds.last_import_deed(store) if imported else deeds.last_deed(store)
        if found is not None:
            return found
        if (entry := last_entry(store)) is None:
            raise CatalogError("There is nothing to undo: nothing was done yet that can be taken back.")
        raise CatalogError(
            f"There is nothing more to undo: the last import, of {entry['source']}, has been taken back already.\n"
            "What the import before it replaced is not kept any more: only the last one can be taken back."
        )


def take_back(database: Path | None, deed: Deed, waiting: Callable[[], None]) -> dict[str, Any]:
    """Takes something back and returns what it was: of an import its line in the ledger.

    Raises:
        CatalogError: it is not the last any more.
    """
    with Store(catalogue_path(database)) as store:
        return deeds.undo(store, deed, waiting)


def do_again(database: Path | None, waiting: Callable[[], None]) -> dict[str, Any]:
    """Does again what was taken back last, and returns what it was.

    Raises:
        CatalogError: nothing was taken back since something else was done.
    """
    with Store(catalogue_path(database)) as store:
        return deeds.redo(store, waiting)
