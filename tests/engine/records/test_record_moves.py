"""Tests of the checks of a record's moves and result, in the order of RECORD.md."""

import datetime
import json
import tomllib

import msgspec
import pytest
from grid_records import document, grid_game, minimal_document, read_bytes
from helpers.hypothesis_examples import EXAMPLES
from helpers.random_records import assert_reads_back
from helpers.record_errors import error_of, lookup_among

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.errors import IllegalMoveError
from ccgrid.engine.notation import play
from ccgrid.engine.records.files import read_ending
from ccgrid.engine.records.record import Record, read_document, replay


# Check 5: every move legal
@pytest.mark.parametrize(
    ("moves", "where", "message"),
    [
        (["b2xc3"], 'moves[0] "b2xc3"', "c3 has 5 facing b2's 4"),
        (["a1xb1", "b2xc3"], 'moves[1] "b2xc3"', "c3 has 5 facing b2's 4"),
        (["takes b1"], 'moves[0] "takes b1"', "this may be a1xb1 or c1xb1: say which"),
        (["a1/b1"], 'moves[0] "a1/b1"', "not a move; write moves like a1xb2"),
        (["1"], 'moves[0] "1"', "not a move; write moves like a1xb2"),
        (["\x1b[2J"], 'moves[0] "\\x1b[2J"', "not a move; write moves like a1xb2"),
    ],
)
def test_illegal_move_is_reported(moves, where, message):
    wall = {"zones": {"left": 10, "right": 10}, "score": 20}
    runner = {"zones": {"right": 10}, "score": 10}
    cards = [runner, {"zones": {"left": 9}, "score": 9}, wall, wall, {"zones": {"bottom-right": 4}, "score": 4}]
    cards += [wall, wall, wall, {"zones": {"top-left": 5}, "score": 5}, wall]
    answer = minimal_document(*cards, moves=moves)
    found_where, found_message = error_of(answer)
    assert found_where == where
    assert found_message == message


def test_reading_with_illegal_move_keeps_position_before_it():
    valid = document(result=...)
    valid["moves"][3] = "a1xa1"
    answer = msgspec.to_builtins(read_document(valid).check().answer())
    assert answer["moves"] == 3
    assert answer["ok"] is False
    assert answer["errors"][0]["where"] == 'moves[3] "a1xa1"'
    assert sum(answer["scores"].values()) > 0


# Check 6: no moves after the end
def test_move_after_end_of_game_is_reported():
    valid = document()
    valid["moves"].append("a1xb1")
    where, message = error_of(valid)
    assert where == f'moves[{len(valid["moves"]) - 1}] "a1xb1"'
    assert message.startswith("the game is over: no card on the grid can take a neighbour")


# Check 7: the claimed result
def test_claimed_result_needs_the_correct_score_of_each_player():
    valid = document()
    scores = valid["result"]["scores"]
    score = scores["Bob"]
    assert error_of(document(result={"scores": scores | {"Bob": score + 1}})) == (
        "result.scores.Bob",
        f'is {score + 1}, but "Bob" has {score}',
    )
    assert error_of(document(result={"scores": {"Ann": scores["Ann"]}})) == (
        "result.scores.Bob",
        f'is missing: "Bob" has {score}',
    )
    assert error_of(document(result={"scores": scores | {"Cid": 3}})) == (
        "result.scores.Cid",
        "is not one of the players",
    )


def test_wrong_result_is_reported_with_correct_one():
    answer = msgspec.to_builtins(read_document(document(result={"scores": {"Ann": 0, "Bob": 0}})).check().answer())
    assert answer["scores"] == document()["result"]["scores"]
    assert answer["over"] is True
    assert answer["ok"] is False


# The order of the checks
def test_first_error_in_documented_order_is_reported():
    wrong = document(extra=1, players=["Ann", "Ann"], first="Ann", result={"scores": {}})
    wrong["setup"]["cards"][0]["score"] = 0
    wrong["moves"][0] = "no"
    wrong["moves"].append("a1xb1")
    places = []
    for repair in (
        lambda: wrong.pop("extra"),
        lambda: wrong.update(players=["Ann", "Bob"]),
        lambda: wrong["setup"].update(document()["setup"]),
        lambda: wrong["moves"].__setitem__(0, document()["moves"][0]),
        lambda: wrong["moves"].pop(),
        lambda: wrong.update(result=document()["result"]),
    ):
        places.append(error_of(wrong)[0])
        repair()
    valid = document()
    if valid["first"] != "Ann":
        wrong["first"] = valid["first"]
    assert [place.split("[")[0].split(".")[0] for place in places[:4]] == ["extra", "players", "setup", "moves"]
    assert places[3] == 'moves[0] "no"'


# Endings without a record
def ending_of(tmp_path, text):
    path = tmp_path / "piles.toml"
    path.write_text(text, encoding="utf-8")
    cards = {"Drake": Card(id="dusk:1", game="dusk", name="Drake", zones={"top": 1}, score=4)}
    return read_ending(path, lookup_among(cards))


def test_piles_are_scored_by_their_cards(tmp_path):
    piles = 'Ann = ["Drake", { score = 9 }, "Drake"]\n"B b" = [{ score = 0 }, "Drake"]\n'
    ending = ending_of(tmp_path, f'game = "grid"\n[piles]\n{piles}')
    assert ending.error is None
    answer = msgspec.to_builtins(ending.check().answer())
    assert answer.pop("file").endswith("piles.toml")
    assert answer == {
        "game": "grid",
        "players": ["Ann", "B b"],
        "over": True,
        "moves": 0,
        "scores": {"Ann": 17, "B b": 4},
        "winner": "Ann",
        "ending": "as-told",
        "ok": True,
        "errors": [],
        "piles": {
            "Ann": [
                {"id": "dusk:1", "name": "Drake", "score": 4},
                {"id": None, "name": "card 2", "score": 9},
                {"id": "dusk:1", "name": "Drake", "score": 4},
            ],
            "B b": [{"id": None, "name": "card 1", "score": 0}, {"id": "dusk:1", "name": "Drake", "score": 4}],
        },
    }


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("[piles]", "game", "is missing"),
        ('game = "grid"', "piles", "is missing"),
        ('game = "grid"\n[piles]\nAnn = []', "piles", "2 to 4 players"),
        ('game = "grid"\n[piles]\nAnn = []\nBob = 3', "piles.Bob", "must be a list"),
        ('game = "grid"\n[piles]\nAnn = []\nBob = ["Ghost"]', "piles.Bob[0]", "no card Ghost"),
        ('game = "grid"\n[piles]\nAnn = []\nBob = [{ zones = { top = 3 }, score = 2 }]', "piles.Bob[0].score", "less"),
        ('game = "grid"\n[piles]\nAnn = []\nBob = [{ score = -1 }]', "piles.Bob[0].score", "less than"),
        (f'game = "grid"\n[piles]\nAnn = []\nBob = {["Drake"] * 20}', "piles", "hold 20 cards; at most 19"),
        ("game = ", "file", "is not TOML"),
    ],
)
def test_invalid_piles_are_reported_with_location(tmp_path, text, where, message):
    ending = ending_of(tmp_path, text)
    assert ending.error.where == where
    assert message in ending.error.message
    assert msgspec.to_builtins(ending.check().answer())["ok"] is False


# --- Valid records --------------------------------------------------------------------------------------------------


# One schema in two formats
def test_documented_example_is_valid():
    text = """
    game = "grid"
    players = ["Ann", "Bob"]
    first = "Bob"
    date = 2026-11-21
    moves = ["a1xb2"]
    [setup]
    cards = [
      { id = "dusk:4/210", name = "Myrmidons", zones = { bottom-right = 4 }, score = 4 },
      "dusk:15/235", "Drake", "Drake", "Drake", "Drake", "Drake", "Drake", "Drake", "Drake",
    ]
    """
    cards = {
        name: Card(id=name, game="dusk", name=name, zones={"left": 4}, score=7) for name in ("dusk:15/235", "Drake")
    }
    [reading] = read_bytes(text.encode(), "game.toml", lookup=cards.__getitem__)
    record = reading.require()
    assert record.setup.first == 1
    assert record.date == datetime.date(2026, 11, 21)
    assert msgspec.to_builtins(reading.check().answer()) == {
        "file": "game.toml",
        "game": "grid",
        "players": ["Ann", "Bob"],
        "over": False,
        "moves": 1,
        "scores": {"Ann": 0, "Bob": 7},
        "winner": None,
        "ending": None,
        "ok": True,
        "errors": [],
    }


def test_random_games_replay_from_toml_and_json_to_same_scores():
    for seed in range(4 * EXAMPLES):
        record = grid_game(seed, [f"P{n}" for n in range(2 + seed % 3)]).with_result()
        assert_reads_back(record, record.final())


def test_metadata_and_notes_round_trip_in_toml_and_json():
    notes = {"place": "attic\n\x1b[2J \u2028", "table": {"deep": [1, 2.5, True, {"a b": "c"}]}, "when": "2026-11-21"}
    record = grid_game(date=datetime.date(2026, 11, 21), event="[/red] “Cup”", seed=-7, notes=notes)
    for text, parse in ((record.to_toml(), schema.parse_toml), (record.to_json_line(), schema.parse_json)):
        assert read_document(parse(text.encode())).require() == record
    assert "\n" not in record.to_json_line()


def test_dates_in_notes_become_text():
    text = grid_game().to_toml() + "[notes]\nday = 2026-11-21\ntime = 10:11:12\nwhen = 2026-11-21T10:11:12Z\n"
    record = read_document(schema.parse_toml(text.encode())).require()
    assert record.notes == {"day": "2026-11-21", "time": "10:11:12", "when": "2026-11-21T10:11:12+00:00"}
    assert read_document(schema.parse_json(record.to_json_line().encode())).require() == record


@pytest.mark.parametrize("date", [datetime.date(2026, 11, 21), datetime.datetime(2026, 11, 21, 20, 15)])
def test_date_may_include_time(date):
    record = grid_game(date=date)
    assert read_document(tomllib.loads(record.to_toml())).require().date == date
    assert read_document(json.loads(record.to_json_line())).require().date == date


def test_toml_record_has_one_card_per_line_in_documented_order():
    record = grid_game(3, plies=1, date=datetime.date(2026, 11, 21), event="Cup", seed=4, notes={"by": "Ann"})
    lines = record.to_toml().splitlines()
    assert lines[0] == 'game = "grid"'
    assert lines[1] == "format = 1"
    assert lines[2] == 'players = ["Ann", "Bob"]'
    assert lines[3].startswith('first = "')
    assert lines[4:7] == ["date = 2026-11-21", 'event = "Cup"', "seed = 4"]
    assert lines[7].startswith('moves = ["')
    assert lines[8:10] == ["[setup]", "cards = ["]
    assert all(line.startswith("  { id = ") and line.endswith(" },") for line in lines[10:30])
    assert lines[30:] == ["]", "[notes]", 'by = "Ann"']


def test_long_list_of_moves_is_wrapped():
    assert max(map(len, grid_game(1).to_toml().split("[setup]")[0].splitlines())) <= 100


def test_claimed_result_is_written_on_one_line():
    record = grid_game().with_result()
    assert record.to_toml().endswith(f"[result]\nscores = {{ Ann = {record.result[0]}, Bob = {record.result[1]} }}\n")


def test_iterating_record_replays_it():
    record = grid_game()
    plies = list(record)
    assert [ply.move for ply in plies] == list(record.moves)
    assert plies[0].state == record.setup.start()
    assert play(plies[-1].state, plies[-1].move) == record.final()
    with pytest.raises(IllegalMoveError):
        list(Record(record.setup, ("a1xc3",)))


def test_replay_lists_legal_moves_sorted():
    record = grid_game()
    answer = replay(record)
    assert answer.over is True
    assert answer.scores == dict(zip(("Ann", "Bob"), record.final().scores(), strict=True))
    for shown, ply in zip(answer.plies, record, strict=True):
        assert shown.move in shown.legal
        assert shown.legal == sorted(ply.state.legal_moves())
        assert shown.player == ply.player
    assert json.loads(msgspec.json.encode(answer)) == msgspec.to_builtins(answer)


# A position
def test_record_of_unfinished_game_is_valid():
    reading = read_document(json.loads(grid_game(plies=3).to_json_line()))
    assert reading.error is None
    assert msgspec.to_builtins(reading.check().answer())["over"] is False
    assert msgspec.to_builtins(reading.check().answer())["winner"] is None


def test_result_of_unfinished_game_is_rejected():
    where, message = error_of(json.loads(grid_game(plies=0, result=(0, 0)).to_json_line()))
    assert where == "result"
    assert "the game is not over" in message
