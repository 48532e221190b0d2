"""What the tests of this folder share."""

from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell


@pytest.fixture
def cards(starter: Path, shell: Shell) -> list[dict[str, Any]]:
    """A legal deck of bundled cards, of which each has a name of its own."""
    drawn: list[dict[str, Any]] = shell.good("deck", "new", "--seed", "4", "--json", "--db", starter).json["cards"]
    assert len({card["name"] for card in drawn}) == 20
    return drawn
