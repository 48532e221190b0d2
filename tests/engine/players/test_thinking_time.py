"""Tests that searches check their deadline often enough, counted in function calls between two checks."""

import random
import sys
from contextlib import suppress
from math import inf

import pytest
from helpers.made_up import deck_for

from ccgrid.engine import search
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.search import Clock, best_move, core_search, prove_moves, proving, think, thinking
from ccgrid.engine.search.tree import Node

MOST_CALLS = 10_000
"""The maximum number of function calls between two checks, some milliseconds in plain Python."""
CHECKS = 40


class CountedClock(Clock):
    """A clock that is over after a number of checks, and counts the function calls between two checks."""

    def __init__(self, looks):
        super().__init__(inf)
        self.looks, self.calls, self.most = looks, 0, 0

    def count(self, frame, event, argument):
        if event in {"call", "c_call"}:
            self.calls += 1

    @property
    def is_over(self):
        self.looks, self.calls, self.most = self.looks - 1, 0, max(self.most, self.calls)
        return self.looks < 0

    def part(self, share):
        return self

    def at_least(self, seconds):
        return self

    def most_called(self, work):
        """Return the largest number of calls between two checks while `work` runs."""
        profiler = sys.getprofile()
        sys.setprofile(self.count)
        try:
            with suppress(EngineError):  # raised if nothing was proved in time
                work()
        finally:
            sys.setprofile(profiler)
        return max(self.most, self.calls)


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch):
    """Disable the compiler: compiled searches run in chunks, which are tested below."""
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    monkeypatch.delitem(sys.modules, "ccgrid.engine.rows.compiling", raising=False)


def middle_of_a_game(name, moves, seed=3):
    rng, game = random.Random(seed), find_game(name)
    decks = [deck_for(name, rng) for _ in range({"grid": 1, "matrix": 0}.get(name, 2))]
    state = game.deal(("Ann", "Bob"), decks, Dice(seed)).start()
    for _ in range(moves):
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


@pytest.mark.parametrize("work", [best_move, think])
@pytest.mark.parametrize(
    ("game", "moves"), [("grid", 0), ("ninecard", 4), ("tactics", 2), ("matrix", 2), ("matrix", 8)]
)
def test_player_checks_deadline_frequently(game, moves, work):
    state = middle_of_a_game(game, moves)
    work(state, Dice(1), rounds=1)  # so that modules are already loaded
    clock = CountedClock(CHECKS)
    most = clock.most_called(lambda: work(state, Dice(1), clock=clock))
    assert 0 < most < MOST_CALLS
    assert clock.looks < 0


@pytest.mark.parametrize(("game", "moves"), [("grid", 0), ("tactics", 4), ("matrix", 10)])
def test_proof_checks_deadline_frequently(game, moves):
    state, clock = middle_of_a_game(game, moves), CountedClock(CHECKS)
    with suppress(EngineError):
        prove_moves(state, Clock(0))  # so that modules are already loaded
    most = clock.most_called(lambda: prove_moves(state, clock))
    assert 0 < most < MOST_CALLS
    assert clock.looks < 0


class SlowTree:
    """A search tree whose rounds advance a simulated clock by a fixed time."""

    scale, only, rounds_per_call, moves = 10.0, None, 2048, ("left", "right")

    def __init__(self, clock, seconds):
        self.clock, self.seconds, self.asked = clock, seconds, []

    def grow(self, rounds, *, by_lead=False):
        self.asked.append(rounds * self.seconds)
        self.clock[0] += rounds * self.seconds

    def tried(self):
        return {"left": Node(visits=1)}


@pytest.mark.parametrize("seconds", [1e-7, 3e-6, 2e-5, 1e-3])
def test_playouts_are_split_into_chunks_of_milliseconds(seconds, monkeypatch):
    now = [0.0]
    for module in (proving, thinking):
        monkeypatch.setattr(module, "spent_seconds", lambda: now[0])
    tree = SlowTree(now, seconds)
    thinking.grow(tree, None, Clock.of(0.1))
    assert 0.1 <= now[0] < 0.105
    assert max(tree.asked) <= max(0.004, seconds)
    assert len(tree.asked) > 20


def test_playouts_get_their_share_of_the_time_after_slow_proofs(monkeypatch):
    now = [0.0]

    def tick():
        now[0] += 0.001
        return now[0]

    def prove_slowly(*arguments, **options):
        now[0] += 100.0

    for module in (proving, thinking):
        monkeypatch.setattr(module, "spent_seconds", tick)
    monkeypatch.setattr(search, "exact_averages", prove_slowly)
    state = middle_of_a_game("grid", 2)
    thought = think(state, Dice(1), clock=Clock.of(1.0))
    assert thought.is_known
    assert len({estimate.value for estimate in thought.moves}) > 1
    best_move(state, Dice(1), clock=Clock.of(1.0))
    assert 100.0 + 0.4 <= now[0] - 100.0 < 102.0


def test_equal_estimates_are_reported_as_unknown():
    estimates = tuple(thinking.Estimate(move, 1.5, 9.0) for move in ("a", "b"))
    assert not thinking.Thought("Ann", False, estimates).is_known
    assert not thinking.Thought("Ann", False, estimates).answer().known
    assert thinking.Thought("Ann", True, estimates).is_known
    assert thinking.Thought("Ann", False, estimates[:1]).is_known


def test_time_limits_count_processor_time_more_than_real_time(monkeypatch):
    real, processor = [0.0], [0.0]
    monkeypatch.setattr(proving.time, "perf_counter", lambda: real[0])
    monkeypatch.setattr(proving.time, "thread_time", lambda: processor[0])
    clock = Clock.of(1.0)
    real[0], processor[0] = 4.0, 0.7  # a busy machine
    assert not clock.is_over
    real[0] = 16.1
    assert clock.is_over
    idle, limited = Clock.of(1.0), Clock.of(1.0, real=0.5)
    real[0], processor[0] = real[0] + 1.0, processor[0] + 1.0
    assert idle.is_over
    assert limited.at_least(9.0).is_over
