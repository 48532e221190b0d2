"""Numbers from lines of text and their positions: zones, imprints, collector numbers and uncertain numbers."""

from dataclasses import replace

import pytest

from ccgrid.catalog.scan.places import (
    SeenNumerals,
    find_numbers,
    imprint_of,
    line_kind,
    settle_reading,
    without_copies,
)
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScannedCard, SeenText, TextReading, zone_at


def line(
    text: str, x: float, y: float, width: float = 6, height: float = 4, sure: float = 1.0, turn: int = 0
) -> SeenText:
    places = tuple((index + 0.5) / len(text) for index in range(len(text)))
    return SeenText(x, y, width, height, (TextReading(text, sure, places, (sure,) * len(text)),), turn)


def seen_text(readings: list[tuple[str, float]], x: float, y: float) -> SeenText:
    return SeenText(x, y, 5, 4, tuple(TextReading(text, sure) for text, sure in readings))


def last_confidence(numbers: SeenNumerals) -> float:
    """Return the confidence of the last number, or 0 if there are only doubts."""
    return numbers.seen[-1].confidence if numbers.seen else 0.0


def rim_numbers(numbers: SeenNumerals) -> list[tuple[str, int]]:
    return [(found.zone, found.value) for found in numbers.seen if found.counts and found.zone != "face"]


@pytest.mark.parametrize(
    ("x", "y", "zone"),
    [
        (24.9, 17.9, "top-left"),
        (25.1, 17.9, "top"),
        (75.1, 50, "right"),
        (74.9, 50, "face"),
        (50, 82.1, "bottom"),
        (24.9, 81.9, "left"),
        (90, 90, "bottom-right"),
    ],
)
def test_zones_are_the_outer_quarter_and_the_outer_18_percent(x: float, y: float, zone: str) -> None:
    assert zone_at(x, y) == zone


def test_single_numeral_on_the_rim_is_a_number_of_its_zone() -> None:
    assert rim_numbers(find_numbers([line("4", 10, 8), line("+5", 90, 8), line("0", 10, 60)])) == [
        ("top-left", 4),
        ("top-right", 5),
        ("left", 0),
    ]


def test_numbers_above_ten_are_read_and_do_not_count() -> None:
    found = find_numbers([line("15", 10, 60)])
    assert [(number.value, number.counts) for number in found.seen] == [(15, False)]


def test_only_first_number_of_collector_number_counts() -> None:
    found = find_numbers([line("3 of 25", 85, 95, 18)])
    assert rim_numbers(found) == [("bottom-right", 3)]
    assert found.collector == "3"


def test_cut_off_total_of_collector_number_does_not_count() -> None:
    found = find_numbers([line("83 of 1", 89, 95, 7)])
    assert rim_numbers(found) == []
    assert found.collector == "83"


def test_code_followed_by_icon_has_no_number() -> None:
    assert rim_numbers(find_numbers([line("BT1-086O", 85, 76, 15)])) == []


def test_imprint_gives_no_number() -> None:
    imprint = [
        line("© 1997 Some Games, Inc.", 40, 96, 40, 2.5),
        line("1 Premiere Edition", 10, 96, 12, 2.5),
        line("Printed in 4 lands", 40, 98, 40, 2.5),
    ]
    assert find_numbers(imprint).seen == ()


def test_lines_of_a_text_panel_are_face() -> None:
    panel = [
        line("Choose 3 of your cards and turn them", 50, 84, 80),
        line("face down for 2 turns of play", 50, 88, 70),
    ]
    found = find_numbers(panel)
    assert rim_numbers(found) == []
    assert [number.value for number in found.seen] == [3, 2]


def test_table_line_reaching_rim_belongs_to_face() -> None:
    assert rim_numbers(find_numbers([line("Worth 2 VP", 78, 56, 23, 3)])) == []


def test_number_of_cost_line_counts_at_its_position() -> None:
    assert rim_numbers(find_numbers([line("3 Any", 50, 94, 14)])) == [("bottom", 3)]
    both = find_numbers([line("10 Free Quebec, or 11 Tech", 50, 94, 60)])
    assert rim_numbers(both) == [("bottom", 10)]


def test_dash_before_labelled_number_is_not_minus() -> None:
    assert rim_numbers(find_numbers([line("HP -4", 90, 92, 12)])) == [("bottom-right", 4)]
    assert rim_numbers(find_numbers([line("-4", 90, 92)])) == []


def test_labelled_numbers_in_one_row_count_in_their_zones() -> None:
    row = find_numbers([line("Speed 4 Capacity 4 Armor 4 Hull 4", 77, 11.7, 27)])
    assert sorted(rim_numbers(row)) == [("top", 4), ("top-right", 4), ("top-right", 4), ("top-right", 4)]


def test_digits_in_a_name_at_the_top_do_not_count_in_zones() -> None:
    assert rim_numbers(find_numbers([line("VF-1D", 28, 6, 17)])) == []
    assert rim_numbers(find_numbers([line("NG-V7 Hunter Guns", 30, 6, 40)])) == []


def test_slash_separates_two_numbers_by_default() -> None:
    corner = [line("2/3", 90, 90)]
    assert rim_numbers(find_numbers(corner)) == [("bottom-right", 2), ("bottom-right", 3)]
    assert rim_numbers(find_numbers(corner, "fraction")) == [("bottom-right", 0)]


def test_disagreeing_readings_are_weighted_and_less_certain() -> None:
    agreed = find_numbers([seen_text([("1", 0.95), ("1", 0.95), ("1", 1.0), ("1", 0.9)], 10, 60)])
    mostly = find_numbers([seen_text([("4", 0.6), ("1", 0.95), ("1", 1.0), ("1", 0.9)], 10, 60)])
    assert rim_numbers(agreed) == [("left", 1)]
    assert (mostly.seen or mostly.doubts)[0].value == 1
    assert last_confidence(agreed) > last_confidence(mostly)


def test_readings_with_and_without_plus_agree() -> None:
    missed = find_numbers([seen_text([("+1", 0.95), ("+1", 0.95), ("1", 0.95), ("1", 0.95)], 10, 60)])
    same = find_numbers([seen_text([("1", 0.95)] * 4, 10, 60)])
    assert rim_numbers(missed) == [("left", 1)]
    assert last_confidence(missed) == last_confidence(same)


def test_collector_number_with_misread_slash_counts_only_once() -> None:
    found = find_numbers([seen_text([("273", 0.98), ("273", 0.99), ("2773", 0.97), ("2/73", 0.97)], 18, 94)])
    assert rim_numbers(found) == [("bottom-left", 2)]
    assert found.collector == "2"


def test_number_with_several_readings_precedes_long_box_around_it() -> None:
    wide = SeenText(31, 87, 40, 4, (TextReading("×2", 0.72),))
    found = find_numbers([wide, seen_text([("×2", 0.9), ("×2", 0.9), ("×2", 0.85), ("×2", 0.8)], 22, 87)])
    assert rim_numbers(found) == [("bottom-left", 2)]


def test_unreadable_box_is_ignored() -> None:
    sure = seen_text([("3", 1.0)] * 4, 10, 8)
    assert find_numbers([sure, seen_text([("é", 0.2), ("X", 0.1), ("8", 0.2), ("", 0.0)], 10, 60)]).doubts == ()
    assert find_numbers([sure, line("nozR", 85, 96, 12, 3, sure=0.4)]).doubts == ()


def test_circled_digit_is_read() -> None:
    assert rim_numbers(find_numbers([line("②", 90, 55)])) == [("right", 2)]


def test_two_boxes_around_one_digit_are_one_number() -> None:
    assert rim_numbers(find_numbers([line("5", 10, 8), line("5", 10.3, 8.2, 8, 5)])) == [("top-left", 5)]


def test_zone_with_two_numbers_has_none() -> None:
    assert ScannedCard("Griffin", find_numbers([line("4", 10, 8)]).seen).zones == {"top-left": 4}
    assert ScannedCard("Griffin", find_numbers([line("4", 10, 8), line("7", 20, 8)]).seen).zones == {}


@pytest.mark.parametrize(
    ("words", "icon", "zones"),
    [
        ("Goblin Raider 70", 0.95, ["top-right"]),
        ("Goblin Raider 70", 0.85, []),
        ("Goblin Raider 7", 0.95, ["face"]),
        ("70", 0.95, []),
    ],
)
def test_number_in_icon_next_to_words_is_not_hidden_by_them(words: str, icon: float, zones: list[str]) -> None:
    """Read the 7 in an icon, though a look for text read it as a part of the card's name."""
    seven = replace(seen_text([("7", 1.0)] * 4, 82, 8), icon=(TextReading("7", icon),))
    found = find_numbers([line(words, 60, 8, 68, 9.5), seven]).seen
    assert [number.zone for number in found if number.value == 7] == zones


@pytest.mark.parametrize(("x", "y"), [(1.0, 57), (99.2, 30), (60, 0.8), (12, 99.5)])
def test_digit_at_the_very_edge_is_ignored(x: float, y: float) -> None:
    found = find_numbers([line("2", x, y), line("4", 10, 8)])
    assert rim_numbers(found) == [("top-left", 4)]
    assert not found.doubts


def test_digit_is_less_certain_if_another_box_disagrees() -> None:
    output = seen_text([("6", 1.0)] * 4, 82, 26)
    same, other = (replace(seen_text([(digit, 1.0)] * 4, 81.5, 25.5), width=4, height=3) for digit in "60")
    assert (
        last_confidence(find_numbers([output, other]))
        < last_confidence(find_numbers([output]))
        <= last_confidence(find_numbers([output, same]))
    )


def test_circled_digit_with_four_equal_readings_counts() -> None:
    assert rim_numbers(find_numbers([seen_text([("③", 1.0)] * 4, 90, 55)])) == [("right", 3)]


@pytest.mark.parametrize("text", ["@4", "$4", ".4"])
def test_icon_touching_digit_does_not_hide_it(text: str) -> None:
    assert rim_numbers(find_numbers([seen_text([(text, 1.0), ("4", 1.0), (text, 1.0), ("4", 1.0)], 10, 8)])) == [
        ("top-left", 4)
    ]


@pytest.mark.parametrize("first", [0, 2])
def test_pair_is_preferred_over_number_with_1_for_slash(first: int) -> None:
    looked = seen_text([(f"{first}/4", 1.0), (f"{first}/4", 1.0), (f"{first}14", 1.0), (f"{first}/4", 1.0)], 90, 92)
    found = find_numbers([looked])
    assert rim_numbers(found) == [("bottom-right", first), ("bottom-right", 4)]
    assert all(number.confidence >= MIN_CERTAIN_CONFIDENCE for number in found.seen)
    assert [n.value for n in find_numbers([seen_text([("212", 1.0)] * 4, 90, 92)]).seen] == [212]


def test_separately_found_digits_join_into_one_number() -> None:
    whole = replace(seen_text([("7000", 0.99)] * 4, 87, 8), width=21, height=11)
    parts = [replace(seen_text([(text, 1.0)] * 4, x, 8), width=w) for text, x, w in (("7", 82.4, 9), ("000", 90, 11.5))]
    assert rim_numbers(find_numbers([whole, *parts])) == []
    assert [number.value for number in find_numbers([whole, *parts]).seen] == [7000]


def test_first_digit_found_by_icon_network_is_not_a_separate_number() -> None:
    """Read 50, which the network for icons cannot name, instead of its first digit."""
    whole = replace(seen_text([("50", 1.0)] * 4, 19, 79), width=9, height=7, icon=(TextReading("", 0.98),))
    digit = replace(seen_text([("5", 1.0)] * 4, 17, 80), width=6, found=0.0, score=0.0, icon=(TextReading("5", 0.7),))
    assert [number.value for number in find_numbers([whole, digit]).seen] == [50]


def test_number_is_certain_if_all_readings_and_icon_network_agree() -> None:
    shape = replace(seen_text([("4", 0.85)] * 4, 10, 60), found=0.0, icon=(TextReading("4", 0.95),))
    assert find_numbers([shape]).seen[0].confidence >= MIN_CERTAIN_CONFIDENCE
    outvoted = replace(shape, readings=(*shape.readings[:3], TextReading("9", 0.5)))
    assert find_numbers([outvoted]).seen[0].confidence < MIN_CERTAIN_CONFIDENCE


@pytest.mark.parametrize(("sure", "certain"), [(0.92, True), (0.85, False)])
def test_number_is_certain_only_if_icon_network_is(sure: float, certain: bool) -> None:
    seen = replace(seen_text([("4", 1.0)] * 4, 10, 10), icon=(TextReading("4", sure),))
    assert (find_numbers([seen]).seen[0].confidence >= MIN_CERTAIN_CONFIDENCE) is certain


def test_number_that_icon_network_hardly_sees_is_a_doubt() -> None:
    seen = replace(seen_text([("4", 1.0)] * 4, 10, 10), icon=(TextReading("", 0.7), TextReading("4", 0.25)))
    found = find_numbers([seen])
    assert found.seen == ()
    assert [(doubt.zone, doubt.value) for doubt in found.doubts] == [("top-left", 4)]


@pytest.mark.parametrize(
    ("sure", "found", "place", "is_reported"),
    [
        (0.75, 0.0, (10, 50), False),
        (0.85, 0.0, (10, 50), True),
        (0.75, 0.5, (10, 50), True),
        (0.45, 0.0, (50, 10), False),
        (0.55, 0.0, (50, 10), True),
        (0.45, 0.0, (10, 10), True),
    ],
)
def test_number_that_may_be_art_needs_a_sure_icon_network(
    sure: float, found: float, place: tuple[float, float], is_reported: bool
) -> None:
    """Require more in the middle of a side, if no pass for text finds it."""
    seen = replace(seen_text([("4", 1.0)] * 4, *place), found=found, icon=(TextReading("4", sure),))
    assert bool(find_numbers([seen]).seen) is is_reported


@pytest.mark.parametrize(("y", "width", "zone"), [(60, 60, None), (60, 40, "left"), (10, 60, "top-left")])
def test_icon_in_running_text_is_no_number_at_the_edge(y: float, width: float, zone: str | None) -> None:
    words = line("Put from the bank on it", 15 + width / 2, y, width)
    icon = replace(seen_text([("1", 1.0)] * 4, 20, y), width=3.5, found=0.0, icon=(TextReading("1", 0.95),))
    assert [found.zone for found in find_numbers([words, icon]).seen] == ([zone] if zone else [])


def test_uncertain_readings_suffice_if_icon_network_agrees() -> None:
    unsure = replace(seen_text([("1", 0.6)] * 4, 21, 7), found=0.0, score=0.0)
    assert rim_numbers(find_numbers([replace(unsure, icon=(TextReading("1", 0.95),))])) == [("top-left", 1)]
    assert rim_numbers(find_numbers([replace(unsure, icon=(TextReading("1", 0.8),))])) == []


def test_outvoted_reading_does_not_hide_a_likely_number() -> None:
    number = replace(seen_text([("7", 1.0)] * 3 + [("1", 0.8)], 16, 63), width=4, icon=(TextReading("7", 0.9),))
    around = replace(seen_text([("1", 1.0)] * 4, 15.5, 62.5), width=8, height=6, icon=(TextReading("7", 0.9),))
    assert rim_numbers(find_numbers([number, around])) == rim_numbers(find_numbers([number])) == [("left", 7)]


def test_likely_part_of_an_unlikely_number_is_a_doubt() -> None:
    box = seen_text([("51", 0.63), ("5", 0.91), ("5", 0.95), ("5", 0.93)], 10, 91)
    found = find_numbers([replace(box, width=11, height=5.6, icon=(TextReading("", 0.87),))])
    assert found.seen == ()
    assert [(doubt.zone, doubt.value) for doubt in found.doubts] == [("bottom-left", 5)]


def test_two_numbers_in_one_box_are_two_numbers() -> None:
    around = replace(seen_text([("35", 0.9)] * 4, 84, 58), width=24, height=8)
    parts = [seen_text([(digit, 1.0)] * 4, x, 58) for digit, x in (("3", 77.5), ("5", 89.5))]
    assert sorted(rim_numbers(find_numbers([around, *parts]))) == [("right", 3), ("right", 5)]


@pytest.mark.parametrize(("code", "number"), [("3 C 10", 10), ("1C4", 4), ("1 R 7", 7), ("MS_009", 9), ("P-010", 10)])
def test_card_number_of_code_counts(code: str, number: int) -> None:
    found = find_numbers([line(code, 86, 96, 10, 2.4)])
    assert rim_numbers(found) == [("bottom-right", number)]


def test_code_possibly_ending_in_icon_is_doubt() -> None:
    found = find_numbers([line("ST1-010", 86, 90, 13, 3)])
    assert [(doubt.zone, doubt.value) for doubt in found.doubts] == [("bottom-right", 1)]


def test_number_near_border_of_two_zones_is_a_doubt() -> None:
    (doubt,) = find_numbers([seen_text([("5", 1.0)] * 4, 13, 81.8)]).doubts
    assert (doubt.zone, doubt.value) == ("bottom-left", 5)
    assert find_numbers([seen_text([("5", 1.0)] * 4, 13, 81)]).doubts == ()


def seen_readings(
    *readings: tuple[str, float], x: float = 50, y: float = 50, width: float = 10, height: float = 4
) -> SeenText:
    return SeenText(x, y, width, height, tuple(TextReading(text, sure) for text, sure in readings))


def box(text: str, x: float, y: float, width: float = 6, height: float = 3, turn: int = 0, sure: float = 1.0):
    reading = TextReading(text, sure)
    return SeenText(x, y, width, height, (reading,), turn), reading


def settled(*readings: tuple[str, float]) -> tuple[str, float]:
    found = settle_reading(seen_readings(*readings))
    return found.text, pytest.approx(found.confidence)


# --- one text from several readings ---------------------------------------------------------------------------------


def test_single_reading_keeps_text_and_positions() -> None:
    reading = TextReading(" ④ ½ ", 0.9, (0.1, 0.9), (0.5, 0.6))
    assert settle_reading(SeenText(1, 2, 3, 4, (reading,))) == reading._replace(text="4 ½")


def test_agreeing_looks_have_mean_confidence() -> None:
    assert settled(("4", 1.0), ("4", 0.8)) == ("4", 0.9)


def test_confident_readings_count_more_and_others_lower_the_confidence() -> None:
    share = 0.81 / (0.81 + 0.04 + 0.04)
    assert settled(("4", 0.2), ("9", 0.9), ("4", 0.2)) == ("9", 0.9 * share)


def test_readings_differing_in_blanks_give_the_longest_text() -> None:
    assert settled(("Elkhorn", 0.9), ("Elk horn", 0.9)) == ("Elk horn", 0.9)


def test_positions_come_from_most_confident_reading() -> None:
    readings = (
        TextReading("12", 0.5, (0.1, 0.2), (0.5, 0.5)),
        TextReading("12", 1.0, (0.3, 0.4), (1.0, 0.8)),
        TextReading("13", 0.5, (0.5, 0.6), (0.9, 0.9)),
    )
    found = settle_reading(SeenText(1, 2, 3, 4, readings))
    share = 1.25 / 1.5
    assert (found.text, found.places) == ("12", (0.3, 0.4))
    assert found.confidence == pytest.approx(0.75 * share)
    assert found.chances == pytest.approx((share, 0.8 * share))


# --- overlapping boxes ----------------------------------------------------------------------------------------------


def test_short_box_inside_a_line_is_dropped() -> None:
    whole, part, beside = box("Amber Drake 4", 50, 50, 30), box("4", 60, 50, 4), box("4", 80, 50, 4)
    assert without_copies([part, whole, beside]) == [whole, beside]


@pytest.mark.parametrize(("shift", "left"), [(4.3, 1), (4.7, 2)])
def test_boxes_are_one_if_other_covers_most_of_smaller(shift: float, left: int) -> None:
    for x, y in ((shift, 0), (0, shift), (-shift, 0), (0, -shift)):
        pair = [box("44", 50, 50, 10, 10), box("4", 50 + x, 50 + y, 10, 10, sure=0.9)]
        assert len(without_copies(pair)) == left


def test_upright_boxes_and_long_texts_are_preferred() -> None:
    turned, upright = box("99999", 50, 50, turn=90), box("4", 50, 50, sure=0.9)
    assert without_copies([turned, upright]) == [upright]
    long, short = box("Amber Drake again", 50, 50, sure=0.8), box("4", 50, 50, sure=0.9)
    assert without_copies([short, long]) == [long]
    twenty, longer = box("a" * 20, 50, 50, sure=0.805), box("a" * 60, 50, 50, sure=0.8)
    assert without_copies([longer, twenty]) == [twenty]  # Length over twenty letters does not count.


def test_remaining_texts_are_in_reading_order() -> None:
    one, two, three = box("1", 80, 10), box("2", 10, 20), box("3", 40, 20)
    assert without_copies([three, two, one]) == [one, two, three]


# --- kinds of lines -------------------------------------------------------------------------------------------------


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
def test_imprint_is_at_an_edge_or_turned(text: str) -> None:
    for y, turn, is_one in ((81, 0, True), (9, 0, True), (50, 90, True), (80, 0, False), (10, 0, False)):
        texts = [box(text, 50, y, 30, turn=turn)]
        assert bool(imprint_of(texts)) is is_one
        assert (line_kind(0, texts, imprint_of(texts)) == "imprint") is is_one


def test_year_in_collector_number_is_not_an_imprint() -> None:
    assert not imprint_of([box("1999/2050", 50, 90)])
    assert not imprint_of([box("1949", 50, 90)])


def test_small_lines_next_to_an_imprint_belong_to_it() -> None:
    own, beside, number = box("© Elk", 50, 90, 30), box("by Ann Bee", 50, 93, 30), box("44", 50, 92)
    assert imprint_of([own, beside, number]) == {0, 1}
    assert imprint_of([own, box("by Ann Bee", 50, 97, 30)]) == {0}
    assert imprint_of([own, box("by Ann Bee", 50, 93, 30, 6)]) == {0}
    assert imprint_of([own, box("Bee", 50, 93, 30)]) == {0}
    assert imprint_of([box("© Elk", 25, 90, 30), box("by Ann Bee", 75, 90, 30)]) == {0}
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
        ("HP 4", 10, 50, 35, "label"),
        ("HP 4", 10, 50, 37, "text"),
        ("HP 4", 90, 50, 35, "label"),
        ("HP 4", 90, 50, 37, "text"),
    ],
)
def test_kind_of_line_follows_from_text_and_position(text: str, x: float, y: float, width: float, kind: str) -> None:
    assert line_kind(0, [box(text, x, y, width)], frozenset()) == kind


def test_line_close_to_another_of_its_size_is_part_of_a_paragraph() -> None:
    label, above = box("HP 4", 10, 92, 10), box("Elk Bee", 10, 89, 10)
    assert line_kind(0, [label], frozenset()) == "label"
    assert line_kind(0, [label, above], frozenset()) == "text"
    assert line_kind(0, [label, box("Elk", 10, 89, 10)], frozenset()) == "label"
    assert line_kind(0, [label, box("Elk Bee", 10, 80, 10)], frozenset()) == "label"
    # The lines of a paragraph share most of their width.
    for shift, kind in ((-5, "label"), (-3, "text"), (3, "text"), (5, "label")):
        assert line_kind(0, [label, box("Elk Bee", 10 + shift, 89, 10)], frozenset()) == kind
    assert line_kind(0, [label, box("Elk Bee", 10, 88, 10, 6)], frozenset()) == "label"
