"""How one card is written in many ways: names, numbers, sets."""

import pytest

from ccgrid.catalog.matching.sets import TODAYS
from ccgrid.catalog.matching.spellings import (
    Candidate,
    agrees,
    base_number,
    card_forms,
    forms,
    number_forms,
    same_number,
    set_key,
    similarity,
)


def called(name: str, printed_name: str | None = None) -> Candidate:
    return Candidate("dsk/1", "mtg", name, "dsk", "Dusk", "1", "en", printed_name, True, "", "")


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Amber Archivist", ["amber archivist"]),
        ("Fire // Ice", ["fire ice", "fire"]),
        ("Fire/Ice", ["fire ice", "fire"]),
        ("Who/What/When", ["who what when", "who"]),
        ("Isle (12) - Full Art", ["isle 12 full art", "isle 12", "isle"]),
        ("Isle [Showcase]", ["isle showcase", "isle"]),
        ("Drake Token", ["drake token", "drake"]),
        ("DRAKE TOKEN", ["drake token", "drake"]),
        ("Ant (Foil) (Promo) [JP] // Bee", ["ant foil promo jp bee", "ant foil promo jp"]),
        ("Well-known Ant", ["well known ant"]),
        ("(Promo)", ["promo"]),
        ("/ Ice", ["ice"]),
        ("//", []),
        ("", []),
    ],
)
def test_a_name_is_looked_for_whole_then_without_what_sites_add_then_by_its_front(name: str, found: list[str]) -> None:
    assert list(forms(name)) == found


def test_a_card_is_called_by_its_name_by_each_half_and_by_both_in_its_language() -> None:
    card = called("Fire // Ice", "Fuoco // Ghiaccio")
    assert card_forms(card) == {"fire ice", "fire", "ice", "fuoco ghiaccio", "fuoco", "ghiaccio"}
    assert card_forms(called("Ant")) == {"ant"}


def test_a_name_agrees_with_a_card_but_for_accents_halves_and_decoration() -> None:
    card = called("Áine // Dûsk", "黒蓮")
    assert all(agrees(name, card) for name in ("Áine // Dûsk", "aine", "DUSK", "Aine/Dusk", "黒蓮", "Dusk (Promo)"))
    assert not any(agrees(name, card) for name in ("Ain", "Dusk Aine", "", "黒"))


@pytest.mark.parametrize("name", ["!!!", "黒蓮", "+2"])
def test_a_name_agrees_with_the_card_that_has_it_letter_by_letter(name: str) -> None:
    assert agrees(name, called(name))
    assert agrees(name, called("Ant", name))
    assert not agrees(name, called("Ant"))


def test_likeness_is_that_of_the_best_pair_of_spellings() -> None:
    assert similarity("Fire (Promo)", called("Fire // Ice")) == 100
    assert similarity("Abcx", called("Abcd")) == 75
    assert similarity("Abcx", called("Zzzz", "Abcd")) == 75
    assert similarity("Zzzz", called("Abcd")) == 0
    assert similarity("", called("XX")) == 0


# --- sets and numbers -------------------------------------------------------------------------------------------------


def test_common_words_do_not_tell_one_set_from_another() -> None:
    assert set_key("The Dusk Edition") == "dusk"
    assert set_key("Magic: The Gathering Core Set Series Decks Deck") == ""
    assert set_key("Seventh Édition Dusk") == set_key("7th Edition: Dusk") == "7th dusk"


@pytest.mark.parametrize("word", ["the", "edition", "core", "set", "series", "magic", "gathering", "decks", "deck"])
def test_each_common_word_is_left_out_of_a_sets_name(word: str) -> None:
    assert set_key(f"Dusk {word} Two") == "dusk two"


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("46", ["46", "046"]),
        ("046", ["046", "46"]),
        ("7", ["7", "07", "007"]),
        (" 7 ", ["7", "07", "007"]),
        ("46/264", ["46/264", "46", "046"]),
        (" 46 / 264", ["46 / 264", "46", "046"]),
        ("0", ["0", "00", "000"]),
        ("X12", ["X12"]),
        ("012s", ["012s", "12s"]),
        ("★", ["★"]),
        ("ogn-001", ["ogn-001", "001", "1", "01"]),
        ("OGN-7/99", ["OGN-7/99", "OGN-7", "7", "07", "007"]),
        ("old-7", ["old-7"]),
    ],
)
def test_a_number_is_looked_for_with_and_without_zeros_total_and_set(number: str, found: list[str]) -> None:
    looked = number_forms(number, "OGN")
    assert [form for form in looked if not form.startswith("OGN-") or form in found] == found
    assert {f"OGN-{form}" for form in found} <= set(looked)


def test_no_number_has_no_forms_but_that_of_its_set() -> None:
    assert number_forms("", "OGN") == ["OGN-"]


@pytest.mark.parametrize(
    ("number", "base"),
    [
        ("153s", "153"),
        ("12★", "12"),
        ("12†", "12"),
        ("12**", "12"),
        ("12a★", "12"),
        ("012P", "12"),
        ("12/264", "12"),
        (" 12s / 264", "12"),
        ("X12", "x12"),
        ("XX012", "xx012"),
        ("12ab", "12ab"),
        ("s", "s"),
        ("★", "★"),
        ("A12", "a12"),
    ],
)
def test_marks_of_promotions_and_foils_are_no_part_of_a_number(number: str, base: str) -> None:
    assert base_number(number) == base


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("7", "007", True),
        ("007", "7", True),
        ("A7", "a7", True),
        ("a7", "A7", True),
        ("7", "7/264", True),
        ("7", " 7 / 264", True),
        ("7", "70", False),
        ("X7", "7", False),
        ("7", "X7", False),
        ("XX7", "X7", False),
        ("7s", "7", False),
    ],
)
def test_a_number_is_the_same_with_zeros_a_total_and_in_any_case(one: str, other: str, same: bool) -> None:
    assert same_number(one, other) is same


def test_older_codes_lead_to_todays() -> None:
    asked = ("1e", "te", "al", "dar", "mps", "med", "grc")
    assert [TODAYS.get(code) for code in asked] == ["lea", "tmp", "all", "dom", None, "me1", "grc"]
    assert all(code == code.casefold() and today == today.casefold() for code, today in TODAYS.items())
