"""Sets: which set of a catalogue a row or a word means, and which sets hold promotional printings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.matching.candidates import Candidate, set_key
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.rows import Row

_OLD: Final = """
1E lea 2E leb 2U 2ed 3E 3ed 4E 4ed 5E 5ed 6E 6ed 7E 7ed 8E 8ed 9E 9ed AN arn AQ atq LE leg DK drk FE fem HM hml IA ice
AL all MI mir VI vis WL wth TE tmp ST sth EX exo UZ usg GU ulg CG uds MM mmq NE nem PR pcy IN inv PS pls AP apc OD ody
TR tor JU jud PO por P2 p02 PO2 p02 PK ptk P3 s99 P4 s00 UG ugl CH chr BD btd BR brb DAR dom CONF con NMS nem MB1 plst
MYS1 mb1 LIST plst PLIST plst TLIST plst TSTS tsb FVD drb FVE v09 FVR v10 FVL v11 DD1 evg AT ath BE btd VAN pvan
DCK dkm DM dkm ALP lea BET leb UNL 2ed REV 3ed ALPHA lea BETA leb UNLIMITED 2ed REVISED 3ed CFX con MED me1
"""
_PAIRS = _OLD.split()

TODAYS: Final = {old.casefold(): new for old, new in zip(_PAIRS[::2], _PAIRS[1::2], strict=True)}
"""Old codes of Gatherer, Magic Online, Arena and apps, and those of Scryfall, all in lower case."""
_CODE_AND_NAME: Final = lazy_pattern(r"([A-Z][A-Z0-9.]{1,6}): (.+)")
"""As TCGplayer writes sets: SV01: Scarlet & Violet Base Set."""
_NAME_AND_CODE: Final = lazy_pattern(r".+ [(\[]([A-Za-z0-9]{2,6})[)\]]")
"""As people write them: Amonkhet (AKH)."""
_SPECIAL_WORDS: Final = lazy_pattern(
    r"\b(?:promos?|promotional|prereleases?|pre-release|release events|launch part(?:y|ies)|judge|gift|gifts|rewards"
    r"|friday night|gateway|wpn|arena league|league|championships?|worlds|oversized|tokens?|celebration|lunar new year"
    r"|heroes of the realm|vanguard|secret lair|convention|comic ?con|dragon ?con|guru|resale|game day|open house"
    r"|buy-a-box|media|book|comics|online store|legacy championship|collectors['’]? edition|summer magic|masterpieces?"
    r"|inventions|invocations|expeditions|the list|mystery booster|box topper|art series|front cards|avatars"
    r"|salvat|rinascimento|introductory|anniversary|from the vault|happy holidays|minigames?|black star|festival"
    r"|magicfest|ultimate box|special guests|playtest|unknown event|standard showdown|prizes?|winner)\b",
    re.IGNORECASE,
)
_MAGIC_PROMO: Final = lazy_pattern(r"p[a-z0-9]{3,}", re.IGNORECASE)
"""Scryfall's codes of promotional sets: pm10, pdom, ppre; `p02` is Portal Second Age."""
_MARKED_NUMBER: Final = lazy_pattern(r".*\d[sp★†*]+|[★†].*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RowSets:
    """The sets that a row may mean, and what it called them."""

    codes: tuple[str, ...]
    written: str


NO_CODES: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})
_LEADING_DIGITS: Final = lazy_pattern(r"\d+(?=[a-z]{3})")


class SetNames:
    """The sets of a catalogue, with cached answers."""

    def __init__(self, sets: Iterable[tuple[str, str]], others: Mapping[str, Sequence[str]] = NO_CODES) -> None:
        """`others` are codes that clients have for sets, in lower case."""
        self._others = others
        self._codes: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for code, name in sets:
            self._codes[code.casefold()] = code
            # LackeyCCG's plugins have names for codes, often numbered: 03Phoenix, Base_Set.
            bare = fold(code).lstrip("0123456789 ")
            for key in {fold(name), set_key(name), fold(code), bare if len(bare) > len("ed") else ""} - {""}:
                self._by_name.setdefault(key, []).append(code)
        self._resolved: dict[tuple[str, str], RowSets] = {}

    def code(self, text: str) -> str:
        """Return a set code as the catalogue spells it, or unchanged if it has no such set."""
        return self._codes.get(text.casefold(), text)

    def is_known(self, word: str) -> bool:
        """Return whether a word is a set by a code or a name of the catalogue's own."""
        return word.casefold() in self._codes or fold(word) in self._by_name

    def sets_of(self, row: Row) -> RowSets:
        """Return the sets that a row may mean: by code, older code, name, or the start of a number (`OGN-001`)."""
        key = row.set_code, row.set_name
        if (known := self._resolved.get(key)) is None:
            # The first of these that is known: code, older code, name, its telling words, `CODE: Name`, `Name (CODE)`.
            codes: list[str] = []
            for written in (row.set_code.strip().casefold(), row.set_name.strip().casefold()):
                today = TODAYS.get(written, "")
                # Some cards have no set: a row without one does not mean theirs.
                # Sets that are numbered: 001 is 1.
                plain = written.lstrip("0") if written.isdecimal() else ""
                codes += [self._codes[code] for code in (written, today, plain) if code and code in self._codes]
                # A client's code may be that of another game's set as well, or of several sets.
                codes += self._others.get(written, ())
            # A code of one game may be a name, or a code in other letters, of another: Base.
            if len(words := {row.set_code, row.set_name} - {""}) == 1:
                codes += self._by_name.get(fold(*words), [])
            for written in (row.set_name, row.set_code):
                for text in (fold(written), set_key(written)):
                    if not codes and text:
                        codes += self._by_name.get(text, [])
            if not codes and (match := _CODE_AND_NAME.fullmatch(row.set_name)):
                before, after = match.groups()
                codes += [self._codes[before.casefold()]] if before.casefold() in self._codes else []
                codes += [] if codes else self._by_name.get(fold(after), []) or self._by_name.get(set_key(after), [])
            if not codes and (behind := _NAME_AND_CODE.fullmatch(row.set_name)):
                codes += [self._codes[behind[1].casefold()]] if behind[1].casefold() in self._codes else []
            bare = _LEADING_DIGITS.sub("", row.set_code.casefold())
            codes += (
                [self._codes[bare]] if bare and not codes and bare in self._codes else []
            )  # 1TFC: Lorcana's first set
            known = self._resolved[key] = RowSets(tuple(dict.fromkeys(codes)), row.set_code or row.set_name)
        # `OGN-001` names its set in the number; it counts only where the row names no set itself.
        prefix = row.number.rpartition("-")[0].casefold()
        if not known.written and prefix and prefix in self._codes:
            return RowSets((self._codes[prefix],), prefix)
        return known


def is_special_word(word: str) -> bool:
    """Return whether a word says that a printing is a promo or the like."""
    return bool(_SPECIAL_WORDS.search(word))


@lru_cache(maxsize=1 << 12)
def is_special_set(game: str, code: str, name: str) -> bool:
    """Return whether a set has promos or the like, by its name or code."""
    return bool(_SPECIAL_WORDS.search(str(name))) or (game == "mtg" and bool(_MAGIC_PROMO.fullmatch(str(code))))


def is_marked(number: str) -> bool:
    """Return whether the mark in a number says that a printing is a promo or the like."""
    return bool(_MARKED_NUMBER.fullmatch(str(number)))


def is_special(game: str, set_code: str, set_name: str, number: str) -> bool:
    """Return whether a printing is a promo or the like, by the name and code of its set or the mark in its number.

    >>> is_special("mtg", "pm10", "Magic 2010 Promos", "3"), is_special("mtg", "m10", "Magic 2010", "146")
    (True, False)
    """
    return is_special_set(game, set_code, set_name) or is_marked(number)


def is_of_game(game: str, word: str) -> bool:
    """Return whether a word is a game, in any case and spacing."""
    return fold(word).replace(" ", "") == game.casefold()


def is_in_game_or_set(card: Card | Candidate, word: str) -> bool:
    """Return whether a word is a card's game, or its set by its code, an older code, or its name."""
    code, key = word.casefold(), set_key(word)
    if is_of_game(card.game, word) or (card.set_code and card.set_code.casefold() in (code, TODAYS.get(code, code))):
        return True
    return bool(card.set_name) and (fold(word) == fold(card.set_name) or (bool(key) and key == set_key(card.set_name)))
