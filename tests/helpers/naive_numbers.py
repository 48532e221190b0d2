"""A naive number scanner, written from the text of the house rules: character by character, with exact fractions.

It is deliberately slow and simple; the tests compare the real scanner with it.
"""

import math
import unicodedata
from fractions import Fraction
from functools import cache
from typing import NamedTuple


@cache
def glyphs() -> dict[str, Fraction]:
    """Return the value of every character that is a fraction."""
    return {
        character: Fraction(unicodedata.numeric(character)).limit_denominator(10)
        for character in map(chr, range(0x110000))
        if character.isnumeric() and unicodedata.name(character).startswith("VULGAR FRACTION")
    }


class Found(NamedTuple):
    end: int
    value: Fraction
    whole: bool


def naive_scan(text: str, slash: str) -> list[int]:
    """Return a text's in-range numbers."""
    return [value for value in map(math.floor, naive_values(text, slash)) if 0 <= value <= 10]


def naive_values(text: str, slash: str) -> list[Fraction]:
    """Return the value of every numeral, neither rounded nor limited to the range."""
    values = []
    place = 0
    while place < len(text):
        found = numeral_at(text, place)
        if found is None:
            place += 1
            continue
        sign = sign_before(text, place)
        value, end = found.value, found.end
        if slash == "fraction" and found.whole and sign == "" and text[end : end + 1] == "/":
            second = numeral_at(text, end + 1)
            if second is not None and second.whole and second.value != 0:
                value, end = value / second.value, second.end
        values.append(-value if sign == "-" else value)
        place = end
    return values


def numeral_at(text: str, place: int) -> Found | None:
    """Return the numeral that begins at an index, or None if none does."""
    if character(text, place) in glyphs():
        return Found(place + 1, glyphs()[text[place]], whole=False)
    if character(text, place) == ".":
        before = carrier(text, place)
        if before.isalpha() or before.isdecimal() or not character(text, place + 1).isdecimal():
            return None
        digits = ""
    elif character(text, place).isdecimal():
        digits = digits_at(text, place)
    else:
        return None
    end, value, whole = place + len(digits), Fraction(number(digits)), True
    if len(digits) in (1, 2, 3):
        while character(text, end) == "," and len(group := digits_at(text, end + 1)) == 3:
            value, end = value * 1000 + number(group), end + 4
    if character(text, end) == "." and (decimals := digits_at(text, end + 1)):
        value, end, whole = value + Fraction(number(decimals), 10 ** len(decimals)), end + 1 + len(decimals), False
    if character(text, end) in glyphs():
        value, end, whole = value + glyphs()[text[end]], end + 1, False
    return Found(end, value, whole)


def sign_before(text: str, place: int) -> str:
    """Return the sign of the numeral at an index, `-` or `+`, or "" if it has no sign or follows a dash."""
    if place == 0 or text[place - 1] not in "+-−–—":
        return ""
    if text[place - 1] == "+":
        return "+"
    before = carrier(text, place - 1)
    dash = before != "" and (before.isalpha() or before.isdecimal() or before in glyphs() or before in ")]}*")
    return "" if dash else "-"


def carrier(text: str, place: int) -> str:
    """Return the character before an index, skipping combining marks."""
    while place > 0:
        place -= 1
        if not unicodedata.category(text[place]).startswith("M"):
            return text[place]
    return ""


def digits_at(text: str, place: int) -> str:
    digits = ""
    while character(text, place).isdecimal():
        digits += text[place]
        place += 1
    return digits


def number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 10 + unicodedata.decimal(digit)
    return value


def character(text: str, place: int) -> str:
    return text[place] if place < len(text) else ""
