"""Layouts: which field of which game is printed where; data, from `data/layouts/*.toml` and from people's own files."""

import hashlib
import re
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Final

from catalog.evidence import CONFIDENCES, FACE
from catalog.layouts import columns
from catalog.layouts.columns import Columns
from catalog.layouts.compiled import CompiledLayout
from catalog.layouts.conditions import Condition
from catalog.layouts.lines import UNUSED, Exclusion, PrintedField

_HOLE: Final = re.compile(r"\{([^{}]+)\}")
_FIRST_NAMES: Final = {"PrintedField": "Printed", "Exclusion": "Barred"}


@dataclass(frozen=True, slots=True)
class Lackey:
    """How a LackeyCCG plugin of the game is recognised: what it is called, or the columns that it alone has.

    `updatelist` is the address of its list of files, or of its one data file.
    """

    names: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    updatelist: str = ""
    keeper: str = ""


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

    def compiled(self) -> CompiledLayout:
        """The layout made ready to read cards."""
        return CompiledLayout(self.printed, self.barred, self.attack, self.defense)

    def fingerprint(self) -> str:
        """A few letters that are others where anything in the layout is; catalogues hold them.

        Our own classes are in it as they were when the first catalogues were made.
        """
        told = repr(self).replace(UNUSED, ")").replace(columns.UNUSED, ")")
        for name, first_name in _FIRST_NAMES.items():
            told = told.replace(f"{name}(", f"{first_name}(")
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def confidence(self, zone: str, name: str) -> str:
        """How sure it is that a field is printed in a zone: `high`, `medium` or `low`."""
        found = [line.confidence for line in self.printed if line.zone == zone and line.field == name]
        return found[0] if found else CONFIDENCES[0]

    def fields(self) -> frozenset[str]:
        """Every field that the layout looks at."""
        asked = {test.field for condition in self._conditions() for test in condition.tests()}
        asked.update(line.field for line in self.printed if not line.text)
        shown = {name for bar in self.barred for name in _HOLE.findall(bar.reason)}
        return frozenset(asked | shown | {name for name in (self.attack, self.defense) if name})

    def numbers(self) -> tuple[str, ...]:
        """The fields that data must have: those printed on the rim, and attack and defense.

        Not those of which the layout asks whether they are there.
        """
        asked = {test.field for condition in self._conditions() for test in condition.tests() if test.kind == "present"}
        rim = [line.field for line in self.printed if line.zone != FACE and not line.text]
        wanted = dict.fromkeys([*rim, *(name for name in (self.attack, self.defense) if name)])
        return tuple(name for name in wanted if name not in asked)

    def _conditions(self) -> list[Condition]:
        return [line.condition for line in self.printed] + [bar.condition for bar in self.barred]

    def guesses(self) -> list[PrintedField]:
        """The lines of which it is not sure where on the card they are printed, the least sure first."""
        unsure = {(line.field, line.zone): line for line in self.printed if line.confidence != CONFIDENCES[0]}
        return sorted(unsure.values(), key=lambda line: -CONFIDENCES.index(line.confidence))
