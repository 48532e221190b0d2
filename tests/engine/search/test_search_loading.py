"""When compiled searches are loaded: never so that a move comes too late, and told before anything is compiled."""

import random
import sys
from types import SimpleNamespace

import pytest
from helpers.made_up import random_deck

from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.games.grid import core
from ccgrid.engine.many.arena import Arena, Contestant, play_arena
from ccgrid.engine.many.simulation import Lineup, simulate
from ccgrid.engine.players import find_player, prepare
from ccgrid.engine.search import Clock, loading

COMPILING = "ccgrid.engine.rows.compiling"


def compiler(loaded, is_loaded=False):
    """In the place of what compiles: the cores that were to be compiled are put to `loaded`."""
    return SimpleNamespace(
        compiled=lambda _, one: one in loaded or loaded.append(one),
        is_loaded=lambda *_: is_loaded,
        announcement="Compiling {}: {}".format,
    )


@pytest.fixture
def loaded(monkeypatch):
    """What was loaded, of a machine with the extra where nothing was before; kept as the test says."""
    cores = []
    monkeypatch.setitem(sys.modules, COMPILING, compiler(cores))
    monkeypatch.setattr(loading, "_can_compile", lambda: True)
    monkeypatch.setattr(loading, "_is_kept", lambda game: True)
    return cores


@pytest.mark.parametrize(
    ("rounds", "seconds", "kept", "expected"),
    [
        (1000, None, True, True),
        (1000, None, False, True),
        (100, None, True, True),
        (100, None, False, False),
        (10, None, True, False),
        (None, 0.1, True, False),
        (None, 60.0, True, True),
        (None, 60.0, False, False),
    ],
)
def test_it_is_loaded_where_that_is_worth_it_and_there_is_time(loaded, monkeypatch, rounds, seconds, kept, expected):
    monkeypatch.setattr(loading, "_is_kept", lambda game: kept)
    assert loading.is_search_compiled(core, rounds, Clock.of(seconds)) is expected


def test_what_is_loaded_is_used_however_short_the_time(monkeypatch):
    monkeypatch.setitem(sys.modules, COMPILING, compiler([], is_loaded=True))
    assert loading.is_search_compiled(core, 1, Clock.of(0.001))


def test_before_a_game_players_load_what_they_think_with_and_compiling_is_told(loaded, monkeypatch):
    told = []
    prepare([find_player("greedy"), find_player("strong:20")], "grid", told.append)
    assert loaded == []
    prepare([find_player("strong:0.1s")], "grid", told.append)
    assert (loaded, told) == ([core], [])
    monkeypatch.setattr(loading, "_is_kept", lambda game: False)
    prepare([find_player("strong")], "grid", told.append)
    assert told == ["Compiling the search of grid: half a minute"]


def test_without_the_extra_nothing_is_loaded(loaded, monkeypatch):
    monkeypatch.setattr(loading, "_can_compile", lambda: False)
    prepare([find_player("strong")], "grid")
    assert not loading.is_search_compiled(core, 1000, Clock())
    assert loaded == []


@pytest.mark.parametrize(("games", "expected"), [(1, []), (2000, [core])])
def test_many_games_of_little_thought_are_worth_what_one_of_long_thought_is(loaded, games, expected):
    prepare([find_player("strong:30")], "grid", games=games)
    assert loaded == expected


def test_a_simulation_and_an_arena_prepare_for_all_the_games_that_they_play(loaded, monkeypatch):
    class IsLoadedError(Exception):
        """What the compiled search was loaded with."""

    def load(*_):
        raise IsLoadedError

    monkeypatch.setattr(sys.modules[COMPILING], "compiled", load)
    decks = FixedDecks((tuple(random_deck(random.Random(1), 20)),))
    lineup = Lineup("grid", ("strong:15", "random"), decks, 1)
    assert simulate(lineup, 2).tally.games == 2
    with pytest.raises(IsLoadedError):
        simulate(lineup, 4000)
    contestants = Contestant("A", "strong:15"), Contestant("B", "random")
    with pytest.raises(IsLoadedError):
        play_arena(Arena("grid", contestants, decks, 1), 4000)
