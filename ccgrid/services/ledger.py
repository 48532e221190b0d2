"""The ledger of imports: what came in, and when."""

from pathlib import Path
from typing import Any

from catalog.store.catalogue import Store
from catalog.store.ledger import history as recorded
from ccgrid.services.catalogue import catalogue_path


def history(database: Path | None) -> list[dict[str, Any]]:
    """The ledger of imports, the oldest first; empty where there is no catalogue."""
    path = catalogue_path(database)
    if not path.exists():
        return []
    with Store(path) as store:
        return recorded(store)
