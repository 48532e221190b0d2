"""Creation of a catalogue: the first work is done on a new file, which then gets the catalogue's name."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from ccgrid.catalog.files import make_folder, move_to_new_name
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import check_closed, check_new
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside

Result = TypeVar("Result")


class _UnfinishedError(Exception):
    """Another command has begun the catalogue meanwhile."""


def work_on(path: Path, work: Callable[[Store], Result]) -> Result:
    """Does some work on the catalogue at a path and returns what that gives.

    Where there is none, the work is done on a new one beside it, which then takes its place. If another command has
    made one by then, the work is done again, on that: nobody meets a catalogue that is still empty, or goes again.

    Raises:
        CatalogError: the file is not a catalogue, or it cannot be opened.
        OSError: there is no room for a new one.
    """
    while not path.exists():
        with suppress(_UnfinishedError):
            return _create(path, work)
    with Store(path, create=True) as store:
        return work(store)


def _create(path: Path, work: Callable[[Store], Result]) -> Result:
    """Does the first work on a catalogue; raises _UnfinishedError where another command has made one meanwhile."""
    check_new(path)
    make_folder(path.parent)
    with errors_naming(path), temporary_folder_beside(path) as folder:
        new = folder / path.name
        try:
            with Store(new, create=True) as store:
                store.path = path
                result = work(store)
            check_closed(new)
            try:
                move_to_new_name(new, path)
            except FileExistsError as error:
                raise _UnfinishedError from error
        except BaseException:
            if new.exists() and not (path.exists() and path.samefile(new)):  # else it has just got its name
                OUTCOME.discard()
            raise
    return result
