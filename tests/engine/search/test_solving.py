"""Tests of solved positions: values of exhaustive play, bounds, best lines, limits, and compiled proofs."""

import os
import random
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from math import inf

import pytest
from helpers import naive_grid, naive_matrix, naive_search, naive_tactics
from helpers.game_positions import CORES, core_of, near_the_end, positions
from helpers.made_up import card, grid_of, random_deck, random_side_deck, sparse_deal

from ccgrid.engine.cards import LARGEST_SCORE
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Game
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid import solving
from ccgrid.engine.games.grid.options import ORDERS, TURNS, Options
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.rows.core import UNDECIDED
from ccgrid.engine.rows.solving import search
from ccgrid.engine.search import Clock, core_search, find_solver, move_values, prove, solve
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.proving import OutOfTimeError, lead_over_opponent
from ccgrid.engine.search.solvers import CommonSolver
from ccgrid.engine.search.state_core import StateSearcher

POSITIONS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "12"))
"""The number of random positions of each game that are compared with exhaustive play."""


def test_grid_values_equal_exhaustive_play():
    rng = random.Random(1)
    for _ in range(POSITIONS):
        state, plain = near_the_end(rng)
        values = naive_search.values_of_moves(naive_grid, plain)
        proof = solve(state)
        assert proof.value == max(values.values())
        assert move_values(state, python_searcher(state)) == values
        end, seat = state, state.to_move
        for move in proof.line:
            assert move in end.legal_moves()
            end = end.play_unchecked(move)
        assert end.ending() is not None
        assert end.scores()[seat] - end.scores()[1 - seat] == proof.value


def last_rounds(rng):
    """Return a random position of matrix with at most two rounds left, and its naive form."""
    options = {"rotate": rng.choice(("quarter", "step"))}
    setup = find_game("matrix").deal(("Ann", "Bob"), [], Dice(rng.getrandbits(32)), options=options)
    state, plain = setup.start(), naive_matrix.start_of(setup)
    left = rng.choice((1, 2, 2, 3))
    while sum(map(len, state.hands)) > left:
        move = rng.choice(state.legal_moves())
        state, plain = state.play_unchecked(move), naive_matrix.play(plain, move)
    return state, plain


def few_cells(rng):
    """Return a random position of tactics that few positions follow, and its naive form."""
    while True:
        decks = [random_side_deck(rng, rng.randint(3, 7)) for _ in range(2)]
        setup = find_game("tactics").deal(("Ann", "Bob"), decks, Dice(rng.getrandbits(32)))
        state, plain = setup.start(), naive_tactics.start_of(setup)
        while moves := state.legal_moves():
            if len(moves) <= 6 and naive_search.size(naive_tactics, plain, 300) <= 300:
                return state, plain
            move = rng.choice(moves)
            state, plain = state.play_unchecked(move), naive_tactics.play(plain, move)


@pytest.mark.parametrize(
    ("rules", "position"), [(naive_matrix, last_rounds), (naive_tactics, few_cells)], ids=["matrix", "tactics"]
)
def test_values_of_other_games_equal_exhaustive_play(rules, position):
    rng = random.Random(6)
    for _ in range(POSITIONS):
        state, plain = position(rng)
        values = naive_search.values_of_moves(rules, plain)
        searcher = find_game(state.game).part("solver").searcher(state)
        assert move_values(state, searcher) == values
        proof = prove(state, searcher)
        assert proof.value == max(values.values())
        assert proof.line[0] == min(move for move, value in values.items() if value == proof.value)


def python_searcher(state, **keywords):
    return CoreSearcher(solving, state, is_compiled=False, **keywords)


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("empty_pile", [False, True])
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("is_compiled", [False, True])
def test_grid_variant_values_equal_readable_rules(order, empty_pile, turn, is_compiled):
    if is_compiled:
        pytest.importorskip("numba")
    rng = random.Random(8)
    for _ in range(POSITIONS // 2):
        options, deal = Options(rng.randrange(9), order, empty_pile, turn), sparse_deal(rng)
        state = GridSetup(deal.players, deal.first, deal.cards, options=options).start()
        while state.turned_up < 18 and (moves := state.legal_moves()):
            state = state.play_unchecked(rng.choice(moves))
        if state.legal_moves():
            expected = StateSearcher(state)
            found = CoreSearcher(solving, state, is_compiled=is_compiled)
            assert move_values(state, found) == move_values(state, expected)
            assert prove(state, found).line == prove(state, expected).line


def test_long_grid_proof_continues_compiled_given_time(monkeypatch):
    pytest.importorskip("numba")
    state = sparse_deal(random.Random(10)).start()
    expected = prove(state, python_searcher(state))
    prove(state, CoreSearcher(solving, state, is_compiled=True))
    assert CoreSearcher(solving, state).search(state, expected.value, Clock()) >= expected.value
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    never = CoreSearcher(solving, state)
    proof = prove(state, never)
    assert not never.is_compiled
    assert (proof.value, proof.line) == (expected.value, expected.line)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_maximum_scores_are_solved(is_compiled):
    if is_compiled:
        pytest.importorskip("numba")
    far, lance = card("Far", top=1, score=LARGEST_SCORE), card("Lance", bottom_right=9, score=LARGEST_SCORE)
    state = grid_of([far] * 11, a1=lance)
    value = prove(state, StateSearcher(state)).value
    assert value != 0
    assert prove(state, CoreSearcher(solving, state, is_compiled=is_compiled)).value == value


def test_line_uses_alphabetically_first_best_move():
    rng = random.Random(2)
    for _ in range(20):
        state, plain = near_the_end(rng)
        values = naive_search.values_of_moves(naive_grid, plain)
        best = max(values.values())
        assert solve(state).line[0] == min(move for move, value in values.items() if value == best)


def test_value_is_independent_of_cache_size():
    state = sparse_deal(random.Random(10)).start()
    for _ in range(2):
        state = state.play_unchecked(state.legal_moves()[0])
    unlimited, limited = python_searcher(state), python_searcher(state, most_kept=1_000)
    assert prove(state, unlimited).value == prove(state, limited).value
    assert prove(state, unlimited).line == prove(state, limited).line
    assert limited.nodes > unlimited.nodes


def test_bounds_at_deadline_contain_value():
    state = sparse_deal(random.Random(10)).start()
    value = solve(state).value
    proof = solve(state, seconds=0.0)
    assert proof.value is None
    assert proof.low <= value <= proof.high
    assert proof.line == ()
    assert not proof.interrupted
    with pytest.raises(OutOfTimeError):
        move_values(state, find_solver(state).searcher(state), Clock.of(0.0))


def test_interrupt_returns_proved_bounds():
    state = sparse_deal(random.Random(10)).start()
    value, bounds = solve(state).value, []

    def interrupt(low, high):
        bounds.append((low, high))
        if len(bounds) == 2:
            raise KeyboardInterrupt

    proof = solve(state, tell=interrupt)
    assert proof.interrupted
    assert (proof.low, proof.high) == bounds[-1]
    assert proof.low <= value <= proof.high


def test_bounds_improve_monotonically():
    state = sparse_deal(random.Random(10)).start()
    bounds = []
    proof = solve(state, tell=lambda low, high: bounds.append((low, high)))
    assert all(a[0] <= b[0] <= b[1] <= a[1] for a, b in pairwise(bounds))
    assert bounds[-1] == (proof.value, proof.value)


def test_unsolvable_position_error_gives_reason():
    cards = tuple(random_deck(random.Random(1)))
    three = GridSetup(("Ann", "Bob", "Cid"), 0, cards).start()
    with pytest.raises(EngineError, match=r"^grid is solved for two players, not 3: ask 'ccgrid advise'"):
        solve(three)
    with pytest.raises(EngineError, match=r"^5 cards of the draw pile are not known: ask 'ccgrid advise'"):
        solve(GridSetup(("Ann", "Bob"), 0, cards[:15]).start())
    with pytest.raises(EngineError, match=r"^The game is over: choose an earlier position"):
        solve(grid_of([card(top=0)] * 11))


def test_beginnings_of_other_games_are_not_solved():
    matrix = find_game("matrix").deal(("Ann", "Bob"), [], Dice(1)).start()
    with pytest.raises(EngineError, match=r"^matrix is solved in its last 6 rounds, and 10 are left: ask"):
        solve(matrix)
    with pytest.raises(EngineError, match=r"^matrix is solved for two players, not 3: ask"):
        solve(find_game("matrix").deal(("Ann", "Bob", "Cid"), [], Dice(1)).start())
    decks = [random_side_deck(random.Random(1)) for _ in range(2)]
    tactics = find_game("tactics").deal(("Ann", "Bob"), decks, Dice(1)).start()
    with pytest.raises(EngineError, match=r"^tactics is solved while at most 5 cells are open, and 9 are: ask"):
        solve(tactics)
    with pytest.raises(EngineError, match=r"^Some cards in hands and decks are not known: ask"):
        solve(tactics.view(0))


# --- Positions proved on cores ------------------------------------------------------------------------------------


SOLVED = [name for name in CORES if hasattr(core_of(name), "position")]
every_solved = pytest.mark.parametrize("name", SOLVED)
compiled_only = pytest.mark.skipif(find_spec("numba") is None, reason="what compiles is not installed")


@cache
def short_proof(name, seed):
    """Return the last position of a random two-player game whose proof visits more than 500 positions."""
    for state, _ in reversed([*positions(name, seed, 2)][:-1]):
        found = searcher(state, is_compiled=False)
        if prove(state, found, CountdownClock(60)).value is None:
            break
        if found.nodes > 500:
            return state
    return short_proof(name, seed + 100)


class CountdownClock(Clock):
    """A clock that is over after a number of checks."""

    def __init__(self, checks):
        super().__init__(inf)
        self.looks = checks

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
def test_compiled_proofs_equal_plain_python(name):
    for seed in range(POSITIONS // 4):
        state = short_proof(name, seed)
        plain, quick = (searcher(state, is_compiled=fast) for fast in (False, True))
        one, other = prove(state, plain), prove(state, quick)
        assert (one.value, one.line) == (other.value, other.line)


@every_solved
def test_proof_is_independent_of_cache_size(name, monkeypatch):
    state = short_proof(name, 1)
    unlimited, limited = searcher(state, is_compiled=False), searcher(state, most_kept=100, is_compiled=False)
    assert prove(state, unlimited).line == prove(state, limited).line
    assert limited.nodes > unlimited.nodes
    if find_spec("numba"):
        core = unlimited.core
        monkeypatch.setattr(core, "LEAST_PLACES", 16, raising=False)
        monkeypatch.setattr(core_search, "NODES_PER_CALL", 50)
        for places in (16, 1 << 20):
            monkeypatch.setattr(core, "MOST_PLACES", places, raising=False)
            found = searcher(state, is_compiled=True)
            assert prove(state, found).line == prove(state, unlimited).line
            assert found.size == 16 if places == 16 else found.size > 16


@every_solved
def test_search_resumes_with_proofs_after_timeout(name):
    state = short_proof(name, 3)
    value = prove(state, searcher(state, is_compiled=False)).value
    found = searcher(state, is_compiled=False)
    with pytest.raises(OutOfTimeError):
        found.search(state, value, Clock.of(0.0))
    assert found.search(state, value, Clock()) >= value
    assert found.search(state, value + 1, Clock()) <= value


@every_solved
def test_core_solves_two_player_games_without_own_solver(name, monkeypatch):
    game, state = find_game(name), short_proof(name, 2)
    expected = prove(state, find_solver(state).searcher(state))
    monkeypatch.setattr(type(game), "part", lambda self, part: None if part == "solver" else Game.part(self, part))
    solver = find_solver(state)
    assert type(solver) is CommonSolver
    proof = prove(state, solver.searcher(state))
    assert (proof.value, proof.line) == (expected.value, expected.line)
    if len(game.player_counts) > 1:
        with pytest.raises(EngineError, match="for two players"):
            find_solver(
                next(three_player_state for three_player_state, _ in positions(name, 1, game.player_counts[-1]))
            )


@pytest.mark.parametrize("name", [name for name in SOLVED if hasattr(core_of(name), "last_lead")])
def test_last_lead_equals_search(name):
    core, known = core_of(name), 0
    for seed in range(40):
        for state, _ in list(positions(name, seed, 2))[-4:-1]:
            lead = core.last_lead(*core.position(state)[:2])
            if lead != UNDECIDED:
                assert lead == played_out(state)
                known += 1
    assert known > 40


def played_out(state):
    """Return the lead of the player to move under best play, by playing out every game."""
    if state.ending():
        return lead_over_opponent(state, state.to_move)
    following = [state.play_unchecked(move) for move in state.legal_moves()]
    return max(played_out(position) * (1 if position.to_move == state.to_move else -1) for position in following)


@compiled_only
def test_consecutive_searches_share_table_arrays():
    first, second = (searcher(short_proof("matrix", 1), is_compiled=True) for _ in range(2))
    assert first._rows is second._rows


@compiled_only
def test_long_proof_continues_compiled(monkeypatch):
    state = short_proof("tactics", 1)
    monkeypatch.setattr(core_search, "_MIN_NODES_TO_LOAD", 200)
    monkeypatch.setattr(core_search, "_MIN_NODES_TO_COMPILE", 200)
    found = searcher(state)
    expected = prove(state, searcher(state, is_compiled=False))
    proof = prove(state, found)
    assert (proof.value, proof.line) == (expected.value, expected.line)
    assert found.is_compiled


@pytest.mark.parametrize(
    ("nodes", "seconds", "is_saved", "expected"),
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
def test_proof_loads_saved_code_if_worthwhile_and_in_time(monkeypatch, nodes, seconds, is_saved, expected):
    class FakeCompiler:
        """A fake compiler without loaded code."""

        is_loaded = staticmethod(lambda function, core: False)

    monkeypatch.setattr(core_search, "can_compile", lambda: True)
    monkeypatch.setattr(core_search.saved_code, "is_saved", lambda function, core: is_saved)
    monkeypatch.setitem(core_search.sys.modules, "ccgrid.engine.rows.compiling", FakeCompiler)
    assert core_search.is_proof_compiled(search, core_of("tactics"), nodes, Clock.of(seconds)) is expected
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    assert not core_search.is_proof_compiled(search, core_of("tactics"), nodes, Clock.of(seconds))
