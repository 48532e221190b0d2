"""What the tests of this folder share."""

import pytest

from ccgrid.catalog.download import Client
from ccgrid.catalog.imports import run as importing


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between tries of imports, which take no time."""
    waits: list[float] = []
    monkeypatch.setattr(importing, "Client", lambda source: Client(source, sleep=waits.append))
    return waits
