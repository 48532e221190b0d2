"""Whole copies of a catalogue by SQLite's online backup, while other commands may use it."""

import secrets
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from ccgrid.catalog.errors import BusyCatalogueError, CatalogueFileError, DamagedCatalogueError
from ccgrid.catalog.files import make_folder, move_to_new_name
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.description_writing import remove_texts
from ccgrid.catalog.store.file import check_closed
from ccgrid.catalog.store.health import check_health
from ccgrid.catalog.store.mending import replace_database
from ccgrid.catalog.store.transactions import BUSY_SECONDS
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside


def copy_catalogue(path: Path, copy: Path, *, texts: bool) -> None:
    """Write the current state of a catalogue into a new file, without the `texts` of cards if they are not wanted.

    Raises:
        CatalogueFileError: If it is missing, damaged, or no catalogue of this version.
    """
    if path.exists() and check_health(path).damage:
        raise DamagedCatalogueError(path=path)
    with Store(path) as store, closing(sqlite3.connect(copy)) as target:
        store.connection.backup(target)
        if not texts:
            target.isolation_level = None  # the function below makes its own transaction
            remove_texts(target)


def check_copy(copy: Path) -> None:
    """Check that a file is an undamaged catalogue.

    Raises:
        CatalogueFileError: If it is not.
    """
    health = check_health(copy)
    if wrong := health.fault or "; ".join(health.damage):
        raise CatalogueFileError(f"The catalogue in it {wrong}.", path=copy)


def put_back(copy: Path, path: Path) -> None:
    """Replace the content of a catalogue by that of a checked copy, atomically; create it if it is missing.

    A damaged file is kept under another name.

    Raises:
        BusyCatalogueError: If another command holds the catalogue for longer than BUSY_SECONDS.
        OSError: If it cannot be written.
    """
    path = path.resolve()  # a catalogue may be a link
    if not path.exists():
        _move_in(copy, path, None)
        return
    health = check_health(path)
    if health.damage or health.fault:
        _move_in(copy, path, path.with_name(f"{path.stem}.damaged-{secrets.token_hex(3)}{path.suffix}"))
        return
    end = time.monotonic() + BUSY_SECONDS

    # Without this, the backup waits for another command forever.
    def check_time(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > end:
            raise BusyCatalogueError(f"{path} is in use by another command; try again later.", path=path)

    with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target, progress=check_time)
    OUTCOME.commit("restore the catalogue")


def _move_in(copy: Path, path: Path, damaged: Path | None) -> None:
    """Make a copy the file of a catalogue; give the damaged file there, if any, another name."""
    make_folder(path.parent)
    with errors_naming(path), temporary_folder_beside(path) as folder:
        new = folder / path.name
        copy_catalogue(copy, new, texts=True)
        check_closed(new)
        if damaged is None:
            move_to_new_name(new, path)
        else:
            replace_database(path, new, damaged)
