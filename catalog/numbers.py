"""The house rules for printed numbers: how a text becomes numbers, and when a card with these numbers is legal.

Rule numbers in this module are those of `docs/numbers.md`. This module does not know games, files or the database.
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
"""The first and the last digit of a run that count, from 1."""

GLYPHS: Final = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
MINUSES: Final = "-−–—"
_BEFORE_A_DASH: Final = frozenset(")]}*" + GLYPHS)
_SIGNS: Final = frozenset(".+" + MINUSES)

# Rule 1. Thousands commas belong to a numeral when they group exactly three digits.
_WHOLE = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+"
_NUMERAL = re.compile(rf"(?P<whole>{_WHOLE})?(?P<decimals>\.\d+)?(?P<glyph>[{GLYPHS}])?")
_NUMERAL_START = re.compile(rf"\.?\d|[{GLYPHS}]")

# No numeral crosses the end of a cluster, so that readings of clusters can be cached.
_clusters = re.compile(rf"[\d{GLYPHS}](?:[\d{GLYPHS},./+{re.escape(MINUSES)}]*[\d{GLYPHS}])?").finditer
_ascii_clusters = re.compile(r"[0-9](?:[0-9,./+-]*[0-9])?").finditer  # a faster pattern for ASCII
_in_numeral = re.compile(rf"[\d{GLYPHS}]").search
# ASCII without the digits: `translate` with it leaves only digits and other characters than ASCII.
_PLAIN = bytes(code for code in range(128) if not chr(code).isdigit())
_LONGEST_REMEMBERED = 24  # characters
_LONGEST_NUMERAL = 1000  # digits; a number with more is far above the range


class Numeral(NamedTuple):
    """A numeral of a text: its position, its text, and its value rounded down (rule 5)."""

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
    """A numeral with its verdict: its value, whether it counts, and why (with the rule's number)."""

    raw: str
    value: int
    counts: bool
    why: str


def numerals(text: str, slash: Slash = "fraction") -> Iterator[Numeral]:
    """Yield every numeral of a text in reading order, in range or not (rules 1 to 5).

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
    """Return the sum of decimals and a fraction glyph: its whole part (`.5½` is one), and whether more is left."""
    # Over one denominator, 5/10 + 1/2: floats would lose what decides the rounding.
    above, below = map(int, unicodedata.normalize("NFKC", glyph).split("⁄"))
    digits = decimals[1 : 1 + _LONGEST_NUMERAL]
    scale = 10 ** len(digits)
    whole, rest = divmod(int(digits) * below + above * scale, below * scale)
    return whole, rest > 0 or _significant(decimals[1 + _LONGEST_NUMERAL :]) != ""


def _is_dash(text: str, minus: int) -> bool:
    """Return whether a minus is a range or a dash: after a letter, digit, glyph, closing bracket or star (rule 3)."""
    before = _before(text, minus)
    return _is_letter_or_digit(before) or before in _BEFORE_A_DASH


def _is_letter_or_digit(character: str) -> bool:
    return character.isalpha() or character.isdecimal()


def _before(text: str, position: int) -> str:
    """Return the character before a position, skipping combining marks."""
    while position and _is_mark(text[position - 1]):
        position -= 1
    return text[position - 1 : position]


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _fraction(text: str, match: re.Match[str], first: Numeral) -> Numeral | None:
    """Return `a/b` of two whole unsigned numerals as one number (rule 4), or None if it is none."""
    start, end = match.span()
    if match["decimals"] or match["glyph"] or first.start != start or text[end : end + 1] != "/":
        return None
    second = _NUMERAL.match(text, end + 1)
    if second is None or not second["whole"] or second["decimals"] or second["glyph"]:
        return None
    above, below = _significant(match["whole"]), _significant(second["whole"])
    if not below:
        return None
    # Drop the same number of digits of both: within the range the quotient stays the same.
    extra = max(0, max(len(above), len(below)) - _LONGEST_NUMERAL)
    dividend, divisor = int(above[: len(above) - extra] or "0"), int(below[: len(below) - extra] or "1")
    quotient, rest = divmod(dividend, divisor)
    return Numeral(start, second.end(), text[start : second.end()], quotient, rest != 0)


def _integer(digits: str) -> int:
    if len(digits) > _LONGEST_NUMERAL:
        digits = _significant(digits)[:_LONGEST_NUMERAL] or "0"
    return int(digits.replace(",", ""))


def _significant(digits: str) -> str:
    """Return the digits of a whole numeral in any script without commas and leading zeros; "" for zero."""
    digits = digits.replace(",", "").lstrip("0")
    return digits[next((i for i, digit in enumerate(digits) if unicodedata.decimal(digit)), len(digits)) :]


def scan(text: str, slash: Slash = "fraction") -> tuple[int, ...] | None:
    """Return a text's in-range numbers (0 to 10) in reading order, or None if it contains no numeral.

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
        # The text before a cluster matters only if it is a sign or a point.
        context = start
        if start and text[start - 1] in _SIGNS:
            context = max(0, start - 3)
            while context and not text[context].isascii() and _is_mark(text[context]):
                context -= 1
        # Long clusters occur once; the cache is for `1`, `+1/+1` and the like.
        read = _read_cluster if end - context <= _LONGEST_REMEMBERED else _read_cluster.__wrapped__
        values += read(text[context:end], start - context, slash)
    return tuple(values)


def may_have_numerals(text: str) -> bool:
    """Return whether a text may have a digit or a fraction; this is faster than a search for one."""
    left = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    return bool(left) and (text.isascii() or _in_numeral(left.decode("utf-8", "surrogatepass")) is not None)


@lru_cache(maxsize=1 << 14)
def _read_cluster(cluster: str, start: int, slash: Slash) -> tuple[int, ...]:
    return tuple(n.value for n in numerals(cluster, slash) if n.end > start and n.counts)


def explain(text: str, slash: Slash = "fraction") -> list[JudgedNumeral]:
    """Return every numeral of a text with its verdict, by the same rules as `scan`."""
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
    """Parse which run of digits of a collector field counts: `first`, `last` or a number."""
    if word == "first":
        return "first"
    return "last" if word == "last" else int(word)


_DIGITS = re.compile(_WHOLE)


def collector_number(text: str, part: Part = "first", digits: Digits | None = None) -> int | None:
    """Return the card's own number in a collector field, in range or not; None if it has no digits (rule 7).

    `part` selects the run of digits: the first, the last, or one counted from 1; `digits` selects digits of it.

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
    """Read a collector field as `scan` reads a text: its one number if it is 0 to 10 (rules 6 and 7)."""
    number = collector_number(text, part, digits)
    if number is None:
        return None
    return (number,) if LOWEST <= number <= HIGHEST else ()


def explain_collector(text: str, part: Part = "first", digits: Digits | None = None) -> list[JudgedNumeral]:
    """Return every run of digits in a collector field with its verdict (rules 6 and 7)."""
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
    """Return the number, 0 to 10, that is the whole text; None for `*`, `1+*`, `X`, two numbers or one out of range."""
    stripped = text.strip()
    found = list(numerals(stripped))
    if len(found) != 1 or found[0].raw != stripped or not found[0].counts:
        return None
    return found[0].value


def verdict(zones: Mapping[str, Sequence[int]], barred: str | None = None) -> str | None:
    """Return the first reason why a card is not legal, or None if it is legal (rules 9 to 12).

    `zones` maps a zone to the in-range numbers printed there; `barred` is a reason that precedes the numbers.

    >>> verdict({"bottom-right": [2, 3]}), verdict({"top": [3]}), verdict({})
    ('multiple-numbers:bottom-right', None, 'no-number')
    """
    if barred is not None:
        return barred
    several = [zone for zone, found in zones.items() if len(found) > 1]
    if several:
        return f"multiple-numbers:{min(several, key=ZONES.index)}"
    return None if any(zones.values()) else "no-number"
