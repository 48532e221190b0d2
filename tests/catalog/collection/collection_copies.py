"""Helpers for adding copies to a collection and for listing its copies."""

from typing import Any

from ccgrid.catalog.collection.edit import add_copies, copy_key, describe_holding
from ccgrid.catalog.collection.selection import select_holdings
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.store.holdings import CollectionStore


def put(collection: CollectionStore, name: str, copies: int = 1, **kind: Any) -> None:
    found = find_card(collection, name).card
    assert found is not None
    add_copies(collection, found, copies, copy_key(**kind))


def owned_copies(collection: CollectionStore) -> list[str]:
    return [describe_holding(one) for one in select_holdings(collection, by="place")]
