"""Records that are right: read, replayed, written for people."""

import datetime
import json
import tomllib

import pytest
from helpers.hypothesis_examples import EXAMPLES
from played_records import error_of, played, read_bytes

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.errors import IllegalMoveError
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import Record, read_document, replay_json


# One schema, two spellings
def test_the_example_of_the_documentation_is_read():
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
    assert reading.to_dict() == {
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


def test_random_games_replay_from_both_spellings_to_the_same_scores():
    for seed in range(4 * EXAMPLES):
        record = played(seed, [f"P{n}" for n in range(2 + seed % 3)]).with_result()
        final = record.final()
        for text, parse in (
            (record.to_toml(), schema.parse_toml),
            (record.to_json_line(), schema.parse_json),
        ):
            reading = read_document(parse(text.encode()))
            assert reading.require() == record
            assert reading.state == final
            assert reading.state.scores() == record.result


def test_headers_and_notes_survive_both_spellings():
    notes = {"place": "attic\n\x1b[2J \u2028", "table": {"deep": [1, 2.5, True, {"a b": "c"}]}, "when": "2026-11-21"}
    record = played(date=datetime.date(2026, 11, 21), event="[/red] “Cup”", seed=-7, notes=notes)
    for text, parse in ((record.to_toml(), schema.parse_toml), (record.to_json_line(), schema.parse_json)):
        assert read_document(parse(text.encode())).require() == record
    assert "\n" not in record.to_json_line()


def test_dates_in_notes_become_text_so_that_both_spellings_agree():
    text = played().to_toml() + "[notes]\nday = 2026-11-21\ntime = 10:11:12\nwhen = 2026-11-21T10:11:12Z\n"
    record = read_document(schema.parse_toml(text.encode())).require()
    assert record.notes == {"day": "2026-11-21", "time": "10:11:12", "when": "2026-11-21T10:11:12+00:00"}
    assert read_document(schema.parse_json(record.to_json_line().encode())).require() == record


@pytest.mark.parametrize("date", [datetime.date(2026, 11, 21), datetime.datetime(2026, 11, 21, 20, 15)])
def test_a_date_may_have_a_time_of_day(date):
    record = played(date=date)
    assert read_document(tomllib.loads(record.to_toml())).require().date == date
    assert read_document(json.loads(record.to_json_line())).require().date == date


def test_a_record_is_written_for_people_one_card_a_line_in_the_documented_order():
    record = played(3, plies=1, date=datetime.date(2026, 11, 21), event="Cup", seed=4, notes={"by": "Ann"})
    lines = record.to_toml().splitlines()
    assert lines[0] == 'game = "grid"'
    assert lines[1] == 'players = ["Ann", "Bob"]'
    assert lines[2].startswith('first = "')
    assert lines[3:6] == ["date = 2026-11-21", 'event = "Cup"', "seed = 4"]
    assert lines[6].startswith('moves = ["')
    assert lines[7:9] == ["[setup]", "cards = ["]
    assert all(line.startswith("  { id = ") and line.endswith(" },") for line in lines[9:29])
    assert lines[29:] == ["]", "[notes]", 'by = "Ann"']


def test_a_long_list_of_moves_is_wrapped():
    assert max(map(len, played(1).to_toml().split("[setup]")[0].splitlines())) <= 100


def test_the_claimed_result_is_written_as_one_line():
    record = played().with_result()
    assert record.to_toml().endswith(f"[result]\nscores = {{ Ann = {record.result[0]}, Bob = {record.result[1]} }}\n")


def test_iterating_a_record_replays_it():
    record = played()
    plies = list(record)
    assert [ply.move for ply in plies] == list(record.moves)
    assert plies[0].state == record.setup.start()
    assert play(plies[-1].state, plies[-1].move) == record.final()
    with pytest.raises(IllegalMoveError):
        list(Record(record.setup, ("a1xc3",)))


def test_replay_shows_every_legal_move_sorted():
    record = played()
    answer = replay_json(record)
    assert answer["over"] is True
    assert answer["scores"] == dict(zip(("Ann", "Bob"), record.final().scores(), strict=True))
    for shown, ply in zip(answer["plies"], record, strict=True):
        assert shown["move"] in shown["legal"]
        assert shown["legal"] == sorted(ply.state.legal_moves())
        assert shown["player"] == ply.player
    assert json.loads(json.dumps(answer)) == answer


# A position
def test_a_record_may_stop_before_the_game_is_over():
    reading = read_document(json.loads(played(plies=3).to_json_line()))
    assert reading.error is None
    assert reading.to_dict()["over"] is False
    assert reading.to_dict()["winner"] is None


def test_a_position_has_no_result_yet():
    where, message = error_of(json.loads(played(plies=0, result=(0, 0)).to_json_line()))
    assert where == "result"
    assert "the game is not over" in message
