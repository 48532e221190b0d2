"""Regular expressions in queries: they find the same texts as Python's `re`, ignoring case."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.text_patterns import literal_texts, needed_texts, occurs

PIECES = (
    *("a", "b", "B", "s", "K", "1", " ", ".", "^", "$", "|", "(", "(?:", ")", "[ab]", "[^s]", "[A-K]", "\\w", "\\W"),
    *("\\b", "\\d", "\\.", "\\+", "?", "*", "+", "??", "*?", "{2}", "{0,1}", "{1,2}?", "(?i)", "é", "\\bab", "\\ba"),
)
LETTERS = "aAbBsSkKiI1 .+\nıİſ\u212aé"


def is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


PATTERNS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join).filter(is_pattern)


def has_in_order(text: str, parts: str) -> bool:
    return re.search(".*".join(map(re.escape, parts.split("%"))), text, re.DOTALL) is not None


@given(PATTERNS, st.lists(st.text(LETTERS, max_size=8), min_size=1, max_size=5))
def test_pattern_finds_same_texts_as_re_and_contains_a_needed_text(pattern: str, texts: list[str]) -> None:
    needed, literal = needed_texts(pattern), literal_texts(pattern)
    for text in texts:
        is_found = re.search(pattern, text, re.IGNORECASE) is not None
        assert occurs(pattern, text) is is_found
        assert not (is_found and needed and text.isascii()) or any(has_in_order(text.lower(), part) for part in needed)
        if literal and text.isascii():
            assert is_found is any(part in f"^{text.lower()}" for part in literal)


@pytest.mark.parametrize("pattern", ["^i$", "^[a-k]$", "^[^s]$", "^[^i-k]$", "^[A-Z]$", r"^\w$", "^.$"])
def test_pattern_matches_same_letters_as_re(pattern: str) -> None:
    every = re.compile(pattern, re.IGNORECASE)
    cased = [letter for letter in map(chr, range(sys.maxunicode + 1)) if letter.swapcase() != letter]
    assert len(cased) > 2000
    assert [letter for letter in cased if occurs(pattern, letter) is not bool(every.search(letter))] == []


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        ("Draw.*card", ("draw%card",)),
        (r"\bflying\b", ("flying",)),
        ("(the|your)s?", ("the", "your")),
        ("(the|your)?x", ("x",)),
        ("((ab|cd)e)?", ()),
        ("gain {2,3}two", ("gain%two",)),
        ("(ab|cd) {2}or?|[ab]{2}", ()),
        ("[an]o|an", ("o", "an")),
        ("[an]+|an", ()),
        ("é", ()),
    ],
)
def test_needed_texts_are_the_literal_ones(pattern: str, needed: tuple[str, ...]) -> None:
    assert needed_texts(pattern) == needed


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("Draw", ("draw",)),
        ("^(a|b)c[dE]?", ()),
        ("^(a|b)c", ("^ac", "^bc")),
        ("(the|your)s?", ("the", "your")),
        ("[abcd]e", ()),
        ("a|b|^c", ("a", "b", "^c")),
        ("a|b|c|d", ()),
        ("[^a]b", ()),
        ("(?:x|)yz*", ("xy", "y")),
    ],
)
def test_literal_texts_are_those_of_choices(pattern: str, texts: tuple[str, ...]) -> None:
    assert literal_texts(pattern) == texts


@pytest.mark.parametrize("value", [None, 3])
def test_pattern_does_not_occur_in_none_or_a_number(value: object) -> None:
    assert not occurs("", value)
