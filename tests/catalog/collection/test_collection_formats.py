"""Files of other apps: told by their content, read row by row."""

from pathlib import Path

import pytest
from app_files import read, rows, write

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.formats import find_format
from ccgrid.catalog.collection.formats.apps import APPS, recognise
from ccgrid.catalog.collection.formats.format import Skipped
from ccgrid.catalog.collection.formats.tables import parse_map
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.words import CONDITIONS, LANGUAGES, condition_word, finish_word, language_code

# --- what a file is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_every_app_is_told_by_its_own_header(app) -> None:
    assert recognise([heading for heading, _ in app.columns]) is app
    assert recognise([heading.upper() for heading, _ in app.columns]) is app


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
def test_a_file_is_told_by_its_content_whatever_it_is_called(
    tmp_path: Path, text: str, form: str, written: str
) -> None:
    reading = read(write(tmp_path, text, "file.bin"))
    assert (reading.format.name, reading.written) == (form, written)
    first = next(row for row in reading.rows if isinstance(row, Row))
    assert first.name == "Ant" or first.ids == (("card", "a:1"),)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_table_may_be_in_any_usual_encoding(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, "Quantity,Name\n1,Áine’s Dûsk\n2,Ant\n".encode(encoding))
    assert [row.name for row in rows(path)] == ["Áine’s Dûsk", "Ant"]


def test_a_table_of_no_app_is_read_by_a_map_of_its_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "wieviele,was,woher\n3,Ant,dsk\n")
    with pytest.raises(CatalogError, match="--map"):
        rows(path)
    assert rows(path, columns="copies=wieviele, name=was, set=woher")[0][2:5] == ((("normal", 3),), "Ant", "dsk")


def test_a_table_without_headings_is_read_by_the_places_of_its_columns(tmp_path: Path) -> None:
    path = write(tmp_path, '"1","Ant","dsk","it"\n"2","Bee","dsk","de"\n')
    found = rows(path, columns="copies=1,name=2,set_code=3,language=4")
    assert [(row.name, row.copies, row.language) for row in found] == [("Ant", 1, "it"), ("Bee", 2, "de")]


@pytest.mark.parametrize("text", ["name", "name=", "=Card", "naem=Card", "name=Card,,"])
def test_a_map_that_maps_nothing_is_refused(text: str) -> None:
    with pytest.raises(CatalogError, match="FIELD=HEADING"):
        parse_map(text)


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(CatalogError, match="moxfield"):
        find_format("moxfeild")


# --- rows --------------------------------------------------------------------------------------------------------


def test_every_row_is_a_card_or_is_skipped_for_a_reason(tmp_path: Path) -> None:
    text = "Count,Name,Edition\n2,Ant,dsk\n,,\n0,Bee,dsk\nmany,Cat,dsk\n-3,Dog,dsk\n1,,\n2x,Eel,dsk\n"
    text += "9999999,Fox,dsk\n1,G,d,x,y\n"
    found = rows(write(tmp_path, text))
    assert [row.name for row in found if isinstance(row, Row)] == ["Ant", "Eel"]
    assert [(row.line, row.reason) for row in found if isinstance(row, Skipped)] == [
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
    assert isinstance(found[2], Skipped)


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
def test_a_line_of_a_list_says_how_many_of_what(tmp_path: Path, line, name, copies, finish, printing) -> None:
    row = rows(write(tmp_path, f"// a comment\n\n{line}\n", "list.txt"))[0]
    assert isinstance(row, Row)
    assert (row.line, row.name, row.amounts, (row.set_code, row.number)) == (3, name, ((finish, copies),), printing)


def test_cards_in_a_sideboard_are_owned_as_well(tmp_path: Path) -> None:
    text = "About\nName My deck\n\nDeck\n2 Ant\n\nSideboard\n1 Bee\n"
    assert [row.name for row in rows(write(tmp_path, text, "list.txt"))] == ["Ant", "Bee"]


def test_lists_in_xml_are_read_with_sideboards_and_missing_counts(shared_data: Path) -> None:
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


# --- words -------------------------------------------------------------------------------------------------------


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
def test_conditions_are_read_in_every_spelling_and_kept_where_unknown(text: str, word: str) -> None:
    assert condition_word(text) == word


def test_house_words_stay_what_they_are() -> None:
    assert [condition_word(word) for word in CONDITIONS] == list(CONDITIONS)
    assert [language_code(code) for code in LANGUAGES] == list(LANGUAGES)
    assert [finish_word(word) for word in ("normal", "foil", "etched")] == ["normal", "foil", "etched"]
