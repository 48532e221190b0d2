"""What several tests of pages ask for by name."""

import pytest
from catalogues import Shell
from table_pages import EXAMPLES


@pytest.fixture
def table(tmp_path, shell: Shell) -> str:
    """The address of the page of the example deck."""
    shell.good("page", EXAMPLES / "deck.toml", "-o", tmp_path / "table.html")
    return (tmp_path / "table.html").as_uri()
