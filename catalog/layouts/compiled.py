"""Reads cards by the lines of a layout; those that answer its conditions alike share a plan."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from operator import getitem
from typing import Any, NamedTuple

from catalog.evidence import FACE, CardReading, Evidence, Fields, Value
from catalog.layouts.conditions import Test
from catalog.layouts.lines import Exclusion, PrintedField
from catalog.numbers import scan, scan_collector, single_value, verdict

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
    scanner, how = _scanner(line), line.how
    part = line.only.only if line.only else line.left_out.rest if line.left_out else None

    def find(value: Value) -> _Found | None:
        if part is not None:
            value = part(value) if isinstance(value, str) else tuple(map(part, value))
        found = scanner(value) if isinstance(value, str) else _scan_all(scanner, value)
        return None if found is None else (found, (line.zone, line.field, how, value))

    return _Memo(find)


class _Plan(NamedTuple):
    """What a layout does with every card that answers its conditions alike."""

    barred: str | None
    rim: tuple[tuple[str, str, _Memo], ...]
    face: tuple[tuple[str, _Memo], ...]
    always: tuple[tuple[str, _Found], ...]


class CompiledLayout:
    """A layout made ready to read cards; what short texts come to is kept, for they come again and again."""

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
        self._asked = list(dict.fromkeys(test.field for test in tests))
        self._answers = [
            _answers(name, list(dict.fromkeys(test for test in tests if test.field == name))) for name in self._asked
        ]
        self._found = [_findings(line) for line in printed]
        self._plans: dict[tuple[tuple[bool, ...], ...], _Plan] = {}
        self._stats = _Memo(_stat)

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
        for zone, (numbers, proof) in plan.always:
            evidence.append(proof)
            if zone == FACE:
                face += numbers
            elif numbers:
                several = several or zone in zones or len(numbers) > 1
                zones[zone] = [*zones.get(zone, ()), *numbers]
                score += sum(numbers)
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
            tuple((line.field, line.zone, found) for line, found in lines if line.zone != FACE and not line.text),
            tuple((line.field, found) for line, found in lines if line.zone == FACE and not line.text),
            tuple((line.zone, found[line.text]) for line, found in lines if line.text and found[line.text]),
        )
        return plan


def _scanner(line: PrintedField) -> Scanner:
    """A function from a text to its in-range numbers, or None where it holds no numeral."""
    ignored = line.ignore
    if line.read == "collector":
        read: Scanner = partial(scan_collector, part=line.part, digits=line.digits)
    else:
        read = partial(scan, slash=line.slash)
    if not ignored:
        return read
    return lambda text: None if (values := read(text)) is None else tuple(v for v in values if v not in ignored)


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
