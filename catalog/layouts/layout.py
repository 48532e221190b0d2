"""Layouts: which field of which game is printed where, read from `data/layouts/*.toml` and from people's own files.

A layout is data. It is parsed and checked once; reading a card by it then costs a few look-ups, because cards that
answer a layout's conditions alike share one plan.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import partial
from operator import getitem
from typing import Any, Final, NamedTuple

from catalog.layouts.columns import Columns
from catalog.layouts.conditions import ALWAYS, Condition, Test
from catalog.numbers import (
    Explained,
    Part,
    Slash,
    explain,
    explain_collector,
    part_from,
    scan,
    scan_collector,
    single_value,
    verdict,
)

FACE: Final = "face"
CONFIDENCES: Final = ("high", "medium", "low")
_COLLECTOR: Final = "collector:"
Value = str | Sequence[str]
Fields = Mapping[str, Any]
Evidence = tuple[str, str, str, Value]
"""Where a text with numerals in it is printed, its field, how it is read (`PrintedField.how`), and the text."""


class CardReading(NamedTuple):
    """What a card shows by its layout: zone -> in-range numbers, face numbers, score, and why it may not be used."""

    zones: dict[str, list[int]]
    face: list[int]
    score: int
    reason: str | None
    attack: int | None
    defense: int | None
    evidence: list[Evidence]


@dataclass(frozen=True, slots=True)
class PrintedField:
    """One line of a layout: a field, the zone (or `face`) it is printed in, and how its text is read."""

    field: str
    zone: str
    read: str = "numbers"
    slash: Slash = "fraction"
    part: Part = "first"
    ignore: tuple[int, ...] = ()
    condition: Condition = ALWAYS
    confidence: str = "high"
    note: str = ""

    @property
    def how(self) -> str:
        """How the text is read, in words that `explain_evidence` understands: `stats`, or `collector:last -0 low`."""
        how = f"{_COLLECTOR}{self.part}" if self.read == "collector" else self.slash
        sure = [] if self.confidence == CONFIDENCES[0] else [self.confidence]
        return " ".join([how, *(f"-{value}" for value in self.ignore), *sure])

    def scanner(self) -> "Scanner":
        """A function from a text to its in-range numbers, or None where it holds no numeral."""
        if self.read == "collector":
            read: Scanner = partial(scan_collector, part=self.part)
        else:
            read = partial(scan, slash=self.slash)
        if not self.ignore:
            return read
        return lambda text: None if (values := read(text)) is None else tuple(v for v in values if v not in self.ignore)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A reason why a card may not be used, and when; `{field}` in it stands for the card's own value."""

    reason: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Lackey:
    """How a LackeyCCG plugin of the game is recognised: what it is called, or the columns that it alone has.

    `updatelist` is the address of its list of files, or of its one data file.
    """

    names: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    updatelist: str = ""
    keeper: str = ""


Scanner = Callable[[str], "tuple[int, ...] | None"]
_Found = tuple[tuple[int, ...], Evidence]

_HOLE = re.compile(r"\{([^{}]+)\}")
_KEPT = 1 << 16
_LONGEST_KEPT = 100


class _Memo(dict[Any, Any]):
    """What a function makes of values, worked out once for each short one: they come again and again."""

    def __init__(self, work_out: Callable[[Any], Any]) -> None:
        super().__init__()
        self.work_out = work_out

    def __missing__(self, value: Any) -> Any:
        result = self.work_out(value)
        if _is_short(value):
            if len(self) >= _KEPT:
                self.clear()
            self[value] = result
        return result


def _is_short(value: object) -> bool:
    if isinstance(value, tuple):
        return len(value) <= _LONGEST_KEPT and all(map(_is_short, value))
    return not isinstance(value, str) or len(value) <= _LONGEST_KEPT


def _answers(name: str, tests: Sequence[Test]) -> _Memo:
    """The answers that a field's values give to a layout's tests."""
    return _Memo(lambda value: tuple(test.answer({name: value}) for test in tests))


def _findings(line: PrintedField) -> _Memo:
    """What a line finds in a field's values: the numbers and the evidence, or None where there is no numeral."""
    scanner, how = line.scanner(), line.how

    def find(value: Value) -> _Found | None:
        found = scanner(value) if isinstance(value, str) else _scan_all(scanner, value)
        return None if found is None else (found, (line.zone, line.field, how, value))

    return _Memo(find)


class _Plan(NamedTuple):
    """What a layout does with every card that answers its conditions alike."""

    barred: str | None
    rim: tuple[tuple[str, str, _Memo], ...]
    face: tuple[tuple[str, _Memo], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where one game prints its numbers."""

    game: str
    name: str
    printed: tuple[PrintedField, ...]
    barred: tuple[Exclusion, ...] = ()
    attack: str | None = None
    defense: str | None = None
    columns: Columns = dataclass_field(default_factory=Columns)
    lackey: Lackey | None = None
    _plans: dict[tuple[tuple[bool, ...], ...], _Plan] = dataclass_field(default_factory=dict, repr=False, compare=False)
    _asked: list[str] = dataclass_field(default_factory=list, repr=False, compare=False)
    _answers: list[_Memo] = dataclass_field(default_factory=list, repr=False, compare=False)
    _found: list[_Memo] = dataclass_field(default_factory=list, repr=False, compare=False)
    _stats: _Memo = dataclass_field(default_factory=lambda: _Memo(_stat), repr=False, compare=False)

    def __post_init__(self) -> None:
        conditions = [line.condition for line in self.printed] + [bar.condition for bar in self.barred]
        tests = [test for condition in conditions for test in condition.tests()]
        for name in dict.fromkeys(test.field for test in tests):
            asked = dict.fromkeys(test for test in tests if test.field == name)
            self._asked.append(name)
            self._answers.append(_answers(name, list(asked)))
        self._found.extend(map(_findings, self.printed))

    def read(self, fields: Fields) -> CardReading:
        """A card's numbers by this layout; `fields` maps a field to its text, or to a tuple of texts."""
        get = fields.get
        key = tuple(map(getitem, self._answers, map(get, self._asked)))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plan(key, fields)
        zones: dict[str, list[int]] = {}
        face: list[int] = []
        evidence: list[Evidence] = []
        score, several = 0, False
        for name, zone, findings in plan.rim:
            if (value := get(name)) and (finding := findings[value]):
                numbers, proof = finding
                evidence.append(proof)
                if numbers:
                    several = several or zone in zones or len(numbers) > 1
                    zones[zone] = [*zones[zone], *numbers] if zone in zones else [*numbers]
                    score += sum(numbers)
        for name, findings in plan.face:
            if (value := get(name)) and (finding := findings[value]):
                numbers, proof = finding
                evidence.append(proof)
                face += numbers
        barred = plan.barred
        if barred is not None and "{" in barred:
            barred = _HOLE.sub(lambda hole: _shown(get(hole[1])), barred)
        reason = verdict(zones, barred) if several or not zones else barred
        stats = self._stats
        attack = stats[get(self.attack)] if self.attack else None
        defense = stats[get(self.defense)] if self.defense else None
        return CardReading(zones, face, score + sum(face), reason, attack, defense, evidence)

    def _plan(self, key: tuple[tuple[bool, ...], ...], fields: Fields) -> _Plan:
        if len(self._plans) >= _KEPT:
            self._plans.clear()
        lines = [pair for pair in zip(self.printed, self._found, strict=True) if pair[0].condition.holds(fields)]
        plan = self._plans[key] = _Plan(
            next((bar.reason for bar in self.barred if bar.condition.holds(fields)), None),
            tuple((line.field, line.zone, found) for line, found in lines if line.zone != FACE),
            tuple((line.field, found) for line, found in lines if line.zone == FACE),
        )
        return plan

    def confidence(self, zone: str, name: str) -> str:
        """How sure it is that a field is printed in a zone: `high`, `medium` or `low`."""
        found = [line.confidence for line in self.printed if line.zone == zone and line.field == name]
        return found[0] if found else CONFIDENCES[0]

    def fields(self) -> frozenset[str]:
        """Every field that the layout looks at."""
        asked = {*self._asked, *(line.field for line in self.printed)}
        shown = {name for bar in self.barred for name in _HOLE.findall(bar.reason)}
        return frozenset(asked | shown | {name for name in (self.attack, self.defense) if name})

    def guesses(self) -> list[PrintedField]:
        """The lines whose place on the card is not sure, the least sure first."""
        unsure = {(line.field, line.zone): line for line in self.printed if line.confidence != CONFIDENCES[0]}
        return sorted(unsure.values(), key=lambda line: -CONFIDENCES.index(line.confidence))


def _scan_all(scanner: Scanner, texts: Sequence[str]) -> tuple[int, ...] | None:
    found = [values for text in texts if (values := scanner(text)) is not None]
    return tuple(value for values in found for value in values) if found else None


def _stat(value: object) -> int | None:
    return single_value(value) if isinstance(value, str) and value else None


def _shown(value: object) -> str:
    """A field as a reason shows it: a missing one as `?`."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "?" if value is None else str(value)


class EvidenceReader:
    """Reads cards whose numerals were written down with their zones: the bundled ones, and those entered by hand.

    Their fields are `printed` (evidence), `attack`, `defense`, and `reason` where something other than the numbers
    bars them.
    """

    def __repr__(self) -> str:
        return "EvidenceReader()"

    def read(self, fields: Fields) -> CardReading:
        """A card's numbers by the evidence recorded with it."""
        evidence: list[Evidence] = fields["printed"]
        zones: dict[str, list[int]] = {}
        face: list[int] = []
        for zone, _, found in explain_evidence(evidence):
            if found.counts:
                (face if zone == FACE else zones.setdefault(zone, [])).append(found.value)
        score = sum(sum(numbers) for numbers in zones.values()) + sum(face)
        reason = verdict(zones, fields.get("reason"))
        return CardReading(zones, face, score, reason, fields.get("attack"), fields.get("defense"), evidence)


def numerals_only(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The same evidence with nothing but the numerals of each text: the facts, without the words around them."""
    kept: list[Evidence] = []
    for zone, name, how, value in evidence:
        found = tuple(number.raw for _, _, number in explain_evidence([(zone, name, how, value)]))
        # Which run of digits is the card's own number is seen from all of them together.
        kept.append((zone, name, how, (" ".join(found),) if how.startswith(_COLLECTOR) else found))
    return kept


def confidence_in(how: str) -> str:
    """How sure it is where a text is printed, from how it was read (`PrintedField.how`): `high`, `medium` or `low`."""
    return next((word for word in how.split() if word in CONFIDENCES), CONFIDENCES[0])


def explain_evidence(evidence: Sequence[Evidence]) -> Iterator[tuple[str, str, Explained]]:
    """Every numeral of a card as (zone or `face`, field, verdict on it), from the evidence kept with the card."""
    for zone, name, how, value in evidence:
        kind, *ignored = how.split()
        for text in [value] if isinstance(value, str) else value:
            for found in _explain(kind, text):
                if found.counts and f"-{found.value}" in ignored:
                    yield zone, name, found._replace(counts=False, why="stands for “not printed” in this game's data")
                else:
                    yield zone, name, found


def _explain(kind: str, text: str) -> list[Explained]:
    if not kind.startswith(_COLLECTOR):
        return explain(text, "stats" if kind == "stats" else "fraction")
    part = kind.removeprefix(_COLLECTOR)
    return explain_collector(text, part_from(part))
