"""An app that exports tables: its headings, what is below them, and the words it uses."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ccgrid.catalog.collection.formats.facts import Facts, Kind, read_facts
from ccgrid.catalog.copy_terms import NORMAL, language_name, shines
from ccgrid.catalog.words import CONDITIONS, fold, heading_key, vocabulary

ID_FIELDS: Final = ("card", "scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id")
_CODE: Final = re.compile(r"[a-z]{2,3}")
"""The code of a language."""
_REMEMBERED: Final = 1000
"""How many different words of an app are remembered."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one app writes the house words; what `conditions` lacks is written as the nearest grade that it has."""

    finishes: Mapping[str, str] = field(default_factory=lambda: {NORMAL: "", "foil": "foil", "etched": "etched"})
    conditions: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    other_conditions: Mapping[str, str] = field(default_factory=dict)
    """The conditions of words that the app writes in some of its tables only."""
    yes: str = "yes"
    """What is under a heading such as Signed where it is so; nothing for the word of the field itself."""
    no: str = ""
    free_finish: bool = False
    """Whether a finish without a word in the app may be written unchanged."""
    capitals: bool = False
    """Whether the app writes the codes of Magic's sets in capitals."""
    _read: dict[tuple[Kind, str], Facts] = field(default_factory=dict, repr=False, compare=False)
    """What was read before: a table has a few words, and each of them in every row."""

    def has_condition(self, condition: str) -> bool:
        """Return whether the app distinguishes a condition; what is not a grade is written unchanged."""
        return not self.conditions or condition in self.conditions or condition not in CONDITIONS

    def finish(self, finish: str) -> str:
        """Return the app's word for a finish."""
        if finish in self.finishes or self.free_finish:
            return self.finishes.get(finish, finish)
        # A kind of foil that the app does not know is foil for it.
        return self.finishes.get("foil" if shines(finish) else NORMAL, "")

    def condition(self, condition: str) -> str:
        """Return the app's word for a condition: the same grade, else the next worse one, else the worst."""
        if self.has_condition(condition):
            return self.conditions.get(condition, condition)
        place = CONDITIONS.index(condition)
        known = [grade for grade in CONDITIONS if grade in self.conditions]
        # Prefer a worse grade, so as not to promise too much.
        worse = [grade for grade in known if CONDITIONS.index(grade) > place]
        return self.conditions[worse[0] if worse else known[-1]]

    def language(self, code: str) -> str:
        """Return the app's word for a language."""
        return self.languages.get(code) or language_name(code)

    def known(self, kind: Kind, text: str) -> str:
        """Return the house word for a finish, a condition or a language, or "" if the text is none of that kind."""
        folded = text.casefold()
        # What the app means by a word comes before what the word usually means.
        words = self.finishes if kind == "finish" else self.conditions if kind == "condition" else self.languages
        for ours, theirs in words.items():
            if theirs and theirs.casefold() == folded:
                return ours
        if kind == "condition" and text in self.other_conditions:
            return self.other_conditions[text]
        found = vocabulary().find("finishes" if kind == "finish" else f"{kind}s", fold(text))
        # Sources have cards in languages that have no name here.
        return found or (text if kind == "language" and _CODE.fullmatch(text) else "")

    def read(self, kind: Kind, text: str) -> Facts:
        """Return the facts in a cell of a column of this kind."""
        found = self._read.get((kind, text))
        if found is None:
            found = read_facts(text, kind, self.known)
            if len(self._read) < _REMEMBERED:
                self._read[kind, text] = found
        return found


PLAIN: Final = Dialect()
"""The words of tables that have none of their own."""


@dataclass(frozen=True, slots=True)
class App:
    """A table that one app exports: `needs` are headings without which it is another's, `extra` ones it may have."""

    name: str
    title: str
    columns: tuple[tuple[str, str], ...]
    needs: tuple[str, ...]
    dialect: Dialect = PLAIN
    extra: tuple[tuple[str, str], ...] = ()
    delimiter: str = ","
    writes: bool = True
    free_columns: bool = False
    """Whether columns that are the owner's own may be behind the others."""
    games: tuple[str, ...] = ()
    """The games that the app knows, where it is not for any."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields that the table has a column for."""
        return frozenset(field for _, field in self.columns if field)

    def field_of(self) -> dict[str, str]:
        """Return the field of each heading, as `heading_key` normalises it."""
        return {heading_key(heading): field for heading, field in (*self.columns, *self.extra)}
