"""Decks as TOML and JSON, and what is none."""

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.card import ZONES, Card, CatalogError
from ccgrid.catalog.collection.deck_files import read_deck
from ccgrid.catalog.decks import Deck, check_deck, deck_toml, parse_deck

numbers = st.integers(0, 10)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@st.composite
def some_card(draw: st.DrawFn) -> Card:
    zones = draw(st.dictionaries(st.sampled_from(ZONES), numbers, min_size=1, max_size=8))
    face = tuple(draw(st.lists(numbers, max_size=3)))
    return Card(
        id=draw(texts),
        game=draw(texts),
        name=draw(texts),
        zones=zones,
        score=sum(zones.values()) + sum(face) + draw(st.integers(0, 20)),
        set_code=draw(texts),
        collector_number=draw(texts),
        face=face,
        attack=draw(st.none() | numbers),
        defense=draw(st.none() | numbers),
    )


@given(st.lists(some_card(), min_size=1, max_size=5), texts, st.none() | st.integers(-(2**63), 2**63 - 1))
def test_a_deck_is_read_back_from_its_toml_and_its_json(cards: list[Card], name: str, seed: int | None) -> None:
    deck = Deck(name, tuple(cards), seed)
    for text in (deck_toml(deck), json.dumps(deck.to_dict()), json.dumps(deck.to_dict(), indent=2)):
        listed = parse_deck(text, "file")
        assert (listed.name, listed.seed) == (name, seed)
        assert [entry.card.to_dict() for entry in listed.entries if entry.card] == [card.to_dict() for card in cards]


def test_a_toml_deck_may_name_cards_by_name_or_id_or_in_tables() -> None:
    listed = parse_deck('cards = ["Ant", "mtg:m10/146", { id = "mtg:m10/1" }, { name = "Bee" }]', "file")
    assert [entry.text for entry in listed.entries] == ["Ant", "mtg:m10/146", "mtg:m10/1", "Bee"]
    listed = parse_deck('[[cards]]\nname = "Ant"\n\n[[ cards ]]\nid = "Bee"\n', "file")
    assert [entry.text for entry in listed.entries] == ["Ant", "Bee"]


NO_ZONES = (
    "cards[0].zones: each is one of top-left, top, top-right, left, right, bottom-left, bottom, bottom-right "
    "and holds a number of 0 to 10."
)
GOOD: dict[str, Any] = {"id": "x:1", "name": "Ant", "zones": {"top": 3}, "face": [2], "score": 5}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"zones": {"top": 11}}, NO_ZONES),
        ({"zones": {"top": -1}}, NO_ZONES),
        ({"zones": {"top": True}}, NO_ZONES),
        ({"zones": {"top": 2.0}}, NO_ZONES),
        ({"zones": {"middle": 2}}, NO_ZONES),
        ({"zones": [1, 2]}, NO_ZONES),
        ({"face": 3}, "cards[0].face: a list of numbers of 0 to 10."),
        ({"face": [11]}, "cards[0].face: a list of numbers of 0 to 10."),
        ({"face": ["3"]}, "cards[0].face: a list of numbers of 0 to 10."),
        ({"score": 4}, "cards[0].score: a whole number, at least the sum of the card's numbers, 5."),
        ({"score": "5"}, "cards[0].score: a whole number, at least the sum of the card's numbers, 5."),
        ({"score": None}, "cards[0].score: a whole number, at least the sum of the card's numbers, 5."),
        ({"attack": 11}, "cards[0]: attack and defense are numbers of 0 to 10."),
        ({"set_code": 3}, "cards[0]: game, set_code, collector_number and reason are texts."),
        ({"name": 3}, "cards[0]: a card needs an id or a name."),
        ({"name": "", "id": ""}, "cards[0]: a card needs an id or a name."),
    ],
)
def test_a_written_out_card_with_wrong_numbers_is_refused_where_it_stands(change: dict[str, Any], words: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        parse_deck(json.dumps({"cards": [{**GOOD, **change}]}), "file")
    assert str(refusal.value) == words


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"legal": False, "reason": "digital"}, "digital"),
        ({"legal": False}, "barred"),
        ({"legal": "yes"}, "barred"),
        ({"zones": {}}, "no-number"),
        ({"zones": {}, "legal": True}, "no-number"),
    ],
)
def test_a_written_out_card_may_be_barred(change: dict[str, Any], reason: str | None) -> None:
    listed = parse_deck(json.dumps({"cards": [{**GOOD, **change}] * 20}), "file")
    _, problems = check_deck(listed, lambda entry: entry.card or pytest.fail("not written out"))
    assert [problem.reason for problem in problems] == ([] if reason is None else [reason])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"cards": 3}', "A deck lists its cards: cards = [ … ]."),
        ('{"cards": [3]}', "cards[0] is 3; a card is a name, an id, or a table with zones and score."),
        ('{"cards": [""]}', "cards[0] is ''; a card is a name, an id, or a table with zones and score."),
        ("{", "This looks like a deck in JSON, but the file is not JSON: "),
        (
            '{"cards": ["Ant"], "seed": 9223372036854775808}',
            "This looks like a deck in JSON, but the file is not JSON that can be read: it holds a number of more than "
            "64 bits.",
        ),
        (
            'seed = 9223372036854775808\ncards = ["Ant"]',
            "This looks like a deck in TOML, but the file is not TOML: it holds a number of more than 64 bits.",
        ),
        (
            '{"cards": ["Ant"], "cards": ["Bee"]}',
            'This looks like a deck in JSON, but the file has the key "cards" twice.',
        ),
        (
            '{"cards": ["\\ud800"]}',
            "This looks like a deck in JSON, but the file holds half of a surrogate pair, not a character.",
        ),
        ('{"name": "x"}', "A deck lists its cards: cards = [ … ]."),
        ("cards = [", "This looks like a deck in TOML, but the file is not TOML: "),
        ("cards = 3", "A deck lists its cards: cards = [ … ]."),
        (
            "cards = [1979-05-27]",
            "cards[0] is datetime.date(1979, 5, 27); a card is a name, an id, or a table with zones and score.",
        ),
        (
            '{"cards": ' + "[" * 100_000 + "]" * 100_000 + "}",
            "This looks like a deck in JSON, but the file is nested too deeply to be read.",
        ),
        (
            "cards = " + "[" * 100_000 + "]" * 100_000,
            "This looks like a deck in TOML, but the file is nested too deeply to be read.",
        ),
        ("{" * 100_000, "This looks like a deck in JSON, but the file is not JSON: "),
        ('{"cards": [' + '"Ant",' * 5000 + '"Ant"]}', "5001 cards are too many for a deck."),
        ("0 Ant", "Line 1: no copies of a card: '0 Ant'."),
        ("9999 Ant", "Line 1: 9999 cards are too many for a deck."),
        ("1000 Ant\n999 Ant\n2 Ant", "Line 3: 2001 cards are too many for a deck."),
        (
            "1 Ant\n1 " + "x" * 3000,
            "Line 2 is too long to be a card: '1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' …",
        ),
        ("1 Ant\n" * 2001, "Line 2001: 2001 cards are too many for a deck."),
        (
            "<html>1 Ant</html>",
            "A deck in XML must be a file: save it, and name the file.",
        ),
    ],
)
def test_a_deck_that_is_none_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(CatalogError) as refusal:
        parse_deck(text, "file")
    assert str(refusal.value).startswith(words)  # what follows are words of Python's readers


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it contains no cards."),
        (b"\n\n# nothing\n", "it contains no cards."),
        (b"Sideboard\n1 Ant\n", "it contains no cards."),
        (b'{"cards": []}', "it contains no cards."),
        (b"1 Lim-D\xfbl's Vault", "a deck must be UTF-8 text (byte 7)."),
        (b"\xff\xfe1\0 \0A\0", "a deck must be UTF-8 text (byte 0)."),
        (b"1 Ant\0", "this is not a text."),
        (b"1 Ant\n" * 1_000_000, "larger than 4 MiB; is it a deck?"),
    ],
)
def test_a_file_that_is_no_deck_is_refused_with_its_name(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "ants.txt"
    file.write_bytes(content)
    with pytest.raises(CatalogError) as refusal:
        read_deck(file)
    assert str(refusal.value) == f"{file}: {words}"


def test_a_missing_deck_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"nothing\.txt"):
        read_deck(tmp_path / "nothing.txt")
    with pytest.raises(CatalogError, match="folder"):
        read_deck(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["\n" * 1_000_000, " " * 4_000_000, ("1 " + "a " * 900 + "(\n") * 2000, "[" * 4_000_000]
)
def test_a_hostile_text_costs_no_time(text: str) -> None:
    started = time.process_time()
    with suppress(CatalogError):
        parse_deck(text, "deck")
    assert time.process_time() - started < 5
