"""Learning the zones of fields from pictures of cards."""

from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write

from ccgrid import services
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports.layout_learning import Sighting, learn
from ccgrid.catalog.imports.layout_places import UnexplainedZone
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.services.layouts import draft_text

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
    return write(tmp_path / "beasts.csv", "\n".join(lines) + "\n")


def test_common_fields_of_printings_with_one_name_are_learned_from(data: Path) -> None:
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


def test_fields_are_placed_in_the_zones_of_their_numbers(data: Path) -> None:
    found = learn(data, seen())
    assert {(place.field, place.zone, place.confidence) for place in found.places} == {
        ("Cost", "top-left", "high"),
        ("Number", "bottom-right", "high"),
        ("Might", "right", "high"),
    }
    assert found.cards == len(CARDS)


def test_unprinted_field_is_not_placed(data: Path) -> None:
    assert "Weight" not in {place.field for place in learn(data, seen()).places}


def test_misread_cards_lower_the_confidence(data: Path) -> None:
    places = {place.field: place for place in learn(data, seen(misread=2)).places}
    assert (places["Cost"].confidence, places["Cost"].note) == ("medium", "seen there on 5 of 7 scans")


def test_draft_is_a_layout_with_confidences(data: Path) -> None:
    learned = learn(data, seen(misread=2))
    text = draft_text(learned.draft, "beasts", "beasts", {}, learned=learned)
    layout = parse_layout(text, "beasts.toml")
    assert {line.field: line.zone for line in layout.printed if line.zone != "face"} == {
        "Cost": "top-left",
        "Number": "bottom-right",
        "Might": "right",
    }
    assert layout.confidence("top-left", "Cost") == "medium"


def test_cards_that_are_not_in_the_data_are_ignored(data: Path) -> None:
    with pytest.raises(CatalogError, match="None of the 1 card "):
        learn(data, [Sighting(("Granite Basilisk",), {"left": [3]})])


def test_field_that_agrees_by_chance_does_not_replace_another_field(data: Path) -> None:
    rows = data.read_text(encoding="utf-8").splitlines()
    chance = [costs[1] if index < 3 else 99 for index, costs in enumerate(CARDS)]
    data.write_text(
        "\n".join([f"{rows[0]},Wave", *(f"{row},{wave}" for row, wave in zip(rows[1:], chance, strict=True))]) + "\n",
        encoding="utf-8",
    )
    assert {place.field for place in learn(data, seen()).places} == {"Cost", "Number", "Might"}


# --- cards of several types -------------------------------------------------------------------------------------------

BEASTS = [
    (f"{name} Drake", "Beast", cost)
    for name, cost in zip(("Amber", "Brass", "Cinder", "Dusk", "Ember", "Frost"), (3, 5, 1, 4, 2, 6), strict=True)
]
SPELLS = [
    (f"{name} Song", "Spell", cost)
    for name, cost in zip(("Gale", "Hollow", "Iron", "Jade", "Kelp", "Larch"), (2, 7, 4, 1, 5, 8), strict=True)
]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    lines = ["Name,Type,Cost,Image"]
    lines += [
        f"{name},{kind},{cost},{kind[0]}S_{20 + index:03d}_{name.replace(' ', '_')}_large_picture_of_it"
        for index, (name, kind, cost) in enumerate([*BEASTS, *SPELLS])
    ]
    lines += [f"Stone {number},Place,,PS_{number:03d}_stone" for number in range(40, 70)]
    return write(tmp_path / "mixed.csv", "\n".join(lines) + "\n")


def seen_mixed(*, spells: str = "bottom-right", shown: int = 6) -> list[Sighting]:
    beasts = [Sighting((name,), {"top-left": [cost], "left": [20 + n]}) for n, (name, _, cost) in enumerate(BEASTS)]
    others = [
        Sighting((name,), {spells: [cost], "left": [26 + n]} if spells else {"left": [26 + n]})
        for n, (name, _, cost) in enumerate(SPELLS[:shown])
    ]
    return [*beasts, *others]


def test_field_may_have_a_zone_for_each_type(mixed: Path) -> None:
    found = {place.zone: place for place in learn(mixed, seen_mixed()).places if place.field == "Cost"}
    assert {zone: (place.column, place.among) for zone, place in found.items()} == {
        "top-left": ("Type", ("Beast",)),
        "bottom-right": ("Type", ("Spell",)),
    }
    assert found["top-left"].confidence == "high"
    assert found["top-left"].note == "seen there on 6 of 6 scans; no scan shows Place"


def test_field_printed_by_one_type_is_placed_for_that_type(mixed: Path) -> None:
    (cost,) = (place for place in learn(mixed, seen_mixed(spells="")).places if place.field == "Cost")
    assert (cost.zone, cost.column, cost.among) == ("top-left", "Type", ("Beast",))


def test_one_card_of_a_type_does_not_make_its_place_certain(mixed: Path) -> None:
    single_instance_lock = learn(mixed, seen_mixed(spells="top-left", shown=1)).places
    assert [(place.zone, place.column) for place in single_instance_lock if place.field == "Cost"] == [("top-left", "")]
    lone = [Sighting((SPELLS[0][0],), {"right": [SPELLS[0][2]]})]
    assert not [place for place in learn(mixed, lone).places if place.zone == "right"]


def test_the_code_in_the_name_of_a_picture_is_learned_as_a_collector_number(mixed: Path) -> None:
    (code,) = (place for place in learn(mixed, seen_mixed()).places if place.field == "Image")
    assert (code.zone, code.reading, code.confidence) == ("left", ("collector", ""), "high")


def test_draft_states_condition_of_each_place(mixed: Path) -> None:
    learned = learn(mixed, seen_mixed())
    text = draft_text(learned.draft, "mixed", "mixed", {}, learned=learned)
    lines = [line for line in parse_layout(text, "mixed.toml").printed if line.field == "Cost"]
    output = {
        line.zone: [kind for kind in ("Beast", "Spell", "Place") if line.condition.holds({"Type": kind})]
        for line in lines
    }
    assert output == {"top-left": ["Beast"], "bottom-right": ["Spell"]}


def test_numbers_without_a_field_are_reported(data: Path) -> None:
    odd = [sighting._replace(zones={**sighting.zones, "top": [index % 3]}) for index, sighting in enumerate(seen())]
    assert learn(data, odd).unexplained == (UnexplainedZone(zone="top", cards=7),)


def test_nearly_constant_number_is_not_learned(data: Path) -> None:
    rows = data.read_text(encoding="utf-8").splitlines()
    same = [f"{row},{2 if index else 3}" for index, row in enumerate(rows[1:])]
    data.write_text("\n".join([f"{rows[0]},Rank", *same]) + "\n", encoding="utf-8")
    twos = [sighting._replace(zones={**sighting.zones, "top": [2]}) for sighting in seen()]
    found = learn(data, twos)
    assert "Rank" not in {place.field for place in found.places}
    assert found.unexplained == (UnexplainedZone(zone="top", cards=7),)


def test_reason_for_an_unplaced_field_is_reported(data: Path) -> None:
    output = {field.field: field.reason for field in learn(data, seen()).unplaced}
    assert output["Weight"].startswith("seen most at ")
    elsewhere = [sighting._replace(zones={"top-left": sighting.zones["top-left"]}) for sighting in seen()]
    output = {field.field: field.reason for field in learn(data, elsewhere).unplaced}
    assert output["Number"] == "none of the 7 cards shows its number at an edge"


def test_types_with_too_few_pictures_are_requested(mixed: Path) -> None:
    assert learn(mixed, seen_mixed(shown=1)).few == {"Place": 0, "Spell": 1}
    assert learn(mixed, seen_mixed()).few == {"Place": 0}


def test_field_without_pictures_requests_other_cards(data: Path) -> None:
    rows = data.read_text(encoding="utf-8").splitlines()
    data.write_text("\n".join([f"{rows[0]},Wave", *(f"{row}," for row in rows[1:]), "Kelp Song,1,2,3,4,,5"]) + "\n")
    output = {field.field: field.reason for field in learn(data, seen()).unplaced}
    assert output["Wave"] == "none of the cards has a number there; scan cards that have one"


def test_data_without_a_number_bar_their_cards_and_ask_for_no_scan(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(
        tmp_path / "cards.csv",
        "Name,Image\n" + "".join(f"{name},{name}.jpg\n" for name, *_ in CARDS) + "Robots,A-6.jpg\n",
    )
    monkeypatch.setattr(services.scanning, "pictures", list)
    monkeypatch.setattr(services.scanning, "scan_pictures", lambda *_, **__: [seen()])
    monkeypatch.setattr(services.scanning, "sighting", lambda one: one)
    output = shell.good("layout", "new", path, "--game", "crabs", "--scans", path, "--title", "Crabs")
    assert [line for line in output.err.splitlines() if "Image" in line] == [
        "No field of the data holds numbers (Name, Image), so none can be placed."
    ]
    assert "To read the numbers off the cards, import the data, then: ccgrid scan FOLDER --game crabs" in output.err
    layout = parse_layout(output.out, "crabs.toml")
    assert layout.compiled().read({"Name": "Robots"}).reason == "data:numbers"
