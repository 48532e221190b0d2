"""Tests that every option of every game is supported by all solvers, searches and hindsight."""

import os
import random

import pytest
from helpers import naive_grid, naive_search
from helpers.game_positions import near_the_end
from helpers.made_up import deck_for

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.grid.options import ORDERS, TURNS, Options
from ccgrid.engine.insight.analysis import analyze
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import Clock, find_solver, solve, think
from ccgrid.engine.search.averages import exact_averages
from ccgrid.engine.search.core_search import find_core_search, searched_core, solved_core
from ccgrid.engine.search.proving import TooFarError, move_values
from ccgrid.engine.search.state_core import StateSearcher

POSITIONS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "12"))
"""The number of random positions that are compared with exhaustive play."""

VALUES = [
    (game.name, option.name, value)
    for game in GAMES
    for option in game.options
    for value in list(option.samples or option.values)[-2:]
    if value != option.default
]
SHORT = {"ninecard": {"life": 5, "limit": 4}}
"""Options that make a game short enough for exhaustive play."""

by_option = pytest.mark.parametrize(("name", "option", "value"), VALUES, ids=[f"{a}-{b}-{c}" for a, b, c in VALUES])


def games_of(name, option, value, count=6):
    """Yield games with an option: the setup and random moves."""
    game = find_game(name)
    for seed in range(count):
        decks = [deck_for(name, random.Random(seed + number)) for number in range(game.decks_needed(2))]
        options = {**SHORT.get(name, {}), option: value}
        setup = game.deal(["Ann", "Bob"], decks, Dice(seed), options=options)
        state, moves, dice = setup.start(), [], Dice(seed)
        while legal := state.legal_moves():
            moves.append(dice.choose(legal))
            state = state.play_unchecked(moves[-1])
        yield setup, moves


def endings(name, option, value, left=3):
    """Yield positions a few moves before the end."""
    for setup, moves in games_of(name, option, value):
        yield Record(setup, tuple(moves[: max(len(moves) - left, 0)])).final()


def test_every_option_is_tested():
    assert {(name, option) for name, option, _ in VALUES} == {
        (game.name, option.name) for game in GAMES for option in game.options
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_core_and_solver_support_all_options(game):
    declared = {option.name for option in game.options}
    for fast in (game.core and game.core.OPTIONS, game.part("solver") and game.part("solver").options):
        assert fast is None or set(fast) == declared


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("empty_pile", [False, True])
@pytest.mark.parametrize("turn", TURNS)
def test_grid_variants_equal_exhaustive_play(order, empty_pile, turn):
    rng = random.Random(7)
    for _ in range(POSITIONS // 3):
        state, plain = near_the_end(rng, options=Options(rng.randrange(9), order, empty_pile, turn))
        values = naive_search.values_of_moves(naive_grid, plain)
        assert move_values(state, find_solver(state).searcher(state)) == values
        assert solve(state).value == max(values.values())


@by_option
def test_fast_solver_equals_readable_rules(name, option, value):
    messages, solved = [], 0
    for state in endings(name, option, value):
        if state.ending() is not None:
            continue
        solver = find_solver(state, messages.append)
        try:
            plain = move_values(state, StateSearcher(state, 1_000))
        except TooFarError:
            continue
        assert move_values(state, solver.searcher(state)) == plain
        solved += 1
    assert solved
    has_solver = find_game(name).part("solver") is not None or solved_core(name) is not None
    assert not (has_solver and messages), "the fast solver does not know this option"


@by_option
def test_searched_core_supports_option(name, option, value):
    assert (searched_core(name, {option: value}) is None) == (searched_core(name) is None)
    for state in endings(name, option, value):
        if state.ending() is None:
            thought = think(state, Dice(1), rounds=10)
            assert {estimate.move for estimate in thought.moves} == set(state.legal_moves())
            break


@pytest.mark.slow
@by_option
def test_hindsight_proves_last_move(name, option, value):
    proved = 0
    for setup, moves in games_of(name, option, value, 1):
        analysis = analyze(Record(setup, tuple(moves)), rounds=2, proving=0.3)
        proved += analysis.moves[-1].hindsight is not None
    assert proved


@pytest.mark.slow
@pytest.mark.parametrize("value", ["1-2-2"])
def test_averages_are_exact_with_option(value):
    found = 0
    for option, chosen in (("order", value), ("empty-pile", True), ("turn", "clockwise"), ("komi", 7)):
        for setup, moves in games_of("grid", option, chosen):
            for number in range(len(moves)):
                state = Record(setup, tuple(moves[:number])).final()
                if not 1 <= state.pile <= 2 or state.ending() is not None:
                    continue
                view = state.view(state.to_move)
                values = exact_averages(view, find_core_search(view, 100, Clock.of(5.0)), None, Clock.of(5.0))
                assert values is not None
                found += 1
                break
    assert found
