"""The collection: cards added, listed, edited, exported and compared with their sources."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog.card import LONGEST_NAME, Card
from ccgrid.catalog.collection import edit
from ccgrid.catalog.collection.boxes import Box, count_boxes
from ccgrid.catalog.collection.export import Export, export, find_writer
from ccgrid.catalog.collection.formats import format_of
from ccgrid.catalog.collection.selection import select_holdings
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.collection.upstream import (
    MIGRATIONS,
    SourceChange,
    fetch_migrations,
    note_changes,
    read_migrations,
    source_changes,
)
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import ending_of
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.lines import most_detailed_reading
from ccgrid.catalog.matching.asking import Choose
from ccgrid.catalog.store import card_edits, history
from ccgrid.catalog.store.browse_copy import COLLECTION
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.store.custom_cards import add_card, namesakes
from ccgrid.catalog.store.holdings import CollectionStore, CopyKey
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.typed_numbers import assumptions
from ccgrid.services.catalogue import (
    Explanation,
    catalogue_path,
    explain_card,
    find_cards,
    open_catalogue,
    open_collection,
)
from ccgrid.services.choices import Choices
from ccgrid.services.files import check_ending


class AddedCopies(NamedTuple):
    """Copies that were added: where they are, how many, how many other printings the words could have meant, a remark.

    The remark reports the choice among printings with different numbers, if there was one.
    """

    holding: Holding
    copies: int
    others: int
    remark: str = ""


def check_typed_copies(words: str) -> None:
    """Raise UsageError if the words for a card begin with 0 copies."""
    if most_detailed_reading(words).copies == 0:
        edit.check_copies(0)


def add(
    collection: CollectionStore,
    words: str,
    copies: int | None,
    kind: CopyKey,
    *,
    set_code: str = "",
    number: str = "",
    games: Sequence[str] = (),
    choose: Choose | None = None,
) -> AddedCopies:
    """Add copies of a card in one undoable change; it is found by name or id, set and number.

    `choose` asks the user if cards of several games match.

    Raises:
        CatalogError: If there is no such card, or it is ambiguous.
    """
    found = find_card(
        collection, words, kind, copies, set_code=set_code, number=number, games=tuple(games), choose=choose
    )
    key = edit.add_copies(collection, found.card, found.copies, found.kind)
    holding = collection.holding(found.card.id, key)
    assert holding is not None  # noqa: S101  it was added just now
    return AddedCopies(holding, found.copies, found.others, found.remark)


def enter_card(
    given: CustomCard, database: Path | None, waiting: Callable[[], None], *, copies: int, place: Place
) -> tuple[Card, Sequence[Card]]:
    """Enter a card by hand and add copies of it to the collection, atomically.

    Returns:
        The card, and the cards of its game and name that were entered before.

    Raises:
        CatalogError: If the card is not valid, or there are too many copies.
    """

    def enter(store: Store) -> tuple[Card, Sequence[Card]]:
        with change(store, f"enter {given.name}", waiting):
            before = namesakes(store, given)
            card = add_card(store, given)
            if copies:
                own_card(store, card.id, copies, edit.copy_key(place=place))
        return card, before

    return work_on(catalogue_path(database), enter)


def own_card(store: Store, card_id: str, copies: int, kind: CopyKey) -> None:
    """Add copies of a card of the catalogue to the collection.

    Raises:
        CatalogError: If there are too many copies.
    """
    card = StoreLookup(store).card(card_id)
    assert card is not None  # noqa: S101  it is in the catalogue
    edit.add_copies(CollectionStore(store), card, copies, kind)


def ids_of(database: Path | None, table: str, text: str) -> frozenset[str | int]:
    """Return the ids of the cards, or of the entries of the `collection`, that match a query.

    Raises:
        QueryError: If the query cannot be read.
    """
    try:
        if table == COLLECTION:
            with open_collection(database) as collection:
                return frozenset(holding.id for holding in select_holdings(collection, text))
        return frozenset(card.id for card in find_cards(database, text).cards)
    except NotFoundError:
        return frozenset()


class ExportedCollection(NamedTuple):
    """A collection as another app reads it, and how many rows of imported files wait for a decision.

    What those rows brought, or did not, is not sure.
    """

    export: Export
    doubts: int


def written_format(format_name: str, output: Path | None, otherwise: str, *, as_json: bool) -> str:
    """Return the name of the format to write: the named one, else what the ending of the file means, else another.

    Raises:
        NoSuchNameError: If nothing is written with this ending, or the file is to hold JSON and ends otherwise.
    """
    if as_json:
        if output is not None:
            check_ending(output, (".jsonl", ".json"), "JSON")
        return "json" if ending_of(output) == ".json" else "jsonl"
    return format_name or format_of(output, otherwise)


def export_holdings(
    format_name: str,
    text: str,
    games: Sequence[str],
    database: Path | None,
    waiting: Callable[[], None],
    *,
    is_named: bool,
) -> ExportedCollection:
    """Return the holdings that match a query in the format of an app.

    Unless the user names the format, cards of all games are exported.

    Raises:
        QueryError: If the query cannot be read.
        NotFoundError: If nothing matches.
        CatalogError: If the format cannot be written, or can represent none of the holdings.
    """
    writer = find_writer(format_name)
    with open_collection(database, waiting, games) as collection:
        found = select_holdings(collection, text, games, "set")
        if text and not found:
            raise NotFoundError(f"No card in the collection matches {text!r}; nothing written.", kind="card", name=text)
        allowed = tuple(games) if is_named else tuple({one.game for one in found})
        written = export(writer, found, allowed, StoreLookup(collection.store))
        return ExportedCollection(written, collection.count_doubts())


def verify(
    database: Path | None,
    waiting: Callable[[], None],
    *,
    migrations: Path | None,
    online: bool,
    apply: bool,
    progress: Callable[[int, int], None] | None = None,
) -> list[SourceChange]:
    """Return the owned cards that changed in their sources or are gone; with `apply` record the changes.

    `progress` is called with the number of examined entries and of all entries.

    Raises:
        CatalogError: If the list of migrations cannot be read or downloaded.
    """
    known = read_migrations(migrations) if migrations is not None else {}
    if online:
        from ccgrid.catalog.download import Client  # others need no network

        way = f"download {MIGRATIONS} and run: ccgrid collection verify --migrations FILE"
        with Client(way) as client:
            known = {**known, **fetch_migrations(client)}
    with open_collection(database, waiting) as collection:
        if apply:
            return note_changes(collection, known, progress)
        return list(source_changes(collection, known, progress))


class OwnedCard(NamedTuple):
    """A card explained, all its printings, the copies of them that are owned in walking order, and all boxes.

    `form` is what a form says of the card; `decks` are those in which copies are just now, and how many.
    """

    explained: Explanation
    form: CustomCard
    printings: Sequence[Card]
    holdings: Sequence[Holding]
    boxes: Sequence[str]
    decks: Sequence[tuple[str, int]]


def owned_card(database: Path | None, card_id: str) -> OwnedCard:
    """Return the card with an id, with its printings and owned copies.

    Raises:
        NotFoundError: If there is none.
    """
    with open_catalogue(database) as store:
        found = explain_card(store, card_id, (), Choices(None))
        collection = CollectionStore(store)
        printings = Choices(None).resolver(store).printings(found.card)
        holdings = collection.of_cards([one.id for one in printings])
        own = {holding.id for holding in holdings}
        out = [(one.deck, one.copies) for one in collection.decks_out() if one.holding.id in own]
        names = [box.name for box in count_boxes(collection) if box.name]
        return OwnedCard(found, card_edits.as_form(store, card_id), printings, holdings, names, out)


def undo_last(database: Path | None) -> str:
    """Undo the last change and return what it did.

    Raises:
        CatalogError: If there is no change, or if it is an import of cards.
    """
    with Store(catalogue_path(database)) as store:
        last = history.last_change(store)
        if last is not None and last.kind == "import":
            raise CatalogError("The last change was an import. At the computer: ccgrid undo")
        return history.undo(store).what


def boxes(database: Path | None) -> list[Box]:
    """Return every box with its contents; what is in no box comes last."""
    with open_collection(database) as collection:
        return count_boxes(collection)


def add_copies(database: Path | None, card_id: str, copies: int, box: str) -> str:
    """Add copies of a card to a box, or to none, in one undoable change, and return its name.

    Raises:
        NotFoundError: If there is no such card.
        CatalogError: If the number of copies is not valid, or the name of the box is too long.
    """
    if len(box) > LONGEST_NAME:
        raise CatalogError(f"The name of a box has at most {LONGEST_NAME} letters.")
    with open_collection(database) as collection:
        card = StoreLookup(collection.store).card(card_id)
        if card is None:
            raise NotFoundError("There is no such card.", kind="card", name=card_id)
        edit.add_copies(collection, card, copies, edit.copy_key(place=Place(box.strip())))
        return card.name


def take_copy(database: Path | None, card_id: str, holding: int) -> str:
    """Remove one copy of a card from a holding in one undoable change, and return its name.

    Raises:
        CatalogError: If it has no copy that is available.
    """
    with open_collection(database) as collection:
        found = _holding(collection, card_id, holding)
        with collection.change(f"remove 1 {found.name}"):
            collection.take(found, 1)
        return found.name


def edit_copies(database: Path | None, card_id: str, holding: int, wanted: edit.Edit) -> None:
    """Change the kind or the location of the copies of a holding.

    Raises:
        CatalogError: If the copies are gone, or the changes are not valid.
    """
    with open_collection(database) as collection:
        found = _holding(collection, card_id, holding)
        if wanted.box == found.place.box:
            wanted = wanted._replace(box=None)  # naming a box clears row and slot
        edit.edit_holding(collection, found, wanted)


def edit_numbers(database: Path | None, card_id: str, printed: Mapping[str, str]) -> list[str]:
    """Change what is printed in zones of a card; return sentences on texts with several meanings.

    Raises:
        CatalogError: If there is no such card, or the numbers are not valid.
    """

    def changed(form: CustomCard) -> CustomCard:
        return replace(form, printed={**form.printed, **printed})

    work_on(catalogue_path(database), lambda store: card_edits.edit_card(store, card_id, changed))
    return assumptions(printed)


def still_owned(database: Path | None, card_ids: Sequence[str]) -> list[str]:
    """Return those of the ids, one for each copy, that the collection still has in that number; the last ones count."""
    left: Counter[str] = Counter()
    with open_collection(database) as collection:
        for holding in collection.of_cards(list(set(card_ids))):
            left[holding.card_id] += holding.copies
    found = []
    for card_id in reversed(card_ids):
        if left[card_id] > 0:
            left[card_id] -= 1
            found.append(card_id)
    return found[::-1]


def _holding(collection: CollectionStore, card_id: str, holding: int) -> Holding:
    """Return the copies of a card with this id of their own.

    Raises:
        CatalogError: If they are no longer in the collection.
    """
    found = next((one for one in collection.of_cards([card_id]) if one.id == holding), None)
    if found is None:
        raise CatalogError("These copies are not in the collection any more.")
    return found
