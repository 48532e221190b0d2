"""Lines of text out of bytes: which encoding a file is in, as far as its bytes tell, and how its lines end."""

import codecs
import io
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from catalog.allowance import not_endless
from catalog.card import CatalogError
from catalog.readers.detection import NAMES, SAMPLE, decoded, detect
from catalog.readers.streams import LONGEST_ROW

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
        raise CatalogError(f"{name}: begins as UTF-16, and is not ({error}). Is it the right file?") from None
    finally:
        with suppress(ValueError):  # the file may be closed before we are
            text.detach()
