"""The looks of a card that depend on its texts: the hue of its frame, and the size of its name."""

import re
from math import ceil
from typing import Final
from unicodedata import east_asian_width
from zlib import crc32

HUES: Final = 12
"""Number of hues for card games and factions, as many as `design.css` has classes."""

_NARROW: Final = frozenset("fijlrtI'.,:;!|()- ")
_WIDE: Final = frozenset("mwMW@%&")
_WIDTHS: Final = (0.42, 0.68, 0.78, 1.0)
"""Widths in em of narrow, normal, capital and wide letters in a bold font, rounded up."""

_LONG_WORD: Final = re.compile(r"[^\W\d_]{7,}")
_JOINT: Final = re.compile(r"([^\W\d_]{3}[.,:;/])(?=[^\W\d_]{3})")
"""Punctuation between two words without a space, after which a line may be broken."""
# After a vowel, and a consonant if necessary, comes a syllable: a consonant or a common pair of them, and a vowel.
_SYLLABLE: Final = re.compile(
    r"(\w[aeiouy][b-df-hj-np-tv-z]??)(?=(?:[cgpst]h|[bcdfgkpt][lr]|[b-df-hj-np-tv-z])[aeiouy]\w)", re.IGNORECASE
)


def family_hue(family: str) -> int:
    """Return the number of the hue of a card game or faction, 0 to 11; it is the same in every run."""
    return crc32(family.encode()) % HUES


def widest_word(name: str) -> int:
    """Return the width in em of the widest word of a name, which its font must leave room for.

    >>> widest_word("Gate Warden"), widest_word("Gate.Warden"), widest_word("Aggressive Trendsetting")
    (5, 5, 8)
    """
    # Words of Chinese and Japanese may be broken between any two characters.
    words = re.split(r"[\s-]+", _JOINT.sub(r"\1 ", name))
    return max(ceil(sum(map(_width, word))) for word in words)


def hyphenated(name: str) -> str:
    """Return a name with soft hyphens and spaces without width, where a narrow card may break it.

    The hyphens are between the syllables of long words, the spaces after punctuation between two words.

    >>> hyphenated("Aggressive Trendsetting").replace("\N{SOFT HYPHEN}", "-")
    'Aggres-sive Trendset-ting'
    >>> hyphenated("Curly.Dadan").replace("\N{ZERO WIDTH SPACE}", "|")
    'Curly.|Dadan'
    """
    return _LONG_WORD.sub(
        lambda word: _SYLLABLE.sub("\\1\N{SOFT HYPHEN}", word[0]), _JOINT.sub("\\1\N{ZERO WIDTH SPACE}", name)
    )


def _width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 0.0
    narrow, normal, capital, wide = _WIDTHS
    if letter in _NARROW:
        return narrow
    if letter in _WIDE:
        return wide
    return capital if letter.isupper() else normal
