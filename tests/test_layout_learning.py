"""Learning from cards on pictures where the fields of their data are printed."""

from pathlib import Path

import pytest

from catalog.card import CatalogError
from catalog.imports.layout_learning import Sighting, learn
from catalog.layouts.layout_file import parse_layout
from ccgrid.services.layouts import learned_layout

CARDS = [
    ("Amber Drake", 3, 12, 5),
    ("Brass Heron", 5, 13, 2),
    ("Cinder Fox", 1, 14, 2),
    ("Dusk Owl", 4, 15, 7),
    ("Ember Stag", 2, 16, 1),
    ("Frost Wolf", 6, 17, 4),
    ("Gale Hare", 3, 18, 9),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = ["Name,Cost,Number,Might,Weight,Text"]
    lines += [
        f"{name},{cost},{number},{might},{index},Draw 2 cards"
        for index, (name, cost, number, might) in enumerate(CARDS)
    ]
    file = tmp_path / "beasts.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_of_printings_of_one_name_what_they_have_in_common_is_learned_from(data: Path) -> None:
    with data.open("a", encoding="utf-8") as file:
        file.writelines(
            f"{name},{cost},{number + 60},{might},{90 + number},Draw 2 cards\n" for name, cost, number, might in CARDS
        )
    found = learn(data, seen())
    assert found.cards == len(CARDS)
    assert {(place.field, place.zone) for place in found.places} == {("Cost", "top-left"), ("Might", "right")}


def seen(*, misread: int = 0) -> list[Sighting]:
    return [
        Sighting(
            ("Illus. Nobody", name.replace("m", "rn")),
            {"top-left": [9 if index < misread else cost], "bottom-right": [number], "right": [might]},
        )
        for index, (name, cost, number, might) in enumerate(CARDS)
    ]


def test_fields_are_placed_where_their_numbers_stand(data: Path) -> None:
    found = learn(data, seen())
    assert {(place.field, place.zone, place.confidence) for place in found.places} == {
        ("Cost", "top-left", "high"),
        ("Number", "bottom-right", "high"),
        ("Might", "right", "high"),
    }
    assert found.cards == len(CARDS)


def test_a_field_that_is_printed_nowhere_is_not_placed(data: Path) -> None:
    assert "Weight" not in {place.field for place in learn(data, seen()).places}


def test_misread_cards_make_a_place_less_sure(data: Path) -> None:
    places = {place.field: place for place in learn(data, seen(misread=2)).places}
    assert (places["Cost"].confidence, places["Cost"].note) == ("medium", "seen there on 5 of 7 scans")


def test_the_draft_is_a_layout_that_tells_how_sure_it_is(data: Path) -> None:
    text, _ = learned_layout(data, seen(misread=2), "beasts")
    layout = parse_layout(text, "beasts.toml")
    assert {line.field: line.zone for line in layout.printed if line.zone != "face"} == {
        "Cost": "top-left",
        "Number": "bottom-right",
        "Might": "right",
    }
    assert layout.confidence("top-left", "Cost") == "medium"


def test_cards_that_the_data_lack_teach_nothing(data: Path) -> None:
    with pytest.raises(CatalogError, match="None of the 1 cards"):
        learn(data, [Sighting(("Granite Basilisk",), {"left": [3]})])


def test_a_field_that_agrees_by_chance_is_not_placed_where_another_field_is(data: Path) -> None:
    rows = data.read_text(encoding="utf-8").splitlines()
    chance = [costs[1] if index < 3 else 99 for index, costs in enumerate(CARDS)]
    data.write_text(
        "\n".join([f"{rows[0]},Wave", *(f"{row},{wave}" for row, wave in zip(rows[1:], chance, strict=True))]) + "\n",
        encoding="utf-8",
    )
    assert {place.field for place in learn(data, seen()).places} == {"Cost", "Number", "Might"}
