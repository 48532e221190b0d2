"""A game from a layout alone, and for which cards a line holds."""

from typing import Any

import pytest
from made_up_layouts import made_up, one_line

from ccgrid.catalog.evidence import CardReading, explain_evidence
from ccgrid.catalog.layouts.layout import Layout


def shows(layout: Layout, **fields: Any) -> bool:
    return "top" in layout.compiled().read({"might": "5", **fields}).zones


# --- a game from a layout alone ---


def test_a_game_that_nobody_thought_of_needs_a_layout_and_no_code(dragons: Layout) -> None:
    card = {
        "kind": "Hero",
        "level": "7",
        "bonus": "+4",
        "code": "3 R 9",
        "gold": "2",
        "odds": "7/2",
        "strength": "5",
        "story": ("slew 3 dragons", "and 40 goblins"),
    }
    assert dragons.compiled().read(card) == CardReading(
        zones={"top-left": [7], "bottom": [9], "left": [2], "right": [2], "bottom-right": [5]},
        face=[3, 3],
        score=7 + 9 + 2 + 2 + 5 + 3 + 3,
        reason=None,
        attack=5,
        defense=7,
        evidence=[
            ("top-left", "level", "stats -0", "7"),
            ("bottom", "code", "collector:last low", "3 R 9"),
            ("left", "gold", "stats", "2"),
            ("right", "gold", "stats", "2"),
            ("bottom-right", "strength", "stats", "5"),
            ("face", "odds", "fraction", "7/2"),
            ("face", "story", "stats", ("slew 3 dragons", "and 40 goblins")),
        ],
    )


def test_several_texts_of_a_field_are_read_one_by_one(dragons: Layout) -> None:
    assert dragons.compiled().read({"gold": ("1", "x", "-2", "3")}).zones["left"] == [1, 3]
    assert dragons.compiled().read({"gold": ("1", "2")}).reason == "multiple-numbers:left"
    assert "left" not in dragons.compiled().read({"gold": ()}).zones


def test_two_fields_in_one_zone_are_two_numbers() -> None:
    layout = made_up('[[printed]]\nfield="a"\nzone="top"\n[[printed]]\nfield="b"\nzone="top"')
    assert layout.compiled().read({"a": "1", "b": "1"}).reason == "multiple-numbers:top"
    assert layout.compiled().read({"a": "1", "b": "12"}).reason is None


def test_the_default_of_a_slash_is_a_fraction() -> None:
    assert one_line("").compiled().read({"might": "7/2"}).zones == {"top": [3]}
    assert one_line('slash = "stats"').compiled().read({"might": "7/2"}).zones == {"top": [7, 2]}


def test_an_ignored_number_stands_for_not_printed_and_is_explained(dragons: Layout) -> None:
    reading = dragons.compiled().read({"kind": "Champion", "level": "0", "gold": "0"})
    assert reading.zones == {"left": [0], "right": [0]}
    explained = {zone: found for zone, _, found in explain_evidence(reading.evidence)}
    assert not explained["top-left"].counts
    assert "not printed" in explained["top-left"].why
    assert explained["left"].counts


def test_a_reason_shows_the_cards_own_value(dragons: Layout) -> None:
    assert dragons.compiled().read({"kind": "Realm"}).reason == "layout:Realm"
    hidden = made_up('[[printed]]\nfield="a"\nzone="top"\n[[barred]]\nreason="layout:{kind}"\nunless={kind="Hero"}')
    assert hidden.compiled().read({}).reason == hidden.compiled().read({"kind": None}).reason == "layout:?"
    assert hidden.compiled().read({"kind": "{a}%s"}).reason == "layout:{a}%s"


def test_the_first_reason_that_applies_is_given(dragons: Layout) -> None:
    assert dragons.compiled().read({"kind": "Realm", "width": 120}).reason == "layout:Realm"
    assert dragons.compiled().read({"kind": "Hero", "width": 120, "gold": ("1", "2")}).reason == "oversized"


@pytest.mark.parametrize(("strength", "attack"), [("5", 5), ("*", None), ("1+*", None), ("12", None), (None, None)])
def test_stats_are_fields_that_say_one_number(dragons: Layout, strength: str | None, attack: int | None) -> None:
    assert dragons.compiled().read({"strength": strength}).attack == attack


def test_how_sure_a_line_is_can_be_asked(dragons: Layout) -> None:
    assert dragons.confidence("bottom", "code") == "low"
    assert dragons.confidence("left", "gold") == "high"


def test_a_reading_can_be_changed_without_changing_the_next_one(dragons: Layout) -> None:
    reader = dragons.compiled()
    reader.read({"gold": "2"}).zones["left"].append(9)
    assert reader.read({"gold": "2"}).zones["left"] == [2]


# --- conditions ---


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ('when = { era = "old" }', [{"era": "old"}, {"era": ("new", "old")}], [{"era": "new"}, {"era": None}, {}]),
        ('when = { era = ["old", "older"] }', [{"era": "older"}], [{"era": "new"}, {"era": "Old"}]),
        ("when = { foil = true }", [{"foil": True}, {"foil": "true"}], [{"foil": False}, {}]),
        ("when = { size = 3 }", [{"size": 3}, {"size": "3"}], [{"size": "4"}]),
        (
            'when = { kind = { has = "Hero" } }',
            [{"kind": "Great hero"}, {"kind": ("Hero", "Elf")}],
            [{"kind": "Heroic"}, {"kind": "Superhero"}, {"kind": ("Heroic",)}, {"kind": None}],
        ),
        ('when = { kind = { has = ["C++", "Elf"] } }', [{"kind": "a C++ x"}, {"kind": "elf"}], [{"kind": "C+"}]),
        (
            'when = { games = { lacks = "paper" } }',
            [{"games": ("online",)}, {"games": ()}],
            [{"games": ("paper",)}, {}],
        ),
        ('when = { day = { from = "1998-06-15" } }', [{"day": "1998-06-15"}, {"day": "2001"}], [{"day": "1998"}, {}]),
        ("when = { day = { from = 1998-06-15 } }", [{"day": "1998-06-15"}], [{"day": "1998-06-14"}]),
        ("when = { number = { from = 9 } }", [{"number": "10"}, {"number": 9}], [{"number": "8.5"}, {"number": None}]),
        ("when = { number = { before = 9 } }", [{"number": "8"}], [{"number": "10"}, {}]),
        ("when = { number = { from = 2, before = 4 } }", [{"number": "3"}], [{"number": "4"}, {"number": "1"}]),
        ("when = { power = { present = true } }", [{"power": "*"}, {"power": 0}], [{"power": ""}, {"power": ()}, {}]),
        ("when = { power = { present = false } }", [{}, {"power": None}, {"power": ""}], [{"power": "1"}]),
        ('when = { era = "old", foil = true }', [{"era": "old", "foil": True}], [{"era": "old"}, {"foil": True}]),
        ('when = [{ era = "old" }, { foil = true }]', [{"era": "old"}, {"foil": True}], [{"era": "new"}]),
        ('unless = { era = "old" }', [{}, {"era": "new"}], [{"era": "old"}]),
        ('unless = [{ era = "old" }, { foil = true }]', [{"era": "new"}], [{"era": "old"}, {"foil": True}]),
        ('when = { era = "old" }\nunless = { foil = true }', [{"era": "old"}], [{"era": "old", "foil": True}]),
    ],
)
def test_a_condition_says_for_which_cards_a_line_holds(
    condition: str, yes: list[dict[str, Any]], no: list[dict[str, Any]]
) -> None:
    layout = one_line(condition)
    assert [fields for fields in yes if not shows(layout, **fields)] == []
    assert [fields for fields in no if shows(layout, **fields)] == []


def test_answers_are_the_same_when_asked_again_and_for_values_of_any_length() -> None:
    layout = one_line('when = { era = { has = "old" } }')
    for era in ("old", "new", "x" * 10_000 + " old", "x" * 10_000, ("a",) * 1000, ("old",) * 1000):
        assert shows(layout, era=era) == shows(layout, era=era) == ("old" in era or str(era).endswith("old"))
