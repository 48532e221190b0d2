"""What decks, want lists and sets ask for and the collection lacks."""

from collections.abc import Sequence
from pathlib import Path

from ccgrid.catalog.collection import wanted as lists
from ccgrid.catalog.collection.pulls import find_in_boxes
from ccgrid.catalog.decks import Problem
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.services.choices import Choices
from ccgrid.services.deck_search import owned_deck


def wanted(
    collection: CollectionStore, files: Sequence[Path], sets: Sequence[str], games: Sequence[str], choices: Choices
) -> tuple[list[Holding], list[Problem]]:
    """What is lacking of files and sets, and the lines that mean no card; of every set begun where none is named.

    Raises:
        CatalogError: a file cannot be read.
    """
    short, unknown = list[tuple[str, int]](), list[Problem]()
    for file in files:
        deck = owned_deck(file, collection, choices)
        unknown += deck.unknown
        short += [(card.id, count) for card, count in find_in_boxes(collection, deck.needs, deck.name).missing]
    found = lists.wanted_of(collection, short)
    if games:
        found = [one for one in found if one.game in games]
    known = {one.card_id for one in found}
    missing = lists.missing(collection, sets, games) if sets or not files else []
    return [*found, *(one for one in missing if one.card_id not in known)], unknown
