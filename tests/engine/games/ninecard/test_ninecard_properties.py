"""Tests that hold for every game of ninecard, and comparisons with a naive implementation of its rules."""

import json
import random
from collections import Counter
from contextlib import suppress

import pytest
from helpers import naive_ninecard
from helpers.game_positions import perft_table
from helpers.hypothesis_examples import EXAMPLES
from helpers.random_records import assert_reads_back
from hypothesis import given
from hypothesis import strategies as st
from ninecard_positions import NINECARD, SPARK, catalogue, cells_of, deal, side, table

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    MoveError,
)
from ccgrid.engine.games.ninecard.combat import BOARD
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.games.ninecard.game import NinecardSetup
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.many.simulation import Lineup, play_game, play_out
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.players import find_player
from ccgrid.engine.records.record import Record, read_document

# Properties
OPTIONS = st.fixed_dictionaries(
    {"life": st.integers(1, 15), "limit": st.integers(1, 10), "facedown": st.booleans(), "one_creature": st.booleans()}
)
seeds = st.integers(0, 2**32)


def all_cards(player):
    grid = [creature for creature in player.grid if creature is not None]
    return Counter([*player.deck, *player.hand, *player.energy, *player.facedown, *grid, *player.discard])


@given(seeds, st.integers(2, 4), OPTIONS)
def test_cards_are_conserved_life_only_falls_and_scores_are_life(seed, players, options):
    setup = deal(seed, players, options=options)
    state, rng = setup.start(), random.Random(seed)
    decks = [Counter(deck) for deck in setup.decks]
    plies = 0
    while moves := state.legal_moves():
        before, state = state, play(state, rng.choice(moves))
        plies += 1
        assert [all_cards(player) for player in state.sides] == decks
        for old, new in zip(before.sides, state.sides, strict=True):
            assert new.life <= old.life <= options["life"]
            assert new.is_out or (new.life > 0 and not old.is_out)
        assert state.scores() == tuple(0 if player.is_out else player.life for player in state.sides)
        assert 0 <= before.spent <= before.side.all_energy
        assert before.turn <= state.turn <= options["limit"] + 1
    assert state.outcome() is not None
    assert state.outcome().leaders[0] is not None
    assert max(state.scores()) > 0
    assert plies < 200 * options["limit"]


@given(seeds, st.integers(2, 4), OPTIONS)
def test_game_equals_naive_implementation(seed, players, options):
    rng = random.Random(seed)
    setup = deal(seed, players, size=rng.randint(4, 25), options=options)
    state, naive = setup.start(), naive_ninecard.start_of(setup)
    while True:
        assert list(state.legal_moves()) == naive_ninecard.legal(naive)
        assert list(state.scores()) == naive_ninecard.scores(naive)
        for player, other in zip(state.sides, naive["players"], strict=True):
            on_grid = {
                cell: (c.name, c.attack, c.defense) for cell, c in zip(BOARD.cells, player.grid, strict=True) if c
            }
            assert on_grid == other["grid"]
            assert len(player.hand) == len(other["hand"])
        if not state.legal_moves():
            assert naive["over"]
            return
        assert state.to_move == naive["who"]
        move = rng.choice(state.legal_moves())
        state, naive = play(state, move), naive_ninecard.play(naive, move)


FIGHTS = st.tuples(st.integers(0, 10), st.integers(0, 10))


@given(
    st.dictionaries(st.sampled_from(BOARD.cells), FIGHTS),
    st.dictionaries(st.sampled_from(BOARD.cells), FIGHTS),
    st.randoms(use_true_random=False),
)
def test_assault_equals_naive_implementation(mine, theirs, rng):
    state = table(side((), life=9, **mine), side((), life=9, **theirs))
    naive = naive_ninecard.start_of(NinecardSetup(("Ann", "Bob"), 0, ((SPARK,), (SPARK,)), Options(life=9)))
    for naive_player, cells in zip(naive["players"], (mine, theirs), strict=True):
        naive_player["grid"] = {cell: (f"{a}/{d}", a, d) for cell, (a, d) in cells.items()}
        naive_player["hand"] = []
    moves = ["assault Bob"]
    while moves and state.to_move == 0:
        move = rng.choice(moves)
        state, naive = play(state, move), naive_ninecard.play(naive, move)
        moves = list(state.legal_moves())
        assert moves == naive_ninecard.legal(naive)
        assert list(state.scores()) == naive_ninecard.scores(naive)
        for player, other in zip(state.sides, naive["players"], strict=True):
            assert cells_of(player) == {cell: f"{a}/{d}" for cell, (_, a, d) in other["grid"].items()}


@pytest.mark.slow
def test_naive_implementation_counts_the_same_tree():
    for name, counts, record in perft_table(NINECARD):
        naive = naive_ninecard.start_of(record.setup)
        for move in record.moves:
            naive = naive_ninecard.play(naive, move)
        for depth, expected in enumerate(counts[:3], start=1):
            assert naive_ninecard.count(naive, depth) == expected, f"{name}, depth {depth}"


@given(seeds, st.text(max_size=12))
def test_any_text_is_a_legal_move_or_one_of_the_move_errors(seed, text):
    rng = random.Random(seed)
    state = deal(seed, options={"facedown": True, "one_creature": True}).start()
    for _ in range(rng.randrange(12)):
        if moves := state.legal_moves():
            state = play(state, rng.choice(moves))
    for typed in (text, f"{rng.choice(['play', 'e', 'move', 'as'])} {text}"):
        for parse in (play, read_move):
            with suppress(MoveError):
                parse(state, typed)


def test_random_games_replay_from_toml_and_json_to_the_same_scores():
    random_player = find_player("random")
    for seed in range(4 * EXAMPLES):
        options = {"life": 12, "limit": 5, "facedown": seed % 2 == 0, "one_creature": seed % 3 == 0}
        setup = deal(seed, 2 + seed % 3, options=options)
        moves, final = play_out(setup.start(), [random_player] * len(setup.players), Dice(seed))
        record = Record(setup, tuple(moves), result=final.scores())
        assert_reads_back(record, final)


def test_a_whole_game_of_60_cards_ends_and_replays():
    match = Lineup("ninecard", ("greedy", "random"), BattleDecks.of(catalogue(), 2), 5)
    for number in range(1, 6):
        record = play_game(match, number)
        assert read_document(json.loads(record.to_json_line())).require() == record
