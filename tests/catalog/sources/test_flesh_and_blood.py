"""Flesh and Blood: a card for each collector number, joined with its set, fronts distinguished from backs."""

import json
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import find_source, flesh_and_blood

LAYOUT = find_layout("fab")
READER = LAYOUT.compiled()


def card(*printings: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "unique_id": "x",
        "name": "Rush of Brass",
        "color": "Red",
        "pitch": "1",
        "cost": "2",
        "power": "4",
        "defense": "3",
        "health": "",
        "intelligence": "",
        "arcane": "",
        "functional_text": "This gets +3{p}.",
        "type_text": "Generic Action - Attack",
        "played_horizontally": False,
        "printings": list(printings),
        **more,
    }


def printed(number: str, **more: Any) -> dict[str, Any]:
    output = {
        "id": number,
        "set_id": number[:3],
        "set_printing_unique_id": "first",
        "foiling": "S",
        "flavor_text": "2 am.",
    }
    return output | more


SETS = [{"id": "WTR", "name": "Welcome", "printings": [{"unique_id": "first", "initial_release_date": "2019-10-11T0"}]}]


def repository(folder: Path, *cards: dict[str, Any]) -> Path:
    home = folder / "flesh-and-blood-cards-8.1.0"
    english = home / "json" / "english"
    english.mkdir(parents=True)
    (home / "json" / "french").mkdir()
    (home / "json" / "french" / "card.json").write_text("[]", encoding="utf-8")
    (english / "card.json").write_text(json.dumps(cards), encoding="utf-8")
    (english / "set.json").write_text(json.dumps(SETS), encoding="utf-8")
    return home


def read(path: Path) -> list[Printing]:
    with open_tree(path) as tree:
        rows = list(flesh_and_blood.read_tree(tree, LAYOUT, lambda sentence: None))
    assert all(isinstance(row, Printing) for row in rows)
    return [row for row in rows if isinstance(row, Printing)]


def test_printings_with_one_number_are_one_card(tmp_path: Path) -> None:
    foil = printed("WTR101", foiling="R")
    rows = read(repository(tmp_path, card(printed("WTR101"), foil, printed("WTR101", edition="U"), printed("1HP009"))))
    assert [row.id for row in rows] == ["fab:wtr101", "fab:1hp009"]
    assert [row.set_code for row in rows] == ["WTR", "1HP"]


def test_sets_have_name_and_date(tmp_path: Path) -> None:
    (row,) = read(repository(tmp_path, card(printed("WTR101"))))
    assert (row.set_name, row.released, row.collector_number) == ("Welcome", "2019-10-11", "WTR101")


def test_set_code_is_not_part_of_the_collector_number(tmp_path: Path) -> None:
    rows = read(repository(tmp_path, card(printed("WTR101"), printed("1HP009"))))
    assert [READER.read(row.fields).zones["bottom-left"] for row in rows] == [[4], [4, 9]]
    assert READER.read(rows[1].fields).reason == "multiple-numbers:bottom-left"
    assert READER.read(rows[0].fields).face == [3, 2]


@pytest.mark.parametrize(
    ("is_double", "reason"),
    [(True, "layout:back"), (False, None)],
    ids=["a double-faced card", "two tokens on one card"],
)
def test_only_the_front_of_a_double_faced_card_counts(tmp_path: Path, is_double: bool, reason: str | None) -> None:
    def side(front: bool) -> dict[str, Any]:
        output = [{"other_face_unique_id": "y", "is_front": front, "is_DFC": is_double}]
        return printed("WTR101", double_sided_card_info=output)

    rows = read(repository(tmp_path, card(side(True)), card(side(False), name="Dark of Brass")))
    assert [row.id for row in rows] == ["fab:wtr101", "fab:wtr101/back"]
    assert [READER.read(row.fields).reason for row in rows] == [None, reason]


def test_card_played_sideways_is_barred(tmp_path: Path) -> None:
    (row,) = read(repository(tmp_path, card(printed("WTR101"), played_horizontally=True)))
    assert READER.read(row.fields).reason == "layout:landscape"


def test_flat_file_has_a_printing_in_every_row(tmp_path: Path) -> None:
    flat = [{**card(), **printed("WTR101")}, {**card(), **printed("WTR101", foiling="R")}]
    for row in flat:
        del row["printings"]
    (tmp_path / "card-flattened.json").write_text(json.dumps(flat), encoding="utf-8")
    assert [row.id for row in read(tmp_path / "card-flattened.json")] == ["fab:wtr101"]


TABLE = (
    "Unique ID\tName\tColor\tPitch\tCost\tPower\tDefense\tHealth\tIntelligence\tArcane\tFunctional Text\tType Text"
    "\tCard Played Horizontally\tFlavor Text\n"
    'a1\tRush of Brass\tRed\t1\t2\t4\t3\t\t\t\t"This gets +3{p}.\n\n**Go again**"\tAttack\t\t\n'
    'a2\tRush of Brass\tBlue\t3\t2\t2\t3\t\t\t\t"A ""second"" line\nand 1 more"\tAttack\t\t\n'
    "a3\tThe Long Road\t\t\t0\t\t\t\t\t\t\tLandmark\tYes\t\n"
)


def test_table_has_a_card_for_each_name_and_colour(tmp_path: Path) -> None:
    (tmp_path / "card.csv").write_text(TABLE, encoding="utf-8")
    rows = read(tmp_path / "card.csv")
    assert [row.id for row in rows] == ["fab:rush-of-brass/red", "fab:rush-of-brass/blue", "fab:the-long-road"]
    assert [READER.read(row.fields).face for row in rows] == [[3], [1], []]
    assert READER.read(rows[2].fields).reason == "layout:landscape"


def test_json_of_a_repository_is_preferred_to_its_table(tmp_path: Path) -> None:
    home = repository(tmp_path, card(printed("WTR101")))
    (home / "csvs" / "english").mkdir(parents=True)
    (home / "csvs" / "english" / "card.csv").write_text(TABLE, encoding="utf-8")
    assert [row.id for row in read(home)] == ["fab:wtr101"]


def test_repository_without_cards_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    with pytest.raises(CatalogError, match=r"card\.json"):
        import_source(ImportRequest(find_source("fab"), tmp_path), tmp_path / "catalogue.db")


def test_translated_card_without_numbers_is_not_legal(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "json-games" / "flesh-and-blood-cards" / "csvs" / "french" / "card.csv"
    summary = import_source(ImportRequest(find_source("fab"), path), tmp_path / "catalogue.db")
    assert (summary.read, summary.legal, summary.barred) == (3, 0, {"data:numbers": 3})
    assert any("it has no column 'cost'" in sentence for sentence in summary.remarks)
