"""Detection of the encoding of text that is not UTF-8."""

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
"""The encodings that are detected, the most likely first, and their names."""
SAMPLE: Final = 1 << 14
"""Bytes of the sample for detection."""

_LATIN: Final = ("cp1252", "mac_roman")
_FEW: Final = 12  # bytes outside ASCII; fewer are not enough for statistics
# Characters outside ASCII in western texts, besides letters.
_MARKS: Final = frozenset("’‘“”–—…•°½¼¾×™®©«»¡¿")


def detect_encoding(sample: bytes) -> str:
    """Return the encoding of a sample of lines that are not UTF-8, one of `NAMES`.

    A few letters, or mostly apostrophes and fractions, are not enough for statistics. Such a sample is Windows-1252 or
    Mac Roman, whichever gives the more plausible words; charset_normalizer decides only if both are about equal.
    """
    # ’ is 0x92 in Windows-1252 and 0xD5 in Mac Roman; in the other encoding these bytes are í and Õ.
    texts = {encoding: decode_line(sample, encoding) for encoding in _LATIN}
    likely = {encoding: _likelihood(text) for encoding, text in texts.items()}
    few = sum(byte > 127 for byte in sample) < _FEW or any(map(_is_punctuation, texts.values()))
    # At least one gives plausible words, and one is clearly better.
    if few and max(likely.values()) > 0 and abs(likely["cp1252"] - likely["mac_roman"]) > 1:
        return max(_LATIN, key=likely.__getitem__)
    # Importing it takes a tenth of a second.
    from charset_normalizer import from_bytes

    allowed = _LATIN if few else tuple(NAMES)
    found = from_bytes(sample, cp_isolation=list(allowed), preemptive_behaviour=False)
    verdicts = {
        # The less mess the better; then the more coherence the better, hence the minus.
        encoding: (round(match.chaos, 2), -round(match.coherence, 1))
        for match in found
        for encoding in match.could_be_from_charset
    }
    best = min(verdicts.values(), default=None)
    equal = [encoding for encoding in allowed if best is None or verdicts.get(encoding) == best]
    # Among equal verdicts choose the encoding with the most plausible words, then the most likely one.
    return max(equal, key=lambda encoding: likely.get(encoding, 0))


def decode_line(line: bytes, encoding: str) -> str:
    """Decode a line. Bytes that are invalid in Windows-1252 are decoded as Latin-1, others replaced."""
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        # Five bytes are undefined in Windows-1252; Latin-1 has a character for every byte.
        return line.decode("latin-1") if encoding == "cp1252" else line.decode(encoding, "replace")


def _is_punctuation(text: str) -> bool:
    """Return whether most characters outside ASCII are quotation marks, dashes, fractions and the like."""
    others = [letter for letter in text if letter > "\x7f"]
    # At least three quarters.
    return sum(letter in _MARKS for letter in others) * 4 >= len(others) * 3


def _likelihood(text: str) -> int:
    """Return a score of how plausible the characters outside ASCII are in a western language."""
    weight = 0
    for position, letter in enumerate(text):
        if letter < "\x80":
            continue
        # Slices, because they are empty at the ends of the text.
        before, after = text[position - 1 : position], text[position + 1 : position + 2]
        if letter in "’‘" and before.isalpha() and after.isalpha():
            weight += 3  # an apostrophe; in the other encoding it would be an accented letter
        elif letter in "®©™" and after.isalpha():
            weight -= 1
        # A letter with an accent (é) has a canonical decomposition; that of ª begins with "<".
        elif letter.isalpha() and unicodedata.decomposition(letter)[:1] not in ("", "<"):
            # An accented letter is plausible next to letters, a capital one only at the start of a word.
            if before.isalpha() or after.isalpha():
                weight += 2 if letter.islower() or not before.isalpha() else 1 if after.isupper() else -1
        elif letter in _MARKS:
            weight += 1
        # Letters without a decomposition.
        elif letter.isalpha():
            weight += 1 if letter in "ßæœøÆŒØıð" else -1
        else:
            weight -= 2
    return weight
