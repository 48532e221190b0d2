"""Lines of text out of bytes: which encoding a file is in, as far as its bytes tell, and how its lines end."""

import codecs
import io
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, Final

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.documents import not_endless
from ccgrid.catalog.readers.streams import LONGEST_ROW
from ccgrid.catalog.readers.workbooks import WORKBOOK

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


Remark = Callable[[str], None]
"""Is told, in one sentence, what a person should know of how data were read."""


@dataclass
class Survey:
    """What a first look at a whole file tells; `other` counts lines that are not UTF-8."""

    encoding: str = "utf-8"
    lines: int = 0
    utf8: int = 0
    other: int = 0


def survey(stream: BinaryIO, name: str) -> Survey:
    """Looks at a whole file once: which encoding it is in, as far as its bytes tell.

    Lines that are not UTF-8 are in one encoding: Windows-1252 (of which Latin-1 is a part), Mac Roman, or another that
    a detector makes out. Raises CatalogError where the file is not text.
    """
    found, sample = Survey(), bytearray()
    head = stream.read(4)
    if head in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        raise CatalogError(f"{name}: {WORKBOOK}")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not head.startswith(codecs.BOM_UTF32_LE):
        return Survey("utf-16")
    filled = 0
    for line in byte_lines(stream, name, head):
        found.lines += 1
        if line:
            filled = found.lines
        else:
            not_endless(name, found.lines - filled)
        if b"\0" in line:
            raise CatalogError(f"{name}: this is not text (line {found.lines} has a zero byte). Is it the right file?")
        if line.isascii():
            continue
        try:
            line.decode()
            found.utf8 += 1
        except UnicodeDecodeError:
            found.other += 1
            if len(sample) < SAMPLE:
                sample += line[:SAMPLE] + b"\n"
    if found.other:
        found.encoding = detect(bytes(sample))
    return found


def tell_encoding(found: Survey, name: str, remark: Remark) -> None:
    """Remarks on an encoding that had to be guessed."""
    if found.other:
        lines = "1 line is" if found.other == 1 else f"{found.other} lines are"
        remark(f"{name}: {lines} not UTF-8; read as {NAMES[found.encoding]}.")


def byte_lines(stream: BinaryIO, name: str, head: bytes = b"") -> Iterator[bytes]:
    """The lines of a file, whether they end as on Unix, Windows or the old Macintosh, without their ends."""
    held, number = head, 0
    while chunk := stream.readline(LONGEST_ROW):
        chunk, held = held + chunk, b""
        lines = chunk.splitlines()
        if not chunk.endswith(b"\n"):
            held = lines.pop() + (b"\r" if chunk.endswith(b"\r") else b"")
            if len(held) > LONGEST_ROW:
                where = f"line {number + len(lines) + 1} is over {LONGEST_ROW >> 20} MiB long"
                raise CatalogError(f"{name}: {where}. Is it the right file?")
        number += len(lines)
        yield from lines
    yield from held.splitlines()


def text_lines(stream: BinaryIO, found: Survey, name: str) -> Iterator[str]:
    """The lines of a file as text, in the encoding that a survey of it found; a line that is UTF-8 is read as that."""
    if found.encoding == "utf-16":
        yield from _wide_lines(stream, name)
        return
    fallback = found.encoding
    for number, line in enumerate(byte_lines(stream, name)):
        if not number:
            line = line.removeprefix(codecs.BOM_UTF8)
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield decoded(line, fallback)


def _wide_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding="utf-16")
    try:
        while line := text.readline(LONGEST_ROW):
            if len(line) == LONGEST_ROW:
                raise CatalogError(f"{name}: a line of over {LONGEST_ROW >> 20} MiB. Is it the right file?")
            yield line.rstrip("\n")
    except UnicodeError as error:
        raise CatalogError(f"{name}: starts as UTF-16 but is not ({error}). Is it the right file?") from None
    finally:
        with suppress(ValueError):  # the file may be closed before we are
            text.detach()
