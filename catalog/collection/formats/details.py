"""What tables say of copies beyond their kind: which columns, how they are read, how they are written."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ccgrid.catalog.collection.formats.apps import Dialect
from ccgrid.catalog.collection.formats.format import LONGEST_TEXT, MOST_COPIES
from ccgrid.catalog.holding import NO_DETAILS, Details, grade_of, is_no_grade, is_yes, price_of, tags_of
from ccgrid.catalog.words import CONDITIONS, condition_word

SAYS: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: (name,) for name in ("acquired", "price", "currency", "tags", "signed", "altered", "proxy", "own")},
    "trade": ("for_trade",),
    "grade": ("grader", "grade"),
    "flag": ("own",),
}
"""For each field of a column that goes into the details, which of the fields of `Details` it says."""
_QUIET: Final = frozenset(("", "0", "False", "false", "No", "no", "FALSE"))
_FLAGS: Final = frozenset(("signed", "altered", "proxy", "trade", "flag"))
_TODAY: Final = re.compile(
    r"price$|^price|value|^(low|mid|high|market|avg|trend)$|image|url|uri$|last (modified|updated)", re.IGNORECASE
)
"""Headings of what apps look up anew for each export: it is no more than a day old, and nobody's own."""


class DetailColumn(NamedTuple):
    """A column that goes into the details: its place in the row, its field, its heading."""

    place: int
    field: str
    heading: str


def is_own(heading: str) -> bool:
    """Whether a column that no format knows is kept, under its heading."""
    return not _TODAY.search(heading)


def read_details(texts: Sequence[str], columns: Iterable[DetailColumn]) -> str:
    """What a row says beyond the kind of its copies, as it is kept."""
    known: dict[str, Any] = {}
    own: dict[str, str] = {}
    width = len(texts)
    for place, field, heading in columns:
        if place >= width or not (text := texts[place]) or (text in _QUIET and field in _FLAGS):
            continue
        if not (text := text.strip()[:LONGEST_TEXT]):
            continue
        if field == "trade":
            known["for_trade"] = min(int(text), MOST_COPIES) if text.isdecimal() else MOST_COPIES * is_yes(text)
        elif field == "flag":
            if is_yes(text):
                own[heading] = text
        elif field in _FLAGS:
            known[field] = int(is_yes(text))
        elif field == "tags":
            known["tags"] = tags_of(text)
        elif field == "grade" and not is_no_grade(text) and condition_word(text) not in CONDITIONS:
            known["grader"], known["grade"] = grade_of(text)
        elif field == "price" and (price := price_of(text)):
            known["price"] = price[0]
            known.setdefault("currency", price[1])
        elif field == "currency":
            known["currency"] = text
        elif field == "acquired":
            known["acquired"] = text
        elif field != "grade":
            own[heading] = text
    if not known and not own:
        return NO_DETAILS
    return Details(**known, own=tuple(sorted(own.items()))).text()


def detail_cell(field: str, heading: str, details: Details, copies: int, dialect: Dialect) -> str:
    """What stands in a column of a table for the details of so many copies."""
    if field == "trade":
        return str(copies) if details.for_trade else "0"
    if field == "tags":
        return ", ".join(details.tags)
    if field == "grade":
        return details.graded
    if field == "own":
        return dict(details.own).get(heading, "")
    if field == "flag":
        return dict(details.own).get(heading, dialect.no)
    if field in _FLAGS:
        return (dialect.yes or field) if getattr(details, field) else dialect.no
    return str(getattr(details, field))
