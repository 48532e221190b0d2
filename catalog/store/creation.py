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


class _AlreadyCreatedError(Exception):
    """Raised if another command has created the catalogue meanwhile."""


def work_on(path: Path, work: Callable[[Store], Result]) -> Result:
    """Run `work` on the catalogue at a path, and return its result.

    If there is no catalogue, the work is done on a new file next to it, which then gets its name. If another command
    has created one meanwhile, the work is repeated on that one. So no command sees a catalogue that is still empty.

    Raises:
        CatalogueFileError: If the file is not a catalogue, or cannot be opened.
        OSError: If a new one cannot be written.
    """
    while not path.exists():
        with suppress(_AlreadyCreatedError):
            return _create(path, work)
    with Store(path, create=True) as store:
        return work(store)


def _create(path: Path, work: Callable[[Store], Result]) -> Result:
    """Do the first work on a catalogue.

    Raises:
        _AlreadyCreatedError: If another command has created one meanwhile.
    """
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
                raise _AlreadyCreatedError from error
        except BaseException:
            if new.exists() and not (path.exists() and path.samefile(new)):  # if not, it has just got its name
                OUTCOME.discard()
            raise
    return result
