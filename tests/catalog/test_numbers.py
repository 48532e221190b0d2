"""The house rules on numerals: each test is named after the rule it defends."""

import unicodedata

import pytest
from helpers import naive_numbers
from helpers.counted_numbers import counted, values
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.numbers import (
    GLYPHS,
    explain,
    numerals,
    scan,
)

wholes = st.integers(0, 10**7).map(str)


# --- rule 1: what a numeral is ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", [7]),
        ("007", [7]),
        ("10,000", [10000]),
        ("1,234,567 points", [1234567]),
        ("1, 2, 3", [1, 2, 3]),
        ("1,2,3", [1, 2, 3]),
        ("1,23", [1, 23]),
        ("1,2345", [1, 2345]),
        ("1234,567", [1234, 567]),
        ("1,000,00", [1000, 0]),
        ("12,345.6", [12345]),
        ("a,123", [123]),
        (",123", [123]),
        ("1,000½", [1000]),
    ],
)
def test_rule_1_thousands_commas_belong_to_a_numeral_when_they_group_exactly_three_digits(
    text: str, expected: list[int]
) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.5", [2]),
        (".5", [0]),
        (" .5", [0]),
        ("(.5)", [0]),
        ("x.5", [5]),
        ("é.5", [5]),
        ("e\u0301.5", [5]),
        ("1.2.3", [1, 3]),
        ("1.2.3.4", [1, 3]),
        ("Turn 3.", [3]),
        ("No.5", [5]),
        ("No. 5", [5]),
        ("½.5", [0, 0]),
        ("..5", [0]),
        ("3.x", [3]),
        ("1.½", [1, 0]),
    ],
)
def test_rule_1_a_point_makes_decimals_unless_a_letter_or_digit_stands_before_a_bare_one(
    text: str, expected: list[int]
) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("3½", [3]), ("½", [0]), ("½½", [0, 0]), ("½3", [0, 3]), ("2.5¼", [2])])
def test_rule_1_a_fraction_glyph_ends_a_numeral_or_is_one(text: str, expected: list[int]) -> None:
    assert values(text) == expected


def test_rule_1_every_vulgar_fraction_of_unicode_is_a_glyph() -> None:
    assert set(GLYPHS) == set(naive_numbers.glyphs())


@pytest.mark.parametrize("text", ["٣", "３", "૩", "𝟛", "๓", "१", "𑁩"])
def test_rule_1_any_script_has_decimal_digits(text: str) -> None:
    assert values(text) == [unicodedata.decimal(text)]


def test_rule_1_no_letter_or_sign_of_any_script_hides_a_numeral_or_is_one() -> None:
    for letter in "é—•力🐉\ud800\u0301":
        assert scan(letter) is None
        assert scan(f"Draw {letter} 3 cards") == scan(f"{letter} 3") == (3,)


def test_rule_1_digits_of_several_scripts_in_a_run_are_one_numeral() -> None:
    assert values("1٠") == [10]


@pytest.mark.parametrize(
    "text", ["", "²", "x³", "⑤", "❺", "Ⅳ", "IV", "three", "half", "⒊", "五", "∞", "*", "{X}", "₅", "🄂"]
)
def test_rule_1_no_numerals_are_superscripts_circled_digits_roman_numerals_and_words(text: str) -> None:
    assert scan(text) is None
    assert list(numerals(text)) == []


# --- rule 2: letters do not hide a numeral ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3rd", [3]), ("x2", [2]), ("{4}", [4]), ("1d6", [1, 6]), ("{2/W}", [2]), ("10th 11th", [10]), ("日3本", [3])],
)
def test_rule_2_letters_that_touch_a_numeral_do_not_hide_it(text: str, expected: list[int]) -> None:
    assert counted(text) == expected


@given(numeral=wholes, before=st.text(st.characters(categories=["L"])), after=st.text(st.characters(categories=["L"])))
def test_rule_2_a_numeral_reads_the_same_between_any_letters(numeral: str, before: str, after: str) -> None:
    assert scan(f"{before}{numeral}{after}") == scan(numeral)


# --- rule 3: minus, dash, plus ---


@pytest.mark.parametrize("minus", "-−–—")
@pytest.mark.parametrize("before", ["", " ", "(", "[", "{", ":", "+", "/", ".", ",", "“", "\n", "-", "•", "{T}: "])
def test_rule_3_a_minus_makes_a_numeral_negative(minus: str, before: str) -> None:
    assert values(f"{before}{minus}2") == [-2]


@pytest.mark.parametrize("minus", "-−–—")
@pytest.mark.parametrize("before", ["k", "Ж", "日", "7", "٣", "½", "↉", ")", "]", "}", "*"])
def test_rule_3_a_minus_after_a_letter_digit_glyph_closing_bracket_or_star_is_a_dash(minus: str, before: str) -> None:
    assert values(f"{before}{minus}2")[-1] == 2


@pytest.mark.parametrize("before", ["e\u0301", "कि", "n\u0303\u0301", "5\ufe0f\u20e3"])
def test_rule_3_a_combining_mark_belongs_to_the_letter_or_digit_that_carries_it(before: str) -> None:
    assert values(f"{before}-2")[-1] == 2
    assert values(f"long enough not to be remembered whole {before}-2")[-1] == 2
    assert counted(f"long enough not to be remembered whole {before}-2")[-1] == 2


def test_rule_3_a_mark_that_no_letter_carries_changes_nothing() -> None:
    assert values("\u0301-2") == values(" \u0301-2") == [-2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-4", [1, 4]),
        ("Flashback—2", [2]),
        ("+3", [3]),
        ("+3/+0", [3, 0]),
        ("-.5", [-1]),
        ("2-.5", [2, 0]),
        ("−½", [-1]),
        ("-3½", [-4]),
        ("- 2", [2]),
        ("-+2", [2]),
        ("+-2", [-2]),
        ("--2", [-2]),
        ("-0", [0]),
        ("-0.0", [0]),
        ("-↉", [0]),
        ("－2", [2]),
        ("―2", [2]),
    ],
)
def test_rule_3_signs(text: str, expected: list[int]) -> None:
    assert values(text) == expected


# --- rule 4: a/b ---


@pytest.mark.parametrize(
    ("text", "fraction", "stats"),
    [
        ("2/3", [0], [2, 3]),
        ("7/2", [3], [7, 2]),
        ("4/2", [2], [4, 2]),
        ("10,000/5,000", [2], [10000, 5000]),
        ("3/0", [3, 0], [3, 0]),
        ("0/0", [0, 0], [0, 0]),
        ("+1/+1", [1, 1], [1, 1]),
        ("-1/-1", [-1, -1], [-1, -1]),
        ("+1/1", [1, 1], [1, 1]),
        ("-1/2", [-1, 2], [-1, 2]),
        ("1/-2", [1, -2], [1, -2]),
        ("1/+2", [1, 2], [1, 2]),
        ("x-1/2", [0], [1, 2]),
        ("1/2.5", [1, 2], [1, 2]),
        ("1/2.", [0], [1, 2]),
        ("1.5/2", [1, 2], [1, 2]),
        (".1/2", [0, 2], [0, 2]),
        ("No.1/2", [0], [1, 2]),
        ("1½/2", [1, 2], [1, 2]),
        ("1/2½", [1, 2], [1, 2]),
        ("1/½", [1, 0], [1, 0]),
        ("1 / 2", [1, 2], [1, 2]),
        ("1//2", [1, 2], [1, 2]),
        ("*/3", [3], [3]),
        ("3/*", [3], [3]),
        ("9/3/2", [3, 2], [9, 3, 2]),
        ("8/0/4", [8, 0], [8, 0, 4]),
        ("1/2rds", [0], [1, 2]),
    ],
)
def test_rule_4_a_slash_between_whole_unsigned_numerals(text: str, fraction: list[int], stats: list[int]) -> None:
    assert values(text, "fraction") == fraction
    assert values(text, "stats") == stats


def test_rule_4_fraction_is_the_default() -> None:
    assert scan("7/2") == (3,)


@given(above=st.integers(0, 10**30), below=st.integers(0, 10**30))
def test_rule_4_a_fraction_is_the_whole_quotient(above: int, below: int) -> None:
    assert values(f"{above}/{below}", "fraction") == ([above // below] if below else [above, below])
    assert values(f"{above}/{below}", "stats") == [above, below]


@pytest.mark.parametrize(("above", "below", "expected"), [(5000, 4999, (10,)), (5000, 5000, (1,)), (1, 5000, (0,))])
def test_rule_4_a_fraction_of_numerals_of_any_length(above: int, below: int, expected: tuple[int, ...]) -> None:
    assert scan(f"1{'0' * above}/1{'0' * below}") == expected


# --- rule 5: rounding down ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3½", [3]), ("½", [0]), ("10½", [10]), ("10.999", [10]), ("9.99", [9]), ("⅞", [0]), ("1.5½", [2]), ("0.9⅔", [1])],
)
def test_rule_5_fractions_and_decimals_are_rounded_down(text: str, expected: list[int]) -> None:
    assert counted(text) == expected


def test_rule_5_rounding_is_explained_only_where_it_happened() -> None:
    assert [number.why for number in explain("3½ 3.0 2.5 3↉")] == [
        "counts, rounded down (rule 5)",
        "counts",
        "counts, rounded down (rule 5)",
        "counts",
    ]
