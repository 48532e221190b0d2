"""Fixtures for the tests of the store."""

from collections.abc import Iterator

import pytest

from ccgrid.catalog.store.catalogue import Store


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as store:
        yield store
