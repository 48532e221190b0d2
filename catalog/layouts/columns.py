"""Columns: which field of a data file names a card, its set and its number, and how a field is found in a row.

A row is a mapping, as deep as JSON goes; what is read from it is text: one, or a tuple of them where there are several.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from catalog.layouts.conditions import as_text

Text = str | tuple[str, ...]
Get = Callable[[str], Text | None]
"""Looks a field of one row up by its path; None where the row has no such field."""

NAMES: Final = ("id", "name", "set_code", "set_name", "collector_number", "released", "lang", "printed_name")
"""What a layout may say the column of; what it makes of them is a field of these names, too."""

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "cardname", "title", "card"),
    "set_code": ("setcode", "set", "editioncode", "expansioncode", "setid", "packcode", "edition", "expansion"),
    "set_name": ("setname", "editionname", "expansionname"),
    "collector_number": ("collectornumber", "number", "cardnumber", "cardno", "collectorsnumber", "no", "nr"),
    "released": ("released", "releasedat", "releasedate"),
    "lang": ("lang", "language"),
    "printed_name": ("printedname",),
}
"""Usual headings of columns, as `folded` writes them, for what a layout leaves out."""

_MOST_TEXTS: Final = 200
_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a field's path, or a template such as `{set}/{number}`, and which part of the text is meant.

    `after` and `before` are texts: what is behind the last `after` is meant, and of that what is before the last
    `before`. `part` is the run of digits that is meant, from 1, or -1 for the last. `others` are asked in turn where
    there is no text.
    """

    source: str
    after: str = ""
    before: str = ""
    part: int = 0
    others: "tuple[Column, ...]" = ()

    def paths(self) -> tuple[str, ...]:
        """The paths of the fields that are asked."""
        own = tuple(_HOLE.findall(self.source)) if "{" in self.source else (self.source,)
        return (*own, *(path for other in self.others for path in other.paths()))

    def text(self, get: Get) -> str:
        """The column's text in one row; nothing where a field of it is missing."""
        return self._own_text(get) or next((text for other in self.others if (text := other.text(get))), "")

    def _own_text(self, get: Get) -> str:
        if "{" not in self.source:
            text = first(get(self.source))
        else:
            found = {path: first(get(path)) for path in _HOLE.findall(self.source)}
            text = _HOLE.sub(lambda hole: found[hole[1]], self.source) if all(found.values()) else ""
        if self.after:
            text = text.rpartition(self.after)[2] if self.after in text else ""
        if self.before:
            text = text.rpartition(self.before)[0] if self.before in text else text
        if self.part:
            runs = re.findall(r"\d+", text)
            text = runs[self.part - (self.part > 0)] if len(runs) >= self.part and runs else ""
        return text.strip()


UNUSED: Final = ", part=0, others=())"
"""How a column is written out that asks for nothing of what layouts could not say at first."""

_HOLE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Columns:
    """What a layout says of the data file itself; what it leaves out is found by the usual headings.

    `rows` is the path of the list of cards in a JSON document; `each` that of a list in a row of which every entry is
    a printing of its own; `files` are patterns for the names of the data files in a folder; `trim` are characters left
    out at both ends of names; `columns` maps one of `NAMES` to its column.
    """

    rows: str = ""
    each: str = ""
    files: tuple[str, ...] = ()
    trim: str = ""
    columns: tuple[tuple[str, Column], ...] = ()


def folded(heading: str) -> str:
    """A heading without case, spaces and punctuation: `Card Name`, `card_name` and `CARDNAME` are the same."""
    return "".join(letter for letter in heading.casefold() if letter.isalnum())


def first(value: Text | None) -> str:
    """The first text of a field; nothing where it has none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else next(iter(value), "")


def find(row: Mapping[str, Any], path: str) -> Text | None:
    """The texts at a path in a row, such as `front.destiny`; a list on the way gives the texts of all its entries.

    >>> find({"attacks": [{"damage": "30"}, {"damage": "10+"}]}, "attacks.damage"), find({"No. 1": 4}, "No. 1")
    (('30', '10+'), '4')
    """
    value = row.get(path)
    if value is None and "." not in path:
        return None
    if isinstance(value, str):
        return value
    texts: list[str] = []
    several = False
    for found, listed in _walk(row, path, 0):
        if len(texts) == _MOST_TEXTS:
            break
        several |= listed
        texts.append(found)
    if several or len(texts) > 1:
        return tuple(texts)
    return texts[0] if texts else None


def _walk(value: Any, path: str, depth: int) -> Iterator[tuple[str, bool]]:
    """The texts at a path below a value, and whether each was in a list or an object rather than alone."""
    if value is None or depth > _DEEPEST:
        return
    if isinstance(value, list):
        for entry in value:
            yield from ((text, True) for text, _ in _walk(entry, path, depth + 1))
    elif not path:
        if isinstance(value, dict):
            for entry in value.values():
                yield from ((text, True) for text, _ in _walk(entry, "", depth + 1))
        else:
            yield plain(value), False
    elif isinstance(value, Mapping):
        if path in value:
            yield from _walk(value[path], "", depth + 1)
            return
        end = path.find(".")
        while end > 0:
            if path[:end] in value:
                yield from _walk(value[path[:end]], path[end + 1 :], depth + 1)
                return
            end = path.find(".", end + 1)


def plain(value: object) -> str:
    """A JSON value as text: true and false in lower case, whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return as_text(value)
