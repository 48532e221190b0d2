"""Layouts as data: the format, what it says about mistakes, and what hostile files cannot do."""

from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.card import ZONES, CatalogError
from catalog.layouts.layout import CardReading, EvidenceReader, Layout, explain_evidence, numerals_only
from catalog.layouts.layout_file import LARGEST, parse_layout
from catalog.layouts.shelf import find_layout, load_layout

SHIPPED = sorted(
    entry.name.removesuffix(".toml")
    for entry in resources.files("data.layouts").iterdir()
    if entry.name.endswith(".toml")
)


def made_up(lines: str, top: str = "") -> Layout:
    """A layout of a made-up game from its lines."""
    return parse_layout(f'game = "made-up"\n{top}\n{lines}', "made-up.toml")


def one_line(extra: str, field: str = "might") -> Layout:
    """A layout of one line that prints a field at the top, with something more in that line."""
    return made_up(f'[[printed]]\nfield = "{field}"\nzone = "top"\n{extra}')


def shows(layout: Layout, **fields: Any) -> bool:
    return "top" in layout.read({"might": "5", **fields}).zones


# --- a game from a layout alone ---

DRAGONS = """
[[printed]]
field = "level"
zone = "top-left"
when = { kind = ["Champion", "Hero"] }
ignore = [0]
note = "allies show a bonus here instead"

[[printed]]
field = "bonus"
zone = "top-left"
unless = { kind = ["Champion", "Hero"] }

[[printed]]
field = "code"
zone = "bottom"
read = "collector"
part = "last"
confidence = "low"

[[printed]]
field = "gold"
zone = "left"

[[printed]]
field = "gold"
zone = "right"

[[printed]]
field = "odds"
zone = "face"
slash = "fraction"

[[printed]]
field = "strength"
zone = "bottom-right"

[[printed]]
field = "story"
zone = "face"

[[barred]]
reason = "layout:{kind}"
when = { kind = { has = "Realm" } }

[[barred]]
reason = "oversized"
when = { width = { from = 100 } }

[stats]
attack = "strength"
defense = "level"
"""


@pytest.fixture(scope="module")
def dragons() -> Layout:
    return made_up(DRAGONS, 'format = 1\nname = "Dragons"\nslash = "stats"')


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
    assert dragons.read(card) == CardReading(
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
    assert dragons.read({"gold": ("1", "x", "-2", "3")}).zones["left"] == [1, 3]
    assert dragons.read({"gold": ("1", "2")}).reason == "multiple-numbers:left"
    assert "left" not in dragons.read({"gold": ()}).zones


def test_two_fields_in_one_zone_are_two_numbers() -> None:
    layout = made_up('[[printed]]\nfield="a"\nzone="top"\n[[printed]]\nfield="b"\nzone="top"')
    assert layout.read({"a": "1", "b": "1"}).reason == "multiple-numbers:top"
    assert layout.read({"a": "1", "b": "12"}).reason is None


def test_the_default_of_a_slash_is_a_fraction() -> None:
    assert one_line("").read({"might": "7/2"}).zones == {"top": [3]}
    assert one_line('slash = "stats"').read({"might": "7/2"}).zones == {"top": [7, 2]}


def test_an_ignored_number_stands_for_not_printed_and_is_explained(dragons: Layout) -> None:
    reading = dragons.read({"kind": "Champion", "level": "0", "gold": "0"})
    assert reading.zones == {"left": [0], "right": [0]}
    explained = {zone: found for zone, _, found in explain_evidence(reading.evidence)}
    assert not explained["top-left"].counts
    assert "not printed" in explained["top-left"].why
    assert explained["left"].counts


def test_a_reason_shows_the_cards_own_value(dragons: Layout) -> None:
    assert dragons.read({"kind": "Realm"}).reason == "layout:Realm"
    hidden = made_up('[[printed]]\nfield="a"\nzone="top"\n[[barred]]\nreason="layout:{kind}"\nunless={kind="Hero"}')
    assert hidden.read({}).reason == hidden.read({"kind": None}).reason == "layout:?"
    assert hidden.read({"kind": "{a}%s"}).reason == "layout:{a}%s"


def test_the_first_reason_that_applies_is_given(dragons: Layout) -> None:
    assert dragons.read({"kind": "Realm", "width": 120}).reason == "layout:Realm"
    assert dragons.read({"kind": "Hero", "width": 120, "gold": ("1", "2")}).reason == "oversized"


@pytest.mark.parametrize(("strength", "attack"), [("5", 5), ("*", None), ("1+*", None), ("12", None), (None, None)])
def test_stats_are_fields_that_say_one_number(dragons: Layout, strength: str | None, attack: int | None) -> None:
    assert dragons.read({"strength": strength}).attack == attack


def test_how_sure_a_line_is_can_be_asked(dragons: Layout) -> None:
    assert dragons.confidence("bottom", "code") == "low"
    assert dragons.confidence("left", "gold") == "high"


def test_a_reading_can_be_changed_without_changing_the_next_one(dragons: Layout) -> None:
    dragons.read({"gold": "2"}).zones["left"].append(9)
    assert dragons.read({"gold": "2"}).zones["left"] == [2]


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


# --- mistakes ---

LINE = '[[printed]]\nfield = "might"\nzone = "top"\n'
TOP = 'game = "made-up"\n'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, "game is missing"),
        (LINE, None, "game is missing"),
        (TOP, None, "no [[printed]] table"),
        ("game = 5\n" + LINE, 1, "game is a text in quotes"),
        ('game = "Made Up"\n' + LINE, 1, "game is a short name"),
        ('game = "../x"\n' + LINE, 1, "game is a short name"),
        ("format = 2\n" + TOP + LINE, 1, "reads format 1"),
        (TOP + 'slash = "half"\n' + LINE, 2, "slash is 'half'; it is one of fraction and stats"),
        (TOP + "name = 1\n" + LINE, 2, "name is a text"),
        (TOP + "sl4sh = 1\n" + LINE, 2, "sl4sh is not known"),
        (TOP + LINE + "[other]\nx = 1\n", 5, "other is not known"),
        (TOP + "[printed]\nfield = 'x'\n", None, "printed is written as tables: [[printed]]"),
        (TOP + "printed = 3\n", 2, "printed is written as tables"),
        (TOP + "[[printed]]\nzone = 'top'\n", 2, "printed[1].field is missing"),
        (TOP + "[[printed]]\nfield = 'x'\n", 2, "printed[1].zone is missing"),
        (TOP + LINE + "[[printed]]\nfield = 'x'\nzone = 'middle'\n", 7, "printed[2].zone is 'middle'"),
        (TOP + LINE + "zon = 'top'\n", 5, "printed[1].zon is not known"),
        (TOP + LINE + "read = 'upside-down'\n", 5, "printed[1].read is 'upside-down'"),
        (TOP + LINE + "slash = []\n", 5, "printed[1].slash is []"),
        (TOP + LINE + "part = 'last'\n", 5, "printed[1].part belongs to read"),
        (TOP + LINE + "read = 'collector'\npart = 'middle'\n", 6, "printed[1].part is 'middle'"),
        (TOP + LINE + "read = 'collector'\npart = 0\n", 6, "printed[1].part is 0"),
        (TOP + LINE + "read = 'collector'\npart = true\n", 6, "printed[1].part is True"),
        (TOP + LINE + "ignore = 0\n", 5, "printed[1].ignore is a list"),
        (TOP + LINE + "ignore = ['0']\n", 5, "printed[1].ignore is a list"),
        (TOP + LINE + "confidence = 'sure'\n", 5, "printed[1].confidence is 'sure'"),
        (TOP + LINE + "note = 1\n", 5, "printed[1].note is a text"),
        (TOP + LINE + "when = 'always'\n", 5, "printed[1].when is a table"),
        (TOP + LINE + "when = [{}]\n", 5, "printed[1].when is a table"),
        (TOP + LINE + "when = { a = [] }\n", 5, "printed[1].when.a is a text"),
        (TOP + LINE + "when = { a = {} }\n", 5, "printed[1].when.a is empty"),
        (TOP + LINE + "when = { a = { is = 1 } }\n", 5, "printed[1].when.a.is is not known"),
        (TOP + LINE + "when = { a = { from = [1, 2] } }\n", 5, "printed[1].when.a.from is one value"),
        (TOP + LINE + "when = { a = { present = 'maybe' } }\n", 5, "printed[1].when.a.present is true or false"),
        (TOP + LINE + "unless = { a = { has = [[1]] } }\n", 5, "printed[1].unless.a.has is a text"),
        (TOP + LINE + "[[barred]]\nwhen = { a = 1 }\n", 5, "barred[1].reason is missing"),
        (TOP + LINE + "[[barred]]\nreason = 'ugly'\nwhen = { a = 1 }\n", 6, "barred[1].reason is"),
        (TOP + LINE + "[[barred]]\nreason = 'layout:{}'\nwhen = { a = 1 }\n", 6, "barred[1].reason is"),
        (TOP + LINE + "[[barred]]\nreason = 'digital'\n", 5, "barred[1].when is missing"),
        (TOP + LINE + "[[barred]]\nreason = 'digital'\nwhen = { a = 1 }\nwhy = 1\n", 8, "barred[1].why is not known"),
        (TOP + LINE + "[stats]\nattack = 1\n", 6, "stats.attack is a text"),
        (TOP + LINE + "[stats]\nluck = 'x'\n", 6, "stats.luck is not known"),
        (TOP + "stats = 1\n" + LINE, 2, "stats is a table"),
        (TOP + LINE + "when = { a = 1 \n", None, "is not TOML"),
        (TOP + TOP + LINE, None, "is not TOML"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_its_key(text: str, line: int | None, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(text, "mine.toml")
    assert str(caught.value).startswith(f"mine.toml, line {line}: " if line else "mine.toml")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "\0",
        "[" * 100_000,
        "a = " + "[" * 100_000,
        "a = " + "{ b = " * 30_000,
        ".".join("a" * 100_000) + " = 1",
        f"[{'.'.join('a' * 100_000)}]",
        "\n".join(f"k{i}{'.a' * 40} = 1" for i in range(2500)),
        "a = " + "1" * 5000,
        f"format = 0x{'f' * 9000}\n" + TOP + LINE,
        TOP + LINE + f"ignore = [0x{'f' * 9000}]",
        TOP + LINE + f"when = {{ a = 0x{'f' * 9000} }}",
        TOP + LINE + "when = [" + "{ a = 1 }," * 2000 + "]",
        "format.a.a.a.a.a.a.a = 1\n" + TOP + LINE,
        '"a\\u001b[2J\\nb" = 1\n' + TOP + LINE,
        f'"{"k" * 9000}" = 1\n' + TOP + LINE,
        f'slash = "{"s" * 100_000}"\n' + TOP + LINE,
        "x = 2024-13-45",
        '"' * 100_000,
        "x" * (LARGEST + 1),
        TOP + LINE * 2000,
    ],
)
def test_a_hostile_layout_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(text, "mine.toml")
    assert len(str(caught.value)) < 400
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "game is missing"),
        (b"\x00\x01\x02", "is not TOML"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "UTF-8"),
        ('name = "Königreich"\n'.encode("latin-1"), "UTF-8"),
        (b"#" * (2 << 20), "at most 256 KiB"),
        ("ä".encode() * (1 << 20), "at most 256 KiB"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_damaged_layout_file_gets_one_clear_message(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(CatalogError, match=words):
        load_layout(path)


def test_a_folder_or_a_missing_file_is_no_layout(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="directory"):
        load_layout(tmp_path)
    with pytest.raises(CatalogError, match=r"nothing\.toml: No such file"):
        load_layout(tmp_path / "nothing.toml")


def test_a_layout_file_may_begin_with_a_byte_order_mark_and_have_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (TOP + LINE).replace("\n", "\r\n").encode())
    assert load_layout(path).read({"might": "5"}).zones == {"top": [5]}


KEYS = ("format", "game", "name", "slash", "printed", "barred", "stats", "field", "zone", "read", "part", "ignore")
MORE_KEYS = ("when", "unless", "confidence", "note", "reason", "attack", "has", "from", "present", "a", "{a}", "é b")
keys = st.sampled_from([*KEYS, *MORE_KEYS]).map(lambda key: key if key.isidentifier() and key.isascii() else f'"{key}"')
words = st.sampled_from(["made-up", "top", "face", "stats", "collector", "last", "layout:{a}", "digital", "1998-06-15"])
leaves = (
    words.map(lambda word: f'"{word}"')
    | st.sampled_from(["true", "false", "nan", "-inf", "1998-06-15", "07:32:00", "1e400", "[]", "{}", "''"])
    | st.integers().map(str)
    | st.floats().map(repr)
)
toml_values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(keys, inner, max_size=3).map(
            lambda table: "{ " + ", ".join(f"{key} = {value}" for key, value in table.items()) + " }"
        )
    ),
    max_leaves=6,
)
pairs = st.tuples(keys, toml_values).map(" = ".join)
headings = st.sampled_from(["[[printed]]", "[[barred]]", "[stats]", "[printed.when]", "[a.b]", TOP + LINE, "# x"])


@settings(max_examples=400)
@given(lines=st.lists(pairs | headings, max_size=12), start=st.sampled_from(["", TOP, TOP + LINE]))
def test_whatever_a_layout_file_says_it_is_read_or_refused(lines: list[str], start: str) -> None:
    message = "read"
    try:
        layout = parse_layout(start + "\n".join(lines), "mine.toml")
        layout.read({"might": "3", "a": "x", "field": ("1", "2"), "zone": True})
    except CatalogError as error:
        message = str(error)
    assert len(message.splitlines()) == 1


@given(text=st.text())
def test_any_text_is_a_layout_or_an_error(text: str) -> None:
    with pytest.raises(CatalogError):
        parse_layout(text, "mine.toml")


# --- the shipped layouts ---


@pytest.mark.parametrize("game", SHIPPED)
def test_a_shipped_layout_loads_and_is_called_as_its_file(game: str) -> None:
    layout = find_layout(game)
    assert layout.game == game
    assert layout.name != ""
    assert layout.read({}).reason is not None
    assert any(line.zone in ZONES for line in layout.printed)


@pytest.mark.parametrize("game", ["nosuchgame", "", "..", "../mtg", "mtg.toml", "__init__", "m\0g", "MTG/../mtg"])
def test_a_game_without_a_layout_is_told_which_there_are(game: str) -> None:
    with pytest.raises(CatalogError, match=r"There are layouts for: .*mtg"):
        find_layout(game)


# --- evidence ---


def test_numerals_alone_say_what_their_texts_said(dragons: Layout) -> None:
    reading = dragons.read(
        {"kind": "Ally", "bonus": "+4", "code": "3 R 9", "gold": "2-3", "story": "(5)-6 lost −2, 1/2", "odds": "x1/3"}
    )
    kept = numerals_only(reading.evidence)
    assert "lost" not in repr(kept)
    again = EvidenceReader().read({"printed": kept, "attack": None, "defense": None})
    assert (again.zones, again.face, again.score) == (reading.zones, reading.face, reading.score)
    assert again.zones["bottom"] == [9]
    assert reading.face == [0, 5, 6, 1, 2]


@given(texts=st.dictionaries(st.sampled_from(["level", "bonus", "code", "gold", "story"]), st.text("0123459 -/,.½aR")))
def test_explained_numbers_are_those_that_were_read(texts: dict[str, str]) -> None:
    reading = made_up(DRAGONS).read(texts)
    found: dict[str, list[int]] = {}
    for zone, _, number in explain_evidence(reading.evidence):
        if number.counts:
            found.setdefault(zone, []).append(number.value)
    assert found.pop("face", []) == reading.face
    assert found == reading.zones
    assert reading.score == sum(reading.face) + sum(map(sum, reading.zones.values()))
