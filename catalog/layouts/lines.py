"""The lines of a layout: a field and where it is printed, and the reasons that keep a card out of decks."""

from dataclasses import dataclass

from catalog.evidence import COLLECTOR, CONFIDENCES
from catalog.layouts.conditions import ALWAYS, Condition
from catalog.numbers import Part, Slash


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
        how = f"{COLLECTOR}{self.part}" if self.read == "collector" else self.slash
        sure = [] if self.confidence == CONFIDENCES[0] else [self.confidence]
        return " ".join([how, *(f"-{value}" for value in self.ignore), *sure])


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A reason why a card may not be used, and when; `{field}` in it stands for the card's own value."""

    reason: str
    condition: Condition
