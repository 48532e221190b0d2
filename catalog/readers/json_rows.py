"""A list somewhere inside a JSON document, read a value at a time: memory holds one value, however long the list."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import LONGEST_ROW

_CHUNK: Final = 1 << 18  # bytes
_SPACE = re.compile(r"\s*")
# Outside of texts these alone change how deep we are.
_STRUCTURE = re.compile(r'["{}\[\]]')
# What a number consists of: if nothing else is left of the text read so far, it may go on.
_NUMBER_PART = re.compile(r"[-+.eE0-9]*")
# From behind the opening quotation mark to the closing one; a backslash takes the next character with it.
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*"')


def values_at(stream: BinaryIO, name: str, path: str, longest: int = LONGEST_ROW) -> Iterator[tuple[str, str, bytes]]:
    """The values of the list, or of the object, at a path such as `data.cards`: where each is, its key, its JSON.

    The key is that of an object's entry, and empty in a list; `*` in a path is any one key or entry. A
    document that is a list itself is that list, whatever the path. Raises CatalogError where the file is no JSON, has
    nothing at the path, is cut off, or has a value of over `longest` bytes.
    """
    text = _Text(stream, name, longest)
    if text.peek() == "[":
        # An empty path: the list itself.
        yield from _values(text, [])
        return
    found = False
    for value in _values(text, path.split(".")):
        found = True
        yield value
    if not found and not text.reached:
        raise FileFormatError(f"it has no list at {path!r}, where the layout looks for cards (rows).", file=name)


def _values(text: "_Text", path: list[str]) -> Iterator[tuple[str, str, bytes]]:
    """The entries below a path from the current place of the text; the rest is skipped."""
    opening = text.peek()
    if opening not in "[{":
        text.skip()
        return
    if not path:
        text.reached = True
    for number, key in enumerate(text.entries(opening), 1):
        if not path:
            yield (f"entry {key!r}" if opening == "{" else f"value {number}"), key, text.value()
        # A key of the path, or any one.
        elif path[0] in (key, "*"):
            yield from _values(text, path[1:])
        else:
            text.skip()


def values_at_paths(
    stream: BinaryIO, name: str, paths: Iterable[str], longest: int = LONGEST_ROW
) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """The values at any of these paths, such as `data.*.cards.*`, in one pass: the keys that lead there, and its JSON.

    An entry of a list has the key ''; `*` is any one. Raises CatalogError where the file is no JSON, is cut
    off, or has a value of over `longest` bytes; not where there is nothing at a path.
    """
    yield from _values_at_paths(_Text(stream, name, longest), [path.split(".") for path in paths], ())


def _values_at_paths(
    text: "_Text", paths: list[list[str]], keys: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], bytes]]:
    opening = text.peek()
    if opening not in "[{":
        text.skip()
        return
    for key in text.entries(opening):
        # What is left of each path that this key begins.
        rest = [path[1:] for path in paths if path[0] in (key, "*")]
        # A path ends here: the value is what was asked for, and is not looked into.
        if [] in rest:
            yield (*keys, key), text.value()
        elif rest:
            yield from _values_at_paths(text, rest, (*keys, key))
        else:
            text.skip()


class _Text:
    """The text of a document, of which a part is held, and where in it we are."""

    def __init__(self, stream: BinaryIO, name: str, longest: int) -> None:
        self.stream, self.name, self.longest = stream, name, longest
        self.reached = False
        self.buffer, self.position = "", 0
        self.decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        # Numbers stay as they are written; control characters in texts are let through, cards are judged later.
        self.scan = json.JSONDecoder(parse_int=str, parse_float=str, strict=False).raw_decode

    def more(self) -> bool:
        """Reads on; what was read is dropped."""
        # What is held and not used yet: the beginning of a value that is not whole.
        pending = len(self.buffer) - self.position
        if pending > self.longest:
            self.fail(f"a value of over {self.longest >> 20} MiB, or damaged; is it the right file?")
        # Reading as much again as is held keeps the number of tries small.
        chunk = self.stream.read(max(_CHUNK, pending))
        try:
            # The decoder keeps the beginning of a letter that was cut by the chunk.
            text = self.decode(chunk, not chunk)
        except UnicodeDecodeError:
            self.fail("not UTF-8, which JSON requires; is it the right file?")
        self.buffer, self.position = self.buffer[self.position :] + text, 0
        return bool(chunk)

    def fail(self, what: str) -> None:
        raise FileFormatError(what, file=self.name)

    def peek(self) -> str:
        """The next character that is not a space, without taking it."""
        while True:
            match = _SPACE.match(self.buffer, self.position)
            self.position = match.end() if match else self.position
            if self.position < len(self.buffer):
                return self.buffer[self.position]
            if not self.more():
                self.fail("the file ends too early. Download it again.")

    def take(self, wanted: str) -> str:
        """Takes the next character, which must be one of those wanted."""
        character = self.peek()
        if character not in wanted:
            self.fail(f"not JSON: {character!r} found where one of {' '.join(wanted)} should.")
        self.position += 1
        return character

    def entries(self, opening: str) -> Iterator[str]:
        """The key of each entry of an object (nothing in a list), standing before its value, which must be taken."""
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
        """Takes a whole value."""
        self.peek()
        text, _ = self._end()
        return text.encode()

    def _key(self) -> str:
        if self.peek() != '"':
            self.fail(f"not JSON: {self.buffer[self.position]!r} stands where a key should.")
        _, key = self._end()
        return str(key)

    def _end(self) -> tuple[str, object]:
        """Takes the value that begins here: its text, and what it says."""
        while True:
            try:
                value, end = self.scan(self.buffer, self.position)
            except RecursionError:
                self.fail("nested too deeply to be card data.")
            # Not whole yet, or damaged: read on as long as there is anything.
            except ValueError as error:
                if not self.more():
                    self.fail(f"the JSON is damaged or cut off ({error}). Download it again.")
                continue
            # A number may go on in what has not been read yet, after a point or an e as well.
            # "12" at the end of what was read may be 12, 120 or 12.5.
            if _NUMBER_PART.fullmatch(self.buffer, end) and self.more():
                continue
            text, self.position = self.buffer[self.position : end], end
            if len(text) > self.longest:
                self.fail(f"a value of over {self.longest >> 20} MiB; is it the right file?")
            return text, value

    def skip(self) -> None:
        """Passes over a value, however long it is."""
        # Counts brackets in place of parsing: what is passed over may be larger than memory.
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
        # The text goes on in what has not been read.
        while (end := _STRING_END.match(self.buffer, self.position)) is None:
            if not self.more():
                self.fail("the file ends too early. Download it again.")
        self.position = end.end()


LARGEST: Final = 4 << 20
"""The largest list that is read, in bytes; real ones stay under 200 KiB."""

Kind = TypeVar("Kind")


def read_json_list(tree: Tree, pattern: str, kind: type[Kind]) -> list[Kind]:
    """The things in the first file of this name, none without such a file; CatalogError where it is not a list."""
    for name in tree.matching(pattern)[:1]:
        with tree.open(name) as stream:
            body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise FileFormatError(f"a list of over {LARGEST >> 20} MiB. Is it the right file?", file=name)
        try:
            # The mark at the beginning is not JSON.
            return msgspec.json.decode(body.removeprefix(b"\xef\xbb\xbf"), type=list[kind])  # type: ignore[valid-type]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise FileFormatError(f"not the expected list ({error}). Download it again.", file=name) from None
    return []


def read_fact(body: bytes) -> Any:
    """One value beside the cards, such as a set's name, in which a control character may be; None for what is none.

    Cards are judged more strictly, one by one: each of them is counted, a fact would be lost without a word.
    """
    try:
        # parse_int=float: a number of a million digits would take `int` for ever.
        return json.loads(body, strict=False, parse_int=float)
    except (ValueError, RecursionError):
        return None


def as_documented(answer: Any, kind: type[Kind], what: str) -> list[Kind]:
    """A source's answer as the list that it should be; CatalogError says what is wrong with it."""
    try:
        return msgspec.convert(answer, list[kind])  # type: ignore[valid-type]
    except msgspec.ValidationError as error:
        raise CatalogError(f"{what} has an unexpected form ({error}). Is ccgrid up to date?") from None
