"""Which set a row means: by its code, an older one, its name, or the beginning of a collector number."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from catalog.matching.row import Row
from catalog.matching.search import fold
from catalog.matching.set_codes import TODAYS
from catalog.matching.spellings import set_key

_CODE_AND_NAME: Final = re.compile(r"([A-Z][A-Z0-9.]{1,6}): (.+)")
"""As TCGplayer writes sets: SV01: Scarlet & Violet Base Set."""
_NAME_AND_CODE: Final = re.compile(r".+ [(\[]([A-Za-z0-9]{2,6})[)\]]")
"""As people write them: Amonkhet (AKH)."""


@dataclass(frozen=True, slots=True)
class MeantSets:
    """The sets that a row may mean, and what it called them."""

    codes: tuple[str, ...]
    said: str


class SetNames:
    """The sets of a catalogue; what was asked once is kept."""

    def __init__(self, sets: Iterable[tuple[str, str]]) -> None:
        self._codes: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for code, name in sets:
            self._codes[code.casefold()] = code
            for key in {fold(name), set_key(name)} - {""}:
                self._by_name.setdefault(key, []).append(code)
        self._resolved: dict[tuple[str, str], MeantSets] = {}

    def code(self, text: str) -> str:
        """A code as the catalogue writes it, where it has the set; else as it is."""
        return self._codes.get(text.casefold(), text)

    def meant(self, row: Row) -> MeantSets:
        """The sets that a row may mean: by code, older code, name, or what a number such as `OGN-001` begins with."""
        key = row.set_code, row.set_name
        if (known := self._resolved.get(key)) is None:
            codes: list[str] = []
            for said in (row.set_code.strip().casefold(), row.set_name.strip().casefold()):
                today = TODAYS.get(said, "")
                # Some cards have no set: a row without one does not mean theirs.
                codes += [self._codes[code] for code in (said, today) if code and code in self._codes]
            for said in (row.set_name, row.set_code):
                for text in (fold(said), set_key(said)):
                    if not codes and text:
                        codes += self._by_name.get(text, [])
            if not codes and (match := _CODE_AND_NAME.fullmatch(row.set_name)):
                before, after = match.groups()
                codes += [self._codes[before.casefold()]] if before.casefold() in self._codes else []
                codes += [] if codes else self._by_name.get(fold(after), []) or self._by_name.get(set_key(after), [])
            if not codes and (behind := _NAME_AND_CODE.fullmatch(row.set_name)):
                codes += [self._codes[behind[1].casefold()]] if behind[1].casefold() in self._codes else []
            said = row.set_code or row.set_name
            known = self._resolved[key] = MeantSets(tuple(dict.fromkeys(codes)), said)
        prefix = row.number.rpartition("-")[0].casefold()
        if not known.said and prefix and prefix in self._codes:
            return MeantSets((self._codes[prefix],), prefix)
        return known
