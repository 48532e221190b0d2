"""Tests that hints, advice, proofs and the strong player agree in the last rounds of two-player matrix."""

import os
import random

import pytest

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.matrix.options import OPTIONS
from ccgrid.engine.players import choose_move, find_player
from ccgrid.engine.search import core_search, find_solver, move_values, prepare_proof, solve
from ccgrid.services import session
from ccgrid.services.advice import advice_on
from ccgrid.services.session import hint_for

POSITIONS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "12")) // 2
LONG_SECONDS = 600.0
"""A time limit that no proof reaches, even on a busy machine."""


def random_position(left, rng):
    """Return a random position with `left` rounds left, with random options."""
    options = {option.name: rng.choice(list(option.values)) for option in OPTIONS}
    state = find_game("matrix").deal(("Ann", "Bob"), [], Dice(rng.getrandbits(32)), options=options).start()
    moves = 20 - 2 * left + rng.randrange(2)
    for _ in range(moves):
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


def check_agreement(state, monkeypatch):
    """Check that all searches return the proved value, and return the best moves."""
    monkeypatch.setattr(session, "_HINT_SECONDS", LONG_SECONDS)
    proof = solve(state)
    values = move_values(state, find_solver(state).searcher(state))
    assert max(values.values()) == proof.value
    best = {move for move, value in values.items() if value == proof.value}
    for thought in (advice_on(state, LONG_SECONDS, seed=1), hint_for(state, 3)):
        assert thought.is_exact
        assert {estimate.move: estimate.value for estimate in thought.moves} == values
        assert thought.best.move in best
    assert choose_move(find_player(f"strong:{LONG_SECONDS}s"), state, Dice(1)) in best
    return best


@pytest.mark.slow
@pytest.mark.parametrize("left", [1, 2, 3, 4])
def test_searches_agree_in_last_rounds_in_plain_python(left, monkeypatch):
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    rng = random.Random(left)
    for _ in range(POSITIONS):
        state = random_position(left, rng)
        best = check_agreement(state, monkeypatch)
        assert choose_move(find_player("strong:5"), state, Dice(1)) in best  # limited by rounds, not by time


def test_compiled_searches_agree_with_five_rounds_left(monkeypatch):
    pytest.importorskip("numba")
    core_search.prepare("matrix")
    rng = random.Random(5)
    for _ in range(POSITIONS):
        check_agreement(random_position(5, rng), monkeypatch)


def test_saved_proof_code_is_loaded_before_time_limit_starts(monkeypatch):
    ends = []
    monkeypatch.setattr(core_search, "is_proof_compiled", lambda search, core, nodes, clock: ends.append(clock.end))
    rng = random.Random(6)
    prepare_proof(random_position(4, rng))
    prepare_proof(find_game("matrix").deal(("Ann", "Bob"), [], Dice(1)).start())
    assert not ends, "these positions need no compiled proof"
    prepare_proof(random_position(5, rng))
    assert ends == [None]
