"""Which names are near a misspelt one, and which one means who is typing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from ccgrid.catalog.matching.search import LONGEST_QUERY, LOWEST_SCORE, fold, rank
from ccgrid.catalog.matching.similar_names import MOST_EDITS, Names

# --- names near a misspelt one ----------------------------------------------------------------------------------------


OTHERS = [f"{number:04}qqqq" for number in range(1001)]
"""With these a list is so long that names are looked up in it."""


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


TEXTS = st.text("abc ", min_size=1, max_size=14).map(lambda text: " ".join(text.split())).filter(bool)


@given(st.lists(TEXTS, min_size=1, max_size=60, unique=True), TEXTS.filter(lambda text: len(text) > 1))
def test_of_many_names_those_a_few_edits_away_are_all_found_that_comparing_each_finds(
    names: list[str], wanted: str
) -> None:
    found = {name: edits for name, edits, _ in near([*names, *OTHERS], wanted, 2000) if edits is not None}
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


def test_names_of_which_a_name_is_a_part_come_before_those_spelt_otherwise_in_over_one_letter() -> None:
    names = ["shield", "shrewd negotiation", "a shrewd plan", "shrewdness", "shrwed", "negotiated shrewd deal"]
    for more in ([], OTHERS):
        assert [name for name, *_ in near([*names, *more], "shrewd", 6)] == [
            *("shrwed", "shrewd negotiation", "shrewdness", "a shrewd plan", "negotiated shrewd deal", "shield")
        ]
        assert [name for name, *_ in near([*names, *more], "shrewd neg", 1)] == ["shrewd negotiation"]
    assert near(["an island"], "an") == [], "two letters are part of anything"


def test_names_that_share_a_word_and_are_little_alike_are_left_out() -> None:
    assert near(["ant of the endless burning plains"], "ant hill") == []
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
