"""What the tests of this folder share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.house import RunningHouse, house


@pytest.fixture
def served(tmp_path: Path, database: Path) -> Iterator[RunningHouse]:
    """The pages, with the catalogue of the file's tests."""
    with house(tmp_path / "tables", database=database) as running:
        yield running
