"""Words from the catalogue that a shell offers to complete."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.store import lists
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import open_existing

Found = TypeVar("Found")


def card_games(database: Path | None) -> list[str]:
    """Return the card games with cards in the catalogue."""
    return _answers(database, lists.game_names)


def sets(database: Path | None, games: Sequence[str], beginning: str) -> list[tuple[str, str]]:
    """Return code and name of the sets of these games, or of all, whose code starts with `beginning`."""
    return _answers(database, lambda store: lists.sets_from(store, games, beginning))


def card_names(database: Path | None, beginning: str) -> list[str]:
    """Return card names that start with `beginning`, ignoring case and accents; none for fewer than two letters."""
    start = fold(beginning)
    if len(start) < 2:
        return []
    return [name for name, _ in _answers(database, lambda store: StoreLookup(store).names_from(start))]


def box_names(database: Path | None) -> list[str]:
    """Return the boxes of the collection."""
    return _answers(database, lists.box_names)


def decks_out(database: Path | None) -> list[str]:
    """Return the decks that are checked out."""
    return _answers(database, lists.deck_names_out)


def _answers(database: Path | None, ask: Callable[[Store], list[Found]]) -> list[Found]:
    """Ask the catalogue; return nothing if it is missing or unreadable, since completion cannot report errors."""
    try:
        with open_existing(database) as store:
            return ask(store) if store else []
    except (CatalogError, OSError):
        return []
