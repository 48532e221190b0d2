"""Identification of scanned cards in the catalogue by name, collector number and printed numbers."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers.catalogues import Shell, row

from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.scan.identification import Recognition, identify, with_known_code
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber, SeenText, TextReading
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.lookup import StoreLookup
from ccgrid.services.catalogue import catalogue_path

Recognise = Callable[..., Recognition | None]
PLACES = {"top-left": (8.0, 8.0), "right": (92.0, 50.0), "bottom-right": (92.0, 92.0)}


def scanned_card(*names: str, collector: str = "", **zones: int) -> ScannedCard:
    """Return a scanned card with these lines, the largest first, and these certain numbers."""
    numbers = tuple(
        SeenNumber(str(value), value, zone.replace("_", "-"), *PLACES[zone.replace("_", "-")], 0.99)
        for zone, value in zones.items()
    )
    return ScannedCard(names[0], numbers, names=names, collector=collector)


@pytest.fixture
def identify_scan(shell: Shell) -> Recognise:
    """Return a function that enters cards (name, number, zones) and identifies a scanned card."""

    def identify_among(
        card: ScannedCard, *cards: tuple[str, str, dict[str, int]], game: str = "arcadia"
    ) -> Recognition | None:
        for name, number, zones in cards:
            places = [part for zone, value in zones.items() for part in (f"--{zone}", str(value))]
            numbered = ["--number", number] if number else []
            shell("card", "add", "-g", "arcadia", "--name", name, "--set", "one", *numbered, *places)
        shell("card", "add", "-g", "nowhere", "--name", "Wizard", "--left", "1")
        with Store(catalogue_path(None)) as store:
            matcher = Resolver(StoreLookup(store), games=(game,) if game else (), prefer_owned=False)
            return identify(with_known_code(card, matcher), matcher, lambda card_id: store.cards([card_id])[0])

    return identify_among


GRIFFIN = ("Amber Griffin", "12", {"top-left": 4, "right": 5})


def name_of(found: Recognition | None) -> str:
    """Return the name of the certainly identified card, or ""."""
    return found.card.name if found is not None and found.sure else ""


def test_name_is_found_although_the_type_is_larger(identify_scan: Recognise) -> None:
    assert (
        name_of(identify_scan(scanned_card("SPELL", "AMBER GRIFFIN", "Draw three cards"), GRIFFIN)) == "Amber Griffin"
    )


def test_additions_to_a_name_in_the_data_are_ignored(identify_scan: Recognise) -> None:
    assert (
        name_of(identify_scan(scanned_card("Ley Line Nexus"), ("Ley Line Nexus (141)", "", {"right": 3})))
        == "Ley Line Nexus (141)"
    )


def test_cards_with_same_printed_name_are_identified_by_numbers(identify_scan: Recognise) -> None:
    first, second = ("The Cage [M]", "", {"top-left": 1, "right": 2}), ("The Cage [P]", "", {"top-left": 1, "right": 6})
    assert name_of(identify_scan(scanned_card('EPISODE: "The Cage"'), first, second)) == ""
    assert name_of(identify_scan(scanned_card('EPISODE: "The Cage"', top_left=1, right=6))) == "The Cage [P]"


@pytest.mark.parametrize(("number", "printed"), [("4012", "12"), ("3R149", "149"), ("007", "7")])
def test_collector_number_may_lack_prefix_of_the_set(identify_scan: Recognise, number: str, printed: str) -> None:
    cards = [("Amber Griffin", number, {"right": 3}), ("Amber Griffin", "8888", {"right": 3})]
    found = identify_scan(scanned_card("Amber Griffin", collector=printed), *cards)
    assert (name_of(found), found.card.number if found else "") == ("Amber Griffin", number)


def test_name_with_other_collector_number_needs_agreeing_zones(identify_scan: Recognise) -> None:
    assert name_of(identify_scan(scanned_card("Amber Griffin", collector="77"), GRIFFIN)) == ""
    assert name_of(identify_scan(scanned_card("Amber Griffin", collector="77", top_left=4, right=5))) == "Amber Griffin"


def test_name_with_two_misread_letters_needs_agreeing_numbers(identify_scan: Recognise) -> None:
    assert name_of(identify_scan(scanned_card("Ambor Grifin"), GRIFFIN)) == ""
    assert name_of(identify_scan(scanned_card("Ambor Grifin", collector="12"))) == "Amber Griffin"
    assert name_of(identify_scan(scanned_card("Ambor Grifin", top_left=4, right=5))) == "Amber Griffin"
    assert name_of(identify_scan(scanned_card("Ambor Grifin", top_left=4, right=9))) == ""


def test_largest_text_is_a_name_with_one_misread_letter(identify_scan: Recognise) -> None:
    assert name_of(identify_scan(scanned_card("Ambor Griffin"), GRIFFIN)) == "Amber Griffin"
    assert name_of(identify_scan(scanned_card("Ambor Griffin", top_left=9))) == "", "a number contradicts it"
    assert name_of(identify_scan(scanned_card("Spell", "Ambor Griffin"))) == "", "it is not the largest text"


def test_largest_text_that_names_another_card_is_not_certain(identify_scan: Recognise) -> None:
    places = ("Docking Bay", "", {"right": 3}), ("Arctic Physician", "", {"top-left": 4, "right": 5})
    found = identify_scan(scanned_card("Docking Bay", "Arctic Physician"), *places)
    assert found is not None
    assert (found.card.name, found.sure) == ("Docking Bay", False)
    assert found.reason == "it is not the largest text, or not the only name on the card"
    agreeing = scanned_card("Docking Bay", "Arctic Physician", top_left=4, right=5)
    assert name_of(identify_scan(agreeing)) == "Arctic Physician"


def test_name_in_two_lines_is_not_its_first_line(identify_scan: Recognise) -> None:
    pods = [(name, "", {"right": 3}) for name in ("Fighter Pod", "Fighter Pod - Destruction")]
    read = scanned_card("Fighter Pod", "Fighter Pod Destruction")
    assert name_of(identify_scan(read, *pods)) == "Fighter Pod - Destruction"


@pytest.mark.parametrize("read", ["Foundation Soldier B", "Foundation Soldier A2", "Foundation Soldier"])
def test_misread_letter_in_a_short_word_may_make_another_card(identify_scan: Recognise, read: str) -> None:
    soldier = ("Foundation Soldier A", "3", {"right": 6})
    assert name_of(identify_scan(scanned_card(read), soldier)) == ""


def test_misread_name_of_several_printings_is_not_certain(identify_scan: Recognise) -> None:
    cards = [("Amber Griffin", number, {"right": 3}) for number in ("12", "88")]
    assert name_of(identify_scan(scanned_card("Ambor Griffin"), *cards)) == ""


def test_missing_spaces_in_name_do_not_matter(identify_scan: Recognise) -> None:
    assert name_of(identify_scan(scanned_card("AMBERGRIFFIN"), GRIFFIN)) == "Amber Griffin"


@pytest.mark.parametrize("read", ["AMBERGRIFFIN", "Ambor Grifin"])
def test_printings_of_a_nearly_read_name_are_distinguished_by_number(identify_scan: Recognise, read: str) -> None:
    cards = [("Amber Griffin", number, {"top-left": 4, "right": 5}) for number in ("12", "88", "90")]
    found = identify_scan(scanned_card(read), *cards)
    assert found is None or not found.sure
    found = identify_scan(scanned_card(read, collector="88"))
    assert found is not None
    assert (found.card.number, found.sure) == ("88", True)


def test_name_alone_does_not_tell_a_reprint_from_its_other_printings(shell: Shell) -> None:
    rows = [
        row(12, "Amber Griffin", reprint=True),
        row(13, "Brass Heron", reprint=False),
    ]
    shell.import_rows(rows)
    with Store(catalogue_path(None)) as store:
        matcher = Resolver(StoreLookup(store), games=("mtg",), prefer_owned=False)
        found = [
            identify(scanned_card(name, collector=number), matcher, lambda card_id: store.cards([card_id])[0])
            for name, number in (("Amber Griffin", ""), ("Amber Griffin", "12"), ("Brass Heron", ""))
        ]
    assert [one is not None and (one.sure, one.reason) for one in found] == [
        (False, "the catalogue lacks other printings of it"),
        (True, ""),
        (True, ""),
    ]


def test_two_names_on_a_card_make_it_uncertain(identify_scan: Recognise) -> None:
    other = ("Brass Heron", "13", {"right": 6})
    assert name_of(identify_scan(scanned_card("Spell", "Brass Heron", "Amber Griffin"), GRIFFIN, other)) == ""
    assert (
        name_of(identify_scan(scanned_card("Spell", "Brass Heron", "Amber Griffin", top_left=4, right=5)))
        == "Amber Griffin"
    )


def test_single_word_does_not_identify_card_without_game(identify_scan: Recognise) -> None:
    assert name_of(identify_scan(scanned_card("WIZARD", "Cinder Drake"), GRIFFIN, game="")) == ""
    assert name_of(identify_scan(scanned_card("WIZARD", "Cinder Drake"), game="nowhere")) == "Wizard"


def test_name_far_down_may_be_mentioned_by_the_text(identify_scan: Recognise) -> None:
    lines = ("Mission", "Score 6", "War Points", "Rebels")
    assert name_of(identify_scan(scanned_card(*lines, "Amber Griffin"), GRIFFIN)) == ""
    assert name_of(identify_scan(scanned_card(*lines, "Amber Griffin", collector="12"))) == "Amber Griffin"


def test_words_that_resemble_a_name_suggest_no_card(identify_scan: Recognise) -> None:
    unity = ("Unity", "7", {"top-left": 4})
    # The type resembles a name of another game, is far down, or no number agrees.
    assert identify_scan(scanned_card("Mal, the Devoted", "Unit"), unity, game="") is None
    assert identify_scan(scanned_card("Unity", right=9, bottom_right=3), unity, game="") is not None
    assert (
        identify_scan(scanned_card("Mal, the Devoted", "Mission", "War Points", "Score 6", "Unity"), unity, game="")
        is None
    )
    # A less similar name is another name.
    assert identify_scan(scanned_card("Tortoise"), ("Tortie", "8", {"left": 1}), game="arcadia") is None


def test_nearly_read_word_is_suggested_if_a_number_agrees(identify_scan: Recognise) -> None:
    harpy = ("Thunderharpy", "9", {"top-left": 4})
    assert identify_scan(scanned_card("Thunderharpv"), harpy, game="") is None
    for more in ({"top_left": 4}, {"collector": "9"}):
        found = identify_scan(scanned_card("Thunderharpv", **more), game="")
        assert found is not None
        assert found.card.name == "Thunderharpy"


def test_single_word_with_other_numbers_suggests_no_card_of_another_game(identify_scan: Recognise) -> None:
    hero = ("Hero", "5", {"top-left": 4})
    assert identify_scan(scanned_card("Colonel Larsen", "Hero", top_left=7), hero, game="") is None
    found = identify_scan(scanned_card("Colonel Larsen", "Hero", top_left=7), game="arcadia")
    assert found is not None
    assert not found.sure


def test_half_of_a_name_counts_as_single_word(identify_scan: Recognise) -> None:
    split = ("Heaven // Earth", "224", {"top-left": 4})
    assert name_of(identify_scan(scanned_card("HEAVEN"), split, game="")) == ""
    assert name_of(identify_scan(scanned_card("HEAVEN", top_left=4), game="")) == "Heaven // Earth"


GREYMON = ("Greymon", "BT1-010", {"top-left": 5, "right": 10, "bottom-right": 4})


def coded_card(code: str, *names: str, **zones: int) -> ScannedCard:
    """Return a scanned card with a code at its right, whose digits are its number there, with a doubt."""
    line = SeenText(92, 50, 12, 4, (TextReading(code, 0.95),))
    digits = code.rpartition("-")[2]
    number = SeenNumber(digits, int(digits), "right", 92, 50, 0.99)
    card = scanned_card(*names or ("グレイモン",), collector=digits, **zones)
    doubts = (ScanDoubt(92, 50, "right", 10),)
    return replace(card, numbers=(*card.numbers, number), lines=(line,), doubts=doubts)


@pytest.mark.parametrize("code", ["BT1-010", "BT1-0100", "bt1-010"])
def test_code_identifies_card_with_a_name_in_another_language(identify_scan: Recognise, code: str) -> None:
    assert name_of(identify_scan(coded_card(code, top_left=5), GREYMON)) == "Greymon"


@pytest.mark.parametrize("zones", [{}, {"top_left": 3}, {"top_left": 5, "bottom_right": 9}])
def test_code_alone_suggests_a_card(identify_scan: Recognise, zones: dict[str, int]) -> None:
    found = identify_scan(coded_card("BT1-010", **zones), GREYMON)
    assert found is not None
    assert (found.card.name, found.sure) == ("Greymon", False)
    assert found.reason == "BT1-010 was read, but not its name"


def test_code_and_name_are_certain(identify_scan: Recognise) -> None:
    assert name_of(identify_scan(coded_card("BT1-010", "Greymon"), GREYMON)) == "Greymon"


def test_name_is_suggested_rather_than_the_code_of_another_card(identify_scan: Recognise) -> None:
    found = identify_scan(coded_card("BT1-010", "Amber Griffin"), GREYMON, GRIFFIN)
    assert found is not None
    assert (found.card.name, found.sure) == ("Amber Griffin", False)


@pytest.mark.parametrize("code", ["BT9-027", "ST1-10"])
def test_card_of_the_same_name_with_another_code_is_not_certain(identify_scan: Recognise, code: str) -> None:
    found = identify_scan(coded_card(code, "Greymon", top_left=5, bottom_right=4), GREYMON)
    assert found is not None
    assert (found.sure, found.reason) == (False, f"its code is BT1-010, and {code} was read")


def test_number_of_known_code_replaces_the_misread_one(identify_scan: Recognise, shell: Shell) -> None:
    identify_scan(coded_card("BT1-0100"), GREYMON)
    with Store(catalogue_path(None)) as store:
        matcher = Resolver(StoreLookup(store), prefer_owned=False)
        read = with_known_code(coded_card("BT1-0100", top_left=5), matcher)
        unknown = coded_card("BT1-0990")
        assert with_known_code(unknown, matcher) == unknown
    assert (read.zones, read.collector, read.doubts) == ({"top-left": 5, "right": 10}, "BT1-010", ())


def test_number_with_its_total_is_no_code(identify_scan: Recognise, shell: Shell) -> None:
    assert identify_scan(scanned_card("Nothing"), ("Amber Griffin", "2/25", {"right": 2})) is None
    read = ScannedCard("Nothing", lines=(SeenText(92, 50, 12, 4, (TextReading("2/25", 0.95),)),))
    with Store(catalogue_path(None)) as store:
        assert with_known_code(read, Resolver(StoreLookup(store), prefer_owned=False)) == read
