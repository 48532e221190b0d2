"""Names of zones that the user types: every command accepts the same spellings."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog import queries
from ccgrid.catalog.collection.entry_session import parse_unknown_card
from ccgrid.catalog.zones import FACE, PLACES, ZONE_LETTERS, ZONE_PHRASES, ZONES, parse_place, parse_printed
from ccgrid.commands.custom_cards import CardFields
from ccgrid.services.layouts import zone_and_reading

SPELLINGS = {
    "top-left": "top-left, top left, topleft, tl, upper left, up left, left top, left-top, upper-left, upperleft",
    "top": "top, t",
    "top-right": "top-right, top right, topright, tr, upper right, up-right, right top, right-top",
    "left": "left, l",
    "right": "right, r",
    "bottom-left": "bottom-left, bottom left, bottomleft, bl, lower left, down left, left bottom, lowerleft",
    "bottom": "bottom, b",
    "bottom-right": "bottom-right, bottom right, bottomright, br, lower right, down-right, right bottom",
    "face": "face, other, elsewhere",
}
PAIRS = [(spelling, place) for place, spellings in SPELLINGS.items() for spelling in spellings.split(", ")]
READERS: dict[str, Callable[[str], object]] = {
    "a zone": parse_place,
    "a card form": lambda text: next(iter(parse_printed(f"{text} 4")), None),
    "a card form with the number first": lambda text: next(iter(parse_printed(f"4 {text}")), None),
    "an unknown card": lambda text: next(iter((parse_unknown_card(f"{text} 4") or ("", {}))[1]), None),
    "a layout": lambda text: (zone_and_reading(text) or (None,))[0],
    "card add": lambda text: CardFields(number_at=text).fields()["number_at"],
    "a query": lambda text: queries.field(queries.parse(f"{text}:4").parts[0].field.name).name,
    "the order of a query": lambda text: queries.parse(f"sort:{text}").sorts[0].by,
}


def styled(spelling: str) -> st.SearchStrategy[str]:
    """Return a strategy for a spelling in lower, upper or title case."""
    return st.sampled_from((str, str.upper, str.title)).map(lambda style: style(spelling))


def spelled(place: str) -> st.SearchStrategy[str]:
    return st.sampled_from(SPELLINGS[place].split(", ")).flatmap(styled)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("spelling", "place"), PAIRS)
def test_every_spelling_of_a_zone_is_read_everywhere(reader: str, spelling: str, place: str) -> None:
    if "query" in reader and " " in spelling:
        return  # A space separates the parts of a query.
    if reader == "the order of a query" and place == FACE:
        return  # A face may have several numbers.
    for typed in (spelling, spelling.upper(), spelling.title()):
        assert READERS[reader](typed) == place, typed


@pytest.mark.parametrize("text", ["", "none", "None", "-", " "])
def test_empty_text_and_none_mean_no_zone(text: str) -> None:
    assert parse_place(text) == ""
    assert CardFields(number_at=text).fields()["number_at"] == ""


@pytest.mark.parametrize("text", ["nowhere", "middle", "top left 4", "t l", "topple", "tlbr", "4"])
def test_other_text_is_not_a_zone(text: str) -> None:
    assert parse_place(text) is None


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("tl", {"top-left": ""}),
        ("tl br", {"top-left": "", "bottom-right": ""}),
        ("top 3 left 4", {"top": "3", "left": "4"}),
        ("4 in the top left corner and 7 at the bottom right", {"top-left": "4", "bottom-right": "7"}),
        ("2,3 br", {"bottom-right": "2,3"}),
        ("TL: {4}, BR: 2/3", {"top-left": "{4}", "bottom-right": "2/3"}),
        ("face Draw 2 cards left", {"face": "Draw 2 cards left"}),
        ("upper left 4", {"top-left": "4"}),
        ("tl 4 br X", {"top-left": "4", "bottom-right": "X"}),
        ("tl 4 br 3 of 25", {"top-left": "4", "bottom-right": "3 of 25"}),
        ("face 2 t: draw 3", {"face": "2 t: draw 3"}),
        ("tl 4 tl 5", {"top-left": "4 tl 5"}),
        ("4 top left, 5 top left", {}),
        ("nonsense", {}),
        ("4", {}),
        ("4 nowhere", {}),
    ],
)
def test_texts_are_read_before_and_after_their_zones(line: str, places: dict[str, str]) -> None:
    assert parse_printed(line) == places


@given(
    st.dictionaries(st.sampled_from(PLACES), st.integers(0, 99), min_size=1).flatmap(
        lambda numbers: st.tuples(
            st.just(numbers), st.tuples(*(spelled(place) for place in numbers)), st.sampled_from((" ", ", ", "; "))
        )
    )
)
def test_numbers_typed_in_any_style_are_read_back(typed: tuple[dict[str, int], tuple[str, ...], str]) -> None:
    numbers, names, separator = typed
    expected = {place: str(number) for place, number in numbers.items()}
    after = separator.join(f"{name} {number}" for name, number in zip(names, numbers.values(), strict=True))
    before = ", ".join(f"{number} {name}" for name, number in zip(names, numbers.values(), strict=True))
    assert parse_printed(after) == expected
    assert parse_printed(before) == expected
    assert parse_unknown_card(after) == ("", expected)


@given(st.text(max_size=40))
def test_any_line_is_read_without_an_error(line: str) -> None:
    assert set(parse_printed(line)) <= set(PLACES)


def test_each_zone_has_its_own_abbreviation_and_phrase() -> None:
    assert list(ZONE_LETTERS.values()) == ["tl", "t", "tr", "l", "r", "bl", "b", "br"]
    assert set(ZONE_PHRASES) == set(ZONES)
    assert len(set(ZONE_PHRASES.values())) == len(ZONES)
    assert all(parse_place(letters) == zone for zone, letters in ZONE_LETTERS.items())
