"""Reads `.ydk` decks of Yu-Gi-Oh!: a passcode a line, in the parts `#main`, `#extra` and `!side`."""

import re
from collections.abc import Iterator
from typing import Final

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection.formats.format import LONGEST_RAW, CollectionFile, FileRows, Skipped
from ccgrid.catalog.holding import NORMAL
from ccgrid.catalog.lines import LONGEST_LINE
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.readers.encodings import survey, tell_encoding, text_lines
from ccgrid.catalog.readers.streams import open_data

_BEGINNING: Final = re.compile(rb"(?:#created by|#main\b|#extra\b|!side\b)", re.IGNORECASE)
_PASSCODE: Final = re.compile(r"\d{1,10}")


def sniff(file: CollectionFile) -> bool:
    """Whether a file begins as `.ydk` decks do, or is called so."""
    return bool(_BEGINNING.match(file.beginning())) or ".ydk" in map(str.casefold, file.path.suffixes)


def read(file: CollectionFile) -> FileRows:
    """The rows of a deck, a copy each; raises CatalogError where the file is not text."""
    with open_data(file.path) as stream:
        found = survey(stream, file.name)
    tell_encoding(found, file.name, file.remark)

    def rows() -> Iterator[Row | Skipped]:
        beside = False
        with open_data(file.path) as stream:
            for number, raw in enumerate(text_lines(stream, found, file.name), 1):
                if len(raw) > LONGEST_LINE:
                    raise CatalogError(f"{file.name}, line {number} is too long for a passcode. Is it the right file?")
                line = raw.strip()
                if line.startswith(("#", "!")):
                    beside = line[1:].strip().casefold().startswith("side")
                elif _PASSCODE.fullmatch(line):
                    yield Row(number, line, ((NORMAL, 1),), ids=(("konami", line.lstrip("0")),), beside=beside)
                elif line:
                    yield Skipped(number, line[:LONGEST_RAW], "not a passcode")

    return FileRows(rows(), found.encoding)
