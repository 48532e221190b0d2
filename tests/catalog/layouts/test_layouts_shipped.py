"""The shipped layouts, their evidence, and what a file may hold."""

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_layouts import DRAGONS, LINE, TOP, made_up

from ccgrid.catalog.card import ZONES, CatalogError
from ccgrid.catalog.evidence import EvidenceReader, explain_evidence, numerals_only
from ccgrid.catalog.layouts.layout import Lackey, Layout
from ccgrid.catalog.layouts.layout_file import LARGEST, find_layout, parse_layout
from ccgrid.catalog.layouts.lines import Column, Columns

SHIPPED = sorted(
    entry.name.removesuffix(".toml")
    for entry in resources.files("ccgrid.data.layouts").iterdir()
    if entry.name.endswith(".toml")
)


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
