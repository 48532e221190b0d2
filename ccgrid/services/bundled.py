"""The bundled cards, which stand in for a catalogue while a person has none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from catalog.store.catalogue import Store
from ccgrid.services.catalogue import catalogue_path


@contextmanager
def open_cards(database: Path | None, remark: Callable[[str], None]) -> Iterator[Store]:
    """The catalogue that is meant or, where it is missing or empty, the bundled cards, which is remarked."""
    path = catalogue_path(database)
    if path.exists():
        with Store(path) as store:
            if not store.is_empty():
                yield store
                return
    remark("The catalogue is empty: these are the bundled cards. 'ccgrid import mtg' brings many more.")
    with open_bundled() as store:
        yield store


@contextmanager
def open_bundled() -> Iterator[Store]:
    """A catalogue in memory that holds the bundled cards."""
    from catalog.imports.run import ImportRequest, import_bundled  # whoever has a catalogue does without
    from catalog.sources import find_source

    with Store.in_memory() as store:
        import_bundled(ImportRequest(find_source("starter")), store)
        yield store
