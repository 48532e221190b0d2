"""Fixtures for the tests of the collection."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore


@pytest.fixture
def collection(template: Path, tmp_path: Path) -> Iterator[CollectionStore]:
    """Return an empty collection."""
    shutil.copy(template, tmp_path / "own.db")
    with Store(tmp_path / "own.db") as store:
        yield CollectionStore(store)
