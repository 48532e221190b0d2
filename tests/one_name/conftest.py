"""What the tests of this folder share."""

from collections.abc import Callable
from pathlib import Path

import forked
import pexpect
import pytest
from catalogues import Shell, row
from three_griffins import BOLTS, GRIFFINS


@pytest.fixture
def griffins(shell: Shell) -> Shell:
    """A catalogue in which three games have a Griffin, and one has Bolts, the last with another number."""
    bolts = [
        row(1, "Bolt", cost, set=code, set_name=code.upper(), collector_number=number, released_at=f"{year}-01-01")
        for code, number, year, cost in BOLTS
    ]
    shell.import_rows([*bolts, row(5, "Amber Drake")])
    for game, (_, set_code, number, score) in GRIFFINS.items():
        card = ("--game", game, "--name", "Griffin", "--top", str(score), "--set", set_code, "--number", number)
        shell.good("card", "add", *card)
    return shell


@pytest.fixture
def at_terminal(griffins: Shell) -> Callable[..., pexpect.spawn]:
    def spawn(*arguments: str | Path) -> pexpect.spawn:
        environment = {**griffins.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1", "NO_COLOR": "1"}
        return forked.at_terminal(arguments, environment, folder=griffins.folder, lines=40)

    return spawn
