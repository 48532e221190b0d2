"""Which encoding bytes are in that are not UTF-8: a detector's verdict, and for a handful of letters their company."""

import unicodedata
from collections.abc import Mapping
from typing import Final

NAMES: Final[Mapping[str, str]] = {
    "cp1252": "Windows-1252",
    "mac_roman": "Mac Roman",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "shift_jis": "Shift JIS",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "euc_kr": "EUC-KR",
}
"""The encodings that are told apart, the likelier first, and what people call them."""
SAMPLE: Final = 1 << 14
"""So many bytes are looked at."""

_LATIN: Final = ("cp1252", "mac_roman")
_FEW: Final = 12
_MARKS: Final = frozenset("’‘“”–—…•°½¼¾×™®©«»¡¿")


def detect(sample: bytes) -> str:
    """The encoding of a sample of lines that are not UTF-8, one of `NAMES`.

    A few letters, or many apostrophes and fractions, are no statistics: they are Windows-1252 or Mac Roman, whichever
    makes them letters among letters, and the detector decides only between what is as good.
    """
    texts = {encoding: decoded(sample, encoding) for encoding in _LATIN}
    likely = {encoding: _likelihood(text) for encoding, text in texts.items()}
    few = sum(byte > 127 for byte in sample) < _FEW or any(map(_is_punctuation, texts.values()))
    if few and max(likely.values()) > 0 and abs(likely["cp1252"] - likely["mac_roman"]) > 1:
        return max(_LATIN, key=likely.__getitem__)
    # A tenth of a second, which only files that are not UTF-8 cost.
    from charset_normalizer import from_bytes

    allowed = _LATIN if few else tuple(NAMES)
    found = from_bytes(sample, cp_isolation=list(allowed), preemptive_behaviour=False)
    verdicts = {
        encoding: (round(match.chaos, 2), -round(match.coherence, 1))
        for match in found
        for encoding in match.could_be_from_charset
    }
    best = min(verdicts.values(), default=None)
    equal = [encoding for encoding in allowed if best is None or verdicts.get(encoding) == best]
    return max(equal, key=lambda encoding: likely.get(encoding, 0))


def decoded(line: bytes, encoding: str) -> str:
    """A line as text; what means nothing in Windows-1252 is read as Latin-1, and in other encodings as a mark."""
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        return line.decode("latin-1") if encoding == "cp1252" else line.decode(encoding, "replace")


def _is_punctuation(text: str) -> bool:
    """Whether nearly all that is not ASCII in a text are quotation marks, dashes, fractions and the like."""
    others = [letter for letter in text if letter > "\x7f"]
    return sum(letter in _MARKS for letter in others) * 4 >= len(others) * 3


def _likelihood(text: str) -> int:
    """How well the letters of a text above 127 read as those of a western language."""
    weight = 0
    for position, letter in enumerate(text):
        if letter < "\x80":
            continue
        before, after = text[position - 1 : position], text[position + 1 : position + 2]
        if letter in "’‘" and before.isalpha() and after.isalpha():
            weight += 3  # an apostrophe: in the other encoding it is a letter with an accent
        elif letter in "®©™" and after.isalpha():
            weight -= 1
        elif letter.isalpha() and unicodedata.decomposition(letter)[:1] not in ("", "<"):
            # An accented letter is likely where it stands among letters, a large one only where a word begins.
            if before.isalpha() or after.isalpha():
                weight += 2 if letter.islower() or not before.isalpha() else 1 if after.isupper() else -1
        elif letter in _MARKS:
            weight += 1
        elif letter.isalpha():
            weight += 1 if letter in "ßæœøÆŒØıð" else -1
        else:
            weight -= 2
    return weight
