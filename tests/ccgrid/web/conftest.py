"""Fixtures of the tests of web pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.web_server import RunningServer, server


@pytest.fixture
def served(tmp_path: Path, database: Path) -> Iterator[RunningServer]:
    """The pages, with the catalogue of the file's tests."""
    with server(tmp_path / "tables", database=database) as running:
        yield running
