"""Selection of holdings by a query, and the error for a query without a match."""

from collections.abc import Callable, Sequence
from typing import Final

from ccgrid.catalog.errors import NotFoundError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.matching.names import fold, rank
from ccgrid.catalog.queries import Query
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.queries import holdings_where, query_readings

_SUGGESTED: Final = 3  # names in an error


def select_holdings(
    collection: CollectionStore, text: str = "", games: Sequence[str] = (), by: str = "name"
) -> list[Holding]:
    """Return the holdings that match a query.

    Args:
        collection: The collection.
        text: The query; all holdings if it is empty.
        games: Only cards of these games, if any is given.
        by: The order if the query has none: "name", "set" or "place".

    Raises:
        QueryError: If the query cannot be read.
    """
    return _matching_holdings(collection, text, games, by, counted=False)[1]


def _matching_holdings(
    collection: CollectionStore, text: str, games: Sequence[str], by: str = "place", *, counted: bool = True
) -> tuple[Query, list[Holding]]:
    """Return the reading of a text that matches holdings, and these holdings.

    Readings with a number of copies are used only if `counted` is set.
    """
    found: list[Holding] = []
    query = Query()
    for query in query_readings(collection.store, text, owned=True):
        if query.copies is not None and not counted:
            continue
        found = list(collection.holdings(*holdings_where(collection.store.connection, query, games, by)))
        if found or not text.strip():  # an empty text has no other reading
            break
    return query, found


def named_holdings(collection: CollectionStore, text: str, games: Sequence[str]) -> tuple[list[Holding], int | None]:
    """Return the holdings that a text names, in box order, and the number of copies in it, if any.

    A whole name takes precedence over a part of a name.
    """
    query, found = _matching_holdings(collection, text, games)
    # "Bolt" means the card of that name, if it exists, and not every name with the word.
    name = fold(query.words)
    return [one for one in found if name and fold(one.name) == name] or found, query.copies


def find_holdings(
    collection: CollectionStore, text: str, games: Sequence[str] = (), remark: Callable[[str], None] = lambda _: None
) -> list[Holding]:
    """Return the holdings of a card in all its printings, in box order; report copies that are missing.

    Raises:
        NotFoundError: If there is none. The message suggests similar names.
    """
    found, said = named_holdings(collection, text, games)
    if found:
        if said is not None and (missing := said - sum(one.copies for one in found)) > 0:
            remark(f"{missing} of {counted(said, 'copy', 'copies')} {'is' if missing == 1 else 'are'} missing.")
        return found
    raise no_match(collection, text, games)


def no_match(collection: CollectionStore, text: str, games: Sequence[str]) -> NotFoundError:
    """Return the error for an unmatched name, with suggestions from the collection or else the catalogue."""
    from ccgrid.catalog.lines import most_detailed_reading  # its patterns take time to compile

    *_, query = query_readings(collection.store, text)
    asked = most_detailed_reading(text).name if query.words else ""
    # Owned cards with a similar spelling.
    owned = {one.name: fold(one.name) for one in collection.holdings() if not games or one.game in games}
    near = [hit.name for hit in rank(asked, owned.items())][:_SUGGESTED]
    hint = f" Did you mean: {', '.join(near)}?" if near else ""
    if not near and (near := [hit.name for hit in collection.store.near(asked)[:_SUGGESTED]]):
        hint = f"\nThe catalogue has: {', '.join(near)}."
    message = f"No card in the collection matches {text!r}.{hint}"
    return NotFoundError(message, kind="card", name=text, suggestions=near)
