"""Interpret the labels of cards on pictures: the numbers that are printed in zones, by the house rules."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccgrid.catalog.numbers import Slash, scan, scan_collector
from ccgrid.catalog.zones import ZONES

_IMPRINT = re.compile(r"copyright|logo|edition line|credits|print version|^set number", re.IGNORECASE)
_TOTAL = re.compile(r"\d\s*(?:/|of|de)\s*\d", re.IGNORECASE)
Zones = dict[str, list[int]]


def printed(numbers: Sequence[Mapping[str, Any]], slash: Slash) -> Zones:
    """Return the labelled numbers of each zone, sorted."""
    zones = defaultdict(list)
    for number in filter(is_counted, numbers):
        zones[number["zone"]] += values(number, slash)
    return {zone: sorted(found) for zone, found in zones.items() if found}


def is_counted(number: Mapping[str, Any]) -> bool:
    """Return whether a number is in a zone and neither in the imprint nor face.

    Face are lines of rules, tables, and text panels in the middle of the card.
    """
    is_face = "rules line" in number["what"] or (number.get("in_panel") and number["zone"] in ("left", "right"))
    return number["zone"] in ZONES and not is_face and not is_imprint(number)


def is_imprint(number: Mapping[str, Any]) -> bool:
    """Return whether a number is in the imprint, such as a copyright."""
    return bool(_IMPRINT.search(number["what"]))


def values(number: Mapping[str, Any], slash: Slash) -> Iterator[int]:
    """Yield the values of a labelled number."""
    text = number["raw"] or number.get("seems") or ""
    if "collector" in number["what"]:
        # Before a total stands the card's own number; in a code (1 S 408, MS-049) it is the last one.
        yield from scan_collector(text, "first" if _TOTAL.search(text) else "last") or ()
    else:
        yield from scan(text, slash) or ()
