"""One card with everything that a person wants to know of it and do with it: printings, copies, boxes."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog.card import LONGEST_NAME, Card, CatalogError, NothingFoundError
from ccgrid.catalog.collection import edit
from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import catalogue_path, open_collection
from ccgrid.services.choices import Choices
from ccgrid.services.collection import last_done, take_back
from ccgrid.services.finding import ExplainedCard, explained


class OwnedCard(NamedTuple):
    """A card explained, all its printings, the copies of them that are owned in walking order, and all boxes.

    `decks` are those in which copies are just now, and how many.
    """

    explained: ExplainedCard
    printings: Sequence[Card]
    holdings: Sequence[Holding]
    boxes: Sequence[str]
    decks: Sequence[tuple[str, int]]


def owned_card(database: Path | None, card_id: str) -> OwnedCard:
    """The card with an id; NothingFoundError where there is none."""
    found = explained(database, card_id, (), Choices(None))
    with Store(catalogue_path(database)) as store:
        collection = CollectionStore(store, lambda: None)
        printings = Choices(None).resolver(store).printings(found.card)
        holdings = collection.of_cards([one.id for one in printings])
        own = {holding.id for holding in holdings}
        out = [(one.deck, one.copies) for one in collection.decks_out() if one.holding.id in own]
        names = [box.name for box in edit.boxes(collection) if box.name]
        return OwnedCard(found, printings, holdings, names, out)


def boxes(database: Path | None) -> list[edit.Box]:
    """Every box with what is in it; what is in no box comes last."""
    with open_collection(database, lambda: None) as collection:
        return edit.boxes(collection)


def add_copies(database: Path | None, card_id: str, copies: int, box: str) -> None:
    """Adds copies of a card to a box, or to none, as one change.

    Raises:
        NothingFoundError: there is no such card.
        CatalogError: the copies are too many or none, or the name of the box is too long.
    """
    if len(box) > LONGEST_NAME:
        raise CatalogError(f"The name of a box has at most {LONGEST_NAME} letters.")
    with open_collection(database, lambda: None) as collection:
        card = StoreLookup(collection.store).card(card_id)
        if card is None:
            raise NothingFoundError("There is no such card.")
        edit.add(collection, card, copies, edit.kind_of(place=Place(box.strip())))


def take_copy(database: Path | None, card_id: str, holding: int) -> None:
    """Takes one copy of a card out of a holding as one change; CatalogError where none is there, or it is out."""
    with open_collection(database, lambda: None) as collection:
        found = next((one for one in collection.of_cards([card_id]) if one.id == holding), None)
        if found is None:
            raise CatalogError("These copies are not in the collection any more.")
        with collection.change(f"remove 1 {found.name}"):
            collection.take(found, 1)


def undo(database: Path | None) -> str:
    """Takes the last change back and returns what it was; CatalogError where there is none, or it is an import."""
    deed = last_done(database)
    if deed.kind == "import":
        raise CatalogError("The last change was an import. At the computer: ccgrid undo")
    take_back(database, deed, lambda: None)
    return deed.what
