"""Parts of a layout: fields with their zones, conditions, reasons why a card is not legal, and columns of data."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple
from unicodedata import category

from ccgrid.catalog.evidence import COLLECTOR, CONFIDENCES
from ccgrid.catalog.markup import unescape_entities
from ccgrid.catalog.numbers import Digits, Part, Slash
from ccgrid.catalog.printing import DataRow


def as_text(value: object) -> str:
    """Return a field's value as in data files: true and false in lower case, numbers as digits."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


class Test(NamedTuple):
    """A test of a field: `is`, `has`, `lacks`, `from`, `before` or `present`, and the values to compare with."""

    field: str
    kind: str
    wanted: tuple[str, ...]

    def answer(self, fields: DataRow) -> bool:
        """Return whether the card passes the test. A missing field passes only `present = false`.

        So does an empty one in the tests `from` and `before`: an unknown date is neither early nor late.
        """
        value = fields.get(self.field)
        if self.kind == "present":
            # An empty field counts as missing.
            return (value is not None and value not in ("", [], ())) == (self.wanted == ("true",))
        if value is None:
            return False
        if self.kind == "is":
            if isinstance(value, (list, tuple)):
                return any(as_text(item) in self.wanted for item in value)
            return (value if isinstance(value, str) else as_text(value)) in self.wanted
        if self.kind in ("has", "lacks"):
            return self._has(value) == (self.kind == "has")
        text = as_text(value)
        return text != "" and _at_least(text, self.wanted[0]) == (self.kind == "from")

    def _has(self, value: object) -> bool:
        if isinstance(value, (list, tuple)):
            return any(as_text(item) in self.wanted for item in value)
        return any(_words(wanted).search(as_text(value)) for wanted in self.wanted)


class Condition(NamedTuple):
    """The condition of a line of a layout: all tests of any `when` table pass, and those of no `unless` table."""

    when: tuple[tuple[Test, ...], ...] = ()
    unless: tuple[tuple[Test, ...], ...] = ()

    def holds(self, fields: DataRow) -> bool:
        """Return whether the condition holds for a card with these fields."""
        if self.when and not any(all(test.answer(fields) for test in table) for table in self.when):
            return False
        return not any(all(test.answer(fields) for test in table) for table in self.unless)

    def tests(self) -> list[Test]:
        """Return all tests of the condition."""
        return [test for table in (*self.when, *self.unless) for test in table]


ALWAYS = Condition()
"""The condition of a line without one."""

_compiled: dict[str, re.Pattern[str]] = {}


def _words(wanted: str) -> re.Pattern[str]:
    """Return a pattern for whole words in any case."""
    pattern = _compiled.get(wanted)
    if pattern is None:
        # "Army" matches "Army of One", but not "Armystrong". `\b` would not match next to "+1".
        pattern = _compiled[wanted] = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    return pattern


def _at_least(value: str, bound: str) -> bool:
    """Return whether a value is at least a bound, compared as numbers if both are, or else as texts (ISO dates)."""
    try:
        return float(value) >= float(bound)
    except ValueError:
        return value >= bound


class Ends(NamedTuple):
    """Patterns for the start and the end of a text, which a line of a layout ignores or reads alone; `#` is digits.

    >>> Ends(end="-#").rest("Wing-2"), Ends("#").rest(" 10B Quest 5"), Ends("#", " (#)").rest("Fog (Bird)")
    ('Wing', 'B Quest 5', 'Fog (Bird)')
    >>> Ends("#").only("10B Quest 5"), Ends("#").only("Rescue 70"), Ends(end="-#").only("Wing-2")
    ('10', '', '-2')
    """

    start: str = ""
    end: str = ""

    def rest(self, text: str) -> str:
        """Return the text without the parts that match."""
        if found := self._at_start(text):
            text = text[found.end() :]
        if found := self._at_end(text):
            text = text[: found.start()]
        return text

    def only(self, text: str) -> str:
        """Return only the parts of the text that match."""
        found = (self._at_start(text), self._at_end(text))
        return " ".join(match.group().strip() for match in found if match)

    def _at_start(self, text: str) -> re.Match[str] | None:
        return re.match(rf"\s*{_pattern(self.start)}", text) if self.start else None

    def _at_end(self, text: str) -> re.Match[str] | None:
        # \Z, because $ also matches before a line end.
        return re.search(rf"{_pattern(self.end)}\s*\Z", text) if self.end else None


def _pattern(words: str) -> str:
    """Return the regular expression of a pattern."""
    # "-#" becomes `\-(?<!\d)\d++`: a whole run of digits; `++` does not backtrack.
    return r"(?<!\d)\d++".join(map(re.escape, words.split("#")))


class PrintedField(NamedTuple):
    """A line of a layout: a field, its zone (or `face`), and how its text is read.

    A line with a `text` stands for a text that is printed on every card, and `field` is only its name.
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
        """How the text is read, in the format of `explain_evidence`: `stats`, or `collector:last -0 low`."""
        how = f"{COLLECTOR}{self.part}" if self.read == "collector" else self.slash
        if self.digits:
            how += f":{self.digits[0]}-{self.digits[1]}"
        sure = [] if self.confidence == CONFIDENCES[0] else [self.confidence]
        return " ".join([how, *(f"-{value}" for value in self.ignore), *sure])


ALWAYS_PRINTED: Final = "always printed"
"""The field of a line with a text and without a field."""


class Exclusion(NamedTuple):
    """A reason why a card is not legal, and its condition; `{field}` in the reason is the card's value."""

    reason: str
    condition: Condition


Text = str | tuple[str, ...]
Get = Callable[[str], Text | None]
"""Returns the field of a row at a path, or None if the row has no such field."""

NAMES: Final = ("id", "name", "set_code", "set_name", "collector_number", "released", "lang", "printed_name")
"""The names for which a layout may define a column. The results are also fields with these names."""

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "cardname", "title", "card"),
    "set_code": ("setcode", "set", "editioncode", "expansioncode", "setid", "packcode", "edition", "expansion"),
    "set_name": ("setname", "editionname", "expansionname"),
    "collector_number": ("collectornumber", "number", "cardnumber", "cardno", "collectorsnumber", "no", "nr"),
    "released": ("released", "releasedat", "releasedate"),
    "lang": ("lang", "language"),
    "printed_name": ("printedname",),
}
"""Usual headings, normalised by `fold_heading`, of columns that a layout does not define."""

DESCRIBED: Final = (*("type", "rarity", "colours", "identity", "cost", "mana_value", "artist", "keywords", "text"),)
"""The names of what a card says besides its numbers, for which a layout may define a column, too."""

DESCRIBED_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "type": ("type", "typeline", "types", "typename", "typecode", "supertype", "kind", "category"),
    "rarity": ("rarity", "rarityname", "raritycode", "rarities"),
    "colours": ("colors", "colours", "color", "colour", "civilization", "civilisation"),
    "identity": ("coloridentity", "colouridentity"),
    "cost": ("cost", "manacost", "costs", "playcost", "totalcost", "castingcost", "costtoplay", "mana"),
    "mana_value": ("manavalue", "cmc", "convertedmanacost"),
    "artist": ("artist", "artists", "illustrator", "illustrators", "artistname", "illustratedby", "illus"),
    "keywords": ("keywords", "keyword", "traits", "trait"),
    "text": ("text", "rules", "effect", "effects", "ability", "abilities", "description", "desc"),
}
"""Usual headings, as in `SPELLINGS`, also with `card` before them."""

ENDINGS: Final[Mapping[str, str]] = {"cost": "cost", "keywords": r"(?:keyword|trait)s", "text": r"(?:text|effect)\d*"}
"""The ends of other headings, as regular expressions. Costs so named count only without a usual heading."""

SUBTYPES: Final = ("subtype", "subtypes", "type2")
"""Usual headings of the second part of a type."""

SEVERAL: Final = ("type", "text", "keywords")
"""The names whose value is that of all their columns together."""

_MOST_TEXTS: Final = 200  # texts of one field
_DEEPEST: Final = 20  # nested lists and objects


class Column(NamedTuple):
    """A column: the path of a field, or a template such as `{set}/{number}`, and the part of the text to use.

    Attributes:
        source: The path or template.
        after: Use only the text after the last occurrence of this.
        before: Use only the text before the last occurrence of this.
        part: Use only this run of digits, from 1; -1 is the last, 0 the whole text.
        others: Columns to use in turn if this one has no text.
        digits: Use only these digits of the run: the first and the last, from 1.
    """

    source: str
    after: str = ""
    before: str = ""
    part: int = 0
    others: "tuple[Column, ...]" = ()
    digits: Digits | None = None

    def paths(self) -> tuple[str, ...]:
        """Return the paths of all fields of the column."""
        # "{set}/{number}" has both.
        own = tuple(HOLE.findall(self.source)) if "{" in self.source else (self.source,)
        return (*own, *(path for other in self.others for path in other.paths()))

    def text(self, get: Get) -> str:
        """Return the column's text in a row, or "" if a field of it is missing."""
        return self._own_text(get) or next((text for other in self.others if (text := other.text(get))), "")

    def texts(self, get: Get) -> tuple[str, ...]:
        """Return all texts of the column's field in a row, without those of `others`."""
        if "{" in self.source or self.after or self.before or self.part:
            return all_texts(self._own_text(get))
        return all_texts(get(self.source))

    def _own_text(self, get: Get) -> str:
        if "{" not in self.source:
            text = first_text(get(self.source))
        else:
            found = {path: first_text(get(path)) for path in HOLE.findall(self.source)}
            # A template needs all its fields.
            text = HOLE.sub(lambda hole: found[hole[1]], self.source) if all(found.values()) else ""
        if self.after:
            # Without `after` in the text there is no result.
            text = text.rpartition(self.after)[2] if self.after in text else ""
        if self.before:
            # Without `before` in the text use all of it.
            text = text.rpartition(self.before)[0] if self.before in text else text
        if self.part:
            runs = re.findall(r"\d+", text)
            # Parts are numbered from 1; -1 is the last.
            text = runs[self.part - (self.part > 0)] if len(runs) >= self.part and runs else ""
        if self.digits:
            # Digits are numbered from 1, inclusive: [2, 4] of 4013 is 013, and without zeros 13.
            text = text[self.digits[0] - 1 : self.digits[1]].lstrip("0")
        return text.strip()


HOLE: Final = re.compile(r"\{([^{}]+)\}")
"""A placeholder for a field in a text: `{name}`."""


class DataColumns(NamedTuple):
    """The columns of a data file. Columns that a layout does not define are found by the usual headings.

    Attributes:
        rows: The path of the list of cards in a JSON document.
        each: The path of a list in a row, each entry of which is a printing.
        files: Patterns of the data files in a folder; those with a `!` are excluded.
        trim: Characters to remove at both ends of names.
        columns: Each of `NAMES` and `DESCRIBED` with its column.
        fields: The game's other fields to keep; None for all that are short.
        ids: Each kind of id that other programs use, with its column.
    """

    rows: str = ""
    each: str = ""
    files: tuple[str, ...] = ()
    trim: str = ""
    columns: tuple[tuple[str, Column], ...] = ()
    fields: tuple[str, ...] | None = None
    ids: tuple[tuple[str, Column], ...] = ()


def fold_heading(heading: str) -> str:
    """Normalise a heading, without case, spaces and punctuation: `Card Name`, `card_name` and `CARDNAME` are equal.

    Pictures are kept, because some headings consist only of one.
    """
    # "So" is the category "Symbol, other": pictures.
    return "".join(letter for letter in heading.casefold() if letter.isalnum() or category(letter) == "So")


def first_text(value: Text | None) -> str:
    """Return the first text of a field, or "" if there is none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else next(iter(value), "")


def all_texts(value: Text | None) -> tuple[str, ...]:
    """Return the texts of a field that are not blank, without spaces at their ends."""
    texts = () if value is None else (value,) if isinstance(value, str) else value
    return tuple(text.strip() for text in texts if text and not text.isspace())


def value_at(row: DataRow, path: str) -> Text | None:
    """Return the texts at a path in a row, such as `front.destiny`; a list gives the texts of all its entries.

    >>> value_at({"attacks": [{"damage": "30"}, {"damage": "10+"}]}, "attacks.damage"), value_at({"No. 1": 4}, "No. 1")
    (('30', '10+'), '4')
    """
    value = row.get(path)
    # The usual case first: a plain key.
    if value is None and "." not in path:
        return None
    if isinstance(value, str):
        return unescape_entities(value)
    texts: list[str] = []
    several = False
    for found, listed in _walk(row, path, 0):
        if len(texts) == _MOST_TEXTS:
            break
        # A list of one text is tested as a list.
        several |= listed
        texts.append(found)
    if several or len(texts) > 1:
        return tuple(texts)
    return texts[0] if texts else None


def _walk(value: object, path: str, depth: int) -> Iterator[tuple[str, bool]]:
    """Yield the texts at a path below a value, and whether each is in a list or an object."""
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
            yield value_text(value), False
    elif isinstance(value, Mapping):
        # "No. 1" may be one key.
        if path in value:
            yield from _walk(value[path], "", depth + 1)
            return
        # A key may contain points: use the shortest beginning of the path that is a key.
        end = path.find(".")
        while end > 0:
            if path[:end] in value:
                yield from _walk(value[path[:end]], path[end + 1 :], depth + 1)
                return
            end = path.find(".", end + 1)


def value_text(value: object) -> str:
    """Return a JSON value as text: true and false in lower case, integral numbers without a point, no `&minus;`."""
    if isinstance(value, float) and value.is_integer():
        # 3.0 in JSON is 3 in a table.
        return str(int(value))
    return unescape_entities(as_text(value))
