"""Columns of exports of many apps: the field of each heading, and the meaning of its cells."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, make_catalogue, row, write_rows
from helpers.text_files import write
from inline_snapshot import snapshot

from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.collection.export import find_writer, in_words, losses
from ccgrid.catalog.collection.formats import open_rows
from ccgrid.catalog.collection.formats.format import SkippedRow
from ccgrid.catalog.collection.formats.lists import write_json_lines
from ccgrid.catalog.collection.formats.table_columns import parse_map
from ccgrid.catalog.copy_terms import language_code
from ccgrid.catalog.details import Details, parse_details
from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.holding import NOWHERE, Holding
from ccgrid.catalog.matching.rows import Row


def rows(folder: Path, text: str, name: str = "file.csv") -> tuple[str, list[Row | SkippedRow]]:
    path = write(folder / name, text)
    file_rows = open_rows(path, name, None, None, lambda remark: None)
    return file_rows.name, list(file_rows.rows)


def single_row(folder: Path, text: str, form: str) -> Row:
    found, [row] = rows(folder, text)
    assert found == form
    assert isinstance(row, Row)
    return row


@pytest.mark.parametrize(
    ("cell", "finish"), [("true", "foil"), ("false", "normal"), ("Foil", "foil"), ("Reverse", "reverse holo")]
)
def test_cardtrader_foil_column_gives_finish(tmp_path: Path, cell: str, finish: str) -> None:
    head = "Item Name,Expansion,Collector Number,Quantity,Condition,Language,Foil/Reverse,Price\n"
    row = single_row(tmp_path, head + f"Ant,Dusk,7,2,Slightly Played,jp,{cell},1\n", "cardtrader")
    assert row.amounts == ((finish, 2),)
    assert (row.name, row.set_name, row.number, row.condition, row.language) == (
        *("Ant", "Dusk", "7", "lightly-played", "ja"),
    )


def test_cardtrader_order_is_read(tmp_path: Path) -> None:
    head = (
        "Game,Set Released At,Set Name,Set Code,Item Name,Price in EUR Cents,Quantity,Condition,Language,Foil/Reverse,"
        "Signed,Altered,First Edition,Collector Number\n"
    )
    text = head + "Magic: the Gathering,2009-07-17,Dusk,DSK,Ant,250,3,Moderately Played,zh-cn,true,false,false,,007\n"
    row = single_row(tmp_path, text, "cardtrader")
    assert row.amounts == (("foil", 3),)
    assert (row.name, row.set_code, row.set_name, row.number, row.condition, row.language) == (
        *("Ant", "DSK", "Dusk", "007", "moderately-played", "zhs"),
    )


def test_cardmarket_column_for_reverse_holo_is_read_and_written(tmp_path: Path) -> None:
    head = "idProduct;groupCount;price;idLanguage;condition;isFoil;isSigned;isAltered;isPlayset;isReverseHolo\n"
    assert single_row(tmp_path, head + "77;2;1.0;1;NM;;;;;1\n", "cardmarket").amounts == (("reverse holo", 2),)
    assert single_row(tmp_path, head + "77;2;1.0;1;NM;1;;;;\n", "cardmarket").amounts == (("foil", 2),)
    holding = Holding(
        1, "mtg:dsk/7", 2, "reverse holo", "", "en", NOWHERE, "mtg", "Ant", "dsk", "Dusk", "7", "cardmarket:77"
    )
    assert in_words(losses(find_writer("cardmarket"), [holding])) == []


EDITIONS = "Card Name,Card Number,Set Name,Edition,Qty\n"


@pytest.mark.parametrize(
    ("cells", "finishes", "notes"),
    [
        (("1st Edition", "Unlimited", "Limited"), ("1st Edition", "Unlimited", "Limited Edition"), ("", "", "")),
        (("1st", "Unlimited", "N/A"), ("1st Edition", "Unlimited", "normal"), ("", "", "")),
        (("1st", "Limited", "European"), ("1st Edition", "Limited Edition", "normal"), ("", "", "Edition: European")),
        (("1. Auflage", "", "beaten"), ("1st Edition", "normal", "normal"), ("", "", "")),
    ],
)
def test_edition_is_a_finish_if_most_cells_are(
    tmp_path: Path, cells: tuple[str, ...], finishes: tuple[str, ...], notes: tuple[str, ...]
) -> None:
    text = EDITIONS + "".join(f"Ant,7,Dusk,{cell},3\n" for cell in cells)
    found = [row for row in rows(tmp_path, text)[1] if isinstance(row, Row)]
    if "beaten" in cells:  # as many words that are no finishes
        finishes = ("normal", "normal", "normal")
    assert [row.amounts for row in found] == [((finish, 3),) for finish in finishes]
    assert tuple(row.note for row in found) == notes


def test_unlimited_alone_among_sets_is_a_set(tmp_path: Path) -> None:
    text = "Name,Set Code,Edition,Qty\nAnt,2ED,Unlimited,1\nAnt,2ED,Unlimited,1\nAnt,LEA,Limited Edition Alpha,1\n"
    assert [row.amounts for row in rows(tmp_path, text)[1] if isinstance(row, Row)] == [(("normal", 1),)] * 3


CARDMARKET = (
    "idProduct;groupCount;price;idLanguage;condition;isFoil;isSigned;isAltered;isPlayset;isReverseHolo;isFirstEd;"
    "isFullArt;isUberRare;isWithDie\n"
)


@pytest.mark.parametrize(
    ("cells", "amounts", "own"),
    [
        (";;;1;;;;;", (("normal", 8),), ()),
        (";;;0;;;;;", (("normal", 2),), ()),
        (";;;;;1;;;", (("1st Edition", 2),), ()),
        ("1;;;;;1;;;", (("1st Edition Holofoil", 2),), ()),
        (";;;1;1;;;;", (("reverse holo", 8),), ()),
        (";;;;;;1;;1", (("normal", 2),), (("isFullArt", "1"), ("isWithDie", "1"))),
    ],
)
def test_every_mark_of_cardmarket_is_kept(tmp_path: Path, cells: str, amounts: Any, own: Any) -> None:
    row = single_row(tmp_path, f"{CARDMARKET}250379;2;;1;NM;{cells}\n", "cardmarket")
    assert (row.amounts, parse_details(row.details).own, row.note) == (amounts, own, "")


def test_unknown_word_for_playset_becomes_a_note(tmp_path: Path) -> None:
    row = single_row(tmp_path, f"{CARDMARKET}250379;2;;1;NM;;;;perhaps;;;;;\n", "cardmarket")
    assert (row.amounts, row.note) == ((("normal", 2),), "isPlayset: perhaps")


def test_marks_of_other_apps_are_kept(tmp_path: Path) -> None:
    head = "Item Name,Set Name,Quantity,Foil/Reverse,First Edition,Playset\n"
    row = single_row(tmp_path, head + "Ant,Dusk,2,false,true,true\n", "cardtrader")
    assert row.amounts == (("1st Edition", 8),)
    row = single_row(tmp_path, "Name,Set code,Quantity,ManaBox ID,Misprint\nAnt,DSK,2,7,true\n", "manabox")
    assert parse_details(row.details).own == (("Misprint", "true"),)


@pytest.mark.parametrize("finish", ["1st Edition", "1st Edition Holofoil"])
def test_first_edition_is_written_for_cardmarket(finish: str) -> None:
    holding = Holding(1, "mtg:dsk/7", 2, finish, "", "en", NOWHERE, "mtg", "Ant", "dsk", "Dusk", "7", "cardmarket:77")
    assert in_words(losses(find_writer("cardmarket"), [holding])) == []


@pytest.mark.parametrize(
    ("number", "condition"),
    [
        *(("1", "mint"), ("2", "near-mint"), ("3", "excellent"), ("4", "good"), ("5", "lightly-played")),
        *(("6", "played"), ("7", "poor"), ("NM", "near-mint")),
    ],
)
def test_conditions_of_cardmarket_may_be_numbers(tmp_path: Path, number: str, condition: str) -> None:
    row = single_row(tmp_path, f"{CARDMARKET}77;2;1.0;1;{number};;;;;;;;;\n", "cardmarket")
    assert (row.condition, row.note) == (condition, "")


def test_stock_of_cardmarket_is_read(tmp_path: Path) -> None:
    head = (
        '"idArticle";"idProduct";"English Name";"Local Name";"Exp.";"Exp. Name";"Price";"Language";"Condition";"Foil?";'
        '"Signed?";"Playset?";"Altered?";"Comments";"Amount";"onSale";"collectorNumber"\n'
    )
    text = head + '"1";"77";"Ant";"Ameise";"DSK";"Dusk";"2.00";"3";"NM";"X";"";"X";"";"from Bob";"2";"1";"7"\n'
    row = single_row(tmp_path, text, "cardmarket-stock")
    assert (row.name, row.set_code, row.set_name, row.number, row.ids) == (
        *("Ant", "DSK", "Dusk", "7", (("cardmarket", "77"),)),
    )
    assert (row.amounts, row.condition, row.language, row.note) == ((("foil", 8),), "near-mint", "de", "from Bob")


def test_decked_builder_total_includes_foils(tmp_path: Path) -> None:
    head = "Total Qty,Reg Qty,Foil Qty,Card,Set,Mana Cost,Card Type,Color,Rarity,Mvid,Single Price,Notes\n"
    row = single_row(tmp_path, head + "3,2,1,Ant,Dusk,,,,Rare,77,,\n", "deckedbuilder")
    assert row.amounts == (("normal", 2), ("foil", 1))
    assert row.ids == (("multiverse", "77"),)
    row = single_row(tmp_path, "Total Qty,Foil Qty,Card,Set\n3,1,Ant,Dusk\n", "deckedbuilder")
    assert row.amounts == (("normal", 2), ("foil", 1))
    assert single_row(tmp_path, "Total Qty,Name,Set\n3,Ant,Dusk\n", "csv").amounts == (("normal", 3),)


@pytest.mark.parametrize(
    ("extras", "finish"),
    [("", "normal"), ("foil", "foil"), ("etchedFoil", "etched"), ("foil/altered", "foil"), ("signed/foil", "foil")],
)
def test_helvault_finish_is_read_from_extras(tmp_path: Path, extras: str, finish: str) -> None:
    head = "collector_number,estimated_price,extras,language,name,oracle_id,quantity,rarity,scryfall_id,"
    head += "set_code,set_name\n"
    scryfall = "11111111-2222-3333-4444-555555555555"
    line = f'"7","0.2","{extras}","de","Ant","o","2","rare","{scryfall}","dsk","Dusk"\n'
    row = single_row(tmp_path, head + line, "helvault")
    assert row.amounts == ((finish, 2),)
    assert (row.ids, row.rarity) == ((("scryfall", scryfall),), "rare")


def test_collectr_grade_and_condition_are_read(tmp_path: Path) -> None:
    head = "Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Quantity,Notes\n"
    text = head + "Main,Pokemon,Base Set,Ant,4/102,Rare,Reverse Holofoil,Ungraded,Near Mint,1,\n"
    row = single_row(tmp_path, text, "collectr")
    assert (row.amounts, row.condition, row.place.box) == ((("reverse holo", 1),), "near-mint", "Main")
    text = head + "Main,Pokemon,Base Set,Ant,4/102,Rare,Holofoil,PSA 10,Near Mint,1,\n"
    row = single_row(tmp_path, text, "collectr")
    assert (row.amounts, row.condition) == ((("foil", 1),), "near-mint")
    assert parse_details(row.details) == Details(grader="PSA", grade="10")
    assert single_row(tmp_path, "Name,Quantity,Grade\nAnt,1,NM\n", "csv").condition == "near-mint"


def test_ygoprodeck_card_code_and_rarity_are_read(tmp_path: Path) -> None:
    head = "cardname,cardq,cardrarity,card_edition,cardset,cardcode,cardid,print_id\n"
    row = single_row(tmp_path, head + "Ant,2,Ultra Rare,1st Edition,Dusk,DSK-007,16768387,21779\n", "ygoprodeck")
    assert (row.number, row.rarity, row.amounts) == ("DSK-007", "Ultra Rare", (("1st Edition", 2),))


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("Near Mint Foil", ("near-mint", "foil")),
        ("Lightly Played Reverse Holofoil", ("lightly-played", "reverse holo")),
        ("Near Mint", ("near-mint", "normal")),
    ],
)
def test_tcgplayer_seller_finish_is_read_from_condition(
    tmp_path: Path, condition: str, wanted: tuple[str, str]
) -> None:
    head = "TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,Total Quantity\n"
    row = single_row(tmp_path, head + f"5,Magic,Dusk,Ant,,7,R,{condition},2\n", "tcgplayer-seller")
    assert (row.condition, row.amounts[0][0]) == wanted


@pytest.mark.parametrize(
    "finish", ["Reverse", "reverse holo", "Reverse Holofoil", "reverseHolofoil", "Reverse-Holo", "Holo Reverse"]
)
def test_every_spelling_of_reverse_holo_is_read(tmp_path: Path, finish: str) -> None:
    assert single_row(tmp_path, f"Name,Quantity,Finish\nAnt,1,{finish}\n", "csv").amounts == (("reverse holo", 1),)


def test_letter_f_under_heading_of_finish_means_foil(tmp_path: Path) -> None:
    assert single_row(tmp_path, "Name,Quantity,F\nAnt,1,F\n", "csv").amounts == (("foil", 1),)


def test_row_with_cell_under_blank_heading_is_read(tmp_path: Path) -> None:
    _, found = rows(tmp_path, "Name,Quantity,Set,\nAnt,1,dsk,from Bob\nBee,2,dsk,\n")
    assert [row.name for row in found if isinstance(row, Row)] == ["Ant", "Bee"]


def test_table_with_unknown_headings_suggests_map(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="--map"):
        rows(tmp_path, "Enw,Nifer,Set,Number\nAnt,1,dsk,7\n")
    assert (
        single_row(tmp_path, "set_code,number,quantity,condition,purchase_price\ndsk,7,2,NM,1\n", "csv").number == "7"
    )


@pytest.mark.parametrize(
    ("cell", "ids"),
    [
        ("60001", (("id", "60001"),)),
        ("11111111-2222-3333-4444-555555555555", (("scryfall", "11111111-2222-3333-4444-555555555555"),)),
        ("mtg:dsk/7", (("card", "mtg:dsk/7"),)),
        ("a7", ()),
    ],
)
def test_id_without_named_source_is_recognised_by_its_shape(
    tmp_path: Path, cell: str, ids: tuple[tuple[str, str], ...]
) -> None:
    assert single_row(tmp_path, f"Id,Name,Quantity\n{cell},Ant,2\n", "csv").ids == ids


def test_arena_list_may_have_asterisk_or_plus_in_number(tmp_path: Path) -> None:
    _, found = rows(tmp_path, "2 Ant (DSK) 49*\n1 Bee (DSK) 72+\n1 Cow (DSK) 4 *F*\n", "list.txt")
    assert [(row.name, row.number) for row in found if isinstance(row, Row)] == [
        *(("Ant", "49*"), ("Bee", "72+"), ("Cow", "4")),
    ]


def test_json_list_is_read_by_headings_of_tables(tmp_path: Path) -> None:
    text = '[{"id": 60001, "name": "Ant", "quantity": 2, "collector_number": 7, "foil": true},\n'
    text += '{"id": [1], "quantity": 1}]'
    form, (first, second) = rows(tmp_path, text, "list.json")
    assert form == "csv"
    assert isinstance(first, Row)
    assert (first.name, first.number, first.amounts) == ("Ant", "7", (("foil", 2),))
    assert first.ids == (("id", "60001"),)
    assert isinstance(second, SkippedRow)
    form, (first, second) = rows(tmp_path, '[{"id": 60002, "quantity": 3}, {"id": [1], "copies": 1}]', "ids.json")
    assert form == "jsonl"
    assert isinstance(first, Row)
    assert (first.ids, first.copies) == ((("arena", "60002"),), 3)
    assert isinstance(second, SkippedRow)


def test_map_names_key_of_copies_in_json(tmp_path: Path) -> None:
    text = '[{"name": "Ant", "set": "dsk", "pile": 3}, {"name": "Bee", "set": "dsk", "pile": 1}]'
    with pytest.raises(CatalogError, match="--map 'Copies=pile'"):
        rows(tmp_path, text, "piles.json")
    for columns, copies in (("Copies=pile", [3, 1]), ("Copies=-", [1, 1])):
        reading = open_rows(tmp_path / "piles.json", "piles.json", None, parse_map(columns), lambda remark: None)
        assert [row.copies for row in reading.rows if isinstance(row, Row)] == copies


def test_own_json_with_keys_of_a_newer_version_keeps_everything(tmp_path: Path) -> None:
    details = Details(tags=("lent",), own=(("Shelf", "3"),)).text()
    holding = Holding(
        1, "mtg:dsk/7", 2, "foil", "", "en", NOWHERE, "mtg", "Ant", "dsk", "Dusk", "7", "", details=details
    )
    written = json.loads("".join(write_json_lines([holding])))
    found = single_row(tmp_path, json.dumps(written | {"seen_on": "2027-01-01"}), "jsonl")
    assert (found.details, found.copies, found.ids) == (details, 2, (("card", "mtg:dsk/7"),))


@pytest.mark.parametrize(
    ("form", "output"),
    [
        ("cardkingdom", ["collector number: 2 copies"]),
        ("lackey", ["collector number: 2 copies"]),
        ("tcgplayer", ["the id at tcgplayer (the name is written): 2 copies"]),
        ("moxfield", []),
        ("arena", []),
    ],
)
def test_dropped_numbers_and_missing_ids_are_reported(form: str, output: list[str]) -> None:
    holding = Holding(1, "mtg:dsk/7", 2, "normal", "", "en", NOWHERE, "mtg", "Ant", "dsk", "Dusk", "7", "")
    assert [one for one in in_words(losses(find_writer(form), [holding])) if "language" not in one] == output


@pytest.mark.parametrize(
    ("head", "language"),
    [
        ("Anzahl;Name;Edition;Sammlernummer;Zustand;Sprache;Foil\n3;Ant;Dusk;7;NM;Deutsch;Ja\n", "de"),
        ("Quantité;Nom;Extension;Numéro;État;Langue;Foil\n3;Ant;Dusk;7;NM;Français;Oui\n", "fr"),
        ("Cantidad;Nombre;Edición;Número;Condición;Idioma;Foil\n3;Ant;Dusk;7;NM;Inglés;Sí\n", "en"),
        ("Quantità;Nome;Espansione;Numero;Condizione;Lingua;Foil\n3;Ant;Dusk;7;NM;Giapponese;Sì\n", "ja"),
        ("Quantidade;Nome;Edição;Número;Qualidade;Idioma;Foil\n3;Ant;Dusk;7;NM;Alemão;Sim\n", "de"),
    ],
)
def test_headings_and_cells_in_other_languages_are_read(tmp_path: Path, head: str, language: str) -> None:
    row = single_row(tmp_path, head, "csv")
    assert (row.amounts, row.name, row.set_code, row.number) == ((("foil", 3),), "Ant", "Dusk", "7")
    assert (row.condition, row.language) == ("near-mint", language)


def test_tapped_out_set_is_read_from_printing_column(tmp_path: Path) -> None:
    head = "Board,Qty,Name,Printing,Foil,Alter,Signed,Condition,Languange\n"
    row = single_row(tmp_path, head + "main,2,Ant,DSK,-,-,-,NM,EN\n", "tappedout")
    assert (row.amounts, row.set_code, row.condition, row.language) == ((("normal", 2),), "DSK", "near-mint", "en")
    assert single_row(tmp_path, head + "side,1,Ant,DSK,foil,-,-,NM,EN\n", "tappedout").beside


def test_set_code_is_preferred_over_set_id_of_app(tmp_path: Path) -> None:
    row = single_row(tmp_path, "amount,card_name,is_foil,set_id,set_code\n2,Ant,1,77,DSK\n", "csv")
    assert (row.amounts, row.set_code) == ((("foil", 2),), "DSK")
    assert single_row(tmp_path, "Count,Card,Set ID,x\n2,Ant,DSK,\n", "csv").set_code == "DSK"


def test_foil_and_nonfoil_counts_are_read_from_two_columns(tmp_path: Path) -> None:
    row = single_row(tmp_path, "Name,Number of Non-foil,Number of Foil,Set,Card Number\nAnt,3,1,Dusk,#7\n", "csv")
    assert (row.amounts, row.number) == ((("normal", 3), ("foil", 1)), "7")


def test_table_without_count_column_takes_rows_as_single_copies(tmp_path: Path) -> None:
    path, notices = tmp_path / "file.csv", list[str]()
    path.write_text("Name,Set,Lent to\nAnt,Dusk,Bob\n")
    [row] = open_rows(path, "file.csv", None, None, notices.append).rows
    assert isinstance(row, Row)
    assert row.copies == 1
    assert notices == [
        "file.csv: no column has the number of copies, so each row is one. To name it: --map copies=HEADING"
    ]


@pytest.mark.parametrize("line", ["Ant x3", "Ant (DSK) 7 x3", "Ant (DSK) 7 *F* x 3", "Ant X3"])
def test_copies_after_the_card_are_read(tmp_path: Path, line: str) -> None:
    [row] = rows(tmp_path, line + "\n", "list.txt")[1]
    assert isinstance(row, Row)
    assert (row.name, row.copies) == ("Ant", 3)


def test_dreamborn_normal_and_foil_counts_are_read(tmp_path: Path) -> None:
    head = "Normal,Foil,Name,Set,Card Number,Color,Rarity,Price,Foil Price\n"
    row = single_row(tmp_path, head + "2,1,Ant - In Flight,001,7,Amber,Common,0.1,0.2\n", "dreamborn")
    assert (row.amounts, row.name, row.set_code, row.number) == (
        *((("normal", 2), ("foil", 1)), "Ant - In Flight", "001", "7"),
    )


def test_pokemon_tcg_live_list_has_set_and_number_after_name(tmp_path: Path) -> None:
    cards = "4 Iron Hands ex PAR 70\n1 Pikachu PR-SV 27\n\nEnergy: 1\n5 Basic Fire Energy SVE 2\n"
    text = f"Pokémon: 2\n{cards}\nTotal Cards: 10\n"
    found = [row for row in rows(tmp_path, text, "list.txt")[1] if isinstance(row, Row)]
    assert [(row.copies, row.name, row.set_code, row.number) for row in found] == [
        (4, "Iron Hands ex", "par", "70"),
        (1, "Pikachu", "pr-sv", "27"),
        (5, "Basic Fire Energy", "sve", "2"),
    ]
    assert found[0].written == "4 Iron Hands ex PAR 70"  # The complete line is kept in case it is a card's name.


def test_nombre_is_name_unless_nom_column_exists(tmp_path: Path) -> None:
    assert single_row(tmp_path, "Nombre,Cantidad\nAnt,2\n", "csv").name == "Ant"
    row = single_row(tmp_path, "Nombre,Nom\n2,Ant\n", "csv")
    assert (row.name, row.copies) == ("Ant", 2)
    row = single_row(tmp_path, "Carte;Édition;Numéro;Nombre;Langue\nAnt;DSK;7;4;Anglais\n", "csv")
    assert (row.name, row.copies) == ("Ant", 4)
    row = single_row(tmp_path, "Carta,Nombre,Cantidad\nAnt,Hormiga,2\n", "csv")
    assert (row.name, row.copies) == ("Ant", 2)


@pytest.mark.parametrize(
    "heading",
    [
        *("Hoeveelheid", "Aantal kaarten", "Anzahl Karten", "Piezas", "Unités", "Pz", "Nº de cópias", "Ilość sztuk"),
        *("Кол", "Počet kusů", "Lukumäärä", "所有枚数", "庫存"),
    ],
)
def test_number_of_copies_is_read_in_every_language(tmp_path: Path, heading: str) -> None:
    assert single_row(tmp_path, f"Name,Set,{heading}\nAnt,DSK,4\n", "csv").copies == 4


def test_unknown_heading_that_ends_like_an_id_may_count_copies(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="it may be 'Veelheid'"):
        rows(tmp_path, "Name,Set,Veelheid\nAnt,DSK,4\nBee,DSK,2\n")
    assert single_row(tmp_path, "Name,Set,storeid\nAnt,DSK,4\n", "csv").copies == 1


@pytest.mark.parametrize(
    "heading",
    [
        *("Set #", "Set number", "Setnumber", "Coll. #", "Col #", "Collector no", "Collector num", "collector_num"),
        *("Collector's No.", "Coll. No.", "Card Num", "Number in set", "Nr. im Set", "Nummer im Set"),
        *("Número de coleccionista", "N° de carte", "Verzamelaarsnummer", "#"),
    ],
)
def test_collector_number_is_read_under_every_heading(tmp_path: Path, heading: str) -> None:
    found = rows(tmp_path, f"Name,Set,{heading},Qty\nAnt,DSK,101,1\nAnt,DSK,88,2\n")[1]
    assert [(row.number, row.copies) for row in found if isinstance(row, Row)] == [("101", 1), ("88", 2)]


def test_set_number_is_code_of_set_if_nothing_else_names_the_set(tmp_path: Path) -> None:
    row = single_row(tmp_path, "Name,Set Number,Qty\nAnt,001,2\n", "csv")
    assert (row.set_code, row.number) == ("001", "")
    row = single_row(tmp_path, "Name,Set Name,Set Number,Card Number,Qty\nAnt,Dusk,001,7,2\n", "csv")
    assert (row.set_code, row.set_name, row.number) == ("001", "Dusk", "7")


@pytest.mark.parametrize(("values", "output"), [(("101/165", "TG12"), True), (("7", "7"), True), (("1", "4"), False)])
def test_number_sign_is_collector_number_if_it_cannot_count_rows(
    tmp_path: Path, values: tuple[str, str], output: bool
) -> None:
    text = "Name,Set,#,Qty\n" + "".join(f"Ant,DSK,{value},1\n" for value in values)
    found = [row for row in rows(tmp_path, text)[1] if isinstance(row, Row)]
    assert tuple(row.number if output else row.maybe_number for row in found) == values
    assert all(bool(row.number) == output and bool(row.maybe_number) != output for row in found)


def test_number_sign_may_count_rows(owned: Shell) -> None:
    text = "#,Name,Set,Qty\n1,Gale Herald,dsk,2\n2,Brass Bellringer,dsk,4\n3,Amber Archivist,dsk,3\n"
    report = import_text(owned, text)
    assert report["matched"] == {"id": 0, "number": 1, "name": 2, "fuzzy": 0}
    assert holdings(owned) == [
        *(("mtg:dsk/1", "normal", 3), ("mtg:dsk/14", "normal", 2), ("mtg:dsk/2", "normal", 4)),
    ]


def test_yes_under_owned_means_one_copy(tmp_path: Path) -> None:
    assert single_row(tmp_path, "Name,Owned,Set\nAnt,Yes,DSK\n", "csv").copies == 1


# --- special spellings of single apps -----------------------------------------------------------------------------


def import_text(shell: Shell, text: str, *options: str) -> dict[str, Any]:
    file = write(shell.folder / "cards.csv", text)
    result = shell("collection", "import", file, "--json", *options)
    report: dict[str, Any] = result.json
    assert result.status == int(report["missed"] + report["matched"]["fuzzy"] > 0), result
    return report


def holdings(shell: Shell) -> list[tuple[str, str, int]]:
    lines = shell.entries()
    return sorted((one["id"], one["finish"], one["copies"]) for one in lines)


@pytest.mark.parametrize("heading", ["set,name,number,scryfall_id,nonfoil,foil", "Set,Name,Number,Id,Nonfoil,Foil"])
def test_foil_and_nonfoil_columns_count_copies_and_blanks_are_zero(owned: Shell, heading: str) -> None:
    rows = (
        "dsk,Amber Archivist,1,,3,7\ndsk,Brass Bellringer,2,,,\ndsk,Cinder Cartographer,3,,2,\ndsk,Gale Herald,14,,,1\n"
    )
    report = import_text(owned, f"{heading}\n{rows}")
    assert (report["copies"], report["skipped"]) == (13, 1)
    assert holdings(owned) == [
        *(("mtg:dsk/1", "foil", 7), ("mtg:dsk/1", "normal", 3), ("mtg:dsk/14", "foil", 1), ("mtg:dsk/3", "normal", 2)),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [("zh_TW", "zht"), ("zh_CN", "zhs"), ("zh-tw", "zht"), ("zh_Hans", "zhs"), ("pt_BR", "pt"), ("Klingon", "Klingon")],
)
def test_language_codes_with_underscore_are_read(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize("heading", ["Karte", "Carte", "Carta"])
def test_heading_for_card_is_read_in_other_languages(owned: Shell, heading: str) -> None:
    assert import_text(owned, f"{heading};Anzahl\nIron Herald;2\n")["copies"] == 2


@pytest.mark.parametrize(
    ("extras", "finish"), [("/foil", "foil"), ("foil/altered", "foil"), ("etchedFoil", "etched"), ("", "normal")]
)
def test_helvault_finish_is_read_after_or_before_slash(owned: Shell, extras: str, finish: str) -> None:
    heading = "collector_number,extras,language,name,oracle_id,quantity,rarity,scryfall_id,set_code,set_name"
    report = import_text(owned, f"{heading}\n14,{extras},en,Gale Herald,,1,rare,,dsk,Dusk\n")
    assert (report["format"], holdings(owned)) == ("helvault", [("mtg:dsk/14", finish, 1)])


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"finish": "fol"}, snapshot("There is no finish 'fol'. Did you mean foil?")),
        ({"finish": "zzz"}, snapshot("There is no finish 'zzz'. There are: normal, foil, etched, reverse holo.")),
        ({"condition": "near mnt"}, snapshot("There is no condition 'near mnt'. Did you mean near-mint?")),
        (
            {"condition": "schrott"},
            snapshot(
                "There is no condition 'schrott'. There are: mint, near-mint, excellent, good, lightly-played, "
                "moderately-played, played, heavily-played, damaged, poor."
            ),
        ),
    ],
)
def test_unknown_finish_or_condition_is_rejected_with_suggestions(field: dict[str, str], words: str) -> None:
    with pytest.raises(NoSuchNameError) as caught:
        copy_key(**field)
    assert str(caught.value) == words
    assert copy_key("1st Edition", "NM")[:2] == ("1st Edition", "near-mint")


def test_names_of_boxes_ignore_case(owned: Shell) -> None:
    owned.good("collection", "add", "Gale Herald", "--box", "Attic")
    owned.good("collection", "add", "Gale Herald", "--box", "attic")
    import_text(owned, "Name,Box\nGale Herald,ATTIC\nGale Herald,cellar\nIron Herald,Cellar\n")
    owned.good("collection", "move", "Iron Herald", "--to-box", "aTTIC")
    lines = owned.entries()
    assert sorted((one["name"], one["box"], one["copies"]) for one in lines) == [
        *(("Gale Herald", "Attic", 3), ("Gale Herald", "cellar", 1), ("Iron Herald", "Attic", 1)),
    ]


# --- rows with missing last cells -----------------------------------------------------------------------------------


def test_quotes_are_read_in_rows_with_missing_last_cells(shell: Shell) -> None:
    layout = write(
        shell.folder / "own.toml",
        'format = 1\ngame = "own"\nname = "Own"\n'
        '[[printed]]\nfield = "Power"\nzone = "top-left"\nconfidence = "high"\n',
    )
    table = write(shell.folder / "own.csv", 'Name,Set,Number,Power,Text\n"Aragorn, the Uniter",LTR,5,4\n')
    shell.good("import", "file", table, "--layout", layout)
    card = shell.card("Aragorn, the Uniter")
    assert (card["set_code"], card["collector_number"], card["zones"]) == ("LTR", "5", {"top-left": 4})


def test_collection_with_missing_last_cells_is_read_completely(owned: Shell) -> None:
    quoted = '"Moth, ""the Quick""",2,Dusk\n'
    report = import_text(
        owned, f"Name,Count,Edition,Foil\n{quoted}Gale Herald,1,Dusk,\n" + '"Áine\'s Dûsk, the 2nd",1,Dusk\n'
    )
    assert (report["copies"], report["missed"]) == (4, 0)


# --- sets with an app's own name --------------------------------------------------------------------------------------


def test_shortened_set_name_with_number_selects_single_printing(shell: Shell) -> None:
    sets = (("cmd", "Commander 2011", "140"), ("c13", "Commander 2013", "140"), ("c14", "Commander 2014", "9"))
    cards = [
        row(1, "Amber Drake", set=code, set_name=name, collector_number=number)
        for code, name, number in sets
        if code != "c13"
    ]
    cards += [row(1, "Brass Drake", set=code, set_name=name, collector_number="140") for code, name, _ in sets]
    make_catalogue(shell.database, write_rows(shell.folder / "cards.jsonl", cards))
    heading = "Count,Name,Edition,Card Number\n"
    report = import_text(
        shell, heading + "1,Amber Drake,Commander,140\n1,Brass Drake,Commander,140\n1,Amber Drake,Commander,7\n"
    )
    assert (report["matched"]["number"], report["missed"]) == (1, 2)
    assert holdings(shell) == [("mtg:cmd/140", "normal", 1)], json.dumps(report)
