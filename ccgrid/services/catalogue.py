"""The catalogue a person has: opened, with the collection in it, and asked for cards, counts and words to complete."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ccgrid.catalog import matching
from ccgrid.catalog import store as stored
from ccgrid.catalog.card import Card
from ccgrid.catalog.card_pool import CardPool
from ccgrid.catalog.errors import EmptyCatalogueError, NotFoundError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import default_path
from ccgrid.catalog.store.selection import ALL_CARDS, Selection

if TYPE_CHECKING:
    from ccgrid.catalog.card_answers import PrintedNumber
    from ccgrid.catalog.correction import Correction
    from ccgrid.catalog.store.holdings import CollectionStore
    from ccgrid.catalog.store.queries import QueryAnswer
    from ccgrid.services.choices import Choices


def catalogue_path(database: Path | None) -> Path:
    """The catalogue that is meant: the one given, else the one in its usual place."""
    return database or default_path()


def has_cards(database: Path | None) -> bool:
    """Whether there is a catalogue with anything in it."""
    path = catalogue_path(database)
    if not path.exists():
        return False
    with Store(path) as store:
        return not store.is_empty()


@contextmanager
def open_catalogue(database: Path | None) -> Iterator[Store]:
    """The catalogue that is meant; CatalogError where there is none yet, or nothing in it."""
    with Store(catalogue_path(database)) as store:
        if store.is_empty():
            message = f"The catalogue {store.path} is empty. Try: ccgrid import starter"
            raise EmptyCatalogueError(message, path=store.path)
        yield store


def cards_asked(store: Store, text: str) -> Selection:
    """The cards that a query asks for, sorted as it says; without one all of them.

    Raises:
        QueryError: the query means nothing.
        NotFoundError: nothing answers it.
    """
    return stored.queries.cards_where(store, text) if text.strip() else ALL_CARDS


def chosen_cards(store: Store, games: Sequence[str], text: str = "", *, legal: bool) -> Iterator[Card]:
    """Every card that a query asks for, or every legal one, of these games or of all.

    Raises CatalogError where a game has no cards, QueryError where the query means nothing, NotFoundError where
    nothing answers it.
    """
    for game in games:
        store.check_game(game)
    return store.all_cards(games, legal=legal, only=cards_asked(store, text))


def legal_cards(store: Store, games: Sequence[str], text: str = "") -> CardPool:
    """The legal ones of these, made when they are taken; raises the same."""
    for game in games:
        store.check_game(game)
    return store.legal_pool(games, cards_asked(store, text))


_A_DECK: Final = 20
"""So many cards entered by hand are a catalogue to play with."""


@contextmanager
def open_cards(database: Path | None, remark: Callable[[str], object]) -> Iterator[Store]:
    """The catalogue that is meant or, where it is missing or empty, the bundled cards, which is remarked."""
    path, empty = catalogue_path(database), "empty"
    if path.exists():
        with Store(path) as store:
            if store.is_enough(_A_DECK):
                yield store
                return
            empty = "empty" if store.is_empty() else "empty except for cards entered by hand"
    remark(f"The catalogue is {empty}: using the bundled cards. For many more: ccgrid import mtg")
    with open_bundled() as store:
        yield store


@contextmanager
def open_bundled() -> Iterator[Store]:
    """A catalogue in memory that holds the bundled cards, each time as they were imported."""
    with Store.in_memory(_content()) as store:
        if store.is_empty():
            _import_bundled(store)
        yield store


@cache
def _content() -> bytes:
    """Such a catalogue as it is kept between two times that it is wanted."""
    with Store.in_memory() as store:
        _import_bundled(store)
        return store.content()


def _import_bundled(store: Store) -> None:
    from ccgrid.catalog.imports.run import ImportRequest, import_bundled  # whoever has a catalogue does without
    from ccgrid.catalog.sources import find_source

    import_bundled(ImportRequest(find_source("starter")), store)


@contextmanager
def open_collection(
    database: Path | None, waiting: Callable[[], None], games: Sequence[str] = ()
) -> Iterator["CollectionStore"]:
    """The collection in the catalogue that is meant; `games` are those that somebody named.

    `waiting` is called when another command is writing, and this one waits for it.

    Raises:
        NoSuchNameError: neither the catalogue nor the collection has a card of one of the games.
        CatalogError: there is no catalogue.
    """
    with Store(catalogue_path(database)) as store:
        collection = stored.holdings.CollectionStore(store, waiting)
        for game in games:
            if not collection.has_game(game):
                store.check_game(game)
        yield collection


_ID: Final = re.compile(r"[^\s:]+:[^\s:]+")


class Explanation(NamedTuple):
    """A card, its printed numbers and the user's corrections, and the number of its other printings.

    `remark` reports the choice among printings with different numbers, if there was one.
    """

    card: Card
    numbers: "list[PrintedNumber]"
    others: int
    remark: str
    corrected: "Correction | None" = None


def explain_card(database: Path | None, text: str, games: Sequence[str], choices: "Choices") -> Explanation:
    """The card that is meant by an id or a name.

    Raises:
        NotFoundError: there is none.
        CatalogError: it is not plain which, or a game has no cards.
    """
    with open_catalogue(database) as store:
        for game in games:
            store.check_game(game)
        resolver = choices.resolver(store, games=games)
        found = choices.take(resolver, matching.asking.Row(name=text))
        card = found.card
        numbers, others = store.explain(card.id), len(resolver.printings(card)) - 1
        corrected = stored.corrections.corrections(store).get(card.id)
        return Explanation(card, numbers, others, found.remark, corrected)


def card_meant(store: Store, text: str, choices: "Choices") -> tuple[str, str]:
    """The id of the card that is meant, by its id or its name, and what has to be said of the choice among printings.

    An id is taken as it is: a card that is no longer there may have been corrected. Raises CatalogError where there is
    no card that is called so, or it is not plain which.
    """
    if _ID.fullmatch(text):
        return text, ""
    found = choices.take(choices.resolver(store), matching.asking.Row(name=text))
    return found.card.id, found.remark


def search(database: Path | None, text: str, games: Sequence[str], *, legal: bool, limit: int | None) -> "QueryAnswer":
    """The cards that answer a query, best first, so many of them, and how many there are.

    Words of a name may be misspelt; a game, a set and a number may stand beside it, as in `Griffin (wyvern)`.

    Raises:
        QueryError: the query means nothing.
        NotFoundError: nothing answers it.
        CatalogError: a game has no cards.
    """
    from ccgrid.catalog import queries

    with open_catalogue(database) as store:
        for game in games:
            store.check_game(game)
        only = (queries.Comparison(queries.field("is"), ":", "legal"),) if legal else ()
        for query in stored.queries.query_readings(store, text):
            wanted = query._replace(parts=(*query.parts, *only))
            if (found := stored.queries.answer(store, wanted, games, limit=limit, forgiving=True)).cards:
                return found
    raise NotFoundError(f"No card matches {text!r}.", kind="card", name=text)
