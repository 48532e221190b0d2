"""The lines of a layout: a field and where it is printed, and the reasons that keep a card out of decks."""

import re
from dataclasses import dataclass
from typing import Final

from catalog.evidence import COLLECTOR, CONFIDENCES
from catalog.layouts.conditions import ALWAYS, Condition
from catalog.numbers import Digits, Part, Slash


@dataclass(frozen=True, slots=True)
class Ends:
    """Words at the start or the end of a text, of which a line reads nothing or nothing else; `#` stands for digits.

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
        return re.search(rf"{_pattern(self.end)}\s*\Z", text) if self.end else None


def _pattern(words: str) -> str:
    """Words as an expression that tries each run of digits once."""
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
UNUSED: Final = ", text='', digits=None, left_out=None, only=None)"
"""How a line is written out that asks for nothing of what layouts could not say at first."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A reason why a card may not be used, and when; `{field}` in it stands for the card's own value."""

    reason: str
    condition: Condition
