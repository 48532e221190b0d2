"""Fixtures for the tests of downloads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from download_world import ROWS, FakeTime, make_client
from helpers.scryfall_server import (
    ScryfallServer,
)

from ccgrid.catalog.download import Client


@pytest.fixture
def server() -> Iterator[ScryfallServer]:
    with ScryfallServer(ROWS) as server:
        yield server


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def client(tmp_path: Path, time: FakeTime) -> Iterator[Client]:
    with make_client(tmp_path / "cache", time) as client:
        yield client


@pytest.fixture
def target(client: Client) -> Path:
    return client.cache_path("mtg", "cards.jsonl.gz")
