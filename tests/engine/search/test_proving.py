"""Tests that positions of two players are solved by the readable rules, with the values of exhaustive play."""

import random
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from helpers.game_positions import every_game, positions
from helpers.made_up import sparse_deal

from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import Ending, State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.options import unknown_options
from ccgrid.engine.search import core_search, find_solver, move_values, prove, proving, solve, solvers, state_core
from ccgrid.engine.search.proving import (
    NO_CLOCK,
    UNBOUNDED,
    Bounds,
    Clock,
    OutOfTimeError,
    Proof,
    TooFarError,
    best_line,
    evict_oldest,
    reaches,
)
from ccgrid.engine.search.solvers import SOLVER
from ccgrid.engine.search.state_core import StateSearcher, state_search

SMALL = 150
"""The maximum number of positions that exhaustive play visits."""


def played_out(state: State, budget: list[int]) -> int:
    """Return the value of a position for the player to move, by playing out every game."""
    seat, best = state.to_move, -UNBOUNDED
    for move in state.legal_moves():
        budget[0] -= 1
        if budget[0] < 0:
            raise OverflowError
        following = state.play_unchecked(move)
        if following.ending() is not None:
            value = following.scores()[seat] - following.scores()[1 - seat]
        else:
            value = played_out(following, budget) * (1 if following.to_move == seat else -1)
        best = max(best, value)
    return best


def endgames(game: str, wanted: int) -> list[tuple[State, int]]:
    """Return positions of two players near the end, with their values."""
    found: list[tuple[State, int]] = []
    for seed in range(400):
        for state, _ in reversed(list(positions(game, seed, players=2))):
            if state.ending() is not None:
                continue
            try:
                found.append((state, played_out(state, [SMALL])))
            except OverflowError:
                break
        if len(found) >= wanted:
            return found
    raise AssertionError(f"{game}: no endgames")


def first_position() -> State:
    return next(iter(positions("ninecard", 1, players=2)))[0]


def late_grid_position() -> State:
    state: State = sparse_deal(random.Random(10)).start()
    for _ in range(7):
        state = state.play_unchecked(state.legal_moves()[0])
    return state


class Oracle:
    """A searcher that knows the value of every position and only compares it with bounds; it counts its searches."""

    def __init__(self, value: int, least: int = -UNBOUNDED, most: int = UNBOUNDED) -> None:
        self.nodes, self._value, self._reach = 0, value, (least, most)

    def reach(self, state: State) -> tuple[int, int]:
        return self._reach

    def search(self, state: State, bound: int, clock: Clock) -> int:
        self.nodes += 1
        return bound if self._value >= bound else bound - 1


@every_game
def test_proved_values_equal_exhaustive_play(game: str) -> None:
    for state, value in endgames(game, 30):
        searcher = StateSearcher(state)
        proof = prove(state, searcher)
        assert proof.value == value
        values = move_values(state, searcher)
        assert set(values) == set(state.legal_moves())
        assert max(values.values()) == value
        assert proof.line[0] == min(move for move in values if values[move] == value)
        end = state
        for move in proof.line:
            end = end.play_unchecked(move)
        assert end.ending() is not None
        assert end.scores()[state.to_move] - end.scores()[1 - state.to_move] == value


@every_game
def test_state_solver_agrees_with_own_solver(game: str) -> None:
    own = find_game(game).part("solver")
    if own is None:
        pytest.skip("solved by its readable rules alone")
    compared = 0
    for state, value in endgames(game, 30):
        if not unknown_options(state.variant, own.options) and not own.refusal(state):
            assert prove(state, own.searcher(state)).value == value
            compared += 1
    assert compared > 5


@every_game
def test_view_with_hidden_cards_is_not_solved(game: str) -> None:
    for seed in range(3):
        for state, _ in positions(game, seed, players=2):
            assert state.is_known()
            for seat in range(2):
                view = state.view(seat)
                hides = any(group.places for group in view.unseen(seat))
                assert view.is_known() is view.is_open(seat) is not hides
                assert bool(SOLVER.refusal(view)) is hides


@pytest.mark.parametrize("game", [game.name for game in GAMES if max(game.player_counts) > 2])
def test_more_than_two_players_are_rejected_with_message(game: str) -> None:
    state = next(iter(positions(game, 1, players=max(find_game(game).player_counts))))[0]
    with pytest.raises(EngineError, match="ccgrid advise"):
        find_solver(state)


def test_position_too_far_from_end_is_rejected() -> None:
    state = next(state for state, _ in positions("ninecard", 2, players=2) if len(state.legal_moves()) > 1)
    with pytest.raises(TooFarError, match="--after"):
        StateSearcher(state, most_nodes=300).search(state, 0, NO_CLOCK)


def test_proof_without_time_has_null_bounds() -> None:
    state = first_position()
    proof = prove(state, StateSearcher(state), Clock.of(0.0))
    assert (proof.value, proof.line) == (None, ())
    assert (msgspec.to_builtins(proof.answer())["low"], msgspec.to_builtins(proof.answer())["high"]) == (None, None)
    with pytest.raises(OutOfTimeError):
        move_values(state, StateSearcher(state), Clock.of(0.0))


def test_search_respects_deadline() -> None:
    with pytest.raises(OutOfTimeError, match=r"^time ran out"):
        StateSearcher(first_position()).search(first_position(), 0, Clock.of(0.0))


def test_part_of_clock_is_share_of_remaining_time() -> None:
    now = proving.spent_seconds()
    half, over = Clock(now + 1_000).part(0.5), Clock(now - 1_000).part(0.5)
    assert half.end == pytest.approx(now + 500, abs=10)
    assert over.end == pytest.approx(now, abs=10)
    assert over.is_over
    assert Clock().part(0.5) == Clock()


def test_proof_json_has_player_and_line() -> None:
    proof = Proof("Ann", 3, 3, ("a1", "b2"), 70, 0.12345, interrupted=False)
    expected = {"player": "Ann", "value": 3, "line": ["a1", "b2"], "low": 3, "high": 3, "nodes": 70, "seconds": 0.123}
    assert msgspec.to_builtins(proof.answer()) == expected


def test_playout_length_is_limited_and_scores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_core, "LONGEST_PLAYOUT", 3)
    core, world, _ = state_search(first_position())
    for _ in range(2):
        row: list[Any] = list(world.start)
        points = [0, 0]
        core.deal_unseen(world.table, row, None, [1])
        expected = row[1]
        core.finish(world.table, row, [], [], [1])
        core.scores(world.table, row, points)
        assert tuple(points) == row[1].scores()
        assert turns_between(expected, row[1]) == 3


def turns_between(state: State, later: State) -> int:
    """Return the number of moves from a position to a later one."""
    waiting, turns = [state], 0
    while later not in waiting:
        waiting, turns = [each.play_unchecked(move) for each in waiting for move in each.legal_moves()], turns + 1
    return turns


@every_game
def test_playout_follows_heuristic(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heuristic, choices, play = find_game(game).heuristic, 0, state_core.play

    def check_and_play(table: Any, row: list[Any], move: int) -> None:
        nonlocal choices
        state = row[1]
        values = {one: heuristic(state, one) for one in state.legal_moves()}
        assert values[table.numbers.names[move]] == max(values.values())
        choices += len(set(values.values())) > 1
        play(table, row, move)

    monkeypatch.setattr(state_core, "play", check_and_play)
    core, world, _ = state_search(next(iter(positions(game, 3, players=2)))[0])
    row = list(world.start)
    core.deal_unseen(world.table, row, None, [3])
    core.finish(world.table, row, [], [], [3])
    assert choices, "no heuristic tells any move from others"


def test_search_stops_beyond_node_limit() -> None:
    state = next(
        state
        for state, _ in endgames("matrix", 30)
        if all(state.play_unchecked(move).ending() is not None for move in state.legal_moves())
    )
    bound = prove(state, StateSearcher(state)).value or 0
    searcher = StateSearcher(state, most_nodes=len(state.legal_moves()))
    assert searcher.search(state, bound, NO_CLOCK) == bound
    with pytest.raises(TooFarError):
        StateSearcher(state, most_nodes=0).search(state, bound, NO_CLOCK)


def test_quickness_depends_on_number_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = endgames("matrix", 30)[-1]
    following, waiting = {state}, [state]
    while waiting:
        each = waiting.pop()
        new = {each.play_unchecked(move) for move in each.legal_moves()} - following
        waiting += new
        following |= new
    for most, is_quick in ((len(following), True), (len(following) - 1, False)):
        monkeypatch.setattr(solvers, "QUICK_NODES", most)
        assert SOLVER.is_quick(state) is is_quick
    assert SOLVER.refusal(state) == ""


@pytest.mark.parametrize("value", [10, -10, 100, -100, 1_000, -1_000, 30_000, -30_000])
def test_distant_value_is_found_by_doubling_and_bisection(value: int) -> None:
    oracle = Oracle(value)
    assert Bounds(*oracle.reach(first_position())).close(first_position(), oracle, NO_CLOCK) == value
    assert oracle.nodes <= 6 + 2 * value.bit_length()


@pytest.mark.parametrize("oracle_value", range(-2, 3))
@pytest.mark.parametrize(("below", "above"), [(0, 0), (1, 1), (5, 0), (0, 5)])
def test_reaches_compares_value_of_next_position(oracle_value: int, below: int, above: int) -> None:
    oracle = Oracle(oracle_value, oracle_value - below, oracle_value + above)
    for value in range(-3, 4):
        assert reaches(first_position(), value, oracle, NO_CLOCK, stays=True) is (oracle_value >= value)
        assert reaches(first_position(), value, oracle, NO_CLOCK, stays=False) is (-oracle_value >= value)
    assert (oracle.nodes == 0) is (below == above == 0)  # no search if the bounds are equal


def test_cached_proofs_are_reused() -> None:
    state, value = endgames("ninecard", 30)[-1]
    searcher = StateSearcher(state)
    first, second = prove(state, searcher), prove(state, searcher)
    assert first.nodes + second.nodes == searcher.nodes
    assert 0 <= first.seconds < 60
    searched = searcher.nodes
    assert searcher.search(state, value, NO_CLOCK) == value
    assert searcher.search(state, value + 1, NO_CLOCK) == value
    assert searcher.nodes == searched


def test_proof_is_independent_of_cache_size(monkeypatch: pytest.MonkeyPatch) -> None:
    state = late_grid_position()
    unlimited = prove(state, StateSearcher(state))
    monkeypatch.setattr(core_search, "evict_oldest", lambda table, most: evict_oldest(table, 1))
    limited = prove(state, StateSearcher(state))
    assert (limited.value, limited.line) == (unlimited.value, unlimited.line)
    assert limited.nodes > unlimited.nodes


def test_eviction_keeps_table_near_limit() -> None:
    table = dict.fromkeys(range(300))
    evict_oldest(table, 300)
    assert len(table) == 300
    evict_oldest(table, 200)
    assert list(table) == list(range(103, 300))


def test_sufficient_move_causes_cutoff() -> None:
    state = late_grid_position()
    searcher = StateSearcher(state)
    searcher.search(state, -100, NO_CLOCK)
    following, waiting = {state}, [state]
    while waiting:
        each = waiting.pop()
        new = {each.play_unchecked(move) for move in each.legal_moves()} - following
        waiting += new
        following |= new
    assert searcher.nodes < len(following) / 10


def test_position_with_few_successors_is_quick() -> None:
    assert SOLVER.is_quick(endgames("ninecard", 1)[-1][0]) is True
    assert SOLVER.is_quick(first_position()) is False


def test_ninecard_is_solved_near_its_end() -> None:
    state, value = endgames("ninecard", 1)[-1]
    assert solve(state).value == value


# --- the number of searched positions, and limits ---------------------------------------------------------------------


@dataclass(frozen=True)
class Chain:
    """A game of a single sequence of positions; at its end the player to move leads by `lead`."""

    left: int
    lead: int = 5
    to_move: int = 0
    players: tuple[str, ...] = ("Ann", "Bob")
    game: str = "matrix"

    def legal_moves(self) -> tuple[str, ...]:
        return ("on",) if self.left else ()

    def play_unchecked(self, move: str) -> "Chain":
        return replace(self, left=self.left - 1)

    def ending(self) -> Ending | None:
        return None if self.left else Ending("over", "it is over")

    def scores(self) -> tuple[int, int]:
        return (self.lead, 0)

    def is_known(self) -> bool:
        return True


@pytest.fixture
def searchable_chains(monkeypatch: pytest.MonkeyPatch) -> type[Any]:
    """The class of chains, whose moves get equal heuristic values."""
    monkeypatch.setattr(state_core, "find_game", lambda game: SimpleNamespace(heuristic=lambda state, move: 0))
    return Chain


def test_quick_limit_is_500_positions(searchable_chains: type[Any]) -> None:
    assert [SOLVER.is_quick(searchable_chains(left)) for left in (499, 500)] == [True, False]


def test_search_depth_is_limited_to_300_moves(searchable_chains: type[Any]) -> None:
    assert StateSearcher(searchable_chains(301)).search(searchable_chains(301), 0, NO_CLOCK) == 5
    with pytest.raises(TooFarError) as caught:
        StateSearcher(searchable_chains(302)).search(searchable_chains(302), 0, NO_CLOCK)
    assert str(caught.value) == (
        "This position is too far from the end to solve: choose a later one with --after, or ask 'ccgrid advise'."
    )


def test_node_limit_applies_per_search(searchable_chains: type[Any]) -> None:
    searcher = StateSearcher(searchable_chains(10), most_nodes=10)
    for lead in (1, 2, 3):
        assert searcher.search(searchable_chains(10, lead), 0, NO_CLOCK) == lead
    with pytest.raises(TooFarError):
        searcher.search(searchable_chains(11, 4), 0, NO_CLOCK)


def test_clock_is_checked_every_32_positions(searchable_chains: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    checks: list[Clock] = []
    monkeypatch.setattr(Clock, "check", lambda clock: checks.append(clock))
    for length, times in ((32, 1), (34, 2)):
        checks.clear()
        assert StateSearcher(searchable_chains(length)).search(searchable_chains(length), 0, Clock.of(0.0)) == 5
        assert len(checks) == times


def test_progress_reports_bounds_around_value() -> None:
    reported: list[tuple[int, int]] = []
    oracle = Oracle(37)
    bounds = Bounds(*oracle.reach(first_position()), lambda low, high: reported.append((low, high)))
    assert bounds.close(first_position(), oracle, NO_CLOCK) == 37
    assert len(reported) == oracle.nodes
    assert all(low <= 37 <= high for low, high in reported)
    assert reported[-1] == (bounds.low, bounds.high) == (37, 37)


@pytest.mark.slow
def test_bounds_meet_after_few_tries_near_lead() -> None:
    tries = []
    for value in range(-200, 201):
        oracle = Oracle(value)
        assert Bounds(*oracle.reach(first_position())).close(first_position(), oracle, NO_CLOCK) == value
        tries.append(oracle.nodes)
    assert sum(tries) <= 6_532
    assert tries[200] == min(tries)


@pytest.mark.parametrize(("game", "most"), [("grid", 470), ("ninecard", 636), ("tactics", 383), ("matrix", 716)])
def test_proof_searches_no_unneeded_positions(game: str, most: int) -> None:
    nodes = 0
    for state, value in endgames(game, 30):
        searcher = StateSearcher(state)
        assert prove(state, searcher).value == value
        nodes += searcher.nodes
    assert nodes <= most


def test_reach_is_known_only_for_finished_games() -> None:
    searcher = StateSearcher(first_position())
    assert searcher.reach(Chain(0, 7)) == (7, 7)  # type: ignore[arg-type]
    assert searcher.reach(Chain(0, 7, 1)) == (-7, -7)  # type: ignore[arg-type]
    assert searcher.reach(Chain(1)) == (-UNBOUNDED, UNBOUNDED)  # type: ignore[arg-type]


def test_clock_is_over_at_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(proving, "spent_seconds", lambda: now[0])
    clock, never = Clock.of(5.0), Clock.of(None)
    assert [(now.__setitem__(0, seconds), clock.is_over)[1] for seconds in (104.9, 105.0, 106.0)] == [False, True, True]
    assert never.is_over is False
    with pytest.raises(OutOfTimeError, match=r"^time ran out before the proof was complete$"):
        clock.check()
    never.check()


def test_proof_has_duration_and_player(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = endgames("ninecard", 30)[-1]
    ticks = iter(range(100, 1_000_000, 7))
    monkeypatch.setattr(proving.time, "perf_counter", lambda: float(next(ticks)))
    proof = prove(state, StateSearcher(state))
    assert (proof.player, proof.seconds, proof.interrupted) == (state.players[state.to_move], 7.0, False)


def test_proof_json_has_partial_bounds() -> None:
    for low, high, expected in ((-UNBOUNDED, 4, (None, 4)), (3, UNBOUNDED, (3, None)), (3, 4, (3, 4))):
        answer = msgspec.to_builtins(Proof("Ann", low, high, (), 7, 0.0, interrupted=False).answer())
        assert (answer["low"], answer["high"], answer["value"]) == (*expected, None)


def test_world_restarts_at_position_with_sorted_moves() -> None:
    state = next(state for state, _ in positions("tactics", 3, players=2) if len(state.legal_moves()) > 3)
    heuristic = find_game("tactics").heuristic
    core, world, _ = state_search(state)
    row: list[Any] = list(world.start)
    for _ in range(2):
        core.deal_unseen(world.table, row, None, [1])
        moves, points = [0] * len(state.legal_moves()), [0, 0]
        assert core.search_moves(world.table, row, moves, moves[:]) == len(moves)
        legal = [world.table.numbers.names[move] for move in moves]
        assert sorted(legal) == sorted(state.legal_moves())
        values = [heuristic(state, move) for move in legal]
        assert values == sorted(values, reverse=True)
        assert (row[0], world.seats) == (state.to_move, 2)
        core.play(world.table, row, moves[0])
        after = state.play_unchecked(legal[0])
        core.scores(world.table, row, points)
        assert (row[0], tuple(points)) == (after.to_move, after.scores())


@dataclass(frozen=True)
class Turns(Chain):
    """A chain in which the seats alternate."""

    def play_unchecked(self, move: str) -> "Turns":
        return replace(self, left=self.left - 1, to_move=1 - self.to_move)


def test_consecutive_moves_belong_to_one_seat(searchable_chains: type[Any]) -> None:
    few: Any = Turns(301)
    many: Any = Turns(302)
    assert StateSearcher(few).search(few, 0, NO_CLOCK) == 5
    with pytest.raises(TooFarError):
        StateSearcher(many).search(many, 0, NO_CLOCK)


def test_search_of_finished_game_returns_lead(searchable_chains: type[Any]) -> None:
    searcher = StateSearcher(searchable_chains(0))
    assert [searcher.search(searchable_chains(0, 7, seat), 0, NO_CLOCK) for seat in (0, 1)] == [7, -7]


def test_interrupted_proof_returns_bounds() -> None:
    def interrupt(low: int, high: int) -> None:
        raise KeyboardInterrupt

    state, value = endgames("ninecard", 30)[-1]
    proof = prove(state, StateSearcher(state), tell=interrupt)
    assert (proof.interrupted, proof.line) == (True, ())
    assert proof.low <= value <= proof.high
    assert prove(state, StateSearcher(state), Clock.of(0.0)).interrupted is False


def test_best_line_search_respects_deadline() -> None:
    state, value = endgames("ninecard", 30)[-1]
    with pytest.raises(OutOfTimeError):
        best_line(state, value, Oracle(value), Clock.of(0.0))


def test_unsolvable_position_error_suggests_alternative() -> None:
    state = Chain(1, players=("Ann", "Bob", "Cid"))
    assert SOLVER.refusal(state) == (  # type: ignore[arg-type]
        "matrix is solved for two players, not 3: ask 'ccgrid advise' what to play."
    )
    hidden = next(iter(positions("ninecard", 1, players=2)))[0].view(0)
    assert SOLVER.refusal(hidden) == "Some cards are not known: ask 'ccgrid advise' what to play."
    assert SOLVER.refusal(Chain(1)) == ""  # type: ignore[arg-type]
