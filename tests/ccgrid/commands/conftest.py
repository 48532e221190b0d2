"""What the tests of this folder share."""

from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell

from ccgrid import app


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue that holds the bundled cards."""
    path = tmp_path_factory.mktemp("starter") / "starter.db"
    assert app.run(["import", "starter", "--db", str(path), "--json"]) == 0
    return path


@pytest.fixture
def cards(starter: Path, shell: Shell) -> list[dict[str, Any]]:
    """A legal deck of bundled cards, of which each has a name of its own."""
    drawn: list[dict[str, Any]] = shell.good("deck", "new", "--seed", "4", "--json", "--db", starter).json["cards"]
    assert len({card["name"] for card in drawn}) == 20
    return drawn
