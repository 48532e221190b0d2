"""What accepted cards teach: where numbers stand, in which form, what copies say together, and how a card looks."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.scan.learning import (
    COLUMNS,
    ROWS,
    AcceptedCard,
    accepted_card,
    form_of,
    frame_likeness,
    frame_places,
    likeness,
    majority,
    match_by_looks,
    places_of,
    read_again,
)
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.values import (
    NumberPlace,
    Prior,
    ScanDoubt,
    ScannedCard,
    SeenNumber,
    SeenText,
    TextReading,
    zone_at,
)
from ccgrid.catalog.zones import ZONES

SIZE = 3 * COLUMNS * ROWS
TOP_LEFT = NumberPlace("top-left", 10, 8, "#", False, 5, 4)


def looks(x: float, y: float, *readings: tuple[str, float]) -> SeenText:
    return SeenText(x, y, 5, 4, tuple(TextReading(text, sure) for text, sure in readings))


def number(value: int, x: float, y: float, raw: str = "", sure: float = 0.95) -> SeenNumber:
    return SeenNumber(raw or str(value), value, zone_at(x, y), x, y, sure)


def entered(collector: str = "", **printed: str) -> CustomCard:
    return CustomCard("arcadia", "Griffin", "", collector, {zone.replace("_", "-"): t for zone, t in printed.items()})


def where(card: AcceptedCard) -> list[tuple[str, float, float]]:
    return [(place.zone, place.x, place.y) for place in card.places]


# --- places -----------------------------------------------------------------------------------------------------------


def test_accepted_and_corrected_numbers_teach_their_places() -> None:
    read = ScannedCard("", (number(4, 10, 8), number(9, 90, 92)))
    card = accepted_card(read, entered(top_left="4", bottom_right="3"), by_person=True)
    assert where(card) == [("top-left", 10, 8), ("bottom-right", 90, 92)]


def test_missed_number_teaches_position_if_something_was_seen() -> None:
    lines = (looks(90, 8, ("q", 0.3), ("5", 0.3)),)
    read = ScannedCard("", (), (ScanDoubt(10, 90, "bottom-left", 7, (2,)),), lines)
    card = accepted_card(read, entered(bottom_left="2", top_right="5", left="6"), by_person=True)
    assert where(card) == [("top-right", 90, 8), ("bottom-left", 10, 90)]


def test_positions_of_two_accepted_cards_are_read() -> None:
    once = NumberPlace("left", 8, 50, "#", False, 5, 4)
    cards = [AcceptedCard("", {}, (TOP_LEFT, once)), AcceptedCard("", {}, (TOP_LEFT._replace(x=11),))]
    assert places_of(cards) == [TOP_LEFT]
    assert places_of(cards[:1]) == []


def test_removed_number_teaches_no_position() -> None:
    read = ScannedCard("", (number(4, 10, 8), number(1, 50, 95)))
    assert where(accepted_card(read, entered(top_left="4"), by_person=True)) == [("top-left", 10, 8)]


def test_the_collector_number_teaches_its_place_and_its_form() -> None:
    read = ScannedCard("", (number(149, 86, 95, "3 R 149"), number(2, 10, 8)))
    card = accepted_card(read, entered("3R149", top_left="2"), by_person=True)
    assert [(one.form, one.is_collector) for one in card.places] == [("# A ###", True), ("#", False)]


PERCENT = st.floats(0, 100)


@given(
    st.dictionaries(st.sampled_from(ZONES), st.lists(st.tuples(st.integers(0, 10), st.floats(0, 1)), max_size=3)),
    st.lists(
        st.builds(NumberPlace, st.sampled_from(ZONES), PERCENT, PERCENT, st.text(), st.booleans(), PERCENT, PERCENT)
    ),
    st.binary(max_size=20),
)
def test_accepted_card_is_unchanged_after_saving(numbers, places, fingerprint: bytes) -> None:
    card = AcceptedCard("arcadia:1", numbers, tuple(places), fingerprint)
    assert AcceptedCard.of("arcadia:1", json.loads(json.dumps(card.to_dict()))) == card


@pytest.mark.parametrize(
    "notes", [{}, {"numbers": 3}, {"places": [["top"]]}, {"numbers": {"top": [["x", 1]]}}, {"fingerprint": 4}]
)
def test_damaged_or_missing_scan_teaches_nothing(notes: dict[str, object]) -> None:
    assert AcceptedCard.of("arcadia:1", notes) == AcceptedCard("arcadia:1")


def test_places_are_recognised_by_kinds_of_frames() -> None:
    red, blue = bytes([200]) * SIZE, bytes([40]) * SIZE
    top, left = NumberPlace("top", 50, 8, "#"), NumberPlace("left", 8, 50, "#")
    cards = [AcceptedCard("", {}, (top,), red), AcceptedCard("", {}, (top, left), red), AcceptedCard("", {}, (), blue)]
    assert [(one.frame, one.place, one.seen, one.cards) for one in frame_places(cards)] == [
        (1, top, 2, 2),
        (1, left, 1, 2),
    ]


def test_a_place_is_noted_to_a_tenth_of_a_per_cent_with_the_size_of_the_short_text_there() -> None:
    short = SeenText(10.02, 8.02, 4.44, 3.33, tuple(TextReading("4", sure) for sure in (0.9, 0.8)))
    long = replace(short, x=10.0, readings=short.readings[:1], width=40.0)
    far = replace(short, y=8.04 + 2, width=9.0)
    read = ScannedCard("", (number(4, 10.04, 8.04), number(149, 86.26, 95.26, "#149")), (), (long, far, short))
    card = accepted_card(read, entered("149", top_left="4"), by_person=True)
    assert card.places == (
        NumberPlace("bottom-right", 86.3, 95.3, "####", True),
        NumberPlace("top-left", 10.0, 8.0, "#", False, 4.4, 3.3),
    )


def test_number_seen_once_of_two_equal_ones_teaches_one_position() -> None:
    read = ScannedCard("", (number(4, 10, 8),))
    assert where(accepted_card(read, entered(top_left="4, 4"), by_person=True)) == [("top-left", 10, 8)]


@pytest.mark.parametrize("raw", ["257 of 500", " 257 OF 500 "])
def test_a_form_has_signs_for_digits_and_letters_but_the_word_before_the_total(raw: str) -> None:
    assert form_of(raw) == "### of ###"
    assert form_of("3 Ra 14") == "# A ##"


def test_places_of_one_zone_far_from_each_other_are_two_and_so_are_those_of_two_zones() -> None:
    low, high, other = (
        NumberPlace("left", 8, 70, "#"),
        NumberPlace("left", 8, 30, "#"),
        NumberPlace("top", 8, 30, "#"),
    )
    cards = [AcceptedCard("", {}, (low, high)), AcceptedCard("", {}, (low, other))]
    assert [(one.place, one.seen) for one in frame_places(cards)] == [(other, 1), (low, 2), (high, 1)]


def test_doubt_on_half_of_the_copies_leaves_other_zones_certain() -> None:
    sure, unsure = {"top": [(4, 0.99)]}, {"top": [(4, 0.99)], "left": [(None, 0.3)]}
    assert majority([AcceptedCard("", sure), AcceptedCard("", unsure)]) == {"top": (4,)}
    assert majority([AcceptedCard("", sure), AcceptedCard("", unsure), AcceptedCard("", unsure)]) == {}


def test_entered_numbers_are_certain_and_read_ones_keep_confidence() -> None:
    read = ScannedCard("", (number(4, 10, 8, sure=0.87654), number(9, 90, 92)), (ScanDoubt(50, 8, "top", 7),))
    assert accepted_card(read, entered(top_left="3, 5"), by_person=True).numbers == {"top-left": [(3, 1.0), (5, 1.0)]}
    assert accepted_card(read, entered(), by_person=False).numbers == {
        **{"top-left": [(4, 0.877)], "bottom-right": [(9, 0.95)], "top": [(7, 0.3)]}
    }


@pytest.mark.parametrize(
    ("doubt", "counts"),
    [
        (ScanDoubt(11, 8, "top-left", 7), False),  # the number that was read there
        (ScanDoubt(12, 8, "top-left", 7), True),  # two per cent away is another place
        (ScanDoubt(10, 10, "top-left", 7), True),
        (ScanDoubt(10, 9, "left", 7), True),  # in a zone that has no number of its own
    ],
)
def test_doubt_at_place_of_read_number_does_not_count(doubt: ScanDoubt, counts: bool) -> None:
    read = ScannedCard("", (number(4, 10, 8), number(9, 90, 92)), (doubt,))
    card = accepted_card(read, entered(), by_person=False)
    assert ((7, 0.3) in card.numbers.get(doubt.zone, ())) is counts


def test_numbers_of_zone_are_sorted_with_unreadable_ones_first() -> None:
    card = AcceptedCard("", {"top": [(3, 0.5), (None, 0.5), (0, 0.8)]})
    assert card.numbers_in("top") == ((None, 0, 3), 0.2)
    assert card.numbers_in("left") == ((), 1)


def test_the_rim_of_a_fingerprint_is_the_frame_and_its_inside_tells_cards_apart() -> None:
    card = bytes(17 * at % 251 for at in range(SIZE))
    for at in range(COLUMNS * ROWS):
        row, column = divmod(at, COLUMNS)
        other = bytes([*card[:at], (card[at] + 100) % 256, *card[at + 1 :]])
        in_frame = row in (0, 1, ROWS - 2, ROWS - 1) or column in (0, COLUMNS - 1)
        within = 2 <= row < ROWS - 2 and 2 <= column < COLUMNS - 2
        assert (frame_likeness(card, other) < 1) is in_frame, (row, column)
        assert (likeness(card, other) < likeness(card, card)) is within, (row, column)


# --- reading with what was learned ------------------------------------------------------------------------------------

LIKELY = looks(10, 8, ("4", 0.9), ("4", 0.8), ("4", 0.7), ("4", 0.8))


def learned(*places: NumberPlace, cards: int = 5) -> list[AcceptedCard]:
    return [AcceptedCard(str(one), {}, places) for one in range(cards)]


def test_number_is_likelier_at_position_of_other_cards() -> None:
    alone = ScannedCard("", find_numbers([LIKELY]).seen, (), (LIKELY,))
    with_others = read_again(alone, learned(TOP_LEFT), None)
    assert with_others.numbers[0].confidence > alone.numbers[0].confidence


def test_number_keeps_probability_where_no_other_card_has_one() -> None:
    alone = ScannedCard("", find_numbers([LIKELY]).seen, (), (LIKELY,))
    elsewhere = read_again(alone, learned(NumberPlace("right", 92, 50, "#"), cards=30), None)
    assert elsewhere.numbers == alone.numbers


def test_nothing_is_otherwise_before_a_card_was_accepted() -> None:
    card = ScannedCard("", find_numbers([LIKELY]).seen, find_numbers([LIKELY]).doubts, (LIKELY,))
    assert read_again(card, [], None) == card


@pytest.mark.parametrize(
    ("text", "value"), [("1TB", 8), ("3 St 7", 7), ("2C34", 34), ("I R 5", 5), ("2004", None), ("Draw", None)]
)
def test_collector_number_is_read_in_learned_form(text: str, value: int | None) -> None:
    line = SeenText(50, 96, 6, 3, tuple(TextReading(text, 0.98) for _ in range(4)))
    place = NumberPlace("bottom", 50, 96, "# A ##", True)
    found = Prior(((1.0, (place,)),)).collector(line)
    assert (find_numbers([line], None, Prior(((1.0, (place,)),))).collector or None) == (value and str(value))
    assert (found is None) == (value is None)


def test_a_form_says_nothing_of_other_places() -> None:
    line = SeenText(10, 8, 6, 3, (TextReading("1TB", 0.98),))
    assert Prior(((1.0, (NumberPlace("bottom", 50, 96, "# A ##", True),)),)).collector(line) is None


# --- copies -----------------------------------------------------------------------------------------------------------


def copy(**zones: tuple[int, float]) -> AcceptedCard:
    return AcceptedCard("a", {zone.replace("_", "-"): [number] for zone, number in zones.items()})


def test_agreeing_copies_are_more_certain_than_one() -> None:
    one = copy(top=(4, 0.8))
    assert majority([one]) == {}
    assert majority([one, one]) == {"top": (4,)}


def test_disagreeing_copies_leave_zone_open() -> None:
    assert majority([copy(top=(4, 0.95)), copy(top=(7, 0.9))]) == {}
    assert majority([copy(top=(4, 0.95)), copy(top=(4, 0.95)), copy(top=(7, 0.6))]) == {"top": (4,)}


def test_copies_without_number_count_against_it() -> None:
    assert majority([copy(top=(4, 0.93))]) == {"top": (4,)}
    assert majority([copy(top=(4, 0.93)), copy(), copy()]) == {}


def several(*numbers: tuple[int | None, float]) -> AcceptedCard:
    return AcceptedCard("a", {"left": numbers})


def test_numbers_of_zone_are_one_vote_in_any_order() -> None:
    assert majority([several((5, 1.0), (4, 1.0))]) == {"left": (4, 5)}
    assert majority([several((4, 0.9), (5, 0.9))]) == {}
    assert majority([several((4, 0.9), (5, 0.9)), several((5, 0.9), (4, 0.9))]) == {"left": (4, 5)}
    assert majority([several((4, 0.95), (5, 0.95)), several((4, 0.95))]) == {}


def test_unreadable_number_keeps_zone_uncertain() -> None:
    assert majority([several((4, 1.0), (None, 0.3))]) == {}


# --- looks ------------------------------------------------------------------------------------------------------------


def picture(seed: int, light: float = 1.0) -> bytes:
    return bytes(int(light * ((seed * 7919 + place * place * 31 + seed * place * 17) % 200)) for place in range(SIZE))


def test_a_card_is_known_by_its_looks_in_another_light_and_others_are_not() -> None:
    accepted = [AcceptedCard(f"card {seed}", fingerprint=picture(seed)) for seed in (1, 2, 3)]
    assert match_by_looks(ScannedCard("", (), fingerprint=picture(2, 0.7)), accepted) == "card 2"
    assert match_by_looks(ScannedCard("", (), fingerprint=picture(9)), accepted) is None
    assert match_by_looks(ScannedCard("", ()), accepted) is None


def test_two_cards_that_look_similar_are_distinguished_by_something_else() -> None:
    similar = [AcceptedCard("a", fingerprint=picture(2)), AcceptedCard("b", fingerprint=picture(2, 0.9))]
    assert match_by_looks(ScannedCard("", (), fingerprint=picture(2)), similar) is None
    copies = [replace(one, card_id="a") for one in similar]
    assert match_by_looks(ScannedCard("", (), fingerprint=picture(2)), copies) == "a"


@given(st.binary(min_size=SIZE, max_size=SIZE), st.binary(min_size=SIZE, max_size=SIZE))
def test_likeness_is_symmetric_and_one_with_itself(one: bytes, other: bytes) -> None:
    assert -1.000001 <= likeness(one, other) <= 1.000001
    assert likeness(one, other) == pytest.approx(likeness(other, one))
    assert likeness(one, one) == pytest.approx(1.0) or len(set(one)) == 1
