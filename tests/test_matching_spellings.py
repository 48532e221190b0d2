"""How one card is written in many ways: names, numbers, sets; and which names are near a misspelt one."""

import pytest

from catalog.matching.search import LONGEST_QUERY, LOWEST_SCORE, fold, rank
from catalog.matching.set_codes import TODAYS
from catalog.matching.similar_names import MOST_EDITS, Names
from catalog.matching.spellings import (
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
    assert forms(name) == found


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
    assert set_key("Seventh Édition Dusk") == "seventh dusk"


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


# --- names near a misspelt one ----------------------------------------------------------------------------------------


def near(names: list[str], wanted: str, limit: int = 3) -> list[tuple[str, int | None, int]]:
    """The near names with their edits and rounded likeness."""
    return [(names[one.position], one.edits, round(one.likeness)) for one in Names(names).nearest(wanted, limit)]


def test_a_swap_of_neighbours_is_one_edit() -> None:
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
def test_up_to_two_letters_may_be_wrong_missing_or_too_many_at_either_end(wanted: str, edits: int) -> None:
    assert MOST_EDITS == 2
    assert [(name, found) for name, found, _ in near(["abcdefg"], wanted)] == [("abcdefg", edits)]


@pytest.mark.parametrize("wanted", ["axxdexg", "abcdefghij", "abcd"])
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
def test_the_shorter_a_name_the_fewer_edits(name: str, wanted: str, found: bool) -> None:
    assert (near([name], wanted) != []) is found


def test_fewer_edits_come_first_then_what_is_more_alike_then_what_stands_first() -> None:
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


def test_names_that_share_words_follow_those_a_few_edits_away_and_none_comes_twice() -> None:
    names = ["amber drake", "drake of amber", "amber", "frost drake", "quick brown ant"]
    found = near(names, "amber drake", 4)
    assert [(name, edits) for name, edits, _ in found] == [("amber drake", 0), ("drake of amber", None)]
    assert [name for name, *_ in near(names, "amber drake", 3)] == [name for name, *_ in found[:3]]
    assert near(names, "amber drake", 2)[1][0] == "drake of amber"
    assert [name for name, *_ in near(names, "drake amber", 1)] == ["amber drake"]
    assert len(Names([f"amber {letter}" for letter in "abcdef"]).nearest("amber x")) == 3


def test_names_that_share_a_word_and_are_little_alike_are_left_out() -> None:
    assert near(["ant of the endless burning plains"], "ant") == []
    assert near(["amber clerk"], "amber and xylophones") == []
    assert near(["amber clerk"], "amber xylophone") == []
    assert near(["amber clerk"], "clerk in amber") == [("amber clerk", None, 88)]


def test_a_very_long_name_is_compared_by_its_beginning() -> None:
    names = ["ab " * 66 + "cd", "x" * 300]
    assert near(names, "ab " * 66 + "cd" + " and more of it") == [(names[0], 0, 100)]


def test_a_list_of_names_may_hold_empty_ones_and_the_same_twice() -> None:
    names = Names(["", "ant", "ant"])
    assert len(names) == 3
    assert [(one.position, one.edits) for one in names.nearest("ant")] == [(1, 0), (2, 0)]


# --- names for one who is typing --------------------------------------------------------------------------------------


def ranked(query: str, *names: str, owned: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    return [(one.name, round(one.score)) for one in rank(query, [(n, fold(n)) for n in names], frozenset(owned))]


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
def test_folding_leaves_what_one_hears(text: str, plain: str) -> None:
    assert fold(text) == plain


def test_a_query_scores_by_how_it_stands_in_a_name() -> None:
    names = ("Forest", "Forest Bear", "Forestation", "Bear of the Forest", "Bearish Forester", "Swamp")
    assert ranked("forest", *names)[:3] == [("Forest", 100), ("Forest Bear", 96), ("Forestation", 92)]
    assert ranked("forest", "Bear of the Forest") == [("Bear of the Forest", 90)]
    assert ranked("bear forest", "Bear of the Forest") == [("Bear of the Forest", 90)]
    assert ranked("fore be", "Bearish Forester", "Swamp") == [("Bearish Forester", 80)]
    assert ranked("ish ore", "Bearish Forester") == []
    assert ranked("bear swamp", "Bear of the Forest") == []
    assert ranked("bear fox", "Bearish Forester") == []


def test_near_words_in_any_order_score_less_the_more_words_are_left_over() -> None:
    names = ("Ant Forest", "Ant Bee Forest", "Ant Bee Cow Forest", "Forest of Six Long Words Here", "Forest")
    assert ranked("forrest", *names) == [
        ("Forest", 92),
        ("Ant Forest", 79),
        ("Ant Bee Forest", 77),
        ("Ant Bee Cow Forest", 75),
        ("Forest of Six Long Words Here", 73),
    ]


def test_two_near_words_count_as_their_mean() -> None:
    assert ranked("forrest baer", "Of Bear Under Forest") == [("Of Bear Under Forest", 70)]


def test_a_name_answers_from_62_of_100_on() -> None:
    assert LOWEST_SCORE == 62
    assert ranked("abcdefgh", "abcdezzz") == [("abcdezzz", 62)]
    assert ranked("abcdefgh", "abcdzzzz") == []


def test_the_same_words_in_another_order_count_a_little_less() -> None:
    assert ranked("zeta xylo quid", "Quid Zeta Xylo")[0][1] >= 88
    assert ranked("bolt lightnin", "Lightning Bolt")[0][1] == 93


def test_among_equals_owned_names_come_first_then_short_ones_then_by_letter() -> None:
    names = ("Dark Cow", "Dark Ants", "Dark Bee")
    assert [name for name, _ in ranked("dark", *names)] == ["Dark Bee", "Dark Cow", "Dark Ants"]
    assert ranked("dark", *names, owned=("Dark Ants",))[0] == ("Dark Ants", 96)


def test_a_very_long_query_is_compared_by_its_beginning() -> None:
    name = "a" * LONGEST_QUERY
    assert ranked(name + "b" * 50, name) == [(name, 100)]


def test_no_names_have_no_answer() -> None:
    assert rank("forest", []) == []
