"""Games and decks as one line of text for messengers: letters and digits, a version, a checksum."""

import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.letters import compress, decompress, from_letters, to_letters

# A code is one line, its parts in base 32, the checksum a CRC-32 of everything before it:
#
#     ccgrid2-DECK-GAME-MORE-CHECKSUM
NAME: Final = "ccgrid"
VERSION: Final = 2  # of the format of codes
LONGEST_CODE: Final = 1 << 16
"""The most characters of a code; longer texts are not examined."""

_SUM_BYTES: Final = 4  # of the CRC-32
_EARLIER: Final = "1"
_BEGINNING: Final = lazy_pattern(rf"(?i)(?:.*#)?{NAME}([0-9]{{1,3}})-(.*)")
_SHAPE: Final = lazy_pattern(r"(?=.{20})(?:.*#)?[0-9A-Za-z]{3,12}(?:-[0-9A-Za-z]*){3}-[0-9A-Za-z]{7}")
_DAMAGED: Final = "the code is damaged: a character was changed or is missing. Copy it again from the first letter"


class CodeError(CatalogError):
    """Raised if a line is not a code, or cannot be read."""


class Code(NamedTuple):
    """The content of a code.

    Attributes:
        deck: the deck, as text.
        game: the game that was played with it, as bytes; None if the code has only a deck.
        more: further facts as JSON; may be empty.
    """

    deck: str
    game: bytes | None = None
    more: str = ""

    def __str__(self) -> str:
        """Return the line.

        Raises:
            CodeError: If it is too long.
        """
        try:
            parts = [to_letters(compress(self.deck))]
            parts.append("" if self.game is None else to_letters(self.game))
            parts.append(to_letters(self.more.encode("utf-8", "surrogatepass")))
        except ValueError as error:
            raise CodeError(f"Too long for one line: {error}.") from None
        return with_checksum("-".join((f"{NAME}{VERSION}", *parts)))


def with_checksum(line: str) -> str:
    """Return a line with its checksum appended."""
    return f"{line}-{to_letters(zlib.crc32(line.encode('ascii')).to_bytes(_SUM_BYTES, 'big'))}"


def is_code(text: str) -> bool:
    """Return whether a text is intended as a code, even a damaged one, and is not the name of an existing file."""
    joined = _without_spaces(text[: LONGEST_CODE + 1])
    if "-" not in joined or not (_BEGINNING.fullmatch(joined) or _SHAPE.fullmatch(joined)):
        return False
    with suppress(OSError, ValueError):  # an impossible file name
        return not Path(text).exists()
    return True


def read_code(text: str) -> Code:
    """Read the content of a line. Spaces and line ends from a messenger are ignored, and so is everything before a `#`.

    Raises:
        CodeError: If it is not a code, damaged, or of another version.
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
