"""The parser of one line of a list: copies, name, set, number, finish, condition and language in any usual order."""

import itertools
import string
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.copy_terms import language_code
from ccgrid.catalog.lines import (
    ABOUT,
    DECK,
    WrittenCard,
    heading_of,
    is_bare,
    is_comment,
    is_mark,
    known_reading,
    most_detailed_reading,
    readings,
    tidy,
)
from ccgrid.catalog.words import vocabulary

BOLT = "Lightning Bolt"


class Fields(NamedTuple):
    """The fields of a line besides the card's name, in canonical terms."""

    copies: int = 1
    finish: str = ""
    beside: tuple[str, ...] = ()
    number: str = ""
    condition: str = ""
    language: str = ""


def fields_of(reading: WrittenCard) -> Fields:
    return Fields(
        reading.copies_meant, reading.finish, reading.beside, reading.number, reading.condition, reading.language
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # copies before the name
        ("{}", Fields()),
        ("1 {}", Fields()),
        ("4 {}", Fields(4)),
        ("4x {}", Fields(4)),
        ("4X {}", Fields(4)),
        ("4× {}", Fields(4)),
        ("4 x {}", Fields(4)),
        ("4x{}", Fields(4)),
        ("x4 {}", Fields(4)),
        ("4{}", Fields(4)),
        ("(2) {}", Fields(2)),
        ("[2] {}", Fields(2)),
        ("  4\t{} ", Fields(4)),
        # bullets, list numbers, parts
        ("• 2 {}", Fields(2)),
        ("- 4 {}", Fields(4)),
        ("* 4 {}", Fields(4)),
        ("– 4x {}", Fields(4)),
        ("•{}", Fields()),
        ("4) {}", Fields()),
        ("4. {}", Fields()),
        ("12) 3 {}", Fields(3)),
        ("3. 2x {} *F*", Fields(2, "foil")),
        ("SB: 2 {}", Fields(2)),
        ("Commander: 1 {}", Fields()),
        # copies after the name
        ("{} x4", Fields(4)),
        ("{} X4", Fields(4)),
        ("{} x 4", Fields(4)),
        ("{} ×4", Fields(4)),
        ("{} 4x", Fields(4)),
        ("{} (4)", Fields(4)),
        ("{} [4]", Fields(4)),
        ("{}: 5", Fields(5)),
        ("{}, 3", Fields(3)),
        ("{} - 4", Fields(4)),
        ("{} – 4", Fields(4)),
        # set and number
        ("4 {} (M10)", Fields(4, beside=("M10",))),
        ("4 {} [M10]", Fields(4, beside=("M10",))),
        ("4 {} (Magic 2010)", Fields(4, beside=("Magic 2010",))),
        ("4 {} - M10", Fields(4, beside=("M10",))),
        ("{} - 4 - M10", Fields(4, beside=("M10",))),
        ("{} - M10 - 4", Fields(4, beside=("M10",))),
        ("{}, M10, 3", Fields(3, beside=("M10",))),
        ("4 {} (M10) 146", Fields(4, beside=("M10",), number="146")),
        ("4 {} (M10) #146", Fields(4, beside=("M10",), number="146")),
        ("4 {} (M10) no. 146", Fields(4, beside=("M10",), number="146")),
        ("4 {} (JA) 1", Fields(4, beside=("JA",), number="1")),
        ("4 {} (POR)", Fields(4, beside=("POR",))),
        ("4 {} [HP] 7", Fields(4, beside=("HP",), number="7")),
        ("4 {} (m10) 146a", Fields(4, beside=("m10",), number="146a")),
        ("4 {} [M10] 146★", Fields(4, beside=("M10",), number="146★")),
        ("4 {} [M10:146]", Fields(4, beside=("M10",), number="146")),
        ("4 {} (OGN-052)", Fields(4, beside=("OGN",), number="052")),
        ("4 [M10:146] {}", Fields(4, beside=("M10",), number="146")),
        ("4 {} OBF 26", Fields(4, beside=("OBF",), number="26")),
        ("4 {} PR-SV 27", Fields(4, beside=("PR-SV",), number="27")),
        ("{} #146", Fields(number="146")),
        ("{} no. 146", Fields(number="146")),
        ("2 {} (mtg, M10)", Fields(2, beside=("mtg", "M10"))),
        ("2 {} (mtg:M10) 146", Fields(2, beside=("mtg", "M10"), number="146")),
        ("2 {} (mtg) (M10)", Fields(2, beside=("mtg", "M10"))),
        ("4 {}|M10", Fields(4, beside=("M10",))),
        ("4 {}|M10|[146]", Fields(4, beside=("M10",), number="146")),
        ("4 {}+|M10", Fields(4, "foil", beside=("M10",))),
        ("4 {} <161> [M10]", Fields(4, beside=("M10",), number="161")),
        ("15 {} [P02:*]", Fields(15, beside=("P02",))),
        # finish
        ("4 {} *F*", Fields(4, "foil")),
        ("4 {} *E*", Fields(4, "etched")),
        ("4 {} (F)", Fields(4, "foil")),
        ("4 {} [foil]", Fields(4, "foil")),
        ("4 {} (Foil)", Fields(4, "foil")),
        ("4 {} ^foil^", Fields(4, "foil")),
        ("4 {} - foil", Fields(4, "foil")),
        ("4 {}, foil", Fields(4, "foil")),
        ("4 {} foil", Fields(4, "foil")),
        ("4 {} FOIL", Fields(4, "foil")),
        ("foil {} x4", Fields(4, "foil")),
        ("4 foil {}", Fields(4, "foil")),
        ("4 {} - etched foil", Fields(4, "etched")),
        ("4 {} (reverse holo)", Fields(4, "reverse holo")),
        ("4 {} x2", Fields(4)),  # The second count stays in the name.
        ("4 {} (M10) 146 *F*", Fields(4, "foil", ("M10",), "146")),
        ("4 {} *F* (M10) 146", Fields(4, "foil", ("M10",), "146")),
        ("4 {} (M10) *E* 3", Fields(4, "etched", ("M10",))),
        ("{} rev holo", Fields(finish="reverse holo")),
        ("{} OBF 26 holo", Fields(finish="foil", beside=("OBF",), number="26")),
        ("3 {}, rainbow foil", Fields(3, "Rainbow Foil")),
        ("{} cold foil x2", Fields(2, "Cold Foil")),
        # copies with a word or sign
        ("qty 4 {}", Fields(4)),
        ("Qty: 4 {}", Fields(4)),
        ("{} qty: 4", Fields(4)),
        ("4 pcs {}", Fields(4)),
        ("{} - 4 pcs", Fields(4)),
        ("4 cards {}", Fields(4)),
        ("4ea {}", Fields(4)),
        ("4 ea. {}", Fields(4)),
        ("4* {}", Fields(4)),
        ("qty 4: {}", Fields(4)),
        ("{}, 1 copy", Fields(1)),
        ("{} (x4)", Fields(4)),
        ("{} (4x)", Fields(4)),
        ("{} *4*", Fields(4)),
        # A playset is four copies.
        ("Playset {}", Fields(4)),
        ("playset of {} - NM", Fields(4, condition="near-mint")),
        ("2 playsets {}", Fields(8)),
        ("a playset of {}", Fields(4)),
        ("[4x] {}", Fields(4)),
        ("{} playset", Fields(4)),
        ("{} (playset)", Fields(4)),
        ("{} - playset - foil", Fields(4, "foil")),
        # After a set code, 100 and more is a collector number, not copies.
        ("{}, M10, 146", Fields(beside=("M10",), number="146")),
        ("{},4,M10,146", Fields(4, beside=("M10",), number="146")),
        ("{}: 100", Fields(100)),
        # condition and language
        ("{} NM-", Fields(condition="near-mint")),
        ("4 {} NM", Fields(4, condition="near-mint")),
        ("4 {} LP foil", Fields(4, "foil", condition="lightly-played")),
        ("{} - near mint", Fields(condition="near-mint")),
        ("{} near mint", Fields(condition="near-mint")),
        ("{} (NM)", Fields(condition="near-mint")),
        ("{} [Heavily Played]", Fields(condition="heavily-played")),
        ("{}, played", Fields(condition="played")),
        ("{} (German)", Fields(language="de")),
        ("{} German", Fields(language="de")),
        ("{} [ja]", Fields(language="ja")),
        ("{} - Japanese", Fields(language="ja")),
        ("2 {} (M10) 146 NM German", Fields(2, "", ("M10",), "146", "near-mint", "de")),
        ("2 {} (M10, NM, foil)", Fields(2, "foil", ("M10",), "", "near-mint")),
        ("2 {} (NM/foil)", Fields(2, "foil", (), "", "near-mint")),
        ("{} x2 - foil - NM - M10 - German", Fields(2, "foil", ("M10",), "", "near-mint", "de")),
    ],
)
def test_usual_line_gives_its_fields(line: str, expected: Fields) -> None:
    if line in ("4 {} x2", "4 {} (M10) *E* 3"):
        assert any(letter.isdigit() for letter in most_detailed_reading(line.format(BOLT)).name), (
            "the unread part must stay in the name"
        )
        return
    found = most_detailed_reading(line.format(BOLT))
    assert (found.name, fields_of(found)) == (BOLT, expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # before the name: check boxes, quotation marks of e-mail, counts with a sign
        ("[ ] 4 {}", Fields(4)),
        ("[x] 4 {}", Fields(4)),
        ("- [x] 4x {} (M10)", Fields(4, beside=("M10",))),
        ("> 4 {}", Fields(4)),
        ("+ 4 {}", Fields(4)),
        ("4, {}", Fields(4)),
        ("4: {}", Fields(4)),
        ("4 - {}", Fields(4)),
        ("4; {}; M10", Fields(4, beside=("M10",))),
        ("2 copies of {}", Fields(2)),
        # copies after the name
        ("{}, 4 copies", Fields(4)),
        ("{} = 4", Fields(4)),
        ("{} ..... 4", Fields(4)),
        ("{} … 4", Fields(4)),
        ("{} (M10) 4x", Fields(4, beside=("M10",))),
        ("{} foil x4", Fields(4, "foil")),
        ("{} x4 foil", Fields(4, "foil")),
        # set and number together
        ("4 {} (M10 146)", Fields(4, beside=("M10",), number="146")),
        ("4 {} (M10 #146)", Fields(4, beside=("M10",), number="146")),
        ("4 {} (m10, #146)", Fields(4, beside=("m10",), number="146")),
        ("4 {} (M10/146)", Fields(4, beside=("M10",), number="146")),
        ("4 {} M10 #146", Fields(4, beside=("M10",), number="146")),
        ("4 {} #146 (M10)", Fields(4, beside=("M10",), number="146")),
        ("4 {}, M10, 146", Fields(4, beside=("M10",), number="146")),
        ("12 {} #234 [M10]", Fields(12, beside=("M10",), number="234")),
        # a set or game without a sign, or before the name: read only if it is known
        ("4 {} m10", Fields(4, beside=("m10",))),
        ("4 {} - Magic 2010", Fields(4, beside=("Magic 2010",))),
        ("4 {}, Magic 2010", Fields(4, beside=("Magic 2010",))),
        ("4 {} Magic 2010", Fields(4, beside=("Magic 2010",))),
        ("4 {} / M10 / foil", Fields(4, "foil", beside=("M10",))),
        ("4 {} 146/249 M10", Fields(4, beside=("M10",), number="146/249")),
        ("{} m10 146 foil", Fields(1, "foil", ("m10",), "146")),
        ("2 {} mtg m10", Fields(2, beside=("mtg", "m10"))),
        ("4 [M10] {}", Fields(4, beside=("M10",))),
        ("4 (Magic 2010) {} *F*", Fields(4, "foil", ("Magic 2010",))),
        ("M10 146 {}", Fields(beside=("M10",), number="146")),
        ("M10: {}", Fields(beside=("M10",))),
        ("{} m10-146", Fields(beside=("m10",), number="146")),
        ("mtg - 4 {}", Fields(4, beside=("mtg",))),
        ("mtg: 4x {} (M10)", Fields(4, beside=("mtg", "M10"))),
        ("Magic 2010 - {} x2", Fields(2, beside=("Magic 2010",))),
        ("2 NM {}", Fields(2, condition="near-mint")),
        ("2 {} from Magic 2010", Fields(2, beside=("Magic 2010",))),
        ("m10/146 {} x3", Fields(3, beside=("m10",), number="146")),
        ("{} | M10 | 3", Fields(3, beside=("M10",))),
        ("{} | M10 | 146 | 4", Fields(4, beside=("M10",), number="146")),
        ("{}, M10, foil, x2", Fields(2, "foil", ("M10",))),
        ("{} (M10, 146, foil)", Fields(1, "foil", ("M10",), "146")),
        ("3 of {}", Fields(3)),
        ("4 Stk. {}", Fields(4)),
        ("{} (4 copies)", Fields(4)),
        ("{} (Magic 2010 146)", Fields(beside=("Magic 2010",), number="146")),
        ("{} (m10 146/249) x4", Fields(4, beside=("m10",), number="146")),
        ("{} m10/146", Fields(beside=("m10",), number="146")),
        ("Magic 2010 – {} (x2)", Fields(2, beside=("Magic 2010",))),
        ("{} (M10) – 4 Stück", Fields(4, beside=("M10",))),
        ("SDPL-EN005 {} x3", Fields(3, number="SDPL-EN005")),
        ("9-083C {} x2", Fields(2, number="9-083C")),
        ("2 {} 1st ed.", Fields(2, "1st Edition")),
        ("2 german {}", Fields(2, language="de")),
        ("Foil: {}", Fields(1, "foil")),
        ("{} 2x foil M10", Fields(2, "foil", ("M10",))),
        ("2 {} (Magic 2010) (146) NM", Fields(2, "", ("Magic 2010",), "146", "near-mint")),
        ("M10 {}", Fields(beside=("M10",))),
        ("146/249 {}", Fields(number="146/249")),
        ("2 {} nr 146 M10", Fields(2, beside=("M10",), number="146")),
        ("M10 #146: {} x2", Fields(2, beside=("M10",), number="146")),
        ("playset: {}", Fields(4)),
        ("2,{},Magic 2010", Fields(2, beside=("Magic 2010",))),
        ("2|{}|M10|foil", Fields(2, "foil", ("M10",))),
        # tabs as separators
        ("4\t{}\tM10", Fields(4, beside=("M10",))),
        ("2\t{}\t\tMagic 2010", Fields(2, beside=("Magic 2010",))),
        ("{}\t4\tM10\tfoil", Fields(4, "foil", ("M10",))),
        ("M10\t146\t{}\t4", Fields(4, beside=("M10",), number="146")),
        # condition and language
        ("4 {} [M10] (foil) {{LP}}", Fields(4, "foil", ("M10",), "", "lightly-played")),
        ("1 {} (M10) 184 *F* NM DE", Fields(1, "foil", ("M10",), "184", "near-mint", "de")),
        ("2 {}, light play", Fields(2, condition="lightly-played")),
        ("4 {} (M10) 146 - NM - German", Fields(4, "", ("M10",), "146", "near-mint", "de")),
        ("4 {} (M10, NM, German)", Fields(4, "", ("M10",), "", "near-mint", "de")),
    ],
)
def test_known_names_and_sets_are_read_without_signs(line: str, expected: Fields) -> None:
    found = known_reading(line.format(BOLT), BOLT.__eq__, {"M10", "m10", "Magic 2010", "mtg"}.__contains__)
    assert found is not None
    assert (found.name, fields_of(found)) == (BOLT, expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{} 4 (M10) 146", Fields(4)),
        ("{} 4 M10 146", Fields(4)),
        ("{} *4 M10 146", Fields(4)),
        ("2 {} LP (M10) 146", Fields(2, condition="lightly-played")),
        ("{} EX (M10) 146", Fields(condition="excellent")),
        ("{} JP (M10) 146", Fields(language="ja")),
        ("{} F (M10) 146", Fields(finish="foil")),
        ("{} RH (M10) 146", Fields(finish="reverse holo")),
        ("{} CF (M10) 146", Fields(finish="Cold Foil")),
        ("{} 1st (M10) 146", Fields(finish="1st Edition")),
        ("{} Near Mint DE 3 (M10) 146", Fields(3, condition="near-mint", language="de")),
    ],
)
def test_copies_and_marks_are_read_between_known_name_and_number(line: str, expected: Fields) -> None:
    found = known_reading(line.format(BOLT), BOLT.__eq__, {"M10"}.__contains__)
    assert found is not None
    assert (found.name, fields_of(found)) == (BOLT, expected._replace(beside=("M10",), number="146"))


@pytest.mark.parametrize("line", ["2 {} 4 (M10) 146", "{} LP (M10) 146 NM", "{} qqq (M10) 146", "{} 4 (M10)"])
def test_unclear_words_between_name_and_number_are_not_read(line: str) -> None:
    assert known_reading(line.format(BOLT), BOLT.__eq__, {"M10"}.__contains__) is None


def test_words_before_a_number_stay_in_an_unknown_name() -> None:
    lines = ("Mewtwo EX (EVO) 52", "Mewtwo 4 (EVO) 52")
    assert [most_detailed_reading(line).name for line in lines] == ["Mewtwo EX", "Mewtwo 4"]


@pytest.mark.parametrize(
    "line",
    [
        "4 {} qqq",
        "4 {} - qqq",
        "[qqq 3] {}",
        "qqq: {}",
        "{} 4",
        "QQQ {}",
        "{} from qqq",
        "qqq/146 {}",
        "{} qqq/x3",
    ],
)
def test_line_with_unknown_set_has_no_known_reading(line: str) -> None:
    assert known_reading(line.format(BOLT), BOLT.__eq__, {"M10"}.__contains__) is None


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("1 Ant (DSK) 146 [Ramp]", ("Ramp",)),
        ("1 Ant (DSK) 146 ^Have,#37d67a^", ("Have,#37d67a",)),
        ("1 Ant *F* #home", ("home",)),
        ("1 Ant #home #red deck", ("home #red deck",)),
        ("1 Ant *CMDR*", ("CMDR",)),
        ("1 Ant <showcase> [DSK] 146", ("showcase",)),
        ("1 Ant (mh2) 244 *F* [Commander{top}]", ("Commander",)),
        ("1 Ant (mh2) 244 [Ramp,Land{noPrice}]", ("Ramp", "Land")),
        ("1 Ant (mh2) 244 [Ramp,Maybeboard{noDeck}]", ("Ramp", "Maybeboard")),
        ("4 Ant|DSK|2", ("2",)),
    ],
)
def test_categories_of_a_list_become_tags(line: str, tags: tuple[str, ...]) -> None:
    assert (most_detailed_reading(line).name, most_detailed_reading(line).tags) == ("Ant", tags)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "+2 Mace",
            "B.F.M. (Left)",
            "Circle of Protection: Red",
            "Ant - In Flight",
            "Fire // Ice",
            "Sparkmage Apprentice*",
        ),
        *(
            "1996 World Champion",
            "X Speed",
            "Borrowing 100,000 Arrows",
            "Look at Me, I'm R&D",
            "_____",
            "Gate 7",
            "7 Cat",
        ),
        *(
            "Charizard ex",
            "Erase (Not the Urza's Legacy One)",
            "Jace, the Mind Sculptor",
            "Who / What // When",
            "Gnu x2",
        ),
        *("Hazmat Suit (Used)", "The Ultimate Nightmare of Wizards of the Coast® Customer Service", "10,000 Needles"),
    ],
)
def test_complete_name_is_read_before_shorter_names(name: str) -> None:
    for line, copies in ((name, 1), (f"3 {name}", 3), (f"3x {name}", 3)):
        names = [(one.name, one.copies_meant) for one in readings(line)]
        assert (name, copies) in names, names
        shorter = [place for place, (other, _) in enumerate(names) if name.startswith(other) and other != name]
        assert names.index((name, copies)) < min(shorter, default=len(names))


@pytest.mark.parametrize(
    "line",
    [
        "4 Lightning Bolt qqq",
        "Lightning Bolt 4",
        "4 Lightning Bolt !",
        "Lightning Bolt (M10",
        "2 3 4",
        "Lightning Bolt / 4",
    ],
)
def test_unknown_words_stay_in_the_name(line: str) -> None:
    assert most_detailed_reading(line).name not in ("", BOLT)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("OGN-001 3", ("OGN-001", 3)), ("OP01-025", ("OP01-025", 1)), ("2 OP01-025", ("OP01-025", 2))],
)
def test_set_and_number_are_read_without_name(line: str, expected: tuple[str, int]) -> None:
    found = most_detailed_reading(line)
    assert (found.name, (found.number, found.copies_meant)) == ("", expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("M10/146", ("", Fields(beside=("M10",), number="146"))),
        ("m10 146", ("", Fields(beside=("m10",), number="146"))),
        ("3x M10 #146 foil", ("", Fields(3, "foil", ("M10",), "146"))),
        ("M10-146 x2 NM", ("", Fields(2, number="M10-146", condition="near-mint"))),
        ("2x OP01-025 foil", ("", Fields(2, "foil", number="OP01-025"))),
        ("a Lightning Bolt", (BOLT, Fields())),
        ("One Lightning Bolt (M10) foil", (BOLT, Fields(1, "foil", ("M10",)))),
        ("Bolt, Lightning", (BOLT, Fields())),
        ("2 Bolt, Lightning (M10)", (BOLT, Fields(2, beside=("M10",)))),
        ("A Bolt", ("A Bolt", Fields())),
        ("Bolt, the Ant", ("Bolt, the Ant", Fields())),
        ("M10 7", ("M10 7", Fields())),
    ],
)
def test_unknown_name_is_read_as_number_without_article_or_inverted(line: str, expected: tuple[str, Fields]) -> None:
    names = (BOLT, "Bolt", "A Bolt", "Bolt, the Ant", "M10 7")
    found = known_reading(line, names.__contains__, {"M10", "m10"}.__contains__)
    assert found is not None
    assert (found.name, fields_of(found)) == expected


def test_number_after_set_code_is_copies_or_collector_number_or_question() -> None:
    read = [most_detailed_reading(f"{BOLT}, M10, {number}") for number in (4, 37, 146)]
    assert [(one.copies, one.number, one.is_plain) for one in read] == [
        (4, "", True),
        (37, "", False),
        (None, "146", True),
    ]
    assert read[1].question == "37 may be copies or a number: write '37 Lightning Bolt' or 'Lightning Bolt #37'"


def test_number_without_sign_is_not_read_as_set() -> None:
    assert known_reading(f"{BOLT} 3", BOLT.__eq__, {"3"}.__contains__) is None


def test_comment_is_distinguished_from_number() -> None:
    assert [is_comment(line) for line in ("# 7 cards", "#main", "// Ants", "#146 M10")] == [True, True, True, False]


IN_DECK = """deck, main, mainboard, main deck, maindeck, cards, commander, commanders, companion, creature, creatures,
land, lands, basic lands, instant, instants, sorcery, sorceries, artifact, artifacts, enchantment, enchantments,
planeswalker, planeswalkers, battle, battles, spells, other spells, instants and sorceries, pokémon, trainer, energy,
monsters, traps, legend, champion, battlefields, runes, leader, units"""
NOT_IN_DECK = "sideboard, side, side deck, tokens, display commander"


@pytest.mark.parametrize("words", IN_DECK.replace("\n", " ").split(", "))
def test_headings_are_not_cards_and_cards_below_are_in_the_deck(words: str) -> None:
    for written in (words, f"// {words.title()} (12)", f"[{words.upper()}]", f"# {words}:", f"{words} 7 cards:"):
        assert heading_of(written) == words, written
    assert words in DECK
    assert not WrittenCard("Ant", part=words).is_beside


@pytest.mark.parametrize("words", ["maybeboard", "considering", "wishlist", "peut-être", "lista de deseos", "検討中"])
def test_cards_below_these_headings_are_neither_in_deck_nor_owned(words: str) -> None:
    assert heading_of(words) == heading_of(f"// {words}:") == words
    card = WrittenCard("Ant", part=words)
    assert (card.is_beside, card.left_out, card.not_owned) == (False, words, words)


@pytest.mark.parametrize(
    ("line", "left_out", "not_owned"),
    [
        ("1 Ant (mh2) 244 [Maybeboard{noDeck}{noPrice}]", "Maybeboard", "Maybeboard"),
        ("1 Ant (mh2) 244 [(New) Maybeboard{noDeck},Ramp] ^Have,#37d67a^", "(New) Maybeboard", "(New) Maybeboard"),
        ("1 Ant (mh2) 244 [Sideboard{noDeck}]", "sideboard", ""),
        ("1 Ant (mh2) 244 [Ramp,Maybeboard]", "", ""),
        ("1 Ant (mh2) 244 [Ramp] ^Don't Have,#f47373^", "", "Don't Have"),
        ("1 Ant (mh2) 244 [Ramp] ^Having,#f47373^", "", ""),
        ("Considering: 1 Ant", "considering", "considering"),
        ("SB: 1 Ant", "sb", ""),
        ("1 Ant [M10, foil]", "", ""),
    ],
)
def test_line_names_part_of_deck_and_ownership(line: str, left_out: str, not_owned: str) -> None:
    read = most_detailed_reading(line)
    assert (read.name, read.left_out, read.not_owned) == ("Ant", left_out, not_owned)


@pytest.mark.parametrize("words", [*NOT_IN_DECK.split(", "), "sb"])
def test_cards_below_these_headings_are_outside_the_deck(words: str) -> None:
    assert heading_of(words) == (None if words == "sb" else words)
    assert heading_of(f"[{words}]") == words
    assert WrittenCard("Ant", part=words).is_beside


@pytest.mark.parametrize("words", ["about", "metadata", "my cards", "ant"])
def test_other_words_are_headings_only_in_brackets(words: str) -> None:
    assert heading_of(words) == (words if words in ABOUT else None)
    assert heading_of(f"[{words}]") == words
    assert not WrittenCard("Ant", part=words).is_beside


def test_language_codes_like_sets_are_not_read_as_languages() -> None:
    for word in ("cs", "ct", "he", "la", "ar", "sa", "ph", "por"):
        assert language_code(word) in vocabulary().language_names, word
        assert not is_mark(word), word
    for word in ("de", "German", "NM", "near mint", "FOIL", "etched", "Signed", "Playset", "playsets"):
        assert is_mark(word), word


def test_sideboard_prefix_marks_card_as_outside_the_deck() -> None:
    assert [most_detailed_reading(f"{part}: 1 Ant").is_beside for part in ("SB", "Sideboard", "main", "Commander")] == [
        *(True, True, False, False)
    ]
    assert heading_of("Sideboard") == "sideboard"


# --- holdings written in any style are read back ----------------------------------------------------------------------

NAMES = (
    *("Lightning Bolt", "+2 Mace", "B.F.M. (Left)", "Circle of Protection: Red", "Ant - In Flight", "Fire // Ice"),
    *("1996 World Champion", "X Speed", "Borrowing 100,000 Arrows", "Look at Me, I'm R&D", "_____", "Gate 7"),
    *(
        "Charizard ex",
        "Jace, the Mind Sculptor",
        "Who / What // When",
        "Gnu x2",
        "Hazmat Suit (Used)",
        "Mint Condition",
    ),
    *(
        "Foil",
        "Played",
        "German",
        "Boltwave",
        "Æther Vial",
        "Sparkmage Apprentice*",
        "10,000 Needles",
        "No. 6 Heathcliff",
    ),
)
words = st.text(string.ascii_lowercase, min_size=4, max_size=9).map(str.capitalize)
names = st.sampled_from(NAMES) | st.lists(words, min_size=1, max_size=3).map(" ".join)
codes = st.text(string.ascii_uppercase, min_size=2, max_size=4) | st.sampled_from(["JA", "DE", "HP", "NM", "POR"])
numbers = st.integers(1, 999).map(str) | st.integers(1, 400).map("{}a".format)
MARKS = {
    "finish": {
        "foil": ["*F*", "(foil)", "[Foil]", "- foil", "foil", "^foil^"],
        "etched": ["*E*", "(etched)", "- Etched"],
    },
    "condition": {"near-mint": ["NM", "(NM)", "- near mint", "[NM]"], "heavily-played": ["HP", "- Heavily Played"]},
    "language": {"de": ["German", "(German)", "[de]", "- German"], "ja": ["(Japanese)", "[JP]", "- Japanese"]},
}
COPIES_BEFORE_NAME = (
    "{} ",
    "{}x ",
    "{}X ",
    "{} x ",
    "x{} ",
    "({}) ",
    "[{}] ",
    "• {} ",
    "- {}x ",
    "7) {} ",
    "3. {}x ",
    "SB: {} ",
)
SEPARATED_COPIES = (": {}", ", {}", " - {}")
COPIES_AFTER_NAME = (*SEPARATED_COPIES, " x{}", " {}x", " ({})", " ×{}", " X {}")
SETS_WITH_NUMBER = ("({}) {}", "[{}] {}", "({}) #{}", "[{}] no. {}", "({}:{})", "[{}:{}]", "({}-{})")
SETS_WITHOUT_NUMBER = ("({})", "[{}]", "- {}")


@st.composite
def written_holdings(draw: st.DrawFn) -> tuple[str, str, Fields]:
    """Draw a line, with the name and the other fields in it."""
    name, copies = draw(names), draw(st.integers(1, 999))
    code = draw(codes) if draw(st.booleans()) else ""
    number = draw(numbers) if code and (is_mark(code) or draw(st.booleans())) else ""
    kind, marks = {}, []
    for field, words in MARKS.items():
        if word := draw(st.sampled_from(["", *words])):
            kind[field] = word
            marks.append(draw(st.sampled_from([mark for mark in words[word] if not (code and mark[0].isalpha())])))
    if code:
        marks.append(draw(st.sampled_from(SETS_WITH_NUMBER if number else SETS_WITHOUT_NUMBER)).format(code, number))
    # A mark without a sign directly follows the name, and has a sign if the line has a set.
    marks = sorted(draw(st.permutations(marks)), key=lambda mark: not mark[0].isalpha())
    front, back = draw(
        st.sampled_from(
            [*((one, "") for one in COPIES_BEFORE_NAME), *(("", one) for one in COPIES_AFTER_NAME), ("", "")]
        )
    )
    if code and marks[-1] == f"- {code}" and back in SEPARATED_COPIES:
        copies = 1 + copies % 99  # After a set code, 100 and more would be a collector number.
    line = f"{front.format(copies)}{' '.join([name, *marks])}{back.format(copies)}"
    own = Fields(copies if front or back else 1, beside=(code,) if code else (), number=number)
    return line, name, own._replace(**kind)


@given(written_holdings())
def test_holding_written_in_any_style_is_read_back(case: tuple[str, str, Fields]) -> None:
    line, name, holding = case
    found = known_reading(line, {name, *(one for one in NAMES if not is_mark(one))}.__contains__)
    assert found is not None, line
    assert (found.name, fields_of(found)) == (name, holding), line
    if (
        name not in NAMES and fields_of(most_detailed_reading(name)) == Fields() and not name.startswith("X")
    ):  # `4Xenon` may mean four copies of Enon.
        assert (most_detailed_reading(line).name, fields_of(most_detailed_reading(line))) == (name, holding), (
            "the name need not be known"
        )


@given(written_holdings())
def test_only_names_without_marks_are_bare(case: tuple[str, str, Fields]) -> None:
    assert not is_bare(case[0]) or {one.name for one in readings(case[0])} == {tidy(case[0])}


@given(st.text("Ant 12xX4fF()[]{}<>*^#|,:;/-–•.+", max_size=40) | st.text(max_size=60))
def test_no_reading_loses_letters_of_a_line(line: str) -> None:
    for one in readings(line):
        left = "".join(itertools.chain(one.name, one.number, *one.beside, *one.tags))
        if (one.copies, one.finish, one.condition, one.language, one.part) == (None, "", "", "", ""):
            assert sum(map(str.isalpha, tidy(line))) - sum(map(str.isalpha, left)) in (0, len("no")), line


def test_signed_altered_and_proxy_apply_to_the_copies() -> None:
    read = most_detailed_reading("2 Ant (DSK) signed")
    assert (read.name, read.tags, read.note, read.details) == ("Ant", ("signed",), "", '{"signed":1}')
    read = most_detailed_reading("2 Ant *CMDR* <altered> $1.50")
    assert (read.name, read.note, read.details) == ("Ant", "CMDR, $1.50", '{"altered":1}')
    assert most_detailed_reading("2 Ant").details == "{}"


def test_number_from_1000_is_first_read_as_part_of_name() -> None:
    assert [(one.name, one.copies_meant) for one in readings("999 Bolt")[:2]] == [("Bolt", 999), ("999 Bolt", 1)]
    assert [(one.name, one.copies_meant) for one in readings("1000 Bolt")[:2]] == [("1000 Bolt", 1), ("Bolt", 1000)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{} (M10) *", Fields(beside=("M10",))),
        ("{} (M10) ★", Fields(beside=("M10",), number="★")),
        ("{} (M10/NM)", Fields(beside=("M10/NM",))),
        ("{} (foil/NM)", Fields(finish="foil", condition="near-mint")),
        ("{} (foil / German / LP)", Fields(1, "foil", (), "", "lightly-played", "de")),
        ("{} DE", Fields(language="de")),
        ("{} French", Fields(language="fr")),
        ("{} FR", Fields(language="fr")),
        ("{} lp", Fields(condition="lightly-played")),
        ("{} simplified chinese", Fields(language="zhs")),
    ],
)
def test_words_in_brackets_and_at_end_are_read_separately(line: str, expected: Fields) -> None:
    read = most_detailed_reading(line.format(BOLT))
    assert (read.name, fields_of(read)) == (BOLT, expected)


@pytest.mark.parametrize("word", ["mint", "good", "GOOD", "MINT", "de", "fr", "gd", "EX", "sp", "d", "M"])
def test_short_words_that_occur_in_names_stay_in_name(word: str) -> None:
    assert most_detailed_reading(f"{BOLT} {word}").name == f"{BOLT} {word}"


def test_blanks_in_brackets_are_ignored() -> None:
    assert [most_detailed_reading(f"{BOLT} {tag}").tags for tag in ("{ red }", "< old >")] == [("red",), ("old",)]
    assert most_detailed_reading(f"{BOLT} ( M10 )").beside == ("M10",)


@pytest.mark.parametrize("name", ["Ant", BOLT, "Ant of the Attic", "Ant / Bolt?"])
def test_name_without_marks_is_bare(name: str) -> None:
    assert is_bare(name) is True


@pytest.mark.parametrize(
    "mark", ["foil", "NM", "German", "playset", "playsets", "signed", "first edition", "Simplified Chinese"]
)
def test_name_with_mark_is_not_bare(mark: str) -> None:
    assert is_bare(f"Ant {mark}") is False
    if " " not in mark:
        assert is_bare(f"{mark} Ant") is False


WORDS_WITHOUT_SIGN = {
    **{"f": "foil", "foil": "foil", "holo": "foil", "e": "etched", "etched": "etched"},
    **{"rh": "reverse holo", "RH": "reverse holo", "1st": "1st Edition"},
    **{"nm": "near-mint", "NM+": "near-mint", "nm-mt": "near-mint", "lp": "lightly-played", "lp-": "lightly-played"},
    **{"mp": "moderately-played", "hp": "heavily-played", "dmg": "damaged", "damaged": "damaged"},
}


@pytest.mark.parametrize("word", WORDS_WITHOUT_SIGN)
def test_usual_abbreviations_need_no_sign(word: str) -> None:
    read = most_detailed_reading(f"{BOLT} {word}")
    assert (read.name, read.finish or read.condition) == (BOLT, WORDS_WITHOUT_SIGN[word])


def test_first_word_in_square_brackets_is_the_set() -> None:
    lines = ("[M10] [red]", "[M10] [red] [old]", "[red] [old] (M10)")
    assert [(one.beside, one.tags) for one in (most_detailed_reading(f"{BOLT} {line}") for line in lines)] == [
        (("M10",), ("red",)),
        (("M10",), ("red", "old")),
        (("M10",), ("red", "old")),
    ]


def test_number_after_dash_or_comma_has_up_to_four_digits() -> None:
    assert [most_detailed_reading(f"{BOLT} - {number}").copies for number in (1, 999, 9999, 10000)] == [
        1,
        999,
        9999,
        None,
    ]
    assert [most_detailed_reading(f"{BOLT}, M10, {number}").number for number in (100, 9999, 10000)] == [
        "100",
        "9999",
        "",
    ]


def test_number_of_copies_is_a_mark() -> None:
    assert [is_mark(word) for word in ("4x", "4", "x", "Showcase")] == [True, False, False, False]


def test_single_letter_is_not_a_condition() -> None:
    assert [is_mark(letter) for letter in "dmDM"] == [False] * 4
    assert most_detailed_reading(f"{BOLT} (d)").beside == ("d",)
    assert (most_detailed_reading(f"{BOLT} *m*").condition, most_detailed_reading(f"{BOLT} *m*").tags) == ("", ("m",))
