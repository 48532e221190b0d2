"""What several tests of the arena ask for by name."""

import pytest
from arenas import Tilted

from ccgrid.engine.players import PLAYERS


@pytest.fixture
def tilted(monkeypatch):
    monkeypatch.setattr("ccgrid.engine.players.PLAYERS", (*PLAYERS, Tilted()))
