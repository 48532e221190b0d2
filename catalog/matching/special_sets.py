"""Which sets hold what one did not open in a booster: promos, gifts, prizes, oversized cards, special reprints."""

import re
from functools import cache, lru_cache
from typing import Final

_WORDS: Final = (
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


@cache
def _words() -> re.Pattern[str]:
    """Made when it is first needed: most names have one printing, and nothing to choose from."""
    return re.compile(_WORDS, re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def _is_special_set(game: str, code: str, name: str) -> bool:
    return bool(_words().search(name)) or (game == "mtg" and bool(_MAGIC_PROMO.fullmatch(code)))


def is_special(game: str, set_code: str, set_name: str, number: str) -> bool:
    """Whether a printing is a promo or the like: by the name and code of its set, or the mark behind its number.

    >>> is_special("mtg", "pm10", "Magic 2010 Promos", "3"), is_special("mtg", "m10", "Magic 2010", "146")
    (True, False)
    """
    return _is_special_set(game, set_code, set_name) or bool(_MARKED_NUMBER.fullmatch(number))
