"""Numbers that the user types into a zone (docs/numbers.md, rule 14)."""

import pytest

from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.typed_numbers import ambiguous_pairs, assumptions, meanings, plain_text


def zone(text: str) -> list[int]:
    """Return the numbers of a zone with this typed text."""
    return list(CustomCard("arcadia", "Griffin", printed={"top": text}).reading().zones.get("top", []))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3 of 6", [3]),
        ("3 OF 6", [3]),
        ("12 of 500", []),
        ("5 1/2", [5]),
        ("0 3/6", [0]),
        ("1 7/2", [4]),
        ("10 1/2", [10]),
        ("3/6", [3, 6]),
        ("3 / 6", [3, 6]),
        ("3/60", [3]),
        ("+1/+1", [1, 1]),
        ("-1/-1", []),
        ("1/2/3", [0, 3]),
        ("5 1/0", [5, 1, 0]),
        ("2,3", [2, 3]),
        ("2/3,4", [2, 3, 4]),
        ("4,2/3", [4, 2, 3]),
        ("2/3,4/5", [2, 3, 4, 5]),
        ("1,000/2", [2]),
        ("4", [4]),
        ("1 of 6, 2", [1, 2]),
        ("12a/3", [3]),
        ("3 offers 6", [3, 6]),
    ],
)
def test_typed_text_gives_its_numbers(text: str, numbers: list[int]) -> None:
    assert zone(text) == numbers


@pytest.mark.parametrize("pair", ["3/6", "10/2", "0/0"])
def test_each_meaning_of_ambiguous_pair_has_unambiguous_text(pair: str) -> None:
    first, second = map(int, pair.split("/"))
    wanted = [first, second], [first], [first // second] if second else [0, 0, 0]
    assert [zone(text) for text in meanings(pair).values()] == list(wanted)
    assert not any(map(ambiguous_pairs, meanings(pair).values()))


def test_assumed_meaning_is_reported_with_texts_for_other_meanings() -> None:
    (notice,) = assumptions({"bottom-right": "3/6", "top": "4"})
    assert notice.startswith("3/6 (bottom right) was read as two numbers, 3 and 6.")
    assert "'3 of 6'" in notice
    assert "'0 3/6'" in notice


def test_editing_card_entered_before_rule_14_keeps_its_numbers() -> None:
    evidence = [("top", "entered", "fraction", "3/6"), ("left", "entered", "fraction", "3 of 6")]
    card = CustomCard("arcadia", "Griffin").card()
    assert CustomCard.from_evidence(card, evidence).reading().zones == {"top": [0], "left": [3, 6]}


def test_plain_text_stays_unchanged() -> None:
    for text in ("3 of 6", "5 1/2", "3/6", "+1/+1", "1/2/3"):
        assert plain_text(plain_text(text)) == plain_text(text)
