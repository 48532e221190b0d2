"""Formats of other apps: recognised by content, read row by row, and written so that they can be read back."""

import csv
import json
import string
import unicodedata
from pathlib import Path

import pytest
from app_files import read, rows, write, written
from hypothesis import example, given
from hypothesis import strategies as st

from ccgrid.catalog.collection.export import find_writer, in_words, losses
from ccgrid.catalog.collection.formats import all_formats, find_format
from ccgrid.catalog.collection.formats.apps import all_apps, app_of
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.collection.formats.table_columns import parse_map
from ccgrid.catalog.copy_terms import condition_word, finish_word, language_code
from ccgrid.catalog.csv_lines import escape_formula, formula_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import NOWHERE, Holding, Place
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.words import CONDITIONS, heading_key, vocabulary

# --- recognition of formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize("app", all_apps(), ids=lambda app: app.name)
def test_every_app_is_recognised_by_its_own_header(app) -> None:
    assert app_of([heading for heading, _ in app.columns]) is app
    assert app_of([heading.upper() for heading, _ in app.columns]) is app


@pytest.mark.parametrize(
    ("text", "form", "written"),
    [
        ("Count;Name;Edition;Collector Number\n2;Ant;dsk;7\n", "csv", "semicolon, utf-8"),
        ("sep=;\nCount;Name;Edition\n2;Ant;dsk\n", "csv", "semicolon, utf-8"),
        ('"sep=,"\nFolder Name,Quantity,Card Name\nA,2,Ant\n', "dragonshield", "comma, utf-8"),
        ("\ufeffFolderName,Quantity,CardName\nA,2,Ant\n", "dragonshield", "comma, utf-8"),
        ("Name\tQuantity\nAnt\t2\n", "csv", "tab, utf-8"),
        ("title,edition,foil,quantity\nAnt,Dusk,false,2\n", "cardkingdom", "comma, utf-8"),
        ("2 Ant\n1 Bee (DSK) 5\n", "arena", "utf-8"),
        ("2 Ant, the Quick\n1 Bee\n", "arena", "utf-8"),
        ("Deck\n2 Ant\n\nSideboard\n1 Bee\n", "arena", "utf-8"),
        ('{"id": "a:1", "copies": 2}\n', "jsonl", "utf-8"),
        ('[\n{"id": "a:1"}\n]\n', "jsonl", "utf-8"),
        ("<Deck><Cards CatID='5' Quantity='2' Name='Ant'/></Deck>", "mtgo-dek", "XML"),
        (
            "<deck version='0.8'><superzone name='Deck'><card><name>Ant</name></card></superzone></deck>",
            "lackey",
            "XML",
        ),
        (
            "<cockatrice_deck version='1'><zone><card number='2' name='Ant'/></zone></cockatrice_deck>",
            "cockatrice",
            "XML",
        ),
    ],
)
def test_file_format_is_recognised_by_content_not_name(tmp_path: Path, text: str, form: str, written: str) -> None:
    reading = read(write(tmp_path, text, "file.bin"))
    assert (reading.name, reading.written) == (form, written)
    first = next(row for row in reading.rows if isinstance(row, Row))
    assert first.name.partition(",")[0] == "Ant" or first.ids == (("card", "a:1"),)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_table_in_usual_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "Quantity,Name\n1,Áine’s Dûsk\n2,Ant\n".encode(encoding))
    assert [row.name for row in rows(path)] == ["Áine’s Dûsk", "Ant"]


def test_unknown_table_is_read_with_map_of_its_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "wieviele,was,woher\n3,Ant,dsk\n")
    with pytest.raises(CatalogError, match="--map"):
        rows(path)
    assert rows(path, columns="copies=wieviele, name=was, set=woher")[0][2:5] == ((("normal", 3),), "Ant", "dsk")


def test_table_without_headings_is_read_with_column_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, '"1","Ant","dsk","it"\n"2","Bee","dsk","de"\n')
    found = rows(path, columns="copies=1,name=2,set_code=3,language=4")
    assert [(row.name, row.copies, row.language) for row in found] == [("Ant", 1, "it"), ("Bee", 2, "de")]


@pytest.mark.parametrize("text", ["name", "name=", "=Card", "naem=Card", "name=Card,,"])
def test_map_without_fields_is_rejected(text: str) -> None:
    with pytest.raises(CatalogError, match="FIELD=HEADING"):
        parse_map(text)


def test_unknown_format_error_lists_known_formats() -> None:
    with pytest.raises(CatalogError, match="moxfield"):
        find_format("moxfeild")


# --- rows --------------------------------------------------------------------------------------------------------


def test_invalid_row_is_skipped_with_reason(tmp_path: Path) -> None:
    text = "Count,Name,Edition\n2,Ant,dsk\n,,\n0,Bee,dsk\nmany,Cat,dsk\n-3,Dog,dsk\n1,,\n2x,Eel,dsk\n"
    text += "9999999,Fox,dsk\n1,G,d,x,y\n"
    found = rows(write(tmp_path, text))
    assert [row.name for row in found if isinstance(row, Row)] == ["Ant", "Eel"]
    assert [(row.line, row.reason) for row in found if isinstance(row, SkippedRow)] == [
        (4, "it has no copies"),
        (5, "'many' is not a number of copies"),
        (6, "'-3' is not a number of copies"),
        (7, "it names no card"),
        (9, "over 1,000,000 copies"),
        (10, "5 cells under 3 headings"),
    ]


def test_normal_and_foil_copies_in_one_row_stay_one_row(tmp_path: Path) -> None:
    path = write(
        tmp_path, "CardId,Normal,Foil,Name,Set\nOGN-001,3,2,Ant,Origins\nOGN-002,0,1,Bee,Origins\nOGN-003,0,0,Cat,O\n"
    )
    found = rows(path)
    assert [row.amounts for row in found if isinstance(row, Row)] == [(("normal", 3), ("foil", 2)), (("foil", 1),)]
    assert isinstance(found[2], SkippedRow)


@pytest.mark.parametrize(
    ("line", "name", "copies", "finish", "printing"),
    [
        ("2 Wyvern", "Wyvern", 2, "normal", ("", "")),
        ("Wyvern", "Wyvern", 1, "normal", ("", "")),
        ("3x Wyvern (DSK) 12 *F*", "Wyvern", 3, "foil", ("dsk", "12")),
        ("1 Wyvern [DSK:12] [foil]", "Wyvern", 1, "foil", ("dsk", "12")),
        ("1 Wyvern *E*", "Wyvern", 1, "etched", ("", "")),
        ("SB: 4 Wyvern", "Wyvern", 4, "normal", ("", "")),
        ("1 Wyvern|DSK|[12]", "Wyvern", 1, "normal", ("dsk", "12")),
        ("1 Fire // Ice (APC) 128", "Fire // Ice", 1, "normal", ("apc", "128")),
        ("BT16-109 4", "", 4, "normal", ("", "BT16-109")),
    ],
)
def test_list_line_gives_copies_name_finish_and_printing(tmp_path: Path, line, name, copies, finish, printing) -> None:
    row = rows(write(tmp_path, f"// a comment\n\n{line}\n", "list.txt"))[0]
    assert isinstance(row, Row)
    assert (row.line, row.name, row.amounts, (row.set_code, row.number)) == (3, name, ((finish, copies),), printing)


def test_cards_in_sideboard_are_owned(tmp_path: Path) -> None:
    text = "About\nName My deck\n\nDeck\n2 Ant\n\nSideboard\n1 Bee\n"
    assert [row.name for row in rows(write(tmp_path, text, "list.txt"))] == ["Ant", "Bee"]


def test_xml_lists_are_read_with_sideboards_and_without_counts(shared_data: Path) -> None:
    folder = shared_data / "decks" / "xmage-importer"
    cod = rows(folder / "testdeck.cod")
    assert [(row.name, row.copies) for row in cod] == [
        ("Forest", 12),
        ("Razorverge Thicket", 5),
        ("Avacyn's Pilgrim", 1),
        ("@#$NOT A REAL CARD NAME@#$", 1),
        ("War Priest of Thune", 3),
    ]
    dek = rows(folder / "testdeck.dek")
    assert [row.ids for row in dek][:2] == [(("mtgo", "21213"),), (("mtgo", "61446"),)]
    assert sum(row.copies for row in dek) == 8


# --- conditions and finishes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word"),
    [
        *(("NM", "near-mint"), ("Near Mint", "near-mint"), ("near_mint", "near-mint"), ("NearMint", "near-mint")),
        *(("LightPlayed", "lightly-played"), ("Lightly Played", "lightly-played"), ("Good (Lightly Played)", "good")),
        *(
            ("M", "mint"),
            ("HP", "heavily-played"),
            ("Damaged", "damaged"),
            ("sealed", "sealed"),
            ("Near Mint Foil", "Near Mint Foil"),
        ),
    ],
)
def test_conditions_are_read_in_every_spelling_or_kept_if_unknown(text: str, word: str) -> None:
    assert condition_word(text) == word


def test_normalised_words_stay_unchanged() -> None:
    assert [condition_word(word) for word in CONDITIONS] == list(CONDITIONS)
    assert [language_code(code) for code in vocabulary().language_names] == list(vocabulary().language_names)
    assert [finish_word(word) for word in ("normal", "foil", "etched")] == ["normal", "foil", "etched"]


# --- writing and reading back ------------------------------------------------------------------------------------


WRITERS = [form for form in all_formats() if form.write is not None]
IDS = "scryfall:11111111-2222-3333-4444-555555555555 mtgo:7 tcgplayer:8 cardmarket:9 multiverse:10"


def holding(**more: object) -> Holding:
    plain = Holding(1, "a:dsk/7", 2, "normal", "near-mint", "en", NOWHERE, "a", "Ant", "dsk", "Dusk", "7", IDS)
    return plain._replace(**more)


HOLDINGS = [
    holding(),
    holding(finish="foil", condition="damaged", language="ja"),
    holding(name='Moth, "the Quick"', condition="lightly-played", language="zht"),
    holding(name="+2 Mace", finish="etched", condition="", place=Place("=Attic", "3", "-1")),
    holding(name="Ember Gate // Ash Gate", number="12★", copies=1),
    holding(name="'Twas <Night> & Day", place=Place("Box A"), condition="mint"),
]


@pytest.mark.parametrize("form", WRITERS, ids=lambda form: form.name)
def test_written_fields_are_read_back_except_reported_losses(form, tmp_path: Path) -> None:
    reading = read(written(form, HOLDINGS, tmp_path))
    found = list(reading.rows)
    assert reading.name in (form.name, {"json": "jsonl", "xlsx": "csv"}.get(form.name, "arena"))
    assert all(isinstance(row, Row) for row in found), found
    if form.name == "lackey":  # It writes an element for each copy.
        assert [row.name for row in found] == [one.name for one in HOLDINGS for _ in range(one.copies)]
        return
    assert [row.copies for row in found] == [one.copies for one in HOLDINGS]
    for row, own in zip(found, HOLDINGS, strict=True):
        output = " ".join(in_words(losses(form, [own])))
        if form.name != "cardmarket":
            assert row.name == own.name
        if "which printing" not in output and form.name not in ("cardmarket", "cardkingdom", "mtgo-dek"):
            assert (row.set_code or row.set_name).casefold() in ("dsk", "dusk")
        if not any(word in output for word in ("number", "printing")) and form.name not in (
            "cardmarket",
            "mtgo-dek",
            "deckedbuilder",
        ):
            assert row.number == own.number
        assert ("finish" in output) == (row.amounts[0][0] != own.finish)
        assert ("condition" in output) == (row.condition != own.condition)
        assert ("language" in output) == ((row.language or "en") != own.language)
        if "box" not in output:
            assert row.place.box == own.place.box
        if "row and slot" not in output:
            assert row.place[1:] == own.place[1:]


@pytest.mark.parametrize(
    "form", [form for form in WRITERS if form.name in {app.name for app in all_apps()}], ids=lambda f: f.name
)
def test_no_written_cell_is_a_formula_to_spreadsheets(form, tmp_path: Path) -> None:
    delimiter = ";" if form.name == "cardmarket" else ","
    with written(form, HOLDINGS, tmp_path).open(newline="", encoding="utf-8") as file:
        for cells in csv.reader(file, delimiter=delimiter):
            assert not [cell for cell in cells if is_formula(cell)], cells


def is_formula(cell: str) -> bool:
    """Return whether a spreadsheet may run a cell as a formula: it ignores blanks and accepts full-width signs."""
    blanks = string.whitespace + "\0\x1c\x1d\x1e\x1f\x85\xa0\u3000\u200b\ufeff"
    return unicodedata.normalize("NFKC", cell.lstrip(blanks)[:1]) in {*"=+-@"} or cell[:1] in {*"\t\r\n"}


BEFORE_FORMULA = ("", " ", "\t", "\r", "\n", "\xa0", "\u3000", " \t", "'", "' ")
FORMULAS = [f"{before}{sign}1+4" for before in BEFORE_FORMULA for sign in "=+-@＝＋－＠"]


@given(st.text(max_size=20) | st.text("' \t\r\n\u3000=+-@＝＋－＠x", max_size=6))
@example("' =1")
def test_escaped_formula_reads_back_unchanged(text: str) -> None:
    assert formula_text(escape_formula(text)) == text
    assert not is_formula(escape_formula(text))


@pytest.mark.parametrize(
    "form", [one for one in WRITERS if one.name in {"csv", "moxfield", "deckbox"}], ids=lambda f: f.name
)
def test_formula_like_names_are_escaped_and_read_back(form, tmp_path: Path) -> None:
    own = [holding(name=name) for name in FORMULAS]
    file = written(form, own, tmp_path)
    with file.open(newline="", encoding="utf-8") as text:
        assert not [cell for cells in csv.reader(text) for cell in cells if is_formula(cell)]
    # The reader converts line ends inside a cell to those of Unix.
    assert [row.name for row in rows(file)] == [name.replace("\r", "\n") for name in FORMULAS]


def test_json_lines_lose_nothing(tmp_path: Path) -> None:
    form = find_writer("jsonl")
    assert losses(form, HOLDINGS) == []
    for row, own in zip(rows(written(form, HOLDINGS, tmp_path)), HOLDINGS, strict=True):
        assert row.ids == (("card", own.card_id),)
        assert (*row.amounts[0], row.condition, row.language, row.place) == (
            *(own.finish, own.copies, own.condition, own.language),
            own.place,
        )


def test_unwritable_format_is_rejected() -> None:
    with pytest.raises(CatalogError, match="can be read but not written"):
        find_writer("scryfall")


# --- malicious and damaged files ----------------------------------------------------------------------------------


BOMB = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB + "]><deck><card><name>&j;</name></card></deck>", "entity"),
        ('<!DOCTYPE d SYSTEM "file:///etc/passwd"><deck><card><name>&x;</name></card></deck>', "entity"),
        (
            '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><deck><card><name>&x;</name></card></deck>',
            "entity",
        ),
        ("<deck><card><name>&x;</name></card></deck>", "damaged XML"),
        ("<deck><card>", "damaged XML"),
        ("<html><body>404</body></html>", "this is an HTML page"),
        ("<deck>" + "<a>" * 60, "too deeply"),
    ],
)
def test_hostile_xml_is_rejected(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CatalogError, match=words):
        rows(write(tmp_path, text, "deck.dek"))


def test_deck_with_document_type_is_read(tmp_path: Path) -> None:
    deck = '<deck version="0.8"><superzone name="Deck"><card><name>Ant</name><set>A</set></card></superzone></deck>'
    head = '<!DOCTYPE deck SYSTEM "http://www.lackeyccg.com/deck.dtd">'
    (row,) = rows(write(tmp_path, head + deck, "deck.dek"))
    assert isinstance(row, Row)
    assert row.name == "Ant"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02",
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b'Count,Name\n1,"Ant\n' + b"x\n" * 3000,
        b"{" * 5000,
        b'{"id": "a:1", "copies": 2}\n{"copies": \xff}\n',
        b"\xff\xfe\x00\xd8",
        b"[" * 100_000,
        b",,,,\n,,,,\n",
        b"2 " + b"x" * 100_000,
    ],
    ids=lambda content: repr(content[:12]),
)
def test_damaged_files_are_rejected_or_reported_row_by_row(tmp_path: Path, content: bytes) -> None:
    for name in ("file.csv", "file.txt", "file.jsonl"):
        problem = ""
        found = []
        try:
            found = rows(write(tmp_path, content, name))
        except CatalogError as error:
            problem = str(error)
        assert len(problem.splitlines()) <= 2
        assert problem or all(isinstance(row, Row | SkippedRow) for row in found)


def test_json_of_the_wrong_shape_is_reported_row_by_row(tmp_path: Path) -> None:
    good = {"id": "a:1", "copies": 2}
    bad = [
        5,
        None,
        [],
        {},
        {"id": [5]},
        {"id": "a:1", "copies": "2"},
        {"id": "a:1", "copies": True},
        {"id": "a:1", "copies": 0},
    ]
    path = write(tmp_path, "".join(json.dumps(value) + "\n" for value in [good, *bad, good]), "own.jsonl")
    found = rows(path)
    assert [isinstance(row, Row) for row in found] == [True, *[False] * len(bad), True]


def test_headings_ignore_blanks_and_case() -> None:
    assert heading_key("Card Number") == heading_key("CardNumber") == heading_key("card_number")
