"""Tests of the checks of a record's setup, in the order of RECORD.md."""

import json

import pytest
from grid_records import document, minimal_document, read_bytes
from helpers.record_errors import error_of, lookup_among
from inline_snapshot import snapshot

from ccgrid.catalog.card import Card
from ccgrid.engine.records.record import read_document

UNKNOWN_KEY = (
    "unknown key; known here: game, players, first, moves, setup, format, date, event, seed, deck, match, result, notes"
)


def test_unrevealed_cards_are_optional_and_drawing_one_is_an_error():
    mover, other = {"zones": {"right": 4, "left": 4}, "score": 8}, {"zones": {"left": 1}, "score": 1}
    answer = minimal_document(mover, other)
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
        ({"game": ...}, "game", snapshot("is missing: name the game")),
        (
            {"game": "gird"},
            "game",
            snapshot("There is no game 'gird'. Did you mean grid? There are: grid, ninecard, tactics, matrix."),
        ),
        ({"game": 3}, "game", snapshot("must be a text, not the number 3")),
        ({"format": "1"}, "format", snapshot('must be a whole number, not the text "1"')),
        ({"format": 2}, "format", snapshot("is 2, but this ccgrid reads format 1: a newer one is needed")),
        (
            {"format": 2, "game": "new"},
            "format",
            snapshot("is 2, but this ccgrid reads format 1: a newer one is needed"),
        ),
        (
            {"player": 1},
            "player",
            snapshot(
                "unknown key; known here: game, players, first, moves, setup, format, date, event, seed, deck, "
                "match, result, notes"
            ),
        ),
        (
            {"\x1b[2J": 1},
            '"\\x1b[2J"',
            snapshot(
                "unknown key; known here: game, players, first, moves, setup, format, date, event, seed, deck, "
                "match, result, notes"
            ),
        ),
        ({"players": ...}, "players", snapshot("is missing")),
        ({"players": "Ann"}, "players", snapshot('must be a list, not the text "Ann"')),
        ({"players": ["Ann", 2]}, "players[1]", snapshot("must be a text, not the number 2")),
        ({"first": ...}, "first", snapshot("is missing")),
        ({"first": True}, "first", snapshot("must be a text, not true")),
        ({"date": "yesterday"}, "date", snapshot('must be a date like 2026-11-21, not the text "yesterday"')),
        ({"date": 20261121}, "date", snapshot("must be a date like 2026-11-21, not the number 20261121")),
        ({"event": None}, "event", snapshot("must be a text, not null")),
        ({"seed": False}, "seed", snapshot("must be a whole number, not false")),
        ({"seed": 1.0}, "seed", snapshot("must be a whole number, not the number 1.0")),
        ({"seed": 2**63}, "seed", snapshot("is too large a number")),
        ({"moves": ...}, "moves", snapshot("is missing")),
        ({"moves": [["a1xb2"]]}, "moves[0]", snapshot("must be a text, not a list")),
        ({"setup": ...}, "setup", snapshot("is missing")),
        ({"setup": []}, "setup", snapshot("must be a table, not a list")),
        ({"setup": {}}, "setup.cards", snapshot("is missing")),
        (
            {"setup": {"cards": [], "deck": []}},
            "setup.deck",
            snapshot("unknown key; known here: cards, pile, komi, order, empty-pile, turn"),
        ),
        ({"setup": {"cards": [7]}}, "setup.cards[0]", snapshot("must be a text or a table, not the number 7")),
        ({"setup": {"cards": [{"zones": {}}]}}, "setup.cards[0].score", snapshot("is missing")),
        ({"setup": {"cards": [{"score": 1}]}}, "setup.cards[0].zones", snapshot("is missing")),
        (
            {"setup": {"cards": [{"score": True, "zones": {}}]}},
            "setup.cards[0].score",
            snapshot("must be a whole number, not true"),
        ),
        (
            {"setup": {"cards": [{"score": 1, "zones": {"middle": 1}}]}},
            "setup.cards[0].zones.middle",
            snapshot(
                "unknown key; known here: top-left, top, top-right, left, right, bottom-left, bottom, bottom-right"
            ),
        ),
        (
            {"setup": {"cards": [{"score": 1, "zones": {"top": "1"}}]}},
            "setup.cards[0].zones.top",
            snapshot('must be a whole number, not the text "1"'),
        ),
        ({"result": {}}, "result.scores", snapshot("is missing")),
        (
            {"result": {"scores": {"Ann": "many"}}},
            "result.scores.Ann",
            snapshot('must be a whole number, not the text "many"'),
        ),
        ({"result": {"scores": {}, "winner": "Ann"}}, "result.winner", snapshot("unknown key; known here: scores")),
        ({"notes": 3}, "notes", snapshot("must be a table, not the number 3")),
        (
            {"notes": {"a": [None]}},
            "notes.a[0]",
            snapshot("must be a text, a number, true or false, a date, a list or a table"),
        ),
        (
            {"notes": {"a": float("inf")}},
            "notes.a",
            snapshot("must be a text, a number, true or false, a date, a list or a table"),
        ),
    ],
)
def test_unknown_keys_and_wrong_types_are_reported_with_location(changes, where, message):
    found_where, found_message = error_of(document(**changes))
    assert found_where == where
    assert found_message == message


@pytest.mark.parametrize("put", [lambda notes: notes, lambda notes: {"a": [notes]}])
def test_length_of_note_keys_is_limited(put):
    record = read_document(document(notes=put({"k" * 1000: 1}))).require()
    (again,) = read_bytes(record.to_toml().encode(), "game.toml")
    assert again.require() == record
    where, message = error_of(document(notes=put({"k" * 1001: 1})))
    assert where.startswith("notes")
    assert message == "has a key of 1,001 characters; the maximum is 1,000"


def test_nesting_of_notes_is_limited():
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
        (["Ann", ""], "a player has no name: name every player"),
        (["Ann", "  "], "a player has no name: name every player"),
    ],
)
def test_number_and_names_of_players_are_checked(players, message):
    where, found = error_of(document(players=players, first="Ann"))
    assert where == "players"
    assert found == message


def test_starting_player_must_be_a_player():
    assert error_of(document(first="Cid")) == ("first", '"Cid" is not one of the players')


# Check 4: the setup
@pytest.mark.parametrize("count", [0, 8, 21])
def test_grid_setup_has_9_to_20_cards(count):
    setup = {"cards": [{"zones": {"top": 1}, "score": 1}] * count}
    assert error_of(document(setup=setup)) == ("setup.cards", f"must be 9 to 20 cards, not {count}")


@pytest.mark.parametrize(
    ("table", "where", "message"),
    [
        ({"zones": {"top": 11}, "score": 11}, ".zones.top", "must be 0 to 10, not 11"),
        ({"zones": {"top": -1}, "score": 11}, ".zones.top", "must be 0 to 10, not -1"),
        ({"zones": {"top": 4, "left": 5}, "score": 8}, ".score", "is 8, less than the sum of the zones, 9"),
        ({"zones": {}, "score": 8}, ".zones", "are empty: a card needs a number in some zone"),
        ({"zones": {"top": 4}, "score": 10_001}, ".score", "must be 0 to 10000, not 10001"),
    ],
)
def test_impossible_card_numbers_are_rejected(table, where, message):
    valid = {"zones": {"top": 1}, "score": 1}
    setup = {"cards": [valid, valid, valid, table, *[valid] * 5]}
    assert error_of(document(setup=setup)) == (f"setup.cards[3]{where}", message)


def test_score_may_exceed_sum_of_zones():
    setup = {"cards": [{"zones": {"top": 1}, "score": 9}] * 9}
    assert read_document(document(setup=setup, moves=[], result=...)).error is None


def test_card_as_text_is_looked_up_and_must_be_legal():
    cards = {
        "Drake": Card(id="dusk:1", game="dusk", name="Drake", zones={"top": 1}, score=4, face=(3,)),
        "Twin": Card(id="dusk:2", game="dusk", name="Twin", zones={}, score=4, legal=False, reason="oversized"),
    }
    lookup = lookup_among(cards)
    valid = document(setup={"cards": ["Drake"] * 9}, moves=[], result=...)
    record = read_document(valid, lookup).require()
    assert record.setup.cards[0].score == 4
    assert read_document(json.loads(record.to_json_line())).require() == record
    assert error_of(valid | {"setup": {"cards": ["Drake"] * 8 + ["Twin"]}}, lookup=lookup) == (
        "setup.cards[8]",
        '"Twin" is not playable: oversized',
    )
    assert error_of(valid | {"setup": {"cards": ["Drake", "Ghost", *["Drake"] * 8]}}, lookup=lookup) == (
        "setup.cards[1]",
        "no card Ghost",
    )


def test_card_as_text_needs_catalogue():
    where, message = error_of(document(setup={"cards": ["Drake"] * 9}))
    assert where == "setup.cards[0]"
    assert "there is no catalogue" in message


def test_different_cards_of_one_name_are_numbered():
    tables = [{"name": "Drake", "zones": {"top": n // 2}, "score": n} for n in (4, 4, 5, 6, 5)]
    tables += [{"name": "Drake #2", "zones": {"top": 9}, "score": 9}, *[tables[0]] * 3]
    record = read_document(document(setup={"cards": tables}, moves=[], result=...)).require()
    names = [entry.name for entry in record.setup.cards]
    assert names[:6] == ["Drake", "Drake", "Drake #2", "Drake #3", "Drake #2", "Drake #2 #2"]
    assert read_document(json.loads(record.to_json_line())).require() == record


def test_unnamed_card_is_labelled_by_id_or_number():
    table = {"zones": {"top": 1}, "score": 1}
    cards = [table, {"id": "dusk:7", **table}, *[table] * 7]
    record = read_document(document(setup={"cards": cards}, moves=[], result=...)).require()
    assert [entry.name for entry in record.setup.cards][:3] == ["card 1", "dusk:7", "card 3"]
