"""A damaged catalogue, and what can be saved of it."""

from pathlib import Path

from catalog.store.health import examine
from catalog.store.mending import mend
from ccgrid.services.catalogue import catalogue_path


def mended(database: Path | None) -> str | None:
    """Saves what can be read of a damaged catalogue, and says what; nothing where the catalogue is whole, or none.

    Raises:
        CatalogError: nothing of it can be read, or there is no room; all is as it was.
    """
    path = catalogue_path(database)
    if not path.is_file():
        return None
    health = examine(path)
    saved = mend(path, is_damaged=bool(health.damage or health.fault))
    if saved is None:
        return None
    whole = f"not all of: {', '.join(saved.lost)}" if saved.lost else "nothing is lost"
    return (
        f"Saved {saved.rows['cards']} cards and {saved.rows['holdings']} holdings; {whole}."
        f" The damaged file is kept as {saved.kept}."
    )
