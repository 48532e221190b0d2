"""Tests that every game in the registry fulfils the contract of games, also with perft counts and playthroughs."""

import json
import pickle
import random
import re
import runpy
import subprocess
import sys
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest
from helpers.game_positions import file_of_game, perft_table
from helpers.made_up import deck_for, options_for
from helpers.random_records import assert_reads_back
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, IllegalMoveError, MoveError
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.players import PLAYERS, find_player
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import Record, read_document, replay

TESTS = Path(__file__).parents[1]
NAMES = ("Ann", "Bob", "Cid", "Dan")

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
seeds = st.integers(0, 2**32)


def deal(game, seed, count=None):
    rng = random.Random(seed)
    count = count or rng.choice(game.player_counts)
    decks = [deck_for(game.name, rng) for _ in range(game.decks_needed(count))]
    return game.deal(NAMES[:count], decks, Dice(seed), options=options_for(game.name, rng))


def positions(game, seed):
    """Yield each position of a random game with the move then made; the last has None."""
    state, rng = deal(game, seed).start(), random.Random(seed)
    while moves := state.legal_moves():
        move = rng.choice(moves)
        yield state, move
        state = play(state, move)
    yield state, None


@every_game
@given(seed=seeds)
def test_legal_moves_exist_exactly_until_the_end(game, seed):
    *before, (last, _) = positions(game, seed)
    for state, _ in before:
        assert state.outcome() is None
        assert state.ending() is None
    outcome = last.outcome()
    assert outcome.scores == last.scores()
    assert outcome.ending == last.ending()
    assert str(outcome.ending) == outcome.reason == outcome.ending.words
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", outcome.ending.code)
    assert (outcome.winner is None) is (len(outcome.leaders) > 1)
    assert outcome.winner is None or outcome.leaders == (outcome.winner,)
    for _, move in before:
        with pytest.raises(IllegalMoveError, match="the game is over"):
            play(last, move)


@every_game
@given(seed=seeds)
def test_legal_moves_are_sorted_playable_and_typable(game, seed):
    for state, _ in positions(game, seed):
        moves = state.legal_moves()
        assert list(moves) == sorted(set(moves))
        for move in moves:
            assert game.notation.is_notation(state, move)
            assert read_move(state, move) == move
            assert play(state, move) == state.play_unchecked(move)
            assert isinstance(game.heuristic(state, move), int | float)
        assert 0 <= state.to_move < len(state.players)
        assert len(state.scores()) == len(state.players)


@every_game
@given(seed=seeds)
def test_starting_player_of_setup_moves_first(game, seed):
    setup = deal(game, seed)
    assert (setup.first is None) != game.has_first
    assert setup.first in (None, setup.start().to_move)


@every_game
@given(seed=seeds)
def test_states_and_setups_compare_and_hash_as_values(game, seed):
    first, second = list(positions(game, seed)), list(positions(game, seed))
    assert first == second
    assert len({state for state, _ in first}) == len(first)
    assert {state for state, _ in first} == {state for state, _ in second}
    setup = deal(game, seed)
    assert setup == deal(game, seed)
    assert hash(setup) == hash(deal(game, seed))
    for value in (setup, first[0][0]):
        assert not hasattr(value, "__dict__")
        assert pickle.loads(pickle.dumps(value)) == value
        with pytest.raises(FrozenInstanceError):
            setattr(value, fields(value)[0].name, None)


@every_game
@given(seed=seeds)
def test_record_replays_to_same_state_from_toml_and_json(game, seed):
    *before, (last, _) = positions(game, seed)
    record = Record(deal(game, seed), tuple(move for _, move in before)).with_result()
    assert [(ply.state, ply.move) for ply in record] == before
    assert_reads_back(record, last)
    assert [ply.legal for ply in replay(record).plies] == [list(state.legal_moves()) for state, _ in before]


@every_game
@given(seed=seeds)
def test_own_view_has_same_legal_moves(game, seed):
    for state, _ in positions(game, seed):
        view = state.view(state.to_move)
        assert view.legal_moves() == state.legal_moves()
        assert view.players == state.players
        assert view.view(state.to_move) == view


@every_game
@given(seed=seeds)
def test_touch_sequences_cover_all_moves_without_common_prefixes(game, seed):
    for state, _ in positions(game, seed):
        view = state.view(state.to_move)
        ways = {move: game.pictures.ways(view, move) for move in view.legal_moves()}
        assert all(ways.values())
        parts = {
            way[:length]: move for move, sequences in ways.items() for way in sequences for length in range(1, len(way))
        }
        complete = [(way, move) for move, sequences in ways.items() for way in sequences]
        assert len({way for way, _ in complete}) == len(complete)
        assert not {way for way, _ in complete} & parts.keys()


SEARCHING = ("strong", "fair", "medium", "hard", "best")
"""Players that play trial games in some game, which is slow."""


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("level", ["fair", "hard"])
def test_levels_that_play_trial_games_finish_every_game(game, level):
    setup = deal(game, 1)
    _, final = play_out(setup.start(), [find_player(level)] * len(setup.players), Dice(1))
    assert final.outcome() is not None


@every_game
@given(seed=seeds)
def test_every_computer_player_finishes_every_game(game, seed):
    for player in (player for player in PLAYERS if player.name not in SEARCHING):  # test_strong.py tests the others
        setup = deal(game, seed)
        _, final = play_out(setup.start(), [player] * len(setup.players), Dice(seed))
        assert final.outcome() is not None


@every_game
@given(seed=seeds, text=st.text(max_size=12))
def test_any_text_is_move_or_move_error(game, seed, text):
    state = deal(game, seed).start()
    for parse in (play, read_move):
        with suppress(MoveError):
            parse(state, text)


@every_game
def test_deal_accepts_only_declared_numbers_of_players(game):
    for count in range(6):
        names = [f"P{number}" for number in range(count)]
        decks = [deck_for(game.name, random.Random(1)) for _ in range(game.decks_needed(count))]
        if count in game.player_counts:
            assert game.deal(names, decks, Dice(1)).players == tuple(names)
        else:
            with pytest.raises(EngineError, match=f"not {count}"):
                game.deal(names, decks, Dice(1))


@every_game
def test_setup_table_round_trips_and_rejects_unknown_key(game):
    setup = deal(game, 1)
    document = json.loads(Record(setup).to_json_line())
    document["setup"]["surprise"] = 1
    assert read_document(document).error.where == "setup.surprise"


@every_game
def test_game_is_found_by_name(game):
    assert find_game(game.name) is game
    assert game.title
    assert GAMES.names.count(game.name) == 1
    assert game.package == package_of(game)


def package_of(game):
    """Return the package that the registry names for a game."""
    plugin = GAMES.plugins.get(game.name)
    return plugin.module if plugin else f"ccgrid.engine.games.{game.name}"


@every_game
def test_registry_lists_parts_of_each_game(game):
    for part in ("decisive", "decks", "factions", "lessons", "referee", "solver", "view"):
        assert (game.name in GAMES.having(part)) == (game.part(part) is not None), part


def test_registry_imports_no_game():
    script = """
import sys
from ccgrid.engine.games import GAMES
assert GAMES.names[0] == GAMES.default == "grid"
assert "grid" in GAMES.having("referee")
assert not [name for name in sys.modules if name.startswith("ccgrid.engine.games.") and name.count(".") > 3]
"""
    subprocess.run([sys.executable, "-c", script], check=True)


# Perft: the number of sequences of moves


def perft(state, depth):
    return 1 if depth == 0 else sum(perft(state.play_unchecked(move), depth - 1) for move in state.legal_moves())


@every_game
def test_number_of_positions_equals_perft_counts(game):
    table = list(perft_table(game))
    assert len(table) >= 5
    for name, counts, record in table:
        state = record.final()
        assert len(counts) >= 3
        for depth, expected in enumerate(counts, start=1):
            split = {move: perft(state.play_unchecked(move), depth - 1) for move in state.legal_moves()}
            assert sum(split.values()) == expected, f"{name}, depth {depth}: {split}"


# Golden playthroughs


@every_game
def test_playthrough_is_unchanged(game):
    lines = runpy.run_path(str(TESTS.parent / "scripts" / "make_playthroughs"))["lines"]
    golden = file_of_game("playthroughs", game.name, ".txt").read_text(encoding="utf-8").splitlines()
    found = list(lines(read_game(file_of_game("playthroughs", game.name, ".toml"))))
    for number, (line, expected) in enumerate(zip(found, golden, strict=False), start=1):
        assert line == expected, f"line {number}"
    assert len(found) == len(golden)
    assert any(line.startswith("over: ") for line in golden)
