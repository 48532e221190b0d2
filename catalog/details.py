"""Details of owned copies, such as price, grade and tags."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ccgrid.catalog.copy_marks import MARKS

NO_DETAILS: Final = "{}"
"""The stored text without details."""
FLAGS: Final = (*MARKS, "for_trade")
"""The fields of details that are counts, or for stored copies 1 or 0."""
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
        flags = [name.replace("_", " ") for name in FLAGS if getattr(self, name)]
        own = [f"{heading}: {text}" for heading, text in self.own]
        words = [self.graded, *flags, *(f"#{tag}" for tag in self.tags), cost, self.acquired, *own]
        return ", ".join(part for part in words if part)


@lru_cache(_REMEMBERED)  # cached: many rows have equal details
def _text(details: Details) -> str:
    known: dict[str, object] = {name: value for name, value in zip(details._fields, details, strict=True) if value}
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
