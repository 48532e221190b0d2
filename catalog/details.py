"""Details of owned copies, such as price, grade and tags."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ccgrid.catalog.copy_marks import MARKS
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.words import fold, vocabulary

NO_DETAILS: Final = "{}"
"""The stored text without details."""
_PRICE: Final = lazy_pattern(
    r"(?P<before>[^\d\s.,-]{0,3})\s*"
    r"(?P<price>[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d{1,4})?|(?:\.\d{3})+,\d{1,4})|\d{1,9}(?:[.,]\d{1,4})?)"
    r"\s*(?P<after>[^\d\s.,]{0,3})"
)
_THOUSANDS: Final = lazy_pattern(r"[1-9]\d{0,2}(?:,\d{3})+")
_SIGNS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_GRADE: Final = lazy_pattern(r"(?P<grader>[A-Za-z][A-Za-z. ]*?)[ :-]*(?P<grade>\d.*)")
_NO_GRADES: Final = frozenset(("ungraded", "raw", "na"))
_DATE: Final = lazy_pattern(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_WRITTEN_DATE: Final = lazy_pattern(r"(?!\d{4}-)(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T].*)?")
_SERIAL_DATE: Final = lazy_pattern(r"[2-6]\d{4}(?:\.\d+)?")
"""A day as spreadsheets count them, from 30 December 1899."""
_MONTHS: Final = 12
_YEARS: Final = 1000
"""The first number that is a year of a date; smaller ones are days or months."""
_FLAGS: Final = (*MARKS, "for_trade")
_REMEMBERED: Final = 1 << 12  # different details; most rows of a file have one of a few


class Details(NamedTuple):
    """What an owner knows about copies.

    `acquired` is a date, year first unless its order is unknown; `price` the cost of one copy as a decimal number, in
    `currency`; `grader` the company that gave the `grade`; `own` has pairs of a heading and a text for everything
    without a field. `for_trade` counts the copies for trade in a row of a file. For stored copies it is 1 or 0, for all
    of them.
    """

    acquired: str = ""
    price: str = ""
    currency: str = ""
    tags: tuple[str, ...] = ()
    signed: int = 0
    altered: int = 0
    proxy: int = 0
    for_trade: int = 0
    grader: str = ""
    grade: str = ""
    own: tuple[tuple[str, str], ...] = ()

    @property
    def graded(self) -> str:
        """Company and grade as one text: PSA 9."""
        return f"{self.grader} {self.grade}".strip()

    def text(self) -> str:
        """Return the details as they are stored: JSON of the known ones, with sorted keys."""
        return _text(self)

    def __str__(self) -> str:
        cost = f"{self.price} {self.currency}".strip()
        flags = [name.replace("_", " ") for name in _FLAGS if getattr(self, name)]
        own = [f"{heading}: {text}" for heading, text in self.own]
        words = [self.graded, *flags, *(f"#{tag}" for tag in self.tags), cost, self.acquired, *own]
        return ", ".join(part for part in words if part)


@lru_cache(_REMEMBERED)  # cached: many rows have equal details
def _text(details: Details) -> str:
    known: dict[str, Any] = {name: value for name, value in zip(details._fields, details, strict=True) if value}
    if not known:
        return NO_DETAILS
    if details.own:
        known["own"] = dict(details.own)
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@lru_cache(_REMEMBERED)
def parse_details(text: str) -> Details:
    """Parse the text that `Details.text` returned."""
    if text == NO_DETAILS:
        return Details()
    known = json.loads(text)
    fields = {name: known[name] for name in Details._fields if name in known}
    fields["tags"] = tuple(fields.get("tags", ()))
    fields["own"] = tuple(sorted(fields.get("own", {}).items()))
    return Details(**fields)


def split_for_trade(text: str, copies: int) -> Iterator[tuple[str, int]]:
    """Yield the details of a row's copies as stored, each with a count, separately for copies for trade."""
    if '"for_trade"' not in text:
        yield text, copies
        return
    details = parse_details(text)
    traded = min(details.for_trade, copies)
    yield details._replace(for_trade=1).text(), traded
    if traded < copies:
        yield details._replace(for_trade=0).text(), copies - traded


def merge_details(old: str, new: str, fields: frozenset[str]) -> str:
    """Return new details, with old values for fields that are not among `fields`."""
    if old in (NO_DETAILS, new):
        return new
    before, now = parse_details(old), parse_details(new)
    whole = now._replace(**{name: getattr(before, name) for name in Details._fields if name not in fields})
    if "own" in fields:  # heading by heading
        whole = whole._replace(own=tuple(sorted((dict(before.own) | dict(now.own)).items())))
    return whole.text()


class DetailEdit(NamedTuple):
    """Changes of details: None keeps a field; an empty text or tuple clears it."""

    acquired: str | None = None
    price: str | None = None
    tags: tuple[str, ...] | None = None
    signed: bool | None = None
    altered: bool | None = None
    proxy: bool | None = None
    for_trade: bool | None = None
    grade: str | None = None
    own: tuple[str, ...] | None = None
    """Texts such as `Shelf=3`; without a text after the sign the column is removed."""

    def of(self, text: str) -> str:
        """Return stored details with these changes.

        Raises:
            CatalogError: If a price, a date or an own column is malformed.
        """
        if self == DetailEdit():
            return text
        details = parse_details(text)
        flags = {name: getattr(self, name) for name in _FLAGS}
        changed: dict[str, Any] = {name: int(wanted) for name, wanted in flags.items() if wanted is not None}
        details = details._replace(**changed)
        if self.acquired is not None:
            if self.acquired and not _DATE.fullmatch(self.acquired):
                raise UsageError(f"{self.acquired!r} is not a date: write it year first, such as 2024-05-31.")
            details = details._replace(acquired=self.acquired)
        if self.price is not None:
            price = parse_price(self.price) if self.price else ("", "")
            if price is None:
                raise UsageError(f"{self.price!r} is not a price: write it as 1.50 or '1.50 EUR'.")
            details = details._replace(price=price[0], currency=price[1])
        if self.tags is not None:
            details = details._replace(tags=parse_tags(",".join(self.tags)))
        if self.grade is not None:
            grader, grade = parse_grade(self.grade)
            details = details._replace(grader=grader, grade=grade)
        own = dict(details.own)
        for pair in self.own or ():
            heading, sign, said = (part.strip() for part in pair.partition("="))
            if not heading or not sign:
                raise UsageError(f"{pair!r} names no column of your own: write HEADING=TEXT.")
            own[heading] = said
        return details._replace(own=tuple(sorted((name, said) for name, said in own.items() if said))).text()

    def __str__(self) -> str:
        words = []
        for name, wanted in zip(self._fields, self, strict=True):
            word = name.replace("_", " ")
            if isinstance(wanted, bool):
                words.append(word if wanted else f"not {word}")
            elif wanted is not None:
                words.append(f"{word} {wanted if isinstance(wanted, str) else ', '.join(wanted)}".strip() or "none")
        return ", ".join(words)


def is_yes(text: str) -> bool:
    """Return whether a text says yes, in any language.

    >>> is_yes("WAHR"), is_yes("1"), is_yes("False"), is_yes("perhaps")
    (True, True, False, False)
    """
    return vocabulary().truth(fold(text)) is True


def parse_tags(text: str) -> tuple[str, ...]:
    """Parse the tags in a cell, without repetitions.

    >>> parse_tags("cube, #old;cube")
    ('cube', 'old')
    """
    return tuple(dict.fromkeys(filter(None, (tag.strip().lstrip("#").strip() for tag in re.split("[,;]", text)))))


def parse_price(text: str) -> tuple[str, str] | None:
    """Parse a price into amount and currency code ("" if unspecified); return None if the text is not a price.

    A point or a comma before three digits separates thousands if another one follows; a comma also does so alone.

    >>> parse_price("$1,50"), parse_price("12 EUR"), parse_price("dear")
    (('1.50', 'USD'), ('12', 'EUR'), None)
    >>> parse_price("$1,234"), parse_price("1.234,50 €"), parse_price("0,125")
    (('1234', 'USD'), ('1234.50', 'EUR'), ('0.125', ''))
    """
    match = _PRICE.fullmatch(text.strip())
    if match is None:
        return None
    sign = match["before"] or match["after"]
    price = match["price"]
    if "." in price and "," in price:
        # The first sign separates thousands, the other one is the decimal point.
        price = price.replace(min(".,", key=price.find), "")
    elif _THOUSANDS.fullmatch(price):
        price = price.replace(",", "")
    return price.replace(",", "."), _SIGNS.get(sign, sign.upper())


def is_month_first(dates: Iterable[str]) -> bool | None:
    """Return whether dates such as 12/31/2019 have the month first, or None if no date shows it.

    >>> is_month_first(["01/02/2019", "12/31/2019"]), is_month_first(["31/12/2019"]), is_month_first(["01/02/2019"])
    (True, False, None)
    """
    written = [match for match in map(_WRITTEN_DATE.fullmatch, dates) if match and match[2] != "."]
    if any(int(match[3]) > _MONTHS for match in written):
        return True
    return False if any(_MONTHS < int(match[1]) < _YEARS for match in written) else None


def iso_date(text: str, month_first: bool | None = None) -> str:
    """Return a date as year-month-day, or the text unchanged if it is no date, or its order is unknown.

    >>> iso_date("24.12.2020"), iso_date("2021/3/4"), iso_date("45292"), iso_date("12/31/2019", month_first=True)
    ('2020-12-24', '2021-03-04', '2024-01-01', '2019-12-31')
    >>> iso_date("03/04/2019"), iso_date("spring"), iso_date("2024-05-07 11:22:01")
    ('03/04/2019', 'spring', '2024-05-07 11:22:01')
    """
    if _SERIAL_DATE.fullmatch(text):
        return str(date(1899, 12, 30) + timedelta(int(text[:5])))
    match = _WRITTEN_DATE.fullmatch(text)
    if match is None:
        return text
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    if first < _YEARS:
        if match[2] != "." and month_first is None:
            return text
        day, month = (second, first) if match[2] != "." and month_first else (first, second)
        first, second, third = third, month, day
    try:
        return str(date(first, second, third)) if first >= _YEARS else text
    except ValueError:
        return text


def parse_grade(text: str) -> tuple[str, str]:
    """Parse the grading company and the grade, each "" if the text does not name it.

    >>> parse_grade("PSA 9.5"), parse_grade("10"), parse_grade("Ungraded")
    (('PSA', '9.5'), ('', '10'), ('', ''))
    """
    text = text.strip()
    if is_no_grade(text):
        return "", ""
    match = _GRADE.fullmatch(text)
    return ("", text) if match is None else (match["grader"].strip(), match["grade"].strip())


def is_no_grade(text: str) -> bool:
    """Return whether a cell for a grade means that there is none."""
    return vocabulary().truth(fold(text)) is False or fold(text) in _NO_GRADES
