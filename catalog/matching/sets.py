"""Sets: which of them a row means, by its code, an older one, its name or a number, and which hold promos."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.matching.search import fold
from ccgrid.catalog.matching.spellings import set_key

_OLD: Final = """
1E lea 2E leb 2U 2ed 3E 3ed 4E 4ed 5E 5ed 6E 6ed 7E 7ed 8E 8ed 9E 9ed AN arn AQ atq LE leg DK drk FE fem HM hml IA ice
AL all MI mir VI vis WL wth TE tmp ST sth EX exo UZ usg GU ulg CG uds MM mmq NE nem PR pcy IN inv PS pls AP apc OD ody
TR tor JU jud PO por P2 p02 PO2 p02 PK ptk P3 s99 P4 s00 UG ugl UNH unh CH chr BD btd BR brb REN ren RIN rin
DAR dom CONF con NMS nem MB1 plst MYS1 mb1 LIST plst PLIST plst TLIST plst TSTS tsb FVD drb FVE v09 FVR v10 FVL v11
DD1 evg DD2 dd2 DDI ddi GVL gvl H09 h09 AT ath BE btd VAN pvan ME1 me1 PRM prm TST tst DCK dkm DM dkm ALP lea BET leb
UNL 2ed REV 3ed ALPHA lea BETA leb UNLIMITED 2ed REVISED 3ed
EXO exo STH sth TMP tmp WTH wth CFX con 10E 10e S00 s00 S99 s99 PTK ptk MED me1 IMA ima GRC grc
"""
_PAIRS = _OLD.split()

TODAYS: Final = {old.casefold(): new for old, new in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}
"""Old codes of Gatherer, Magic Online, Arena and apps, and those of Scryfall, all in lower case."""
_CODE_AND_NAME: Final = re.compile(r"([A-Z][A-Z0-9.]{1,6}): (.+)")
"""As TCGplayer writes sets: SV01: Scarlet & Violet Base Set."""
_NAME_AND_CODE: Final = re.compile(r".+ [(\[]([A-Za-z0-9]{2,6})[)\]]")
"""As people write them: Amonkhet (AKH)."""
_SPECIAL_WORDS: Final = (
    r"\b(?:promos?|promotional|prereleases?|pre-release|release events|launch part(?:y|ies)|judge|gift|gifts|rewards"
    r"|friday night|gateway|wpn|arena league|league|championships?|worlds|oversized|tokens?|celebration|lunar new year"
    r"|heroes of the realm|vanguard|secret lair|convention|comic ?con|dragon ?con|guru|resale|game day|open house"
    r"|buy-a-box|media|book|comics|online store|legacy championship|collectors['’]? edition|summer magic|masterpieces?"
    r"|inventions|invocations|expeditions|the list|mystery booster|box topper|art series|front cards|avatars"
    r"|salvat|rinascimento|introductory|anniversary|from the vault|happy holidays|minigames?|black star|festival"
    r"|magicfest|ultimate box|special guests|playtest|unknown event|standard showdown|prizes?|winner)\b"
)
_MAGIC_PROMO: Final = re.compile(r"p[a-z0-9]{3,}", re.IGNORECASE)
"""Scryfall's codes of promotional sets: pm10, pdom, ppre; `p02` is Portal Second Age."""
_MARKED_NUMBER: Final = re.compile(r".*\d[sp★†*]+|[★†].*", re.IGNORECASE)


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
            # LackeyCCG's plugins have names for codes, often numbered: 03Phoenix, Base_Set.
            for key in {fold(name), set_key(name), fold(code), fold(code).lstrip("0123456789 ")} - {""}:
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


@cache
def _words() -> re.Pattern[str]:
    """Made when it is first needed: most names have one printing, and nothing to choose from."""
    return re.compile(_SPECIAL_WORDS, re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def _is_special_set(game: str, code: str, name: str) -> bool:
    return bool(_words().search(name)) or (game == "mtg" and bool(_MAGIC_PROMO.fullmatch(code)))


def is_special(game: str, set_code: str, set_name: str, number: str) -> bool:
    """Whether a printing is a promo or the like: by the name and code of its set, or the mark behind its number.

    >>> is_special("mtg", "pm10", "Magic 2010 Promos", "3"), is_special("mtg", "m10", "Magic 2010", "146")
    (True, False)
    """
    return _is_special_set(game, set_code, set_name) or bool(_MARKED_NUMBER.fullmatch(number))
