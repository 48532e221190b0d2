"""Conditions of a layout: for which cards a line holds, as tests on single fields of a card."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


def as_text(value: object) -> str:
    """A field's value as data files write it: true and false in lower case, numbers as digits."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Test:
    """One question to one field: `is`, `has`, `lacks`, `from`, `before` or `present`, and what it is compared with."""

    field: str
    kind: str
    wanted: tuple[str, ...]

    def answer(self, fields: Mapping[str, Any]) -> bool:
        """Whether the card says yes; a field that it lacks says yes to `present = false` alone."""
        value = fields.get(self.field)
        if self.kind == "present":
            return (value is not None and value not in ("", [], ())) == (self.wanted == ("true",))
        if value is None:
            return False
        if self.kind == "is":
            if isinstance(value, (list, tuple)):
                return any(as_text(item) in self.wanted for item in value)
            return (value if isinstance(value, str) else as_text(value)) in self.wanted
        if self.kind in ("has", "lacks"):
            return self._has(value) == (self.kind == "has")
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

    def holds(self, fields: Mapping[str, Any]) -> bool:
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
        pattern = _compiled[wanted] = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)", re.IGNORECASE)
    return pattern


def _at_least(value: str, bound: str) -> bool:
    """Whether a value reaches a bound: as numbers where both are, else as texts (dates are written year first)."""
    try:
        return float(value) >= float(bound)
    except ValueError:
        return value >= bound
