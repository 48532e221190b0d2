"""Games and decks as one line of text that survives any messenger: letters and digits, a version, a checksum."""

import base64
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ccgrid.catalog.card import HIGHEST, ZONES, Card
from ccgrid.catalog.errors import CatalogError

# A card is a line: a letter and a digit for each zone, or `*` and all eight; what else is in the score; attack and
# defense; then name, id and, where the id does not have them, set and number.
#
#     a4et+1=3/2 Amber Drake|mtg:m15/235
_ZONE_LETTERS: Final = dict(zip(ZONES, "abcdefgh", strict=True))
_ZONES: Final = {letter: zone for zone, letter in _ZONE_LETTERS.items()}
_TEN: Final = "t"
_ALL: Final = "*"
_NONE: Final = "-"
_FEW: Final = 4  # zones of a card; with more of them all eight are written in a row
_FIELD: Final = "|"
_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", _FIELD: "\\i"}
_ESCAPED: Final = {escape[1]: plain for plain, escape in _ESCAPES.items()}
_LARGEST_SCORE: Final = 10_000
"""No score is higher."""


def to_lines(cards: Iterable[Card]) -> str:
    """The cards, a line each.

    >>> to_lines([Card("mtg:m15/235", "mtg", "Amber Drake", {"top-left": 4, "right": 10}, 15, "m15", "", "235")])
    'a4et+1 Amber Drake|mtg:m15/235'
    """
    return "\n".join(map(_line, cards))


def from_lines(text: str) -> tuple[Card, ...]:
    """The cards in such lines, with the game, the set and the number that their ids tell.

    Raises:
        ValueError: a line is not of a card.
    """
    return tuple(_card(line) for line in text.split("\n")) if text else ()


def shorten(card: Card, letters: int | None, *, with_id: bool) -> Card:
    """The card with at most `letters` letters of its name, and perhaps without its id and set."""
    name = card.name if letters is None else card.name[:letters].rstrip()
    return replace(card, name=name) if with_id else replace(card, id="", name=name, set_code="", collector_number="")


def _line(card: Card) -> str:
    zones = _zones(card.zones)
    more = card.score - sum(card.zones.values())
    fight = "" if card.attack is None or card.defense is None else f"={card.attack}/{card.defense}"
    numbers = zones + (f"+{more}" if more else "") + fight
    named = [_plain(text) for text in (card.name, card.id, *_set_and_number(card))]
    while named and not named[-1]:
        named.pop()
    return f"{numbers} {_FIELD.join(named)}" if named else numbers


def _zones(zones: Mapping[str, int]) -> str:
    """The numbers with their zones; where there are many, all eight in a row."""
    digits = {zone: _TEN if number == HIGHEST else str(number) for zone, number in zones.items()}
    if len(digits) > _FEW:
        return _ALL + "".join(digits.get(zone, _NONE) for zone in ZONES)
    return "".join(f"{letter}{digits[zone]}" for zone, letter in _ZONE_LETTERS.items() if zone in digits)


def _set_and_number(card: Card) -> tuple[str, ...]:
    """The set and the number, where the id does not have them; a dot for one that is missing."""
    _, set_code, number = id_in_parts(card.id)
    texts = (card.set_code, set_code), (card.collector_number, number)
    return tuple("" if own == part else own or "." for own, part in texts)


def id_in_parts(card_id: str) -> tuple[str, str, str]:
    """The game, the set and the number that an id holds.

    >>> id_in_parts("mtg:m15/235")
    ('mtg', 'm15', '235')
    """
    game, colon, rest = card_id.partition(":")
    set_code, slash, number = rest.partition("/")
    return (game if colon else "", set_code if slash else "", number if slash else "")


def _plain(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def _card(line: str) -> Card:
    numbers, _, names = line.partition(" ")
    name, card_id, set_code, number, *_ = [*_fields(names), "", "", "", ""]
    game, id_set, id_number = id_in_parts(card_id)
    zones_text, _, fight = numbers.partition("=")
    zones_text, _, more = zones_text.partition("+")
    zones = _read_zones(zones_text)
    attack, _, defense = fight.partition("/")
    return Card(
        id=card_id,
        game=game,
        name=name,
        zones=zones,
        score=sum(zones.values()) + (_whole(more, _LARGEST_SCORE) if more else 0),
        set_code=_or_id_in_parts(set_code, id_set),
        collector_number=_or_id_in_parts(number, id_number),
        attack=_whole(attack, HIGHEST) if fight else None,
        defense=_whole(defense, HIGHEST) if fight else None,
    )


def _or_id_in_parts(text: str, whole: str) -> str:
    return "" if text == "." else text or whole


def _read_zones(text: str) -> dict[str, int]:
    if text.startswith(_ALL) and len(text) == len(_ALL) + len(ZONES):
        pairs = [pair for pair in zip(_ZONES, text[len(_ALL) :], strict=True) if pair[1] != _NONE]
    else:
        pairs = list(zip(text[::2], text[1::2], strict=False))
        if len(text) % 2:
            raise ValueError(f"{text!r} is not a list of numbers in zones")
    if any(letter not in _ZONES for letter, _ in pairs):
        raise ValueError(f"{text!r} is not a list of numbers in zones")
    return {_ZONES[letter]: HIGHEST if number == _TEN else _whole(number, HIGHEST) for letter, number in pairs}


def _whole(text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise ValueError(f"{text!r} is not a number of 0 to {most}")
    return int(text)


def _fields(text: str) -> Sequence[str]:
    """The texts between the bars, with what was escaped as it was."""
    fields, letters = [""], iter(text)
    for letter in letters:
        if letter == _FIELD:
            fields.append("")
        elif letter == "\\":
            fields[-1] += _ESCAPED.get(next(letters, ""), "")
        else:
            fields[-1] += letter
    return fields


LONGEST_TEXT: Final = 1 << 15
"""In bytes: nothing longer is compressed, nor unpacked."""

_RAW: Final = -zlib.MAX_WBITS
"""Deflate with neither a header nor a checksum: the whole line has one."""

_GROUP: Final = 8
"""The characters in which base 32 writes five bytes."""

_MORE: Final = 128
"""A byte from this on holds the lowest seven bits of a number, and another byte follows."""

_LARGEST_NUMBER: Final = 1 << 64  # below this are all numbers that are read


def to_letters(data: bytes) -> str:
    """Bytes in base 32 (RFC 4648), without the `=` at its end: capitals and the digits 2 to 7.

    >>> to_letters(b"a1xb2")
    'MEYXQYRS'
    """
    return base64.b32encode(data).decode("ascii").rstrip("=")


def from_letters(text: str) -> bytes:
    """The bytes that letters encode; raises ValueError where they encode none."""
    return base64.b32decode(text + "=" * (-len(text) % _GROUP))


def compress(text: str) -> bytes:
    """The text, deflated.

    Raises:
        ValueError: it is longer than `LONGEST_TEXT`.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > LONGEST_TEXT:
        raise ValueError(f"a text of {len(data):,} bytes is too long")
    return zlib.compress(data, zlib.Z_BEST_COMPRESSION, _RAW)


def decompress(data: bytes) -> str:
    """The text in bytes that `compress` made.

    Raises:
        ValueError: there is none in them, or one longer than `LONGEST_TEXT`.
    """
    unpacker = zlib.decompressobj(_RAW)
    try:
        text = unpacker.decompress(data, LONGEST_TEXT + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(text) > LONGEST_TEXT or not unpacker.eof or unpacker.unused_data:
        raise ValueError("not one text of an allowed length")
    return text.decode("utf-8", "surrogatepass")


@dataclass(slots=True)
class NumberWriter:
    """Writes whole numbers one after the other, each in as few bytes of seven bits as it takes, the lowest first."""

    data: bytearray = field(default_factory=bytearray)

    def put(self, value: int) -> None:
        """Adds a number of at least 0."""
        # 300 is 1_0101100 0_0000010: seven bits a byte, the lowest first; the top bit says that another byte follows.
        while value >= _MORE:
            self.data.append(value % _MORE + _MORE)
            value //= _MORE
        self.data.append(value)

    def put_text(self, text: str) -> None:
        """Adds a text as the number of its bytes in UTF-8, and the bytes."""
        encoded = text.encode("utf-8", "surrogatepass")
        self.put(len(encoded))
        self.data += encoded


@dataclass(slots=True)
class NumberReader:
    """Reads what a `NumberWriter` wrote, in the same order; `place` is where in the bytes it continues."""

    data: bytes
    place: int = 0

    @property
    def is_at_end(self) -> bool:
        """Whether everything was read."""
        return self.place == len(self.data)

    def take(self, below: int = _LARGEST_NUMBER) -> int:
        """The next number; raises ValueError where there is none, or it is `below` or more."""
        value, weight = 0, 1
        while (byte := self._byte()) >= _MORE and weight < _LARGEST_NUMBER:
            value, weight = value + (byte - _MORE) * weight, weight * _MORE
        value += byte * weight
        if value >= below:
            raise ValueError(f"{value} is too large a number")
        return value

    def take_text(self) -> str:
        """The next text; raises ValueError where there is none."""
        end = self.take() + self.place
        if end > len(self.data):
            raise ValueError("the text ends too early")
        text, self.place = self.data[self.place : end], end
        return text.decode("utf-8", "surrogatepass")

    def _byte(self) -> int:
        if self.is_at_end:
            raise ValueError("the numbers end too early")
        self.place += 1
        return self.data[self.place - 1]


# A code is one line, its parts in base 32, the checksum a CRC-32 of everything before it:
#
#     ccgrid2-DECK-GAME-MORE-CHECKSUM
NAME: Final = "ccgrid"
VERSION: Final = 2  # of the form of a code
LONGEST_CODE: Final = 1 << 16
"""In characters: nothing longer is looked at."""

_SUM_BYTES: Final = 4  # of the CRC-32
_SHORTEST: Final = 20  # characters; no code is shorter
_EARLIER: Final = "1"
_BEGINNING: Final = re.compile(rf"(?i)(?:.*#)?{NAME}([0-9]{{1,3}})-(.*)")
_SHAPE: Final = re.compile(r"(?:.*#)?[0-9A-Za-z]{3,12}(?:-[0-9A-Za-z]*){3}-[0-9A-Za-z]{7}")
_DAMAGED: Final = "the code is damaged: a character was changed or is missing. Copy it again from the first letter"


class CodeError(CatalogError):
    """A line that is not a code, or not one that can be read."""


@dataclass(frozen=True, slots=True)
class Code:
    """What a line holds.

    Attributes:
        deck: the deck, as a text of its own.
        game: the game that was played with it, as bytes; None where there is the deck alone.
        more: whatever else there is to say, as JSON; may be empty.
    """

    deck: str
    game: bytes | None = None
    more: str = ""

    def __str__(self) -> str:
        """The line; raises CodeError where it would be too long."""
        try:
            parts = [to_letters(compress(self.deck))]
            parts.append("" if self.game is None else to_letters(self.game))
            parts.append(to_letters(self.more.encode("utf-8", "surrogatepass")))
        except ValueError as error:
            raise CodeError(f"Too long for one line: {error}.") from None
        return with_checksum("-".join((f"{NAME}{VERSION}", *parts)))


def with_checksum(line: str) -> str:
    """The line with its checksum behind it."""
    return f"{line}-{to_letters(zlib.crc32(line.encode('ascii')).to_bytes(_SUM_BYTES, 'big'))}"


def is_code(text: str) -> bool:
    """Whether a text is meant as a code, damaged or not, and not as the name of a file that is there."""
    joined = _without_spaces(text[: LONGEST_CODE + 1])
    if len(joined) < _SHORTEST or not (_BEGINNING.fullmatch(joined) or _SHAPE.fullmatch(joined)):
        return False
    with suppress(OSError, ValueError):  # no file has such a name
        return not Path(text).exists()
    return True


def read_code(text: str) -> Code:
    """What a line holds; spaces and line ends that a messenger put in do no harm, nor what is before a `#`.

    Raises:
        CodeError: it is not a code, or it is damaged, or of another version.
    """
    if len(text) > LONGEST_CODE:
        raise CodeError(f"a code has at most {LONGEST_CODE:,} characters, and this has {len(text):,}")
    found = _BEGINNING.fullmatch(_without_spaces(text))
    if found is None:
        raise CodeError(_DAMAGED)
    version, rest = found.groups()
    if version == _EARLIER:
        raise CodeError("this code is of version 1, which is no longer supported: ask for a new code, or for the file")
    line, _, checksum = f"{NAME}{version}-{rest}".rpartition("-")
    if not line.isascii() or with_checksum(line) != f"{line}-{checksum}":
        raise CodeError(_DAMAGED)
    if int(version) != VERSION:
        raise CodeError(f"this code is of version {version}, and this program reads {VERSION}: update ccgrid")
    try:
        _, deck, game, more = line.split("-")
        return Code(
            decompress(from_letters(deck)),
            from_letters(game) if game else None,
            from_letters(more).decode("utf-8", "surrogatepass"),
        )
    except ValueError:
        raise CodeError("the code is complete, but not from this program: ask for another") from None


def _without_spaces(text: str) -> str:
    return "".join(text.split())
