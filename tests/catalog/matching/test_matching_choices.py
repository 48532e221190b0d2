"""Matching of rows to cards: choices by id, by set, within a set, and by the words in a name's cell."""

from typing import Any

import pytest
from helpers.small_shelf import CARDS, Shelf, card, match, row

from ccgrid.catalog.lines import most_detailed_reading
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import with_reading

# --- by id ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["it", "ja"])
def test_unknown_foreign_name_is_trusted_with_id(language: str) -> None:
    wanted = row("Araldo di Ferro", "", "", ("scryfall", "i"), language=language)
    assert match(CARDS, wanted) == ("id", "dsk/15", "", (), 0)


@pytest.mark.parametrize("language", ["", "en"])
def test_english_name_contradicting_id_is_miss(language: str) -> None:
    wanted = row("Araldo di Ferro", "", "", ("scryfall", "i"), language=language)
    reason = "the scryfall id is that of 'Iron Herald', not of 'Araldo di Ferro'"
    assert match(CARDS, wanted) == ("missed", None, reason, ("dsk/15",), 0)


@pytest.mark.parametrize("name", ["Jade Gardener", "Jade Gardener (Promo)"])
def test_name_of_another_card_is_not_foreign(name: str) -> None:
    reason = f"the scryfall id is that of 'Iron Herald', not of {name!r}"
    wanted = row(name, "", "", ("scryfall", "i"), language="it")
    assert match(CARDS, wanted) == ("missed", None, reason, ("dsk/15",), 0)
    reason = f"number 15 of dsk is 'Iron Herald', not {name!r}"
    assert match(CARDS, row(name, "dsk", "15", language="it")) == ("missed", None, reason, ("old/2",), 0)


def test_most_similar_name_is_taken_among_cards_with_same_id() -> None:
    cards = [card("dsk", "1", "Zinc Zealot", ids="tcg:7"), card("dsk", "2", "Amber Archivist", ids="tcg:7")]
    cards.append(card("dsk", "3", "Yellow Yak", ids="tcg:7"))
    wanted = row("Amber Archivits", "", "", ("tcg", "7"))
    assert match(cards, wanted) == ("id", "dsk/2", "", (), 0)


def test_name_is_misspelt_from_75_percent_similarity() -> None:
    cards = [card("dsk", "1", "Abcd", ids="tcg:7")]
    assert match(cards, row("Abcx", "", "", ("tcg", "7")))[:2] == ("id", "dsk/1")
    assert match(cards, row("Abcx", "dsk", "1"))[:2] == ("number", "dsk/1")
    assert match(cards, row("Abxy", "", "", ("tcg", "7")))[:2] == ("missed", None)
    assert match(cards, row("Abxy", "dsk", "1"))[:2] == ("missed", None)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Amber Archivist 4", "4"),
        ("Amber Archivist EX", "EX"),
        ("Amber Archivits LP DE", "LP DE"),
        ("NM Amber Archivits", "NM"),
    ],
)
def test_words_beyond_the_name_are_doubtful_beside_id_or_number(name: str, words: str) -> None:
    doubtful = ("fuzzy", "dsk/1", f"{words!r} is unknown", ("dsk/1",), 0)
    assert match(CARDS, row(name, "dsk", "1")) == doubtful
    assert match(CARDS, row(name, "", "", ("scryfall", "a"))) == doubtful
    coded = card("OP01", "OP01-016", "Amber Archivist")._replace(set_code="", set_name="")
    assert match([coded], row(name, "", "OP01-016"))[:3] == ("fuzzy", "OP01/OP01-016", f"{words!r} is unknown")


@pytest.mark.parametrize(
    "name", ["Amber Archivits", "Amber Arch ivits", "Amber Archivist Promo", "Amber Archivits (Showcase)"]
)
def test_misspelt_name_without_other_words_is_certain_beside_number(name: str) -> None:
    assert match(CARDS, row(name, "dsk", "1")) == ("number", "dsk/1", "", (), 0)


@pytest.mark.parametrize(("name", "how"), [("Embr // Ash", "number"), ("Ember // Ahs", "number"), ("Ember 4", "fuzzy")])
def test_misspelt_half_of_a_name_is_no_other_word(name: str, how: str) -> None:
    assert match([card("dsk", "4", "Ember // Ash")], row(name, "dsk", "4"))[0] == how


@pytest.mark.parametrize("addition", ["(Professor Sada)", "[Sada]"])
def test_name_without_the_addition_of_the_data_is_certain_beside_id_or_number(addition: str) -> None:
    name = "Professor's Research"
    cards = [card("sv1", "189", f"{name} {addition}", ids="ptcgo:svi tcg:7"), card("sv1", "190", "Staraptor")]
    assert match(cards, row(name, "SVI", "189")) == ("number", "sv1/189", "", (), 0)
    assert match(cards, row(name, "", "", ("tcg", "7"))) == ("id", "sv1/189", "", (), 0)
    assert match(cards, row(name, "sv1", "190"))[:2] == ("missed", None)


def test_first_agreeing_id_is_taken() -> None:
    ids = (("scryfall", "none"), ("scryfall", "b"), ("scryfall", "a"))
    assert match(CARDS, row("Amber Archivist", "", "", *ids))[:2] == ("id", "dsk/1")
    assert match(CARDS, row("", "", "", *ids))[:2] == ("id", "dsk/2")


def test_first_of_two_mismatched_ids_is_reported() -> None:
    wanted = row("Jade Gardener", "", "", ("scryfall", "a"), ("scryfall", "b"))
    reason = "the scryfall id is that of 'Amber Archivist', not of 'Jade Gardener'"
    assert match(CARDS, wanted) == ("missed", None, reason, ("dsk/1",), 0)


@pytest.mark.parametrize("options", [{}, {"any_printing": True}])
def test_set_and_number_precede_id_of_another_card(options: dict[str, Any]) -> None:
    wanted = row("Brass Bellringer", "dsk", "2", ("scryfall", "a"))
    assert match(CARDS, wanted, **options) == ("number", "dsk/2", "", (), 0)


@pytest.mark.parametrize("options", [{}, {"any_printing": True}])
def test_mismatched_id_is_reported_before_missing_name_in_set(options: dict[str, Any]) -> None:
    reason = "the scryfall id is that of 'Amber Archivist', not of 'Jade Gardener'"
    wanted = row("Jade Gardener", "dsk", "", ("scryfall", "a"))
    assert match(CARDS, wanted, **options) == ("missed", None, reason, ("dsk/1",), 0)
    assert match(CARDS, row("Jade Gardener", "dsk"))[:3] == ("missed", None, "dsk has no card of that name")


def test_catalogue_id_matches_regardless_of_name() -> None:
    assert match(CARDS, row("Whatever", "dsk", "1", ("card", "old/2")))[:2] == ("id", "old/2")
    assert match(CARDS, row("Amber Archivist", "", "", ("card", "gone/1")))[:2] == ("name", "dsk/1")


# --- choice of the set ------------------------------------------------------------------------------------------------


def test_set_code_is_preferred_over_other_set_name() -> None:
    cards = [card("dsk", "1", "Amber Archivist"), card("old", "1", "Amber Archivist")]
    assert match(cards, row("Amber Archivist", "dsk", set_name="Old Dusk"))[:2] == ("name", "dsk/1")
    assert match(cards, row("Amber Archivist", "old", set_name="Dusk"))[:2] == ("name", "old/1")
    assert match(cards, row("Amber Archivist", "nil", set_name="Old Dusk"))[:2] == ("name", "old/1")
    assert match(cards, row("Amber Archivist", "Dusk", set_name="Old Dusk"))[:2] == ("name", "old/1")
    assert match([*CARDS], row("Amber Archivist", "Dusk", set_name="Old Dusk"))[0] == "missed"


def test_same_word_may_be_a_set_in_two_games() -> None:
    base = card("Base", "1", "Ice Wall", set_name="Base", game="onr")
    first = card("base1", "1", "Charizard", set_name="Base", game="pokemon")
    for code, name in [("", "Base"), ("Base", ""), ("base", "base")]:
        assert match([base, first], row("Charizard", code, set_name=name))[:2] == ("name", "base1/1")
        assert match([base, first], row("Ice Wall", code, set_name=name))[:2] == ("name", "Base/1")
    lower = card("base", "1", "Charizard", set_name="First", game="pokemon")
    assert match([base, lower], row("Charizard", "BASE"))[:2] == ("name", "base/1")
    assert match([lower, base], row("Ice Wall", "BASE", set_name="BASE"))[:2] == ("name", "Base/1")


def test_row_with_two_set_codes_prefers_the_first() -> None:
    cards = [*CARDS, card("old", "1", "Amber Archivist")]
    assert match(cards, row("Amber Archivist", "dsk", set_name="old"))[:2] == ("name", "dsk/1")
    assert match(cards, row("Amber Archivist", "old", set_name="dsk"))[:2] == ("name", "old/1")
    assert match(cards, row("Jade Gardener", "dsk", set_name="old"))[:2] == ("name", "old/2")
    assert match(cards, row("Quxyzzy", "dsk", set_name="old"))[2] == "dsk has no card of that name"


@pytest.mark.parametrize(
    ("code", "name", "found_set"),
    [
        ("DSK", "", "dsk"),
        (" dsk ", "", "dsk"),
        ("", " TMP ", "tmp"),
        ("", "tmp", "tmp"),
        ("ogn", "", "OGN"),
        (" TE ", "", "tmp"),
        ("", "TE", "tmp"),
        ("", "the tempest set", "tmp"),
    ],
)
def test_set_is_found_by_current_or_older_code_in_any_case(code: str, name: str, found_set: str) -> None:
    cards = [card(one, "5", "Twin") for one in ("dsk", "old", "OGN", "tmp")]
    assert match(cards, row("Twin", code, set_name=name))[:2] == ("name", f"{found_set}/5")


def test_set_is_found_by_code_or_name() -> None:
    matcher = Resolver(Shelf(*CARDS, card("OGN", "1", "Ant"), card("tmp", "1", "Bee")))
    asked = ("DSK", "Dusk", "old dusk", "te", "ogn", "Origins", "nowhere", "")
    assert [matcher.known.find_set(text) for text in asked] == ["dsk", "dsk", "old", "tmp", "OGN", "OGN", None, None]


def test_named_set_code_is_read_without_number_and_underscores() -> None:
    matcher = Resolver(Shelf(card("03Phoenix", "1", "Ant"), card("Base_Set", "1", "Ant"), card("lea", "1", "Ant")))
    asked = ("Phoenix", "03phoenix", "base set", "Alpha")
    assert Resolver(Shelf(card("8ed", "1", "Ant"))).known.find_set("ed") is None
    assert [matcher.known.find_set(text) for text in asked] == ["03Phoenix", "03Phoenix", "Base_Set", "lea"]


def test_text_naming_two_sets_selects_first() -> None:
    cards = [card("one", "1", "Ant", set_name="Twins"), card("two", "1", "Bee", set_name="Twins")]
    assert Resolver(Shelf(*cards)).known.find_set("twins") == "one"
    assert match(cards, row("Bee", set_name="Twins"))[:2] == ("name", "two/1")


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("2 Amber Archivist (Left)", ("Amber Archivist", 2, "left")),
        ("2 B.F.M. (Left)", ("B.F.M. (Left)", 2, "")),
        ("2 B.F.M. (Left) [dsk] *F*", ("B.F.M. (Left)", 2, "dsk")),
        ("3 Gnu x2", ("Gnu x2", 3, "")),
        ("Gnu x2 x3", ("Gnu x2", 3, "")),
        ("+2 Mace", ("+2 Mace", 1, "")),
        ("1996 World Champion", ("1996 World Champion", 1, "")),
        ("2 1996 World Champion (dsk)", ("1996 World Champion", 2, "dsk")),
        ("7 Cat", ("Cat", 7, "")),
        ("Quxyzzy (Left) x2", ("Quxyzzy", 2, "left")),
    ],
)
def test_first_reading_of_line_with_known_name_is_taken(line: str, read: tuple[str, int, str]) -> None:
    names = ("Amber Archivist", "B.F.M. (Left)", "Gnu", "Gnu x2", "+2 Mace", "1996 World Champion", "Cat", "7 Cat")
    matcher = Resolver(Shelf(*(card("dsk", str(place), name) for place, name in enumerate(names))))
    found = matcher.read(with_reading(row("")._replace(amounts=(), written=line), most_detailed_reading(line)))
    assert (found.name, found.copies, found.set_code) == read


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("3x DSK/15 foil", ("number", "dsk/15", "", ())),
        ("dsk 99", ("missed", None, "dsk has no number 99", ())),
        ("2 Ambr Archivist DSK", ("fuzzy", "dsk/1", "'Amber Archivist' is nearly 'Ambr Archivist'", ("dsk/1",))),
        ("Amber Archivist -- bent", ("fuzzy", "dsk/1", "'Amber Archivist -- bent' is unknown", ("dsk/1",))),
        (
            "Iron Herald, DSK, 15",
            (
                "fuzzy",
                "dsk/15",
                "15 may be copies or a number: write '15 Iron Herald' or 'Iron Herald #15'",
                ("dsk/15",),
            ),
        ),
        ("Iron Herald, DSK, 4", ("name", "dsk/15", "", ())),
        ("my old Twin signed by Ann", ("missed", None, "no card has a similar name", ())),
        ("my Amber Archivist signed by Ann", ("missed", None, "no card has a similar name", ("dsk/1",))),
    ],
)
def test_odd_line_is_doubtful_and_names_possible_card(
    line: str, found: tuple[str, str | None, str, tuple[str, ...]]
) -> None:
    matcher = Resolver(Shelf(*CARDS, card("old", "3", "Twin")), prefer_owned=False)
    _, match = matcher.find(with_reading(row("")._replace(amounts=(), written=line), most_detailed_reading(line)))
    assert (match.how, match.card and match.card.id, match.reason, match.candidates) == found


def test_name_in_table_is_not_read_as_number_in_other_set() -> None:
    matcher = Resolver(Shelf(*CARDS), prefer_owned=False)
    assert matcher.find(row("dsk 15", "old", "2"))[1].card is None
    assert matcher.find(row("dsk 15"))[1].how == "number"


def test_token_is_found_in_the_set_of_tokens() -> None:
    cards = [card("OGN", "1", "Ogre"), card("TOGN", "2", "Drake"), card("dsk", "2", "Drake")]
    assert match(cards, row("Drake Token", "ogn", "2")) == ("number", "TOGN/2", "", (), 0)
    assert match(cards, row("Drake", "ogn", "2"))[:2] == ("missed", None)


# --- within a set -----------------------------------------------------------------------------------------------------


def test_number_missing_from_set_is_reported() -> None:
    assert match(CARDS, row("", "dsk", "99")) == ("missed", None, "dsk has no number 99", (), 0)


@pytest.mark.parametrize("language", ["", "en"])
def test_number_of_other_card_is_miss_naming_both_and_near_names(language: str) -> None:
    reason = "number 15 of dsk is 'Iron Herald', not 'Brass Bellmaker'"
    wanted = row("Brass Bellmaker", "dsk", "15", language=language)
    assert match(CARDS, wanted) == ("missed", None, reason, ("dsk/2",), 0)


def test_number_identifies_card_with_unknown_foreign_name() -> None:
    assert match(CARDS, row("Araldo di Ferro", "dsk", "15", language="it")) == ("number", "dsk/15", "", (), 0)


def test_most_similar_name_is_taken_among_cards_with_same_number() -> None:
    cards = [card("dsk", "1", name, id=name[0]) for name in ("Zinc Zealot", "Amber Archivist", "Yellow Yak")]
    assert match(cards, row("Amber Archivits", "dsk", "1")) == ("number", "A", "", (), 0)


def test_shared_number_counts_other_cards_in_language() -> None:
    cards = [card("dsk", "1", "Ant", id=one, lang=lang) for one, lang in (("a", "en"), ("b", "en"), ("c", "it"))]
    assert match(cards, row("Ant", "dsk", "1")) == ("number", "a", "", (), 1)
    assert match(cards, row("", "dsk", "1")) == ("number", "a", "", (), 1)
    assert match(cards, row("Ant", "dsk", "1", language="it")) == ("number", "c", "", (), 0)


def test_number_may_differ_in_promotion_mark() -> None:
    cards = [card("dsk", "3", "Twin Sister"), card("dsk", "10a", "Twin Sister")]
    reason = "dsk has 'Twin Sister' as number 10a, not as 10"
    for how, options in (("fuzzy", {}), ("name", {"any_printing": True})):
        found = match(cards, row("Twin Sister", "dsk", "10"), **options)
        assert found == (how, "dsk/10a", reason, ("dsk/10a", "dsk/3"), 0)


def test_different_number_of_a_name_is_another_printing() -> None:
    cards = [card("dsk", "3", "Twin Sister"), card("dsk", "10a", "Twin Sister")]
    reason = "dsk has 'Twin Sister' as number 3, not as 7"
    candidates = ("dsk/3", "dsk/10a")
    assert match(cards, row("Twin Sister", "dsk", "7")) == ("missed", None, reason, candidates, 0)
    lenient = match(cards, row("Twin Sister", "dsk", "7"), any_printing=True)
    assert lenient == ("name", "dsk/3", reason, candidates, 1)


def test_number_does_not_exclude_cards_without_numbers() -> None:
    bare = card("dsk", "", "Twin Sister")
    assert match([bare], row("Twin Sister", "dsk", "7")) == ("name", "dsk/", "", (), 0)
    some = [bare, card("dsk", "5", "Twin Sister")]
    assert match(some, row("Twin Sister", "dsk", "7"))[0] == "missed"


def test_misspelt_name_in_set_is_reported() -> None:
    reason = "'Brass Bellringer' is nearly 'Brass Belringer'"
    assert match(CARDS, row("Brass Belringer", "dsk")) == ("fuzzy", "dsk/2", reason, ("dsk/2",), 0)
    cards = [card("dsk", "2a", "Brass Bellringer")]
    assert match(cards, row("Brass Belringer", "dsk", "2")) == ("fuzzy", "dsk/2a", reason, ("dsk/2a",), 0)


def test_misspelt_name_with_other_number_is_missed() -> None:
    reason = "dsk has no card of that name, nor number 77"
    assert match(CARDS, row("Brass Belringer", "dsk", "77")) == ("missed", None, reason, ("dsk/2",), 0)


def test_nearer_name_wins_and_equally_near_names_miss() -> None:
    cards = [card("dsk", "1", "Mint Hare"), card("dsk", "3", "Mist Hare")]
    reason = "'Mint Hare' is nearly 'Mint Hara'"
    assert match(cards, row("Mint Hara", "dsk")) == ("fuzzy", "dsk/1", reason, ("dsk/1", "dsk/3"), 0)
    missed = match(cards, row("Miat Hare", "dsk"))
    assert missed == ("missed", None, "dsk has no card of that name", ("dsk/1", "dsk/3"), 0)
    everywhere = match(cards, row("Miat Hare"))
    assert everywhere == ("missed", None, "it could be 'Mint Hare' or 'Mist Hare'", ("dsk/1", "dsk/3"), 0)


def test_reason_names_at_most_three_cards() -> None:
    cards = [
        card("dsk", str(number), f"Amber {word} Clerk") for number, word in enumerate(("Ant", "Bee", "Cow", "Dog"))
    ]
    assert len(match(cards, row("Amber Ewe Clerk", "dsk"))[3]) == 3
    assert len(match([card(code, "1", "Ant") for code in "abcd"], row("Ant", "nil"))[3]) == 3


UNOWNS = (card("hs", "54", "Unown"), card("dp", "65", "Unown [A]"), card("dp", "1", "Abra"))


@pytest.mark.parametrize(
    ("line", "how", "finish"),
    [
        ("Unown F", "fuzzy", "foil"),
        ("Unown e", "fuzzy", "etched"),
        ("Unown [F]", "fuzzy", "foil"),
        ("Unown F (HS) 54", "fuzzy", "foil"),
        ("Unown *F*", "name", "foil"),
        ("Unown foil", "name", "foil"),
        ("Unown A", "name", "normal"),
        ("Abra F", "name", "foil"),
        ("Abra F (DP) 1", "number", "foil"),
    ],
)
def test_letter_is_doubtful_if_letters_distinguish_cards_of_the_name(line: str, how: str, finish: str) -> None:
    matcher = Resolver(Shelf(*UNOWNS), prefer_owned=False)
    read, found = matcher.find(with_reading(row("")._replace(amounts=(), written=line), most_detailed_reading(line)))
    assert (found.how, read.amounts) == (how, ((finish, 1),))
    if how == "fuzzy":
        assert found.reason.startswith(f"{line[6:].strip('[')[0]!r} may be a part of the name: write 'Unown *")


def test_letter_in_a_table_is_a_finish_if_a_column_or_the_user_says_so() -> None:
    matcher = Resolver(Shelf(*UNOWNS), prefer_owned=False)
    assert matcher.find(row("Unown F"))[1].how == "fuzzy"
    assert matcher.find(row("Unown F")._replace(amounts=(("foil", 1),)))[1].how == "name"
    assert matcher.find(row("Unown F", "", "", ("card", "hs/54")))[1].how == "id"


def test_letter_of_gender_is_a_part_of_the_name() -> None:
    cards = (card("base", "55", "Nidoran ♂"), card("jungle", "57", "Nidoran ♀"))
    matcher = Resolver(Shelf(*cards), prefer_owned=False)
    for name, number in (("Nidoran F", "57"), ("Nidoran♀", "57"), ("Nidoran (M)", "55"), ("Nidoran ♂", "55")):
        read, found = matcher.find(row(name))
        assert (found.how, found.card and found.card.number, read.amounts) == ("name", number, (("normal", 1),))
    assert matcher.find(row("Nidoran F", "jungle", "57"))[1].how == "number"
    assert match(cards, row("Nidoran"))[:3] == ("missed", None, "it could be 'Nidoran ♂' or 'Nidoran ♀'")


# --- the cell of a name in a table ------------------------------------------------------------------------------------

BOLTS = (
    card("m10", "146", "Lightning Bolt", set_name="Magic 2010"),
    card("m11", "149", "Lightning Bolt", set_name="Magic 2011"),
)


@pytest.mark.parametrize(
    ("cell", "more", "expected"),
    [
        ("Lightning Bolt (Magic 2010)", {}, ("name", "m10/146", "")),
        ("Lightning Bolt [M11]", {}, ("name", "m11/149", "")),
        ("Lightning Bolt (M11) 149", {}, ("number", "m11/149", "")),
        ("Lightning Bolt (149)", {"set_code": "m11"}, ("number", "m11/149", "")),
        ("Lightning Bolt (149)", {"set_code": "m11", "number": "149"}, ("number", "m11/149", "")),
        ("Lightning Bolt (Showcase)", {"set_code": "m11", "number": "149"}, ("number", "m11/149", "")),
        ("Lightning Bolt (Showcase)", {"set_code": "m11"}, ("fuzzy", "m11/149", "'Showcase' is unknown")),
        ("Lightning Bolt (M10)", {"set_code": "m11"}, ("missed", None, "it is not in 'M10'")),
        ("4 Lightning Bolt", {"set_code": "m11"}, ("fuzzy", "m11/149", "'4x' is unknown")),
        ("Lightning Bolt x4", {"set_code": "m11", "number": "149"}, ("fuzzy", "m11/149", "'4x' is unknown")),
        ("Lightning Bolt 149x", {"set_code": "m11", "number": "149"}, ("fuzzy", "m11/149", "'149x' is unknown")),
        ("Lightning Bolt (4)", {"set_code": "m11", "number": "149"}, ("fuzzy", "m11/149", "'4' is unknown")),
        ("Lightning Bolt qqq (M10)", {}, ("missed", None, "no card has a similar name")),
        (
            "Lightning Bolt - German",
            {"set_code": "m11", "number": "149", "language": "it"},
            ("fuzzy", "m11/149", "'de' is unknown"),
        ),
    ],
)
def test_name_cell_fills_or_contradicts_other_cells(
    cell: str, more: dict[str, Any], expected: tuple[str, str | None, str]
) -> None:
    matcher = Resolver(Shelf(*BOLTS))
    found = matcher.match(matcher.read(row(cell, **more)))
    assert (found.how, found.card and found.card.id, found.reason) == expected


def test_number_in_brackets_beside_copies_is_that_of_the_card() -> None:
    matcher = Resolver(Shelf(card("dsk", "111", "Isle"), card("dsk", "112", "Isle")))
    found, match = matcher.find(row("Isle (112)", "dsk")._replace(amounts=(("normal", 2),)))
    assert (match.how, match.card and match.card.id, found.copies) == ("number", "dsk/112", 2)


def test_table_name_may_include_finish_condition_and_language() -> None:
    read = Resolver(Shelf(*BOLTS)).read(row("Lightning Bolt (M10) - foil - NM - German"))
    assert (read.name, read.amounts, read.condition, read.language) == (
        *("Lightning Bolt", (("foil", 1),), "near-mint", "de"),
    )
    read = Resolver(Shelf(*BOLTS)).read(row("Lightning Bolt (etched)")._replace(amounts=(("foil", 2),)))
    assert (read.amounts, read.more) == ((("foil", 2),), ("etched",))


def test_unknown_words_make_row_doubtful() -> None:
    assert match(CARDS, row("Iron Herald - of somebody"))[:3] == (
        *("fuzzy", "dsk/15", "'Iron Herald - of somebody' is unknown"),
    )
