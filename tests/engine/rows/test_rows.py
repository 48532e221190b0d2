"""Generators on rows, binding and compilation of cores, and the contract of each core."""

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
"""What every core has beside the functions of the contract."""


def contract_names(module):
    return {
        name: one
        for name, one in vars(module).items()
        if type(one) is FunctionType and one.__module__ == module.__name__
    }


def kinds():
    """Dice and things as rows of lists, and where the extra is installed as arrays, with the functions on them."""
    yield pytest.param(lambda function: bound(function, contract), list, list, id="plain")
    if find_spec("numba"):
        compiling = import_module("ccgrid.engine.rows.compiling")
        yield pytest.param(
            lambda function: compiling.compiled(function, contract),
            lambda seed: import_module("numpy").array(seed, "uint64"),
            compiling.ints,
            id="compiled",
        )


every_kind = pytest.mark.parametrize(("how", "made", "things"), list(kinds()))


SEEDS = st.integers(0, 2**64 - 1) | st.integers(1, 40).map(lambda throw: -throw * STEP & ALL)
"""Seeds of dice, some of whose throws have to be thrown again: their first bits are all 0."""


@every_kind
@given(seed=SEEDS, sides=st.lists(st.integers(1, 2**31), max_size=20), number=st.integers(0, 2**40))
def test_row_dice_equal_dice(how, made, things, seed, sides, number):
    row, dice = made(rows.dice_row(seed)), Dice(seed)
    assert [how(rows.below)(row, one) for one in sides] == [dice.below(one) for one in sides]
    how(rows.fork)(row, number)
    dice = dice.fork(number)
    assert [how(rows.below)(row, one) for one in sides] == [dice.below(one) for one in sides]


@every_kind
@given(seed=SEEDS, size=st.integers(0, 40), before=st.integers(0, 3), data=st.data())
def test_row_shuffle_and_sample_equal_dice(how, made, things, seed, size, before, data):
    row = things([*range(-before, 0), *range(size), 99])
    how(rows.shuffle)(made(rows.dice_row(seed)), row, before, size)
    assert list(row) == [*range(-before, 0), *Dice(seed).permutation(size), 99]
    count = data.draw(st.integers(0, size))
    drawn, places = things([7] * (before + count)), things(range(size))
    how(rows.sample)(made(rows.dice_row(seed)), size, drawn, before, count, places, things([0] * count))
    assert list(drawn) == [7] * before + Dice(seed).sample(size, count)
    assert list(places) == list(range(size))
    row = things([*range(-before, 0), *range(size), 99])
    how(rows.shuffle_first)(made(rows.dice_row(seed)), row, before, size, count)
    assert list(row[before : before + count]) == Dice(seed).sample(size, count)


@every_core
def test_cores_match_contract_signatures(name):
    core, promised = core_of(name), contract_names(contract)
    own = {name: one for name, one in contract_names(core).items() if name in promised}
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
    monkeypatch.setattr(compiling, "_LOADED", {})  # as in another process
    kernel.run(lineup, range(1, 3))
    stats = compiling.compiled(play_games, kernel.core).stats
    assert (sum(stats.cache_hits.values()), sum(stats.cache_misses.values())) == (1, 0)


def two_throws(dice: Seeds) -> int:
    return below(dice, 6) + below(dice, len(dice))


def test_constant_arguments_cause_no_recompilation(monkeypatch, tmp_path):
    compiling = pytest.importorskip("ccgrid.engine.rows.compiling")
    monkeypatch.setattr(saved_code, "code_folder", lambda function, core: tmp_path)
    made = compiling.compiled(two_throws, contract)
    assert len(made.py_func.__globals__["below"].signatures) == 1


@every_core
def test_core_declines_unknown_options(name):
    kernel, lineup = CoreKernel(core_of(name), is_compiled=False), lineup_of(name)
    assert kernel.supports(lineup)
    assert not kernel.supports(replace(lineup, options={"no such option": True}))
    assert not kernel.supports(replace(lineup, policies=("random", "strong")))
