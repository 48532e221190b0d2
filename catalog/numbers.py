"""The house rules on printed numbers: a printed text becomes numbers, and the numbers on a card make it legal or not.

Rule numbers in this module are those of `docs/numbers.md`. Nothing here knows a game, a file or a database.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.zones import ZONES

Slash = Literal["fraction", "stats"]
Part = Literal["first", "last"] | int
Digits = tuple[int, int]
"""The first and the last digit that count of a run of digits, from 1."""

GLYPHS: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
MINUSES: Final = "-−–—"
_BEFORE_A_DASH: Final = frozenset(")]}*" + GLYPHS)
_SIGNS: Final = frozenset(".+" + MINUSES)

# Rule 1. Thousands commas belong to a numeral when they group exactly three digits.
_WHOLE = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+"
_NUMERAL = re.compile(rf"(?P<whole>{_WHOLE})?(?P<decimals>\.\d+)?(?P<glyph>[{GLYPHS}])?")
_NUMERAL_START = re.compile(rf"\.?\d|[{GLYPHS}]")

# A cluster is a run that no numeral crosses the end of: what a memo of readings can be kept for.
_clusters = re.compile(rf"[\d{GLYPHS}](?:[\d{GLYPHS},./+{re.escape(MINUSES)}]*[\d{GLYPHS}])?").finditer
_ascii_clusters = re.compile(r"[0-9](?:[0-9,./+-]*[0-9])?").finditer  # the same where it can be had sooner
_in_numeral = re.compile(rf"[\d{GLYPHS}]").search
# ASCII without the digits: what `translate` leaves of a text is digits, or not ASCII.
_PLAIN = bytes(code for code in range(128) if not chr(code).isdigit())
_LONGEST_REMEMBERED = 24  # characters
_LONGEST_NUMERAL = 1000  # digits that are worked with; whatever has more is far above the range


class Numeral(NamedTuple):
    """One numeral of a text: where it is, the text it has there, and its value rounded down (rule 5)."""

    start: int
    end: int
    raw: str
    value: int
    rounded: bool

    @property
    def counts(self) -> bool:
        """Whether the value is in the range 0 to 10 (rule 6)."""
        return LOWEST <= self.value <= HIGHEST


class JudgedNumeral(NamedTuple):
    """A numeral with the verdict on it: its value, whether it counts, and why (with the rule's number)."""

    raw: str
    value: int
    counts: bool
    why: str


def numerals(text: str, slash: Slash = "fraction") -> Iterator[Numeral]:
    """Every numeral of a text in reading order, out of range or not (rules 1 to 5).

    >>> [n.value for n in numerals("3rd, x2, {4}, 1d6, 10,000, 3½, .5, 1-4, −2")]
    [3, 2, 4, 1, 6, 10000, 3, 0, 1, 4, -2]
    >>> [n.value for n in numerals("7/2 +1/+1")], [n.value for n in numerals("7/2", "stats")]
    ([3, 1, 1], [7, 2])
    """
    position = 0
    while found := _NUMERAL_START.search(text, position):
        start = found.start()
        if text[start] == "." and _is_letter_or_digit(_before(text, start)):
            start += 1  # rule 1: the point is a full stop
        match = _NUMERAL.match(text, start)
        assert match is not None  # noqa: S101  every part of the pattern is optional
        numeral = _numeral(text, match)
        position = numeral.end
        if slash == "fraction" and (quotient := _fraction(text, match, numeral)):
            numeral, position = quotient, quotient.end
        yield numeral


def _numeral(text: str, match: re.Match[str]) -> Numeral:
    start, end = match.span()
    whole, part = _integer(match["whole"] or "0"), False
    if match["decimals"] and match["glyph"]:
        carried, part = _parts(match["decimals"], match["glyph"])
        whole += carried
    elif match["decimals"]:
        part = _significant(match["decimals"][1:]) != ""
    elif match["glyph"]:
        part = match["glyph"] != "↉"
    sign = text[start - 1 : start]
    if sign and sign in MINUSES and not _is_dash(text, start - 1):
        # Rule 5 rounds down, so a negative part pulls away from zero.
        return Numeral(start - 1, end, text[start - 1 : end], -whole - part, part)
    raw_start = start - 1 if sign == "+" else start
    return Numeral(raw_start, end, text[raw_start:end], whole, part)


def _parts(decimals: str, glyph: str) -> tuple[int, bool]:
    """What decimals and a glyph come to: the whole that they add (`.5½` is one), and whether a rest is left."""
    # Over one denominator, 5/10 + 1/2: floats would lose what decides the rounding.
    above, below = map(int, unicodedata.normalize("NFKC", glyph).split("⁄"))
    digits = decimals[1 : 1 + _LONGEST_NUMERAL]
    scale = 10 ** len(digits)
    whole, rest = divmod(int(digits) * below + above * scale, below * scale)
    return whole, rest > 0 or _significant(decimals[1 + _LONGEST_NUMERAL :]) != ""


def _is_dash(text: str, minus: int) -> bool:
    """Rule 3: a minus behind a letter, digit, fraction glyph, closing bracket or star is a range or a dash."""
    before = _before(text, minus)
    return _is_letter_or_digit(before) or before in _BEFORE_A_DASH


def _is_letter_or_digit(character: str) -> bool:
    return character.isalpha() or character.isdecimal()


def _before(text: str, position: int) -> str:
    """The character before a position; a combining mark belongs to the one that carries it."""
    while position and _is_mark(text[position - 1]):
        position -= 1
    return text[position - 1 : position]


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _fraction(text: str, match: re.Match[str], first: Numeral) -> Numeral | None:
    """Rule 4: `a/b` of two whole unsigned numerals as one number, or None where it is not one."""
    start, end = match.span()
    if match["decimals"] or match["glyph"] or first.start != start or text[end : end + 1] != "/":
        return None
    second = _NUMERAL.match(text, end + 1)
    if second is None or not second["whole"] or second["decimals"] or second["glyph"]:
        return None
    above, below = _significant(match["whole"]), _significant(second["whole"])
    if not below:
        return None
    # Both lose as many digits, so that the quotient stays what it is as far as the range goes.
    extra = max(0, max(len(above), len(below)) - _LONGEST_NUMERAL)
    dividend, divisor = int(above[: len(above) - extra] or "0"), int(below[: len(below) - extra] or "1")
    quotient, rest = divmod(dividend, divisor)
    return Numeral(start, second.end(), text[start : second.end()], quotient, rest != 0)


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_NUMERAL:
        digits = _significant(digits)[:_LONGEST_NUMERAL] or "0"
    return int(digits.replace(",", ""))


def _significant(digits: str) -> str:
    """The digits of a whole numeral without commas and leading zeros, of whatever script; nothing of a zero."""
    digits = digits.replace(",", "").lstrip("0")
    return digits[next((i for i, digit in enumerate(digits) if unicodedata.decimal(digit)), len(digits)) :]


def scan(text: str, slash: Slash = "fraction") -> tuple[int, ...] | None:
    """The numbers of a text that count, each 0 to 10, in reading order; None where it has no numeral at all.

    >>> scan("Equipped creature gets +3/+0 and has 12 lives.", "stats")
    (3, 0)
    >>> scan("Flying") is None, scan("3000")
    (True, ())
    """
    if not may_have_numerals(text):
        return None
    values: list[int] = []
    for match in (_ascii_clusters if text.isascii() else _clusters)(text):
        start, end = match.span()
        # What is before a cluster matters only where it is a sign or a point.
        context = start
        if start and text[start - 1] in _SIGNS:
            context = max(0, start - 3)
            while context and not text[context].isascii() and _is_mark(text[context]):
                context -= 1
        # Long clusters come once; the memo is for `1`, `+1/+1` and the like.
        read = _read_cluster if end - context <= _LONGEST_REMEMBERED else _read_cluster.__wrapped__
        values += read(text[context:end], start - context, slash)
    return tuple(values)


def may_have_numerals(text: str) -> bool:
    """Whether a digit or a fraction may be in a text: to rule that out is quicker than to search for one."""
    left = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    return bool(left) and (text.isascii() or _in_numeral(left.decode("utf-8", "surrogatepass")) is not None)


@lru_cache(maxsize=1 << 14)
def _read_cluster(cluster: str, start: int, slash: Slash) -> tuple[int, ...]:
    return tuple(n.value for n in numerals(cluster, slash) if n.end > start and n.counts)


def explain(text: str, slash: Slash = "fraction") -> list[JudgedNumeral]:
    """Every numeral of a text with the verdict on it, by the same rules as `scan`."""
    return [JudgedNumeral(n.raw, n.value, n.counts, _why(n)) for n in numerals(text, slash)]


def _why(numeral: Numeral) -> str:
    if numeral.value < LOWEST:
        return "negative (rule 6)"
    if numeral.value > HIGHEST:
        return f"above {HIGHEST} (rule 6)"
    if numeral.rounded:
        return "counts, rounded down (rule 5)"
    return "counts"


def part_from(word: str) -> Part:
    """Which run of digits in a collector field is meant, from its spelling: `first`, `last` or a number."""
    if word == "first":
        return "first"
    return "last" if word == "last" else int(word)


_DIGITS = re.compile(_WHOLE)


def collector_number(text: str, part: Part = "first", digits: Digits | None = None) -> int | None:
    """The card's own number in a collector field, not limited to the range; None where it has no digits (rule 7).

    `part` says which run of digits that is: the first, the last, or one counted from 1; `digits` which of them count.

    >>> collector_number("003/102"), collector_number("★7"), collector_number("MS-018")
    (3, 7, 18)
    >>> collector_number("4 R 12", "last"), collector_number("4 R 12", 2), collector_number("promo")
    (12, 12, None)
    >>> collector_number("4013", digits=(2, 4)), collector_number("7", digits=(2, 4))
    (13, None)
    """
    found = _collector_match(text, part)
    return _own_number(found, digits) if found else None


def _own_number(run: re.Match[str], digits: Digits | None) -> int | None:
    if digits is None:
        return _integer(run.group())
    counting = run.group().replace(",", "")[digits[0] - 1 : digits[1]]
    return _integer(counting) if counting else None


def _collector_match(text: str, part: Part) -> re.Match[str] | None:
    if part == "first":
        return _DIGITS.search(text)
    runs = list(_DIGITS.finditer(text))
    place = len(runs) if part == "last" else int(part)
    return runs[place - 1] if 1 <= place <= len(runs) else None


def scan_collector(text: str, part: Part = "first", digits: Digits | None = None) -> tuple[int, ...] | None:
    """A collector field read like `scan` reads a text: its one number if that is 0 to 10 (rules 6 and 7)."""
    number = collector_number(text, part, digits)
    if number is None:
        return None
    return (number,) if LOWEST <= number <= HIGHEST else ()


def explain_collector(text: str, part: Part = "first", digits: Digits | None = None) -> list[JudgedNumeral]:
    """Every run of digits in a collector field with the verdict on it (rules 6 and 7)."""
    own = _collector_match(text, part)
    readings = []
    for run in _DIGITS.finditer(text):
        mine = own is not None and run.span() == own.span()
        value = _own_number(run, digits) if mine else None
        numeral = Numeral(run.start(), run.end(), run.group(), _integer(run.group()), rounded=False)
        if value is None:
            readings.append(JudgedNumeral(numeral.raw, numeral.value, False, "not the card's own number (rule 7)"))
        else:
            numeral = numeral._replace(value=value)
            readings.append(JudgedNumeral(numeral.raw, numeral.value, numeral.counts, _why(numeral)))
    return readings


def single_value(text: str) -> int | None:
    """The number, 0 to 10, that is all a field says; None for `*`, `1+*`, `X`, two numbers or one out of range."""
    stripped = text.strip()
    found = list(numerals(stripped))
    if len(found) != 1 or found[0].raw != stripped or not found[0].counts:
        return None
    return found[0].value


def verdict(zones: Mapping[str, Sequence[int]], barred: str | None = None) -> str | None:
    """Why a card may not be used, or None where it may: the first reason that applies (rules 9 to 12).

    `zones` maps a zone to the in-range numbers printed there; `barred` is a reason that comes before the numbers.

    >>> verdict({"bottom-right": [2, 3]}), verdict({"top": [3]}), verdict({})
    ('multiple-numbers:bottom-right', None, 'no-number')
    """
    if barred is not None:
        return barred
    several = [zone for zone, found in zones.items() if len(found) > 1]
    if several:
        return f"multiple-numbers:{min(several, key=ZONES.index)}"
    return None if any(zones.values()) else "no-number"
