"""How each app writes the house words for finishes, conditions and languages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from catalog.holding import NORMAL
from catalog.words import CONDITIONS, LANGUAGES, condition_word, finish_word, language_code, language_name

_REMEMBERED: Final = 1000
"""How many different words of an app are remembered."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one app writes the house words; what `conditions` lacks is written as the nearest grade that it has."""

    finishes: Mapping[str, str] = field(default_factory=lambda: {NORMAL: "", "foil": "foil", "etched": "etched"})
    conditions: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    free_finish: bool = False
    """Whether a finish that the app has no word for may be written as it is."""
    _read: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    """What was read before: a table has a few words, and each of them in every row."""

    def has_finish(self, finish: str) -> bool:
        """Whether the app can tell a finish from others."""
        return self.free_finish or finish in self.finishes

    def has_condition(self, condition: str) -> bool:
        """Whether the app can tell a condition from others; what is not a grade is written as it is."""
        return not self.conditions or condition in self.conditions or condition not in CONDITIONS

    def finish(self, finish: str) -> str:
        """The app's word for a finish."""
        return self.finishes.get(finish, finish if self.free_finish else self.finishes.get("foil", ""))

    def condition(self, condition: str) -> str:
        """The app's word for a condition: the same grade, else the next worse one that it has, else the worst."""
        if self.has_condition(condition):
            return self.conditions.get(condition, condition)
        place = CONDITIONS.index(condition)
        known = [grade for grade in CONDITIONS if grade in self.conditions]
        worse = [grade for grade in known if CONDITIONS.index(grade) > place]
        return self.conditions[worse[0] if worse else known[-1]]

    def language(self, code: str) -> str:
        """The app's word for a language."""
        return self.languages.get(code) or language_name(code)

    def condition_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._known("condition", text) or self._found("condition", text, self.conditions, condition_word)

    def finish_read(self, text: str) -> str:
        """The house word for what the app wrote."""
        return self._known("finish", text) or self._found("finish", text, self.finishes, finish_word)

    def language_read(self, text: str) -> str:
        """The code for what the app wrote."""
        return self._known("language", text) or self._found("language", text, self.languages, language_code)

    def _known(self, kind: str, text: str) -> str:
        return self._read.get((kind, text), "")

    def _found(self, kind: str, text: str, words: Mapping[str, str], otherwise: Callable[[str], str]) -> str:
        folded = text.casefold()
        found = next((ours for ours, theirs in words.items() if theirs.casefold() == folded and theirs), "")
        found = found or otherwise(text)
        if len(self._read) < _REMEMBERED:
            self._read[kind, text] = found
        return found


PLAIN: Final = Dialect()
"""The words of tables that have none of their own."""


EUROPEAN: Final = ("mint", "near-mint", "excellent", "good", "lightly-played", "played", "poor")
AMERICAN: Final = ("near-mint", "lightly-played", "moderately-played", "heavily-played", "damaged")


def _grades(grades: tuple[str, ...], words: str) -> dict[str, str]:
    return dict(zip(grades, words.split(","), strict=True))


MOXFIELD_GRADES: Final = {
    "mint": "Mint",
    **_grades(AMERICAN, "Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged"),
}
TCGPLAYER_GRADES: Final = _grades(AMERICAN, "Near Mint,Lightly Played,Moderately Played,Heavily Played,Damaged")
ARCHIDEKT_GRADES: Final = _grades(AMERICAN, "NM,LP,MP,HP,D")
CARDTRADER_GRADES: Final = {
    **{"mint": "Mint", "near-mint": "Near Mint", "lightly-played": "Slightly Played", "played": "Played"},
    **{"moderately-played": "Moderately Played", "heavily-played": "Heavily Played", "poor": "Poor"},
}
MANABOX_GRADES: Final = _grades(EUROPEAN, "mint,near_mint,excellent,good,light_played,played,poor")
DRAGONSHIELD_GRADES: Final = _grades(EUROPEAN, "Mint,NearMint,Excellent,Good,LightPlayed,Played,Poor")
CARDMARKET_GRADES: Final = _grades(EUROPEAN, "MT,NM,EX,GD,LP,PL,PO")
DECKBOX_GRADES: Final = {
    **{"mint": "Mint", "near-mint": "Near Mint", "good": "Good (Lightly Played)", "played": "Played"},
    **{"heavily-played": "Heavily Played", "poor": "Poor"},
}
CODES: Final = {code: code for code in LANGUAGES}
