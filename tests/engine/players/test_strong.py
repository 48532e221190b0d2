"""Tests of the searching player "strong": its moves, its time limits, and that it ignores hidden cards."""

import random
from itertools import count
from math import inf

import pytest
from helpers import naive_grid
from helpers.everyday import slow_except
from helpers.game_positions import near_the_end, positions
from helpers.naive_search import values_of_moves

import ccgrid.engine.search.proving as proving
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import GAMES
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import Budget, choose_move, find_player
from ccgrid.engine.search import Clock, best_move, find_solver, move_values, solve, think, thinking
from ccgrid.engine.search.thinking import prove_best_move
from ccgrid.engine.worlds import sample_world

TABLES = [(game, players) for game in GAMES for players in game.player_counts]

every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda value: getattr(value, "name", value))


def random_position(game, players, seed):
    """Return a position of a random game that is not over."""
    states = [state for state, _ in positions(game.name, seed, players) if state.legal_moves()]
    return random.Random(seed).choice(states)


@every_table
def test_strong_player_moves_are_legal_and_reproducible(game, players):
    strong = find_player("strong:6")
    for seed in range(4):
        state = random_position(game, players, seed)
        move = choose_move(strong, state, Dice(seed))
        assert move in state.legal_moves()
        assert choose_move(strong, state, Dice(seed)) == move


@pytest.mark.parametrize("name", slow_except(["grid", "tactics", "matrix"], "grid", "tactics"))
def test_strong_player_plays_complete_game(name):
    state = next(positions(name, 1, 2))[0]
    _, final = play_out(state, [find_player("strong:2"), find_player("random")], Dice(1))
    assert final.outcome() is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@every_table
def test_strong_player_ignores_hidden_cards(game, players, seed):
    state = random_position(game, players, seed)
    other = sample_world(state.view(state.to_move), state.to_move, Dice(seed + 100))
    assert best_move(state, Dice(seed), rounds=6) == best_move(other, Dice(seed), rounds=6)
    assert think(state, Dice(seed), rounds=6) == think(other, Dice(seed), rounds=6)


def test_strong_player_plays_proved_best_move_without_draw_pile():
    rng = random.Random(5)
    for _ in range(20):
        state, plain = near_the_end(rng)
        if state.pile:
            continue
        values = values_of_moves(naive_grid, plain)
        assert values[choose_move(find_player("strong:1"), state, Dice(1))] == max(values.values())
        thought = think(state, Dice(1), rounds=1)
        assert thought.is_exact
        assert {estimate.move: estimate.value for estimate in thought.moves} == values
        assert all(estimate.stderr is None for estimate in thought.moves)


def test_one_random_draw_per_move_for_every_search_length():
    state = random_position(GAMES[0], 2, 1)
    dice_states = []
    for name in ("strong:1", "strong:9"):
        dice = Dice(4)
        choose_move(find_player(name), state, dice)
        dice_states.append(dice.state)
    assert dice_states[0] == dice_states[1]


def test_no_playouts_after_deadline(monkeypatch):
    ticks = count()
    for module in (proving, thinking):
        monkeypatch.setattr(module, "spent_seconds", lambda: next(ticks) / 1000)
    state = random_position(GAMES[0], 2, 1)
    assert choose_move(find_player("strong:0.2s"), state, Dice(1)) in state.legal_moves()
    assert 200 <= next(ticks) < 220
    assert choose_move(find_player("strong:2000"), state, Dice(1), Budget(seconds=0.1)) in state.legal_moves()
    assert next(ticks) < 340
    thought = think(state, Dice(1), clock=Clock.of(0.1))
    assert {estimate.move for estimate in thought.moves} == set(state.legal_moves())


@pytest.mark.parametrize(
    ("given", "text"),
    [("strong", "strong"), ("strong:1000", "strong"), ("strong:7", "strong:7"), ("strong:0.20s", "strong:0.2s")],
)
def test_strong_player_text_round_trips(given, text):
    player = find_player(given)
    assert str(player) == text
    assert find_player(text) == player


@pytest.mark.parametrize("parameter", ["", "0", "-1", "0s", "1e3", "fast", "99999999", "9999s", "١", "0.2 s", "5.s"])
def test_strong_player_rejects_invalid_parameter(parameter):
    with pytest.raises(EngineError, match=r"^strong takes a number of rounds or a time: write strong:2000"):
        find_player(f"strong:{parameter}")


@pytest.mark.parametrize("players", [3, 4])
def test_multiplayer_matrix_follows_heuristic_until_last_rounds(players):
    matrix = GAMES[[game.name for game in GAMES].index("matrix")]
    for state, _ in positions("matrix", 2, players):
        legal = state.legal_moves()
        if not legal or len(state.hands[state.to_move]) <= 3:
            break
        values = {move: matrix.heuristic(state, move) for move in legal}
        assert values[choose_move(find_player("strong:3"), state, Dice(1))] == max(values.values())


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_two_player_matrix_search_agrees_with_solver(rounds):
    for seed in range(4):
        state = next(state for state, _ in positions("matrix", seed, 2) if max(map(len, state.hands)) == rounds)
        thought, proof = think(state, Dice(1), rounds=1), solve(state)
        assert thought.is_exact
        assert thought.best.value == proof.value
        assert thought.best.move == proof.line[0] == best_move(state, Dice(2), rounds=1)
        assert best_move(state, Dice(3), clock=Clock.of(60.0)) == proof.line[0]


def test_winning_move_is_played_if_lead_is_not_proved_in_time():
    found = 0
    for seed in range(30):
        state = next(state for state, _ in positions("matrix", seed, 2) if max(map(len, state.hands)) == 2)
        values = move_values(state, find_solver(state).searcher(state))
        for checks in range(1, 40, 4):
            move = prove_best_move(state, find_solver(state), CountdownClock(checks))
            if move is not None and max(values.values()) > 0:
                found += 1
                assert values[move] > 0
    assert found > 20


class CountdownClock(Clock):
    """A clock that is over after a number of checks."""

    def __init__(self, checks):
        super().__init__(inf)
        self.looks = checks

    @property
    def is_over(self):
        self.looks -= 1
        return self.looks < 0
