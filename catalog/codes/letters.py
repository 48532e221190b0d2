"""Whole numbers as letters and digits, and several numbers as one: no character that a messenger would change."""

from dataclasses import dataclass
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

_BASE: Final = len(ALPHABET)
_VALUES: Final = {letter: value for value, letter in enumerate(ALPHABET)}
_CHUNK: Final = 10
"""So many letters are split off at once, for large numbers are slow to divide."""

_HALF: Final = 32
"""A number of unknown size is written in parts of 0 to 31; each tells whether another follows."""


def to_letters(number: int) -> str:
    """A number of at least 0 in letters, the highest digit first.

    >>> to_letters(0), to_letters(61), to_letters(62)
    ('0', 'z', '10')
    """
    parts = []
    while number >= _BASE**_CHUNK:
        number, rest = divmod(number, _BASE**_CHUNK)
        parts.append(_letters(rest).rjust(_CHUNK, ALPHABET[0]))
    return "".join((_letters(number), *reversed(parts)))


def _letters(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, _BASE)
        digits = ALPHABET[digit] + digits
    return digits


def from_letters(text: str) -> int:
    """The number that letters stand for.

    Raises:
        ValueError: a character is neither a letter nor a digit, or there is none.

    >>> from_letters("10")
    62
    """
    if not text:
        raise ValueError("no letters")
    number = 0
    for start in range(0, len(text), _CHUNK):
        part = 0
        chunk = text[start : start + _CHUNK]
        for letter in chunk:
            if letter not in _VALUES:
                raise ValueError(f"{letter!r} is neither a letter nor a digit")
            part = part * _BASE + _VALUES[letter]
        number = number * _BASE ** len(chunk) + part
    return number


_LONGEST_TEXT: Final = 10_000
"""In bytes."""


@dataclass(slots=True)
class NumberWriter:
    """Several small numbers, each below a bound of its own, as one: the first is its lowest digit."""

    number: int = 0
    weight: int = 1

    def put(self, value: int, below: int) -> None:
        """Adds a number from 0 to less than `below`."""
        self.number += value * self.weight
        self.weight *= below

    def put_any(self, value: int) -> None:
        """Adds a number of at least 0 of any size."""
        while value >= _HALF:
            self.put(value % _HALF + _HALF, 2 * _HALF)
            value = value // _HALF - 1
        self.put(value, 2 * _HALF)

    def put_text(self, text: str) -> None:
        """Adds a text as the number of its bytes in UTF-8, and the bytes."""
        data = text.encode("utf-8", "surrogatepass")
        self.put_any(len(data))
        for byte in data:
            self.put(byte, 256)

    def letters(self) -> str:
        """All of it."""
        return to_letters(self.number)


@dataclass(slots=True)
class NumberReader:
    """Reads what a `NumberWriter` wrote, in the same order with the same bounds."""

    number: int

    def take(self, below: int) -> int:
        """The next number, from 0 to less than `below`."""
        self.number, value = divmod(self.number, below)
        return value

    def take_any(self) -> int:
        """The next number of any size.

        Raises:
            ValueError: it is larger than anything that was meant.
        """
        value, weight = 0, 1
        while (part := self.take(2 * _HALF)) >= _HALF:
            value, weight = value + part * weight, weight * _HALF  # each part that follows counts from 1
            if weight > 1 << 64:
                raise ValueError("a number is too large")
        return value + part * weight

    def take_text(self) -> str:
        """The next text.

        Raises:
            ValueError: it is not UTF-8, or too long.
        """
        length = self.take_any()
        if length > _LONGEST_TEXT:
            raise ValueError("a text is too long")
        return bytes(self.take(256) for _ in range(length)).decode("utf-8", "surrogatepass")
