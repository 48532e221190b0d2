"""Tests of searches on cores: when they are compiled, what they visit, and their limits of memory and time."""

import random
import sys
from math import inf
from typing import Any, ClassVar

import pytest
from helpers import naive_expectimax, naive_grid
from helpers.everyday import slow_except
from helpers.game_positions import core_of, positions
from helpers.made_up import sparse_deal

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.grid import core as grid_core
from ccgrid.engine.rows import rounds as rows
from ccgrid.engine.rows import saved_code
from ccgrid.engine.rows.binding import outside
from ccgrid.engine.rows.expectimax import MOST_HIDDEN
from ccgrid.engine.search import averages as averages_module
from ccgrid.engine.search import core_search, proving
from ccgrid.engine.search.averages import CoreExpectimax, exact_averages
from ccgrid.engine.search.core_search import (
    CoreSearch,
    CoreSearcher,
    find_core_search,
    is_proof_compiled,
    is_search_compiled,
    prepare,
    searched_core,
    solved_core,
)
from ccgrid.engine.search.proving import Clock, OutOfTimeError, move_values
from ccgrid.engine.search.state_core import StateSearcher
from ccgrid.engine.search.tree import SearchTree


class FakeCompiler:
    """A replacement for the compiler, in which code is loaded or saved as given; it records the requested functions."""

    def __init__(self, *, is_loaded: bool = False, is_saved: bool = False) -> None:
        self._is_loaded, self._is_saved = is_loaded, is_saved
        self.requested: list[tuple[str, str]] = []

    def is_loaded(self, function: Any, core: Any) -> bool:
        return self._is_loaded

    def is_saved(self, function: Any, core: Any) -> bool:
        return self._is_saved

    def compiled(self, function: Any, core: Any) -> None:
        self.requested.append((function.__module__.rpartition(".")[2], function.__name__))

    def announcement(self, subject: str, duration: str) -> str:
        return f"{subject}: {duration}"


@pytest.fixture
def fake_compiler(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that replaces the compiler by a fake one; the simulated clock is at 100 seconds."""
    monkeypatch.setattr(proving, "spent_seconds", lambda: 100.0)
    monkeypatch.setattr(core_search, "can_compile", lambda: True)

    def install(**how: bool) -> FakeCompiler:
        compiling = FakeCompiler(**how)
        monkeypatch.setitem(sys.modules, "ccgrid.engine.rows.compiling", compiling)  # type: ignore[arg-type]
        monkeypatch.setattr(saved_code, "is_saved", compiling.is_saved)
        monkeypatch.setattr(saved_code, "announcement", compiling.announcement)
        return compiling

    return install


GRID: Any = core_of("grid")
MATRIX: Any = core_of("matrix")


@pytest.mark.parametrize(
    ("rounds", "seconds", "is_saved", "compiled"),
    [
        (None, None, True, False),
        (49, None, True, False),
        (50, None, True, True),
        (50, None, False, False),
        (499, None, False, False),
        (500, None, False, True),
        (None, 3.0, True, False),
        (None, 3.5, True, True),
        (None, 3.5, False, False),
        (500, 3.0, True, False),
        (500, 60.0, False, False),
    ],
)
def test_search_is_compiled_for_many_rounds_or_enough_time(
    fake_compiler: Any,
    monkeypatch: pytest.MonkeyPatch,
    rounds: int | None,
    seconds: float | None,
    is_saved: bool,
    compiled: bool,
) -> None:
    fake_compiler(is_saved=is_saved)
    clock = Clock(None if seconds is None else 100.0 + seconds)
    assert is_search_compiled(GRID, rounds, clock) is compiled
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    assert is_search_compiled(GRID, rounds, clock) is False


def test_loaded_code_is_used_regardless_of_time(fake_compiler: Any) -> None:
    fake_compiler(is_loaded=True)
    assert is_search_compiled(GRID, 1, Clock(100.0)) is True
    assert is_proof_compiled(core_search.solving.search, MATRIX, 0, Clock(100.0)) is True


@pytest.mark.parametrize(
    ("seconds", "is_saved", "nodes", "compiled"),
    [
        (2.9, True, 60_000, False),
        (3.0, True, 60_000, True),
        (None, True, 59_999, False),
        (None, False, 400_000, False),
        (None, False, 400_001, True),
        (900.0, False, 400_001, False),
    ],
)
def test_proof_is_compiled_after_many_positions_given_time(
    fake_compiler: Any, seconds: float | None, is_saved: bool, nodes: int, compiled: bool
) -> None:
    fake_compiler(is_saved=is_saved)
    clock = Clock(None if seconds is None else 100.0 + seconds)
    assert is_proof_compiled(core_search.solving.search, MATRIX, nodes, clock) is compiled


@pytest.mark.parametrize("missing", [None, "numba", "numpy"])
def test_nothing_is_compiled_without_numba_or_numpy(
    fake_compiler: Any, monkeypatch: pytest.MonkeyPatch, missing: str | None
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(proving, "spent_seconds", lambda: 100.0)
    monkeypatch.setattr(saved_code, "find_spec", lambda name: None if name == missing else name)
    core_search.can_compile.cache_clear()
    try:
        fake_compiler()
        monkeypatch.setattr(core_search, "can_compile", core_search.can_compile)
        assert is_search_compiled(GRID, 500, Clock()) is (missing is None)
    finally:
        core_search.can_compile.cache_clear()


ROUNDS = [("rounds", "play_rounds")]
AVERAGES = [("expectimax", "begin"), ("expectimax", "search")]
PROOFS = [("solving", "search"), ("solving", "copy_table")]


@pytest.mark.parametrize(
    ("game", "rounds", "requested"),
    [
        ("grid", None, ROUNDS + AVERAGES),
        ("grid", 500, ROUNDS + AVERAGES),
        ("grid", 499, []),
        ("matrix", None, ROUNDS + PROOFS),
        ("matrix", 500, ROUNDS),
        ("tactics", None, ROUNDS),
    ],
)
def test_prepare_compiles_all_search_functions(
    fake_compiler: Any, game: str, rounds: int | None, requested: list[tuple[str, str]]
) -> None:
    compiling, messages = fake_compiler(), list[str]()
    prepare(game, rounds, messages.append)
    assert compiling.requested == requested
    assert messages == ([f"the search of {game}: half a minute"] if requested else [])
    saved = fake_compiler(is_saved=True)
    prepare(game, rounds, messages.append)
    prepare(game, rounds)
    assert (saved.requested, len(messages)) == (requested * 2, bool(requested))


def test_prepare_skips_loaded_code_and_unknown_options(fake_compiler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = fake_compiler(is_loaded=True)
    prepare("grid")
    unknown = fake_compiler()
    prepare("grid", variant={"wings": 3})
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    prepare("grid")
    assert is_proof_compiled(core_search.solving.search, MATRIX, 400_001, Clock()) is False
    assert loaded.requested == unknown.requested == []


def test_searched_core_needs_known_options() -> None:
    assert searched_core("grid") is searched_core("grid", {"komi": 3}) is GRID
    assert searched_core("grid", {"komi": 3, "wings": 3}) is None
    assert [solved_core(game) is not None for game in ("grid", "matrix", "tactics", "ninecard")] == [True] * 3 + [False]
    assert solved_core("matrix") is MATRIX


# --- proofs -----------------------------------------------------------------------------------------------------------


def position_before_end(game: str, seed: int, left: int) -> Any:
    """Return the position of a random game before its last `left` moves."""
    return [state for state, _ in positions(game, seed, 2)][-1 - left]


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the compiler, and remove code that another test compiled."""
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    monkeypatch.delitem(sys.modules, "ccgrid.engine.rows.compiling", raising=False)


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize(
    ("game", "left", "most"), slow_except([("matrix", 7, 25_012), ("grid", 4, 2_685)], ("grid", 4, 2_685))
)
def test_core_proofs_equal_readable_rules(game: str, left: int, most: int) -> None:
    nodes, seats = 0, set()
    for seed in range(12):
        state = position_before_end(game, seed, left)
        found = CoreSearcher(core_of(game), state)
        assert found.nodes == 0
        assert move_values(state, found) == move_values(state, StateSearcher(state))
        nodes += found.nodes
        seats.add(state.to_move)
    assert seats == {0, 1}
    assert 0 < nodes <= most


@pytest.mark.usefixtures("no_compiler")
def test_core_knows_value_of_finished_game() -> None:
    for seed in range(4):
        *_, (state, _) = positions("matrix", seed, 2)
        own, other = state.scores()[state.to_move], state.scores()[1 - state.to_move]
        assert CoreSearcher(MATRIX, state).reach(state) == (own - other, own - other)


@pytest.mark.usefixtures("no_compiler")
def test_oldest_proofs_are_evicted_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position_before_end("matrix", 1, 8)
    unlimited, limited = CoreSearcher(MATRIX, state), CoreSearcher(MATRIX, state, 50)
    assert move_values(state, unlimited) == move_values(state, limited)
    assert limited.nodes > unlimited.nodes


def test_proof_continues_compiled_and_keeps_node_count(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    state = position_before_end("matrix", 1, 8)
    in_python = CoreSearcher(MATRIX, state, is_compiled=False)
    values = move_values(state, in_python)
    ready = CoreSearcher(MATRIX, state)
    monkeypatch.setattr(core_search, "is_proof_compiled", lambda search, core, nodes, clock: nodes >= 60_000)
    ready.prepare()
    assert ready.is_compiled
    monkeypatch.setattr(core_search, "is_proof_compiled", lambda search, core, nodes, clock: nodes >= 200)
    switching = CoreSearcher(MATRIX, state)
    assert move_values(state, switching) == move_values(state, ready) == values
    assert switching.is_compiled
    assert switching.nodes >= in_python.nodes, "those that were looked at before count"
    never = CoreSearcher(MATRIX, state, is_compiled=False)
    never.search(state, 0, Clock())
    assert never.is_compiled is False


class CountingClock(Clock):
    """A clock without end that counts its checks and records the requested shares."""

    def __init__(self) -> None:
        super().__init__(inf)
        self.looks, self.parts = 0, list[float]()

    @property
    def is_over(self) -> bool:
        self.looks += 1
        return False

    def part(self, share: float) -> "CountingClock":
        self.parts.append(share)
        return self


# --- trees ------------------------------------------------------------------------------------------------------------


def middle_position(game: str, moves: int = 3) -> Any:
    return [state for state, _ in positions(game, 5, 2)][moves]


def tree_of(game: str) -> SearchTree:
    found = find_core_search(middle_position(game).view(middle_position(game).to_move), 1, Clock())
    assert found is not None
    return SearchTree(found, Dice(7))


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("game", slow_except(["grid", "matrix", "tactics", "ninecard"], "grid", "matrix"))
def test_number_of_visits_equals_number_of_rounds(game: str) -> None:
    tree = tree_of(game)
    assert tree.tried() == {}
    for rounds in (1, 299, 900):
        tree.grow(rounds)
    tried = tree.tried()
    assert sum(node.visits for node in tried.values()) == 1_200
    assert set(tried) <= set(tree.moves)
    assert set(tree.moves) | set(tree.equivalents) == set(middle_position(game).legal_moves())
    assert set(tree.equivalents.values()) <= set(tree.moves)
    assert tree.rounds_per_call == 1


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("game", ["grid", "matrix"])
def test_number_of_tree_nodes_is_limited(game: str) -> None:
    tree = tree_of(game)
    tree.most_nodes = 300
    tree.grow(900)
    assert len(tree.links) // rows.LINKS == len(tree.sums) // rows.SUMS == 300
    assert sum(node.visits for node in tree.tried().values()) >= 300


@pytest.mark.usefixtures("no_compiler")
def test_lead_in_a_world_is_reproducible() -> None:
    tree, other = tree_of("grid"), tree_of("grid")
    leads = [[one.lead(move, number) for number in range(40) for move in one.moves] for one in (tree, other)]
    assert leads[0] == leads[1]
    assert len(set(leads[0])) > 3
    assert any(lead % 1 == 0 and abs(lead) >= 1 for lead in leads[0]), "in points"


# --- averages ---------------------------------------------------------------------------------------------------------


def hidden_pile(seed: int, pile: int) -> tuple[Any, Any]:
    """Return a random position of grid with `pile` cards in the pile, and its naive form."""
    rng = random.Random(seed)
    while True:
        deal = sparse_deal(rng)
        state, no_compiler = deal.start(), naive_grid.start_of(deal)
        while moves := state.legal_moves():
            if state.pile == pile and len(moves) > 1:
                return state, no_compiler
            move = rng.choice(moves)
            state, no_compiler = state.play_unchecked(move), naive_grid.play(no_compiler, move)


def averages(state: Any) -> CoreExpectimax:
    view = state.view(state.to_move)
    return CoreExpectimax(
        view, CoreSearch(grid_core, outside(grid_core.world, grid_core, is_compiled=False)(view), is_compiled=False)
    )


@pytest.mark.parametrize("pile", [0, 1, 2])
def test_averages_equal_all_orders_of_pile(pile: int) -> None:
    for seed in range(4):
        state, no_compiler = hidden_pile(seed, pile)
        expected = naive_expectimax.values_of_moves(no_compiler)
        assert averages(state).values(Clock()) == pytest.approx(expected, abs=1e-9)
        best = averages(state).values(Clock(), all_moves=False)
        assert max(best.values()) == pytest.approx(max(expected.values()), abs=1e-9)
        assert all(value == pytest.approx(expected[move], abs=1e-9) for move, value in best.items())


def test_averages_check_clock_every_32_positions() -> None:
    clock, search = CountingClock(), averages(hidden_pile(3, 3)[0])
    values = search.values(clock)
    assert search.nodes // 32 <= clock.looks <= search.nodes // 32 + len(values)
    assert clock.parts == [0.25]


@pytest.mark.slow
def test_averages_are_abandoned_after_too_many_positions() -> None:
    search = averages(hidden_pile(3, 3)[0])
    search.values(Clock())
    for most in (search.nodes // 2, 1):
        with pytest.raises(OutOfTimeError, match=r"^there are too many positions$"):
            averages(hidden_pile(3, 3)[0]).values(Clock(), most)
    with pytest.raises(OutOfTimeError):
        averages(hidden_pile(3, 3)[0]).values(Clock(), 0)
    assert averages(hidden_pile(3, 3)[0]).values(Clock(), search.nodes + 64)


@pytest.mark.slow
@pytest.mark.parametrize(("all_moves", "most"), [(True, 36_061), (False, 30_500)])
def test_averages_search_no_unneeded_positions(all_moves: bool, most: int) -> None:
    nodes = 0
    for seed in range(6):
        search = averages(hidden_pile(seed, 3)[0])
        search.values(Clock(), all_moves=all_moves)
        nodes += search.nodes
    assert nodes <= most


class FakeExpectimax:
    """A replacement for the search that records its limits."""

    requested: ClassVar[list[Any]] = []

    def __init__(self, view: Any, searched: Any) -> None:
        pass

    def values(self, clock: Clock, most: int | None, *, all_moves: bool) -> dict[str, float]:
        self.requested.append((most, all_moves))
        if most == 0:
            raise OutOfTimeError("there are too many positions")
        return {"a1xb1": 1.5}


def test_averages_need_two_players_and_at_most_seven_hidden_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(averages_module, "CoreExpectimax", FakeExpectimax)
    monkeypatch.setattr(FakeExpectimax, "requested", [])
    view = middle_position("grid").view(0)
    found = find_core_search(view, 1, Clock())
    assert found is not None

    def averages_of(rounds: int | None = 3, *, all_moves: bool = True, **world: Any) -> Any:
        fields = {"unseen": 2, "seats": 2, **world}
        return exact_averages(
            view, found._replace(world=found.world._replace(**fields)), rounds, Clock(), all_moves=all_moves
        )

    assert (
        averages_of()
        == averages_of(unseen=0)
        == averages_of(unseen=MOST_HIDDEN)
        == averages_of(None, all_moves=False)
        == {"a1xb1": 1.5}
    )
    assert (
        averages_of(unseen=MOST_HIDDEN + 1)
        is averages_of(unseen=None)
        is averages_of(seats=3)
        is averages_of(0)
        is None
    )
    assert exact_averages(view, None, 3, Clock()) is None
    assert FakeExpectimax.requested == [(60, True)] * 3 + [(None, False), (0, True)]


def test_unknown_options_are_not_searched_on_core(monkeypatch: pytest.MonkeyPatch) -> None:
    view = middle_position("grid").view(0)
    assert find_core_search(view, 1, Clock()) is not None
    monkeypatch.setattr(grid_core, "OPTIONS", frozenset())
    monkeypatch.setattr(type(view), "variant", property(lambda self: {"komi": 3}))
    assert find_core_search(view, 1, Clock()) is None


# --- memory of trees and of compiled tables ---------------------------------------------------------------------------


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("game", ["grid", "matrix", "tactics"])
def test_leads_and_squares_are_summed_per_move(game: str) -> None:
    tree = tree_of(game)
    tree.grow(1)
    (node,) = tree.tried().values()
    assert (node.visits, node.squares) == (1, node.lead**2)
    assert 0 <= node.total <= 1
    tree.grow(400)
    for node in tree.tried().values():
        assert 0 <= node.total <= node.visits
        assert node.lead**2 <= node.visits * node.squares + 1e-6
        assert node.visits <= max(1, node.seen + 1)


@pytest.mark.usefixtures("no_compiler")
def test_tree_buffers_grow_for_moves_and_reveals() -> None:
    tree, state = tree_of("grid"), middle_position("grid", 0)
    tree.grow(20)
    assert len(tree.links) // rows.LINKS == 256
    found = find_core_search(state.view(state.to_move), 1, Clock())
    assert found is not None
    large = SearchTree(found, Dice(7))
    large.grow(2_000)
    used = int(large.links[rows.SIBLING])
    assert 4_000 < used < len(large.links) // rows.LINKS <= 3 * 2_000 + 256
    assert len(large.sums) // rows.SUMS == len(large.links) // rows.LINKS


@pytest.mark.usefixtures("no_compiler")
def test_search_stops_exactly_at_position_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(averages_module, "NODES_PER_CLOCK_CHECK", 1)
    state, _ = hidden_pile(3, 2)
    complete = averages(state)
    values = complete.values(Clock())
    assert averages(state).values(Clock(), complete.nodes + 1) == values
    with pytest.raises(OutOfTimeError):
        averages(state).values(Clock(), complete.nodes - 1)


def compiled_averages(state: Any) -> CoreExpectimax:
    view = state.view(state.to_move)
    return CoreExpectimax(view, CoreSearch(grid_core, grid_core.world(view), is_compiled=True))


def test_compiled_averages_equal_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    state, _ = hidden_pile(3, 3)
    no_compiler = averages(state)
    values = no_compiler.values(Clock())
    compiled = compiled_averages(state)
    assert (compiled.values(Clock()), compiled.nodes) == (values, no_compiler.nodes)
    clock = CountingClock()
    compiled_averages(state).values(clock)
    assert clock.looks == len(values), "20,000 positions take a moment"
    monkeypatch.setattr(averages_module, "NODES_PER_CALL", 7)
    monkeypatch.setattr(averages_module, "_LEAST_PLACES", 64)
    growing = compiled_averages(state)
    assert growing.values(Clock()) == values
    assert growing.nodes <= no_compiler.nodes * 1.01
    monkeypatch.setattr(averages_module, "_PLACES", 64)
    limited = compiled_averages(state)
    assert limited.values(Clock()) == values
    assert limited.nodes > no_compiler.nodes * 1.5


def test_compiled_proof_table_grows_when_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    state = position_before_end("matrix", 1, 7)
    found = CoreSearcher(MATRIX, state, is_compiled=True)
    values = move_values(state, found)
    assert found.size == 16_384
    monkeypatch.setattr(core_search, "NODES_PER_CALL", 20)
    monkeypatch.setattr(core_search, "LEAST_PLACES", 64)
    growing = CoreSearcher(MATRIX, state, is_compiled=True)
    assert move_values(state, growing) == values
    assert 64 < growing.size <= 16_384
    monkeypatch.setattr(core_search, "MOST_PLACES", 128)
    small = CoreSearcher(MATRIX, state, is_compiled=True)
    assert move_values(state, small) == values
    assert small.size == 128


def test_compiled_tree_plays_same_rounds_in_batches() -> None:
    pytest.importorskip("numba")
    state = middle_position("grid")
    view = state.view(state.to_move)
    world = grid_core.world(view)
    plain_world = outside(grid_core.world, grid_core, is_compiled=False)(view)
    trees = [
        SearchTree(CoreSearch(GRID, tree_world, is_compiled=fast), Dice(7))
        for tree_world, fast in ((plain_world, False), (world, True))
    ]
    for tree in trees:
        tree.grow(500)
    no_compiler, quick = (tree.tried() for tree in trees)
    assert no_compiler.keys() == quick.keys()
    assert [(tree_world.visits, tree_world.lead) for tree_world in no_compiler.values()] == [
        (tree_world.visits, tree_world.lead) for tree_world in quick.values()
    ]
    assert (trees[0].rounds_per_call, trees[1].rounds_per_call) == (1, 2_048)


@pytest.mark.usefixtures("no_compiler")
def test_first_of_equivalent_moves_represents_all() -> None:
    state = next(state for state, _ in positions("ninecard", 0, 2))
    found = find_core_search(state.view(state.to_move), 1, Clock())
    assert found is not None
    numbers, tree = found.world.numbers, SearchTree(found, Dice(1))
    assert tree.equivalents
    names = list(numbers)
    for move, first in tree.equivalents.items():
        assert numbers[move] == numbers[first]
        assert names.index(first) == min(names.index(other) for other in names if numbers[other] == numbers[move])
    assert [move for move in names if move not in tree.equivalents] == tree.moves
    tree.grow(50)
    assert set(tree.tried()) <= set(tree.moves)


@pytest.mark.slow
@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("game", ["grid", "matrix", "tactics"])
def test_maximising_lead_and_wins_visit_different_moves(game: str) -> None:
    to_win, to_lead = tree_of(game), tree_of(game)
    to_win.grow(300)
    to_lead.grow(300, by_lead=True)
    assert to_win.tried() != to_lead.tried()
    again = tree_of(game)
    again.grow(300)
    assert again.tried() == to_win.tried()


@pytest.mark.usefixtures("no_compiler")
def test_worlds_differ_by_number() -> None:
    leads = []
    for number in range(30):
        tree = tree_of("grid")
        leads.append(tree.lead(tree.moves[0], number))
        assert tree_of("grid").lead(tree.moves[0], number) == leads[-1]
    assert len(set(leads)) > 5


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("game", ["grid", "matrix"])
def test_tree_capacity_suffices_for_requested_rounds(game: str) -> None:
    for rounds in (255, 256, 257):
        tree = tree_of(game)
        tree.grow(rounds)
        assert sum(node.visits for node in tree.tried().values()) == rounds
    alone = tree_of(game)
    for number in range(600):
        alone.lead(alone.moves[0], number)
    assert int(alone.links[rows.SIBLING]) > 256


@pytest.mark.usefixtures("no_compiler")
def test_core_proof_respects_deadline() -> None:
    state = position_before_end("matrix", 1, 8)
    with pytest.raises(OutOfTimeError):
        CoreSearcher(MATRIX, state).search(state, 0, Clock.of(0.0))


def test_all_search_functions_must_be_saved(fake_compiler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = fake_compiler()
    monkeypatch.setattr(saved_code, "is_saved", lambda function, core: function.__name__ == "begin")
    assert is_search_compiled(GRID, 50, Clock()) is False
    monkeypatch.setattr(compiling, "is_loaded", lambda function, core: function.__name__ == "begin")
    assert is_search_compiled(GRID, 50, Clock()) is False


def test_compiled_averages_table_is_at_most_quarter_full(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    sizes, empty_table = list[int](), core_search.solving.empty_table

    def record_size(size: int, zeros: Any) -> Any:
        sizes.append(size)
        return empty_table(size, zeros)

    monkeypatch.setattr(core_search.solving, "empty_table", record_size)
    monkeypatch.setattr(averages_module, "NODES_PER_CALL", 7)
    monkeypatch.setattr(averages_module, "_LEAST_PLACES", 64)
    search = compiled_averages(hidden_pile(3, 3)[0])
    search.values(Clock())
    assert sizes == [64 << 2 * number for number in range(len(sizes))]
    assert search.nodes < sizes[-1] < 16 * search.nodes
