"""The lines of a layout: a field and where it is printed, and the reasons that keep a card out of decks."""

import re
from dataclasses import dataclass
from typing import Final

from catalog.evidence import COLLECTOR, CONFIDENCES
from catalog.layouts.conditions import ALWAYS, Condition
from catalog.numbers import Digits, Part, Slash


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the data add at the start or the end of a text, or another line reads; `#` stands for digits.

    >>> LeftOut(end="-#").rest("Wing-2"), LeftOut("#").rest(" 10B Quest 5"), LeftOut("#", " (#)").rest("Fog (Bird)")
    ('Wing', 'B Quest 5', 'Fog (Bird)')
    """

    start: str = ""
    end: str = ""

    def rest(self, text: str) -> str:
        """The text without them."""
        if self.start and (found := re.match(rf"\s*{_pattern(self.start)}", text)):
            text = text[found.end() :]
        if self.end and (found := re.search(rf"{_pattern(self.end)}\s*\Z", text)):
            text = text[: found.start()]
        return text


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
    left_out: LeftOut | None = None

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
UNUSED: Final = ", text='', digits=None, left_out=None)"
"""How a line is written out that asks for nothing of what layouts could not say at first."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A reason why a card may not be used, and when; `{field}` in it stands for the card's own value."""

    reason: str
    condition: Condition
