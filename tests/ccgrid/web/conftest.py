"""Fixtures for the tests of the server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.web_server import RunningServer, server


@pytest.fixture
def served(tmp_path: Path, database: Path) -> Iterator[RunningServer]:
    """A running server, with the catalogue of the test module."""
    with server(tmp_path / "tables", database=database) as running:
        yield running
