"""The recursive search of grid in plain Python, compared with the functions that are also compiled."""

import random
from itertools import pairwise

import pytest
from helpers.everyday import slow_except
from helpers.made_up import random_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid import solving
from ccgrid.engine.games.grid.plain_solving import plain_search
from ccgrid.engine.games.grid.solver import SOLVER
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.proving import Clock, OutOfTimeError, move_values, prove


def ending(seed, moves, **options):
    rng = random.Random(seed)
    state = find_game("grid").deal(("Ann", "Bob"), [random_deck(rng)], Dice(seed), options=options).start()
    for _ in range(moves):
        if state.legal_moves():
            state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"order": "1-2-2"},
        {"empty-pile": True},
        {"komi": 7},
        {"turn": "clockwise"},
        {"turn": "clockwise", "order": "1-2-2"},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", slow_except(range(3), 0))
def test_plain_search_proves_the_same_values(seed, options):
    state = ending(seed, 8, **options)
    searchers = [CoreSearcher(solving, state, is_compiled=False, plain_search=made) for made in (plain_search, None)]
    values, others = (move_values(state, searcher) for searcher in searchers)
    assert values == others
    if values:
        assert prove(state, searchers[0]).value == max(values.values())
        assert searchers[0].nodes > 0


def test_solver_uses_the_plain_search_unless_cards_are_covered():
    assert SOLVER.searcher(ending(1, 3))._search_plainly is not None
    assert SOLVER.searcher(ending(1, 3, turn="clockwise"))._search_plainly is not None
    assert SOLVER.searcher(ending(1, 3, **{"empty-pile": True}))._search_plainly is None


def test_positions_with_cards_turned_differently_have_different_keys():
    # 20 kinds in four orientations, each on the cell with the greatest weight.
    state = ending(1, 0, turn="clockwise")
    searcher = CoreSearcher(solving, state, is_compiled=False)
    notes, weights = searcher._notes, searcher._notes.weights
    kinds = len(notes.ranks)
    assert kinds == 81
    assert all(after == kinds * before for before, after in pairwise(weights))
    assert weights[-1] * kinds <= 2**63


@pytest.mark.slow
def test_plain_search_stops_at_its_deadline_and_continues_later(monkeypatch):
    state = ending(2, 3)
    searcher, clock = CoreSearcher(solving, state, is_compiled=False, plain_search=plain_search), Clock(0.0)
    with pytest.raises(OutOfTimeError):
        searcher.search(state, 0, clock)
    assert searcher.nodes > 0
    whole = CoreSearcher(solving, state, is_compiled=False)
    assert (searcher.search(state, 0, Clock()) >= 0) == (whole.search(state, 0, Clock()) >= 0)
