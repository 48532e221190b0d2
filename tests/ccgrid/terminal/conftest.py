"""Fixtures for the tests at terminals."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.game_files import write_deck
from helpers.made_up import random_deck


@pytest.fixture
def start_game(shell: Shell) -> Callable[..., Any]:
    """A function that starts a game at a terminal, always with the same seed."""
    from helpers.terminals import Terminal  # needs a pseudo-terminal, of which Windows has none

    def begin(*arguments: str | Path, lines: int = 50) -> Terminal:
        return Terminal(shell, *arguments, *(() if "--load" in arguments else ("--seed", "3")), lines=lines)

    return begin


@pytest.fixture
def start_table(shell: Shell) -> Callable[..., Any]:
    """A function that starts a table with real cards at a terminal."""
    from helpers.terminals import Terminal

    def begin(*arguments: str | Path, command: str = "table", lines: int = 60) -> Terminal:
        return Terminal(shell, *arguments, lines=lines, command=command)

    return begin


@pytest.fixture
def deck(shell: Shell) -> Path:
    """The file of a random deck."""
    return write_deck(shell.folder / "deck.toml", random_deck(random.Random(9)))
