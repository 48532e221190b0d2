"""Tests of generators on integer rows, and that all cores fulfil the contract and can be compiled."""

import inspect
import random
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType

import pytest
from helpers.game_positions import CORES, core_of
from helpers.made_up import deck_for
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import ALL, STEP, Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.many.kernels import CoreKernel
from ccgrid.engine.many.tally import Lineup
from ccgrid.engine.rows import core as contract
from ccgrid.engine.rows import dealing as rows
from ccgrid.engine.rows import saved_code
from ccgrid.engine.rows.binding import bound
from ccgrid.engine.rows.dealing import below
from ccgrid.engine.rows.games import play_games
from ccgrid.engine.rows.row import Seeds

every_core = pytest.mark.parametrize("name", CORES)

PLAIN_SIDE = {"games"}
"""The names that every core has besides the functions of the contract."""


def contract_names(module):
    return {
        name: member
        for name, member in vars(module).items()
        if type(member) is FunctionType and member.__module__ == module.__name__
    }


def implementations():
    """Yield the functions and row types in plain Python, and compiled if the extra is installed."""
    yield pytest.param(lambda function: bound(function, contract), list, list, id="plain")
    if find_spec("numba"):
        compiling = import_module("ccgrid.engine.rows.compiling")
        yield pytest.param(
            lambda function: compiling.compiled(function, contract),
            lambda seed: import_module("numpy").array(seed, "uint64"),
            compiling.ints,
            id="compiled",
        )


every_kind = pytest.mark.parametrize(("bind", "make_dice", "make_row"), list(implementations()))


SEEDS = st.integers(0, 2**64 - 1) | st.integers(1, 40).map(lambda throw: -throw * STEP & ALL)
"""Seeds of dice. Some lead to repeated draws, because their first bits are all 0."""


@every_kind
@given(seed=SEEDS, sides=st.lists(st.integers(1, 2**31), max_size=20), number=st.integers(0, 2**40))
def test_row_dice_equal_dice(bind, make_dice, make_row, seed, sides, number):
    row, dice = make_dice(rows.dice_row(seed)), Dice(seed)
    assert [bind(rows.below)(row, count_of_sides) for count_of_sides in sides] == [
        dice.below(count_of_sides) for count_of_sides in sides
    ]
    bind(rows.fork)(row, number)
    dice = dice.fork(number)
    assert [bind(rows.below)(row, count_of_sides) for count_of_sides in sides] == [
        dice.below(count_of_sides) for count_of_sides in sides
    ]


@every_kind
@given(seed=SEEDS, size=st.integers(0, 40), before=st.integers(0, 3), data=st.data())
def test_row_shuffle_and_sample_equal_dice(bind, make_dice, make_row, seed, size, before, data):
    row = make_row([*range(-before, 0), *range(size), 99])
    bind(rows.shuffle)(make_dice(rows.dice_row(seed)), row, before, size)
    assert list(row) == [*range(-before, 0), *Dice(seed).permutation(size), 99]
    count = data.draw(st.integers(0, size))
    drawn, places = make_row([7] * (before + count)), make_row(range(size))
    bind(rows.sample)(make_dice(rows.dice_row(seed)), size, drawn, before, count, places, make_row([0] * count))
    assert list(drawn) == [7] * before + Dice(seed).sample(size, count)
    assert list(places) == list(range(size))
    row = make_row([*range(-before, 0), *range(size), 99])
    bind(rows.shuffle_first)(make_dice(rows.dice_row(seed)), row, before, size, count)
    assert list(row[before : before + count]) == Dice(seed).sample(size, count)


@every_core
def test_cores_match_contract_signatures(name):
    core, promised = core_of(name), contract_names(contract)
    own = {name: count_of_sides for name, count_of_sides in contract_names(core).items() if name in promised}
    for called, function in own.items():
        assert [*inspect.signature(function).parameters] == [*inspect.signature(promised[called]).parameters], called
    assert set(vars(core)) >= PLAIN_SIDE
    assert isinstance(core.ENDINGS, tuple)
    assert isinstance(core.OPTIONS, frozenset)


def test_contract_defaults_call_core_functions():
    core = core_of("tactics")
    move = bound(contract.greedy_move, core)
    assert move.__globals__["best"].__globals__["rate_moves"].__code__ is core.rate_moves.__code__
    assert contract.best.__globals__["rate_moves"] is contract.rate_moves


def lineup_of(name):
    rng, game = random.Random(1), find_game(name)
    decks = FixedDecks(tuple(tuple(deck_for(name, rng)) for _ in range(game.decks_needed(2))))
    return Lineup(name, ("random", "greedy"), decks, 1)


@every_core
def test_compiled_code_is_saved_and_loaded(name, monkeypatch):
    compiling = pytest.importorskip("ccgrid.engine.rows.compiling")
    kernel, lineup = CoreKernel(core_of(name), is_compiled=True), lineup_of(name)
    kernel.run(lineup, range(1, 3))
    assert kernel.is_saved()
    monkeypatch.setattr(compiling, "_LOADED", {})  # as in a new process
    kernel.run(lineup, range(1, 3))
    stats = compiling.compiled(play_games, kernel.core).stats
    assert (sum(stats.cache_hits.values()), sum(stats.cache_misses.values())) == (1, 0)


def draw_twice(dice: Seeds) -> int:
    return below(dice, 6) + below(dice, len(dice))


def test_constant_arguments_cause_no_recompilation(monkeypatch, tmp_path):
    compiling = pytest.importorskip("ccgrid.engine.rows.compiling")
    monkeypatch.setattr(saved_code, "code_folder", lambda function, core: tmp_path)
    make_dice = compiling.compiled(draw_twice, contract)
    assert len(make_dice.py_func.__globals__["below"].signatures) == 1


@every_core
def test_core_declines_unknown_options(name):
    kernel, lineup = CoreKernel(core_of(name), is_compiled=False), lineup_of(name)
    assert kernel.supports(lineup)
    assert not kernel.supports(replace(lineup, options={"no such option": True}))
    assert not kernel.supports(replace(lineup, policies=("random", "strong")))
