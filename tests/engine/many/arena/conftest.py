"""What several tests of the arena ask for by name."""

import pytest
from arenas import Tilted

from ccgrid.engine.players import PLAYERS, Players


@pytest.fixture
def tilted(monkeypatch):
    monkeypatch.setattr("ccgrid.engine.players.PLAYERS", Players(*PLAYERS, Tilted()))
