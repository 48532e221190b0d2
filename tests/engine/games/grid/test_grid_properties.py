"""Tests that hold for every game of grid, and comparisons with a naive implementation of its rules."""

import pickle
import random
from contextlib import suppress

import pytest
from grid_deals import GRID, deal
from helpers import naive_grid
from helpers.game_positions import perft_table
from helpers.made_up import card, options_for, random_deck
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.zones import ZONES
from ccgrid.engine.errors import (
    EngineError,
    IllegalMoveError,
    MoveError,
    RecordError,
)
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.grid.rules import EMPTY, GridSetup
from ccgrid.engine.notation import play, read_move


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(IllegalMoveError("a1xb2", "no")))
    assert (str(error), error.given, error.reason) == ('"a1xb2": no', "a1xb2", "no")
    assert str(pickle.loads(pickle.dumps(RecordError("setup", "no")))) == "setup: no"


def test_registry_finds_the_game_and_suggests_corrections():
    assert find_game("grid") is GAMES[0]
    with pytest.raises(EngineError, match=r"There is no game 'gird'\. Did you mean grid"):
        find_game("gird")


def test_every_move_error_is_a_value_error():
    assert issubclass(MoveError, EngineError)
    assert issubclass(EngineError, ValueError)


# Properties
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_cards_are_conserved_and_scores_are_sums(seed, players):
    rng = random.Random(seed)
    state = deal(random_deck(rng), [f"P{n}" for n in range(players)], seed).start()
    plies = 0
    while moves := state.legal_moves():
        state = play(state, rng.choice(moves))
        plies += 1
        on_grid = [entry for entry in state.grid if entry != EMPTY]
        taken = [entry for pile in state.taken for entry in pile]
        assert sorted(on_grid + taken) == list(range(state.turned_up))
        assert state.turned_up == min(20, 9 + plies)
        assert sum(state.scores()) == sum(state.setup.cards[entry].score for entry in taken)
    assert plies <= 19


@given(st.integers(0, 2**32), st.text(max_size=8))
def test_any_text_is_a_legal_move_or_one_of_the_move_errors(seed, text):
    state = deal(random_deck(random.Random(seed))).start()
    for parse in (play, read_move):
        with suppress(MoveError):
            parse(state, text)


def test_setup_with_wrong_number_of_cards_is_rejected_with_location():
    for count in (8, 21):
        with pytest.raises(RecordError) as caught:
            GRID.read_setup({"cards": [{"zones": {"top": 1}, "score": 1}] * count}, ("Ann", "Bob"), 0)
        assert (caught.value.where, caught.value.message) == ("cards", f"must be 9 to 20 cards, not {count}")


def test_setup_round_trips_through_its_table():
    setup = deal(random_deck(random.Random(5)))
    table = setup.to_table()
    GRID.setup_schema(table)
    again = GRID.read_setup(table, setup.players, setup.first)
    assert isinstance(again, GridSetup)
    assert again == setup


# A second implementation
@given(st.integers(0, 2**32), st.integers(2, 4), st.sampled_from([(0, 1), (0, 10), (9, 10)]))
def test_game_equals_naive_implementation(seed, players, values):
    rng = random.Random(seed)
    deck = [
        card(**{zone.replace("-", "_"): rng.randint(*values) for zone in rng.sample(ZONES, rng.randint(1, 8))})
        for _ in range(20)
    ]
    setup = deal(deck, [f"P{n}" for n in range(players)], seed, options=options_for("grid", rng))
    state, naive = setup.start(), naive_grid.start_of(setup)
    while True:
        assert list(state.legal_moves()) == naive_grid.legal(naive)
        assert list(state.scores()) == naive["points"]
        assert state.to_move == naive["turn"]
        if not state.legal_moves():
            break
        move = rng.choice(state.legal_moves())
        state, naive = play(state, move), naive_grid.play(naive, move)


def test_naive_implementation_counts_the_same_tree():
    for name, counts, record in perft_table(GRID):
        naive = naive_grid.start_of(record.setup)
        for move in record.moves:
            naive = naive_grid.play(naive, move)
        for depth, expected in enumerate(counts[:3], start=1):
            assert naive_grid.count(naive, depth) == expected, f"{name}, depth {depth}"
