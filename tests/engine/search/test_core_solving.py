"""Positions proved on cores: plain and compiled the same, however little is remembered, and never without the clock."""

from functools import cache
from importlib.util import find_spec
from math import inf

import pytest
from helpers.game_positions import CORES, core_of, positions

from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Game
from ccgrid.engine.games import find_game
from ccgrid.engine.rows.core import UNDECIDED
from ccgrid.engine.rows.solving import search
from ccgrid.engine.search import Clock, core_search, find_solver, loading, prove
from ccgrid.engine.search.core_search import CoreSearcher, CoreSolver
from ccgrid.engine.search.proving import OutOfTimeError, lead_of

SOLVED = [name for name in CORES if hasattr(core_of(name), "position")]
every_solved = pytest.mark.parametrize("name", SOLVED)
compiled_only = pytest.mark.skipif(find_spec("numba") is None, reason="what compiles is not installed")


@cache
def small(name, seed):
    """The last position of a random game of two that takes more than some hundred others to prove."""
    for state, _ in reversed([*positions(name, seed, 2)][:-1]):
        found = searcher(state, is_compiled=False)
        if prove(state, found, Looks(60)).value is None:
            break
        if found.nodes > 500:
            return state
    return small(name, seed + 100)


class Looks(Clock):
    """A clock that ends after so many looks at it."""

    def __init__(self, looks):
        super().__init__(inf)
        self.looks = looks

    @property
    def is_over(self):
        self.looks -= 1
        return self.looks < 0


def searcher(state, **keywords):
    own = find_game(state.game).part("solver")
    kind = type(own.searcher(state)) if own else CoreSearcher
    return kind(core_of(state.game), state, **keywords)


@compiled_only
@every_solved
def test_compiled_the_same_is_proved_as_in_plain_python(name):
    for seed in range(8):
        state = small(name, seed)
        plain, quick = (searcher(state, is_compiled=fast) for fast in (False, True))
        one, other = prove(state, plain), prove(state, quick)
        assert (one.value, one.line) == (other.value, other.line)


@every_solved
def test_a_proof_is_the_same_however_few_positions_are_remembered(name, monkeypatch):
    state = small(name, 1)
    everything, little = searcher(state, is_compiled=False), searcher(state, most_kept=100, is_compiled=False)
    assert prove(state, everything).line == prove(state, little).line
    assert little.nodes > everything.nodes
    if find_spec("numba"):
        monkeypatch.setattr(type(everything), "least_places", 16)
        monkeypatch.setattr(core_search, "NODES_A_CALL", 50)
        for places in (16, 1 << 20):
            monkeypatch.setattr(type(everything), "places", places)
            found = searcher(state, is_compiled=True)
            assert prove(state, found).line == prove(state, everything).line
            assert found.size == 16 if places == 16 else found.size > 16


@every_solved
def test_a_search_that_ran_out_of_time_goes_on_with_what_it_proved(name):
    state = small(name, 3)
    value = prove(state, searcher(state, is_compiled=False)).value
    found = searcher(state, is_compiled=False)
    with pytest.raises(OutOfTimeError):
        found.search(state, value, Clock.of(0.0))
    assert found.search(state, value, Clock()) >= value
    assert found.search(state, value + 1, Clock()) <= value


@every_solved
def test_a_core_proves_what_the_game_has_no_solver_for_and_more_players_are_refused(name, monkeypatch):
    game, state = find_game(name), small(name, 2)
    expected = prove(state, find_solver(state).searcher(state))
    monkeypatch.setattr(type(game), "part", lambda self, part: None if part == "solver" else Game.part(self, part))
    solver = find_solver(state)
    assert isinstance(solver, CoreSolver)
    proof = prove(state, solver.searcher(state))
    assert (proof.value, proof.line) == (expected.value, expected.line)
    if len(game.player_counts) > 1:
        with pytest.raises(EngineError, match="for two players"):
            find_solver(next(one for one, _ in positions(name, 1, game.player_counts[-1])))


@pytest.mark.parametrize("name", [name for name in SOLVED if hasattr(core_of(name), "last_lead")])
def test_of_the_last_moves_a_core_knows_what_the_best_ones_lead_by(name):
    core, known = core_of(name), 0
    for seed in range(40):
        for state, _ in list(positions(name, seed, 2))[-4:-1]:
            lead = core.last_lead(*core.position(state)[:2])
            if lead != UNDECIDED:
                assert lead == played_out(state)
                known += 1
    assert known > 40


def played_out(state):
    """The lead of who is to move when both play best, found by playing every game on."""
    if state.ending():
        return lead_of(state, state.to_move)
    after = [state.play_unchecked(move) for move in state.legal_moves()]
    return max(played_out(one) * (1 if one.to_move == state.to_move else -1) for one in after)


@compiled_only
def test_a_table_is_made_arrays_once_for_searches_that_follow_one_another():
    first, second = (searcher(small("matrix", 1), is_compiled=True) for _ in range(2))
    assert first._rows is second._rows


@compiled_only
def test_a_long_proof_goes_on_in_compiled_code(monkeypatch):
    state = small("tactics", 1)
    monkeypatch.setattr(loading, "_NODES_WORTH_LOADING", 200)
    monkeypatch.setattr(loading, "_NODES_WORTH_COMPILING", 200)
    found = searcher(state)
    expected = prove(state, searcher(state, is_compiled=False))
    proof = prove(state, found)
    assert (proof.value, proof.line) == (expected.value, expected.line)
    assert found.is_compiled


@pytest.mark.parametrize(
    ("nodes", "seconds", "is_kept", "expected"),
    [
        (59_999, None, True, False),
        (60_000, None, True, True),
        (60_000, None, False, False),
        (400_001, None, False, True),
        (400_001, 60.0, False, False),
        (60_000, 60.0, True, True),
        (60_000, 0.1, True, False),
    ],
)
def test_a_proof_loads_what_is_compiled_where_it_is_worth_it_and_there_is_time(
    monkeypatch, nodes, seconds, is_kept, expected
):
    class Compiling:
        """What compiles, with nothing loaded yet."""

        is_loaded = staticmethod(lambda function, core: False)
        is_kept = staticmethod(lambda function, core: is_kept)

    monkeypatch.setattr(loading, "_can_compile", lambda: True)
    monkeypatch.setitem(loading.sys.modules, "ccgrid.engine.rows.compiling", Compiling)
    assert loading.solves_compiled(search, core_of("tactics"), nodes, Clock.of(seconds)) is expected
    monkeypatch.setattr(loading, "_can_compile", lambda: False)
    assert not loading.solves_compiled(search, core_of("tactics"), nodes, Clock.of(seconds))
