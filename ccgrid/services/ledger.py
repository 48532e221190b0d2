"""The ledger of imports: what came in, and the last import taken back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from catalog.store.catalogue import Store
from catalog.store.ledger import history as recorded
from catalog.store.ledger import undo as taken_back
from ccgrid.services.catalogue import catalogue_path


def history(database: Path | None) -> list[dict[str, Any]]:
    """The ledger of imports, the oldest first; empty where there is no catalogue."""
    path = catalogue_path(database)
    if not path.exists():
        return []
    with Store(path) as store:
        return recorded(store)


def undo(database: Path | None, waiting: Callable[[], None]) -> dict[str, Any]:
    """Takes the last import back, and returns its entry in the ledger; CatalogError where there is none."""
    with Store(catalogue_path(database)) as store:
        return taken_back(store, waiting)
