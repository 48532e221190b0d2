"""Acts on a collection, and what it then holds."""

from typing import Any

import pytest

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.edit import add, describe, kind_of, select
from ccgrid.catalog.collection.session import find_card
from ccgrid.catalog.store.holdings import CollectionStore


def put(collection: CollectionStore, name: str, copies: int = 1, **kind: Any) -> None:
    found = find_card(collection, name).card
    assert found is not None
    add(collection, found, copies, kind_of(**kind))


def refusal(act: Any) -> str:
    with pytest.raises(CatalogError) as caught:
        act()
    return str(caught.value)


def held(collection: CollectionStore) -> list[str]:
    return [describe(one) for one in select(collection, by="place")]
