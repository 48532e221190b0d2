"""Tests of cards' fields (type, rarity, text and others) in output, exports, views and counts."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, rows

from ccgrid.services.catalogue import open_bundled
from ccgrid.services.choices import games_with

CARDS: list[dict[str, Any]] = [
    {
        **card,
        **{"type_line": kind, "rarity": rarity, "artist": "Ann Ames", "colors": list(colours), "keywords": ["Reach"]},
        **{"mana_cost": "{1}{G}", "cmc": 2.0, "oracle_text": "Reach\nDraw a card."},
    }
    for card, kind, rarity, colours in zip(
        rows(5),
        ("Creature — Elf", "Creature — Golem", "Instant", "Instant", "Instant"),
        ("rare", "common", "common", "mythic", "rare"),
        ("G", "", "G", "GR", "R"),
        strict=True,
    )
]


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.import_rows(CARDS)
    shell.good("collection", "add", "mtg:dsk/1", "--copies", "3")
    shell.good("collection", "add", "mtg:dsk/2")
    return shell


def test_show_prints_the_fields_of_the_card(filled: Shell) -> None:
    out = filled.good("show", "mtg:dsk/1").out
    words = "Type: Creature — Elf. Cost: {1}{G}. Colours: Green. Rarity: rare. Keywords: Reach. Artist: Ann Ames."
    assert words in out
    assert "\nDraw a card.\n" in out
    assert "Type" not in filled.good("show", "mtg:dsk/1", "--json").json["name"]
    found = filled.good("show", "mtg:dsk/1", "--json").json
    assert (found["type"], found["mana_value"], found["colours"]) == ("Creature — Elf", 2, ["Green"])
    assert (found["keywords"], found["text"], found["fields"]) == (["Reach"], "Reach\nDraw a card.", {})


def test_search_export_and_collection_have_fields_in_json(filled: Shell) -> None:
    [found] = filled.good("search", "t:golem", "--json").json_lines
    assert (found["rarity"], found["colours"], found["artist"]) == ("common", [], "Ann Ames")
    exported = filled.good("export", "t:instant").json_lines
    assert {one["rarity"] for one in exported} == {"common", "mythic", "rare"}
    assert {one["rarity"] for one in filled.good("collection", "list", "--json").json_lines} == {"rare", "common"}


def test_tables_have_a_column_for_each_field(filled: Shell, tmp_path: Path) -> None:
    table = list(csv.DictReader(io.StringIO(filled.good("export", "t:elf or c:gr", "--format", "csv").out)))
    assert [(row["type"], row["colours"], row["mana_value"]) for row in table] == [
        ("Creature — Elf", "Green", "2"),
        ("Instant", "Red, Green", "2"),
    ]
    duckdb = pytest.importorskip("duckdb")
    filled.good("export", "-o", tmp_path / "cards.parquet")
    query = f"SELECT rarity, colours FROM '{tmp_path / 'cards.parquet'}' WHERE type LIKE '%Golem'"
    assert duckdb.sql(query).fetchall() == [("common", [])]


def test_views_have_columns_for_the_fields(filled: Shell) -> None:
    from ccgrid.catalog.store.catalogue import Store

    with Store(filled.database) as store:
        query = "SELECT type, rarity, cost, mana_value, colours, artist, keywords, text, fields FROM cards_view"
        row = store.connection.execute(f"{query} WHERE card_id = 'mtg:dsk/1'").fetchone()
        assert row == ("Creature — Elf", "rare", "{1}{G}", 2, "Green", "Ann Ames", "Reach", "Reach\nDraw a card.", None)
        rarities = store.connection.execute("SELECT rarity FROM holdings_view ORDER BY holding_id").fetchall()
        assert rarities == [("rare",), ("common",)]


@pytest.mark.parametrize(
    ("field", "counts"),
    [
        ("rarity", {"rare": 2, "common": 2, "mythic": 1}),
        ("r", {"rare": 2, "common": 2, "mythic": 1}),
        ("type", {"Creature": 2, "Instant": 3}),
        ("color", {"Green": 2, "Red": 1, "Red, Green": 1, "colourless": 1}),
        ("keyword", {"Reach": 5}),
        ("mv", {"2": 5}),
        ("artist", {"Ann Ames": 5}),
        ("cost", {"{1}{G}": 5}),
        ("game", {"mtg": 5}),
    ],
)
def test_stats_count_by_a_field(filled: Shell, field: str, counts: dict[str, int]) -> None:
    found = filled.good("stats", "--by", field, "--json").json
    assert {one["value"]: one["count"] for one in found["values"]} == counts
    assert (found["total"], found["counted"]) == (5, "cards")


def test_spellings_of_a_value_are_counted_as_the_most_frequent_one(filled: Shell) -> None:
    spelled = ("Rare", "RARE", "Rare", "mythic", "Mythic")
    filled.import_rows([{**card, "rarity": rarity} for card, rarity in zip(CARDS, spelled, strict=True)])
    found = filled.good("stats", "--by", "rarity", "--json").json["values"]
    assert [(one["value"], one["count"]) for one in found] == [("Rare", 3), ("Mythic", 2)]
    assert filled.good("search", "r:rare", "--json").json_lines == filled.good("search", "r:RARE", "--json").json_lines


def test_stats_count_only_what_a_query_finds(filled: Shell) -> None:
    found = filled.good("stats", "t:instant", "--by", "rarity", "--json").json
    assert {one["value"]: one["count"] for one in found["values"]} == {"common": 1, "mythic": 1, "rare": 1}


def test_collection_stats_count_copies_by_a_field(filled: Shell) -> None:
    found = filled.good("collection", "stats", "--by", "rarity", "--json").json
    assert found["values"] == [
        {"value": "rare", "count": 3, "legal": 3},
        {"value": "common", "count": 1, "legal": 1},
    ]
    assert filled.good("collection", "stats", "t:golem", "--by", "type", "--json").json["total"] == 1
    filled("collection", "stats", "t:instant", "--by", "type").finds_none("No card in the collection matches")


def test_counts_are_drawn_as_bars_and_as_svg(filled: Shell, tmp_path: Path) -> None:
    assert "Cards by rarity" in filled.good("stats", "--by", "rarity", "--plot").out
    assert "Copies by type" in filled.good("collection", "stats", "--by", "type", "--plot").out
    filled.good("stats", "--by", "rarity", "-o", tmp_path / "r.svg")
    assert "Cards by rarity" in (tmp_path / "r.svg").read_text(encoding="utf-8")
    assert "--by" in filled("collection", "stats", "--plot").err


def test_unknown_field_to_count_by_names_the_nearest_ones(filled: Shell) -> None:
    filled("stats", "--by", "rarty").names_unknown("'rarty'", "rarity, ")


def test_game_fields_are_counted_and_found_by_their_name(shell: Shell) -> None:
    table = "Name,Set,Number,Cost,House,Level\nImp,A,1,2,Dis,3\nOgre,A,2,5,Brobnar,12\n"
    (shell.folder / "cards.csv").write_text(table)
    layout = 'game = "houses"\n[[printed]]\nfield = "Cost"\nzone = "top-left"\n'
    (shell.folder / "houses.toml").write_text(layout)
    shell.good("import", "csv", shell.folder / "cards.csv", "--layout", shell.folder / "houses.toml")
    found = shell.good("stats", "--by", "house", "--json").json
    assert [one["value"] for one in found["values"]] == ["Brobnar", "Dis"]
    assert [one["name"] for one in shell.good("search", "house:dis level<10", "--json").json_lines] == ["Imp"]
    assert json.loads(shell.good("export", "level>=4").out)["fields"] == {"house": "Brobnar", "level": "12"}
    drafted = shell.folder / "drafted.toml"
    shell.good("layout", "new", shell.folder / "cards.csv", "--at", "Cost=top-left", "-o", drafted)
    assert 'cost = "Cost"' in drafted.read_text()
    assert 'fields = ["House", "Level"]' in drafted.read_text()


def test_every_bundled_card_is_playable_in_some_game() -> None:
    with open_bundled() as store:
        unplayable = [card.id for card in store.all_cards() if not games_with(store, card)]
    assert unplayable == []


def test_show_names_the_games_in_which_a_card_not_legal_elsewhere_is_allowed(shell: Shell, starter: Path) -> None:
    shown = shell.good("show", "tripletriad:0", "--db", starter)
    assert "Not legal in decks" in shown.out
    assert "Decks for ninecard and tactics may still contain it." in shown.out
    assert shell.good("show", "tripletriad:0", "--db", starter, "--json").json["decks"] == ["ninecard", "tactics"]
