"""Cards and files of Scryfall: cards read by hand, documented examples and rulings, and every shape of file."""

import gzip
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scryfall_rows import CARDS, LAYOUT, READER, SHAPES, Fields, _stream, made_up, rows_of

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import CardReading
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.printing import Printing, UnreadRow
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import scryfall

TABLE = Path(__file__).parents[3] / "cards" / "mtg.toml"
BY_HAND = tomllib.loads(TABLE.read_text(encoding="utf-8"))["card"]


def reading(**fields: Any) -> CardReading:
    """Return the reading of a made-up card from a file."""
    (row,) = scryfall.read(_stream(json.dumps(made_up(**fields)).encode()), "made-up.json", LAYOUT)
    assert isinstance(row, Printing), row
    return READER.read(row.fields)


# --- cards read by hand ---


@pytest.fixture(scope="session")
def real(shared_data: Path) -> dict[str, Printing]:
    """Return every card of the real Scryfall files by its id."""
    found: dict[str, Printing] = {}
    for path in sorted((shared_data / "scryfall").rglob("*.json*")):
        for row in rows_of(path):
            if isinstance(row, Printing):
                found.setdefault(row.id, row)
    return found


@pytest.mark.parametrize("card", BY_HAND, ids=lambda card: card["id"])
def test_real_card_has_the_numbers_read_by_hand(card: Fields, real: dict[str, Printing]) -> None:
    row = real[card["id"]]
    found = READER.read(row.fields)
    assert row.name == card["name"], card["why"]
    assert found.zones == card["zones"], card["why"]
    assert found.face == card["face"], card["why"]
    assert found.score == card["score"], card["why"]
    assert found.reason == card.get("reason"), card["why"]
    assert (found.attack, found.defense) == (card.get("attack"), card.get("defense")), card["why"]


def test_every_row_of_real_files_of_cards_is_a_card(real: dict[str, Printing], shared_data: Path) -> None:
    folder = shared_data / "scryfall"
    rows = rows_of(folder / "scryfall-2018-2019-slice.json.gz")
    assert len(rows) == 6472
    assert [row for row in rows if isinstance(row, UnreadRow)] == []
    assert len(real) > 6600


def test_rows_of_a_real_file_without_cards_are_unread(shared_data: Path) -> None:
    rows = rows_of(shared_data / "scryfall" / "mtg_ssm-2.8.2" / "sets.json")
    assert rows != []
    assert all(isinstance(row, UnreadRow) for row in rows)


# --- the worked examples in docs/numbers.md ---


def test_worked_example_legal_artifact() -> None:
    text = "Whoever holds it gets +3/+0 and runs.\nEquip {3}"
    found = reading(mana_cost="{3}", oracle_text=text, collector_number="123", type_line="Artifact — Equipment")
    assert (found.zones, found.face, found.reason, found.score) == ({"top-right": [3]}, [3, 0, 3], None, 9)


def test_worked_example_creature_with_two_numbers_in_its_corner() -> None:
    found = reading(mana_cost="{1}{G}", power="2", toughness="2", collector_number="7", frame="2003")
    assert found.zones == {"top-right": [1], "bottom-right": [2, 2], "bottom": [7]}
    assert (found.face, found.reason, found.score) == ([], "multiple-numbers:bottom-right", 12)


def test_worked_example_planeswalker() -> None:
    found = reading(
        mana_cost="{2}{R}{B}",
        type_line="Legendary Planeswalker — Grob",
        oracle_text="+1: Draw a card.\n−3: Nothing happens.\n−8: They lose 2 life.",
        loyalty="4",
        collector_number="152",
    )
    assert found.zones == {"top-right": [2], "left": [1], "bottom-right": [4]}
    assert (found.face, found.reason, found.score) == ([2], None, 9)


# --- rulings for kinds of cards that the real files lack ---


def test_ruling_symbols_of_a_cost_are_read_separately() -> None:
    assert reading(mana_cost="{½}{W/P}{X}{G/U}").zones == {"top-right": [0]}
    assert reading(mana_cost="{1000000}").zones == {}


def test_ruling_lit_lights_of_an_attraction_are_on_the_right() -> None:
    assert reading(attraction_lights=[6]).zones == {"right": [6]}
    lit = reading(attraction_lights=[2, 3, 6])
    assert (lit.zones, lit.reason) == ({"right": [2, 3, 6]}, "multiple-numbers:right")


@pytest.mark.parametrize("printed", [None, "Batalla — Asedio"])
def test_ruling_card_with_battle_in_type_line_of_front_is_not_legal(printed: str | None) -> None:
    front = {"name": "Siege", "mana_cost": "{2}{R}", "type_line": "Battle — Siege", "defense": "5"}
    if printed:
        front["printed_type_line"] = printed
    back = {"name": "Grob", "type_line": "Creature — Grob", "power": "7", "toughness": "7"}
    found = reading(layout="transform", card_faces=[front, back])
    assert (found.zones, found.reason) == ({"top-right": [2], "bottom-right": [5]}, "layout:battle")
    turned = reading(layout="transform", card_faces=[back, front])
    assert (turned.zones, turned.reason) == ({"bottom-right": [7, 7]}, "multiple-numbers:bottom-right")


def test_ruling_card_with_battle_only_in_text_is_legal() -> None:
    assert reading(name="Battle Grob", type_line="Creature — Battler", power="*", toughness="3").reason is None


@pytest.mark.parametrize("layout", ["class", "case", "mutate", "normal", "host", "emblem", "never heard of"])
def test_ruling_card_with_single_upright_front_is_legal(layout: str) -> None:
    found = reading(layout=layout, mana_cost="{1}", oracle_text="{2}{G}: Level 2\n{4}{G}: Level 3")
    assert (found.zones, found.face, found.reason) == ({"top-right": [1]}, [2, 2, 4, 3], None)


@pytest.mark.parametrize("layout", ["split", "flip", "planar", "scheme", "vanguard", "art_series", "front_card"])
def test_ruling_card_without_a_single_upright_front_is_not_legal(layout: str) -> None:
    assert reading(layout=layout, mana_cost="{1}").reason == f"layout:{layout}"


def test_ruling_textless_card_has_no_rules_text() -> None:
    assert reading(textless=True, oracle_text="Deals 3 damage.", flavor_text="7 times").face == [7]


def test_ruling_reason_oversized_precedes_numbers_but_follows_layout() -> None:
    assert reading(oversized=True, power="1", toughness="1").reason == "oversized"
    assert reading(oversized=True, layout="planar").reason == "layout:planar"
    assert reading(oversized=True, layout="planar", digital=True).reason == "digital"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"games": ["mtgo", "arena"]}, "digital"),
        ({"games": []}, "digital"),
        ({"games": ["arena", "paper"]}, None),
        ({"games": None}, None),
        ({"digital": True}, "digital"),
        ({"digital": False}, None),
    ],
)
def test_ruling_card_that_is_not_on_paper_is_digital(fields: Fields, reason: str | None) -> None:
    assert reading(mana_cost="{1}", **fields).reason == reason


@pytest.mark.parametrize(
    ("frame", "released", "zone"),
    [
        ("1997", "1998-06-14", None),
        ("1997", "1998-06-15", "bottom"),
        ("1993", "2005-01-01", None),
        ("2003", "2003-07-28", "bottom"),
        ("future", "2007-05-04", "bottom"),
        ("2015", "2014-07-18", "bottom-left"),
        ("2015", "1998-06-14", None),
        ("2015", "1998-06-15", "bottom-left"),
        ("2031", "2031-01-01", "bottom"),
        ("2015", None, None),
    ],
)
def test_ruling_zone_of_collector_number_depends_on_frame_and_date(
    frame: str, released: str | None, zone: str | None
) -> None:
    found = reading(frame=frame, released_at=released, collector_number="8")
    assert found.zones == ({zone: [8]} if zone else {})


@pytest.mark.parametrize(
    ("number", "expected"), [("a1 2007", 1), ("7s", 7), ("GR6", 6), ("5★", 5), ("†10", 10), ("2019-1", None)]
)
def test_ruling_digits_of_a_collector_number_are_read(number: str, expected: int | None) -> None:
    assert reading(collector_number=number).zones == ({"bottom-left": [expected]} if expected else {})


@pytest.mark.parametrize(
    "text",
    [
        "+1: A.\n−2: B 3.",
        "[+1]: A.\n[-2]: B 3.",
        "+1 : A.\n–2 : B 3.",
        "+1：A。\n−2：B３。",
        "［＋１］：A。\n［－２］：B３。",
        "+1: A.\r\n—2: B 3.",
    ],
)
def test_ruling_loyalty_costs_in_any_spelling_are_on_the_left(text: str) -> None:
    found = reading(type_line="Planeswalker — Grob", printed_text=text, loyalty="X")
    assert (found.zones, found.face) == ({"left": [1]}, [3])


def test_ruling_loyalty_ability_begins_with_cost_and_colon() -> None:
    text = "Grob pays 4: nothing.\n+1, then 2: nothing.\n−X: Deals X.\n0: Look.\n10 cards: no."
    found = reading(type_line="Planeswalker — Grob", oracle_text=text)
    assert (found.zones, found.face) == ({"left": [0]}, [4, 1, 2, 10])
    assert reading(type_line="Artifact", oracle_text="1: Look.").zones == {}


def test_ruling_printed_texts_precede_english_ones() -> None:
    found = reading(
        lang="de",
        name="Grob 1",
        printed_name="Grob 2",
        type_line="Artifact 3",
        printed_type_line="Artefakt 4",
        oracle_text="5",
        printed_text="6",
    )
    assert found.face == [2, 4, 6]


def test_ruling_numbers_not_printed_on_the_card_do_not_count() -> None:
    found = reading(
        mana_cost="{W}",
        cmc=3.0,
        artist="Grob 4",
        watermark="5",
        set_name="Sixth 6",
        hand_modifier="+1",
        life_modifier="2",
        prices={"usd": "7.00"},
    )
    assert (found.zones, found.face) == ({}, [])


def test_id_contains_set_number_and_foreign_language() -> None:
    rows = [made_up(lang=lang, printed_name=lang) for lang in ("en", "ja")]
    content = "\n".join(map(json.dumps, rows)).encode() + b"\n"
    printings = [row for row in scryfall.read(_stream(content), "x", LAYOUT) if isinstance(row, Printing)]
    assert [row.id for row in printings] == ["mtg:xyz/99", "mtg:xyz/99/ja"]
    assert [row.printed_name for row in printings] == ["en", "ja"]


FACES = [{"name": "Day 1"}, {"name": "Night"}]


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"flavor_name": "Grobzilla"}, "Grobzilla"),
        ({"flavor_name": "Grobzilla", "lang": "ja", "printed_name": "鬼"}, "鬼"),
        ({"card_faces": [{**FACES[0], "flavor_name": "Dawn"}, {**FACES[1], "flavor_name": "Dusk"}]}, "Dawn // Dusk"),
        ({"card_faces": [FACES[0], {**FACES[1], "flavor_name": "Dusk"}]}, "Day 1 // Dusk"),
        ({"card_faces": FACES, "flavor_name": "Dawn // Dusk"}, "Dawn // Dusk"),
        ({"card_faces": FACES}, None),
    ],
)
def test_flavour_name_is_the_printed_name(fields: Fields, title: str | None) -> None:
    (row,) = scryfall.read(_stream(json.dumps(made_up(**fields)).encode()), "x", LAYOUT)
    assert isinstance(row, Printing)
    assert row.printed_name == title


def test_numbers_in_flavour_name_and_name_count() -> None:
    assert reading(name="Grob 1", flavor_name="Grobzilla 2").face == [2, 1]


def test_numbers_of_prepared_spell_count_on_the_front() -> None:
    faces = [{"name": "A", "mana_cost": "{3}"}, {"name": "B 7", "mana_cost": "{1}"}]
    found = reading(layout="prepare", card_faces=faces)
    assert (found.face, found.reason) == ([7, 1], None)


FILE_VARIANTS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda content: content,
    "gzipped": gzip.compress,
    "in two gzip members": lambda content: gzip.compress(content[:50], mtime=0) + gzip.compress(content[50:]),
    "with a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "with Windows line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "without a final line end": lambda content: content.rstrip(b"\n"),
    "with blank lines first": lambda content: b"\n \n" + content,
    "gzipped, with everything": lambda content: gzip.compress(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")),
}


# --- every shape of file ---


@pytest.mark.parametrize("variant", FILE_VARIANTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_file_gives_the_same_cards(tmp_path: Path, shape: str, variant: str) -> None:
    path = tmp_path / ("cards.txt" if variant == "gzipped" else "cards.csv.gz")  # The content decides, not the name.
    path.write_bytes(FILE_VARIANTS[variant](SHAPES[shape](CARDS).encode()))
    rows = rows_of(path)
    assert [row[1] for row in rows] == [card["name"] for card in CARDS]
    readings = [READER.read(row.fields) for row in rows if isinstance(row, Printing)]
    assert [found.score for found in readings] == [3 + 1 + 2, 2, 3 + 3, 1 + 4]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("variant", FILE_VARIANTS)
def test_file_with_a_single_card_is_read(tmp_path: Path, variant: str, indent: int | None) -> None:
    path = tmp_path / "card.json"
    path.write_bytes(FILE_VARIANTS[variant](json.dumps(CARDS[0], indent=indent).encode()))
    assert [row[1] for row in rows_of(path)] == [CARDS[0]["name"]]


@pytest.mark.parametrize("content", [b"[]", b"[\n]\n", b"[ \n\n ]", b'{"data":[]}', b'{"data": [\n]}\n'])
def test_empty_list_is_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    assert rows_of(path) == []


@pytest.mark.parametrize("indent", [None, 2])
def test_very_long_number_in_an_unused_field_is_harmless(indent: int | None) -> None:
    content = json.dumps([made_up(big=1), made_up()], indent=indent).replace('"big": 1', f'"big": {"9" * 5000}')
    assert [type(row) for row in scryfall.read(_stream(content.encode()), "x", LAYOUT)] == [Printing, Printing]


def test_rows_are_yielded_before_the_end_of_the_file(tmp_path: Path) -> None:
    for shape in ("JSON Lines", "array, a line each", "pretty array"):
        path = tmp_path / "cards.json"
        path.write_text(SHAPES[shape](CARDS * 3000), encoding="utf-8")
        with open_data(path) as stream:
            assert next(scryfall.read(stream, path.name, LAYOUT))[1] == CARDS[0]["name"]
            assert stream.tell() < path.stat().st_size / 2


# --- rows that are not cards ---


BAD_ROWS: dict[str, str] = {
    "another kind of object": '{"object": "set", "name": "Grob"}',
    "no name": json.dumps({key: value for key, value in CARDS[0].items() if key != "name"}),
    "an empty name": json.dumps(made_up(name="")),
    "an empty number": json.dumps(made_up(collector_number="")),
    "a name of 2,000 letters": json.dumps(made_up(name="x" * 2000)),
    "a number of 2,000 letters": json.dumps(made_up(collector_number="x" * 2000)),
    "a number instead of a text": json.dumps(made_up(power=3)),
    "a text instead of a list": json.dumps(made_up(card_faces="x")),
    "a text instead of true": json.dumps(made_up(digital="yes")),
    "nothing instead of a name": json.dumps(made_up(name=None)),
    "a text": '"Grob"',
    "a number": "17",
    "a list": "[]",
    "nothing": "null",
    "a lone surrogate": json.dumps(made_up()).replace("Grob", "\\ud800"),
    "half a pair": json.dumps(made_up()).replace("Grob", "\\ud83d\\u0041"),
    "a NUL": json.dumps(made_up()).replace("Grob", "Gr\0b"),
    "a control character": json.dumps(made_up()).replace("Grob", "Gr\x1b[2Jb"),
}


@pytest.mark.parametrize("bad", BAD_ROWS)
@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "array in one line", "API list"])
def test_row_that_is_not_a_card_is_unread_with_its_position(bad: str, shape: str) -> None:
    good = json.dumps(CARDS[0])
    content, where = {
        "JSON Lines": (f"{good}\n\n{BAD_ROWS[bad]}\n{good}\n", "line 3"),
        "array, a line each": (f"[\n{good},\n{BAD_ROWS[bad]},\n{good}\n]", "line 3"),
        "array in one line": (f"[{good},{BAD_ROWS[bad]},{good}]", "value 2"),
        "API list": (f'{{"data":[{good},{BAD_ROWS[bad]},{good}]}}', "value 2"),
    }[shape]
    if shape == "API list" and ("NUL" in bad or "control" in bad or "lone" in bad or "half" in bad):
        with pytest.raises(CatalogError, match="damaged"):  # The document as a whole is not JSON.
            list(scryfall.read(_stream(content.encode()), "x", LAYOUT))
        return
    first, second, third = scryfall.read(_stream(content.encode()), "x", LAYOUT)
    assert isinstance(second, UnreadRow)
    assert second.where == where
    assert second.why != ""
    assert first == third


@pytest.mark.parametrize("broken", ['{"name": }', '{"name": "x"', "x", '{"a":1}{"b":2}', "{'a': 1}", "\x07", "{]"])
def test_damaged_line_does_not_affect_other_lines(broken: str) -> None:
    good = json.dumps(CARDS[0])
    for content in (f"{good}\n{broken}\n{good}\n", f"[\n{good},\n{broken},\n{good}\n]\n"):
        rows = list(scryfall.read(_stream(content.encode()), "x", LAYOUT))
        assert [isinstance(row, UnreadRow) for row in rows] == [False, True, False]


def test_layout_selects_fields_of_the_description() -> None:
    field = '[[printed]]\nfield = "power"\nzone = "top"\n'
    text = 'format = 1\ngame = "mtg"\nname = "Magic"\n[columns]\ntype = ["kind", "type_line"]\ntext = "flavor_text"\n'
    own = parse_layout(f'{text}keywords = "artist"\nfields = ["power", "frame"]\n{field}', "mtg.toml")
    card = made_up(type_line="Creature", oracle_text="Rules.", flavor_text="A tale.", power="2", artist="Ann")
    (row,) = scryfall.read(_stream(json.dumps(card).encode()), "x", own)
    assert isinstance(row, Printing)
    description = row.description
    assert (description.type, description.text, description.fields) == (
        "Creature",
        "A tale.",
        (("power", "2"), ("frame", "2015")),
    )
    assert (row.rarity, row.artist, description.keywords) == ("", "", ()), "an artist is not a list of keywords"


def test_description_joins_faces_and_has_numbers_of_the_front() -> None:
    faces = [
        {
            "name": "A",
            "type_line": "Creature",
            "mana_cost": "{1}",
            "oracle_text": "One.",
            "power": "1",
            "colors": ["R"],
        },
        {"name": "B", "type_line": "Land", "mana_cost": "", "oracle_text": "Two.", "power": "7", "colors": []},
    ]
    card = made_up(type_line=None, card_faces=faces, layout="transform", color_identity=["R"], cmc=1.0)
    (row,) = scryfall.read(_stream(json.dumps(card).encode()), "x", LAYOUT)
    assert isinstance(row, Printing)
    description = row.description
    assert (description.type, description.cost, description.text) == ("Creature // Land", "{1}", "One.\n//\nTwo.")
    assert (description.colours, description.identity, description.fields) == (("Red",), ("Red",), (("power", "1"),))
