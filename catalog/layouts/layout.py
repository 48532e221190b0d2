"""Layouts: where a game prints the fields of its cards, and the reading of cards by them."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from operator import getitem
from sys import intern
from typing import NamedTuple, TypeVar, cast

import msgspec

from ccgrid.catalog.card import PLAYSET, Confidence
from ccgrid.catalog.evidence import CONFIDENCES, CardReading, Evidence, Fields, Value
from ccgrid.catalog.layouts.printed_fields import (
    HOLE,
    Condition,
    DataColumns,
    Exclusion,
    PrintedField,
    Test,
)
from ccgrid.catalog.numbers import scan, scan_collector, single_value, verdict
from ccgrid.catalog.packed import NO_NUMBER, NO_TEXT, PackedReading, as_json, packed_zones
from ccgrid.catalog.printing import DataRow
from ccgrid.catalog.zones import FACE, ZoneOrFace

Scanner = Callable[[str], "tuple[int, ...] | None"]
_Numbers = tuple[int, ...]
_Finding = tuple[_Numbers, str]
"""The numbers of a text that count, and their evidence as JSON."""

_CACHE_SIZE = 1 << 14  # values
_LONGEST_CACHED = 100  # characters
_LONGEST_TEXT = 400
"""Readings of longer texts are not cached."""

_evidence = msgspec.json.Decoder(tuple[str, str, str, str | tuple[str, ...]]).decode

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")


class _Memo(dict[_Key, _Result]):
    """A cache of a function's results for short values, which occur very often."""

    def __init__(self, work_out: Callable[[_Key], _Result], longest: int = _LONGEST_CACHED) -> None:
        super().__init__()
        self.work_out, self.longest = work_out, longest

    def __missing__(self, value: _Key) -> _Result:
        result = self.work_out(value)
        if self._is_short(value):
            # Clearing all entries is cheaper than recording their use.
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[value] = result
        return result

    def _is_short(self, value: object) -> bool:
        if isinstance(value, tuple):
            return len(value) <= self.longest and all(map(self._is_short, value))
        return not isinstance(value, str) or len(value) <= self.longest


def _answers(name: str, tests: Sequence[Test], place: int) -> _Memo[object, int]:
    """Return a cache of the results of tests of a field, as bits from position `place`."""
    return _Memo(lambda value: sum(test.answer({name: value}) << bit for bit, test in enumerate(tests, place)))


def _all_answers(asked: Sequence[str], tests: Sequence[Test]) -> list[_Memo[object, int]]:
    """Return a cache of test results for each field; the results of all fields add up to one number."""
    # The results of all tests are the bits of one number, with those of each field next to each other:
    #
    #     bit      3       2   1   0
    #     test     Set     Type
    #
    # Cards with the same number are read by the same plan.
    answers, place = list[_Memo[object, int]](), 0
    for name in asked:
        of_field = list(dict.fromkeys(test for test in tests if test.field == name))
        answers.append(_answers(name, of_field, place))
        place += len(of_field)
    return answers


def _findings(line: PrintedField) -> _Memo[Value, _Finding | None]:
    """Return what a line reads from a field's values: numbers and evidence, or None if there is no numeral."""
    scanner, how = _scanner(line), line.how
    part = line.only.only if line.only else line.left_out.rest if line.left_out else None

    def find(value: Value) -> _Finding | None:
        # Select the part of the text before searching for numerals.
        if part is not None:
            value = part(value) if isinstance(value, str) else tuple(map(part, value))
        found = scanner(value) if isinstance(value, str) else _scan_all(scanner, value)
        if found is None:
            return None
        # The evidence as JSON, encoded once for each text.
        return found, as_json((line.zone, line.field, how, value)).decode()

    return _Memo(find, _LONGEST_TEXT)


class _ReadingPlan(NamedTuple):
    """The steps for reading a card with the same results of all tests."""

    barred: str | None
    rim: tuple[tuple[str, str, _Memo[Value, _Finding | None]], ...]
    face: tuple[tuple[str, _Memo[Value, _Finding | None]], ...]
    always: tuple[tuple[str, _Finding], ...]


class _Rim(NamedTuple):
    """The numbers on the rim of a card, with their score and verdict."""

    zones: dict[str, _Numbers]
    packed: int
    score: int
    reason: str | None


def _rim(found: Sequence[tuple[str, _Numbers]]) -> _Rim:
    zones: dict[str, _Numbers] = {}
    for zone, numbers in found:
        # Two lines may have the same zone.
        zones[zone] = zones.get(zone, ()) + numbers
    return _Rim(zones, packed_zones(zones), sum(map(sum, zones.values())), verdict(zones))


class CompiledLayout:
    """A layout prepared for reading cards, with caches of readings."""

    def __init__(
        self,
        printed: Sequence[PrintedField],
        barred: Sequence[Exclusion],
        attack: str | None,
        defense: str | None,
    ) -> None:
        self.printed, self.barred, self.attack, self.defense = printed, barred, attack, defense
        conditions = [line.condition for line in printed] + [bar.condition for bar in barred]
        tests = [test for condition in conditions for test in condition.tests()]
        # The names of fields are interned, because equal strings are then found in dictionaries without comparing them.
        self._asked = list(dict.fromkeys(intern(test.field) for test in tests))
        self._answers = _all_answers(self._asked, tests)
        self._found = [_findings(line) for line in printed]
        self._plans: dict[int, _ReadingPlan] = {}
        # Whole results are cached, too: many cards have the same numbers in the same zones.
        self._rims, self._faces, self._stats = _Memo(_rim), _Memo(_face), _Memo(_stat)

    def read(self, fields: Fields) -> CardReading:
        """Return a card's numbers; `fields` maps each field to its text, or to a tuple of texts."""
        rim, face, reason, attack, defense, texts = self._look(fields)
        zones = {zone: [*numbers] for zone, numbers in rim.zones.items()}
        evidence: list[Evidence] = [*map(_evidence, texts)]
        return CardReading(zones, [*face], rim.score + sum(face), reason, attack, defense, evidence)

    def packed(self, fields: Fields) -> PackedReading:
        """Return a card's numbers in the catalogue's format."""
        rim, face, reason, attack, defense, texts = self._look(fields)
        face_text, face_score = self._faces[face]
        return (
            rim.packed,
            face_text,
            rim.score + face_score,
            NO_TEXT if reason is None else reason,
            NO_NUMBER if attack is None else attack,
            NO_NUMBER if defense is None else defense,
            f"[{','.join(texts)}]",
        )

    def _look(self, fields: Fields) -> tuple[_Rim, _Numbers, str | None, int | None, int | None, list[str]]:
        get = fields.get
        # Each field has its own bits, so the sum contains all results.
        key = sum(map(getitem, self._answers, map(get, self._asked)))
        # Cards with the same results share a plan.
        reason, on_rim, on_face, always = self._plans.get(key) or self._plan(key, fields)
        # The plan contains only the lines whose conditions hold.
        texts: list[str] = []
        rim: list[tuple[str, _Numbers]] = []
        face: _Numbers = ()
        for name, zone, findings in on_rim:
            if (value := get(name)) and (finding := findings[value]):
                numbers, text = finding
                texts.append(text)
                if numbers:
                    rim.append((zone, numbers))
        for name, findings in on_face:
            if (value := get(name)) and (finding := findings[value]):
                numbers, text = finding
                texts.append(text)
                face += numbers
        for zone, (numbers, text) in always:
            texts.append(text)
            if zone == FACE:
                face += numbers
            elif numbers:
                rim.append((zone, numbers))
        outcome = self._rims[tuple(rim)]
        if reason is None:
            reason = outcome.reason
        # "layout:{Type}" with the card's type.
        elif "{" in reason:
            reason = HOLE.sub(lambda hole: _field_text(get(hole[1])), reason)
        attack = self._stats[get(self.attack)] if self.attack else None
        defense = self._stats[get(self.defense)] if self.defense else None
        return outcome, face, reason, attack, defense, texts

    def _plan(self, key: int, fields: Fields) -> _ReadingPlan:
        if len(self._plans) >= _CACHE_SIZE:
            self._plans.clear()
        lines = [pair for pair in zip(self.printed, self._found, strict=True) if pair[0].condition.holds(fields)]
        plan = self._plans[key] = _ReadingPlan(
            next((bar.reason for bar in self.barred if bar.condition.holds(fields)), None),
            tuple(
                (intern(line.field), line.zone, found) for line, found in lines if line.zone != FACE and not line.text
            ),
            tuple((intern(line.field), found) for line, found in lines if line.zone == FACE and not line.text),
            # Texts on every card are read once, for the plan.
            tuple((line.zone, fixed) for line, found in lines if line.text and (fixed := found[line.text])),
        )
        return plan


def _scanner(line: PrintedField) -> Scanner:
    """Return a function from a text to its in-range numbers, or None if it contains no numeral."""
    ignored = line.ignore
    if line.read == "collector":
        read: Scanner = partial(scan_collector, part=line.part, digits=line.digits)
    else:
        slash = line.slash

        def read(text: str) -> tuple[int, ...] | None:
            return scan(text, slash)

    if not ignored:
        return read
    return lambda text: None if (values := read(text)) is None else tuple(v for v in values if v not in ignored)


def _scan_all(scanner: Scanner, texts: Sequence[str]) -> tuple[int, ...] | None:
    found = [values for text in texts if (values := scanner(text)) is not None]
    return tuple(value for values in found for value in values) if found else None


def _face(numbers: _Numbers) -> tuple[str, int]:
    return as_json(numbers).decode(), sum(numbers)


def _stat(value: object) -> int | None:
    return single_value(value) if isinstance(value, str) and value else None


def _field_text(value: object) -> str:
    """Return a field as text for a reason, or `?` if it is missing."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "?" if value is None else str(value)


class Lackey(NamedTuple):
    """How a LackeyCCG plugin of the game is recognised: by its names, or by columns that only it has.

    `updatelist` is the address of its list of files, or of its only data file.
    """

    names: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    updatelist: str = ""
    keeper: str = ""


class Guess(msgspec.Struct, frozen=True, kw_only=True):
    """A field whose printed place a layout is not sure of."""

    field: str
    zone: ZoneOrFace
    confidence: Confidence


class NotedGuess(Guess, frozen=True, kw_only=True):
    """A field whose printed place a layout is not sure of, with the layout's note."""

    note: str | None


class Octgn(NamedTuple):
    """How OCTGN's sets of the game are read.

    Attributes:
        games: The ids of its game definitions.
        properties: Names of properties in OCTGN, and in the layout.
        cases: Other names of properties on some cards, with the condition for such a card.
    """

    games: tuple[str, ...]
    properties: tuple[tuple[str, str], ...] = ()
    cases: tuple[tuple[Condition, tuple[tuple[str, str], ...]], ...] = ()

    def fields(self, properties: Iterable[str]) -> list[str]:
        """Return the names that the layout uses for properties on any card."""
        tables = [dict(self.properties), *(dict(table) for _, table in self.cases)]
        # A property may have another name on some cards.
        return list(dict.fromkeys(table.get(name, name) for name in properties for table in tables))

    def renamed(self, row: DataRow) -> DataRow:
        """Return a card's properties with the layout's names."""
        names = dict(self.properties)
        for condition, table in self.cases:
            if condition.holds(row):
                names.update(table)
        return {names.get(name, name): value for name, value in row.items()} if names else row


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a game: where it prints its numbers."""

    game: str
    name: str
    printed: tuple[PrintedField, ...]
    barred: tuple[Exclusion, ...] = ()
    attack: str | None = None
    defense: str | None = None
    columns: DataColumns = dataclass_field(default_factory=DataColumns)
    lackey: Lackey | None = None
    octgn: Octgn | None = None
    playset: int = dataclass_field(
        default=PLAYSET, repr=False
    )  # does not affect the reading, so not in the fingerprint
    """The most copies of a card in a deck of the game."""

    def compiled(self) -> CompiledLayout:
        """Return the layout prepared for reading cards."""
        return CompiledLayout(self.printed, self.barred, self.attack, self.defense)

    def fingerprint(self) -> str:
        """Return a hash of everything in the layout that affects the reading of cards. Catalogues store it."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]

    def confidence(self, zone: str, name: str) -> str:
        """Return the confidence that a field is printed in a zone: `high`, `medium` or `low`."""
        found = [line.confidence for line in self.printed if line.zone == zone and line.field == name]
        return found[0] if found else CONFIDENCES[0]

    def fields(self) -> frozenset[str]:
        """Return all fields that the layout uses."""
        asked = {test.field for condition in self._conditions() for test in condition.tests()}
        asked.update(line.field for line in self.printed if not line.text)
        shown = {name for bar in self.barred for name in HOLE.findall(bar.reason)}
        return frozenset(asked | shown | {name for name in (self.attack, self.defense) if name})

    def numbers(self) -> tuple[str, ...]:
        """Return the fields that data must have: those on the rim, attack and defense.

        Fields with a test `present` may be missing.
        """
        asked = {test.field for condition in self._conditions() for test in condition.tests() if test.kind == "present"}
        rim = [line.field for line in self.printed if line.zone != FACE and not line.text]
        wanted = dict.fromkeys([*rim, *(name for name in (self.attack, self.defense) if name)])
        return tuple(name for name in wanted if name not in asked)

    def _conditions(self) -> list[Condition]:
        return [line.condition for line in self.printed] + [bar.condition for bar in self.barred]

    def guesses(self) -> list[NotedGuess]:
        """Return the fields whose printed place the layout is not sure of, the least certain first."""
        unsure = {(line.field, line.zone): line for line in self.printed if line.confidence != CONFIDENCES[0]}
        return [
            NotedGuess(
                field=line.field,
                zone=cast("ZoneOrFace", line.zone),
                confidence=cast("Confidence", line.confidence),
                note=line.note or None,
            )
            for line in sorted(unsure.values(), key=lambda line: -CONFIDENCES.index(line.confidence))
        ]
