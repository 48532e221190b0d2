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

_WESTERN: Final = ("cp1252", "mac_roman")
_LATIN: Final = (*_WESTERN, "cp1250")
_FEW: Final = 12  # bytes outside ASCII; fewer are not enough for statistics
_CURRENCIES: Final = "€£"
_QUOTES: Final = "“”„"
# Characters outside ASCII in texts in Latin letters, besides letters.
_MARKS: Final = frozenset("’‘–—…•°½¼¾×™®©«»¡¿" + _QUOTES + _CURRENCIES)
# Letters that have no canonical decomposition.
_WHOLE_LETTERS: Final = frozenset("ßæœøðþłđÆŒØÐÞŁĐ")
# Letters that are words.
_WORDS: Final = frozenset("àáâèéêìíòóôåöæøÀÁÈÉÌÍÒÓ")


def detect_encoding(sample: bytes) -> str:
    """Return the encoding of a sample of lines that are not UTF-8, one of `NAMES`.

    A few letters, or mostly apostrophes, fractions and currency signs, are not enough for statistics. Such a sample is
    in the encoding of Latin letters that gives the most plausible words; charset_normalizer decides only if that of
    Windows-1252 and Mac Roman are about equal.
    """
    # ’ is 0x92 in Windows-1252 and 0xD5 in Mac Roman; in the other encoding these bytes are í and Õ.
    texts = {encoding: decode_line(sample, encoding) for encoding in _LATIN}
    likely = {encoding: _likelihood(text) for encoding, text in texts.items()}
    few = sum(byte > 127 for byte in sample) < _FEW or any(map(_is_punctuation, texts.values()))
    clearest = _clearest(likely)
    if few and clearest:
        return clearest
    # Importing it takes a tenth of a second.
    from charset_normalizer import from_bytes

    allowed = _WESTERN if few else tuple(NAMES)
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
    chosen = max(equal, key=lambda encoding: likely.get(encoding, 0))
    # It distinguishes alphabets well, but in a table of short words not the encodings of one alphabet.
    return clearest if clearest and chosen in _LATIN and likely[clearest] > likely[chosen] + 1 else chosen


def _clearest(likely: Mapping[str, int]) -> str:
    """Return the encoding of Latin letters whose words are plausible and clearly more so than others', or ""."""
    best = max(_WESTERN, key=likely.__getitem__)
    # Most western letters are letters in Windows-1250, too.
    if likely["cp1250"] > max(likely[best], 0) + 1:
        return "cp1250"
    return best if likely[best] > 0 and abs(likely["cp1252"] - likely["mac_roman"]) > 1 else ""


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
    """Return a score of how plausible the characters outside ASCII are in a language that uses Latin letters."""
    # Slices, because they are empty at the ends of the text.
    return sum(
        _plausibility(letter, text[position - 1 : position], text[position + 1 : position + 2])
        for position, letter in enumerate(text)
        if letter >= "\x80"
    )


def _plausibility(letter: str, before: str, after: str) -> int:
    """Return a score of how plausible a character outside ASCII is between two others."""
    inside = before.isalpha() and after.isalpha()
    beside = before.isalpha() or after.isalpha()
    if letter in _CURRENCIES:
        # € in Windows-1252 is Ä in Mac Roman, and € there is Û.
        return -2 if beside else 2
    if letter in "’‘" and inside:
        return 3  # an apostrophe; in the other encoding it would be an accented letter
    if letter in "®©™" and after.isalpha():
        return -1
    if letter == "™" and before.isalpha():
        return 3  # in the other encoding it would be ô at the end of a word
    if letter in _QUOTES:
        return -1 if inside else 2  # as much as the letters that they are in the other encoding
    if letter == "–" and not beside:
        return 2
    if letter in "¡¿":
        return 1 if after.isalpha() and not before.isalpha() else -2
    if letter in "ªº":
        return 2 if before.isdigit() or before in ("n", "N") else -1
    if letter == "\xa0":
        return 0 if inside else 1
    if letter in _MARKS:
        return 1
    if not letter.isalpha():
        return -2
    # A letter with an accent (é) has a canonical decomposition; that of ª begins with "<".
    if letter not in _WHOLE_LETTERS and unicodedata.decomposition(letter)[:1] in ("", "<"):
        return -1
    if not beside:
        return 0 if letter in _WORDS else -2
    if letter in "šž" and beside:
        return 1  # in Mac Roman ö and û, which are more frequent in western languages
    # A capital letter is plausible at the start of a word, or among others.
    if letter.islower():
        return -1 if after.isupper() and not before.isalpha() else 2
    return 2 if not before.isalpha() else 1 if after.isupper() else -1
