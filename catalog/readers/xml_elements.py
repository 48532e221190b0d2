"""XML data files, read with one element in memory at a time.

A document type is harmless, but declaring or using an entity is an error, so that nothing is fetched or expanded.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final, NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder  # without its parser
from xml.parsers import expat

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import LONGEST_ROW, EmptyFileError

_CHUNK: Final = 1 << 16  # bytes to parse at a time
_DEEPEST: Final = 50  # nested elements
_MOST_PARTS: Final = 20_000
"""The most elements inside a yielded one; real ones have under 2,000."""
_LONGEST_PART: Final = 4 * LONGEST_ROW
"""The most bytes without an element or a text, such as one long comment."""


class FoundElement(NamedTuple):
    """An element, and the line on which it begins."""

    line: int
    element: Element


def refuse_entities(parser: expat.XMLParserType, name: str) -> None:
    """Make a parser raise FileFormatError if a document declares an entity, or uses one that XML does not define."""

    def refuse(*_: object) -> None:
        raise FileFormatError("it defines an XML entity, which is not allowed.", file=name)

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse


def roots(tree: Tree) -> dict[str, str | None]:
    """Return the name of the root of each XML file of a data set: "" if it is not XML, None if it is empty."""
    found: dict[str, str | None] = {}
    for name in tree.matching("*.xml") or tree.names[:1]:
        tags: list[str] = []
        parser = expat.ParserCreate()
        # A default argument, because a closure would refer to the list of the last file.
        parser.StartElementHandler = lambda tag, _, tags=tags: tags.append(tag)
        found[name] = None
        with suppress(EmptyFileError), tree.open(name) as stream:
            if head := stream.read(_CHUNK):
                with suppress(expat.ExpatError, LookupError, ValueError):  # not XML, or damaged after the root
                    # False: this is not the end of the document.
                    parser.Parse(head, False)
                found[name] = tags[0] if tags else ""
    return found


class Elements:
    """The elements of a document with some names, in file order; an element inside another one is part of it.

    Iterating raises FileFormatError if the file has another root, is incomplete or damaged. If only an end tag is
    wrong, after the last element, reading continues to the end, and `damage` describes the error.

    Attributes:
        root: The required name of the root.
        wanted: The names of the elements.
        attributes: The attributes of the root; complete when the first element is yielded.
        damage: The error after the last element, or "".
    """

    def __init__(self, stream: BinaryIO, name: str, root: str, wanted: frozenset[str]) -> None:
        self.name, self.root, self.wanted = name, root, wanted
        self.attributes: dict[str, str] = {}
        self.damage = ""
        self._stream = stream
        self._found: list[FoundElement] = []
        self._path: list[str] = []
        self._building: TreeBuilder | None = None
        # The depth of the current element, its line, its size and its number of parts; and the bytes since the last
        # element or text.
        self._inside = self._line = self._size = self._parts = self._quiet = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        refuse_entities(self._parser, name)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def __iter__(self) -> Iterator[FoundElement]:
        # Not empty, so that the loop begins.
        fed, chunk = 0, b"?"
        while chunk:
            chunk = self._stream.read(_CHUNK)
            self._quiet += len(chunk)
            if self._quiet > _LONGEST_PART:
                self._fail(f"over {_LONGEST_PART >> 20} MiB without an element. Is it the right file?")
            try:
                # An empty chunk is the end of the file.
                self._parser.Parse(chunk, not chunk)
            except expat.ExpatError as error:
                # The parser counts bytes from the beginning of the file; the chunk begins at `fed`.
                self._check_rest(error, chunk[max(0, self._parser.ErrorByteIndex - fed) :])
                yield from self._found
                return
            except CatalogError:
                raise
            except (LookupError, ValueError) as error:  # an unknown encoding
                self._fail(f"not XML that can be read ({error}). Is it the right file?")
            fed += len(chunk)
            found, self._found = self._found, []
            yield from found

    def _check_rest(self, error: expat.ExpatError, rest: bytes) -> None:
        """Set `damage` if only an end tag is wrong and no further element follows; else raise FileFormatError."""
        why = f"{expat.ErrorString(error.code)}, line {error.lineno}"
        # The text after the damage must be short and end the document.
        rest += self._stream.read(_CHUNK)
        is_end = len(rest) < _CHUNK and f"</{self.root}>".encode() in rest
        follows = any(f"<{name}".encode() in rest for name in self.wanted)
        if not self._path and not self._found and not self.attributes:
            self._fail(f"not XML ({why}). Is it the right file?")
        mismatched = expat.ErrorString(error.code) == expat.errors.XML_ERROR_TAG_MISMATCH
        if not mismatched or not is_end or follows or self._building is not None:
            self._fail(f"damaged XML ({why}). Download it again, or repair it: files are not read in part.")
        self.damage = f"{self.name}: not well-formed XML ({why}), but only after its content, which was read."

    def _fail(self, what: str) -> None:
        raise FileFormatError(what, file=self.name)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._quiet = 0
        if not self._path and tag != self.root:
            self._fail(f"it starts with <{tag[:40]}>, not with <{self.root}>. Is it the right file?")
        if not self._path:
            self.attributes = attributes
        # <card> … <card>: in these files cards are never nested.
        if self._building is not None and self._inside == 1 and tag == self._path[-1]:
            self._finish()  # the outer element was not closed
        self._path.append(tag)
        if len(self._path) > _DEEPEST:
            self._fail("nested too deeply to be card data.")
        if self._building is None and tag in self.wanted:
            self._building, self._line = TreeBuilder(), self._parser.CurrentLineNumber
            self._inside = self._size = self._parts = 0
        if self._building is not None:
            self._inside += 1
            self._parts += 1
            self._grow(sum(map(len, attributes)) + sum(map(len, attributes.values())))
            self._building.start(tag, attributes)

    def _end(self, tag: str) -> None:
        self._quiet = 0
        self._path.pop()
        if self._building is not None:
            self._building.end(tag)
            self._inside -= 1
            if not self._inside:
                self._found.append(FoundElement(self._line, self._building.close()))
                self._building = None

    def _finish(self) -> None:
        """End an element that was not closed, at the beginning of the next one of its name."""
        assert self._building is not None  # noqa: S101  asked before
        self._building.end(self._path.pop())
        self._found.append(FoundElement(self._line, self._building.close()))
        self._building = None

    def _characters(self, text: str) -> None:
        self._quiet = 0
        if self._building is not None:
            self._grow(len(text))
            self._building.data(text)

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > LONGEST_ROW or self._parts > _MOST_PARTS:
            self._fail(f"the element on line {self._line} is too large to be card data. Is it the right file?")
