"""Matrix for two, in which nothing is hidden: what is asked for a move, and what proves the last rounds, agree."""

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
LONG = 600.0
"""So many seconds are enough for any proof here, however busy the machine is."""


def with_left(left, rng):
    """A random position with so many rounds left, in any of the variants."""
    options = {option.name: rng.choice(list(option.values)) for option in OPTIONS}
    state = find_game("matrix").deal(("Ann", "Bob"), [], Dice(rng.getrandbits(32)), options=options).start()
    moves = 20 - 2 * left + rng.randrange(2)
    for _ in range(moves):
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


def check_they_agree(state, monkeypatch):
    """All find what is proved; gives the moves that are best."""
    monkeypatch.setattr(session, "_HINT_SECONDS", LONG)
    proof = solve(state)
    values = move_values(state, find_solver(state).searcher(state))
    assert max(values.values()) == proof.value
    best = {move for move, value in values.items() if value == proof.value}
    for thought in (advice_on(state, LONG, seed=1), hint_for(state, 3)):
        assert thought.is_exact
        assert {one.move: one.value for one in thought.moves} == values
        assert thought.best.move in best
    assert choose_move(find_player(f"strong:{LONG}s"), state, Dice(1)) in best
    return best


@pytest.mark.slow
@pytest.mark.parametrize("left", [1, 2, 3, 4])
def test_searches_agree_in_last_rounds_in_plain_python(left, monkeypatch):
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    rng = random.Random(left)
    for _ in range(POSITIONS):
        state = with_left(left, rng)
        best = check_they_agree(state, monkeypatch)
        assert choose_move(find_player("strong:5"), state, Dice(1)) in best  # which counts rounds, not the time


def test_compiled_searches_agree_with_five_rounds_left(monkeypatch):
    pytest.importorskip("numba")
    core_search.prepare("matrix")
    rng = random.Random(5)
    for _ in range(POSITIONS):
        check_they_agree(with_left(5, rng), monkeypatch)


def test_saved_proof_code_is_loaded_before_time_limit_starts(monkeypatch):
    asked = []
    monkeypatch.setattr(core_search, "is_proof_compiled", lambda search, core, nodes, clock: asked.append(clock.end))
    rng = random.Random(6)
    prepare_proof(with_left(4, rng))
    prepare_proof(find_game("matrix").deal(("Ann", "Bob"), [], Dice(1)).start())
    assert not asked, "these are quick, or not proved"
    prepare_proof(with_left(5, rng))
    assert asked == [None]
