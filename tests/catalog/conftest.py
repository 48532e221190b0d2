"""Fixtures for the tests of the catalogue."""

import pytest

from ccgrid.catalog.download import Client
from ccgrid.catalog.imports import run as importing


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list that records the pauses between attempts of an import, which take no time here."""
    waits: list[float] = []
    monkeypatch.setattr(importing, "Client", lambda source: Client(source, sleep=waits.append))
    return waits
