"""Every format's file letter by letter, and every word that apps use."""

from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.export import export, find_writer, in_words, losses
from ccgrid.catalog.collection.formats import FORMATS, find_format
from ccgrid.catalog.collection.formats.apps import APPS
from ccgrid.catalog.holding import NOWHERE, Holding, Place
from ccgrid.catalog.words import CONDITIONS, condition_word, finish_word, language_code, language_name

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
WRITERS = [form for form in FORMATS if form.write is not None]


# --- what is written --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WRITERS, ids=lambda form: form.name)
def test_a_file_is_written_letter_by_letter_as_the_app_knows_it(form: Any) -> None:
    assert "".join(form.write(HOLDINGS)) == WRITTEN[form.name]


def test_every_format_that_is_written_has_its_example() -> None:
    assert list(WRITTEN) == [form.name for form in WRITERS]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("jsonl", {}),
        ("csv", {}),
        ("moxfield", {"box": 3, "row and slot": 2, "condition (the nearest grade is written)": 2}),
        ("manabox", {"row and slot": 2}),
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
def test_what_a_format_loses_is_told_with_the_copies(name: str, told: dict[str, int]) -> None:
    counts = dict(words.split(": ") for words in in_words(losses(find_writer(name), HOLDINGS)))
    assert counts == {what: f"{copies} {'copy' if copies == 1 else 'copies'}" for what, copies in told.items()}


def test_a_card_that_a_format_cannot_name_is_left_out_and_told() -> None:
    found = export(find_writer("cardmarket"), HOLDINGS)
    assert len(list(found.lines())) == 2
    assert found.left_out() == ["cards without an id at Cardmarket: 3 copies"]
    assert found.lost() == ["box: 2 copies", "row and slot: 2 copies"]
    with pytest.raises(CatalogError, match="Nothing written: Cardmarket can take none of these cards"):
        export(find_writer("cardmarket"), HOLDINGS[1:])


def test_cards_of_other_games_go_into_a_format_for_magic_only_where_that_is_asked() -> None:
    magic = [one._replace(game="mtg") for one in HOLDINGS[:2]]
    found = export(find_writer("moxfield"), [*magic, *HOLDINGS[2:]])
    assert found.holdings == magic
    assert found.left_out() == ["cards of another game than mtg (--game writes them): 2 copies"]
    assert export(find_writer("moxfield"), HOLDINGS, ["a"]).left_out() == []
    assert export(find_writer("dragonshield"), HOLDINGS).left_out() == []
    with pytest.raises(CatalogError, match="--game writes them"):
        export(find_writer("deckbox"), HOLDINGS)
    assert list(export(find_writer("deckbox"), []).lines()) == WRITTEN["deckbox"].splitlines(keepends=True)[:1]


def test_what_a_plain_holding_loses_is_nothing_but_its_printing() -> None:
    plain = HOLDINGS[0]._replace(condition="", place=NOWHERE)
    assert in_words(losses(find_writer("text"), [plain])) == ["which printing it is: 2 copies"]
    assert losses(find_writer("arena"), [plain]) == []


def test_a_format_is_found_in_any_case_and_a_wrong_one_is_told_with_all_there_are() -> None:
    assert find_format("Moxfield").name == "moxfield"
    names = ", ".join(form.name for form in FORMATS)
    with pytest.raises(CatalogError) as caught:
        find_format("moxfeild")
    assert str(caught.value) == f"There is no format 'moxfeild'. There are: {names}."
    names = ", ".join(form.name for form in WRITERS)
    with pytest.raises(CatalogError) as caught:
        find_writer("scryfall")
    assert str(caught.value) == f"a deck of Scryfall can be read but not written. Formats that can be written: {names}."


# --- words ------------------------------------------------------------------------------------------------------------


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
def test_a_grade_is_read_in_all_its_spellings(grade: str) -> None:
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
def test_a_finish_is_read_in_all_its_spellings(finish: str, spellings: tuple[str, ...]) -> None:
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
def test_a_language_is_read_in_all_its_names_and_written_by_the_first(code: str, names: str) -> None:
    assert {language_code(name) for name in names.split("|")} == {code}
    assert language_name(code) == names.split("|")[0]


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_a_grade_that_an_app_lacks_is_written_as_the_next_worse_one_else_as_the_worst(app: Any) -> None:
    dialect = app.dialect
    for place, grade in enumerate(CONDITIONS):
        written = dialect.condition(grade)
        if not dialect.conditions:
            assert written == grade
            continue
        have = [CONDITIONS.index(one) for one in dialect.conditions]
        meant = min((one for one in have if one >= place), default=max(have))
        assert dialect.condition_read(written) == CONDITIONS[meant]
        assert dialect.has_condition(grade) == (meant == place)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_what_an_app_writes_of_a_finish_and_a_language_is_read_back(app: Any) -> None:
    for finish in ("normal", "foil", "etched"):
        if app.dialect.has_finish(finish) and (finish == "normal" or app.dialect.finish(finish)):
            assert app.dialect.finish_read(app.dialect.finish(finish)) == finish
    for code in ("en", "de", "ja", "zhs", "zht", "grc", "xx"):
        assert app.dialect.language_read(app.dialect.language(code)) == code
