"""Fixtures for the tests of the arena."""

import pytest
from arenas import Tilted

from ccgrid.engine.players import PLAYERS, Players


@pytest.fixture
def tilted(monkeypatch):
    """Add the player "tilted" to the computer players."""
    monkeypatch.setattr("ccgrid.engine.players.PLAYERS", Players(*PLAYERS, Tilted()))
