"""Reading Scryfall's files: what single cards show, every shape of file, and what damaged files do."""

import contextlib
import gzip
import io
import json
import tomllib
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catalog import allowance
from catalog.card import CatalogError
from catalog.evidence import CardReading
from catalog.layouts.shelf import find_layout
from catalog.printing import Printing, SourceRow, Unread
from catalog.readers.streams import LONGEST_ROW, open_data
from catalog.sources import scryfall

TABLE = Path(__file__).parent / "cards" / "mtg.toml"
BY_HAND = tomllib.loads(TABLE.read_text(encoding="utf-8"))["card"]
LAYOUT = find_layout("mtg")
READER = LAYOUT.compiled()

Fields = dict[str, Any]


def rows_of(path: Path) -> list[SourceRow]:
    with open_data(path) as stream:
        return list(scryfall.read(stream, path.name))


def reading(**fields: Any) -> CardReading:
    """What a made-up card shows; the file that it is read from is written for it."""
    (row,) = scryfall.read(_stream(json.dumps(made_up(**fields)).encode()), "made-up.json")
    assert isinstance(row, Printing), row
    return READER.read(row.fields)


def _stream(content: bytes) -> Any:
    return io.BytesIO(content)


def made_up(**fields: Any) -> Fields:
    card = {"name": "Grob", "set": "xyz", "collector_number": "99", "frame": "2015", "released_at": "2019-01-01"}
    return {"object": "card", **card, "games": ["paper"], "type_line": "Artifact", **fields}


# --- cards read by hand ---


@pytest.fixture(scope="session")
def real(shared_data: Path) -> dict[str, Printing]:
    """Every card of the real Scryfall files by its id."""
    found: dict[str, Printing] = {}
    for path in sorted((shared_data / "scryfall").rglob("*.json*")):
        for row in rows_of(path):
            if isinstance(row, Printing):
                found.setdefault(row.id, row)
    return found


@pytest.mark.parametrize("card", BY_HAND, ids=lambda card: card["id"])
def test_a_real_card_shows_what_was_read_on_it_by_hand(card: Fields, real: dict[str, Printing]) -> None:
    row = real[card["id"]]
    found = READER.read(row.fields)
    assert row.name == card["name"], card["why"]
    assert found.zones == card["zones"], card["why"]
    assert found.face == card["face"], card["why"]
    assert found.score == card["score"], card["why"]
    assert found.reason == card.get("reason"), card["why"]
    assert (found.attack, found.defense) == (card.get("attack"), card.get("defense")), card["why"]


def test_every_row_of_the_real_card_files_is_a_card(real: dict[str, Printing], shared_data: Path) -> None:
    folder = shared_data / "scryfall"
    rows = rows_of(folder / "scryfall-2018-2019-slice.json.gz")
    assert len(rows) == 6472
    assert [row for row in rows if isinstance(row, Unread)] == []
    assert len(real) > 6600


def test_a_real_file_that_holds_no_cards_has_rows_that_cannot_be_read(shared_data: Path) -> None:
    rows = rows_of(shared_data / "scryfall" / "mtg_ssm-2.8.2" / "sets.json")
    assert rows != []
    assert all(isinstance(row, Unread) for row in rows)


# --- the worked examples of the house rules ---


def test_worked_example_an_artifact_that_may_be_used() -> None:
    text = "Whoever holds it gets +3/+0 and runs.\nEquip {3}"
    found = reading(mana_cost="{3}", oracle_text=text, collector_number="123", type_line="Artifact — Equipment")
    assert (found.zones, found.face, found.reason, found.score) == ({"top-right": [3]}, [3, 0, 3], None, 9)


def test_worked_example_a_creature_with_two_numbers_in_its_corner() -> None:
    found = reading(mana_cost="{1}{G}", power="2", toughness="2", collector_number="7", frame="2003")
    assert found.zones == {"top-right": [1], "bottom-right": [2, 2], "bottom": [7]}
    assert (found.face, found.reason, found.score) == ([], "multiple-numbers:bottom-right", 12)


def test_worked_example_a_planeswalker() -> None:
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


def test_ruling_each_symbol_of_a_cost_is_read_by_itself() -> None:
    assert reading(mana_cost="{½}{W/P}{X}{G/U}").zones == {"top-right": [0]}
    assert reading(mana_cost="{1000000}").zones == {}


def test_ruling_the_lit_lights_of_an_attraction_are_on_the_right() -> None:
    assert reading(attraction_lights=[6]).zones == {"right": [6]}
    lit = reading(attraction_lights=[2, 3, 6])
    assert (lit.zones, lit.reason) == ({"right": [2, 3, 6]}, "multiple-numbers:right")


@pytest.mark.parametrize("printed", [None, "Batalla — Asedio"])
def test_ruling_a_battle_is_barred_by_the_type_line_of_its_front(printed: str | None) -> None:
    front = {"name": "Siege", "mana_cost": "{2}{R}", "type_line": "Battle — Siege", "defense": "5"}
    if printed:
        front["printed_type_line"] = printed
    back = {"name": "Grob", "type_line": "Creature — Grob", "power": "7", "toughness": "7"}
    found = reading(layout="transform", card_faces=[front, back])
    assert (found.zones, found.reason) == ({"top-right": [2], "bottom-right": [5]}, "layout:battle")
    turned = reading(layout="transform", card_faces=[back, front])
    assert (turned.zones, turned.reason) == ({"bottom-right": [7, 7]}, "multiple-numbers:bottom-right")


def test_ruling_a_card_that_only_speaks_of_battle_is_none() -> None:
    assert reading(name="Battle Grob", type_line="Creature — Battler", power="*", toughness="3").reason is None


@pytest.mark.parametrize("layout", ["class", "case", "mutate", "normal", "host", "emblem"])
def test_ruling_upright_single_fronts_may_be_used(layout: str) -> None:
    found = reading(layout=layout, mana_cost="{1}", oracle_text="{2}{G}: Level 2\n{4}{G}: Level 3")
    assert (found.zones, found.face, found.reason) == ({"top-right": [1]}, [2, 2, 4, 3], None)


@pytest.mark.parametrize("layout", ["split", "flip", "planar", "scheme", "vanguard", "front_card", "never heard of"])
def test_ruling_any_other_layout_is_barred_by_its_name(layout: str) -> None:
    assert reading(layout=layout, mana_cost="{1}").reason == f"layout:{layout}"


def test_ruling_without_rules_text_where_a_card_is_textless() -> None:
    assert reading(textless=True, oracle_text="Deals 3 damage.", flavor_text="7 times").face == [7]


def test_ruling_an_oversized_card_is_barred_after_its_layout_and_before_its_numbers() -> None:
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
def test_ruling_what_is_not_on_paper_is_digital(fields: Fields, reason: str | None) -> None:
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
def test_ruling_where_a_collector_number_is_printed(frame: str, released: str | None, zone: str | None) -> None:
    found = reading(frame=frame, released_at=released, collector_number="8")
    assert found.zones == ({zone: [8]} if zone else {})


@pytest.mark.parametrize(
    ("number", "expected"), [("a1 2007", 1), ("7s", 7), ("GR6", 6), ("5★", 5), ("†10", 10), ("2019-1", None)]
)
def test_ruling_the_digits_of_a_collector_number(number: str, expected: int | None) -> None:
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
def test_ruling_loyalty_costs_are_on_the_left_however_they_are_written(text: str) -> None:
    found = reading(type_line="Planeswalker — Grob", printed_text=text, loyalty="X")
    assert (found.zones, found.face) == ({"left": [1]}, [3])


def test_ruling_only_a_cost_and_a_colon_at_the_start_of_a_line_is_a_loyalty_ability() -> None:
    text = "Grob pays 4: nothing.\n+1, then 2: nothing.\n−X: Deals X.\n0: Look.\n10 cards: no."
    found = reading(type_line="Planeswalker — Grob", oracle_text=text)
    assert (found.zones, found.face) == ({"left": [0]}, [4, 1, 2, 10])
    assert reading(type_line="Artifact", oracle_text="1: Look.").zones == {}


def test_ruling_what_is_printed_comes_before_the_english_words() -> None:
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


def test_ruling_what_stands_in_the_data_and_not_on_the_card_does_not_count() -> None:
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


def test_an_id_names_set_number_and_a_foreign_language() -> None:
    rows = [made_up(lang=lang, printed_name=lang) for lang in ("en", "ja")]
    content = "\n".join(map(json.dumps, rows)).encode() + b"\n"
    printings = [row for row in scryfall.read(_stream(content), "x") if isinstance(row, Printing)]
    assert [row.id for row in printings] == ["mtg:xyz/99", "mtg:xyz/99/ja"]
    assert [row.printed_name for row in printings] == ["en", "ja"]


# --- every shape of file ---

CARDS = [
    made_up(
        collector_number="1", name='Gr"öb ]},', mana_cost="{3}", oracle_text="Has [2] of {these}\\,\n", all_parts=[{}]
    ),
    made_up(collector_number="2", name="鬼 \u2028 \U0001f409", lang="ja", multiverse_ids=[], prices={"usd": None}),
    made_up(collector_number="3", power="*", toughness="3", games=["paper", "mtgo"], big=10**40, small=-1.5e-7),
    made_up(collector_number="4", card_faces=[{"name": "A", "mana_cost": "{1}"}, {"name": "B"}], layout="transform"),
]
SHAPES: dict[str, Callable[[list[Fields]], str]] = {
    "JSON Lines": lambda cards: "".join(json.dumps(card, ensure_ascii=False) + "\n" for card in cards),
    "escaped JSON Lines": lambda cards: "".join(json.dumps(card) + "\n" for card in cards),
    "JSON Lines with blank lines": lambda cards: "\n\n" + "\n\n".join(map(json.dumps, cards)) + "\n \n",
    "array, a line each": lambda cards: "[\n" + ",\n".join(map(json.dumps, cards)) + "\n]\n",
    "array, brackets in the lines": lambda cards: "[" + ",\n".join(map(json.dumps, cards)) + "]",
    "pretty array": lambda cards: json.dumps(cards, indent=2, ensure_ascii=False) + "\n",
    "array in one line": lambda cards: json.dumps(cards, separators=(",", ":")),
    "array in one line with its end": lambda cards: json.dumps(cards) + "\n",
    "API list": lambda cards: json.dumps({"object": "list", "has_more": False, "data": cards}) + "\n",
    "API list without its end": lambda cards: json.dumps({"object": "list", "data": cards}),
    "pretty API list": lambda cards: json.dumps({"object": "list", "data": cards, "next": None}, indent=4),
}
DRESSES: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda content: content,
    "gzipped": gzip.compress,
    "in two gzip members": lambda content: gzip.compress(content[:50], mtime=0) + gzip.compress(content[50:]),
    "with a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "with Windows line ends": lambda content: content.replace(b"\n", b"\r\n"),
    "without a final line end": lambda content: content.rstrip(b"\n"),
    "with blank lines first": lambda content: b"\n \n" + content,
    "gzipped, with everything": lambda content: gzip.compress(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")),
}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_file_gives_the_same_cards(tmp_path: Path, shape: str, dress: str) -> None:
    path = tmp_path / ("cards.txt" if dress == "gzipped" else "cards.csv.gz")  # names may lie: what is inside decides
    path.write_bytes(DRESSES[dress](SHAPES[shape](CARDS).encode()))
    rows = rows_of(path)
    assert [row[1] for row in rows] == [card["name"] for card in CARDS]
    readings = [READER.read(row.fields) for row in rows if isinstance(row, Printing)]
    assert [found.score for found in readings] == [3 + 1 + 2, 2, 3 + 3, 1 + 4]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("dress", DRESSES)
def test_a_file_may_be_one_card(tmp_path: Path, dress: str, indent: int | None) -> None:
    path = tmp_path / "card.json"
    path.write_bytes(DRESSES[dress](json.dumps(CARDS[0], indent=indent).encode()))
    assert [row[1] for row in rows_of(path)] == [CARDS[0]["name"]]


@pytest.mark.parametrize("content", [b"[]", b"[\n]\n", b"[ \n\n ]", b'{"data":[]}', b'{"data": [\n]}\n'])
def test_a_list_may_be_empty(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    assert rows_of(path) == []


@pytest.mark.parametrize("indent", [None, 2])
def test_a_number_of_any_length_in_a_field_that_nobody_asks_for_does_no_harm(indent: int | None) -> None:
    content = json.dumps([made_up(big=1), made_up()], indent=indent).replace('"big": 1', f'"big": {"9" * 5000}')
    assert [type(row) for row in scryfall.read(_stream(content.encode()), "x")] == [Printing, Printing]


def test_rows_are_read_while_the_file_is(tmp_path: Path) -> None:
    for shape in ("JSON Lines", "array, a line each", "pretty array"):
        path = tmp_path / "cards.json"
        path.write_text(SHAPES[shape](CARDS * 3000), encoding="utf-8")
        with open_data(path) as stream:
            assert next(scryfall.read(stream, path.name))[1] == CARDS[0]["name"]
            assert stream.tell() < path.stat().st_size / 2


# --- rows that are no cards ---

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
def test_a_row_that_is_no_card_is_handed_on_with_its_place(bad: str, shape: str) -> None:
    good = json.dumps(CARDS[0])
    content, where = {
        "JSON Lines": (f"{good}\n\n{BAD_ROWS[bad]}\n{good}\n", "line 3"),
        "array, a line each": (f"[\n{good},\n{BAD_ROWS[bad]},\n{good}\n]", "line 3"),
        "array in one line": (f"[{good},{BAD_ROWS[bad]},{good}]", "value 2"),
        "API list": (f'{{"data":[{good},{BAD_ROWS[bad]},{good}]}}', "value 2"),
    }[shape]
    if shape == "API list" and ("NUL" in bad or "control" in bad or "lone" in bad or "half" in bad):
        with pytest.raises(CatalogError, match="damaged"):  # the document as a whole is no JSON
            list(scryfall.read(_stream(content.encode()), "x"))
        return
    first, second, third = scryfall.read(_stream(content.encode()), "x")
    assert isinstance(second, Unread)
    assert second.where == where
    assert second.why != ""
    assert first == third


@pytest.mark.parametrize("broken", ['{"name": }', '{"name": "x"', "x", '{"a":1}{"b":2}', "{'a': 1}", "\x07", "{]"])
def test_a_damaged_line_does_not_spoil_the_others(broken: str) -> None:
    good = json.dumps(CARDS[0])
    for content in (f"{good}\n{broken}\n{good}\n", f"[\n{good},\n{broken},\n{good}\n]\n"):
        rows = list(scryfall.read(_stream(content.encode()), "x"))
        assert [isinstance(row, Unread) for row in rows] == [False, True, False]


# --- files that are damaged or hostile ---


def refused(path: Path) -> str:
    with pytest.raises(CatalogError) as caught:
        rows_of(path)
    message = str(caught.value)
    assert path.name in message
    assert len(message.splitlines()) == 1
    assert len(message) < 300
    return message


NESTED = '{"name":"x","deep":' + "[" * 100_000 + "]" * 100_000 + "}"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n \r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (b"\x00" * 1000, "not a JSON file"),
        (b"\x89PNG\r\n\x1a\n\x00", "not a JSON file"),
        (b"name,set,number\n", "not a JSON file"),
        ("[]".encode("utf-16"), "not a JSON file"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"[", "cut off"),
        (b"{", "cut off"),
        (b"[\n{", "cut off"),
        (b"{}{", "cut off"),
        (b'{"name":\n', "cut off"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[\n" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{\n"a":' * 100_000, "nested too deeply"),
        (f"[{NESTED}]".encode(), "nested too deeply"),
        (f"[\n {NESTED[:30]}\n{NESTED[30:]}]".encode(), "nested too deeply"),
        (f'{{"data":\n[{NESTED}]}}'.encode(), "nested too deeply"),
        ('[{"name":"Königin"},'.encode("latin-1"), "UTF-8"),
        ('[\n{"name":\n"Königin"},'.encode("latin-1"), "UTF-8"),
        ('{"name":"Königin"}\n'.encode("latin-1"), "UTF-8"),
        ('{"data":[{"name":"Königin"}]}'.encode("latin-1"), "UTF-8"),
        (b'{"name":"' + b"x" * 10_000_000 + b'"}', "over 1 MiB"),
        (b'[{"name":"' + b"x" * 10_000_000 + b'"}]', "over 1 MiB"),
        (b'{"name":"x"}\n{"name":"' + b"x" * 10_000_000 + b'"}\n', "over 1 MiB"),
        (b'[\n{"name":"x"},\n{"name":"' + b"x" * 10_000_000 + b'"}\n]\n', "over 1 MiB"),
        (b'{"data":[{"name":"' + b"x" * 10_000_000 + b'"}]}', "over 1 MiB"),
        (b'{"data":[' + b'{"name":"x"},' * 2_000_000 + b"{}]}", "over 16 MiB"),
        (b'[{"name":"x"}][{"name":"y"}]', "behind the end"),
        (b'[\n{"name":"x"}\n]\n[\n', "behind the end"),
        (b'[\n{"name":"x"}]\n\n' + b" " * 1_000_000 + b"x", "behind the end"),
        (b"\x1f", "not a JSON file"),
        (b"\x1f\x8b", "too early"),
        (b"\x1f\x8b\x08\x00garbage", "damaged|too early"),
        (gzip.compress(b"[]", mtime=0) + b"more", "damaged"),
    ],
)
def test_a_file_that_is_no_card_file_gets_one_clear_message(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(content)
    assert any(word in refused(path) for word in words.split("|"))


def test_a_folder_or_a_missing_file_is_told_as_such(tmp_path: Path) -> None:
    folder = tmp_path / "cards.json"
    folder.mkdir()
    assert "folder" in refused(folder)
    assert "No such file" in refused(tmp_path / "nothing.json")


@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "pretty array"])
def test_deep_nesting_in_a_later_row_ends_in_words(shape: str) -> None:
    good = json.dumps(CARDS[0])
    content = {
        "JSON Lines": f"{good}\n{NESTED}\n{good}\n",
        "array, a line each": f"[\n{good},\n{NESTED},\n{good}\n]",
        "pretty array": f"[\n{json.dumps(CARDS[0], indent=2)},\n{NESTED}]",
    }[shape]
    rows = scryfall.read(_stream(content.encode()), "x")
    assert isinstance(next(rows), Printing)
    if shape == "pretty array":
        with pytest.raises(CatalogError, match="nested too deeply"):
            list(rows)
    else:
        assert [isinstance(row, Unread) for row in rows] == [True, False]


LINES_END = {"JSON Lines", "escaped JSON Lines", "JSON Lines with blank lines"}


@pytest.mark.parametrize("shape", SHAPES)
@given(data=st.data())
def test_a_file_that_is_cut_off_is_refused(shape: str, data: st.DataObject) -> None:
    content = SHAPES[shape](CARDS[:2]).encode()
    cut = content[: data.draw(st.integers(0, len(content.rstrip()) - 1))]
    rows = scryfall_rows(cut)
    if shape in LINES_END and (rows is None or not cut.strip() or _ends_with_a_row(cut)):
        return  # a list of lines that ends with a line cannot be told from a whole one
    assert rows is None


@pytest.mark.parametrize("tail", ['"colors":["R"]', '"card_faces":[{}', '"a":{"b":{}', '"x":[]'])
def test_a_cut_behind_a_bracket_or_a_brace_is_noticed(tail: str) -> None:
    good = json.dumps(CARDS[0])
    for content in (f"[\n{good},\n{good[:-1]},{tail}", f"{good}\n{good[:-1]},{tail}", f"{good[:-1]},{tail}"):
        assert scryfall_rows(content.encode()) is None, content


def scryfall_rows(content: bytes) -> list[SourceRow] | None:
    """The rows of a file, or None where it is refused."""
    try:
        return list(scryfall.read(_stream(content), "x"))
    except CatalogError:
        return None


def _ends_with_a_row(content: bytes) -> bool:
    try:
        json.loads(content.rstrip().rsplit(b"\n", 1)[-1])
    except ValueError:
        return False
    return True


PACKED = gzip.compress(SHAPES["array, a line each"](CARDS).encode(), mtime=0)


@given(length=st.integers(0, len(PACKED) - 1))
def test_a_gzip_file_that_is_cut_off_is_refused(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.mktemp("cut") / "cards.json.gz"
    path.write_bytes(PACKED[:length])
    refused(path)


@given(place=st.integers(10, len(PACKED) - 1), bit=st.integers(0, 7))
def test_a_garbled_gzip_file_is_refused(tmp_path_factory: pytest.TempPathFactory, place: int, bit: int) -> None:
    garbled = bytearray(PACKED)
    garbled[place] ^= 1 << bit
    with contextlib.suppress(OSError, EOFError, zlib.error):
        # The last byte of the packed data has bits that mean nothing.
        assume(gzip.decompress(garbled) != gzip.decompress(PACKED))
    path = tmp_path_factory.mktemp("garbled") / "cards.json.gz"
    path.write_bytes(garbled)
    refused(path)


@pytest.mark.parametrize("piece", [b"\0", b" ", b" " * 2000 + b"\n", b'{"name":"' + b"x" * 2000 + b'"}\n', b"[[],[],"])
def test_a_gzip_bomb_is_stopped_early(tmp_path: Path, piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    believed = 2 << 20
    monkeypatch.setattr(allowance, "ALWAYS_UNPACKED", believed)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = piece * ((1 << 20) // len(piece))
    path = tmp_path / "bomb.gz"
    with path.open("wb") as file:
        for _ in range(64):
            file.write(squeeze.compress(block))
        file.write(squeeze.flush())
    assert path.stat().st_size < 1 << 18
    read = 0

    def work() -> None:
        nonlocal read
        with open_data(path) as stream:
            for _ in scryfall.read(stream, path.name):
                read += 1

    def refuse() -> None:
        with pytest.raises(CatalogError) as caught:
            work()
        assert "\n" not in str(caught.value)

    assert peak_of(refuse) < 16 << 20
    assert read * len(piece) <= max(believed, allowance.STEEPEST * path.stat().st_size) + (1 << 20)


@given(content=st.binary(max_size=200))
def test_any_bytes_are_rows_or_an_error(content: bytes) -> None:
    for start in (b"", b"{", b"[", b"[\n{", b'{"data":[', b"\xef\xbb\xbf["):
        scryfall_rows(start + content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)
texts = st.text("0123459+-−—/½.,{}[]():*X \nabé", max_size=20)
TEXT_KEYS = ["name", "mana_cost", "type_line", "oracle_text", "printed_text", "flavor_text", "power", "toughness"]
MORE_TEXT_KEYS = ["loyalty", "defense", "frame", "layout", "released_at", "collector_number", "set", "lang"]
OTHER_KEYS = ["games", "card_faces", "attraction_lights", "digital", "textless", "oversized", "x"]
card_texts = st.dictionaries(st.sampled_from(TEXT_KEYS + MORE_TEXT_KEYS), texts | st.none())
card_others = st.dictionaries(st.sampled_from(TEXT_KEYS + OTHER_KEYS), json_values, max_size=2)


@given(
    fields=card_texts,
    others=card_others,
    faces=st.lists(card_texts, max_size=2),
    kind=st.sampled_from(["Planeswalker", "Battle", "Artifact"]),
    layout=st.sampled_from(["adventure", "normal", "split"]),
)
def test_whatever_a_row_says_it_is_a_card_with_sound_numbers_or_unread(
    fields: Fields, others: Fields, faces: list[Fields], kind: str, layout: str
) -> None:
    whole = {**made_up(type_line=kind, layout=layout, card_faces=faces), **fields, **others}
    for row in scryfall.read(_stream(json.dumps(whole).encode()), "x"):
        if isinstance(row, Printing):
            found = READER.read(row.fields)
            numbers = [number for zone in found.zones.values() for number in zone] + found.face
            assert all(0 <= number <= 10 for number in numbers)
            assert found.score == sum(numbers)
            assert (found.reason is None) <= all(len(zone) == 1 for zone in found.zones.values())


# --- memory ---


def peak_of(work: Callable[[], object]) -> int:
    """The most memory that Python held while something was done, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("shape", ["JSON Lines", "array, a line each", "pretty array", "array in one line"])
def test_four_times_the_file_takes_the_same_memory(tmp_path: Path, shape: str, packed: bool) -> None:
    def read(count: int) -> int:
        path = tmp_path / f"{count}.json"
        cards = [made_up(name=f"Grob {i}", collector_number=str(i), flavor_text="x" * 1000) for i in range(count)]
        content = SHAPES[shape](cards).encode()
        path.write_bytes(gzip.compress(content, 1, mtime=0) if packed else content)
        del cards, content

        def work() -> None:
            with open_data(path) as stream:
                assert sum(1 for row in scryfall.read(stream, path.name) if isinstance(row, Printing)) == count

        return peak_of(work)

    small, large = read(1500), read(6000)
    assert large < small * 1.15 + (64 << 10)


def test_nothing_long_is_remembered() -> None:
    reader = LAYOUT.compiled()

    def fields() -> Iterator[Fields]:
        for i in range(50):
            long = f"{i}" + "x" * 100_000
            yield {"frame": long, "layout": long, "power": long, "toughness": long, "collector_number": long}
            yield {
                "games": (long,),
                "kind": long,
                "mana_cost": long,
                "text": long,
                "set": long,
                "loyalty_costs": (long,),
            }

    assert peak_of(lambda: [reader.read(card).score for card in fields()]) < 4 << 20


def test_a_row_of_the_longest_size_costs_little_however_it_is_filled() -> None:
    filling = "{}," * (LONGEST_ROW // 3 - 100)
    row = json.dumps(made_up(card_faces="@")).replace('"@"', f"[{filling}{{}}]").encode()
    assert len(row) < LONGEST_ROW
    assert peak_of(lambda: list(scryfall.read(_stream(row + b"\n" + row + b"\n"), "x"))) < 100 << 20
