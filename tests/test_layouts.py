"""Layouts as data: the format, what it says about mistakes, and what hostile files cannot do."""

from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.card import ZONES, CatalogError
from catalog.evidence import CardReading, EvidenceReader, explain_evidence, numerals_only
from catalog.layouts.columns import Column, Columns, find, folded
from catalog.layouts.layout import Lackey, Layout
from catalog.layouts.layout_file import LARGEST, parse_layout
from catalog.layouts.lines import PrintedField
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
    return "top" in layout.compiled().read({"might": "5", **fields}).zones


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


# --- mistakes ---

COLUMN = 'is a field such as "Number", a table such as { field = "Name", before = " (" }, or a list of them'
PLACES = "top-left, top, top-right, left, right, bottom-left, bottom, bottom-right and face"
PARTS = "barred, columns, format, game, lackey, name, printed, slash and stats"
LINE = '[[printed]]\nfield = "might"\nzone = "top"\n'
TOP = 'game = "made-up"\n'


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, "game is missing."),
        (LINE, None, "game is missing."),
        (TOP, None, "no [[printed]] table, so no card would have a number."),
        ("game = 5\n" + LINE, 1, "game is a text in quotes."),
        (
            'game = "Made Up"\n' + LINE,
            1,
            'game is a short name of lower-case letters, digits, - and _, such as "spellfire".',
        ),
        (
            'game = "../x"\n' + LINE,
            1,
            'game is a short name of lower-case letters, digits, - and _, such as "spellfire".',
        ),
        ("format = 2\n" + TOP + LINE, 1, "format is 2, and this version of ccgrid reads format 1."),
        (TOP + 'slash = "half"\n' + LINE, 2, "slash is 'half'; it is one of fraction and stats."),
        (TOP + "name = 1\n" + LINE, 2, "name is a text in quotes."),
        (
            TOP + "sl4sh = 1\n" + LINE,
            2,
            f"sl4sh is not known; a layout may hold {PARTS}.",
        ),
        (
            TOP + LINE + "[other]\nx = 1\n",
            5,
            f"other is not known; a layout may hold {PARTS}.",
        ),
        (TOP + "[printed]\nfield = 'x'\n", 2, "printed is written as tables: [[printed]]."),
        (TOP + "printed = 3\n", 2, "printed is written as tables: [[printed]]."),
        (TOP + "[[printed]]\nzone = 'top'\n", 2, "printed[1].field is missing."),
        (
            TOP + "[[printed]]\nfield = 'x'\n",
            2,
            f"printed[1].zone is missing; it is one of {PLACES}.",
        ),
        (
            TOP + LINE + "[[printed]]\nfield = 'x'\nzone = 'middle'\n",
            7,
            f"printed[2].zone is 'middle'; it is one of {PLACES}.",
        ),
        (
            TOP + LINE + "zon = 'top'\n",
            5,
            "printed[1].zon is not known; printed[1] may hold confidence, digits, field, ignore, "
            "left_out, note, only, part, read, slash, text, unless, when and zone.",
        ),
        (
            TOP + LINE + "read = 'upside-down'\n",
            5,
            "printed[1].read is 'upside-down'; it is one of numbers and collector.",
        ),
        (TOP + LINE + "slash = []\n", 5, "printed[1].slash is []; it is one of fraction and stats."),
        (TOP + LINE + "part = 'last'\n", 5, 'printed[1].part belongs to read = "collector".'),
        (
            TOP + LINE + "read = 'collector'\npart = 'middle'\n",
            6,
            'printed[1].part is \'middle\'; it is "first", "last" or which run of digits counts, from 1.',
        ),
        (
            TOP + LINE + "read = 'collector'\npart = 0\n",
            6,
            'printed[1].part is 0; it is "first", "last" or which run of digits counts, from 1.',
        ),
        (
            TOP + LINE + "read = 'collector'\npart = true\n",
            6,
            'printed[1].part is True; it is "first", "last" or which run of digits counts, from 1.',
        ),
        (
            TOP + LINE + "ignore = 0\n",
            5,
            "printed[1].ignore is a list of numbers that mean “not printed”, such as [0].",
        ),
        (
            TOP + LINE + "ignore = ['0']\n",
            5,
            "printed[1].ignore is a list of numbers that mean “not printed”, such as [0].",
        ),
        (
            TOP + LINE + "confidence = 'sure'\n",
            5,
            "printed[1].confidence is 'sure'; it is one of high, medium and low.",
        ),
        (TOP + LINE + "note = 1\n", 5, "printed[1].note is a text in quotes."),
        (
            TOP + LINE + "when = 'always'\n",
            5,
            'printed[1].when is a table such as { frame = "2015" }, or a list of such tables.',
        ),
        (
            TOP + LINE + "when = [{}]\n",
            5,
            'printed[1].when is a table such as { frame = "2015" }, or a list of such tables.',
        ),
        (
            TOP + LINE + "when = { a = [] }\n",
            5,
            "printed[1].when.a is a text, a number, true or false, a date, or a list of such values.",
        ),
        (
            TOP + LINE + "when = { a = {} }\n",
            5,
            "printed[1].when.a is empty; it may hold has, lacks, from, before and present.",
        ),
        (
            TOP + LINE + "when = { a = { is = 1 } }\n",
            5,
            "printed[1].when.a.is is not known; there are has, lacks, from, before and present.",
        ),
        (TOP + LINE + "when = { a = { from = [1, 2] } }\n", 5, "printed[1].when.a.from is one value."),
        (TOP + LINE + "when = { a = { present = 'maybe' } }\n", 5, "printed[1].when.a.present is true or false."),
        (
            TOP + LINE + "unless = { a = { has = [[1]] } }\n",
            5,
            "printed[1].unless.a.has is a text, a number, true or false, a date, or a list of such values.",
        ),
        (TOP + LINE + "[[barred]]\nwhen = { a = 1 }\n", 5, "barred[1].reason is missing."),
        (
            TOP + LINE + "[[barred]]\nreason = 'ugly'\nwhen = { a = 1 }\n",
            6,
            'barred[1].reason is "digital", "oversized", "layout:NAME", "layout:{field}" or "data:NAME".',
        ),
        (
            TOP + LINE + "[[barred]]\nreason = 'layout:{}'\nwhen = { a = 1 }\n",
            6,
            'barred[1].reason is "digital", "oversized", "layout:NAME", "layout:{field}" or "data:NAME".',
        ),
        (
            TOP + LINE + "[[barred]]\nreason = 'digital'\n",
            5,
            "barred[1].when is missing: without it every card would be barred.",
        ),
        (
            TOP + LINE + "[[barred]]\nreason = 'digital'\nwhen = { a = 1 }\nwhy = 1\n",
            8,
            "barred[1].why is not known; barred[1] may hold reason, unless and when.",
        ),
        (TOP + LINE + "[stats]\nattack = 1\n", 6, "stats.attack is a text in quotes."),
        (TOP + LINE + "[stats]\nluck = 'x'\n", 6, "stats.luck is not known; stats may hold attack and defense."),
        (TOP + "stats = 1\n" + LINE, 2, "stats is a table: [stats]."),
        (TOP + LINE + "[stats]\ndefense = 1\n", 6, "stats.defense is a text in quotes."),
        (TOP + LINE + "[[printed]]\nfield = 1\nzone = 'top'\n", 6, "printed[2].field is a text in quotes."),
        (TOP + "barred = 1\n" + LINE, 2, "barred is written as tables: [[barred]]."),
        (TOP + "columns = 1\n" + LINE, 2, "columns is a table: [columns]."),
        (TOP + "lackey = 1\n" + LINE, 2, "lackey is a table: [lackey]."),
        (TOP + LINE + "[columns]\nrows = 1\n", 6, "columns.rows is a text in quotes."),
        (TOP + LINE + "[columns]\neach = 1\n", 6, "columns.each is a text in quotes."),
        (TOP + LINE + "[columns]\ntrim = 1\n", 6, "columns.trim is a text in quotes."),
        (TOP + LINE + "[columns]\nfiles = 1\n", 6, "columns.files is a list of texts in quotes."),
        (TOP + LINE + "[columns]\nfiles = ['a', '']\n", 6, "columns.files is a list of texts in quotes."),
        (TOP + LINE + "[columns]\nname = 1\n", 6, f"columns.name {COLUMN}."),
        (TOP + LINE + "[columns]\nname = ''\n", 6, f"columns.name {COLUMN}."),
        (TOP + LINE + "[columns]\nid = { field = 1 }\n", 6, f"columns.id {COLUMN}."),
        (TOP + LINE + "[columns]\nname = { before = 'x' }\n", 6, "columns.name.field is missing."),
        (
            TOP + LINE + "[columns]\nname = { field = 'x', behind = 'y' }\n",
            6,
            "columns.name.behind is not known; columns.name may hold after, before, field and part.",
        ),
        (TOP + LINE + "[columns]\nname = '{}'\n", 6, "columns.name has a brace without a field's name in it."),
        (
            TOP + LINE + "[columns]\nnome = 'x'\n",
            6,
            "columns.nome is not known; columns may hold collector_number, each, files, id, lang, name, printed_name, "
            "released, rows, set_code, set_name and trim.",
        ),
        (
            TOP + LINE + "[lackey]\nkeeper = 'x'\n",
            5,
            "lackey names neither names nor columns by which a plugin is recognised.",
        ),
        (TOP + LINE + "[lackey]\nnames = 1\n", 6, "lackey.names is a list of texts in quotes."),
        (TOP + LINE + "[lackey]\ncolumns = [1]\n", 6, "lackey.columns is a list of texts in quotes."),
        (TOP + LINE + "[lackey]\nnames = 'x'\nkeeper = 1\n", 7, "lackey.keeper is a text in quotes."),
        (TOP + LINE + "[lackey]\nnames = 'x'\nupdatelist = 1\n", 7, "lackey.updatelist is a text in quotes."),
        (
            TOP + LINE + "[lackey]\nnames = 'x'\nname = 'y'\n",
            7,
            "lackey.name is not known; lackey may hold columns, keeper, names and updatelist.",
        ),
        (TOP + LINE + f"when = [{'{ a = 1 }, ' * 1001}]\n", 5, "printed[1].when has over 1000 tables."),
        (TOP + LINE * 1001, 2, "printed has over 1000 tables."),
    ],
)
def test_a_mistake_is_told_with_its_line_and_its_key(text: str, line: int | None, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(text, "mine.toml")
    assert str(caught.value) == (f"mine.toml, line {line}: {words}" if line else f"mine.toml: {words}")


@pytest.mark.parametrize("text", [TOP + LINE + "when = { a = 1 \n", TOP + TOP + LINE])
def test_what_is_not_toml_is_told_in_the_words_of_pythons_reader(text: str) -> None:
    with pytest.raises(CatalogError, match=r"^mine\.toml: the file is not TOML: .+ \(at line \d+, column \d+\)\.$"):
        parse_layout(text, "mine.toml")


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
    assert load_layout(path).compiled().read({"might": "5"}).zones == {"top": [5]}


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
        layout.compiled().read({"might": "3", "a": "x", "field": ("1", "2"), "zone": True})
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
    assert layout.compiled().read({}).reason is not None
    assert any(line.zone in ZONES for line in layout.printed)


@pytest.mark.parametrize("game", ["nosuchgame", "", "..", "../mtg", "mtg.toml", "__init__", "m\0g", "MTG/../mtg"])
def test_a_game_without_a_layout_is_told_which_there_are(game: str) -> None:
    with pytest.raises(CatalogError, match=r"There are layouts for: .*mtg"):
        find_layout(game)


# --- evidence ---


def test_numerals_alone_say_what_their_texts_said(dragons: Layout) -> None:
    reading = dragons.compiled().read(
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
    reading = made_up(DRAGONS).compiled().read(texts)
    found: dict[str, list[int]] = {}
    for zone, _, number in explain_evidence(reading.evidence):
        if number.counts:
            found.setdefault(zone, []).append(number.value)
    assert found.pop("face", []) == reading.face
    assert found == reading.zones
    assert reading.score == sum(reading.face) + sum(map(sum, reading.zones.values()))


# --- what a file may hold ---


def test_what_a_layout_says_of_its_data_is_kept() -> None:
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
    assert layout.columns == Columns("data.cards", "sets", ("cards/*.json",), "•", columns)
    address = "https://example.org/updatelist.txt"
    assert layout.lackey == Lackey(("Dragons",), ("Gold", "Lore"), address, "somebody")
    assert layout.guesses() == [line]


def test_a_layout_file_says_little_where_it_says_nothing() -> None:
    layout = parse_layout(TOP + LINE, "mine.toml")
    assert (layout.game, layout.name, layout.barred, layout.attack, layout.defense) == ("made-up",) * 2 + (
        (),
        None,
        None,
    )
    assert (layout.columns, layout.lackey, layout.guesses()) == (Columns(), None, [])
    assert (layout.printed[0].how, layout.printed[0].note, layout.printed[0].ignore) == ("fraction", "", ())


@pytest.mark.parametrize("game", ["a", "7", "a-b_c", "a" * 40])
def test_a_game_is_named_by_up_to_40_small_letters_digits_and_dashes(game: str) -> None:
    assert parse_layout(f'game = "{game}"\n' + LINE, "mine.toml").game == game
    for wrong in ("A", "-a", "_a", "a" * 41, "a b", "é"):
        with pytest.raises(CatalogError, match="game is a short name"):
            parse_layout(f'game = "{wrong}"\n' + LINE, "mine.toml")


def test_a_file_of_256_kib_is_read_and_one_byte_more_is_not() -> None:
    text = TOP + LINE
    assert parse_layout(text + "#" * (LARGEST - len(text)), "mine.toml").game == "made-up"
    with pytest.raises(CatalogError) as caught:
        parse_layout(text + "#" * (LARGEST - len(text) + 1), "mine.toml")
    assert str(caught.value) == "mine.toml: a layout is at most 256 KiB, and this is larger."


@pytest.mark.parametrize("part", [1, 99, "first", "last"])
def test_a_run_of_digits_is_counted_from_1_to_99(part: int | str) -> None:
    layout = parse_layout(TOP + LINE + f"read = 'collector'\npart = {part!r}\n", "mine.toml")
    assert layout.printed[0].part == part
    with pytest.raises(CatalogError, match="part is 100"):
        parse_layout(TOP + LINE + "read = 'collector'\npart = 100\n", "mine.toml")


def test_a_long_value_is_shown_by_its_first_100_characters() -> None:
    with pytest.raises(CatalogError) as caught:
        parse_layout(TOP + f"slash = '{'x' * 200}'\n" + LINE, "mine.toml")
    assert str(caught.value) == f"mine.toml, line 2: slash is '{'x' * 99}…; it is one of fraction and stats."


# --- columns ---


def column(source: str, after: str = "", before: str = "", **row: Any) -> str:
    return Column(source, after, before).text(lambda path: find(row, path))


def test_a_column_is_a_field_a_template_or_a_part_of_a_text() -> None:
    assert column("a", a=" x ") == "x"
    assert column("a", a=["x", "y"]) == "x"
    assert column("a") == column("a", a=[]) == ""
    assert column("{a}/{b}", a="x", b="y") == "x/y"
    assert column("{a}/{b}", a="x") == column("{a}/{b}", a="x", b="") == ""
    assert column("a", after=":", a="x:y:z") == "z"
    assert column("a", after=":", a="xyz") == ""
    assert column("a", before="(", a="x(y(z") == "x(y"
    assert column("a", before="(", a="xyz") == "xyz"
    assert column("a", after="(", before=")", a="x (12) of (13)!") == "13"
    assert Column("{a}/{b.c}").paths() == ("a", "b.c")
    assert Column("a.b").paths() == ("a.b",)


@pytest.mark.parametrize(
    ("row", "path", "text"),
    [
        ({"a": "x"}, "a", "x"),
        ({"a": 3.0}, "a", "3"),
        ({"a": 3.5}, "a", "3.5"),
        ({"a": True}, "a", "true"),
        ({"a": False}, "a", "false"),
        ({"a": None}, "a", None),
        ({}, "a", None),
        ({}, "a.b", None),
        ({"a": []}, "a", None),
        ({"a": ["x"]}, "a", ("x",)),
        ({"a": ["x", None, 2]}, "a", ("x", "2")),
        ({"a": {"b": "x", "c": ["y", "z"]}}, "a", ("x", "y", "z")),
        ({"a": {"b": "x"}}, "a.b", "x"),
        ({"a": {"b": {"c": "x"}}}, "a.b.c", "x"),
        ({"a.b": {"c": "x"}}, "a.b.c", "x"),
        ({"a.b": "x", "a": {"b": "y"}}, "a.b", "x"),
        ({"a": {"b.c": "x"}}, "a.b.c", "x"),
        ({"a": [{"b": "x"}, {"b": "y"}, {"c": "z"}]}, "a.b", ("x", "y")),
        ({"a": "x"}, "a.b", None),
        ({"": {"a": "x"}}, ".a", None),
    ],
)
def test_a_field_is_found_as_deep_as_json_goes(row: dict[str, Any], path: str, text: Any) -> None:
    assert find(row, path) == text


def test_a_field_gives_200_texts_and_is_looked_for_20_deep() -> None:
    assert len(find({"a": ["x"] * 300}, "a") or "") == 200
    deep: Any = "x"
    for _ in range(19):
        deep = {"b": deep}
    assert find({"a": deep}, "a") == ("x",)
    assert find({"a": {"b": {"b": deep}}}, "a") is None


def test_headings_are_the_same_in_any_case_and_spacing() -> None:
    assert {folded(one) for one in ("Card Name", "card_name", "CARDNAME", "Card-Name.")} == {"cardname"}
    assert [folded(one) for one in ("No. 1", "Größe", "")] == ["no1", "grösse", ""]


# --- what data do not say as the card does ---

FACE_LINE = '[[printed]]\nfield = "rules"\nzone = "face"\n'


def test_a_line_may_hold_a_text_that_every_card_shows() -> None:
    layout = made_up('[[printed]]\ntext = "+10"\nzone = "bottom-right"\nunless = { kind = "Hero" }\n' + FACE_LINE)
    reading = layout.compiled().read({"kind": "Ally", "rules": "Draw 2."})
    assert (reading.zones, reading.face, reading.score, reading.reason) == ({"bottom-right": [10]}, [2], 12, None)
    assert [(zone, field, found.raw, found.value) for zone, field, found in explain_evidence(reading.evidence)] == [
        ("face", "rules", "2", 2),
        ("bottom-right", "always printed", "+10", 10),
    ]
    assert layout.compiled().read({"kind": "Hero"}).reason == "no-number"
    assert layout.fields() == {"kind", "rules"}


def test_a_text_that_is_always_printed_counts_beside_what_stands_there() -> None:
    layout = one_line('[[printed]]\nfield = "gain"\ntext = "3"\nzone = "top"\n')
    assert layout.compiled().read({"might": "5"}).reason == "multiple-numbers:top"
    assert layout.compiled().read({"might": "12"}).zones == {"top": [3]}
    face = made_up('[[printed]]\ntext = "Level 1 of 2"\nzone = "face"\n[[printed]]\nfield = "might"\nzone = "top"\n')
    reading = face.compiled().read({"might": "5"})
    assert (reading.zones, reading.face) == ({"top": [5]}, [1, 2])
    words = made_up('[[printed]]\ntext = "Gold"\nzone = "top"\n').compiled().read({})
    assert (words.zones, words.evidence) == ({}, [])


@pytest.mark.parametrize(
    ("extra", "text", "number"),
    [
        ("digits = [2, 4]", "4013", 13),
        ("digits = [2, 4]", "4003", 3),
        ("digits = [2, 4]", "P005", 5),
        ("digits = [1, 1]", "4013", 4),
        ('part = "last"\ndigits = [1, 2]', "7-0913", 9),
        ("digits = [2, 4]", "4", None),
    ],
)
def test_some_digits_of_a_number_may_count(extra: str, text: str, number: int | None) -> None:
    reading = one_line(f'read = "collector"\n{extra}').compiled().read({"might": text})
    counting = [found.value for _, _, found in explain_evidence(reading.evidence) if found.counts]
    expected = [] if number is None or number > 10 else [number]
    assert (reading.zones.get("top", []), counting) == (expected, expected)
    again = EvidenceReader().read({"printed": numerals_only(reading.evidence)})
    assert again.zones == reading.zones


@pytest.mark.parametrize(
    ("left_out", "text", "rest", "numbers"),
    [
        ('{ start = "#" }', "10B Quest 2", "B Quest 2", [2]),
        ('{ start = "#" }', " 4: Quest", ": Quest", []),
        ('{ start = "#" }', "Quest 4", "Quest 4", [4]),
        ('{ end = "-#" }', "Leo-2 ", "Leo", []),
        ('{ end = "-#" }', "Side 7", "Side 7", [7]),
        ('{ end = "(#)" }', "No. 3 (1)", "No. 3 ", [3]),
        ('{ start = "No. #", end = "#" }', "No. 3 of 4", " of ", []),
    ],
)
def test_what_is_not_printed_or_read_elsewhere_is_left_out(
    left_out: str, text: str, rest: str, numbers: list[int]
) -> None:
    layout = made_up(f'[[printed]]\nfield = "name"\nzone = "face"\nleft_out = {left_out}\n')
    reading = layout.compiled().read({"name": text})
    assert reading.face == numbers
    assert [value for *_, value in reading.evidence] == ([rest] if numbers else [])
    assert layout.compiled().read({"name": (text, text)}).face == numbers * 2


def test_leaving_out_takes_no_longer_for_endless_digits() -> None:
    layout = made_up('[[printed]]\nfield = "name"\nzone = "face"\nleft_out = { end = "-#" }\n')
    assert layout.compiled().read({"name": "-" + "1" * 200_000 + "x"}).face == []


def test_data_that_lack_what_a_card_shows_bar_it_with_a_reason_of_its_own() -> None:
    bar = '[[barred]]\nreason = "data:badges"\nwhen = { kind = "Mecha", armor = { present = false } }\n'
    layout = made_up('[[printed]]\nfield = "cost"\nzone = "top"\n[[printed]]\nfield = "armor"\nzone = "left"\n' + bar)
    read = layout.compiled().read
    assert read({"kind": "Mecha", "cost": "3"}).reason == "data:badges"
    assert read({"kind": "Mecha", "cost": "3", "armor": "2"}).reason is None
    assert read({"kind": "Action", "cost": "3"}).reason is None
    assert layout.numbers() == ("cost",)


def test_a_column_may_be_one_of_several_and_a_run_of_digits_of_it() -> None:
    text = '[columns]\nname = ["fullName", "Name"]\ncollector_number = ["number", { field = "Picture", part = 2 }]\n'
    last = 'set_code = { field = "Picture", before = "_en", part = "last" }\n'
    columns = dict(one_line(text + last).columns.columns)
    plugin = {"Name": "Genie", "Picture": "1_209_en_genie-716"}.get
    other = {"fullName": "Genie - At Sea", "number": "7", "Picture": "none"}.get
    assert {name: column.text(plugin) for name, column in columns.items()} == {
        "name": "Genie",
        "collector_number": "209",
        "set_code": "209",
    }
    assert [columns[name].text(other) for name in ("name", "collector_number", "set_code")] == [
        "Genie - At Sea",
        "7",
        "",
    ]
    assert columns["collector_number"].paths() == ("number", "Picture")
    assert columns["collector_number"].text({"Picture": "1_en"}.get) == ""


DIGITS = "printed[1].digits is the first and the last digit that count, such as [2, 4]."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("digits = 2", 'printed[1].digits belongs to read = "collector".'),
        ('read = "collector"\ndigits = 2', DIGITS),
        ('read = "collector"\ndigits = [true, 4]', DIGITS),
        ('read = "collector"\ndigits = [4]', DIGITS),
        (
            'read = "collector"\ndigits = [4, 2]',
            "printed[1].digits is [4, 2]; digits are counted from 1, the first before the last.",
        ),
        (
            'left_out = "#"',
            'printed[1].left_out is a table such as { start = "#" } or { end = "-#" }, with # for digits.',
        ),
        (
            'left_out = { middle = "#" }',
            "printed[1].left_out.middle is not known; printed[1].left_out may hold end and start.",
        ),
        ("text = 10", "printed[1].text is a text in quotes."),
    ],
)
def test_a_mistake_in_what_is_left_out_or_added_is_told(line: str, told: str) -> None:
    with pytest.raises(CatalogError) as caught:
        one_line(line)
    assert str(caught.value).split(": ", 1)[1] == told


def test_layouts_that_ask_for_nothing_new_keep_their_fingerprint() -> None:
    old = parse_layout('game = "old"\n[[printed]]\nfield = "a"\nzone = "top"\n[columns]\nname = "b"\n', "old.toml")
    assert old.fingerprint() == "b06dd787656fe629"
    assert one_line('text = "1"').fingerprint() != one_line("").fingerprint()


@pytest.mark.parametrize(
    ("only", "text", "kept"),
    [
        ('{ start = "#" }', " 10B Quest 2", [10]),
        ('{ start = "#" }', "Rescue 7 -- Play 2 cards", []),
        ('{ end = "/#" }', "3 of 4/5", [5]),
        ('{ start = "No. #", end = "(#)" }', "No. 3 of 4 (5)", [3, 5]),
    ],
)
def test_a_line_may_read_nothing_but_the_start_or_the_end_of_a_text(only: str, text: str, kept: list[int]) -> None:
    layout = made_up(f'[[printed]]\nfield = "name"\nzone = "face"\nonly = {only}\n')
    reading = layout.compiled().read({"name": text})
    assert reading.face == kept
    assert [found.value for _, _, found in explain_evidence(reading.evidence)] == kept


def test_what_is_kept_of_a_text_is_its_ends_without_spaces_around_them() -> None:
    layout = made_up('[[printed]]\nfield = "name"\nzone = "face"\nonly = { start = "#", end = "#" }\n')
    assert [value for *_, value in layout.compiled().read({"name": " 3 of 4 "}).evidence] == ["3 4"]


def test_a_line_that_says_no_more_than_field_and_zone_is_read_as_any_text() -> None:
    line = one_line("").printed[0]
    assert line == PrintedField("might", "top")
    assert (line.read, line.slash, line.part, line.confidence, line.note, line.text) == (
        *("numbers", "fraction", "first", "high", "", ""),
    )
    assert (line.how, line.digits, line.left_out, line.only) == ("fraction", None, None, None)
