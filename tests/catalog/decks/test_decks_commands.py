"""Checking of decks, and the commands `deck new`, `deck check` and `deck show`."""

import json
import re
import tomllib
from typing import Any

import pytest
from deck_files import deck_problems
from helpers.catalogues import Shell, row, rows
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.card import Card
from ccgrid.catalog.deck_text import DeckLine, parse_deck, read_lines
from ccgrid.catalog.decks import DeckEntry, ListedDeck, check_deck
from ccgrid.catalog.errors import CatalogError

# --- checking ---------------------------------------------------------------------------------------------------


def test_deck_check_reports_all_problems_without_repetition() -> None:
    known = {
        "Ant": Card("a:1", "a", "Ant", {"top": 1}, 1),
        "Bee": Card("a:2", "a", "Bee", {}, 0, legal=False, reason="no-number"),
    }

    def find(entry: DeckEntry) -> Card:
        if entry.text not in known:
            raise CatalogError(f"No card matches {entry.text!r}.")
        return known[entry.text]

    deck, problems = check_deck(parse_deck("Deck\n4 Ant\n3 Bee\n2 Wasp\n1 Bee", "deck"), find)
    assert [card.name for card in deck.cards] == ["Ant"] * 4 + ["Bee"] * 4
    assert [(problem.card, problem.reason) for problem in problems] == [
        (None, "the deck has 8 cards and 2 that were not found, and 20 are needed"),
        ("Bee", "no-number"),
        ("Wasp", "No card matches 'Wasp'."),
    ]


def test_each_line_is_looked_up_once() -> None:
    asked: list[str] = []

    def find(entry: DeckEntry) -> Card:
        asked.append(entry.text)
        raise CatalogError("no")

    check_deck(parse_deck("20 Ant\n30 Bee", "deck"), find)
    assert asked == ["Ant", "Bee"]


@given(st.integers(0, 40), st.integers(1, 40))
def test_deck_must_have_the_requested_size(cards: int, size: int) -> None:
    listed = ListedDeck("deck", (DeckEntry("line 1", "Ant"),) * cards)
    _, problems = check_deck(listed, lambda entry: Card("a:1", "a", "Ant", {"top": 1}, 1), size)
    assert (not problems) == (cards == size)


def test_deck_line_keeps_its_text() -> None:
    assert read_lines("2 Hazmat Suit (Used) *F*").lines == [
        DeckLine(1, 2, "Hazmat Suit", "used", "", "2 Hazmat Suit (Used) *F*")
    ]


# --- at the command line ----------------------------------------------------------------------------------------


@pytest.fixture
def table(shell: Shell) -> Shell:
    """Import 60 legal cards, and some with special names or several printings."""
    shell.import_rows(
        [
            *rows(60),
            row(61, name="Lightning Bolt"),
            row(146, name="Lightning Bolt", set="m10", set_name="Magic 2010"),
            row(147, name="Lightning Bolt", set="m10", set_name="Magic 2010", cost=4),
            row(62, name="Fire // Ice", card_faces=[{"name": "Fire", "mana_cost": "{1}"}, {"name": "Ice"}]),
            row(63, name="Hazmat Suit (Used)"),
            row(64, name="Big Ant", power="3", toughness="3"),
            row(65, name="Small Ant", mana_cost=None, collector_number="100"),
        ]
    )
    return shell


CARD_KEYS = [
    *("id", "game", "name", "set_code", "collector_number", "zones"),
    *("face", "score", "legal", "reason", "attack", "defense"),
]


def new(shell: Shell, *options: str) -> dict[str, Any]:
    deck: dict[str, Any] = shell.good("deck", "new", "--json", *options).json
    return deck


def test_deck_new_prints_a_legal_deck_in_the_documented_shape(table: Shell) -> None:
    deck = new(table)
    assert list(deck) == ["name", "game", "seed", "cards"]
    assert len(deck["cards"]) == 20
    assert isinstance(deck["seed"], int)
    assert all(card["legal"] for card in deck["cards"])
    assert len({card["id"] for card in deck["cards"]}) == 20
    assert all(list(card) == CARD_KEYS for card in deck["cards"])


def test_same_seed_draws_same_deck_and_others_different_ones(table: Shell) -> None:
    assert new(table, "--seed", "7") == new(table, "--seed", "7")
    assert new(table, "--seed", "7")["cards"] != new(table, "--seed", "8")["cards"]
    drawn = new(table)
    assert new(table, "--seed", str(drawn["seed"])) == drawn


def test_written_deck_is_legal_and_shows_same_cards(table: Shell) -> None:
    deck, toml = new(table, "--seed", "7"), table.folder / "deck.toml"
    assert table.good("deck", "new", "--seed", "7", "-o", toml).out == ""
    assert tomllib.loads(toml.read_text())["cards"][0]["name"] == deck["cards"][0]["name"]
    (table.folder / "deck.json").write_text(json.dumps(deck))
    lines = [f"1 {card['name']} ({card['set_code'].upper()}) {card['collector_number']}\n" for card in deck["cards"]]
    (table.folder / "deck.txt").write_text("".join(lines))
    ids = [card["id"] for card in deck["cards"]]
    (table.folder / "ids.txt").write_text("\n".join(ids))
    for name in ("deck.toml", "deck.json", "deck.txt", "ids.txt"):
        assert table.good("deck", "check", table.folder / name, "--json").json == {
            "ok": True,
            "cards": 20,
            "problems": [],
        }
        shown = table.good("deck", "show", table.folder / name, "--json").json
        assert [card["id"] for card in shown["cards"]] == ids
    assert "Legal" in table.good("deck", "check", toml).out


@pytest.mark.parametrize("catalogue", [(), ("--db", "missing.db")], ids=["with cards", "without"])
def test_unknown_name_in_table_is_energy_if_the_game_allows_it(table: Shell, catalogue: tuple[str, ...]) -> None:
    deck = table.folder / "deck.toml"
    deck.write_text('cards = [{ name = "My Energy" }, { name = "Wolf", attack = 2, defense = 1 }]', encoding="utf-8")
    shown = table.good("deck", "show", deck, "--for", "ninecard", *catalogue).out
    assert re.search(r"1\s+My Energy\s+no attack and no defense from 0 to 10", shown)
    assert table.good("deck", "check", deck, "--for", "ninecard", *catalogue)
    for_grid = table("deck", "check", deck, "--for", "grid", *catalogue, "--json").json
    assert "My Energy" in [problem["card"] for problem in for_grid["problems"]]


def test_self_contained_cards_need_no_catalogue(table: Shell) -> None:
    toml = table.folder / "deck.toml"
    table.good("deck", "new", "--seed", "7", "-o", toml)
    drawn = table.good("deck", "show", toml).out
    for other in ("missing.db", "empty.db"):
        (table.folder / "cards.jsonl").write_text("[]")
        if other == "empty.db":
            from ccgrid.catalog.store.catalogue import Store

            Store(table.folder / other, create=True).connection.close()
        assert table.good("deck", "check", toml, "--db", table.folder / other, "--json").json["ok"]
        assert table.good("deck", "show", toml, "--db", table.folder / other).out == drawn
    assert not (table.folder / "missing.db").exists()


def test_deck_of_names_needs_a_catalogue(table: Shell) -> None:
    (table.folder / "deck.txt").write_text("20 Lightning Bolt")
    for command in ("check", "show"):
        table("deck", command, table.folder / "deck.txt", "--db", table.folder / "no.db").fails("ccgrid import")


def test_misspelt_card_is_reported_with_similar_names(table: Shell) -> None:
    [problem] = deck_problems(table, "20 Lightening Bolt")
    assert problem["card"] == "Lightening Bolt"
    assert "Did you mean: Lightning Bolt" in problem["reason"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("20 Lightning Bolt (M11)", "the catalogue has no set 'm11'; other sets have it. Did you mean: Lightning"),
        ("20 Lightning Bolt (M10) 148", "m10 has 'Lightning Bolt' as number 146, not as 148."),
        ("20 Big Ant", "multiple-numbers:bottom-right"),
        ("20 Small Ant", "no-number"),
    ],
)
def test_unusable_card_is_reported_with_reason(table: Shell, line: str, words: str) -> None:
    [problem] = deck_problems(table, line)
    assert words in problem["reason"]


@pytest.mark.parametrize(
    ("line", "card_id"),
    [
        ("20 lightning bolt", "mtg:dsk/61"),
        ("20 Lightning Bolt (m10) 0147", "mtg:m10/147"),
        ("20 Lightning Bolt|M10|[146]", "mtg:m10/146"),
        ("20 MTG:M10/146", "mtg:m10/146"),
        ("20 Fire", "mtg:dsk/62"),
        ("20 Fire/Ice", "mtg:dsk/62"),
        ("20 Fire // Ice [DSK:62a]", "mtg:dsk/62"),
        ("20 Hazmat Suit (Used)", "mtg:dsk/63"),
        ("20 Hazmat Suit (Used) (DSK) 63", "mtg:dsk/63"),
    ],
)
def test_line_finds_its_printing(table: Shell, line: str, card_id: str) -> None:
    assert deck_problems(table, line) == []
    shown = table.good("deck", "show", table.folder / "deck.txt", "--json").json
    assert {card["id"] for card in shown["cards"]} == {card_id}


def test_deck_numbers_differing_from_catalogue_are_reported(table: Shell) -> None:
    deck = new(table, "--seed", "7")
    card = deck["cards"][3]
    card["zones"] = {**card["zones"], "top": 10}
    card["score"] += 10
    (table.folder / "deck.json").write_text(json.dumps(deck))
    result = table("deck", "check", table.folder / "deck.json", "--json")
    assert result.status == 1
    assert [problem["card"] for problem in result.json["problems"]] == [card["name"]]
    assert "differ from the catalogue" in result.json["problems"][0]["reason"]


def test_illegal_deck_fails_check_but_is_shown(table: Shell) -> None:
    file = table.folder / "deck.txt"
    file.write_text("3 Lightning Bolt\n1 Big Ant\n1 Nobody")
    result = table("deck", "check", file)
    assert result.status == 1
    assert "Not legal" in result.out
    assert "the deck has 4 cards and 1 that was not found, and 20 are needed" in result.out
    shown = table.good("deck", "show", file)
    assert "Lightning Bolt" in shown.out
    assert "not legal" in shown.err


def test_impossible_deck_command_exits_with_error_status(table: Shell) -> None:
    table("deck", "check", table.folder / "nothing.txt").fails("nothing.txt")
    table("deck", "show", table.folder).fails("folder")
    table("deck", "new", "chess").names_unknown("'chess'", "grid")
    table("deck", "new", "--game", "chess").names_unknown("'chess'", "mtg")
    table("deck", "new", "-o", table.folder / "no" / "deck.toml").fails("deck.toml", "No such file")
    table("deck", "new", "-o", table.folder).fails("folder")
    assert table("deck", "check").status == 2
    assert table("deck", "new", "--seed", "x").status == 2


def test_deck_new_needs_20_legal_cards(shell: Shell) -> None:
    shell.import_rows(rows(19))
    shell("deck", "new").fails("19 legal cards", "20 are needed")
    shell.import_rows(rows(20))
    assert len(new(shell)["cards"]) == 20


def test_deck_file_is_written_atomically(table: Shell) -> None:
    file = table.folder / "deck.toml"
    file.write_text("mine")
    table("deck", "new", "--game", "chess", "-o", file).fails()
    assert file.read_text() == "mine"
    file.unlink()
    table.good("deck", "new", "-o", file)
    assert len(tomllib.loads(file.read_text())["cards"]) == 20
    assert sorted(path.name for path in table.folder.iterdir()) == ["cards.jsonl", "catalogue.db", "deck.toml"]


def test_deck_with_rarely_meeting_numbers_is_reported_with_advice(shell: Shell) -> None:
    deck = shell.folder / "deck.toml"
    cards = ",".join(f'{{name="Card {n}", zones={{"top-right"={n % 9}}}, score=9}}' for n in range(20))
    deck.write_text(f"cards = [{cards}]", encoding="utf-8")
    assert "in only 0 % of pairs" in shell.good("deck", "show", deck).err
    assert "in only 0 % of pairs" in shell.good("play", "--deck", deck, "--players", "You,easy", typed="resign\n").err
    lively = cards.replace('"top-right"=3', '"top-right"=3, "bottom-left"=2').replace("=4", '=4, "bottom-left"=1')
    deck.write_text(f"cards = [{lively}]", encoding="utf-8")
    assert "ccgrid deck new --lively" not in shell.good("deck", "show", deck).err


@pytest.mark.parametrize("size", ["short", "whole"])
def test_unknown_deck_lines_are_listed_and_counted_once(shell: Shell, size: str) -> None:
    shell.import_rows(rows(20))
    others = 18 if size == "whole" else 1
    text = "".join(f"1 mtg:dsk/{number}\n" for number in range(1, others + 1))
    file = shell.folder / "deck.txt"
    file.write_text(f"{text}2 Nobody at all\n", encoding="utf-8")
    shown = shell.good("deck", "show", file)
    assert "Not found: 2 cards." in shown.out
    assert re.search(r"^ +2 +Nobody at all +", shown.out, re.MULTILINE)
    document = shell.good("deck", "show", file, "--json").json
    assert len(document["cards"]) == others
    [missing] = document["not_found"]
    assert (missing["card"], missing["copies"]) == ("Nobody at all", 2)
    checked = shell("deck", "check", file, "--json")
    assert (checked.status, checked.json["cards"]) == (1, others)
    reasons = [problem["reason"] for problem in checked.json["problems"]]
    wrong_size = "the deck has 1 card and 2 that were not found, and 20 are needed"
    assert (reasons[0] == wrong_size) == (size == "short")
    assert f"a deck of {others} card" in shell("deck", "check", file).out


def test_deck_without_missing_lines_shows_nothing_of_them(shell: Shell) -> None:
    shell.import_rows(rows(20))
    file = shell.folder / "deck.txt"
    file.write_text("1 mtg:dsk/1\n", encoding="utf-8")
    assert "Not found" not in shell.good("deck", "show", file).out
    assert shell.good("deck", "show", file, "--json").json["not_found"] == []


def test_block_after_blank_line_is_reported_as_not_in_deck(shell: Shell) -> None:
    shell.import_rows(rows(20))
    file = shell.folder / "deck.txt"
    file.write_text("4 mtg:dsk/1\n\n2 mtg:dsk/2\n", encoding="utf-8")
    result = shell("deck", "check", file)
    assert "Not in the deck: 2 in the block after the blank line." in result.err
