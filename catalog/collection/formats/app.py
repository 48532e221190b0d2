"""An app that exports tables: its headings, what is below them, and the words it uses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ccgrid.catalog.holding import NORMAL, condition_word, finish_word, language_code, language_name
from ccgrid.catalog.words import CONDITIONS, heading_key

ID_FIELDS: Final = ("card", "scryfall", "mtgo", "tcgplayer", "cardmarket", "multiverse", "arena", "konami", "id")
_REMEMBERED: Final = 1000
"""How many different words of an app are remembered."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one app writes the house words; what `conditions` lacks is written as the nearest grade that it has."""

    finishes: Mapping[str, str] = field(default_factory=lambda: {NORMAL: "", "foil": "foil", "etched": "etched"})
    conditions: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    yes: str = "yes"
    """What is under a heading such as Signed where it is so; nothing for the word of the field itself."""
    no: str = ""
    free_finish: bool = False
    """Whether a finish that the app has no word for may be written as it is."""
    capitals: bool = False
    """Whether the app writes the codes of Magic's sets in capitals."""
    _read: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    """What was read before: a table has a few words, and each of them in every row."""

    def has_condition(self, condition: str) -> bool:
        """Whether the app can tell a condition from others; what is not a grade is written as it is."""
        return not self.conditions or condition in self.conditions or condition not in CONDITIONS

    def finish(self, finish: str) -> str:
        """The app's word for a finish."""
        # A finish that the app does not know is foil for it.
        return self.finishes.get(finish, finish if self.free_finish else self.finishes.get("foil", ""))

    def condition(self, condition: str) -> str:
        """The app's word for a condition: the same grade, else the next worse one that it has, else the worst."""
        if self.has_condition(condition):
            return self.conditions.get(condition, condition)
        place = CONDITIONS.index(condition)
        known = [grade for grade in CONDITIONS if grade in self.conditions]
        # Rather worse than better: nobody shall be promised too much.
        worse = [grade for grade in known if CONDITIONS.index(grade) > place]
        return self.conditions[worse[0] if worse else known[-1]]

    def language(self, code: str) -> str:
        """The app's word for a language."""
        return self.languages.get(code) or language_name(code)

    def condition_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._cached("condition", text) or self._house_word("condition", text, self.conditions, condition_word)

    def finish_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._cached("finish", text) or self._house_word("finish", text, self.finishes, finish_word)

    def language_read(self, text: str) -> str:
        """The code for what the app wrote."""
        return self._cached("language", text) or self._house_word("language", text, self.languages, language_code)

    def _cached(self, kind: str, text: str) -> str:
        return self._read.get((kind, text), "")

    def _house_word(self, kind: str, text: str, words: Mapping[str, str], otherwise: Callable[[str], str]) -> str:
        folded = text.casefold()
        # What the app means by a word comes before what the word usually means.
        found = next((ours for ours, theirs in words.items() if theirs.casefold() == folded and theirs), "")
        found = found or otherwise(text)
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
        """For each heading, as `heading_key` writes it, its field."""
        return {heading_key(heading): field for heading, field in (*self.columns, *self.extra)}
