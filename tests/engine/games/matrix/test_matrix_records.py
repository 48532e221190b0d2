"""Tests of records and endings of matrix: the written keys, and errors with their location."""

import json

import pytest
from helpers.hypothesis_examples import EXAMPLES
from helpers.random_records import assert_reads_back
from matrix_positions import EXAMPLE, MATRIX, NAMES, deal, random_game

from ccgrid.engine.errors import RecordError
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.records.files import read_ending
from ccgrid.engine.records.record import read_document


# Records
def table(**changes):
    hands = {"Ann": [*KINDS], "Bob": [*KINDS]}
    return {"board": [*EXAMPLE], "hands": hands} | changes


def read_setup(setup, players=("Ann", "Bob")):
    MATRIX.setup_schema(setup)
    return MATRIX.read_setup(setup, players, None)


@pytest.mark.parametrize(
    ("changes", "where", "message"),
    [
        ({"board": [1] * 9}, "board[1]", "repeats the number 1: each number must occur exactly once"),
        ({"board": [*range(9)]}, "board[0]", "must be 1 to 9, not 0"),
        ({"board": [*range(1, 9)]}, "board", "must be 9 numbers, row by row, not 8"),
        ({"board": ["4"] * 9}, "board[0]", "must be a whole number"),
        ({"hands": {"Ann": [*KINDS]}}, "hands.Bob", "is missing: every player is dealt 10 cards"),
        ({"hands": {"Ann": [*KINDS], "Cid": [*KINDS]}}, "hands.Cid", "is not one of the players"),
        ({"hands": {"Ann": [*KINDS][1:], "Bob": [*KINDS]}}, "hands.Ann", "must be 10 cards, not 9"),
        (
            {"hands": {"Ann": ["jump"] * 10, "Bob": [*KINDS]}},
            "hands.Ann[0]",
            '"jump" is not a card; the cards are rotate',
        ),
        (
            {"hands": {"Ann": [*KINDS], "Bob": [*KINDS[:9], KINDS[0]]}},
            "hands.Bob[9]",
            "is one rotate-clockwise too many: there are 2 of each card for 2 players",
        ),
        ({"rotate": "half"}, "rotate", 'must be "quarter" or "step", not "half"'),
        ({"rotate": 1}, "rotate", "must be a text"),
        ({"order": [0, 1]}, "order", "unknown key"),
    ],
)
def test_invalid_setup_is_rejected_with_location(changes, where, message):
    with pytest.raises(RecordError) as caught:
        read_setup(table(**changes))
    assert caught.value.where == where
    assert caught.value.message.startswith(message)


def test_rotation_is_recorded_unless_default():
    assert "rotate" not in deal().to_table()
    step = deal(options={"rotate": "step"})
    assert step.to_table()["rotate"] == "step"
    assert read_setup(step.to_table()) == step
    assert read_setup(table(rotate="quarter")) == read_setup(table())


def test_record_has_no_starting_player():
    record, _ = random_game(1)
    document = json.loads(record.to_json_line())
    assert "first" not in document
    assert read_document(document | {"first": "Ann"}).error.where == "first"


def test_random_games_replay_from_toml_and_json_to_the_same_scores():
    for seed in range(4 * EXAMPLES):
        record, final = random_game(seed, 2 + seed % 3, ("quarter", "step")[seed % 2])
        assert_reads_back(record, final)


def test_damaged_record_is_rejected_with_location():
    record, _ = random_game(3)
    document = json.loads(record.to_json_line())
    document["moves"].append("rotate-clockwise")
    error = read_document(document).error
    assert (error.where, error.message) == (
        'moves[20] "rotate-clockwise"',
        "the game is over: all ten rounds are played",
    )
    document = json.loads(record.to_json_line()) | {"result": {"scores": {"Ann": 0, "Bob": record.result[1]}}}
    assert read_document(document).error.where == "result.scores.Ann"


# Endings without a record
def ending(tmp_path, text):
    file = tmp_path / "end.toml"
    file.write_text(f'game = "matrix"\n{text}')
    return read_ending(file)


@pytest.mark.parametrize(
    ("players", "scores"), [(NAMES[:2], (14, 13)), (NAMES[:3], (14, 12, 13)), (NAMES, (14, 12, 13, 10))]
)
def test_the_final_board_is_enough_for_the_score(tmp_path, players, scores):
    read = ending(tmp_path, f"players = {list(players)}\nboard = {list(EXAMPLE)}\n")
    assert tuple(read.scores.items()) == tuple(zip(players, scores, strict=True))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (f'players = ["Ann"]\nboard = {list(EXAMPLE)}', "players"),
        ('players = ["Ann", "Bob"]\nboard = [1, 2, 3]', "board"),
        ('players = ["Ann", "Bob"]\nboard = [1, 2, 3, 4, 5, 6, 7, 8, 10]', "board[8]"),
        ('players = ["Ann", "Bob"]', "board"),
    ],
)
def test_impossible_ending_is_rejected_with_location(tmp_path, text, where):
    assert ending(tmp_path, text).error.where == where
