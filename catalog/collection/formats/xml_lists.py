"""Reads and writes lists of cards in XML: MTGO's and LackeyCCG's `.dek`, Cockatrice's `.cod`; reads OCTGN's `.o8d`.

The parser is expat with its defaults, which fetches nothing from anywhere.
"""

import html
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Final
from xml.parsers import expat

from ccgrid.catalog.collection.formats.format import (
    LONGEST_RAW,
    CollectionFile,
    FileRows,
    SkippedRow,
    is_beside,
    skip_part,
)
from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES, Holding
from ccgrid.catalog.lines import is_considered
from ccgrid.catalog.list_text import is_html_list
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.readers.streams import open_data

_CHUNK: Final = 1 << 16  # bytes that are parsed at a time
_DEEPEST: Final = 50  # elements in each other; lists have four
_FORMATS: Final = {"deck": "mtgo-dek", "cockatrice_deck": "cockatrice"}
_OCTGN_MAGIC: Final = "a6c8d2e8-7cd8-11dd-8f94-e62b56d89593"
"""What OCTGN calls Magic, whose cards come from elsewhere; other games' ids are in their layouts."""
_PARTS: Final = ("zone", "superzone", "section")
"""Elements that hold a part of a deck: Cockatrice's, LackeyCCG's, OCTGN's."""
_IDS: Final = {"catid": "mtgo", "uuid": "scryfall", "id": "id"}
"""Whose the id in an attribute is; OCTGN's is Scryfall's for some games and sets, and its own for others."""


class _XmlRows:
    """The rows of a list, collected while expat reads; `format` is known from the first element on."""

    def __init__(self, name: str) -> None:
        # While expat reads: `text` gathers what stands in an element that is wanted, else it is None; `card` holds what
        # was read of a card that is not complete, `part` its part of the deck.
        self.name, self.format, self.depth = name, "", 0
        self.deck = self.game = ""
        self.part = ""
        self.rows: list[Row | SkippedRow] = []
        self.text: list[str] | None = None
        self.card: dict[str, str] = {}
        self.line = 0
        from ccgrid.catalog.readers.xml_elements import refuse_entities  # loads a second reader of XML

        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        refuse_entities(self.parser, name)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def feed(self, data: bytes, *, last: bool) -> list[Row | SkippedRow]:
        """Yield the rows that these bytes complete.

        Raises:
            CatalogError: If they are not XML.
        """
        try:
            self.parser.Parse(data, last)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FileFormatError(f"damaged XML ({reason}, line {error.lineno}).", file=self.name) from None
        # One of ours, which is a ValueError as well: from `_start`, or for an entity.
        except CatalogError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that is not known
            raise FileFormatError(f"not XML that can be read ({error}).", file=self.name) from None
        rows, self.rows = self.rows, []
        return rows

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise FileFormatError("nested too deeply for a deck list.", file=self.name)
        tag = tag.casefold()
        if not self.format:
            if tag not in _FORMATS:
                raise FileFormatError(
                    f"an XML list starts with <deck> or <cockatrice_deck>, not <{tag[:40]}>.", file=self.name
                )
            self.format = _FORMATS[tag]
            # Three programs call their root <deck>: LackeyCCG gives a version, OCTGN a game, MTGO neither.
            if tag == "deck" and "version" in attributes:
                self.format = "lackey"
            elif tag == "deck" and "game" in attributes:
                self.format, self.game = "octgn", attributes["game"].casefold()
            return
        # MTGO writes CatID and Quantity, Cockatrice setShortName: names are compared in one case.
        values = {key.casefold(): value for key, value in attributes.items()}
        if tag in _PARTS:
            self.part = values.get("name", "")
        elif tag == "cards" and self.format == "mtgo-dek":
            self._add(values, "quantity", values.get("sideboard", ""))
        elif tag == "card" and self.format == "cockatrice":
            self._add(values, "number", self.part)
        # <card qty="3" id="...">Name</card>: the row is complete at its end.
        elif tag == "card" and self.format == "octgn":
            self.card, self.text = values, []
        # MTGO's elements are <Cards>: a <card> in such a list is of LackeyCCG, without a version.
        #
        #     <card><name>Name</name><set>code</set></card>
        elif tag == "card":
            self.format, self.card, self.line = "lackey", {}, self.parser.CurrentLineNumber
        elif (tag in ("name", "set") and self.format == "lackey") or tag == "deckname":
            self.text = []

    def _characters(self, text: str) -> None:
        # Expat gives long texts in pieces; what goes on for megabytes is not gathered.
        if self.text is not None and sum(map(len, self.text)) < LONGEST_TEXT:
            self.text.append(text)

    def _end(self, tag: str) -> None:
        self.depth -= 1
        tag = tag.casefold()
        if self.text is not None and tag in ("name", "set", "deckname", "card"):
            text = " ".join("".join(self.text).split())[:LONGEST_TEXT]
            self.text = None
            if tag == "deckname":
                self.deck = text
            elif tag == "card":
                self._add({**self.card, "name": text}, "qty", self.part)
            else:
                self.card[tag] = text
        elif tag == "card" and self.format == "lackey":
            # One element for each copy, so every row is one copy.
            raw = f"{self.card.get('name', '')} [{self.card.get('set', '')}]"
            name, set_code = self.card.get("name", ""), self.card.get("set", "")
            if is_considered(self.part):
                self.rows.append(skip_part(self.line, raw, self.part, 1))
            elif name:
                beside = is_beside(self.part)
                self.rows.append(Row(self.line, raw, ((NORMAL, 1),), name, set_code, set_code, beside=beside))
            else:
                self.rows.append(SkippedRow(self.line, raw, "it names no card"))

    def _add(self, attributes: Mapping[str, str], count: str, part: str) -> None:
        line = self.parser.CurrentLineNumber
        raw = " ".join(f"{key}={value!r}" for key, value in attributes.items())[:LONGEST_RAW]
        # Cockatrice leaves a count of one out.
        copies, name = attributes.get(count, "1"), attributes.get("name", "")[:LONGEST_TEXT]
        # Fewer than eight digits before `int`, which takes long for very long numbers.
        if not (copies.isascii() and copies.isdigit() and len(copies) < 8 and 0 < int(copies) <= MOST_COPIES):
            self.rows.append(SkippedRow(line, raw, f"{copies[:40]!r} is not a number of copies"))
            return
        if is_considered(part):
            self.rows.append(skip_part(line, raw, part, int(copies)))
            return
        set_code = attributes.get("setshortname", "")
        self.rows.append(
            Row(
                line,
                raw,
                ((NORMAL, int(copies)),),
                name,
                set_code[:LONGEST_TEXT],
                "",
                attributes.get("collectornumber", "")[:LONGEST_TEXT],
                tuple((kind, attributes[key]) for key, kind in _IDS.items() if attributes.get(key)),
                beside=is_beside(part),
            )
        )


def sniff(file: CollectionFile) -> bool:
    """Return whether a file starts like XML."""
    start = file.beginning()
    return start.startswith(b"<") and not is_html_list(start.decode("ascii", "replace"))


def read(file: CollectionFile) -> FileRows:
    """Read the rows of a list in XML of any known program.

    Raises:
        CatalogError: If it is not such a list.
    """
    found, deck, _, rows = read_xml(file.path, file.name)
    return FileRows(rows, "XML", found, deck=deck)


def octgn_games(path: Path) -> tuple[str, ...]:
    """Return the possible games of OCTGN's deck; if no layout knows its id, a game without cards."""
    from ccgrid.catalog.layouts.layout_file import all_layouts  # other files need none

    game = read_xml(path, path.name)[2]
    known = [layout.game for layout in all_layouts()[0] if layout.octgn and game in layout.octgn.games]
    return ("mtg",) if game == _OCTGN_MAGIC else tuple(known) or (f"the OCTGN game {game[:40]}",)


def read_xml(path: Path, name: str) -> tuple[str, str, str, Iterator[Row | SkippedRow]]:
    """Read a list in XML: its format, the name of the deck, OCTGN's id of its game, and its rows, lazily.

    Raises:
        CatalogError: If it is not such a list.
    """
    reader = _XmlRows(name)
    rows = _rows(reader, path)
    # What comes before the first row tells the format, the game and the deck's name.
    first = list(islice(rows, 1))
    return reader.format, reader.deck, reader.game, chain(first, rows)


def _rows(reader: _XmlRows, path: Path) -> Iterator[Row | SkippedRow]:
    with open_data(path) as stream:
        while data := stream.read(_CHUNK):
            yield from reader.feed(data, last=False)
        yield from reader.feed(b"", last=True)


# --- writing ----------------------------------------------------------------------------------------------------

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


def write_mtgo(holdings: Iterable[Holding]) -> Iterator[str]:
    """Yield the text of MTGO's `.dek`: an id of MTGO and a name for each card."""
    yield _HEAD + "<Deck>\n  <NetDeckID>0</NetDeckID>\n  <PreconstructedDeckID>0</PreconstructedDeckID>\n"
    for holding in holdings:
        number, name = holding.source_id("mtgo") or "0", _attribute(holding.name)
        yield f'  <Cards CatID="{number}" Quantity="{holding.copies}" Sideboard="false" Name={name} Annotation="0" />\n'
    yield "</Deck>\n"


def write_lackey(holdings: Iterable[Holding]) -> Iterator[str]:
    """Yield the text of LackeyCCG's `.dek`: one element for each copy, with name and set."""
    yield _HEAD + '<deck version="0.8">\n<superzone name="Deck">\n'
    for holding in holdings:
        card = f"<card><name>{_text(holding.name)}</name><set>{_text(holding.set_code)}</set></card>\n"
        # LackeyCCG has no count.
        for _ in range(holding.copies):
            yield card
    yield "</superzone>\n</deck>\n"


def write_cockatrice(holdings: Iterable[Holding]) -> Iterator[str]:
    """Yield Cockatrice's `.cod`: names, with set and number if they are known."""
    yield _HEAD + '<cockatrice_deck version="1">\n  <deckname></deckname>\n  <zone name="main">\n'
    for holding in holdings:
        printing = ""
        # A set alone or a number alone tells no printing, so they are written together or not at all.
        if holding.set_code and holding.number:
            set_code, number = _attribute(holding.set_code.upper()), _attribute(holding.number)
            printing = f" setShortName={set_code} collectorNumber={number}"
        if scryfall := holding.source_id("scryfall"):
            printing += f" uuid={_attribute(scryfall)}"
        yield f'    <card number="{holding.copies}" name={_attribute(holding.name)}{printing}/>\n'
    yield "  </zone>\n</cockatrice_deck>\n"


def _attribute(text: str) -> str:
    return '"' + _text(text).replace('"', "&quot;") + '"'


def _text(text: str) -> str:
    """Return a text for XML, without characters that it cannot represent: control characters and lone surrogates."""
    return html.escape("".join(letter for letter in text if letter.isprintable()), quote=False)
