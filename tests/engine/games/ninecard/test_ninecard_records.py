"""Tests of records and endings of ninecard: the written keys, and errors with their location."""

import json

import pytest
from helpers.record_errors import error_of, lookup_among
from ninecard_positions import deal, document

from ccgrid.catalog.card import Card
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.records.files import read_ending
from ccgrid.engine.records.record import Record, read_document

BOB = {"Bob": [{"name": "x"}]}


# Records
@pytest.mark.parametrize(
    ("setup", "where", "message"),
    [
        ({"decks": {"Ann": ["Spark"], **BOB}}, "setup.decks.Ann[0]", "there is no catalogue"),
        ({"decks": {"Ann": [{"name": "x"}]}}, "setup.decks.Bob", "is missing: every player has a deck"),
        ({"decks": {"Eve": []}}, "setup.decks.Eve", "is not one of the players"),
        ({"decks": {"Ann": [], **BOB}}, "setup.decks.Ann", "must be 1 to 1000 cards, not 0"),
        ({"decks": {"Ann": [{"name": " "}], **BOB}}, "setup.decks.Ann[0].name", "is empty"),
        (
            {"decks": {"Ann": [{"name": "x" * 201}], **BOB}},
            "setup.decks.Ann[0].name",
            "has 201 characters: at most 200",
        ),
        ({"decks": {"Ann": [{"attack": 1, "defense": 1}], **BOB}}, "setup.decks.Ann[0].name", "is missing"),
        ({"decks": {"Ann": [{"name": "x", "attack": 1}], **BOB}}, "setup.decks.Ann[0]", "has attack but no defense"),
        ({"decks": {"Ann": [{"name": "x", "defense": 1}], **BOB}}, "setup.decks.Ann[0]", "has defense but no attack"),
        (
            {"decks": {"Ann": [{"name": "x", "attack": 11, "defense": 1}], **BOB}},
            "setup.decks.Ann[0].attack",
            "must be 0 to 10, not ",
        ),
        (
            {"decks": {"Ann": [{"name": "x", "attack": 1, "defense": -1}], **BOB}},
            "setup.decks.Ann[0].defense",
            "must be 0 to 10, not ",
        ),
        ({"decks": {"Ann": [{"name": "x", "cost": 1}], **BOB}}, "setup.decks.Ann[0].cost", "unknown key"),
        ({"decks": [[]]}, "setup.decks", "must be a table"),
        ({"decks": {}, "life": "50"}, "setup.life", "must be a whole number"),
        ({"decks": {}, "life": 0}, "setup.life", "must be 1 to 10000, not 0"),
        ({"decks": {}, "limit": 0}, "setup.limit", "must be 1 to 2000, not 0"),
        ({"decks": {}, "facedown": "yes"}, "setup.facedown", 'must be true or false, not the text "yes"'),
        ({"decks": {}, "one_creature": 1}, "setup.one_creature", "must be true or false, not the number 1"),
        ({"life": 5}, "setup.decks", "is missing"),
    ],
)
def test_damaged_setup_is_rejected_with_location(setup, where, message):
    found_where, found_message = error_of(document([]) | {"setup": setup})
    assert found_where == where
    assert found_message.startswith(message)


def test_card_given_as_text_is_looked_up_even_if_not_legal_in_grid():
    drake = Card(
        id="dusk:1", game="dusk", name="Drake", zones={}, score=4, legal=False, reason="x", attack=3, defense=2
    )
    cards = {"dusk:1": drake, "Spark": Card(id="dusk:2", game="dusk", name="Spark", zones={"top": 1}, score=4)}
    lookup = lookup_among(cards)
    record = read_document(document(["dusk:1", "Spark"]), lookup).require()
    assert record.setup.decks[0] == (Creature("Drake", 3, 2), Energy("Spark"))
    assert read_document(json.loads(record.to_json_line())).require() == record
    assert error_of(document(["dusk:1", "Ghost"]), lookup=lookup) == ("setup.decks.Ann[1]", "no card Ghost")


def test_record_has_one_card_per_line():
    lines = Record(deal(options={"life": 20})).to_toml().splitlines()
    assert lines[5:9] == ["[setup]", "life = 20", "[setup.decks]", "Ann = ["]
    assert lines[9].startswith('  { name = "')


def test_illegal_moves_are_rejected_with_location():
    spark = [{"name": "Spark"}] * 9
    assert error_of(document(spark, moves=["energy Spark", "energy Drake"])) == (
        'moves[1] "energy Drake"',
        'there is no "Drake" in your hand',
    )
    assert error_of(document(spark, moves=["assault Bob", "end", "end"])) == (
        'moves[2] "end"',
        "the game is over: only one player is left",
    )


@pytest.mark.parametrize(
    ("text", "scores", "where"),
    [
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = -3\nCid = 0\n', {"Ann": 12, "Bob": 0, "Cid": 0}, None),
        ('game = "ninecard"\nturns = 200\n[life]\nAnn = 12\nBob = 3\n', {"Ann": 12, "Bob": 3}, None),
        ('game = "ninecard"\nturns = 90\nlimit = 90\n[life]\nAnn = 12\nBob = 3\n', {"Ann": 12, "Bob": 3}, None),
        ('game = "ninecard"\nstart = 80\n[life]\nAnn = 72\nBob = 0\n', {"Ann": 72, "Bob": 0}, None),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = 3\n', {}, "life"),
        ('game = "ninecard"\nturns = 199\n[life]\nAnn = 12\nBob = 3\n', {}, "life"),
        ('game = "ninecard"\nturns = 201\n[life]\nAnn = 12\nBob = 3\n', {}, "turns"),
        ('game = "ninecard"\nturns = 1\n[life]\nAnn = 12\nBob = 0\nCid = 0\n', {}, "turns"),
        ('game = "ninecard"\nturns = 2\n[life]\nAnn = 12\nBob = 0\nCid = 0\n', {"Ann": 12, "Bob": 0, "Cid": 0}, None),
        ('game = "ninecard"\n[life]\nAnn = 0\nBob = -3\n', {}, "life"),
        ('game = "ninecard"\n[life]\nAnn = 51\nBob = 0\n', {}, "life.Ann"),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = -9\n', {"Ann": 12, "Bob": 0}, None),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = -10\n', {}, "life.Bob"),
        ('game = "ninecard"\nstart = 10001\n[life]\nAnn = 51\nBob = 0\n', {}, "start"),
        ('game = "ninecard"\n[life]\nAnn = 12\n', {}, "life"),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = 10001\n', {}, "life.Bob"),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = "x"\n', {}, "life.Bob"),
        ('game = "ninecard"\n', {}, "life"),
    ],
)
def test_life_totals_alone_give_scores(tmp_path, text, scores, where):
    file = tmp_path / "ending.toml"
    file.write_text(text)
    ending = read_ending(file)
    assert dict(ending.scores) == scores
    assert (ending.error.where if ending.error else None) == where
