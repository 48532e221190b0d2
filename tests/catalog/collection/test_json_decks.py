"""Decks in JSON of other programs: their cards are found at any depth, and other documents are not decks."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.formats import open_rows
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.matching.rows import Row

CARD = {"name": "Ant", "count": 2}


def read(folder: Path, value: Any) -> tuple[str, list[Row | SkippedRow]]:
    """Return the format of a document, and its rows."""
    path = folder / "deck.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    reading = open_rows(path, path.name, None, None, lambda message: None)
    return reading.name, list(reading.rows)


def row_fields(row: Row | SkippedRow) -> tuple[Any, ...]:
    """Return copies, name, set, number, finish and part of a row, or the reason if it is skipped."""
    if isinstance(row, SkippedRow):
        return ("skipped", row.part or row.reason)
    return (row.copies, row.name, row.set_code, row.number, row.amounts[0][0], row.beside)


@pytest.mark.parametrize(
    ("deck", "rows"),
    [
        ({"main": [CARD]}, [(2, "Ant", "", "", "normal", False)]),
        ({"name": "Trial", "count": 60, "cards": [CARD]}, [(2, "Ant", "", "", "normal", False)]),
        ({"sideDeck": [CARD], "side_board": {"x": CARD}}, [(2, "Ant", "", "", "normal", True)] * 2),
        ({"maybeBoard": [CARD], "wishlist": [CARD]}, [("skipped", "maybeBoard"), ("skipped", "wishlist")]),
        ({"a": {"b": {"c": [{"cardName": "Ant", "anzahl": "3"}]}}}, [(3, "Ant", "", "", "normal", False)]),
        ({"m": [{**CARD, "count": 0}]}, [("skipped", "it has no copies")]),
        ({"m": [{**CARD, "count": -1}]}, [("skipped", "'-1' is not a number of copies")]),
        ({"m": [{**CARD, "count": 2.0}]}, [(2, "Ant", "", "", "normal", False)]),
        ({"m": [{**CARD, "count": "x2"}]}, [(2, "Ant", "", "", "normal", False)]),
        ({"m": [{"name": "Ant", "owned": True, "count": 2}]}, [(2, "Ant", "", "", "normal", False)]),
        ({"m": [{"name": "Ant", "owned": 3}]}, [(3, "Ant", "", "", "normal", False)]),
        ({"m": [{**CARD, "isFoil": True, "finish": "etched"}]}, [(2, "Ant", "", "", "etched", False)]),
        ({"m": [{"name": "Ant", "pitch": 2, "count": 1}]}, [(1, "Ant (yellow)", "", "", "normal", False)]),
        ({"parts": [{"name": "Sideboard", "cards": [CARD]}]}, [(2, "Ant", "", "", "normal", True)]),
        ({"deck": {"Ant": 2, "Bee": 1}}, [(2, "Ant", "", "", "normal", False), (1, "Bee", "", "", "normal", False)]),
        ({"m": [{**CARD, "count": 1.5}]}, [("skipped", "'1.5' is not a number of copies")]),
        ({"m": [{**CARD, "foil": True}]}, [(2, "Ant", "", "", "foil", False)]),
        ({"m": [{**CARD, "finish": "etched", "isFoil": True}]}, [(2, "Ant", "", "", "etched", False)]),
        ({"m": [{**CARD, "zone": "sideboard"}]}, [(2, "Ant", "", "", "normal", True)]),
        (
            {"m": [{"qty": 1, "card": {"name": "Ant", "set": "abc", "cn": 7}}]},
            [(1, "Ant", "abc", "7", "normal", False)],
        ),
        ({"m": [{"qty": 1, "card": {"name": "Ant", "set": {"code": "abc", "name": "Insects"}}}]}, None),
        ({"deck": [{"id": "ABC_007", "count": 1}]}, [(1, "", "ABC", "007", "normal", False)]),
    ],
)
def test_cards_of_a_deck_are_found_at_any_depth(tmp_path: Path, deck: Any, rows: list[tuple[Any, ...]] | None) -> None:
    name, found = read(tmp_path, deck)
    assert name == "json-deck"
    if rows is not None:
        assert list(map(row_fields, found)) == rows
    else:
        (row,) = found
        assert isinstance(row, Row)
        assert (row.name, row.set_name) == ("Ant", "Insects")


@pytest.mark.parametrize(
    ("card", "amounts", "unclear"),
    [
        ({"normal": 3, "foil": 1}, (("normal", 3), ("foil", 1)), ()),
        ({"normal": 0, "foil": 1}, (("foil", 1),), ()),
        ({"quantity": 3, "foilQuantity": 2}, (("normal", 3), ("foil", 2)), ()),
        ({"quantity": 3, "foil": 1}, (("foil", 3),), ()),
        ({"quantity": 3, "foil": 0}, (("normal", 3),), ()),
        ({"quantity": 3, "foil": 2}, (("normal", 3),), ("foil 2",)),
        ({"quantity": 3, "printing": "Foil"}, (("foil", 3),), ()),
        ({"quantity": 3, "printing": "Sparkling"}, (("normal", 3),), ("Sparkling",)),
    ],
)
def test_finish_is_read_or_uncertain(
    tmp_path: Path, card: dict[str, Any], amounts: tuple[tuple[str, int], ...], unclear: tuple[str, ...]
) -> None:
    (row,) = read(tmp_path, {"m": [{"name": "Ant", **card}]})[1]
    assert isinstance(row, Row)
    assert (row.amounts, row.more) == (amounts, unclear)


def test_condition_and_alterations_are_read(tmp_path: Path) -> None:
    (row,) = read(tmp_path, {"m": [{**CARD, "condition": "Near Mint", "isAlter": True, "isProxy": False}]})[1]
    assert isinstance(row, Row)
    assert row.condition == "near-mint"
    assert json.loads(row.details) == {"altered": 1}


@pytest.mark.parametrize(
    "document",
    [
        *('{"id": "a:1", "copies": 2}', '{"name": "Ant", "copies": 2}\n{"name": "Bee", "copies": 1}\n', "{}"),
        *('{"name": "ant", "version": "1.0.0", "dependencies": {"bee": "2"}}', '[{"name": "Ant", "copies": 2}]'),
        *(
            '{"cards": {"1": true}}',
            '{"slots": {}}',
            '{"data": [{"name": "Ant"}]}',
        ),
    ],
)
def test_other_json_is_not_a_deck_of_another_program(tmp_path: Path, document: str) -> None:
    assert read(tmp_path, document)[0] == "jsonl"


def test_manifest_of_a_program_is_not_read_as_card(tmp_path: Path) -> None:
    _, rows = read(tmp_path, '{"name": "Ant", "version": "1.0.0", "dependencies": {"bee": "2"}}')
    assert [row_fields(row) for row in rows] == [("skipped", "it has no number of copies")]


@pytest.mark.parametrize(
    ("deck", "name", "ids"),
    [
        ({"cards": {"25100": 2}}, "netrunnerdb", [("netrunnerdb", "25100", 2, False)]),
        ({"slots": {"01006": 1}, "sideSlots": {"01007": 2}}, "card-database", None),
        (
            {"hero_code": "01001a", "slots": {"01002": 1}},
            "marvelcdb",
            [("marvelcdb", "01001a", 1, False), ("marvelcdb", "01002", 1, False)],
        ),
        ({"investigator_code": "01001", "slots": {"01001": 1}}, "arkhamdb", [("arkhamdb", "01001", 1, False)]),
    ],
)
def test_deck_of_codes_and_counts_is_read(tmp_path: Path, deck: Any, name: str, ids: Any) -> None:
    found, rows = read(tmp_path, deck)
    assert found == name
    listed = [(*row.ids[0], row.copies, row.beside) for row in rows if isinstance(row, Row)]
    expected = [("card-database", "01006", 1, False), ("card-database", "01007", 2, True)]
    assert listed == (expected if ids is None else ids)


_LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(("Ant", "2", "SOR_014"))
_KEYS = st.sampled_from(
    ("name", "count", "card", "deck", "id", "ObjectStates", "OwnedCardQuantitiesV2", "slots", "data")
)


@given(st.recursive(_LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5)))
def test_any_document_is_read_or_rejected(tmp_path_factory: pytest.TempPathFactory, document: Any) -> None:
    with suppress(CatalogError):
        read(tmp_path_factory.mktemp("json"), document)


def test_note_of_the_site_is_not_read_as_card(starter: Path, shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    path.write_text('["Exported from https://example.org", "Wyvern", "Wyvern"]')
    deck = shell("deck", "show", path, "--json", "--db", starter).json
    assert len(deck["cards"]) + sum(one["copies"] for one in deck["not_found"]) == 2
