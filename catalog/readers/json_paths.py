"""Values at paths inside JSON documents, with one value in memory at a time; and small documents as a whole."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, TypeVar

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import LONGEST_ROW

_CHUNK: Final = 1 << 18  # bytes
_SPACE = re.compile(r"\s*")
# Outside of strings only brackets change the depth.
_STRUCTURE = re.compile(r'["{}\[\]]')
# Characters of a number: one at the end of the buffer may continue in the next chunk.
_NUMBER_PART = re.compile(r"[-+.eE0-9]*")
# From after the opening quotation mark to the closing one, with escapes.
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*"')

DOCUMENT: Final = "."
"""The path of the document itself."""


def values_at(stream: BinaryIO, name: str, path: str, longest: int = LONGEST_ROW) -> Iterator[tuple[str, str, bytes]]:
    """Yield the values of the list or object at a path such as `data.cards`: position, key and JSON of each.

    The key is that of an object's entry, and "" in a list; `*` in a path stands for any key or entry. If the document
    itself is a list, the path is ignored.

    Raises:
        FileFormatError: If the file is not JSON, has nothing at the path, is incomplete, or has a value of over
            `longest` bytes.
    """
    text = _Text(stream, name, longest)
    if text.peek() == "[":
        # An empty path: the list itself.
        yield from _values(text, [])
        return
    found = False
    for value in _values(text, [] if path == DOCUMENT else path.split(".")):
        found = True
        yield value
    if not found and not text.reached:
        raise FileFormatError(f"it has no list at {path!r}, where the layout looks for cards (rows).", file=name)


def _values(text: "_Text", path: list[str]) -> Iterator[tuple[str, str, bytes]]:
    """Yield the entries below a path from the current position; skip all others."""
    opening = text.peek()
    if opening not in "[{":
        text.skip()
        return
    if not path:
        text.reached = True
    for number, key in enumerate(text.entries(opening), 1):
        if not path:
            yield (f"entry {key!r}" if opening == "{" else f"value {number}"), key, text.value()
        elif path[0] in (key, "*"):
            yield from _values(text, path[1:])
        else:
            text.skip()


def values_at_paths(stream: BinaryIO, name: str, paths: Iterable[str]) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """Yield the values at several paths, such as `data.*.cards.*`, in one pass: the keys of each, and its JSON.

    An entry of a list has the key ""; `*` stands for any key. Nothing at a path is not an error.

    Raises:
        FileFormatError: If the file is not JSON, is incomplete, or has a value of over `LONGEST_ROW` bytes.
    """
    yield from _values_at_paths(_Text(stream, name, LONGEST_ROW), [path.split(".") for path in paths], ())


def _values_at_paths(
    text: "_Text", paths: list[list[str]], keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], bytes]]:
    opening = text.peek()
    if opening not in "[{":
        text.skip()
        return
    for key in text.entries(opening):
        # The rests of the paths that begin with this key.
        rest = [path[1:] for path in paths if path[0] in (key, "*")]
        # A path ends here: yield the whole value.
        if [] in rest:
            yield (*keys, key), text.value()
        elif rest:
            yield from _values_at_paths(text, rest, (*keys, key))
        else:
            text.skip()


class _Text:
    """A JSON document that is read in chunks, and the current position."""

    def __init__(self, stream: BinaryIO, name: str, longest: int) -> None:
        self.stream, self.name, self.longest = stream, name, longest
        self.reached = False
        self.buffer, self.position = "", 0
        self.decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        # Keep numbers as text, and allow control characters in strings: rows are validated later.
        self.scan = json.JSONDecoder(parse_int=str, parse_float=str, strict=False).raw_decode

    def more(self) -> bool:
        """Read another chunk, drop the text before the current position, and return whether there was a chunk."""
        # The beginning of an incomplete value.
        pending = len(self.buffer) - self.position
        if pending > self.longest:
            self.fail(f"a value of over {self.longest >> 20} MiB, or damaged; is it the right file?")
        # Double the buffer, to keep the number of attempts small.
        chunk = self.stream.read(max(_CHUNK, pending))
        try:
            # The decoder keeps an incomplete character for the next chunk.
            text = self.decode(chunk, not chunk)
        except UnicodeDecodeError:
            self.fail("not UTF-8, which JSON requires; is it the right file?")
        self.buffer, self.position = self.buffer[self.position :] + text, 0
        return bool(chunk)

    def fail(self, what: str) -> None:
        raise FileFormatError(what, file=self.name)

    def peek(self) -> str:
        """Return the next character that is not a space, without consuming it."""
        while True:
            match = _SPACE.match(self.buffer, self.position)
            self.position = match.end() if match else self.position
            if self.position < len(self.buffer):
                return self.buffer[self.position]
            if not self.more():
                self.fail("the file ends too early. Download it again.")

    def take(self, wanted: str) -> str:
        """Consume and return the next character that is not a space; fail if it is not a `wanted` one."""
        character = self.peek()
        if character not in wanted:
            self.fail(f"not JSON: {character!r} found where one of {' '.join(wanted)} should.")
        self.position += 1
        return character

    def entries(self, opening: str) -> Iterator[str]:
        """Yield the key of each entry of an object ("" in a list). The caller must consume its value each time."""
        closing = "}" if opening == "{" else "]"
        self.take(opening)
        if self.peek() == closing:
            self.position += 1
            return
        while True:
            key = ""
            if opening == "{":
                key = self._key()
                self.take(":")
            yield key
            if self.take("," + closing) == closing:
                return

    def value(self) -> bytes:
        """Consume and return a whole value."""
        self.peek()
        text, _ = self._end()
        return text.encode()

    def _key(self) -> str:
        if self.peek() != '"':
            self.fail(f"not JSON: {self.buffer[self.position]!r} stands where a key should.")
        _, key = self._end()
        return str(key)

    def _end(self) -> tuple[str, object]:
        """Consume the value at the current position; return its text and its decoded value."""
        while True:
            try:
                value, end = self.scan(self.buffer, self.position)
            except RecursionError:
                self.fail("nested too deeply to be card data.")
            # Incomplete so far, or damaged.
            except ValueError as error:
                if not self.more():
                    self.fail(f"the JSON is damaged or incomplete ({error}). Download it again.")
                continue
            # "12" at the end of the buffer may be the beginning of 120 or 12.5.
            if _NUMBER_PART.fullmatch(self.buffer, end) and self.more():
                continue
            text, self.position = self.buffer[self.position : end], end
            if len(text) > self.longest:
                self.fail(f"a value of over {self.longest >> 20} MiB; is it the right file?")
            return text, value

    def skip(self) -> None:
        """Skip a value of any length."""
        # Count brackets instead of parsing: the value may be larger than the memory.
        depth = 0
        if self.peek() not in '"{[':
            self._end()
            return
        while True:
            match = _STRUCTURE.search(self.buffer, self.position)
            if match is None:
                self.position = len(self.buffer)
                if not self.more():
                    self.fail("the file ends too early. Download it again.")
                continue
            self.position = match.end()
            if match.group() == '"':
                self._skip_text()
            else:
                depth += 1 if match.group() in "{[" else -1
            if depth <= 0:
                return

    def _skip_text(self) -> None:
        while (end := _STRING_END.match(self.buffer, self.position)) is None:
            if not self.more():
                self.fail("the file ends too early. Download it again.")
        self.position = end.end()


LARGEST: Final = 4 << 20
"""The most bytes of a list that is read as a whole; real ones have under 200 KiB."""

Kind = TypeVar("Kind")


def read_json_list(tree: Tree, pattern: str, kind: type[Kind]) -> list[Kind]:
    """Return the items of the list in the first file that matches a pattern, or an empty list if no file does.

    Raises:
        FileFormatError: If the file is not such a list.
    """
    for name in tree.matching(pattern)[:1]:
        with tree.open(name) as stream:
            body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise FileFormatError(f"a list of over {LARGEST >> 20} MiB. Is it the right file?", file=name)
        try:
            # A byte order mark is not JSON.
            return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"), type=list[kind])  # type: ignore[valid-type]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FileFormatError(f"not the expected list ({error}). Download it again.", file=name) from None
    return []


def read_fact(body: bytes) -> object:
    """Decode a value besides the cards, such as the name of a set, which may contain control characters.

    Return None if it is not JSON. Cards are decoded more strictly: a bad card is reported, a bad value only ignored.
    """
    try:
        # parse_int=float: `int` is very slow for a million digits.
        return json.loads(body, strict=False, parse_int=float)
    except (ValueError, RecursionError):
        return None


def as_documented(answer: object, kind: type[Kind], what: str) -> Kind:
    """Convert a source's answer into a type.

    Raises:
        CatalogError: If it does not have this form.
    """
    try:
        return msgspec.convert(answer, kind)
    except msgspec.ValidationError as error:
        raise CatalogError(f"{what} has an unexpected form ({error}). Is ccgrid up to date?") from None
