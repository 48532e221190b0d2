"""Similar names of misspelt ones, ranking of names while typing, and the forms of names, sets and numbers."""

from typing import Any

import pytest
from helpers.small_shelf import CARDS, card, match, row
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from ccgrid.catalog.matching.asking import MatchResult
from ccgrid.catalog.matching.candidates import (
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
from ccgrid.catalog.matching.names import LONGEST_QUERY, LOWEST_SCORE, MOST_EDITS, fold, nearest_names, rank
from ccgrid.catalog.matching.sets import TODAYS

# --- names similar to a misspelt one ----------------------------------------------------------------------------------


def near(names: list[str], wanted: str, limit: int = 3) -> list[tuple[str, int | None, int]]:
    """Return the similar names with their edits and rounded similarity."""
    return [(names[one.position], one.edits, round(one.likeness)) for one in nearest_names(wanted, names, limit)]


def test_swapped_neighbours_count_as_one_edit() -> None:
    assert near(["amber archivist"], "amber archivits") == [("amber archivist", 1, 93)]
    assert near(["abcdef"], "badcef") == [("abcdef", 2, 67)]


@pytest.mark.parametrize(
    ("wanted", "edits"),
    [
        ("abcdefg", 0),
        ("abcdef", 1),
        ("abcdefgh", 1),
        ("xabcdefg", 1),
        ("abxdefg", 1),
        ("abdefg", 1),
        ("abxdefx", 2),
        ("abcdefghi", 2),
        ("xxabcdefg", 2),
        ("abcde", 2),
        ("cdefg", 2),
    ],
)
def test_up_to_two_edits_are_allowed(wanted: str, edits: int) -> None:
    assert MOST_EDITS == 2
    assert [(name, found) for name, found, _ in near(["abcdefg"], wanted)] == [("abcdefg", edits)]


TEXTS = st.text("abc ", min_size=1, max_size=14).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(TEXTS, min_size=1, max_size=60, unique=True), TEXTS.filter(lambda text: len(text) > 1))
def test_near_finds_same_names_as_full_comparison(names: list[str], wanted: str) -> None:
    found = {name: edits for name, edits, _ in near(names, wanted, 2000) if edits is not None}
    most = min(MOST_EDITS, (len(wanted) + 1) // 3)
    edits = {name: OSA.distance(wanted, name) for name in names if wanted[0] == name[0] or wanted[-1] == name[-1]}
    assert found == {name: count for name, count in edits.items() if count <= most}


@pytest.mark.parametrize("wanted", ["axxdexg", "abcdefghij", "dbca"])
def test_three_edits_are_too_many(wanted: str) -> None:
    assert near(["abcdefg"], wanted) == []


@pytest.mark.parametrize(
    ("name", "wanted", "found"),
    [
        ("a", "a", True),
        ("ab", "ab", True),
        ("ab", "ax", True),
        ("abcd", "abxx", False),
        ("abcd", "abcx", True),
        ("abcde", "abcxx", True),
        ("abcde", "abxxx", False),
        ("b", "a", False),
    ],
)
def test_shorter_names_allow_fewer_edits(name: str, wanted: str, found: bool) -> None:
    assert (near([name], wanted) != []) is found


def test_near_names_sort_by_edits_then_similarity_then_order() -> None:
    names = ["mist hawe", "mist hares", "mist hard", "mist harp", "mist hare"]
    found = near(names, "mist hare", 5)
    assert [(name, edits) for name, edits, _ in found] == [
        ("mist hare", 0),
        ("mist hares", 1),
        ("mist hawe", 1),
        ("mist hard", 1),
        ("mist harp", 1),
    ]
    assert near(names, "mist hare", 2) == found[:2]
    assert near(names, "mist hare", 1) == found[:1]


def test_names_sharing_words_follow_near_names_without_repeats() -> None:
    names = ["amber drake", "drake of amber", "amber", "frost drake", "quick brown ant"]
    found = near(names, "amber drake", 4)
    assert [(name, edits) for name, edits, _ in found] == [("amber drake", 0), ("drake of amber", None)]
    assert [name for name, *_ in near(names, "amber drake", 3)] == [name for name, *_ in found[:3]]
    assert near(names, "amber drake", 2)[1][0] == "drake of amber"
    assert [name for name, *_ in near(names, "drake amber", 1)] == ["amber drake"]
    assert len(nearest_names("amber x", [f"amber {letter}" for letter in "abcdef"])) == 3


def test_names_containing_query_precede_names_over_one_letter_off() -> None:
    names = ["shield", "shrewd negotiation", "a shrewd plan", "shrewdness", "shrwed", "negotiated shrewd deal"]
    assert [name for name, *_ in near(names, "shrewd", 6)] == [
        *("shrwed", "shrewd negotiation", "shrewdness", "a shrewd plan", "negotiated shrewd deal", "shield")
    ]
    assert [name for name, *_ in near(names, "shrewd neg", 1)] == ["shrewd negotiation"]
    assert near(["an island"], "an") == [], "two letters are part of too many names"


def test_dissimilar_names_sharing_word_are_left_out() -> None:
    assert near(["ant of the endless burning plains"], "ant hill") == []
    assert near(["amber clerk"], "amber and xylophones") == []
    assert near(["amber clerk"], "amber xylophone") == []
    assert near(["amber clerk"], "clerk in amber") == [("amber clerk", None, 88)]


def test_beginning_of_a_very_long_name_is_compared() -> None:
    names = ["ab " * 66 + "cd", "x" * 300]
    assert near(names, "ab " * 66 + "cd" + " and more of it") == [(names[0], 0, 100)]


def test_empty_and_repeated_names_are_allowed() -> None:
    found = nearest_names("ant", ["", "ant", "ant"])
    assert [(one.position, one.edits) for one in found] == [(1, 0), (2, 0)]


def test_further_names_are_searched_only_without_clear_match() -> None:
    def further_names() -> list[str]:
        asked.append("further names")
        return ["drake of amber"]

    asked: list[str] = []
    assert [one.position for one in nearest_names("amber xrake", ["amber drake"], more=further_names)] == [0]
    assert asked == []
    assert [one.position for one in nearest_names("drake amber of", ["dusk hare"], more=further_names)] == [1]


# --- ranking of names while typing ------------------------------------------------------------------------------------


def ranking(query: str, *names: str) -> list[tuple[str, int]]:
    return [(one.name, round(one.score)) for one in rank(query, [(n, fold(n)) for n in names])]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Lim-Dûl's Vault", "lim duls vault"),
        ("Lim-Dûl’s Vault", "lim duls vault"),
        ("Æther Œuvre Øre Straße", "aether oeuvre ore strasse"),
        ("đ ł ı þ ð", "d l i th d"),
        ("İstanbul", "istanbul"),
        ("𝑨𝑬", "ae"),
        ("a\tb\nc", "a b c"),
        ("été…!", "ete"),
        ("Ｆｕｌｌ", "full"),
        ("x²", "x2"),
        ("", ""),
    ],
)
def test_folding_removes_accents_and_signs(text: str, plain: str) -> None:
    assert fold(text) == plain


def test_query_scores_by_its_position_in_name() -> None:
    names = ("Forest", "Forest Bear", "Forestation", "Bear of the Forest", "Bearish Forester", "Swamp")
    assert ranking("forest", *names)[:3] == [("Forest", 100), ("Forest Bear", 96), ("Forestation", 92)]
    assert ranking("forest", "Bear of the Forest") == [("Bear of the Forest", 90)]
    assert ranking("bear forest", "Bear of the Forest") == [("Bear of the Forest", 90)]
    assert ranking("fore be", "Bearish Forester", "Swamp") == [("Bearish Forester", 80)]
    assert ranking("ish ore", "Bearish Forester") == []
    assert ranking("bear swamp", "Bear of the Forest") == []
    assert ranking("bear fox", "Bearish Forester") == []


def test_score_decreases_with_unmatched_words() -> None:
    names = ("Ant Forest", "Ant Bee Forest", "Ant Bee Cow Forest", "Forest of Six Long Words Here", "Forest")
    assert ranking("forrest", *names) == [
        ("Forest", 92),
        ("Ant Forest", 79),
        ("Ant Bee Forest", 77),
        ("Ant Bee Cow Forest", 75),
        ("Forest of Six Long Words Here", 73),
    ]


def test_two_near_words_count_as_their_mean() -> None:
    assert ranking("forrest baer", "Of Bear Under Forest") == [("Of Bear Under Forest", 70)]


def test_lowest_score_of_a_result_is_62() -> None:
    assert LOWEST_SCORE == 62
    assert ranking("abcdefgh", "abcdezzz") == [("abcdezzz", 62)]
    assert ranking("abcdefgh", "abcdzzzz") == []


def test_words_in_other_order_score_slightly_less() -> None:
    assert ranking("zeta xylo quid", "Quid Zeta Xylo")[0][1] >= 88
    assert ranking("bolt lightnin", "Lightning Bolt")[0][1] == 93


def test_equal_scores_are_sorted_by_length_then_alphabetically() -> None:
    names = ("Dark Cow", "Dark Ants", "Dark Bee")
    assert [name for name, _ in ranking("dark", *names)] == ["Dark Bee", "Dark Cow", "Dark Ants"]


def test_beginning_of_a_very_long_query_is_compared() -> None:
    name = "a" * LONGEST_QUERY
    assert ranking(name + "b" * 50, name) == [(name, 100)]


def test_ranking_of_no_names_is_empty() -> None:
    assert rank("forest", []) == []


# --- matching by name alone -------------------------------------------------------------------------------------------


def test_unknown_set_is_reported_with_sets_having_name() -> None:
    cards = [*CARDS, card("old", "9", "Amber Archivist", released="1999-01-01")]
    reason = "the catalogue has no set 'nil'; other sets have it"
    assert match(cards, row("Amber Archivist", "nil", "1")) == ("missed", None, reason, ("old/9", "dsk/1"), 0)
    reason = "the catalogue has no set 'nil'; this is the one from Old Dusk"
    lenient = match(cards, row("Amber Archivist", "nil", "1"), any_printing=True)
    assert lenient == ("name", "old/9", reason, ("old/9",), 1)


def test_reason_uses_code_of_set_without_name() -> None:
    cards = [card("dsk", "1", "Amber Archivist", set_name="")]
    reason = "the catalogue has no set 'nil'; this is the one from dsk"
    assert match(cards, row("Amber Archivist", "nil"), any_printing=True)[2] == reason


def test_misspelt_name_in_unknown_set_is_missed_with_candidate() -> None:
    why = "the catalogue has no set 'nil'"
    assert match(CARDS, row("Jade Gardner", "nil")) == ("missed", None, why, ("old/2",), 0)
    lenient = match(CARDS, row("Jade Gardner", "nil"), any_printing=True)
    assert lenient == ("missed", None, why, ("old/2",), 0)  # The option allows another printing, not another name.
    assert match(CARDS, row("Quxyzzy", "nil"), any_printing=True) == ("missed", None, why, (), 0)


def test_name_missing_from_set_is_reported_with_other_sets() -> None:
    assert match(CARDS, row("Jade Gardener", "dsk"))[2:4] == ("dsk has no card of that name", ("old/2",))
    lenient = match(CARDS, row("Jade Gardener", "dsk"), any_printing=True)
    reason = "dsk has no card of that name; this is the one from Old Dusk"
    assert lenient == ("name", "old/2", reason, ("old/2",), 0)


@pytest.mark.parametrize("options", [{}, {"any_printing": True}])
def test_row_without_name_is_missed(options: dict[str, Any]) -> None:
    nothing = "nothing identifies the card"
    assert match(CARDS, row("", "", "7"), **options) == ("missed", None, nothing, (), 0)
    assert match(CARDS, row("", "nil", "7"), **options)[:3] == ("missed", None, "the catalogue has no set 'nil'")
    assert match(CARDS, row("", "dsk", "99"), **options)[:3] == ("missed", None, "dsk has no number 99")


def test_misspelt_name_without_set_is_reported() -> None:
    reason = "'Jade Gardener' is nearly 'Jade Gardner'"
    assert match(CARDS, row("Jade Gardner")) == ("fuzzy", "old/2", reason, ("old/2",), 0)
    assert match(CARDS, row("Quxyzzy")) == ("missed", None, "no card has a similar name", (), 0)
    words = match(CARDS, row("Gardener of Jade"))
    assert words == ("missed", None, "no card has a similar name", ("old/2",), 0)
    assert match(CARDS, row("Gardener of Something Jade"))[3] == ()  # another card, which shares words


def test_nearer_of_two_names_is_taken_without_set() -> None:
    cards = [card("dsk", "1", "Mint Hare"), card("dsk", "2", "Mist Hare")]
    assert match(cards, row("Mint Harr"))[:3] == ("fuzzy", "dsk/1", "'Mint Hare' is nearly 'Mint Harr'")


def test_number_selects_printing_unless_set_is_unknown() -> None:
    cards = [card("old", "1", "Ant", released="1999-01-01"), card("dsk", "007", "Ant"), card("tmp", "7", "Bee")]
    assert match(cards, row("Ant", "", "7")) == ("name", "dsk/007", "", (), 0)
    output = "the catalogue has 'Ant' as number 1, not as 8"
    assert match(cards, row("Ant", "", "8")) == ("fuzzy", "old/1", output, ("old/1", "dsk/007"), 0)
    assert match(cards, row("Ant", "nil", "7"), any_printing=True)[:2] == ("name", "old/1")


# --- choice of the printing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse", "language"),
    [
        ({"lang": "it"}, {"lang": "en"}, "it"),
        ({"lang": "en"}, {"lang": "de"}, "it"),
        ({"lang": "en"}, {"lang": "de"}, ""),
        ({"lang": "it", "legal": False}, {"lang": "en"}, "it"),
        ({"legal": False, "released": "1999-01-01"}, {"released": "2005-05-05"}, ""),
        ({"released": "2005-05-05"}, {"set_name": "Dusk Promos", "released": "1999-01-01"}, ""),
        ({"legal": False}, {"set_name": "Dusk Promos", "released": "1999-01-01"}, ""),
        ({"released": "1999-01-01", "number": "9"}, {"released": "2005-05-05", "number": "1"}, ""),
        ({"number": "9"}, {"number": "10"}, ""),
        ({"number": ""}, {"number": "1"}, ""),
        ({"number": "A"}, {"number": "1"}, ""),
        ({"number": "b9", "id": "z"}, {"number": "a10", "id": "y"}, ""),
        ({"id": "a"}, {"id": "b"}, ""),
    ],
)
def test_printing_order_is_language_english_ordinary_early_lowest(
    better: dict[str, Any], worse: dict[str, Any], language: str
) -> None:
    first = card(**{"set_code": "dsk", "number": "5", "name": "Ant", "id": "m", **better})
    second = card(**{"set_code": "dsk", "number": "5", "name": "Ant", "id": "n", **worse})
    for cards in ((first, second), (second, first)):
        assert match(cards, row("Ant", language=language))[1] == first.id


def test_others_count_only_printings_in_chosen_language() -> None:
    cards = [card("dsk", "1", "Ant"), card("dsk", "2", "Ant"), card("dsk", "3", "Ant", "it"), card("old", "1", "Bee")]
    assert match(cards, row("Ant", "dsk")) == ("name", "dsk/1", "", (), 1)
    assert match(cards, row("Ant")) == ("name", "dsk/1", "", (), 1)
    assert match(cards, row("Ant", "dsk", language="it"))[4] == 0
    assert match(cards, row("Ant", language="it"))[4] == 0


def test_match_result_has_no_others_by_default() -> None:
    assert MatchResult(None, "missed") == (None, "missed", "", (), 0, 0, "", (), False)


def card_named(name: str, printed_name: str | None = None) -> Candidate:
    return Candidate("dsk/1", "mtg", name, "dsk", "Dusk", "1", "en", printed_name, True, "", "")


# --- forms of names ---------------------------------------------------------------------------------------------------


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
def test_name_forms_are_whole_then_without_additions_then_front(name: str, found: list[str]) -> None:
    assert list(forms(name)) == found


def test_card_forms_include_halves_and_printed_name() -> None:
    card = card_named("Fire // Ice", "Fuoco // Ghiaccio")
    assert card_forms(card) == {"fire ice", "fire", "ice", "fuoco ghiaccio", "fuoco", "ghiaccio"}
    assert card_forms(card_named("Ant")) == {"ant"}


def test_name_agrees_despite_accents_halves_and_additions() -> None:
    card = card_named("Áine // Dûsk", "黒蓮")
    assert all(agrees(name, card) for name in ("Áine // Dûsk", "aine", "DUSK", "Aine/Dusk", "黒蓮", "Dusk (Promo)"))
    assert not any(agrees(name, card) for name in ("Ain", "Dusk Aine", "", "黒"))


@pytest.mark.parametrize("name", ["!!!", "黒蓮", "+2"])
def test_name_agrees_with_card_spelt_identically(name: str) -> None:
    assert agrees(name, card_named(name))
    assert agrees(name, card_named("Ant", name))
    assert not agrees(name, card_named("Ant"))


def test_similarity_uses_best_pair_of_spellings() -> None:
    assert similarity("Fire (Promo)", card_named("Fire // Ice")) == 100
    assert similarity("Abcx", card_named("Abcd")) == 75
    assert similarity("Abcx", card_named("Zzzz", "Abcd")) == 75
    assert similarity("Zzzz", card_named("Abcd")) == 0
    assert similarity("", card_named("XX")) == 0


# --- forms of sets and numbers ----------------------------------------------------------------------------------------


def test_set_key_omits_common_words() -> None:
    assert set_key("The Dusk Edition") == "dusk"
    assert set_key("Magic: The Gathering Core Set Series Decks Deck") == ""
    assert set_key("Seventh Édition Dusk") == set_key("7th Edition: Dusk") == "7th dusk"


@pytest.mark.parametrize("word", ["the", "edition", "core", "set", "series", "magic", "gathering", "decks", "deck"])
def test_each_common_word_is_omitted_from_set_key(word: str) -> None:
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
def test_number_forms_vary_zeros_total_and_set(number: str, found: list[str]) -> None:
    looked = number_forms(number, "OGN")
    assert [form for form in looked if not form.startswith("OGN-") or form in found] == found
    assert {f"OGN-{form}" for form in found} <= set(looked)


def test_missing_number_has_only_set_form() -> None:
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
def test_base_number_omits_marks_of_promos_and_foils(number: str, base: str) -> None:
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
def test_same_number_ignores_zeros_total_and_case(one: str, other: str, same: bool) -> None:
    assert same_number(one, other) is same


def test_older_set_codes_map_to_current_ones() -> None:
    asked = ("1e", "te", "al", "dar", "mps", "med", "cfx")
    assert [TODAYS.get(code) for code in asked] == ["lea", "tmp", "all", "dom", None, "me1", "con"]
    assert all(code == code.casefold() and today == today.casefold() for code, today in TODAYS.items())
