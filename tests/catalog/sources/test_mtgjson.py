"""MTGJSON: it gives the same cards as Scryfall, and one long line of JSON is read in constant memory."""

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import CardReading
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing, UnreadRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.readers.json_paths import values_at_paths
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import find_source, mtgjson, scryfall

MTG = find_layout("mtg")
READER = MTG.compiled()


def face(number: str = "1", **more: Any) -> dict[str, Any]:
    return {
        "name": "Brass Herald",
        "number": number,
        "setCode": "DSK",
        "layout": "normal",
        "frameVersion": "2015",
        "availability": ["paper"],
        "manaCost": "{3}",
        "type": "Artifact",
        "text": "Draw 2 cards.",
        "identifiers": {"mtgoId": "12", "scryfallId": "0e9ad288-d164-44a6-96ec-4185a1587f1a", "multiverseId": "9"},
        **more,
    }


def set_document(*cards: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a set with the keys in MTGJSON's order: the date comes after the cards."""
    return {"baseSetSize": 1, "booster": {"name": "x"}, "cards": list(cards), "code": "DSK", "name": "Dusk", **more} | {
        "releaseDate": "2020-02-02",
        "tokens": more.get("tokens", []),
    }


def read(path: Path) -> list[Printing | UnreadRow]:
    with open_tree(path) as tree:
        return list(mtgjson.read_tree(tree, MTG, lambda sentence: None))


def write(path: Path, data: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"meta": {"date": "2026-01-01"}, "data": data}), encoding="utf-8")
    return path


def read_cards(path: Path) -> list[Printing]:
    rows = read(path)
    found = [row for row in rows if isinstance(row, Printing)]
    assert found == rows
    return found


def numbers(row: Printing) -> CardReading:
    """Return the numbers of a card without the texts they were read from."""
    return READER.read(row.fields)._replace(evidence=[])


# --- the same cards as Scryfall's -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def by_scryfall(shared_data: Path) -> dict[str, Printing]:
    with open_data(shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz") as stream:
        return {row.id: row for row in scryfall.read(stream, "slice", MTG) if isinstance(row, Printing)}


# Scryfall's file is from 2019, MTGJSON's from 2022; the rules text of this card changed in between.
REWRITTEN = {"mtg:ugl/58"}


@pytest.mark.parametrize(("name", "count"), [("ARN", 92), ("UGL", 88)])
def test_real_cards_have_same_numbers_as_from_scryfall(
    shared_data: Path, by_scryfall: dict[str, Printing], name: str, count: int
) -> None:
    rows = read_cards(shared_data / "mtgjson" / "jsonSets" / f"{name}.json")
    cards = {row.id: row for row in rows if row.set_code == name.lower()}
    assert len(cards) == count
    assert cards.keys() == {card for card in by_scryfall if card.startswith(f"mtg:{name.lower()}/")}
    differing = {card for card, row in cards.items() if numbers(row) != numbers(by_scryfall[card])}
    assert differing == REWRITTEN & cards.keys()
    for card, row in cards.items():
        other = by_scryfall[card]
        assert (row.name, row.set_name, row.collector_number, row.lang) == (
            *(other.name, other.set_name, other.collector_number, other.lang),
        )
        # Scryfall says it of reprints only, MTGJSON also of a first printing.
        assert row.other_printings >= other.other_printings
    assert any(row.other_printings for row in cards.values())


def test_whole_files_are_counted(shared_data: Path, tmp_path: Path) -> None:
    summary = import_source(
        ImportRequest(find_source("mtgjson"), shared_data / "mtgjson" / "jsonSets"), tmp_path / "catalogue.db"
    )
    assert (summary.read, summary.skipped, summary.legal) == (186, 0, 60)  # 92 cards, 88 cards, and 6 tokens of Unglued
    assert summary.barred == {"multiple-numbers:bottom-right": 89, "no-number": 37}


# --- structure of the files --------------------------------------------------------------------------------------


def test_file_of_a_set_and_file_of_all_sets_give_the_same_cards(tmp_path: Path) -> None:
    one = read_cards(write(tmp_path / "DSK.json", set_document(face("1"), face("2"))))
    other = set_document(face("7", setCode="EVE"), name="Eve", code="EVE")
    everything = read_cards(
        write(tmp_path / "AllPrintings.json", {"DSK": set_document(face("1"), face("2")), "EVE": other})
    )
    assert everything[:2] == one
    assert everything[2].id == "mtg:eve/7"
    assert everything[2].set_name == "Eve"


def test_date_after_the_cards_applies_to_them(tmp_path: Path) -> None:
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(face("5"))))
    assert row.released == "2020-02-02"
    assert READER.read(row.fields).zones == {"top-right": [3], "bottom-left": [5]}
    assert row.ids == "scryfall:0e9ad288-d164-44a6-96ec-4185a1587f1a mtgo:12 multiverse:9"


@pytest.mark.parametrize("printings", [["DSK"], ["DSK", "EVE"]])
def test_cards_of_several_sets_have_other_printings(tmp_path: Path, printings: list[str]) -> None:
    today = write(tmp_path / "DSK.json", set_document(face(printings=printings)))
    old = tmp_path / "AllSets.json"
    card = {"name": "Brass Herald", "number": "1", "type": "Artifact", "printings": printings}
    old.write_text(json.dumps({"DSK": {"name": "Dusk", "code": "DSK", "cards": [card]}}), encoding="utf-8")
    for path in (today, old):
        assert [row.other_printings for row in read_cards(path)] == [len(printings) > 1]


def test_faces_listed_separately_are_one_card(tmp_path: Path) -> None:
    name = "Day // Night"
    front = face("5", name=name, faceName="Day", side="a", layout="transform", power="2", toughness="*")
    back = face("5", name=name, faceName="Night", side="b", layout="transform", power="9", toughness="9")
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(back, front)))
    assert (row.id, row.name) == ("mtg:dsk/5", name)
    assert READER.read(row.fields).zones == {"top-right": [3], "bottom-right": [2], "bottom-left": [5]}


def test_both_faces_of_an_adventure_are_on_the_front(tmp_path: Path) -> None:
    front = face("50", name="A // B", faceName="A", side="a", layout="adventure", text="")
    second = face("50", name="A // B", faceName="B", side="b", layout="adventure", manaCost="{1}", text="Draw 4.")
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(front, second)))
    assert READER.read(row.fields).face == [1, 4]


def test_flavour_names_are_printed_names(tmp_path: Path) -> None:
    alone = face("4", flavorName="Dawn")
    flavours = {"name": "A // B", "layout": "transform", "flavorName": "C // D"}
    front = face("5", faceName="A", side="a", faceFlavorName="C", **flavours)
    back = face("5", faceName="B", side="b", faceFlavorName="D", **flavours)
    printed = [row.printed_name for row in read_cards(write(tmp_path / "DSK.json", set_document(alone, front, back)))]
    assert printed == ["Dawn", "C // D"]


def test_each_part_of_a_meld_pair_is_a_card(tmp_path: Path) -> None:
    pair = [face(number, side=side, layout="meld", name="A // B") for number, side in (("5", "a"), ("5b", "b"))]
    assert [row.id for row in read_cards(write(tmp_path / "DSK.json", set_document(*pair)))] == [
        "mtg:dsk/5",
        "mtg:dsk/5b",
    ]


def test_back_without_its_front_is_unread(tmp_path: Path) -> None:
    (row,) = read(write(tmp_path / "DSK.json", set_document(face("5", side="b", layout="transform"))))
    assert isinstance(row, UnreadRow)


def test_loyalty_costs_in_brackets_are_at_the_left(tmp_path: Path) -> None:
    walker = face("100", type="Planeswalker", text="[+1]: Draw 2 cards.\n[−3]: Win.\n[0]: Wait.", loyalty="4")
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(walker)))
    assert READER.read(row.fields).zones == {"top-right": [3], "left": [1, 0], "bottom-right": [4]}


def test_tokens_are_in_their_own_set(tmp_path: Path) -> None:
    token = face("1", setCode="TDSK", layout="token")
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(tokens=[token])))
    assert (row.id, row.set_name, row.released) == ("mtg:tdsk/1", "Dusk Tokens", "2020-02-02")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"isOnlineOnly": True}, "digital"),
        ({"availability": ["mtgo", "arena"]}, "digital"),
        ({"isOversized": True}, "oversized"),
        ({"layout": "split"}, "layout:split"),
        ({"type": "Battle — Siege"}, "layout:battle"),
    ],
)
def test_card_is_not_legal_for_the_same_reasons_as_from_scryfall(
    tmp_path: Path, more: dict[str, Any], reason: str
) -> None:
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(face("5", **more))))
    assert READER.read(row.fields).reason == reason


def test_card_in_another_language_has_another_id(tmp_path: Path) -> None:
    (row,) = read_cards(write(tmp_path / "DSK.json", set_document(face("5", language="Chinese Simplified"))))
    assert (row.id, row.lang) == ("mtg:dsk/5/zhs", "zhs")


# --- errors -----------------------------------------------------------------------------------------------


def test_damaged_card_is_reported_and_others_are_read(tmp_path: Path) -> None:
    rows = read(
        write(tmp_path / "DSK.json", set_document(face("1"), {"name": "No number"}, face("3", power=4), face("4")))
    )
    assert [type(row) for row in rows].count(UnreadRow) == 2
    assert [row.id for row in rows if isinstance(row, Printing)] == ["mtg:dsk/1", "mtg:dsk/4"]


@pytest.mark.parametrize(
    "text",
    {
        "a list of cards by name": '{"data": {"Brass Herald": [{"name": "Brass Herald"}]}}',
        "what Meta.json says": '{"data": {"date": "2026-01-01", "version": "5"}}',
        "a web page": "<!DOCTYPE html><html></html>",
        "nothing": "{}",
    }.items(),
    ids=lambda case: case[0],
)
def test_file_of_another_kind_is_an_error(tmp_path: Path, text: tuple[str, str]) -> None:
    path = tmp_path / "DSK.json"
    path.write_text(text[1], encoding="utf-8")
    with pytest.raises(CatalogError):
        read(path)


def test_file_truncated_at_any_byte_is_an_error(tmp_path: Path) -> None:
    whole = write(tmp_path / "DSK.json", set_document(face("1"), tokens=[face("2")])).read_bytes()
    for end in range(1, len(whole) - 1, 7):
        (tmp_path / "DSK.json").write_bytes(whole[:end])
        with pytest.raises(CatalogError):
            read(tmp_path / "DSK.json")


def many(sets: int, cards: int) -> bytes:
    data = {f"S{i}": set_document(*(face(str(n), setCode=f"S{i}") for n in range(cards))) for i in range(sets)}
    return json.dumps({"meta": {}, "data": data}).encode()


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = []
    for sets in (3, 60):
        path = tmp_path / "AllPrintings.json.gz"
        path.write_bytes(gzip.compress(many(sets, 40), compresslevel=1))
        tracemalloc.start()
        with open_tree(path) as tree:
            assert sum(1 for _ in mtgjson.read_tree(tree, MTG, lambda sentence: None)) == sets * 40
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]


def test_values_at_several_paths_are_read_in_one_pass() -> None:
    document = {"a": {"x": [1, 2], "y": {"x": 3}}, "b": [{"x": 4}], "c": '…\\"', "x": None}
    text = io.BytesIO(json.dumps(document).encode())
    found = [(keys, json.loads(body)) for keys, body in values_at_paths(text, "f", ("a.*.x", "*.x.*", "c", "b.*.x"))]
    assert found == [
        (("a", "x", ""), 1),
        (("a", "x", ""), 2),
        (("a", "y", "x"), 3),
        (("b", "", "x"), 4),
        (("c",), document["c"]),
    ]
