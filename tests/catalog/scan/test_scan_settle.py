"""Several looks at one line become one text, and lines are told apart by what they say and where they stand."""

import pytest

from ccgrid.catalog.scan.settle import imprint_of, kind_of, settle, stacks, without_copies
from ccgrid.catalog.scan.values import SeenText, TextReading


def line(*readings: tuple[str, float], x: float = 50, y: float = 50, width: float = 10, height: float = 4) -> SeenText:
    return SeenText(x, y, width, height, tuple(TextReading(text, sure) for text, sure in readings))


def box(text: str, x: float, y: float, width: float = 6, height: float = 3, turn: int = 0, sure: float = 1.0):
    reading = TextReading(text, sure)
    return SeenText(x, y, width, height, (reading,), turn), reading


def settled(*readings: tuple[str, float]) -> tuple[str, float]:
    found = settle(line(*readings))
    return found.text, pytest.approx(found.confidence)


# --- one text of several looks --------------------------------------------------------------------------------------


def test_one_look_is_what_it_says_with_its_places() -> None:
    reading = TextReading(" ④ ½ ", 0.9, (0.1, 0.9), (0.5, 0.6))
    assert settle(SeenText(1, 2, 3, 4, (reading,))) == reading._replace(text="4 ½")


def test_looks_that_agree_are_as_sure_as_they_are_in_the_mean() -> None:
    assert settled(("4", 1.0), ("4", 0.8)) == ("4", 0.9)


def test_sure_looks_count_more_and_the_others_make_the_text_less_sure() -> None:
    share = 0.81 / (0.81 + 0.04 + 0.04)
    assert settled(("4", 0.2), ("9", 0.9), ("4", 0.2)) == ("9", 0.9 * share)


def test_blanks_come_and_go_and_the_longest_spelling_stays() -> None:
    assert settled(("Elkhorn", 0.9), ("Elk horn", 0.9)) == ("Elk horn", 0.9)


def test_the_places_are_those_of_the_surest_look_at_the_text_and_its_chances_fall_with_the_share() -> None:
    looks = (
        TextReading("12", 0.5, (0.1, 0.2), (0.5, 0.5)),
        TextReading("12", 1.0, (0.3, 0.4), (1.0, 0.8)),
        TextReading("13", 0.5, (0.5, 0.6), (0.9, 0.9)),
    )
    found = settle(SeenText(1, 2, 3, 4, looks))
    share = 1.25 / 1.5
    assert (found.text, found.places) == ("12", (0.3, 0.4))
    assert found.confidence == pytest.approx(0.75 * share)
    assert found.chances == pytest.approx((share, 0.8 * share))


def test_a_collector_number_that_ran_together_is_parted() -> None:
    assert settled(("40l120", 0.9)) == ("4 of 120", 0.9)
    assert settled(("12 0f 20", 0.9))[0] == "12 of 20"
    assert settled(("980l98", 0.9))[0] == "98 of 98"
    for text in ("40l19", "1300l120", "990l98"):  # no set is so small, and no number is beyond its set
        assert settled((text, 0.9))[0] == text


# --- boxes around boxes ---------------------------------------------------------------------------------------------


def test_a_short_box_inside_a_line_says_nothing_of_its_own() -> None:
    whole, part, beside = box("Amber Drake 4", 50, 50, 30), box("4", 60, 50, 4), box("4", 80, 50, 4)
    assert without_copies([part, whole, beside]) == [whole, beside]


@pytest.mark.parametrize(("shift", "left"), [(4.3, 1), (4.7, 2)])
def test_two_boxes_are_one_where_most_of_the_smaller_lies_in_the_other(shift: float, left: int) -> None:
    for x, y in ((shift, 0), (0, shift), (-shift, 0), (0, -shift)):
        pair = [box("44", 50, 50, 10, 10), box("4", 50 + x, 50 + y, 10, 10, sure=0.9)]
        assert len(without_copies(pair)) == left


def test_upright_boxes_go_before_turned_ones_and_long_texts_before_short_ones() -> None:
    turned, upright = box("99999", 50, 50, turn=90), box("4", 50, 50, sure=0.9)
    assert without_copies([turned, upright]) == [upright]
    long, short = box("Amber Drake again", 50, 50, sure=0.8), box("4", 50, 50, sure=0.9)
    assert without_copies([short, long]) == [long]


def test_what_is_left_is_in_the_order_of_reading() -> None:
    one, two, three = box("1", 80, 10), box("2", 10, 20), box("3", 40, 20)
    assert without_copies([three, two, one]) == [one, two, three]


# --- what lines are -------------------------------------------------------------------------------------------------


def test_a_collector_number_in_short_lines_above_each_other_is_one() -> None:
    found = stacks([box("3", 10, 90), box("OF", 10, 93), box("160", 10, 96), box("7", 50, 50)])
    assert (found.collectors, found.totals) == ({0}, {1, 2})


@pytest.mark.parametrize(
    "texts",
    [
        [("170", 10, 90), ("OF", 10, 93), ("160", 10, 96)],
        [("3", 10, 90), ("OF", 10, 93), ("19", 10, 96)],
        [("3", 10, 90), ("OF", 10, 93), ("160", 14, 96)],
        [("3", 10, 80), ("160", 10, 85)],
        [("3", 50, 46), ("OF", 50, 50), ("160", 50, 54)],
        [("3", 10, 80), ("OF", 10, 93), ("160", 10, 96)],
    ],
    ids=["beyond its set", "a small set", "beside", "nothing between", "on the face", "far away"],
)
def test_other_numbers_above_each_other_are_none(texts: list[tuple[str, float, float]]) -> None:
    assert not stacks([box(*one) for one in texts]).collectors


def test_low_on_a_card_nothing_need_stand_between_and_of_may_stand_before_the_total() -> None:
    assert stacks([box("3", 10, 89), box("160", 10, 93)]).collectors == {0}
    assert stacks([box("3", 10, 80), box("of 160", 10, 84)]).collectors == {0}


IMPRINTS = [
    "© 1999 Elk",
    "(c) Elk",
    "All rights reserved",
    "Elk Inc.",
    "www.elk.org",
    "elk.com",
    "Illus. Ann",
    "Elk 1999",
]


@pytest.mark.parametrize("text", IMPRINTS)
def test_an_imprint_stands_at_an_edge_or_is_turned(text: str) -> None:
    for y, turn, is_one in ((81, 0, True), (9, 0, True), (50, 90, True), (80, 0, False), (10, 0, False)):
        texts = [box(text, 50, y, 30, turn=turn)]
        assert bool(imprint_of(texts)) is is_one
        assert (kind_of(0, texts, imprint_of(texts)) == "imprint") is is_one


def test_a_year_in_a_collector_number_makes_no_imprint() -> None:
    assert not imprint_of([box("1999/2050", 50, 90)])
    assert not imprint_of([box("1949", 50, 90)])


def test_small_lines_in_one_block_with_an_imprint_belong_to_it_and_numerals_do_not() -> None:
    own, beside, number = box("© Elk", 50, 90, 30), box("by Ann Bee", 50, 93, 30), box("44", 50, 92)
    assert imprint_of([own, beside, number]) == {0, 1}
    assert imprint_of([own, box("by Ann Bee", 50, 97, 30)]) == {0}
    assert imprint_of([own, box("by Ann Bee", 50, 93, 30, 6)]) == {0}
    assert imprint_of([own, box("Bee", 50, 93, 30)]) == {0}
    assert imprint_of([own, beside, box("and Cid Dee", 50, 96, 30)]) == {0, 1, 2}


@pytest.mark.parametrize(
    ("text", "x", "y", "width", "kind"),
    [
        ("12/160", 10, 92, 10, "collector"),
        ("Elk 12/160 Common", 10, 92, 10, "collector"),
        ("one two three 12/160", 10, 92, 10, "label"),
        ("BF-019", 10, 92, 10, "collector"),
        ("8F-019", 10, 92, 10, "collector"),
        ("BF-019", 50, 8, 30, "text"),
        ("BF-019", 50, 8, 10, "collector"),
        ("4", 10, 50, 6, "number"),
        ("VF-1D", 10, 92, 10, "text"),
        ("Draw 2 cards", 50, 50, 60, "text"),
        ("Amber Drake", 50, 8, 30, "text"),
        ("Cost 3 HP 4", 50, 8, 30, "label"),
        ("HP 4", 90, 8, 10, "label"),
        ("Elk and Bee 4", 10, 92, 10, "text"),
        ("HP 4", 30, 50, 10, "text"),
        ("HP 4", 10, 50, 10, "label"),
    ],
)
def test_what_a_line_is_follows_from_what_it_says_and_where_it_stands(
    text: str, x: float, y: float, width: float, kind: str
) -> None:
    assert kind_of(0, [box(text, x, y, width)], frozenset()) == kind


def test_a_line_close_to_another_of_its_size_is_of_a_paragraph() -> None:
    label, above = box("HP 4", 10, 92, 10), box("Elk Bee", 10, 89, 10)
    assert kind_of(0, [label], frozenset()) == "label"
    assert kind_of(0, [label, above], frozenset()) == "text"
    assert kind_of(0, [label, box("Elk", 10, 89, 10)], frozenset()) == "label"
    assert kind_of(0, [label, box("Elk Bee", 10, 80, 10)], frozenset()) == "label"
    assert kind_of(0, [label, box("Elk Bee", 22, 89, 10)], frozenset()) == "label"
    assert kind_of(0, [label, box("Elk Bee", 10, 88, 10, 6)], frozenset()) == "label"
