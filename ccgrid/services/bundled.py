"""The bundled cards, which stand in for a catalogue while a person has none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from catalog.store.catalogue import Store
from ccgrid.services.catalogue import catalogue_path

_A_DECK: Final = 20
"""So many cards entered by hand are a catalogue to play with."""


@contextmanager
def open_cards(database: Path | None, remark: Callable[[str], None]) -> Iterator[Store]:
    """The catalogue that is meant or, where it is missing or empty, the bundled cards, which is remarked."""
    path, empty = catalogue_path(database), "empty"
    if path.exists():
        with Store(path) as store:
            if store.is_enough(_A_DECK):
                yield store
                return
            empty = "empty" if store.is_empty() else "empty but for cards entered by hand"
    remark(f"The catalogue is {empty}: these are the bundled cards. 'ccgrid import mtg' brings many more.")
    with open_bundled() as store:
        yield store


@contextmanager
def open_bundled() -> Iterator[Store]:
    """A catalogue in memory that holds the bundled cards, each time as they were brought in."""
    with Store.in_memory(_content()) as store:
        if store.is_empty():
            _bring_in(store)
        yield store


@cache
def _content() -> bytes:
    """Such a catalogue as it is kept between two times that it is wanted."""
    with Store.in_memory() as store:
        _bring_in(store)
        return store.content()


def _bring_in(store: Store) -> None:
    from catalog.imports.run import ImportRequest, import_bundled  # whoever has a catalogue does without
    from catalog.sources import find_source

    import_bundled(ImportRequest(find_source("starter")), store)
