"""Games that are read with only a layout, conditions of its lines, and the shipped layouts."""

import re
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_layouts import DRAGONS, LINE, TOP, made_up, one_line

from ccgrid.catalog.checked_file import LARGEST
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import CardReading, EvidenceReader, explain_evidence, numerals_only
from ccgrid.catalog.layouts.layout import Lackey, Layout, NotedGuess
from ccgrid.catalog.layouts.layout_file import find_layout, parse_layout
from ccgrid.catalog.layouts.printed_fields import Column, DataColumns
from ccgrid.catalog.zones import ZONES


def is_at_top(layout: Layout, **fields: Any) -> bool:
    return "top" in layout.compiled().read({"might": "5", **fields}).zones


# --- a game with only a layout ---


def test_unknown_game_needs_a_layout_and_no_code(dragons: Layout) -> None:
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


def test_each_text_of_a_field_is_read_separately(dragons: Layout) -> None:
    assert dragons.compiled().read({"gold": ("1", "x", "-2", "3")}).zones["left"] == [1, 3]
    assert dragons.compiled().read({"gold": ("1", "2")}).reason == "multiple-numbers:left"
    assert "left" not in dragons.compiled().read({"gold": ()}).zones


def test_two_fields_in_one_zone_give_two_numbers() -> None:
    layout = made_up('[[printed]]\nfield="a"\nzone="top"\n[[printed]]\nfield="b"\nzone="top"')
    assert layout.compiled().read({"a": "1", "b": "1"}).reason == "multiple-numbers:top"
    assert layout.compiled().read({"a": "1", "b": "12"}).reason is None


def test_slash_is_a_fraction_by_default() -> None:
    assert one_line("").compiled().read({"might": "7/2"}).zones == {"top": [3]}
    assert one_line('slash = "stats"').compiled().read({"might": "7/2"}).zones == {"top": [7, 2]}


def test_ignored_number_counts_as_not_printed_and_is_explained(dragons: Layout) -> None:
    reading = dragons.compiled().read({"kind": "Champion", "level": "0", "gold": "0"})
    assert reading.zones == {"left": [0], "right": [0]}
    explained = {zone: found for zone, _, found in explain_evidence(reading.evidence)}
    assert not explained["top-left"].counts
    assert "not printed" in explained["top-left"].why
    assert explained["left"].counts


def test_reason_contains_value_of_the_card(dragons: Layout) -> None:
    assert dragons.compiled().read({"kind": "Realm"}).reason == "layout:Realm"
    hidden = made_up('[[printed]]\nfield="a"\nzone="top"\n[[barred]]\nreason="layout:{kind}"\nunless={kind="Hero"}')
    assert hidden.compiled().read({}).reason == hidden.compiled().read({"kind": None}).reason == "layout:?"
    assert hidden.compiled().read({"kind": "{a}%s"}).reason == "layout:{a}%s"


def test_first_applicable_reason_is_given(dragons: Layout) -> None:
    assert dragons.compiled().read({"kind": "Realm", "width": 120}).reason == "layout:Realm"
    assert dragons.compiled().read({"kind": "Hero", "width": 120, "gold": ("1", "2")}).reason == "oversized"


@pytest.mark.parametrize(("strength", "attack"), [("5", 5), ("*", None), ("1+*", None), ("12", None), (None, None)])
def test_attack_is_read_only_from_a_single_number(dragons: Layout, strength: str | None, attack: int | None) -> None:
    assert dragons.compiled().read({"strength": strength}).attack == attack


def test_line_has_its_stated_confidence(dragons: Layout) -> None:
    assert dragons.confidence("bottom", "code") == "low"
    assert dragons.confidence("left", "gold") == "high"


def test_changing_a_reading_does_not_affect_the_next_one(dragons: Layout) -> None:
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
def test_condition_selects_cards(condition: str, yes: list[dict[str, Any]], no: list[dict[str, Any]]) -> None:
    layout = one_line(condition)
    assert [fields for fields in yes if not is_at_top(layout, **fields)] == []
    assert [fields for fields in no if is_at_top(layout, **fields)] == []


def test_cached_results_of_tests_are_the_same_for_values_of_any_length() -> None:
    layout = one_line('when = { era = { has = "old" } }')
    for era in ("old", "new", "x" * 10_000 + " old", "x" * 10_000, ("a",) * 1000, ("old",) * 1000):
        assert is_at_top(layout, era=era) == is_at_top(layout, era=era) == ("old" in era or str(era).endswith("old"))


SHIPPED = sorted(
    entry.name.removesuffix(".toml")
    for entry in resources.files("ccgrid.data.layouts").iterdir()
    if entry.name.endswith(".toml")
)


# --- the shipped layouts ---


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_layout_has_the_name_of_its_file(game: str) -> None:
    layout = find_layout(game)
    assert layout.game == game
    assert layout.name != ""
    assert layout.compiled().read({}).reason is not None
    assert any(line.zone in ZONES for line in layout.printed)


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_layout_states_which_types_of_cards_were_seen(game: str) -> None:
    text = (resources.files("ccgrid.data.layouts") / f"{game}.toml").read_text(encoding="utf-8")
    assert re.search(r"(?i)\b(types?|seen|blank frames|screens)\b", text.partition("\nformat = ")[0])


@pytest.mark.parametrize("game", ["nosuchgame", "", "..", "../mtg", "mtg.toml", "__init__", "m\0g", "MTG/../mtg"])
def test_game_without_a_layout_is_reported_with_all_names(game: str) -> None:
    with pytest.raises(CatalogError, match=r"There are layouts for: .*mtg"):
        find_layout(game)


# --- evidence ---


def test_stored_numerals_give_same_numbers_as_their_texts(dragons: Layout) -> None:
    reading = dragons.compiled().read(
        {"kind": "Ally", "bonus": "+4", "code": "3 R 9", "gold": "2-3", "story": "(5)-6 lost −2, 1/2", "odds": "x1/3"}
    )
    numerals = numerals_only(reading.evidence)
    assert "lost" not in repr(numerals)
    again = EvidenceReader().read({"printed": numerals, "attack": None, "defense": None})
    assert (again.zones, again.face, again.score) == (reading.zones, reading.face, reading.score)
    assert again.zones["bottom"] == [9]
    assert reading.face == [0, 5, 6, 1, 2]


@given(texts=st.dictionaries(st.sampled_from(["level", "bonus", "code", "gold", "story"]), st.text("0123459 -/,.½aR")))
def test_explained_numbers_are_those_that_were_read(texts: dict[str, str]) -> None:
    reading = made_up(DRAGONS).compiled().read(texts)
    found: dict[str, list[int]] = {}
    for zone, _, number in explain_evidence(reading.evidence):
        if number.counts:
            found.setdefault(zone, []).append(number.value)
    assert found.pop("face", []) == reading.face
    assert found == reading.zones
    assert reading.score == sum(reading.face) + sum(map(sum, reading.zones.values()))


# --- the keys of a layout file ---


def test_columns_and_plugin_of_a_layout_are_read() -> None:
    layout = made_up(
        LINE
        + """confidence = "low"
note = "seen on two scans"
ignore = [0]
[columns]
rows = "data.cards"
each = "sets"
files = "cards/*.json"
trim = "•"
set_code = "{set}"
name = { field = "Title", after = ":", before = " (" }
[lackey]
names = "Dragons"
columns = ["Gold", "Lore"]
updatelist = "https://example.org/updatelist.txt"
keeper = "somebody"
"""
    )
    (line,) = layout.printed
    assert (line.read, line.slash, line.part, line.ignore) == ("numbers", "fraction", "first", (0,))
    assert (line.confidence, line.note, line.how) == ("low", "seen on two scans", "fraction -0 low")
    columns = (("name", Column("Title", ":", " (")), ("set_code", Column("{set}")))
    assert layout.columns == DataColumns("data.cards", "sets", ("cards/*.json",), "•", columns)
    address = "https://example.org/updatelist.txt"
    assert layout.lackey == Lackey(("Dragons",), ("Gold", "Lore"), address, "somebody")
    guess = NotedGuess(field=line.field, zone="top", confidence="low", note="seen on two scans")
    assert layout.guesses() == [guess]


def test_defaults_of_a_layout_file() -> None:
    layout = parse_layout(TOP + LINE, "mine.toml")
    assert (layout.game, layout.name, layout.barred, layout.attack, layout.defense) == ("made-up",) * 2 + (
        (),
        None,
        None,
    )
    assert (layout.columns, layout.lackey, layout.guesses()) == (DataColumns(), None, [])
    assert (layout.printed[0].how, layout.printed[0].note, layout.printed[0].ignore) == ("fraction", "", ())


@pytest.mark.parametrize("game", ["a", "7", "a-b_c", "a" * 40])
def test_name_of_game_has_up_to_40_lower_case_letters_digits_and_dashes(game: str) -> None:
    assert parse_layout(f'game = "{game}"\n' + LINE, "mine.toml").game == game
    for wrong in ("A", "-a", "_a", "a" * 41, "a b", "é"):
        with pytest.raises(CatalogError, match="game is a short name"):
            parse_layout(f'game = "{wrong}"\n' + LINE, "mine.toml")


def test_file_of_256_kib_is_read_and_larger_one_rejected() -> None:
    text = TOP + LINE
    assert parse_layout(text + "#" * (LARGEST - len(text)), "mine.toml").game == "made-up"
    with pytest.raises(CatalogError) as caught:
        parse_layout(text + "#" * (LARGEST - len(text) + 1), "mine.toml")
    assert str(caught.value) == "mine.toml: a layout is at most 256 KiB, and this is larger."


@pytest.mark.parametrize("part", [1, 99, "first", "last"])
def test_part_of_collector_number_is_1_to_99_or_first_or_last(part: int | str) -> None:
    layout = parse_layout(TOP + LINE + f"read = 'collector'\npart = {part!r}\n", "mine.toml")
    assert layout.printed[0].part == part
    with pytest.raises(CatalogError, match="part is 100"):
        parse_layout(TOP + LINE + "read = 'collector'\npart = 100\n", "mine.toml")


def test_error_shows_first_100_characters_of_a_value() -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(TOP + f"slash = '{'x' * 200}'\n" + LINE, "mine.toml")
    assert str(caught.value) == f"mine.toml, line 2: slash is '{'x' * 99}…; it is one of fraction and stats."
