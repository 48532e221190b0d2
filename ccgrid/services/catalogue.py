"""Where commands get cards from: the catalogue a person has, or the bundled cards while there is none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.card import Card
    from catalog.decks.deck import DeckEntry
    from catalog.store.catalogue import Store


def catalogue_path(database: Path | None) -> Path:
    """The catalogue that is meant: the one given, else the one in its usual place."""
    from catalog.store.catalogue import default_path

    return database or default_path()


def has_cards(database: Path | None) -> bool:
    """Whether there is a catalogue with anything in it."""
    from catalog.store.catalogue import Store

    path = catalogue_path(database)
    if not path.exists():
        return False
    with Store(path) as store:
        return not store.is_empty()


@contextmanager
def open_catalogue(database: Path | None) -> Iterator["Store"]:
    """The catalogue that is meant; CatalogError where there is none yet, or nothing in it."""
    from catalog.card import CatalogError
    from catalog.store.catalogue import Store

    with Store(catalogue_path(database)) as store:
        if store.is_empty():
            raise CatalogError(f"The catalogue {store.path} is empty. Try: ccgrid import starter")
        yield store


@contextmanager
def open_cards(database: Path | None) -> Iterator["Store"]:
    """The catalogue that is meant or, where it is missing or empty, the bundled cards, which is said aloud."""
    from catalog.store.catalogue import Store
    from ccgrid.view.output import remark

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
def open_bundled() -> Iterator["Store"]:
    """A catalogue in memory that holds the bundled cards."""
    from catalog.imports.run import ImportRequest, import_bundled
    from catalog.sources import find_source
    from catalog.store.catalogue import Store

    with Store.in_memory() as store:
        import_bundled(ImportRequest(find_source("starter")), store)
        yield store


def find_entry(store: "Store", entry: "DeckEntry") -> "Card":
    """The card that a line of a deck means; CatalogError where there is none, or where it says other numbers."""
    from catalog.card import CatalogError

    if entry.card is None:
        if entry.written != entry.text and store.named(entry.written):  # brackets that belong to the name
            return store.find(entry.written)
        return store.find(entry.text, entry.set_code, entry.collector_number)
    held = store.cards([entry.card.id])
    if not held:
        return entry.card
    if (dict(held[0].zones), held[0].score) != (dict(entry.card.zones), entry.card.score):
        raise CatalogError(f"The deck says other numbers for {entry.card.id} than the catalogue.")
    return held[0]


def with_sides(store: "Store", card: "Card") -> "Card":
    """The card with a number on each of its four sides, where it prints these elsewhere; else as it is.

    Triple Triad's four ranks stand in one corner; its layouts call the fields after the sides.
    """
    from dataclasses import replace

    from catalog.card import HIGHEST, LOWEST
    from engine.games.tactics.cards import SIDES

    if card.legal or all(side in card.zones for side in SIDES):
        return card
    printed = {number["field"]: str(number["raw"]) for number in store.explain(card.id)}
    ranks = {side: int(printed[side]) for side in SIDES if printed.get(side, "").isdecimal()}
    if len(ranks) < len(SIDES) or not all(LOWEST <= rank <= HIGHEST for rank in ranks.values()):
        return card
    return replace(card, zones=ranks, score=max(card.score, sum(ranks.values())))
