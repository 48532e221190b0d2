"""Details of owned copies as people and apps write them, such as prices, dates and grades."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.words import fold, vocabulary

_PRICE: Final = lazy_pattern(
    r"(?P<before>[^\d\s.,-]{0,3})\s*"
    r"(?P<price>[1-9]\d{0,2}(?:(?:,\d{3})+(?:\.\d{1,4})?|(?:\.\d{3})+,\d{1,4})|\d{1,9}(?:[.,]\d{1,4})?)"
    r"\s*(?P<after>[^\d\s.,]{0,3})"
)
_THOUSANDS: Final = lazy_pattern(r"[1-9]\d{0,2}(?:,\d{3})+")
_SIGNS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
_GRADE: Final = lazy_pattern(r"(?P<grader>[A-Za-z][A-Za-z. ]*?)[ :-]*(?P<grade>\d.*)")
_NO_GRADES: Final = frozenset(("ungraded", "raw", "na"))
_WRITTEN_DATE: Final = lazy_pattern(r"(?!\d{4}-)(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T].*)?")
_SERIAL_DATE: Final = lazy_pattern(r"[2-6]\d{4}(?:\.\d+)?")
"""A day as spreadsheets count them, from 30 December 1899."""
_MONTHS: Final = 12
_YEARS: Final = 1000
"""The first number that is a year of a date; smaller ones are days or months."""


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
    """Return whether a cell for a grade means that a card has no grade."""
    return vocabulary().truth(fold(text)) is False or fold(text) in _NO_GRADES
