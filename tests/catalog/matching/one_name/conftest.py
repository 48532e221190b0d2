"""Fixtures with three games that have cards of the same name."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest
from helpers import forked_program as forked
from helpers.catalogues import Shell, make_catalogue, row, write_rows
from three_griffins import BOLTS, GRIFFINS

from ccgrid import app


@pytest.fixture(scope="session")
def three_games_catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a catalogue with a Griffin in each of three games, and four printings of Bolt with two costs."""
    folder = tmp_path_factory.mktemp("griffins")
    bolts = [
        row(1, "Bolt", cost, set=code, set_name=code.upper(), collector_number=number, released_at=f"{year}-01-01")
        for code, number, year, cost in BOLTS
    ]
    database = make_catalogue(
        folder / "catalogue.db", write_rows(folder / "cards.jsonl", [*bolts, row(5, "Amber Drake")])
    )
    for game, (_, set_code, number, score) in GRIFFINS.items():
        card = ("--game", game, "--name", "Griffin", "--top", str(score), "--set", set_code, "--number", number)
        assert app.run(["card", "add", *card, "--db", str(database)]) == 0
    return database


@pytest.fixture
def three_games(three_games_catalogue: Path, shell: Shell) -> Shell:
    """Return a shell with a copy of that catalogue."""
    shutil.copy(three_games_catalogue, shell.database)
    return shell


@pytest.fixture
def at_terminal(three_games: Shell) -> Callable[..., pexpect.spawn]:
    def spawn(*arguments: str | Path) -> pexpect.spawn:
        environment = {**three_games.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1", "NO_COLOR": "1"}
        return forked.at_terminal(arguments, environment, folder=three_games.folder, lines=40)

    return spawn
