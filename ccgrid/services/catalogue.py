"""Opening of the catalogue and the collection, and the choice of cards by query or name."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ccgrid.catalog import matching
from ccgrid.catalog import store as stored
from ccgrid.catalog.card import Card
from ccgrid.catalog.card_ids import CARD_ID
from ccgrid.catalog.card_pool import CardPool
from ccgrid.catalog.errors import EmptyCatalogueError, NotFoundError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import default_path
from ccgrid.catalog.store.selection import ALL_CARDS, Selection

if TYPE_CHECKING:
    from ccgrid.catalog.card_answers import PrintedNumber
    from ccgrid.catalog.correction import Correction
    from ccgrid.catalog.description import PrintedDescription
    from ccgrid.catalog.store.holdings import CollectionStore
    from ccgrid.catalog.store.queries import QueryAnswer
    from ccgrid.services.choices import Choices


def catalogue_path(database: Path | None) -> Path:
    """Return the path of the given catalogue, or of the default one."""
    return database or default_path()


@contextmanager
def open_existing(database: Path | None) -> Iterator[Store | None]:
    """Open the catalogue for the duration of the block, or return None if it does not exist."""
    path = catalogue_path(database)
    if not path.exists():
        yield None
        return
    with Store(path) as store:
        yield store


def has_cards(database: Path | None) -> bool:
    """Return whether the catalogue exists and is not empty."""
    with open_existing(database) as store:
        return store is not None and not store.is_empty()


@contextmanager
def open_catalogue(database: Path | None) -> Iterator[Store]:
    """Open the catalogue for the duration of the block.

    Raises:
        CatalogError: If it does not exist or is empty.
    """
    with Store(catalogue_path(database)) as store:
        if store.is_empty():
            raise EmptyCatalogueError(
                f"The catalogue {store.path} is empty. Try: ccgrid import starter", path=store.path
            )
        yield store


def cards_asked(store: Store, text: str) -> Selection:
    """Return the cards that match a query, in its order; without a query all cards.

    Raises:
        QueryError: If the query cannot be read.
        NotFoundError: If no card matches.
    """
    return stored.queries.cards_where(store, text) if text.strip() else ALL_CARDS


def chosen_cards(store: Store, games: Sequence[str], text: str = "", *, legal: bool) -> Iterator[Card]:
    """Return every card of these games, or of all, that matches a query; with `legal` only legal ones.

    Raises:
        CatalogError: If a game has no cards.
        QueryError: If the query cannot be read.
        NotFoundError: If no card matches.
    """
    store.check_games(games)
    return store.all_cards(games, legal=legal, only=cards_asked(store, text))


def legal_cards(store: Store, games: Sequence[str], text: str = "") -> CardPool:
    """Return the legal cards of these games, or of all, that match a query, as a lazy sequence.

    Raises:
        CatalogError: If a game has no cards.
        QueryError: If the query cannot be read.
        NotFoundError: If no card matches.
    """
    store.check_games(games)
    return store.legal_pool(games, cards_asked(store, text))


_A_DECK: Final = 20
"""The number of entered cards that is enough for a catalogue to play with."""


@contextmanager
def open_cards(database: Path | None, remark: Callable[[str], object], *, to_play: bool = True) -> Iterator[Store]:
    """Open the catalogue or, if it is missing or empty, the bundled cards; `remark` reports that.

    A few cards entered by hand are no catalogue `to_play` with.
    """
    path, why = catalogue_path(database), "The catalogue is empty"
    if path.exists():
        with Store(path) as store:
            if store.is_enough(_A_DECK) or not (to_play or store.is_empty()):
                yield store
                return
            if not store.is_empty():
                why = "The catalogue is empty except for cards entered by hand"
    elif database is not None:
        why = f"There is no catalogue at {path}"
    remark(f"{why}: using the bundled cards. For many more: ccgrid import mtg")
    with open_bundled() as store:
        yield store


@contextmanager
def open_bundled() -> Iterator[Store]:
    """Open a new catalogue in memory with the bundled cards."""
    with Store.in_memory(_content()) as store:
        if store.is_empty():
            _import_bundled(store)
        yield store


@cache
def _content() -> bytes:
    """Return the content of such a catalogue, cached."""
    with Store.in_memory() as store:
        _import_bundled(store)
        return store.content()


def _import_bundled(store: Store) -> None:
    from ccgrid.catalog.imports.run import ImportRequest, import_bundled  # not needed with a catalogue
    from ccgrid.catalog.sources import find_source

    import_bundled(ImportRequest(find_source("starter")), store)


@contextmanager
def open_collection(
    database: Path | None, waiting: Callable[[], None] = lambda: None, games: Sequence[str] = ()
) -> Iterator["CollectionStore"]:
    """Open the collection; `games` are the games that the user named.

    `waiting` is called if another command is writing, and this one waits for it.

    Raises:
        NoSuchNameError: If neither the catalogue nor the collection has a card of one of the games.
        CatalogError: If there is no catalogue.
    """
    with Store(catalogue_path(database)) as store:
        collection = stored.holdings.CollectionStore(store, waiting)
        store.check_games(game for game in games if not collection.has_game(game))
        yield collection


class Explanation(NamedTuple):
    """A card, what it says, its printed numbers and the user's corrections, and the number of its other printings.

    `remark` reports the choice among printings with different numbers, if there was one. `decks` names the games whose
    decks may have it.
    """

    card: Card
    numbers: "list[PrintedNumber]"
    others: int
    remark: str
    corrected: "Correction | None"
    said: "PrintedDescription"
    decks: tuple[str, ...]


def explain_card(store: Store, text: str, games: Sequence[str], choices: "Choices") -> Explanation:
    """Return the card with an id or a name, with its numbers.

    Raises:
        NotFoundError: If there is none.
        CatalogError: If the name is ambiguous, or a game has no cards.
    """
    from ccgrid.services.choices import games_with

    store.check_games(games)
    resolver = choices.resolver(store, games=games)
    found = choices.take(resolver, matching.rows.Row(name=text))
    card = found.card
    numbers, others = store.explain(card.id), len(resolver.printings(card)) - 1
    corrected = stored.corrections.corrections(store).get(card.id)
    [(_, said)] = store.described([card])
    decks = tuple(games_with(store, card))
    return Explanation(card, numbers, others, found.remark, corrected, said, decks)


def card_meant(store: Store, text: str, choices: "Choices") -> tuple[str, str]:
    """Return the id of the card with an id or a name, and a remark about the choice among printings.

    An id is returned unchecked, because a card that no longer exists may have a correction.

    Raises:
        CatalogError: If there is no card of this name, or the name is ambiguous.
    """
    if CARD_ID.fullmatch(text):
        return text, ""
    found = choices.take(choices.resolver(store), matching.rows.Row(name=text))
    return found.card.id, found.remark


def search(
    store: Store,
    text: str,
    games: Sequence[str],
    *,
    legal: bool,
    limit: int | None,
    described: bool = False,
) -> "QueryAnswer":
    """Return the first `limit` cards that match a query, best first, their total number, and perhaps what each says.

    Words of a name may be misspelt; a game, a set and a number may be next to it, as in `Griffin (wyvern)`.

    Raises:
        QueryError: If the query cannot be read.
        NotFoundError: If no card matches.
        CatalogError: If a game has no cards.
    """
    from ccgrid.catalog import queries

    store.check_games(games)
    only = (queries.Comparison(queries.field("is"), ":", "legal"),) if legal else ()
    for query in stored.queries.query_readings(store, text):
        wanted = query._replace(parts=(*query.parts, *only))
        if (found := stored.queries.answer(store, wanted, games, limit=limit, forgiving=True)).cards:
            return found._replace(said=tuple(s for _, s in store.described(found.cards))) if described else found
    raise NotFoundError(f"No card matches {text!r}.", kind="card", name=text)


def find_cards(database: Path | None, text: str, limit: int | None = None) -> "QueryAnswer":
    """Return what `search` finds among all cards of a catalogue."""
    with open_catalogue(database) as store:
        return search(store, text, (), legal=False, limit=limit)
