"""Fixtures for the tests of commands."""

from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell


@pytest.fixture
def cards(starter: Path, shell: Shell) -> list[dict[str, Any]]:
    """A legal deck of bundled cards with distinct names."""
    drawn: list[dict[str, Any]] = shell.good("deck", "new", "--seed", "4", "--json", "--db", starter).json["cards"]
    assert len({card["name"] for card in drawn}) == 20
    return drawn
