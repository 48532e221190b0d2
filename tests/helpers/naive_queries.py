"""Queries answered card by card, without SQL, for comparison with `catalog.store.queries`."""

import operator
import re
from collections.abc import Callable
from typing import Any

from ccgrid.catalog.card import Card
from ccgrid.catalog.queries import All, Comparison, Not, Part, Query, Some, Word
from ccgrid.catalog.zones import ZONES

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def answers(query: Query, card: Card, copies: int) -> bool:
    return all(_holds(part, card, copies) for part in query.parts)


def _holds(part: Part, card: Card, copies: int) -> bool:
    if isinstance(part, Not):
        return not _holds(part.part, card, copies)
    if isinstance(part, All):
        return all(_holds(one, card, copies) for one in part.parts)
    if isinstance(part, Some):
        return any(_holds(one, card, copies) for one in part.parts)
    if isinstance(part, Word):
        if part.is_pattern:
            return re.search(part.text, card.name, re.IGNORECASE) is not None
        return " ".join(re.findall(r"\w+", part.text.lower())) in " ".join(re.findall(r"\w+", card.name.lower()))
    return _test(part, card, copies)


def _test(test: Comparison, card: Card, copies: int) -> bool:
    name, compare = test.field.name, _COMPARE[test.operator]
    if name == "is":
        flags = {"legal": card.legal, "barred": not card.legal, "owned": copies > 0}
        return flags[str(test.value)] is (test.operator != "!=")
    if name == "face":
        if test.operator == "!=":
            return test.value not in card.face
        return any(compare(number, test.value) for number in card.face)
    if name in ("game", "lang", "set"):
        return compare({"game": card.game, "lang": card.lang, "set": card.set_code}[name], str(test.value))
    value = number(name, card, copies)
    if test.value in ("none", "any"):
        return (value is None) is ((test.value == "none") is (test.operator != "!="))
    wanted = number(test.other.name, card, copies) if test.other else test.value
    return value is not None and wanted is not None and compare(value, wanted)


def number(name: str, card: Card, copies: int) -> int | None:
    if name in ZONES:
        return card.zones.get(name)
    if name == "year":
        return int(card.released[:4]) if card.released else None
    return copies if name == "own" else getattr(card, name)
