"""Tests of Ladder: its rules, its records, and what each player may see."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ccgrid import engine
from ccgrid.catalog import Card

GAME = engine.find_game("ladder")
SEEDS = range(20)


def deck(owner: str, scores: Sequence[int]) -> list[Card]:
    return [
        Card(id="", game="", name=f"{owner} {number}", zones={"top": score}, score=score)
        for number, score in enumerate(scores)
    ]


def positions(seed: int) -> list[Any]:
    """Return the positions of a random game."""
    dice, rng = engine.Dice(seed), random.Random(seed)
    decks = [deck(owner, [rng.randint(0, 10) for _ in range(5)]) for owner in ("Ann", "Bob")]
    found: list[Any] = [GAME.deal(["Ann", "Bob"], decks, dice).start()]
    while moves := found[-1].legal_moves():
        found.append(engine.play(found[-1], rng.choice(moves)))
    return found


def test_higher_score_takes_round_and_leads_next() -> None:
    state = GAME.deal(["Ann", "Bob"], [deck("Ann", [3] * 5), deck("Bob", [7] * 5)], engine.Dice(1), first=0).start()
    for move in ("Ann 0", "Bob 0"):
        state = engine.play(state, move)
    assert state.scores() == (0, 1)
    assert state.to_move == 1


def test_equal_scores_take_nothing_and_leader_leads_again() -> None:
    state = GAME.deal(["Ann", "Bob"], [deck("Ann", [3] * 5), deck("Bob", [3] * 5)], engine.Dice(1), first=0).start()
    for move in ("Ann 0", "Bob 0"):
        state = engine.play(state, move)
    assert (state.scores(), state.to_move) == ((0, 0), 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_game_ends_and_record_replays_it(seed: int, tmp_path: Path) -> None:
    dice = engine.Dice(seed)
    setup = GAME.deal(["Ann", "Bob"], [deck("Ann", [1, 2, 3, 4, 5]), deck("Bob", [5, 4, 3, 2, 1])], dice)
    moves, final = engine.play_out(setup.start(), ["greedy", "random"], dice)
    assert final.outcome() is not None
    engine.write_game(engine.Record(setup, tuple(moves)).with_result(), tmp_path / "game.toml")
    assert engine.read_game(tmp_path / "game.toml").final() == final


@pytest.mark.parametrize("seed", SEEDS)
def test_sampled_worlds_agree_with_what_a_seat_sees(seed: int) -> None:
    for state in positions(seed):
        for seat in (0, 1):
            view = state.view(seat)
            assert None not in view.hand(seat)
            assert engine.sample_world(view, seat, engine.Dice(seed)).view(seat) == view


def test_every_position_is_drawn_and_every_move_described() -> None:
    for state in positions(1):
        assert GAME.pictures.picture(state.view(0), 0, None)
        assert all(GAME.pictures.describe(state, move) for move in state.legal_moves())
    assert "(`ladder`)" in GAME.pictures.rules_page()
