"""Tests of the JSON, tables and exit statuses of search, show, stats and export."""

import csv
import io
import json
from typing import Any

import pytest
from helpers.catalogues import Shell, row, rows
from helpers.json_shapes import Shape, assert_shape

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.zones import ZONES

CARD: Shape = {
    "id": str,
    "game": str,
    "name": str,
    "set_code": str,
    "collector_number": str,
    "zones": dict,
    "face": list,
    "score": int,
    "legal": bool,
    "reason": (str, type(None)),
    "attack": (int, type(None)),
    "defense": (int, type(None)),
}


def assert_card(card: dict[str, Any]) -> None:
    assert_shape(card, CARD)
    assert set(card["zones"]) <= set(ZONES)
    assert all(type(number) is int and 0 <= number <= 10 for number in [*card["zones"].values(), *card["face"]])
    assert card["legal"] == (card["reason"] is None)


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.import_rows([*rows(30), row(31, name="Ant", power="3", toughness="4"), row(32, name="Ant", set="m10")])
    return shell


def test_stats_prints_the_documented_counts(filled: Shell) -> None:
    stats = filled.good("stats", "--json").json
    assert_shape(stats, {"cards": int, "legal": int, "games": list})
    assert (stats["cards"], stats["legal"]) == (32, 31)
    [game] = stats["games"]
    assert_shape(game, {"game": str, "cards": int, "legal": int, "barred": dict, "zones": dict})
    assert game["barred"] == {"multiple-numbers:bottom-right": 1}
    assert list(game["zones"]) == list(ZONES)
    assert (game["zones"]["top-right"], game["zones"]["left"]) == (31, 0)


def test_search_prints_one_card_per_line(filled: Shell) -> None:
    lines = filled.good("search", "ant", "--json").json_lines
    assert [line["name"] for line in lines[:2]] == ["Ant", "Ant"]
    for line in lines:
        assert_card(line)


def test_show_prints_a_card_with_its_numbers_explained(filled: Shell) -> None:
    card = filled.good("show", "mtg:dsk/31", "--json").json
    assert_card(card)
    for number in card["numbers"]:
        assert_shape(
            number, {"zone": str, "field": str, "raw": str, "value": (int, type(None)), "counts": bool, "why": str}
        )
        assert number["zone"] in (*ZONES, "face")
    corner = [(one["field"], one["value"], one["counts"]) for one in card["numbers"] if one["zone"] == "bottom-right"]
    assert corner == [("power", 3, True), ("toughness", 4, True)]
    assert "bottom-right" not in card["zones"]
    assert sum(number["value"] for number in card["numbers"] if number["counts"]) == card["score"]
    assert card["reason"] == "multiple-numbers:bottom-right"


def test_show_draws_the_card_and_explains_its_numbers(filled: Shell) -> None:
    shown = filled.good("show", "mtg:dsk/31").out
    assert "Ant" in shown
    assert "power" in shown
    assert "rule 9" in shown


def test_export_prints_every_card_or_the_legal_ones(filled: Shell) -> None:
    for options in ((), ("--json",), ("--format", "jsonl")):
        lines = filled.good("export", *options).json_lines
        assert len(lines) == 32
        for line in lines:
            assert_card(
                {**line, "zones": {zone: number for zone, number in line["zones"].items() if number is not None}}
            )
    assert all(line["legal"] for line in filled.good("export", "--legal").json_lines)
    assert len(filled.good("export", "--game", "mtg").json_lines) == 32
    ids = [line["id"] for line in filled.good("export").json_lines]
    assert ids == sorted(ids)


def test_export_writes_the_same_cards_as_a_table(filled: Shell) -> None:
    table = list(csv.DictReader(io.StringIO(filled.good("export", "--format", "csv").out)))
    cards = filled.good("export").json_lines
    assert [line["id"] for line in table] == [card["id"] for card in cards]
    for line, card in zip(table, cards, strict=True):
        assert {zone: int(line[zone]) if line[zone] else None for zone in ZONES} == card["zones"]
        assert [int(number) for number in line["face"].split()] == card["face"]
        assert (int(line["score"]), line["legal"], line["reason"] or None) == (
            card["score"],
            str(card["legal"]),
            card["reason"],
        )


def test_export_writes_every_zone_and_null_without_number(filled: Shell) -> None:
    for card in filled.good("export").json_lines:
        assert tuple(card["zones"]) == ZONES
        assert {zone: number for zone, number in card["zones"].items() if number is not None} == filled.good(
            "show", card["id"], "--json"
        ).json["zones"]


def test_exported_cards_make_a_deck(filled: Shell) -> None:
    deck = filled.folder / "deck.json"
    cards = filled.good("export", "--legal").json_lines[:20]
    deck.write_text(json.dumps({"name": "Exported", "cards": cards}), encoding="utf-8")
    assert filled.good("deck", "check", deck, "--json").json == {"ok": True, "cards": 20, "problems": []}


def test_file_suffix_selects_the_format_unless_an_option_names_it(filled: Shell) -> None:
    table, lines, named = (filled.folder / name for name in ("a.csv", "a.jsonl", "b.CSV"))
    for file in (table, lines):
        filled.good("export", "-o", file)
    filled.good("export", "-o", named, "--format", "jsonl")
    assert table.read_text("utf-8") == filled.good("export", "--format", "csv").out
    assert lines.read_text("utf-8") == named.read_text("utf-8") == filled.good("export").out


def test_export_to_a_file_prints_nothing_and_writes_the_same_cards(filled: Shell) -> None:
    file = filled.folder / "cards"
    assert filled.good("export", "-o", file).out == ""
    assert file.read_text(encoding="utf-8") == filled.good("export").out


def test_failed_export_does_not_change_the_file(filled: Shell) -> None:
    file = filled.folder / "mine.jsonl"
    filled.good("export", "-o", file)
    before = file.read_bytes()
    filled("export", "--game", "chess", "-o", file, "--force").names_unknown("'chess'", "mtg")
    assert file.read_bytes() == before
    filled("export", "-o", filled.folder / "no" / "cards.jsonl").fails("cards.jsonl", "No such file")
    filled("export", "-o", filled.folder).fails("folder")
    assert filled("export", "--format", "xml").status == 2


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize(
    "words",
    [
        ("search", "dragon"),
        ("show", "Dragon Power"),
        ("stats",),
        pytest.param(("stats", "--by", "game"), marks=pytest.mark.slow),
        pytest.param(("stats", "--plot"), marks=pytest.mark.slow),
        ("export",),
    ],
    ids=" ".join,
)
def test_bundled_cards_are_used_instead_of_an_empty_catalogue(
    shell: Shell, words: tuple[str, ...], exists: bool
) -> None:
    if exists:
        Store(shell.database, create=True).connection.close()
    shown = shell.good(*words, "--json")
    reason = "The catalogue is empty" if exists else f"There is no catalogue at {shell.database}"
    assert shown.err == f"{reason}: using the bundled cards. For many more: ccgrid import mtg\n"
    assert all(line["bundled"] is True for line in shown.json_lines)
    assert bool(shell.catalogue()) == exists
    shell.good("import", "starter")
    known = shell.good(*words, "--json")
    assert (known.err, known.json_lines) == (
        "",
        [{k: v for k, v in number.items() if k != "bundled"} for number in shown.json_lines],
    )


def test_cards_entered_by_hand_are_a_catalogue_to_search(shell: Shell) -> None:
    shell.good("card", "add", "--name", "Lone Wolf", "--game", "mine", "--top-left", "3")
    assert [line["name"] for line in shell.good("search", "is:legal", "--json").json_lines] == ["Lone Wolf"]
    assert shell.good("stats", "--json").json["cards"] == 1


COMMANDS_THAT_NEED_CARDS = {
    "deck check": ("deck", "check", "deck.txt"),
    "deck show": ("deck", "show", "deck.txt"),
}


@pytest.mark.parametrize("command", COMMANDS_THAT_NEED_CARDS)
@pytest.mark.parametrize("exists", [True, False])
def test_empty_catalogue_exits_3_with_advice(shell: Shell, command: str, exists: bool) -> None:
    if exists:
        Store(shell.database, create=True).connection.close()
    (shell.folder / "deck.txt").write_text("20 Lightning Bolt")
    arguments = [
        shell.folder / "deck.txt" if word == "deck.txt" else word for word in COMMANDS_THAT_NEED_CARDS[command]
    ]
    shell(*arguments).fails("ccgrid import starter")
    assert bool(shell.catalogue()) == exists


def test_missing_card_exits_1_with_close_names(filled: Shell) -> None:
    filled("show", "Amber Bellrigner").finds_none("Did you mean: ", "Bellringer")


def test_catalogue_can_be_named_by_an_option(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CCGRID_DB")
    assert filled.good("stats", "--db", filled.database, "--json").json["cards"] == 32
