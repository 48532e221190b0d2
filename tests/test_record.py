"""Records: every check of RECORD.md in its order, both spellings, and files that are no records at all."""

import datetime
import json
import os
import random
import tomllib
from io import BufferedReader, BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import random_deck

from catalog.card import Card, CatalogError
from engine import codecs
from engine.dice import Dice
from engine.errors import EngineError, IllegalMoveError
from engine.games import find_game
from engine.notation import play
from engine.record import Reading, Record, read_document, replay_json
from engine.record_files import read_ending, read_game, read_games, read_stream, write_game
from engine.schema import RecordError

GRID = find_game("grid")


def played(dealt=1, players=("Ann", "Bob"), plies=99, **more):
    rng = random.Random(dealt)
    setup = GRID.deal(players, [random_deck(rng)], Dice(dealt))
    state, moves = setup.start(), []
    while (legal := state.legal_moves()) and len(moves) < plies:
        moves.append(rng.choice(legal))
        state = play(state, moves[-1])
    return Record(setup, tuple(moves), **more)


def document(**changes):
    """A finished game as a document, with some of its keys replaced, or left out where the value is `...`."""
    plain = json.loads(played().with_result().to_json_line()) | changes
    return {key: value for key, value in plain.items() if value is not ...}


def small(*cards, moves=("a1xb1",), **more):
    """A document whose first cards are these tables, and all others can neither take nor be taken from the side."""
    rest = {"zones": {"left": 10, "right": 10}, "score": 20}
    return {
        "game": "grid",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": list(moves),
        "setup": {"cards": [*cards, *[rest] * (10 - len(cards))]},
        **more,
    }


def error_of(value, **more):
    error = read_document(value, **more).error
    assert error is not None
    return error.where, error.message


def read_bytes(data, name="games.jsonl", **more):
    return list(read_stream(BufferedReader(BytesIO(data)), name, **more))


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


def test_200_random_games_replay_from_both_spellings_to_the_same_scores():
    for seed in range(1000):
        record = played(seed, [f"P{n}" for n in range(2 + seed % 3)]).with_result()
        final = record.final()
        for text, parse in (
            (record.to_toml(), codecs.parse_toml),
            (record.to_json_line(), codecs.parse_json),
        ):
            reading = read_document(parse(text.encode()))
            assert reading.require() == record
            assert reading.state == final
            assert reading.state.scores() == record.result


def test_headers_and_notes_survive_both_spellings():
    notes = {"place": "attic\n\x1b[2J \u2028", "table": {"deep": [1, 2.5, True, {"a b": "c"}]}, "when": "2026-11-21"}
    record = played(date=datetime.date(2026, 11, 21), event="[/red] “Cup”", seed=-7, notes=notes)
    for text, parse in ((record.to_toml(), codecs.parse_toml), (record.to_json_line(), codecs.parse_json)):
        assert read_document(parse(text.encode())).require() == record
    assert "\n" not in record.to_json_line()


def test_dates_in_notes_become_text_so_that_both_spellings_agree():
    text = played().to_toml() + "[notes]\nday = 2026-11-21\ntime = 10:11:12\nwhen = 2026-11-21T10:11:12Z\n"
    record = read_document(codecs.parse_toml(text.encode())).require()
    assert record.notes == {"day": "2026-11-21", "time": "10:11:12", "when": "2026-11-21T10:11:12+00:00"}
    assert read_document(codecs.parse_json(record.to_json_line().encode())).require() == record


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


def test_cards_never_turned_up_may_be_missing_and_drawing_one_is_an_error():
    mover, other = {"zones": {"right": 4, "left": 4}, "score": 8}, {"zones": {"left": 1}, "score": 1}
    answer = small(mover, other)
    assert read_document(answer).error is None
    answer["moves"] = ["a1xb1", "b1xa1"]
    where, message = error_of(answer)
    assert where in 'moves[1] "b1xa1"'
    answer["setup"]["cards"][9] = {"zones": {"top": 1}, "score": 1}
    where, message = error_of(answer)
    assert where == 'moves[1] "b1xa1"'
    assert message == "this move turns up card 11 of the deck, which is not known"


# Check 2: unknown keys, wrong types


@pytest.mark.parametrize(
    ("changes", "where", "message"),
    [
        ({"game": ...}, "game", "is missing: say which game was played"),
        (
            {"game": "gird"},
            "game",
            'no game is called "gird": did you mean grid? there are grid, ninecard, tactics, matrix',
        ),
        ({"game": 3}, "game", "must be a text, not the number 3"),
        (
            {"player": 1},
            "player",
            "unknown key; known here: game, players, first, moves, setup, date, event, seed, result, notes",
        ),
        (
            {"\x1b[2J": 1},
            '"\\x1b[2J"',
            "unknown key; known here: game, players, first, moves, setup, date, event, seed, result, notes",
        ),
        ({"players": ...}, "players", "is missing"),
        ({"players": "Ann"}, "players", 'must be a list, not the text "Ann"'),
        ({"players": ["Ann", 2]}, "players[1]", "must be a text, not the number 2"),
        ({"first": ...}, "first", "is missing"),
        ({"first": True}, "first", "must be a text, not true"),
        ({"date": "yesterday"}, "date", 'must be a date like 2026-11-21, not the text "yesterday"'),
        ({"date": 20261121}, "date", "must be a date like 2026-11-21, not the number 20261121"),
        ({"event": None}, "event", "must be a text, not null"),
        ({"seed": False}, "seed", "must be a whole number, not false"),
        ({"seed": 1.0}, "seed", "must be a whole number, not the number 1.0"),
        ({"seed": 2**63}, "seed", "is too large a number"),
        ({"moves": ...}, "moves", "is missing"),
        ({"moves": [["a1xb2"]]}, "moves[0]", "must be a text, not a list"),
        ({"setup": ...}, "setup", "is missing"),
        ({"setup": []}, "setup", "must be a table, not a list"),
        ({"setup": {}}, "setup.cards", "is missing"),
        ({"setup": {"cards": [], "deck": []}}, "setup.deck", "unknown key; known here: cards"),
        ({"setup": {"cards": [7]}}, "setup.cards[0]", "must be a table, not the number 7"),
        ({"setup": {"cards": [{"zones": {}}]}}, "setup.cards[0].score", "is missing"),
        ({"setup": {"cards": [{"score": 1}]}}, "setup.cards[0].zones", "is missing"),
        (
            {"setup": {"cards": [{"score": True, "zones": {}}]}},
            "setup.cards[0].score",
            "must be a whole number, not true",
        ),
        (
            {"setup": {"cards": [{"score": 1, "zones": {"middle": 1}}]}},
            "setup.cards[0].zones.middle",
            "unknown key; known here: top-left, top, top-right, left, right, bottom-left, bottom, bottom-right",
        ),
        (
            {"setup": {"cards": [{"score": 1, "zones": {"top": "1"}}]}},
            "setup.cards[0].zones.top",
            'must be a whole number, not the text "1"',
        ),
        ({"result": {}}, "result.scores", "is missing"),
        ({"result": {"scores": {"Ann": "many"}}}, "result.scores.Ann", 'must be a whole number, not the text "many"'),
        ({"result": {"scores": {}, "winner": "Ann"}}, "result.winner", "unknown key; known here: scores"),
        ({"notes": 3}, "notes", "must be a table, not the number 3"),
        ({"notes": {"a": [None]}}, "notes.a[0]", "must be a text, a number, true or false, a date, a list or a table"),
        (
            {"notes": {"a": float("inf")}},
            "notes.a",
            "must be a text, a number, true or false, a date, a list or a table",
        ),
    ],
)
def test_unknown_keys_and_wrong_types_are_reported_with_their_place(changes, where, message):
    found_where, found_message = error_of(document(**changes))
    assert found_where == where
    assert found_message == message


def test_notes_are_not_nested_without_end():
    notes = {}
    for _ in range(30):
        notes = {"a": notes}
    where, message = error_of(document(notes=notes))
    assert where.startswith("notes.a.a")
    assert "more than 20 deep" in message


# Check 3: players


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["Ann"], "grid is for 2 to 4 players, not 1"),
        (["A", "B", "C", "D", "E"], "grid is for 2 to 4 players, not 5"),
        (["Ann", "Ann"], 'two players are called "Ann": give them different names'),
        (["Ann", ""], "a player's name is empty: give every player a name"),
        (["Ann", "  "], "a player's name is empty: give every player a name"),
    ],
)
def test_players_are_two_to_four_different_and_not_empty(players, message):
    where, found = error_of(document(players=players, first="Ann"))
    assert where == "players"
    assert found == message


def test_who_starts_is_one_of_the_players():
    assert error_of(document(first="Cid")) == ("first", '"Cid" is not one of the players')


# Check 4: the setup


@pytest.mark.parametrize("count", [0, 8, 21])
def test_the_grid_game_has_9_to_20_cards(count):
    setup = {"cards": [{"zones": {"top": 1}, "score": 1}] * count}
    assert error_of(document(setup=setup)) == ("setup.cards", f"must be 9 to 20 cards, not {count}")


@pytest.mark.parametrize(
    ("table", "where", "message"),
    [
        ({"zones": {"top": 11}, "score": 11}, ".zones.top", "must be 0 to 10, not 11"),
        ({"zones": {"top": -1}, "score": 11}, ".zones.top", "must be 0 to 10, not -1"),
        ({"zones": {"top": 4, "left": 5}, "score": 8}, ".score", "is 8, less than the sum of the zones, 9"),
        ({"zones": {}, "score": 8}, ".zones", "are empty: a card with no number in any zone may not be used"),
        ({"zones": {"top": 4}, "score": 10_001}, ".score", "must be 0 to 10000, not 10001"),
    ],
)
def test_a_cards_numbers_are_possible_ones(table, where, message):
    good = {"zones": {"top": 1}, "score": 1}
    setup = {"cards": [good, good, good, table, *[good] * 5]}
    assert error_of(document(setup=setup)) == (f"setup.cards[3]{where}", message)


def test_a_score_may_be_more_than_the_sum_of_the_zones():
    setup = {"cards": [{"zones": {"top": 1}, "score": 9}] * 9}
    assert read_document(document(setup=setup, moves=[], result=...)).error is None


def test_a_card_given_as_text_is_looked_up_and_must_be_legal():
    cards = {
        "Drake": Card(id="dusk:1", game="dusk", name="Drake", zones={"top": 1}, score=4, face=(3,)),
        "Twin": Card(id="dusk:2", game="dusk", name="Twin", zones={}, score=4, legal=False, reason="oversized"),
    }

    def lookup(wanted):
        if wanted not in cards:
            raise CatalogError(f"no card {wanted}")
        return cards[wanted]

    good = document(setup={"cards": ["Drake"] * 9}, moves=[], result=...)
    record = read_document(good, lookup).require()
    assert record.setup.cards[0].score == 4
    assert read_document(json.loads(record.to_json_line())).require() == record
    assert error_of(good | {"setup": {"cards": ["Drake"] * 8 + ["Twin"]}}, lookup=lookup) == (
        "setup.cards[8]",
        '"Twin" may not be used: oversized',
    )
    assert error_of(good | {"setup": {"cards": ["Drake", "Ghost", *["Drake"] * 8]}}, lookup=lookup) == (
        "setup.cards[1]",
        "no card Ghost",
    )


def test_without_a_catalogue_a_card_given_as_text_cannot_be_looked_up():
    where, message = error_of(document(setup={"cards": ["Drake"] * 9}))
    assert where == "setup.cards[0]"
    assert "there is no catalogue" in message


def test_of_different_cards_with_one_name_the_later_are_numbered():
    tables = [{"name": "Drake", "zones": {"top": n // 2}, "score": n} for n in (4, 4, 5, 6, 5)]
    tables += [{"name": "Drake #2", "zones": {"top": 9}, "score": 9}, *[tables[0]] * 3]
    record = read_document(document(setup={"cards": tables}, moves=[], result=...)).require()
    names = [entry.name for entry in record.setup.cards]
    assert names[:6] == ["Drake", "Drake", "Drake #2", "Drake #3", "Drake #2", "Drake #2 #2"]
    assert read_document(json.loads(record.to_json_line())).require() == record


def test_a_card_without_a_name_is_called_by_its_id_or_its_place():
    table = {"zones": {"top": 1}, "score": 1}
    cards = [table, {"id": "dusk:7", **table}, *[table] * 7]
    record = read_document(document(setup={"cards": cards}, moves=[], result=...)).require()
    assert [entry.name for entry in record.setup.cards][:3] == ["card 1", "dusk:7", "card 3"]


# Check 5: every move legal


@pytest.mark.parametrize(
    ("moves", "where", "message"),
    [
        (["b2xc3"], 'moves[0] "b2xc3"', "c3 has 5 facing b2's 4"),
        (["a1xb1", "b2xc3"], 'moves[1] "b2xc3"', "c3 has 5 facing b2's 4"),
        (["A1xB1"], 'moves[0] "A1xB1"', "not a move; write moves like a1xb2"),
        (["\x1b[2J"], 'moves[0] "\\x1b[2J"', "not a move; write moves like a1xb2"),
    ],
)
def test_every_move_is_legal_in_its_turn(moves, where, message):
    wall = {"zones": {"left": 10, "right": 10}, "score": 20}
    runner = {"zones": {"right": 10}, "score": 10}
    cards = [runner, {"zones": {"left": 9}, "score": 9}, wall, wall, {"zones": {"bottom-right": 4}, "score": 4}]
    cards += [wall, wall, wall, {"zones": {"top-left": 5}, "score": 5}, wall]
    answer = small(*cards, moves=moves)
    found_where, found_message = error_of(answer)
    assert found_where == where
    assert found_message == message


def test_a_reading_with_a_wrong_move_tells_the_position_before_it():
    good = document(result=...)
    good["moves"][3] = "a1xa1"
    answer = read_document(good).to_dict()
    assert answer["moves"] == 3
    assert answer["ok"] is False
    assert answer["errors"][0]["where"] == 'moves[3] "a1xa1"'
    assert sum(answer["scores"].values()) > 0


# Check 6: no moves after the end


def test_there_are_no_moves_after_the_end():
    good = document()
    good["moves"].append("a1xb1")
    where, message = error_of(good)
    assert where == f'moves[{len(good["moves"]) - 1}] "a1xb1"'
    assert message.startswith("the game is over: no card on the grid can take a neighbour")


# Check 7: the claimed result


def test_the_claimed_result_equals_the_computed_one():
    good = document()
    scores = good["result"]["scores"]
    right = scores["Bob"]
    assert error_of(document(result={"scores": scores | {"Bob": right + 1}})) == (
        "result.scores.Bob",
        f'is {right + 1}, but "Bob" has {right}',
    )
    assert error_of(document(result={"scores": {"Ann": scores["Ann"]}})) == (
        "result.scores.Bob",
        f'is missing: "Bob" has {right}',
    )
    assert error_of(document(result={"scores": scores | {"Cid": 3}})) == (
        "result.scores.Cid",
        "is not one of the players",
    )


def test_a_wrong_result_is_told_together_with_the_right_one():
    answer = read_document(document(result={"scores": {"Ann": 0, "Bob": 0}})).to_dict()
    assert answer["scores"] == document()["result"]["scores"]
    assert answer["over"] is True
    assert answer["ok"] is False
    assert "scores" not in read_document(document()).to_dict(scores=False)


# The order of the checks


def test_the_first_failure_is_reported_in_the_documented_order():
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
    good = document()
    if good["first"] != "Ann":
        wrong["first"] = good["first"]
    assert [place.split("[")[0].split(".")[0] for place in places[:4]] == ["extra", "players", "setup", "moves"]
    assert places[3] == 'moves[0] "no"'


# Check 1: the file parses


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file: is empty: it holds no game"),
        (b"\x00", "file: is not TOML: "),
        (b"game = ", "file: is not TOML: "),
        (b"\xff\xfe[\x00", "file: is not UTF-8 text (byte 1): save it as UTF-8"),
        ("game = 'gr\u00efd'".encode("latin-1"), "file: is not UTF-8 text (byte 11): save it as UTF-8"),
        (b"a = " + b"[" * 100_000, "file: is nested too deeply to be read"),
        (b"a = " + b"{a=" * 100_000, "file: is nested too deeply to be read"),
        (b".".join([b"a"] * 400_000) + b" = 1", "file: has a key of more than 40 parts: no table is nested that deep"),
        (
            b" . ".join([b'"a"', b"'b'"] * 80_000) + b" = 1",
            "file: has a key of more than 40 parts: no table is nested that deep",
        ),
        (
            b"[" + b".".join([b"a"] * 400_000) + b"]",
            "file: has a key of more than 40 parts: no table is nested that deep",
        ),
        (b"a = " + b"9" * 900_000, "file: is not TOML: "),
        (b"a" * (1 << 20), "file: is not TOML: "),
        (b"-" * (1 << 20), "file: is not TOML: "),
        (b'"' * ((1 << 20) - 1), "file: is not TOML: "),
        (b"a = '" + b"x" * (10 << 20) + b"'", "file: is larger than 1 MiB"),
        (b"game = 'grid'\ngame = 'grid'", "file: is not TOML: "),
    ],
    ids=range(16),
)
def test_a_file_that_is_no_toml_is_one_clear_error(data, message):
    [reading] = read_bytes(data, "game.toml")
    assert str(reading.error).startswith(message)  # what follows are words of Python's readers
    assert len(str(reading.error)) < 300


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file: holds no game"),
        (b"\n \r\n", "file: holds no game"),
        (b"\x00", "file: is not JSON: "),
        (b"[]", "file: is not a JSON object: a game is written as { ... }"),
        (b"[" * 100_000, "file: is nested too deeply to be read"),
        (b'{"a":' * 100_000, "file: is nested too deeply to be read"),
        (b'{"seed": NaN}', "file: is not JSON: NaN is not a number"),
        (
            b'{"seed": ' + b"9" * 100_000 + b"}",
            "file: is not JSON that can be read: it holds a number of more than 64 bits",
        ),
        (b'{"game": "grid", "game": "grid"}', 'file: has the key "game" twice'),
        (b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b',"7":1}', 'file: has the key "7" twice'),
        (b'{"game": "\\ud800"}', "file: holds half of a surrogate pair, not a character"),
        (b'{"game": "gr\xefd"}', "file: is not UTF-8 text (byte 13): save it as UTF-8"),
        (b'{"game": "' + b"x" * (10 << 20) + b'"}', "file: is larger than 1 MiB"),
        (b'{"game": "grid"', "file: is not JSON: "),
    ],
    ids=range(14),
)
def test_a_line_that_is_no_json_is_one_clear_error(data, message):
    [reading] = read_bytes(data)
    assert str(reading.error).startswith(message)  # what follows are words of Python's readers
    assert len(str(reading.error)) < 300


# Files


def test_every_line_has_its_own_result_with_its_number():
    lines = [played(1).to_json_line(), "", "{}", "x" * (3 << 20), "x" * (1 << 20), played(2).to_json_line()]
    readings = read_bytes("\r\n".join(lines).encode())
    assert [reading.file for reading in readings] == [f"games.jsonl:{number}" for number in (1, 3, 4, 5, 6)]
    assert [reading.error is None for reading in readings] == [True, False, False, False, True]
    assert readings[-1].require() == played(2)


def test_lines_are_streamed(tmp_path):
    class Endless(BytesIO):
        line = played(1).to_json_line().encode() + b"\n"

        def readinto(self, buffer):
            count = len(buffer) // len(self.line) * len(self.line)
            buffer[:count] = self.line * (count // len(self.line))
            return count

    readings = read_stream(BufferedReader(Endless(), 1 << 16), "games.jsonl")
    assert all(next(readings).error is None for _ in range(50))


def test_a_byte_order_mark_is_no_matter():
    mark = b"\xef\xbb\xbf"
    assert read_bytes(mark + played().to_toml().encode(), "game.toml")[0].error is None
    assert read_bytes(mark + played().to_json_line().encode())[0].error is None


def test_a_file_of_another_name_is_told_by_its_first_character():
    assert read_bytes(played().to_toml().encode(), "stdin")[0].file == "stdin"
    assert read_bytes(b"\n " + played().to_json_line().encode(), "stdin")[0].file == "stdin:2"


def test_a_record_is_written_and_read_by_its_files_name(tmp_path):
    for name in ("game.toml", "game.jsonl", "game"):
        write_game(played(), tmp_path / name)
        assert read_game(tmp_path / name) == played()
    assert sorted(os.listdir(tmp_path)) == ["game", "game.jsonl", "game.toml"]  # noqa: PTH208


def test_what_cannot_be_read_or_written_is_one_clear_error(tmp_path):
    for attempt in (lambda path: list(read_games(path)), read_ending, lambda path: write_game(played(), path / "x")):
        with pytest.raises(EngineError, match="cannot be"):
            attempt(tmp_path / "missing")
    for attempt in (lambda path: list(read_games(path)), read_ending, lambda path: write_game(played(), path)):
        with pytest.raises(EngineError, match="cannot be"):
            attempt(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_one_game_is_asked_of_a_file_with_one(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{played(1).to_json_line()}\n{played(2).to_json_line()}\n")
    with pytest.raises(EngineError, match="more than one game"):
        read_game(path)
    path.write_text("{}")
    with pytest.raises(RecordError, match="game: is missing"):
        read_game(path)
    assert issubclass(RecordError, EngineError)


def test_a_reading_of_nothing_holds_no_record():
    with pytest.raises(RecordError, match="holds no game"):
        Reading("game.toml").require()


# Endings: people who kept no record


def ending_of(tmp_path, text):
    path = tmp_path / "piles.toml"
    path.write_text(text, encoding="utf-8")
    cards = {"Drake": Card(id="dusk:1", game="dusk", name="Drake", zones={"top": 1}, score=4)}

    def lookup(wanted):
        if wanted not in cards:
            raise CatalogError(f"no card {wanted}")
        return cards[wanted]

    return read_ending(path, lookup)


def test_piles_are_scored_by_the_cards_in_them(tmp_path):
    ending = ending_of(tmp_path, 'game = "grid"\n[piles]\nAnn = ["Drake", { score = 9 }, "Drake"]\n"B b" = []\n')
    assert ending.error is None
    answer = ending.to_dict()
    assert answer.pop("file").endswith("piles.toml")
    assert answer == {
        "game": "grid",
        "players": ["Ann", "B b"],
        "over": True,
        "moves": 0,
        "scores": {"Ann": 17, "B b": 0},
        "winner": "Ann",
        "ending": "as-told",
        "ok": True,
        "errors": [],
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
def test_wrong_piles_are_reported_with_their_place(tmp_path, text, where, message):
    ending = ending_of(tmp_path, text)
    assert ending.error.where == where
    assert message in ending.error.message
    assert ending.to_dict()["ok"] is False


# Anything at all


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.binary(max_size=200), st.sampled_from(["game.toml", "games.jsonl", "stdin"]))
def test_any_bytes_are_a_record_or_an_error(data, name):
    assert all(reading.error for reading in read_bytes(data, name))


@given(st.data())
@settings(max_examples=200)
def test_a_record_changed_anywhere_is_a_record_or_an_error(data):
    changed = document(notes={"by": "Ann"}, event="Cup", date="2026-11-21")
    spot = changed
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(spot[key], dict | list) and spot[key] and data.draw(st.booleans()):
            spot = spot[key]
            continue
        spot[key] = data.draw(values)
        break
    reading = read_document(changed)
    json.dumps(reading.to_dict())
    if reading.error is None:
        assert read_document(tomllib.loads(reading.require().to_toml())).error is None
        assert read_document(json.loads(reading.require().to_json_line())).error is None


@given(st.data())
def test_bytes_changed_in_a_record_are_a_record_or_an_error(data):
    text, name = data.draw(st.sampled_from([("to_toml", "game.toml"), ("to_json_line", "games.jsonl")]))
    raw = bytearray(getattr(played().with_result(), text)().encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    for reading in read_bytes(bytes(raw), name):
        json.dumps(reading.to_dict())
