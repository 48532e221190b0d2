"""From lines of text with their places to numbers: bands, imprint, tables, collector numbers, doubts."""

import pytest

from ccgrid.catalog.scan.places import SeenNumerals, find_numbers
from ccgrid.catalog.scan.values import SURE, ScannedCard, SeenText, TextReading, zone_at


def line(
    text: str, x: float, y: float, width: float = 6, height: float = 4, sure: float = 1.0, turn: int = 0
) -> SeenText:
    places = tuple((index + 0.5) / len(text) for index in range(len(text)))
    return SeenText(x, y, width, height, (TextReading(text, sure, places, (sure,) * len(text)),), turn)


def looks(readings: list[tuple[str, float]], x: float, y: float) -> SeenText:
    return SeenText(x, y, 5, 4, tuple(TextReading(text, sure) for text, sure in readings))


def rim(numbers: SeenNumerals) -> list[tuple[str, int]]:
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
def test_the_bands_are_the_outer_quarter_and_the_outer_18_per_cent(x: float, y: float, zone: str) -> None:
    assert zone_at(x, y) == zone


def test_a_lone_numeral_on_the_rim_is_a_number_of_its_zone() -> None:
    assert rim(find_numbers([line("4", 10, 8), line("+5", 90, 8), line("0", 10, 60)])) == [
        ("top-left", 4),
        ("top-right", 5),
        ("left", 0),
    ]


def test_numbers_above_ten_are_read_and_do_not_count() -> None:
    found = find_numbers([line("15", 10, 60)])
    assert [(number.value, number.counts) for number in found.seen] == [(15, False)]


def test_a_collector_number_gives_its_own_number_only() -> None:
    found = find_numbers([line("3 of 25", 85, 95, 18)])
    assert rim(found) == [("bottom-right", 3)]
    assert found.collector == "3"


def test_a_collector_number_in_three_short_lines_is_one() -> None:
    stacked = [line("3", 86, 93.5, 3, 2.2), line("OF", 86, 95, 3, 1.9), line("160", 86, 96.6, 6, 2.6)]
    assert rim(find_numbers(stacked)) == [("bottom-right", 3)]


def test_the_imprint_is_no_number() -> None:
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
    assert rim(found) == []
    assert [number.value for number in found.seen] == [3, 2]


def test_a_line_of_a_table_that_reaches_the_rim_is_face() -> None:
    assert rim(find_numbers([line("Worth 2 VP", 78, 56, 23, 3)])) == []


def test_what_a_cost_line_at_the_bottom_says_counts_where_its_words_stand() -> None:
    assert rim(find_numbers([line("3 Any", 50, 94, 14)])) == [("bottom", 3)]
    both = find_numbers([line("10 Free Quebec, or 11 Tech", 50, 94, 60)])
    assert rim(both) == [("bottom", 10)]


def test_labelled_numbers_in_one_row_count_each_in_its_own_zone() -> None:
    row = find_numbers([line("Speed 4 Capacity 4 Armor 4 Hull 4", 77, 11.7, 27)])
    assert sorted(rim(row)) == [("top", 4), ("top-right", 4), ("top-right", 4), ("top-right", 4)]


def test_digits_in_a_name_at_the_top_are_face() -> None:
    assert rim(find_numbers([line("VF-1D", 28, 6, 17)])) == []
    assert rim(find_numbers([line("NG-V7 Hunter Guns", 30, 6, 40)])) == []


def test_two_small_numbers_around_a_slash_are_two_unless_the_game_says_otherwise() -> None:
    corner = [line("2/3", 90, 90)]
    assert rim(find_numbers(corner)) == [("bottom-right", 2), ("bottom-right", 3)]
    assert rim(find_numbers(corner, "fraction")) == [("bottom-right", 0)]


def test_looks_that_disagree_are_weighed_and_less_sure() -> None:
    found = find_numbers([looks([("7", 0.6), ("1", 0.95), ("1", 1.0), ("4", 0.2)], 10, 60)])
    assert rim(found) == [("left", 1)]
    assert found.seen[0].confidence < 0.9


def test_a_7_that_is_a_1_without_its_slant_leans_and_a_7_stays_one() -> None:
    (leaning,) = find_numbers([looks([("7", 0.9), ("7", 0.9), ("1", 0.97), ("1", 1.0)], 10, 60)]).seen
    assert (leaning.zone, leaning.value) == ("left", 1)
    assert leaning.confidence < SURE  # a 7 in italics may come out so as well
    assert rim(find_numbers([looks([("7", 0.9), ("7", 0.9), ("7", 0.9), ("1", 0.6)], 10, 60)])) == [("left", 7)]


def test_looks_that_miss_a_sign_agree_on_the_number() -> None:
    found = find_numbers([looks([("+1", 0.95), ("+1", 0.95), ("1", 0.95), ("1", 0.95)], 10, 60)])
    assert [(number.value, number.confidence) for number in found.seen] == [(1, pytest.approx(0.95))]


def test_a_collector_number_in_small_print_that_ran_together_is_parted() -> None:
    assert rim(find_numbers([line("40l120", 10, 96, 10, 3)])) == [("bottom-left", 4)]
    assert find_numbers([line("90l12", 10, 96, 10, 3)]).collector == ""


def test_a_code_whose_letters_are_misread_gives_its_number() -> None:
    found = find_numbers([looks([("8F-003", 0.9), ("BF-003", 0.9), ("BF-003", 0.9), ("8F-003", 0.9)], 10, 60)])
    assert rim(found) == [("left", 3)]
    assert found.seen[0].confidence == pytest.approx(0.9)
    assert found.doubts == ()


def test_numbers_in_one_row_of_which_one_is_far_smaller_say_nothing_for_each_other() -> None:
    unsure = [("9", 0.9), ("9", 0.7), ("9", 0.7), ("9", 0.7)]
    large, small = line("5", 10, 40, 6, 6), SeenText(10, 60, 3, 3, looks(unsure, 0, 0).readings)
    assert rim(find_numbers([large, small])) == [("left", 5)]
    assert len(rim(find_numbers([line("5", 10, 40, 3, 3), small]))) == 2


def test_a_number_in_a_corner_says_nothing_for_another_one_there() -> None:
    unsure = [("9", 0.9), ("9", 0.7), ("9", 0.7), ("9", 0.7)]
    assert rim(find_numbers([line("5", 10, 8, 3, 3), SeenText(20, 8, 3, 3, looks(unsure, 0, 0).readings)])) == [
        ("top-left", 5)
    ]


def test_a_letter_that_looks_like_the_digit_of_the_other_looks_is_that_digit() -> None:
    found = find_numbers([looks([("O", 0.9), ("0", 0.9), ("0", 0.9), ("D", 0.8)], 10, 60)])
    assert rim(found) == [("left", 0)]


def test_what_nobody_can_read_on_the_rim_is_a_doubt_and_no_number() -> None:
    found = find_numbers([looks([("2", 0.4), ("B", 0.3), ("", 0.0), ("8", 0.2)], 10, 60)])
    assert found.seen == ()
    assert [doubt.zone for doubt in found.doubts] == ["left"]


def test_garbage_without_a_hint_of_a_digit_is_art_and_no_doubt() -> None:
    assert find_numbers([looks([("é", 0.2), ("X", 0.1), ("8", 0.2), ("", 0.0)], 10, 60)]).doubts == ()
    assert find_numbers([looks([("N5-068", 0.5), ("05-068", 0.6), ("", 0.0), ("", 0.0)], 10, 60)]).doubts == ()


def test_a_lone_sign_of_another_script_may_be_a_digit_in_its_frame() -> None:
    (doubt,) = find_numbers([looks([("日", 0.8), ("日", 0.7), ("日", 0.8), ("日", 0.8)], 90, 8)]).doubts
    assert doubt.zone == "top-right"


def test_a_digit_in_a_ring_is_a_digit() -> None:
    assert rim(find_numbers([line("②", 90, 55)])) == [("right", 2)]


def test_two_boxes_around_one_digit_are_one_number() -> None:
    assert rim(find_numbers([line("5", 10, 8), line("5", 10.3, 8.2, 8, 5)])) == [("top-left", 5)]


def test_a_card_is_sure_where_every_number_is_and_nothing_is_in_doubt() -> None:
    sure = find_numbers([line("4", 10, 8)])
    card = ScannedCard("Griffin", sure.seen, sure.doubts)
    assert card.sure
    assert card.zones == {"top-left": 4}
    assert not ScannedCard("Griffin", sure.seen, sure.doubts, sharp=False).sure
    several = find_numbers([line("4", 10, 8), line("7", 20, 8)])
    assert ScannedCard("Griffin", several.seen).sure
    assert ScannedCard("Griffin", several.seen).zones == {}


@pytest.mark.parametrize(("x", "y"), [(1.0, 57), (99.2, 30), (60, 0.8), (12, 99.5)])
def test_what_reads_as_a_digit_at_the_very_edge_is_none(x: float, y: float) -> None:
    found = find_numbers([line("2", x, y), line("4", 10, 8)])
    assert rim(found) == [("top-left", 4)]
    assert not found.doubts


def test_a_digit_of_which_another_box_says_otherwise_is_less_sure() -> None:
    told = SeenText(82, 26, 5.6, 4.2, (TextReading("0", 0.93), TextReading("0", 0.94)))
    inner = SeenText(
        81,
        25,
        3.7,
        2.9,
        (TextReading("0", 0.6), TextReading("0", 0.82), TextReading("2", 0.57), TextReading("2", 0.53)),
    )
    (alone,), (doubted,) = find_numbers([told]).seen, find_numbers([told, inner]).seen
    assert (alone.value, doubted.value) == (0, 0)
    assert alone.confidence >= SURE > doubted.confidence


def test_a_digit_of_which_another_box_says_the_same_is_as_sure_as_it_was() -> None:
    told = SeenText(82, 26, 5.6, 4.2, (TextReading("0", 0.93), TextReading("0", 0.94)))
    inner = SeenText(
        81, 25, 3.7, 2.9, (TextReading("0", 0.6), TextReading("0", 0.82), TextReading("2", 0.4), TextReading("2", 0.3))
    )
    (alone,), (again,) = find_numbers([told]).seen, find_numbers([told, inner]).seen
    assert again.confidence == alone.confidence
