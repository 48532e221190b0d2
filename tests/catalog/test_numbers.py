"""The rules of docs/numbers.md on numerals; each test is named after the rule that it checks."""

import gzip
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from helpers import naive_numbers
from helpers.counted_numbers import counted, values
from helpers.hypothesis_examples import EXAMPLES
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccgrid.catalog.numbers import (
    GLYPHS,
    Slash,
    collector_number,
    explain,
    explain_collector,
    numerals,
    scan,
    scan_collector,
    single_value,
    verdict,
)
from ccgrid.catalog.zones import ZONES

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
def test_rule_1_comma_before_exactly_three_digits_belongs_to_numeral(text: str, expected: list[int]) -> None:
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
def test_rule_1_point_makes_decimals_unless_bare_after_letter_or_digit(text: str, expected: list[int]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("3½", [3]), ("½", [0]), ("½½", [0, 0]), ("½3", [0, 3]), ("2.5¼", [2])])
def test_rule_1_fraction_glyph_ends_a_numeral_or_is_one_itself(text: str, expected: list[int]) -> None:
    assert values(text) == expected


def test_rule_1_every_vulgar_fraction_of_unicode_is_a_glyph() -> None:
    assert set(GLYPHS) == set(naive_numbers.glyphs())


@pytest.mark.parametrize("text", ["٣", "３", "૩", "𝟛", "๓", "१", "𑁩"])
def test_rule_1_decimal_digits_of_any_script_are_read(text: str) -> None:
    assert values(text) == [unicodedata.decimal(text)]


def test_rule_1_letters_and_signs_of_any_script_are_ignored() -> None:
    for letter in "é—•力🐉\ud800\u0301":
        assert scan(letter) is None
        assert scan(f"Draw {letter} 3 cards") == scan(f"{letter} 3") == (3,)


def test_rule_1_digits_of_several_scripts_in_a_run_are_one_numeral() -> None:
    assert values("1٠") == [10]


@pytest.mark.parametrize(
    "text", ["", "²", "x³", "⑤", "❺", "Ⅳ", "IV", "three", "half", "⒊", "五", "∞", "*", "{X}", "₅", "🄂"]
)
def test_rule_1_superscripts_circled_digits_roman_numerals_and_words_are_ignored(text: str) -> None:
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
def test_rule_3_minus_after_combining_mark_of_letter_or_digit_is_a_dash(before: str) -> None:
    assert values(f"{before}-2")[-1] == 2
    assert values(f"long enough not to be remembered whole {before}-2")[-1] == 2
    assert counted(f"long enough not to be remembered whole {before}-2")[-1] == 2


def test_rule_3_combining_mark_without_letter_changes_nothing() -> None:
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


def test_rule_5_explanation_mentions_rounding_only_if_it_changed_the_value() -> None:
    assert [number.why for number in explain("3½ 3.0 2.5 3↉")] == [
        "counts, rounded down (rule 5)",
        "counts",
        "counts, rounded down (rule 5)",
        "counts",
    ]


SLASHES: tuple[Slash, ...] = ("fraction", "stats")
TRICKY = "0123459.,/+-−–—½⅔↉*)]}([{ aéX\u0301\u0336ि٣３𝟗²①Ⅳ:\n#’↑"
tricky_texts = st.text(st.sampled_from(TRICKY), max_size=40) | st.text(max_size=30)
slashes = st.sampled_from(SLASHES)


# --- rule 6: the range ---


@given(value=st.integers(-50, 50))
def test_rule_6_the_range_is_0_to_10(value: int) -> None:
    assert counted(str(value)) == ([value] if 0 <= value <= 10 else [])


@pytest.mark.parametrize("text", ["11", "3000", "-1", "−½", "10,000", "-.1", f"-.{'0' * 3000}1", "1" + "0" * 5000])
def test_rule_6_number_out_of_range_is_ignored_but_still_a_numeral(text: str) -> None:
    assert scan(text) == ()
    assert [number.counts for number in explain(text)] == [False]
    assert "rule 6" in explain(text)[0].why


@given(text=tricky_texts, slash=slashes)
def test_rule_6_nothing_negative_or_above_10_ever_counts(text: str, slash: Slash) -> None:
    assert all(0 <= value <= 10 for value in counted(text, slash))


# --- rule 7: collector numbers ---


@pytest.mark.parametrize(
    ("text", "part", "expected"),
    [
        ("3 of 6", "first", 3),
        ("3/6", "first", 3),
        ("003/102", "first", 3),
        ("210 of 500", "first", 210),
        ("12a", "first", 12),
        ("★7", "first", 7),
        ("S12", "first", 12),
        ("WTR001", "first", 1),
        ("MS-018", "first", 18),
        ("-5", "first", 5),
        ("a1 2007", "first", 1),
        ("1,005", "first", 1005),
        ("4 R 12", "last", 12),
        ("4 R 12", 2, 12),
        ("4 R 12", 3, None),
        ("A25-12", "last", 12),
        ("٧/٩", "first", 7),
        ("", "first", None),
        ("", "last", None),
        ("promo", "first", None),
        ("†", "last", None),
    ],
)
def test_rule_7_the_cards_own_number(text: str, part: Any, expected: int | None) -> None:
    assert collector_number(text, part) == expected


def test_rule_7_a_collector_number_is_limited_to_the_range() -> None:
    assert scan_collector("10/10") == (10,)
    assert scan_collector("11/10") == ()
    assert scan_collector("promo") is None


def test_rule_7_the_total_is_ignored_and_explained() -> None:
    assert [(number.raw, number.counts, number.why) for number in explain_collector("3/6")] == [
        ("3", True, "counts"),
        ("6", False, "not the card's own number (rule 7)"),
    ]


@given(text=tricky_texts, part=st.sampled_from(["first", "last", 1, 2, 3]))
def test_rule_7_at_most_one_number_of_a_collector_field_counts(text: str, part: Any) -> None:
    counting = [number.value for number in explain_collector(text, part) if number.counts]
    assert counting == list(scan_collector(text, part) or ())
    assert len(counting) <= 1


# --- rules 9, 10 and 12: which cards may be used ---


def test_rule_9_card_with_two_numbers_in_a_zone_is_not_legal() -> None:
    assert verdict({"top": [3], "bottom-right": [2, 2]}) == "multiple-numbers:bottom-right"


def test_rule_10_card_without_number_in_any_zone_is_not_legal() -> None:
    assert verdict({}) == "no-number"
    assert verdict({"top": []}) == "no-number"
    assert verdict({"top": [0]}) is None


def test_rule_12_reason_names_first_zone_with_several_numbers() -> None:
    for place, zone in enumerate(ZONES):
        assert verdict({name: [1, 2] for name in reversed(ZONES[place:])}) == f"multiple-numbers:{zone}"


@pytest.mark.parametrize("zones", [{}, {"top": [1]}, {"top": [1, 1]}])
def test_rule_12_reason_for_kind_of_card_precedes_its_numbers(zones: dict[str, list[int]]) -> None:
    assert verdict(zones, "layout:split") == "layout:split"


# --- attack and defense: a field with a single number ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("3", 3), ("+2", 2), ("3½", 3), (".5", 0), (" 4 ", 4), ("10", 10)],
        *[("*", None), ("1+*", None), ("7-*", None), ("X", None), ("", None), ("11", None), ("-1", None), ("2/3", 0)],
        *[("1d4+1", None), ("*²", None), ("∞", None), ("3 4", None), ("{4}", None)],
    ],
)
def test_single_value_needs_field_of_one_number_only(text: str, expected: int | None) -> None:
    assert single_value(text) == expected


# --- properties, and comparison with the naive implementation ---


@settings(max_examples=20 * EXAMPLES)
@given(text=tricky_texts, slash=slashes)
@example(text="e\u0301" * 20 + "-2", slash="stats")
@example(text="x" * 30 + ".-5", slash="fraction")
@example(text="1/" * 15 + "0", slash="fraction")
def test_fast_scan_agrees_with_naive_one(text: str, slash: Slash) -> None:
    assert counted(text, slash) == naive_numbers.naive_scan(text, slash)
    assert (scan(text, slash) is None) == (naive_numbers.naive_values(text, slash) == [])


@given(text=tricky_texts, slash=slashes)
def test_explain_counts_the_same_numbers_as_scan(text: str, slash: Slash) -> None:
    assert [number.value for number in explain(text, slash) if number.counts] == counted(text, slash)


@given(text=tricky_texts, slash=slashes)
def test_numeral_alone_reads_as_in_its_text(text: str, slash: Slash) -> None:
    for numeral in numerals(text, slash):
        assert values(numeral.raw, slash) == [numeral.value]
        assert text[numeral.start : numeral.end] == numeral.raw


@given(first=tricky_texts, second=tricky_texts, slash=slashes)
def test_two_lines_read_like_each_line(first: str, second: str, slash: Slash) -> None:
    assert counted(f"{first}\n{second}", slash) == counted(first, slash) + counted(second, slash)


@given(text=tricky_texts, slash=slashes)
def test_encoding_of_accents_changes_nothing(text: str, slash: Slash) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert counted(composed, slash) == counted(decomposed, slash)


@given(text=st.text(st.sampled_from("0123456789.,/+-½ a)"), max_size=30), zero=st.sampled_from("٠０०𝟎"), slash=slashes)
def test_script_of_digits_changes_nothing(text: str, zero: str, slash: Slash) -> None:
    other = text.translate({ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)})
    assert counted(other, slash) == counted(text, slash)


def test_cached_reading_cannot_be_changed() -> None:
    assert isinstance(scan("1 2 3"), tuple)
    assert isinstance(scan_collector("3"), tuple)


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("9", []),
        ("0", [0]),
        ("٠", [0]),
        ("1,000,", []),
        ("1.", [1] * 75_000),
        ("0/0", None),
        ("1/", None),
        ("-", []),
        ("½", None),
        ("\u0301-1", None),
        ("(", []),
        ("1-", None),
        (".", []),
    ],
)
def test_text_of_300_000_characters_is_read_in_linear_time(piece: str, expected: list[int] | None) -> None:
    found = counted(piece * (300_000 // len(piece)))  # Quadratic time would exceed the test's time limit.
    assert all(0 <= value <= 10 for value in found)
    if expected is not None:
        assert found == expected


@pytest.mark.slow
def test_fast_scan_agrees_with_naive_one_on_real_texts(shared_data: Path) -> None:
    texts: set[str] = set()
    for path in sorted((shared_data / "scryfall").rglob("*.json*")):
        data = path.read_bytes()
        _collect(json.loads(gzip.decompress(data) if path.suffix == ".gz" else data), texts)
    assert len(texts) > 10_000
    for text in texts:
        for slash in SLASHES:
            assert counted(text, slash) == naive_numbers.naive_scan(text, slash), (text, slash)


_PRINTED_KEYS = frozenset(
    {
        *("name", "printed_name", "type_line", "printed_type_line", "oracle_text", "printed_text", "flavor_text"),
        *("mana_cost", "power", "toughness", "loyalty", "collector_number"),
    }
)


def _collect(value: object, texts: set[str]) -> None:
    if isinstance(value, list):
        for item in value:
            _collect(item, texts)
    elif isinstance(value, dict):
        texts.update(text for key, text in value.items() if key in _PRINTED_KEYS and isinstance(text, str))
        for item in value.values():
            if isinstance(item, list | dict):
                _collect(item, texts)
