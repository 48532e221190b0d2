"""Comparison of scanned cards with the catalogue's cards, whose numbers may be in the zones of their boxes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.card import Card
from ccgrid.catalog.scan.comparison import contradictions, in_catalogue_zones
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber, middle_of
from ccgrid.catalog.zones import FACE, PLACES, ZONES


def scanned(*numbers: tuple[str, int, float, float]) -> ScannedCard:
    """Return a scan with these certain numbers: zone, value, and centre in per cent."""
    seen = tuple(SeenNumber(str(value), value, zone, x, y, 0.99) for zone, value, x, y in numbers)
    return ScannedCard("Retaya", seen)


def card(reason: str | None = None, **zones: int) -> Card:
    printed = {zone.replace("_", "-"): value for zone, value in zones.items()}
    return Card("a:one/1", "a", "Retaya", printed, sum(zones.values()), reason=reason)


# The digit at the right end of a box "INTEGRITY 2" is in another zone than the box.
BOXES = scanned(("bottom", 2, 32, 90), ("bottom", 6, 60, 90), ("bottom-right", 5, 89, 90))


def test_number_beside_its_zone_is_no_contradiction() -> None:
    retaya = card(bottom_left=2, bottom=6, bottom_right=5)
    assert in_catalogue_zones(BOXES, retaya).zones == {"bottom-left": 2, "bottom": 6, "bottom-right": 5}
    assert contradictions(BOXES, retaya) == []


def test_of_two_equal_numbers_the_nearer_one_is_in_the_other_zone() -> None:
    read = scanned(("bottom", 8, 60, 90), ("bottom", 8, 32, 90))
    placed = in_catalogue_zones(read, card(bottom_left=8, bottom=8))
    assert [(number.zone, number.x) for number in placed.numbers] == [("bottom", 60), ("bottom-left", 32)]


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        (scanned(("bottom", 6, 50, 90)), card(bottom_left=5)),  # another number
        (scanned(("bottom", 6, 50, 90)), card(bottom=6, bottom_left=6)),  # the one that is there
        (scanned(("top", 6, 50, 9)), card(bottom=6)),  # not beside
        (scanned(("bottom", 6, 50, 90), ("bottom-left", 3, 9, 90)), card(bottom_left=6)),  # another one is there
        (scanned(("face", 6, 50, 50)), card(left=6)),
    ],
)
def test_other_numbers_stay_where_they_were_read(read: ScannedCard, printed: Card) -> None:
    assert in_catalogue_zones(read, printed) == read
    assert contradictions(read, printed)


def test_number_beside_its_zone_is_not_added_to_data_that_lack_others() -> None:
    scan = Scan("a.png", "0" * 64, BOXES, "a", card=card("data:strength", bottom_left=2, bottom=6))
    assert scan.zones == {"bottom-left": 2, "bottom": 6, "bottom-right": 5}
    assert scan.agrees


ZONE = st.sampled_from(ZONES)
NUMBER = st.integers(0, 3)  # few, so that many are equal


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), NUMBER), max_size=6),
    st.dictionaries(ZONE, NUMBER, max_size=5),
)
def test_numbers_move_only_to_empty_zones_beside_theirs(read: list[tuple[str, int]], printed: dict[str, int]) -> None:
    before = scanned(*((zone, value, *middle_of(zone)) for zone, value in read))
    known = Card("a:one/1", "a", "Retaya", printed, sum(printed.values()))
    after = in_catalogue_zones(before, known)
    for old, new in zip(before.numbers, after.numbers, strict=True):
        assert new == old._replace(zone=new.zone)
        if new.zone != old.zone:
            assert printed[new.zone] == new.value
            assert new.zone not in {zone for zone, _ in read}
            assert math.dist(middle_of(new.zone), middle_of(old.zone)) < 60
            assert FACE not in (old.zone, new.zone)
    agreed = [sum(one.zones.get(zone) == value for zone, value in printed.items()) for one in (before, after)]
    assert agreed[0] <= agreed[1]
