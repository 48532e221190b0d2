"""XML data files, an element at a time: memory holds one element, and nothing in a file is fetched or unfolded.

A document type is harmless; an entity is refused where it is declared or used, so that nothing can be drawn in or grow.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, Final, NamedTuple
from xml.etree.ElementTree import Element, TreeBuilder  # what is built here comes from the parser below alone
from xml.parsers import expat

from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.readers.archives import Tree
from ccgrid.catalog.readers.streams import LONGEST_ROW, EmptyFileError

_CHUNK: Final = 1 << 16  # bytes that are parsed at a time
_DEEPEST: Final = 50  # elements in each other
_MOST_PARTS: Final = 20_000
"""The most elements in one that is read; real ones have under 2,000."""
_LONGEST_PART: Final = 4 * LONGEST_ROW
"""The most bytes that may pass without an element or a text, as in one long comment."""


class FoundElement(NamedTuple):
    """One element, and the line on which it begins."""

    line: int
    element: Element


def refuse_entities(parser: expat.XMLParserType, name: str) -> None:
    """Lets a parser raise CatalogError where a document declares an entity, or uses one that is not of XML itself."""

    def refuse(*_: Any) -> None:
        raise FileFormatError("it defines an XML entity; refused.", file=name)

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = refuse


def roots(tree: Tree) -> dict[str, str | None]:
    """What the root of each file of a data set is called: nothing where it is no XML, None where it is empty."""
    found: dict[str, str | None] = {}
    for name in tree.matching("*.xml") or tree.names[:1]:
        tags: list[str] = []
        parser = expat.ParserCreate()
        # A default argument keeps this file's list: the name alone would mean the last one.
        parser.StartElementHandler = lambda tag, _, tags=tags: tags.append(tag)
        found[name] = None
        with suppress(EmptyFileError), tree.open(name) as stream:
            if head := stream.read(_CHUNK):
                with suppress(expat.ExpatError, LookupError, ValueError):  # no XML, or damaged further on
                    # Not the end: only the first element is wanted.
                    parser.Parse(head, False)
                found[name] = tags[0] if tags else ""
    return found


class Elements:
    """The elements of these names, in file order; one that is inside another belongs to that.

    `root` is what the document must be called; what its root says is in `attributes` from the first element on. Raises
    CatalogError where the file is not that, is cut off or is damaged. One in which nothing but closing is wrong behind
    the last element is read to the end, and `damage` says so then.
    """

    def __init__(self, stream: BinaryIO, name: str, root: str, wanted: frozenset[str]) -> None:
        self.name, self.root, self.wanted = name, root, wanted
        self.attributes: dict[str, str] = {}
        self.damage = ""
        self._stream = stream
        self._found: list[FoundElement] = []
        self._path: list[str] = []
        self._building: TreeBuilder | None = None
        # How deep in the element that is built, on which line it began, how large it is, how many parts it has, and how
        # many bytes have passed since the last element or text.
        self._inside = self._line = self._size = self._parts = self._quiet = 0
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        refuse_entities(self._parser, name)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def __iter__(self) -> Iterator[FoundElement]:
        # Anything that is not empty, so that the loop begins.
        fed, chunk = 0, b"?"
        while chunk:
            chunk = self._stream.read(_CHUNK)
            self._quiet += len(chunk)
            if self._quiet > _LONGEST_PART:
                self._fail(f"over {_LONGEST_PART >> 20} MiB without an element. Is it the right file?")
            try:
                # An empty chunk says that the file is over.
                self._parser.Parse(chunk, not chunk)
            except expat.ExpatError as error:
                # The parser counts bytes from the beginning of the file, the chunk begins at `fed`.
                self._check_rest(error, chunk[max(0, self._parser.ErrorByteIndex - fed) :])
                yield from self._found
                return
            except CatalogError:
                raise
            except (LookupError, ValueError) as error:  # an encoding that is not known
                self._fail(f"not XML that can be read ({error}). Is it the right file?")
            fed += len(chunk)
            found, self._found = self._found, []
            yield from found

    def _check_rest(self, error: expat.ExpatError, rest: bytes) -> None:
        """Whether no more is wrong than that an element was never closed, and no element of those wanted follows."""
        why = f"{expat.ErrorString(error.code)}, line {error.lineno}"
        # What follows the damage: it has to be short, and to close the document.
        rest += self._stream.read(_CHUNK)
        is_end = len(rest) < _CHUNK and f"</{self.root}>".encode() in rest
        follows = any(f"<{name}".encode() in rest for name in self.wanted)
        if not self._path and not self._found and not self.attributes:
            self._fail(f"not XML ({why}). Is it the right file?")
        mismatched = expat.ErrorString(error.code) == expat.errors.XML_ERROR_TAG_MISMATCH
        if not mismatched or not is_end or follows or self._building is not None:
            self._fail(f"damaged XML ({why}). Download it again, or mend it: files are not read in part.")
        self.damage = f"{self.name}: not well-formed XML ({why}), but only after its content, which was read."

    def _fail(self, what: str) -> None:
        raise FileFormatError(what, file=self.name)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._quiet = 0
        if not self._path and tag != self.root:
            self._fail(f"it starts with <{tag[:40]}>, not with <{self.root}>. Is it the right file?")
        if not self._path:
            self.attributes = attributes
        # <card> … <card>: in these files cards are never in cards.
        if self._building is not None and self._inside == 1 and tag == self._path[-1]:
            self._finish()  # it is inside one of its own kind: that was never closed
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
        """Takes an element that was never closed as ended, where the next of its kind begins."""
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
