"""All fields of rows, columns, written files and vocabulary of other apps' formats."""

from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from ccgrid.catalog.collection.export import export, find_writer, in_words, losses
from ccgrid.catalog.collection.formats import all_formats, find_format, open_rows
from ccgrid.catalog.collection.formats.apps import all_apps, app_of
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.collection.formats.table_columns import columns_by_map, columns_of, parse_map
from ccgrid.catalog.copy_terms import condition_word, finish_word, language_code, language_name
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import NOWHERE, Holding, Place
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.words import CONDITIONS, vocabulary


def read(folder: Path, text: str, name: str = "file.csv", columns: str = "") -> list[Row | SkippedRow]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return list(open_rows(path, name, None, parse_map(columns) if columns else None, lambda remark: None).rows)


def single_row(folder: Path, text: str, **more: Any) -> Row:
    (found,) = read(folder, text, **more)
    assert isinstance(found, Row), found
    return found


# --- reading rows -----------------------------------------------------------------------------------------------------


def test_table_row_reads_every_collection_field(tmp_path: Path) -> None:
    text = (
        "Copies,Name,Set code,Set name,Number,Finish,Condition,Language,Box,Row,Slot,Card id,Settles\n"
        "2,'+2 Mace,dsk,Dusk,7,foil,NM,Japanese,Box A,3,12,a:dsk/7,5\n"
    )
    assert single_row(tmp_path, text) == Row(
        2,
        "2,'+2 Mace,dsk,Dusk,7,foil,NM,Japanese,Box A,3,12,a:dsk/7,5",
        (("foil", 2),),
        "+2 Mace",
        "dsk",
        "Dusk",
        "7",
        (("card", "a:dsk/7"),),
        "near-mint",
        "ja",
        Place("Box A", "3", "12"),
        5,
    )


def test_sparse_row_is_one_copy_of_normal_card(tmp_path: Path) -> None:
    assert single_row(tmp_path, "Name,Set\nAnt,dsk\n") == Row(2, "Ant,dsk", (("normal", 1),), "Ant", "dsk", "dsk")


def test_shown_row_quotes_cells_with_separator(tmp_path: Path) -> None:
    assert single_row(tmp_path, 'Name,Set,Count\n"Ant, the",dsk,1\n').raw == '"Ant, the",dsk,1'


@pytest.mark.parametrize(
    ("copies", "amounts", "reason"),
    [
        ("3", (("normal", 3),), ""),
        ("x3", (("normal", 3),), ""),
        ("3 X", (("normal", 3),), ""),
        ("×3", (("normal", 3),), ""),
        ("3.0", (("normal", 3),), ""),
        ("3,00", (("normal", 3),), ""),
        ("1,000", (), "'1,000' is not a number of copies"),  # It could mean one or a thousand.
        ("1000000", (("normal", 1_000_000),), ""),
        ("1000001", (), "over 1,000,000 copies"),
        ("99999999", (), "'99999999' is not a number of copies"),
        ("3.5", (), "'3.5' is not a number of copies"),
        ("-1", (), "'-1' is not a number of copies"),
        ("~1", (), "'~1' is not a number of copies"),
        ("yes", (("normal", 1),), ""),
        ("no", (), "it has no copies"),
        ("0", (), "it has no copies"),
        ("", (), "it has no copies"),
        ("z" * 50, (), f"{'z' * 40!r} is not a number of copies"),
    ],
)
def test_usual_spellings_of_copies_are_read(tmp_path: Path, copies: str, amounts: Any, reason: str) -> None:
    (found,) = read(tmp_path, f"Count;Name;Set\n{copies};Ant;dsk\n")
    if reason:
        assert found == SkippedRow(2, f"{copies};Ant;dsk", reason)
    else:
        assert isinstance(found, Row)
        assert found.amounts == amounts


def test_long_cells_are_cut(tmp_path: Path) -> None:
    found = single_row(tmp_path, f"Name,Set,Note,Box\n{'a' * 400},{'b' * 400},{'c' * 400},{'d' * 400}\n")
    assert [len(text) for text in (found.name, found.set_code, found.note, found.place.box)] == [300] * 4
    assert len(found.raw) == 500


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"id": "a:1"}', Row(1, '{"id": "a:1"}', (("normal", 1),), ids=(("card", "a:1"),))),
        (
            '{"name": "Ant", "copies": 2, "finish": "foil", "settles": 4}',
            Row(1, '{"name": "Ant", "copies": 2, "finish": "foil", "settles": 4}', (("foil", 2),), "Ant", doubt=4),
        ),
        ('{"collector_number": "7"}', Row(1, '{"collector_number": "7"}', (("normal", 1),), number="7")),
        ("{nope}", SkippedRow(1, "{nope}", "not JSON")),
        ('{"id": [5]}', SkippedRow(1, '{"id": [5]}', "a value is not text")),
        (
            '{"id": "a", "copies": true}',
            SkippedRow(1, '{"id": "a", "copies": true}', "'True' is not a number of copies"),
        ),
        ('{"id": "a", "copies": 0}', SkippedRow(1, '{"id": "a", "copies": 0}', "'0' is not a number of copies")),
        ('{"set_code": "dsk"}', SkippedRow(1, '{"set_code": "dsk"}', "it names no card")),
    ],
)
def test_json_line_is_a_row_or_skipped_with_reason(tmp_path: Path, line: str, found: Row | SkippedRow) -> None:
    assert read(tmp_path, line + "\n", "own.jsonl") == [found]


def test_xml_lists_are_read_card_by_card(tmp_path: Path) -> None:
    mtgo = '<Deck>\n<Cards CatID="5" Quantity="2" Name="Ant"/>\n<Cards Quantity="no" Name="Bee"/>\n</Deck>'
    assert read(tmp_path, mtgo, "a.dek") == [
        Row(2, "catid='5' quantity='2' name='Ant'", (("normal", 2),), "Ant", ids=(("mtgo", "5"),)),
        SkippedRow(3, "quantity='no' name='Bee'", "'no' is not a number of copies"),
    ]
    lackey = '<deck version="1"><card><name> Ant \n Hill</name><set>dsk</set></card><card><set>x</set></card></deck>'
    assert read(tmp_path, lackey, "b.dek") == [
        Row(1, "Ant Hill [dsk]", (("normal", 1),), "Ant Hill", "dsk", "dsk"),
        SkippedRow(2, " [x]", "it names no card"),
    ]
    cod = (
        '<cockatrice_deck version="1"><zone><card name="Ant" setShortName="DSK" collectorNumber="7" uuid="u"/>'
        '<card number="1000000" name="Bee"/><card number="1000001" name="Cow"/></zone></cockatrice_deck>'
    )
    first, second, third = read(tmp_path, cod, "c.cod")
    assert first[2:8] == ((("normal", 1),), "Ant", "DSK", "", "7", (("scryfall", "u"),))
    assert isinstance(second, Row)
    assert second.copies == 1_000_000
    assert third[2] == "'1000001' is not a number of copies"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '<!DOCTYPE d [<!ENTITY a "b">]><deck/>',
            snapshot("d.dek: it defines an XML entity, which is not allowed."),
        ),
        (
            "<html/>",
            snapshot("d.dek: this is an HTML page, not a collection or a deck.\nSave its cards as a text or a table."),
        ),
        ("<deck>" + "<a>" * 50, snapshot("d.dek: nested too deeply for a deck list.")),
        ("<deck>\n<card>", snapshot("d.dek: damaged XML (no element found, line 2).")),
    ],
)
def test_invalid_xml_list_is_rejected_with_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        read(tmp_path, text, "d.dek")
    assert str(caught.value) == words


# --- columns ----------------------------------------------------------------------------------------------------------


def test_missing_mapped_column_error_lists_columns() -> None:
    header = ["Was", "Wie Viele", ""]
    found = columns_by_map(header, {"name": "was", "copies": "2"}, "a.csv")
    assert (dict(found.places), found.unused) == ({"name": 0, "copies": 1}, [""])
    for heading in ("4", "0", "Woher"):
        with pytest.raises(CatalogError) as caught:
            columns_by_map(header, {"name": heading}, "a.csv")
        assert str(caught.value) == f"a.csv has no column {heading!r}; it has: 'Was', 'Wie Viele', ''."


def test_table_without_card_column_is_rejected_with_advice() -> None:
    with pytest.raises(CatalogError) as caught:
        columns_of(["Wieviele", "Was"], None, "a.csv")
    assert str(caught.value) == (
        "a.csv: no column names the cards. It has: 'Wieviele', 'Was'.\n"
        "Name the columns: --map 'name=HEADING,copies=HEADING', or without headings --map 'copies=1,name=2'"
    )


def test_map_has_fields_and_headings() -> None:
    assert parse_map(" name = Card , copies=Qty") == {"name": "Card", "copies": "Qty"}
    with pytest.raises(
        CatalogError, match=r"^'naem=Card' matches no column: write FIELD=HEADING with a field of copies, "
    ):
        parse_map("naem=Card")


def test_first_heading_of_field_counts_and_unused_ones_are_reported() -> None:
    found = columns_of(["Qty", "Name", "Card", "Price", ""], None, "a.csv")
    assert (dict(found.places), found.unused) == ({"copies": 0, "name": 1}, ["Card", "Price"])


def test_usual_headings_are_known() -> None:
    asked = ("qty", "howmany", "foilqty", "cardtitle", "expansion", "setid", "series", "nr", "premium", "cond")
    fields = ["copies", "copies", "foil_copies", "name", "set", "set_code", "set_name", "number", "finish", "condition"]
    assert [vocabulary().find("headings", key) for key in asked] == fields
    asked = ("lang", "binder", "page", "pocket", "ccgridid", "jsonid", "catid", "productid", "mkmid", "mtgaid")
    fields = ["language", "box", "row", "slot", "card", "scryfall", "mtgo", "tcgplayer", "cardmarket", "arena"]
    assert [vocabulary().find("headings", key) for key in asked] == fields


def test_app_with_most_known_headings_is_chosen() -> None:
    assert app_of(["Quantity", "Name"]) is None
    header = ["Count", "Tradelist Count", "Name", "Edition", "Collector Number", "Card Number", "Signed"]
    found = app_of(header)
    assert found is not None
    assert found.name == "moxfield"
    assert app_of([]) is None


IDS = "scryfall:11111111-2222-3333-4444-555555555555 mtgo:7 tcgplayer:8 cardmarket:9 multiverse:10"
HOLDINGS = (
    Holding(
        1, "a:dsk/7", 2, "normal", "near-mint", "en", Place("Box A", "3", "12"), "a", "Ant", "dsk", "Dusk", "7", IDS
    ),
    Holding(2, "a:dsk/8", 1, "foil", "excellent", "ja", Place(), "a", "+2 <Mace>", "dsk", "Dusk", "8★", ""),
    Holding(3, "a:old/", 1, "etched", "poor", "grc", Place("=B"), "a", "Fire // Ice", "old", "", "", ""),
    Holding(4, "a:x/1", 1, "Holo", "sealed", "zht", Place(), "a", "Plain", "", "", "1", ""),
)
WRITTEN = dict(
    part.split("\n", 1)
    for part in (Path(__file__).parents[2] / "collections" / "written.txt").read_text(encoding="utf-8").split("== ")[1:]
)
WRITERS = [form for form in all_formats() if form.write is not None]


# --- written files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WRITERS, ids=lambda form: form.name)
def test_written_file_is_exactly_as_expected(form: Any) -> None:
    assert "".join(form.write(HOLDINGS)) == WRITTEN[form.name]


def test_every_written_format_has_example() -> None:
    assert set(WRITTEN) == {form.name for form in WRITERS}


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("jsonl", {}),
        ("csv", {"condition": 1}),
        ("moxfield", {"box": 3, "row and slot": 2, "condition (the nearest grade is written)": 2, "condition": 1}),
        ("manabox", {"row and slot": 2, "condition": 1}),
        (
            "text",
            {
                **{"which printing it is": 4, "condition": 5, "box": 3, "row and slot": 2, "finish": 3, "language": 3},
                "collector number": 1,
            },
        ),
        ("cardmarket", {"box": 2, "row and slot": 2, "the card itself": 3}),
        (
            "arena",
            {
                **{"condition": 5, "box": 3, "row and slot": 2, "language": 3, "finish": 1, "collector number": 1},
            },
        ),
        (
            "cardkingdom",
            {"collector number": 4, "condition": 5, "box": 3, "row and slot": 2, "language": 3, "finish": 1},
        ),
    ],
)
def test_format_losses_are_reported_with_copies(name: str, output: dict[str, int]) -> None:
    counts = dict(words.split(": ") for words in in_words(losses(find_writer(name), HOLDINGS)))
    assert counts == {what: f"{copies} {'copy' if copies == 1 else 'copies'}" for what, copies in output.items()}


def test_cards_without_id_for_format_are_left_out_and_reported() -> None:
    found = export(find_writer("cardmarket"), HOLDINGS)
    assert len(list(found.lines())) == 2
    assert found.left_out() == ["cards without an id at Cardmarket: 3 copies"]
    assert found.lost() == ["box: 2 copies", "row and slot: 2 copies"]
    with pytest.raises(CatalogError, match="Nothing written: Cardmarket can take none of these cards"):
        export(find_writer("cardmarket"), HOLDINGS[1:])


def test_magic_format_takes_other_games_only_on_request() -> None:
    magic = [one._replace(game="mtg") for one in HOLDINGS[:2]]
    found = export(find_writer("moxfield"), [*magic, *HOLDINGS[2:]])
    assert found.holdings == magic
    assert found.left_out() == ["cards of games other than mtg (to write them: --game): 2 copies"]
    assert export(find_writer("moxfield"), HOLDINGS, ["a"]).left_out() == []
    assert export(find_writer("dragonshield"), HOLDINGS).left_out() == []
    with pytest.raises(CatalogError, match="to write them: --game"):
        export(find_writer("deckbox"), HOLDINGS)
    assert list(export(find_writer("deckbox"), []).lines()) == WRITTEN["deckbox"].splitlines(keepends=True)[:1]


def test_plain_holding_loses_at_most_its_printing() -> None:
    plain = HOLDINGS[0]._replace(condition="", place=NOWHERE)
    assert in_words(losses(find_writer("text"), [plain])) == ["which printing it is: 2 copies"]
    assert losses(find_writer("arena"), [plain]) == []


def test_format_names_ignore_case_and_unknown_ones_list_all() -> None:
    assert find_format("Moxfield").name == "moxfield"
    names = ", ".join(form.name for form in all_formats())
    with pytest.raises(CatalogError) as caught:
        find_format("moxfeild")
    assert str(caught.value) == f"There is no format 'moxfeild'. There are: {names}."
    names = ", ".join(form.name for form in WRITERS)
    with pytest.raises(CatalogError) as caught:
        find_writer("scryfall")
    assert str(caught.value) == f"a deck of Scryfall can be read but not written. Formats that can be written: {names}."


# --- grades, finishes and languages -----------------------------------------------------------------------------------


GRADES = {
    "mint": "m mt mint Mint M MT",
    "near-mint": "nm nm-mt near-mint-mint NM NearMint near_mint",
    "excellent": "ex EX Excellent",
    "good": "gd GD good-lightly-played",
    "lightly-played": "lp sp light-played slightly-played LightPlayed light_played",
    "moderately-played": "mp medium-played MP",
    "played": "pl PL",
    "heavily-played": "hp heavy-played HP",
    "damaged": "d dm dmg D",
    "poor": "po PO",
}


@pytest.mark.parametrize("grade", CONDITIONS)
def test_every_spelling_of_a_grade_is_read(grade: str) -> None:
    for spelling in (*GRADES[grade].split(), grade.replace("-", " ").title(), grade.upper().replace("-", "_")):
        assert condition_word(spelling) == grade, spelling


@pytest.mark.parametrize(
    ("finish", "spellings"),
    [
        ("normal", ("", "no", "False", "0", "Regular", "NORMAL", "nonfoil", "non-foil", "standard")),
        ("foil", ("Yes", "true", "1", "x", "FOIL", "holo", "premium", "holofoil")),
        ("etched", ("Etched", "foil etched", "etched foil", "foil-etched")),
        ("Cold Foil", ("Cold Foil",)),
    ],
)
def test_every_spelling_of_a_finish_is_read(finish: str, spellings: tuple[str, ...]) -> None:
    assert {finish_word(spelling) for spelling in spellings} == {finish}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("en", "English|eng|EN"),
        ("de", "German|Deutsch|ger"),
        ("fr", "French|Français|francais|fra"),
        ("it", "Italian|italiano|ita"),
        ("es", "Spanish|español|espanol|SP|spa"),
        ("pt", "Portuguese|português|portugues|Portuguese (Brazil)|PortugueseBrazil|pt-br|por"),
        ("ja", "Japanese|JP|jpn"),
        ("ko", "Korean|KR|kor"),
        ("ru", "Russian|rus"),
        ("zhs", "Simplified Chinese|Chinese Simplified|Chinese (Simplified)|S-Chinese|CS|cn|zh-CN"),
        ("zht", "Traditional Chinese|Chinese Traditional|Chinese (Traditional)|T-Chinese|CT|tw|zh-TW"),
        ("he", "Hebrew"),
        ("la", "Latin"),
        ("grc", "Ancient Greek"),
        ("ar", "Arabic"),
        ("sa", "Sanskrit"),
        ("ph", "Phyrexian"),
        ("qya", "Quenya"),
        ("Klingon", "Klingon"),
    ],
)
def test_every_name_of_a_language_is_read_and_the_first_written(code: str, names: str) -> None:
    assert {language_code(name) for name in names.split("|")} == {code}
    assert language_name(code) == names.split("|")[0]


@pytest.mark.parametrize("app", all_apps(), ids=lambda app: app.name)
def test_missing_grade_is_written_as_next_worse_or_worst(app: Any) -> None:
    dialect = app.dialect
    for place, grade in enumerate(CONDITIONS):
        written = dialect.condition(grade)
        if not dialect.conditions:
            assert written == grade
            continue
        have = [CONDITIONS.index(one) for one in dialect.conditions]
        expected = min((one for one in have if one >= place), default=max(have))
        assert dialect.known("condition", written) == CONDITIONS[expected]
        assert dialect.has_condition(grade) == (expected == place)


@pytest.mark.parametrize("app", all_apps(), ids=lambda app: app.name)
def test_app_finishes_and_languages_are_read_back(app: Any) -> None:
    for finish in ("normal", "foil", "etched") if app.dialect.free_finish else app.dialect.finishes:
        if finish == "normal" or app.dialect.finish(finish):
            assert (app.dialect.read("finish", app.dialect.finish(finish)).finish or "normal") == finish
    for code in ("en", "de", "ja", "zhs", "zht", "grc", "xx"):
        assert app.dialect.known("language", app.dialect.language(code)) == code
