"""What a layout says of one card: each field and where it is printed, and the reasons that keep it out of decks."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from unicodedata import category

from ccgrid.catalog.evidence import COLLECTOR, CONFIDENCES
from ccgrid.catalog.numbers import Digits, Part, Slash
from ccgrid.catalog.printing import DataRow


def as_text(value: object) -> str:
    """A field's value as data files write it: true and false in lower case, numbers as digits."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Test:
    """One question to one field: `is`, `has`, `lacks`, `from`, `before` or `present`, and what it is compared with."""

    field: str
    kind: str
    wanted: tuple[str, ...]

    def answer(self, fields: DataRow) -> bool:
        """Whether the card says yes; a field that it lacks says yes to `present = false` alone."""
        value = fields.get(self.field)
        if self.kind == "present":
            # Empty is as good as missing.
            return (value is not None and value not in ("", [], ())) == (self.wanted == ("true",))
        if value is None:
            return False
        if self.kind == "is":
            if isinstance(value, (list, tuple)):
                return any(as_text(item) in self.wanted for item in value)
            return (value if isinstance(value, str) else as_text(value)) in self.wanted
        if self.kind in ("has", "lacks"):
            return self._has(value) == (self.kind == "has")
        # `before` is the opposite of `from`.
        return _at_least(as_text(value), self.wanted[0]) == (self.kind == "from")

    def _has(self, value: object) -> bool:
        if isinstance(value, (list, tuple)):
            return any(as_text(item) in self.wanted for item in value)
        return any(_words(wanted).search(as_text(value)) for wanted in self.wanted)


@dataclass(frozen=True, slots=True)
class Condition:
    """When a line of a layout holds: one of the `when` tables holds whole (or there is none), and no `unless` table."""

    when: tuple[tuple[Test, ...], ...] = ()
    unless: tuple[tuple[Test, ...], ...] = ()

    def holds(self, fields: DataRow) -> bool:
        """Whether the line holds for a card with these fields."""
        if self.when and not any(all(test.answer(fields) for test in table) for table in self.when):
            return False
        return not any(all(test.answer(fields) for test in table) for table in self.unless)

    def tests(self) -> list[Test]:
        """Every test that the condition asks."""
        return [test for table in (*self.when, *self.unless) for test in table]


ALWAYS = Condition()
"""The condition of a line that has none."""

_compiled: dict[str, re.Pattern[str]] = {}


def _words(wanted: str) -> re.Pattern[str]:
    """A pattern that finds these words as whole words, in any case."""
    pattern = _compiled.get(wanted)
    if pattern is None:
        # "Army" is in "Army of One", not in "Armystrong": no letter or digit beside it. `\b` would fail beside "+1".
        pattern = _compiled[wanted] = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    return pattern


def _at_least(value: str, bound: str) -> bool:
    """Whether a value reaches a bound: as numbers where both are, else as texts (dates are written year first)."""
    try:
        return float(value) >= float(bound)
    except ValueError:
        return value >= bound


@dataclass(frozen=True, slots=True)
class Ends:
    """Words at the start or the end of a text, of which a line reads nothing or nothing else; `#` means digits.

    >>> Ends(end="-#").rest("Wing-2"), Ends("#").rest(" 10B Quest 5"), Ends("#", " (#)").rest("Fog (Bird)")
    ('Wing', 'B Quest 5', 'Fog (Bird)')
    >>> Ends("#").only("10B Quest 5"), Ends("#").only("Rescue 70"), Ends(end="-#").only("Wing-2")
    ('10', '', '-2')
    """

    start: str = ""
    end: str = ""

    def rest(self, text: str) -> str:
        """The text without them."""
        if found := self._at_start(text):
            text = text[found.end() :]
        if found := self._at_end(text):
            text = text[: found.start()]
        return text

    def only(self, text: str) -> str:
        """Nothing of the text but them."""
        found = (self._at_start(text), self._at_end(text))
        return " ".join(match.group().strip() for match in found if match)

    def _at_start(self, text: str) -> re.Match[str] | None:
        return re.match(rf"\s*{_pattern(self.start)}", text) if self.start else None

    def _at_end(self, text: str) -> re.Match[str] | None:
        # \Z, not $: that would also fit before a line's end.
        return re.search(rf"{_pattern(self.end)}\s*\Z", text) if self.end else None


def _pattern(words: str) -> str:
    """Words as an expression that tries each run of digits once."""
    # "-#" becomes `\-(?<!\d)\d++`: a whole run of digits, not a part of one; `++` does not give any back.
    return r"(?<!\d)\d++".join(map(re.escape, words.split("#")))


@dataclass(frozen=True, slots=True)
class PrintedField:
    """One line of a layout: a field, the zone (or `face`) it is printed in, and how its text is read.

    With a `text` every card that the line holds for shows it, and the field is only what it is called.
    """

    field: str
    zone: str
    read: str = "numbers"
    slash: Slash = "fraction"
    part: Part = "first"
    ignore: tuple[int, ...] = ()
    condition: Condition = ALWAYS
    confidence: str = "high"
    note: str = ""
    text: str = ""
    digits: Digits | None = None
    left_out: Ends | None = None
    only: Ends | None = None

    @property
    def how(self) -> str:
        """How the text is read, in words that `explain_evidence` understands: `stats`, or `collector:last -0 low`."""
        how = f"{COLLECTOR}{self.part}" if self.read == "collector" else self.slash
        if self.digits:
            how += f":{self.digits[0]}-{self.digits[1]}"
        sure = [] if self.confidence == CONFIDENCES[0] else [self.confidence]
        return " ".join([how, *(f"-{value}" for value in self.ignore), *sure])


ALWAYS_PRINTED: Final = "always printed"
"""What a line with a text of its own is called that has no field."""
UNUSED_OF_FIELDS: Final = ", text='', digits=None, left_out=None, only=None)"
"""How a line is written out that asks for nothing of what layouts could not say at first."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A reason why a card may not be used, and when; `{field}` in it is the card's own value."""

    reason: str
    condition: Condition


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
"""Usual headings of columns, as `fold_heading` writes them, for what a layout leaves out."""

_MOST_TEXTS: Final = 200  # texts of one field
_DEEPEST: Final = 20  # lists and objects in each other


@dataclass(frozen=True, slots=True)
class Column:
    """One column: a field's path, or a template such as `{set}/{number}`, and which part of the text is meant.

    `after` and `before` are texts: what is behind the last `after` is meant, and of that what is before the last
    `before`. `part` is the run of digits that is meant, from 1, or -1 for the last, and `digits` are those of the run.
    `others` are asked in turn where there is no text.
    """

    source: str
    after: str = ""
    before: str = ""
    part: int = 0
    others: "tuple[Column, ...]" = ()
    digits: Digits | None = None

    def paths(self) -> tuple[str, ...]:
        """The paths of the fields that are asked."""
        # "{set}/{number}" asks for both.
        own = tuple(HOLE.findall(self.source)) if "{" in self.source else (self.source,)
        return (*own, *(path for other in self.others for path in other.paths()))

    def text(self, get: Get) -> str:
        """The column's text in one row; nothing where a field of it is missing."""
        return self._own_text(get) or next((text for other in self.others if (text := other.text(get))), "")

    def _own_text(self, get: Get) -> str:
        if "{" not in self.source:
            text = first_text(get(self.source))
        else:
            found = {path: first_text(get(path)) for path in HOLE.findall(self.source)}
            # A template counts only where all its fields say something.
            text = HOLE.sub(lambda hole: found[hole[1]], self.source) if all(found.values()) else ""
        if self.after:
            # Behind the last `after`; where there is none, nothing is meant.
            text = text.rpartition(self.after)[2] if self.after in text else ""
        if self.before:
            # Before the last `before`; where there is none, all of it.
            text = text.rpartition(self.before)[0] if self.before in text else text
        if self.part:
            runs = re.findall(r"\d+", text)
            # Parts count from 1; -1 is the last.
            text = runs[self.part - (self.part > 0)] if len(runs) >= self.part and runs else ""
        if self.digits:
            # Digits are counted from 1, both ends counted in: [2, 4] of 4013 is 013, without zeros 13.
            text = text[self.digits[0] - 1 : self.digits[1]].lstrip("0")
        return text.strip()


UNUSED_OF_COLUMNS: Final = (", digits=None)", ", part=0, others=())", ", ids=())")
"""How columns are written out that ask for nothing of what layouts could not say at first."""

HOLE: Final = re.compile(r"\{([^{}]+)\}")
"""A place in a text that a field fills: `{name}`."""


@dataclass(frozen=True, slots=True)
class DataColumns:
    """What a layout says of the data file itself; what it leaves out is found by the usual headings.

    `rows` is the path of the list of cards in a JSON document; `each` that of a list in a row of which every entry is
    a printing of its own; `files` are patterns for the names of the data files in a folder, with a `!` before those
    left out; `trim` are characters left out at both ends of names; `columns` maps one of `NAMES` to its column, and
    `ids` a kind of id, by which other programs name cards, to its column.
    """

    rows: str = ""
    each: str = ""
    files: tuple[str, ...] = ()
    trim: str = ""
    columns: tuple[tuple[str, Column], ...] = ()
    ids: tuple[tuple[str, Column], ...] = ()


def fold_heading(heading: str) -> str:
    """A heading without case, spaces and punctuation: `Card Name`, `card_name` and `CARDNAME` are the same.

    Pictures stay, as some headings are nothing else: a sword is no other word for a shield.
    """
    # So is "Symbol, other": pictures.
    return "".join(letter for letter in heading.casefold() if letter.isalnum() or category(letter) == "So")


def first_text(value: Text | None) -> str:
    """The first text of a field; nothing where it has none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else next(iter(value), "")


def value_at(row: DataRow, path: str) -> Text | None:
    """The texts at a path in a row, such as `front.destiny`; a list on the way gives the texts of all its entries.

    >>> value_at({"attacks": [{"damage": "30"}, {"damage": "10+"}]}, "attacks.damage"), value_at({"No. 1": 4}, "No. 1")
    (('30', '10+'), '4')
    """
    value = row.get(path)
    # The usual case first: a plain key.
    if value is None and "." not in path:
        return None
    if isinstance(value, str):
        return value
    texts: list[str] = []
    several = False
    for found, listed in _walk(row, path, 0):
        if len(texts) == _MOST_TEXTS:
            break
        # A list of one text is still a list: its tests are those of lists.
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
            # An entry that is in a list is marked so, however deep.
            yield from ((text, True) for text, _ in _walk(entry, path, depth + 1))
    elif not path:
        if isinstance(value, dict):
            for entry in value.values():
                yield from ((text, True) for text, _ in _walk(entry, "", depth + 1))
        else:
            yield value_text(value), False
    elif isinstance(value, Mapping):
        # "No. 1" may be a key as a whole.
        if path in value:
            yield from _walk(value[path], "", depth + 1)
            return
        # A key may have points itself: the shortest beginning of the path that is a key is taken.
        end = path.find(".")
        while end > 0:
            if path[:end] in value:
                yield from _walk(value[path[:end]], path[end + 1 :], depth + 1)
                return
            end = path.find(".", end + 1)


def value_text(value: object) -> str:
    """A JSON value as text: true and false in lower case, whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        # JSON has 3.0 where a table has 3.
        return str(int(value))
    return as_text(value)
