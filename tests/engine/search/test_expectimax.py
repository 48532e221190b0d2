"""Positions of which the order of a few cards is hidden from both: what moves are worth is what all orders come to."""

import os
import random
from importlib.util import find_spec

import pytest
from helpers import naive_expectimax, naive_grid
from helpers.made_up import random_deck, sparse_deal

from ccgrid.engine.cards import label
from ccgrid.engine.dice import Dice
from ccgrid.engine.games.grid import core
from ccgrid.engine.games.grid.options import ORDERS, USUAL, Options
from ccgrid.engine.games.grid.state import GridSetup
from ccgrid.engine.rows.binding import outside
from ccgrid.engine.search import Clock, best_move, core_search, think
from ccgrid.engine.search.core_search import CoreExpectimax, CoreTree
from ccgrid.engine.search.loading import Searched, searched
from ccgrid.engine.search.proving import OutOfTimeError
from ccgrid.engine.search.thinking import measured

POSITIONS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "12")) // 4
"""So many random positions are compared with what all orders of the pile come to."""

forms = pytest.mark.parametrize(
    "is_compiled",
    [False, pytest.param(True, marks=pytest.mark.skipif(find_spec("numba") is None, reason="nothing compiles"))],
)


def hidden_pile(rng, options=USUAL, most=2, *, lively=False):
    """A random position with so many cards in the pile at most, by the engine and by the plain rules."""
    while True:
        deal = sparse_deal(rng)
        cards = label(random_deck(rng)) if lively else deal.cards
        setup = GridSetup(deal.players, deal.first, cards, options=options)
        state, plain = setup.start(), naive_grid.start_of(setup)
        while moves := state.legal_moves():
            if state.pile <= most and len(moves) > 1:
                return state, plain
            move = rng.choice(moves)
            state, plain = state.play_unchecked(move), naive_grid.play(plain, move)


def expectimax_of(state, *, is_compiled):
    view = state.view(state.to_move)
    return CoreExpectimax(view, Searched(core, outside(core.world, core, is_compiled=is_compiled)(view), is_compiled))


@forms
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("empty_pile", [False, True])
def test_moves_are_worth_what_all_orders_of_the_pile_come_to(order, empty_pile, is_compiled):
    rng = random.Random(21)
    for number in range(POSITIONS):
        options = Options(rng.randrange(9), order, empty_pile)
        state, plain = hidden_pile(rng, options, most=3 if number % 5 == 0 else 2)
        expected = naive_expectimax.values_of_moves(plain)
        search = expectimax_of(state, is_compiled=is_compiled)
        assert search.values(Clock()) == pytest.approx(expected, abs=1e-9)
        best = max(expected.values())
        found = expectimax_of(state, is_compiled=is_compiled).values(Clock(), of_all=False)
        assert max(found.values()) == pytest.approx(best, abs=1e-9)
        assert all(value == pytest.approx(expected[move], abs=1e-9) for move, value in found.items())


def test_advice_and_the_strong_player_know_exactly_what_moves_come_to_where_few_cards_are_hidden():
    rng = random.Random(22)
    for _ in range(POSITIONS // 2):
        state, plain = hidden_pile(rng)
        expected = naive_expectimax.values_of_moves(plain)
        thought = think(state, Dice(1), rounds=2000)
        assert thought.is_exact
        assert {one.move: one.value for one in thought.moves} == pytest.approx(expected, abs=1e-9)
        assert best_move(state, Dice(2), rounds=2000) == thought.best.move


@forms
def test_the_same_is_found_however_often_the_clock_is_looked_at_and_nothing_too_late(is_compiled, monkeypatch):
    state, _ = hidden_pile(random.Random(23), lively=True)
    expected = expectimax_of(state, is_compiled=is_compiled).values(Clock())
    monkeypatch.setattr(core_search, "NODES_A_LOOK", 7)
    monkeypatch.setattr(core_search, "NODES_A_CALL", 7)
    search = expectimax_of(state, is_compiled=is_compiled)
    assert search.values(Clock.of(3600.0)) == expected
    with pytest.raises(OutOfTimeError):
        expectimax_of(state, is_compiled=is_compiled).values(Clock.of(0.0))
    with pytest.raises(OutOfTimeError, match="too many"):
        expectimax_of(state, is_compiled=is_compiled).values(Clock(), most=search.nodes // 2)


@pytest.mark.slow
def test_what_is_tried_out_lies_within_two_errors_of_what_all_orders_of_the_pile_come_to():
    rng, inside, values = random.Random(24), 0, 0
    for number in range(POSITIONS):
        state, plain = hidden_pile(rng, lively=number % 2 == 0)
        view, expected = state.view(state.to_move), naive_expectimax.values_of_moves(plain)
        thought = measured(view, CoreTree(searched(view, 1, Clock()), Dice(number)), 300)
        inside += sum(abs(one.value - expected[one.move]) <= 2 * (one.error or 0.0) for one in thought.moves)
        values += len(thought.moves)
    assert inside >= 0.95 * values
