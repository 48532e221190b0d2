"""The opponents of `scripts/measurements/ladder`: legal moves without hidden information, and exact last rounds."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.made_up import deck_for

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.players import NO_LIMIT, choose_move

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts" / "measurements"))

from opponents import OPPONENTS, last_rounds  # noqa: E402  a folder of scripts, no package

RUNGS = [(rung, game) for rung in OPPONENTS for game in rung.games]


def start(name, seed=1):
    game = find_game(name)
    decks = [deck_for(name, random.Random(number)) for number in range(game.decks_needed(2))]
    return game.deal(["Ann", "Bob"], decks, Dice(seed)).start()


@pytest.mark.slow
@pytest.mark.parametrize(("rung", "game"), RUNGS, ids=[f"{rung}-{game}" for rung, game in RUNGS])
def test_opponent_plays_legal_moves_with_information_of_its_seat(rung, game):
    state = start(game)
    for number in range(1 if rung.name == "sampling" else 2):
        move = choose_move(rung, state, Dice(number))
        assert move in state.legal_moves()
        view = state.view(state.to_move)  # The view does not contain hidden cards.
        assert rung.choose(view, view.legal_moves(), Dice(number), NO_LIMIT) == move
        state = state.play_unchecked(move)


def test_last_rounds_solver_agrees_with_exhaustive_play():
    for seed in range(3):
        state, dice = start("matrix", seed), Dice(seed)
        while len(state.hands[state.to_move]) > 2:
            state = state.play_unchecked(dice.choose(state.legal_moves()))
        worth = {move: after(state, move) for move in state.legal_moves()}
        chosen = last_rounds(2)(state, state.legal_moves(), Dice(1))
        assert worth[chosen] == max(worth.values())


def after(state, move):
    """Return the exact value of a move for the player who makes it."""
    seat, following = state.to_move, state.play_unchecked(move)
    values = [after(following, answer) for answer in following.legal_moves()]
    if not values:
        return following.scores()[seat] - following.scores()[1 - seat]
    return max(values) if following.to_move == seat else -max(values)


@pytest.mark.slow
def test_ladder_measures_games_from_both_seats():
    command = [
        sys.executable,
        "scripts/measurements/ladder",
        "matrix",
        "--games",
        "4",
        "--player",
        "strong:2",
        "--against",
        "careless",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "matrix, 2 players, 4 games: strong:2 takes" in done.stdout
    assert "of the points from careless" in done.stdout
