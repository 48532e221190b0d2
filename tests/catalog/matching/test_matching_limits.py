"""Names that are just near enough and just too far: by shared words, and by how much of a query is compared."""

from collections.abc import Collection

import pytest

from ccgrid.catalog.matching.search import fold, rank
from ccgrid.catalog.matching.similar_names import Names, NearNames


def near(names: list[str], wanted: str, limit: int = 3) -> list[tuple[str, int | None, float]]:
    return [(names[one.position], one.edits, one.likeness) for one in Names(names).nearest(wanted, limit)]


def test_names_that_share_a_word_are_near_from_75_of_100_on() -> None:
    assert near(["amber bcdefg"], "amber bcdxyz") == [("amber bcdefg", None, 75.0)]
    assert near(["amber bcdefgh"], "amber bcdxyz") == []


def test_names_that_share_words_come_by_their_likeness() -> None:
    names = ["amber bcdex", "amber fghxyz", "amber fghxx"]
    assert [name for name, *_ in near(names, "amber fghijk", 4)] == ["amber fghxx", "amber fghxyz"]


def test_a_name_of_many_common_words_is_found_by_its_rarest_ones() -> None:
    for size in (500, 1001):
        names = [*(f"the of a in {number}" for number in range(size)), "in the griffin of a lair"]
        assert near(names, "the lair of a griffin in", 1) == [("in the griffin of a lair", None, 100.0)]


OTHERS = [f"{number:04}qqqq" for number in range(1001)]
"""Names like no other: with them a list is so long that names are looked up in it instead of compared one by one."""


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("amber drake", [("amber drake", 0, 100.0), ("drake of amber", None, 88.0)]),
        ("amber brake", [("amber drake", 1, 90.9)]),
        ("xmber brake", [("amber drake", 2, 81.8)]),
        ("mist hare", [("mist hare", 0, 100.0), ("mint hare", 1, 88.9), ("hare mist", None, 100.0)]),
        ("ambre", []),
        ("", []),
    ],
)
def test_a_long_list_finds_what_a_short_one_finds(wanted: str, found: list[tuple[str, int | None, float]]) -> None:
    names = ["amber drake", "mint hare", "", "drake of amber", "mist hare", "hare mist"]
    for more in ([], OTHERS):
        told = near([*names, *more], wanted)
        assert [(name, edits, round(likeness, 1)) for name, edits, likeness in told] == found


def test_of_a_long_list_the_first_400_names_with_a_word_are_compared() -> None:
    def is_found(before: int, others: int) -> bool:
        names = [f"griffin {number:030}" for number in range(before)]
        return near([*names, "griffin bcdefg", *OTHERS[:others]], "griffin bcdxyz") != []

    assert [is_found(399, 601), is_found(400, 601), is_found(400, 599)] == [True, False, True]


def test_no_more_names_are_near_than_are_asked_for_whether_by_letters_or_by_words() -> None:
    names = ["amber drake", "amber brake", "drake of amber", "amber the drake", "amber old drake"]
    found = near(names, "amber drak", 3)
    assert [(name, edits) for name, edits, _ in found[:2]] == [("amber drake", 1), ("drake of amber", None)]
    assert [len(near(names, "amber drakexx", limit)) for limit in range(1, 7)] == [1, 2, 3, 4, 5, 5]


def test_beside_a_name_that_is_certainly_misspelt_none_is_offered_that_only_shares_its_words() -> None:
    names = ["amber drake", "amber brake", "drake of amber", "amber the drake"]
    assert [name for name, _, _ in near(names, "amber drakes", 4)] == ["amber drake", "amber brake"]
    assert [name for name, _, _ in near(names, "drake the ambers", 2)] == ["amber the drake", "amber drake"]


class Sets:
    """A catalogue of names in sets."""

    def __init__(self, **sets: list[str]) -> None:
        self.sets = sets

    def names(self, set_code: str = "", games: Collection[str] = ()) -> list[tuple[str, str]]:
        codes = [set_code] if set_code else list(self.sets)
        return [(name, fold(name)) for code in codes for name in self.sets.get(code, ())]

    def names_like(self, folded: str, set_code: str = "", games: Collection[str] = ()) -> list[tuple[str, str]]:
        raise AssertionError("these names are few")


SETS = Sets(dsk=["Mist Hare", "Mint Hare", "Amber Drake", "Moth, the Quick"], old=["Amber Brake", "Moth of the Dusk"])


def test_a_name_is_sure_where_it_is_a_few_letters_away_and_no_other_is_as_near() -> None:
    names = NearNames(SETS)
    assert [names.sure(text) for text in ("Amber Drakee", "amber drake", "Miist Hare")] == [
        *("Amber Drake", "Amber Drake", "Mist Hare"),
    ]
    assert [names.sure(text) for text in ("Mizt Hare", "quick moth", "nothing like it", "")] == ["", "", "", ""]
    assert names.sure("Amber Xrake") == ""
    assert [names.sure("Amber Xrake", code) for code in ("dsk", "old", "none")] == ["Amber Drake", "Amber Brake", ""]


@pytest.mark.parametrize(
    ("name", "wrong", "found"),
    [
        ("Brakes", "Brakex", True),
        ("Brake", "Brakx", False),
        ("Frost Bellringers", "Frost Bellringexx", False),
        ("Frost Bellringer A", "Frost Bellringex X", True),
    ],
)
def test_one_letter_of_six_may_be_wrong_and_two_of_eighteen(name: str, wrong: str, found: bool) -> None:
    assert NearNames(Sets(dsk=[name])).sure(wrong) == (name if found else "")


def test_two_names_are_tied_where_they_are_as_near() -> None:
    names = NearNames(SETS)
    assert names.tied("Mixt Hare") == ("Mist Hare", "Mint Hare")
    assert names.tied("the moth of dusk") == names.tied("nothing like it") == ()


def test_up_to_three_names_of_a_catalogue_or_of_a_set_are_near() -> None:
    names = NearNames(Sets(dsk=["Mist Hare", "Mint Hare", "Mixt Hare", "Miss Hare"], old=["Hare of Mist"]))
    assert names.nearest("Mist Hare") == ["Mist Hare", "Mint Hare", "Mixt Hare"]
    assert names.nearest("mist hare", "old") == ["Hare of Mist"]
    assert names.nearest("mist hare", "new") == []


@pytest.mark.parametrize(("length", "edits"), [(199, 1), (200, 0), (201, 1), (202, 2)])
def test_200_letters_of_a_name_are_compared(length: int, edits: int) -> None:
    name = "abcdefghij" * 30
    assert [found for _, found, _ in near([name[:length]], name)] == [edits]


def score(query: str, name: str) -> float:
    (hit,) = rank(query, [(name, fold(name))])
    return hit.score


def test_200_letters_of_a_query_are_compared() -> None:
    text = "abcdefghij" * 30
    assert score(text, text[:200]) == 100
    assert score(text[:201], text[:200]) == 100


@pytest.mark.parametrize(
    ("query", "name", "expected"),
    [
        ("forest", "Forest", 100),
        ("forest", "Forest Bear", 96),
        ("forest", "Forestry", 92),
        ("bear forest", "Forest of a Bear", 90),
        ("be fo", "Forest of a Bear", 80),
        ("zeta xylo quid", "Quid Zeta Xylo", 97),
        ("zetta xylo quid", "Quid Zeta Xylo", 93.6551),
        ("forrest", "Bear Forest", 79.2307),
        ("forrest", "Bear of the Old Forest Glade", 73.2307),
    ],
)
def test_a_score_tells_how_a_query_stands_in_a_name(query: str, name: str, expected: float) -> None:
    assert score(query, name) == pytest.approx(expected, abs=0.0001)


def test_a_word_that_names_have_in_common_counts_for_each_of_them() -> None:
    pairs = [(name, fold(name)) for name in ("Amber Drake", "Amber Clerk", "Dusk Drake")]
    assert [hit.name for hit in rank("ambre", pairs)] == ["Amber Clerk", "Amber Drake"]
    assert [hit.name for hit in rank("drake", pairs, frozenset(["Amber Drake"]))] == ["Amber Drake", "Dusk Drake"]
