"""What a format of collection files is: how it is detected from its first bytes, read and written."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from ccgrid.catalog import lines
from ccgrid.catalog.collection.formats.app import Dialect
from ccgrid.catalog.copy_marks import MARKS
from ccgrid.catalog.copy_terms import condition_word
from ccgrid.catalog.details import NO_DETAILS, Details
from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES, Holding
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.readers.streams import Warn, open_data
from ccgrid.catalog.readers.text_lines import Survey, survey, warn_about_survey
from ccgrid.catalog.typed_details import is_no_grade, iso_date, parse_grade, parse_price, parse_tags
from ccgrid.catalog.words import CONDITIONS, fold, vocabulary

LONGEST_RAW: Final = 500
"""How much of a row is quoted in a report, in characters."""

NO_CARD: Final = "it is not a card"
"""The reason for skipping other text next to the code of a deck, such as a sentence."""
NO_COPIES: Final = "it has no copies"
"""The reason for skipping a row without copies."""
NOT_OWNED: Final = "it is not owned"
"""Why a row of a checklist is left out."""
A_TOTAL: Final = "it is a total"
"""Why a row below the data is left out."""
A_HEADING: Final = "a heading, as no card has this name"
"""Why a line of a list is left out that is a heading."""
DROPPED: Final = "you dropped this row earlier"
"""Why a row is skipped that was in an earlier file."""
SETTLED: Final = "the row that it answers is no longer uncertain"
"""Why a row of a file of corrections is skipped."""
_IN_ORDER: Final = frozenset((NO_CARD, NO_COPIES, NOT_OWNED, A_TOTAL))
"""Why rows are left out that are in order: lists of all there is have many such."""


_NOT_OWNED: Final = "not owned: "
"""The beginning of the reasons for skipping cards that are listed for another purpose."""


def is_mistake(reason: str) -> bool:
    """Return whether a row was skipped for a mistake in it, so that it can be corrected.

    >>> is_mistake("'3/4' is not a number of copies"), is_mistake(NO_COPIES), is_mistake("not owned: in 'Wants'")
    (True, False, False)
    """
    return reason not in {*_IN_ORDER, A_HEADING, DROPPED, SETTLED} and not reason.startswith(_NOT_OWNED)


class SkippedRow(NamedTuple):
    """A row without a card and its number of copies: its position and the reason why it is skipped.

    `part` is the part of a deck list that it is in if the cards of that part are not owned, and `copies` their number.
    """

    line: int
    raw: str
    reason: str
    part: str = ""
    copies: int = 0


def skip_part(line: int, raw: str, part: str, copies: int) -> SkippedRow:
    """Return the row of cards in a part of a deck list that are neither in the deck nor owned."""
    return SkippedRow(line, raw, f"{_NOT_OWNED}it is in {part!r}", part, copies)


def is_beside(part: str) -> bool:
    """Return whether a part of a deck is outside it, such as a sideboard; MTGO only states whether it is one.

    >>> is_beside("Sideboard"), is_beside("Yes"), is_beside("main")
    (True, True, False)
    """
    return lines.is_beside(part) or part.strip().casefold() in ("yes", "true")


_BEGINNING: Final = 4096  # bytes from which a format is detected
MOST_ROWS: Final = 2_000_000
"""The most rows that a collection file may have: each uncertain row is reported."""
ENOUGH_UNREAD: Final = 100_000
"""How many rows may be no cards before reading stops, where they are over half of all."""
Rows = Iterator[Row | SkippedRow]
LIST_SAYS: Final = frozenset(("finish", "language"))
"""What a list can be trusted to say of the kind of copies: of the rest most lines say nothing."""
EVERYTHING: Final = LIST_SAYS | {"condition", "note", "place", *Details._fields}
"""What a file can say of the kind of copies at all."""


@dataclass(frozen=True, slots=True)
class CollectionFile:
    """A file that is to be read: where it is, what errors call it, and what receives remarks on how it was read.

    `columns` maps fields to headings, where a person has said what the columns of a table are.
    """

    path: Path
    name: str
    remark: Warn
    columns: Mapping[str, str] | None = None
    named: bool = False
    """Whether a person has said which format it is."""

    def beginning(self) -> bytes:
        """Return the first bytes, decompressed, without byte order mark and leading spaces."""
        with open_data(self.path) as stream:
            return stream.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf").lstrip()

    def survey(self) -> Survey:
        """Return how the text in the file is written, and remark on what is guessed.

        Raises:
            CatalogError: If the file is not text.
        """
        with open_data(self.path) as stream:
            found = survey(stream, self.name)
        warn_about_survey(found, self.name, self.remark)
        return found


class FileRows(NamedTuple):
    """The rows of a file, read as they are asked for, and how it is written, such as `semicolon, utf-8`.

    `name` and `title` are those of its format; a reader gives them only if the content tells which of several it is.
    `unused` are the headings that a collection has no place for. `deck` is the name of a deck, if the file says one.
    `fields` are those of copies that the file can state; `EVERYTHING` stands for all.
    """

    rows: Rows
    written: str
    name: str = ""
    title: str = ""
    unused: tuple[str, ...] = ()
    deck: str = ""
    fields: frozenset[str] = LIST_SAYS


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file: what people type, what it is, how it is read, detected and written.

    One without `sniff` is read only where a person names it; one without `write` is not written. Cards of other games
    than `games`, where there are such, are written only where a person asks for them. `ending` is that of its files,
    where it alone is meant by it. `pack` makes a file that is no text of the lines.
    """

    name: str
    title: str
    read: Callable[[CollectionFile], FileRows]
    sniff: Callable[[CollectionFile], bool] | None = None
    write: Callable[[Iterable[Holding]], Iterator[str]] | None = None
    games: tuple[str, ...] = ()
    ending: str = ""
    pack: Callable[[Iterable[str], BinaryIO], None] | None = None


def check_rows(rows: Rows, name: str) -> Rows:
    """Yield the rows unchanged.

    Raises:
        CatalogError: If they are too many, or most of very many are no cards.
    """
    unread = 0
    for number, row in enumerate(rows, 1):
        unread += isinstance(row, SkippedRow) and row.reason not in _IN_ORDER
        if unread > ENOUGH_UNREAD and 2 * unread > number:
            raise FileFormatError(
                f"stopped, only {number - unread} of {number} rows are cards. Is it the right file?", file=name
            )
        if number > MOST_ROWS:
            raise FileFormatError(f"stopped, it has over {MOST_ROWS} rows. Is it a collection?", file=name)
        yield row


SAYS: Final[Mapping[str, tuple[str, ...]]] = {
    **{name: (name,) for name in ("acquired", "price", "currency", "tags", *MARKS, "own")},
    "trade": ("for_trade",),
    "grade": ("grader", "grade"),
    "flag": ("own",),
}
"""For each field of a column that goes into the details, which of the fields of `Details` it says."""
_FLAGS: Final = frozenset((*MARKS, "trade", "flag"))
_TODAY: Final = re.compile(r"price$|^price|value|image|url|uri$|last (modified|updated)", re.IGNORECASE)
"""Headings of values that apps look up for each export, so that they are not the user's own."""
_PARTS: Final = re.compile(r"[^\W\d_]+|[$€£¥]")
_DATES: Final = re.compile(r"[\d\s./:-]+")


class DetailColumn(NamedTuple):
    """A column that goes into the details: its place in the row, its field, its heading."""

    place: int
    field: str
    heading: str
    month_first: bool | None = None
    """Whether dates in it have the month first; None if it is unknown."""


def is_own(heading: str) -> bool:
    """Return whether an unknown column is kept as the user's own, under its heading.

    >>> is_own("Lent to"), is_own("Market Price (As of 2026-11-01)"), is_own("Wert am 3.11."), is_own("2026-11-01")
    (True, False, False, False)
    """
    if _TODAY.search(heading) or _DATES.fullmatch(heading):
        return False
    known = vocabulary()
    # Chinese and Japanese have no blanks between words.
    return not any(known.has("prices", fold(part)) for part in _PARTS.findall(heading)) and not any(
        not price.isascii() and price in heading for price in known.known("prices").values() if len(price) > 1
    )


@lru_cache(1 << 10)
def truth_in(text: str) -> bool | None:
    """Return whether a cell says yes, or None if it says neither yes nor no."""
    return vocabulary().truth(fold(text))


def read_details(
    texts: Sequence[str], columns: Iterable[DetailColumn], marks: Sequence[str] = ()
) -> tuple[str, list[tuple[str, str]]]:
    """Return the details of a row, as the catalogue stores them, and the words that are not understood.

    `marks` are those of `MARKS` that other cells state.
    """
    known: dict[str, Any] = dict.fromkeys(marks, 1)
    own: dict[str, str] = {}
    unknown: list[tuple[str, str]] = []
    width = len(texts)
    for place, field, heading, month_first in columns:
        if place >= width or not (text := texts[place]) or not (text := text.strip()[:LONGEST_TEXT]):
            continue
        if field in _FLAGS:
            truth = truth_in(text)
            if truth is False:
                continue
            if field == "trade" and (truth or text.isdecimal()):
                # A number of copies; or a yes, which means all of them: more than any row has.
                known["for_trade"] = min(int(text), MOST_COPIES) if text.isdecimal() else MOST_COPIES
            elif field in ("trade", "flag"):
                own[heading] = text
            # The word itself says so, too.
            elif truth or vocabulary().find("marks", fold(text)) == field:
                known[field] = 1
            else:
                unknown.append((heading, text))
        elif field == "tags":
            known["tags"] = parse_tags(text)
        elif field == "grade" and not is_no_grade(text) and condition_word(text) not in CONDITIONS:
            known["grader"], known["grade"] = parse_grade(text)
        # "3.50 EUR" says the currency, too; a column of its own goes before.
        elif field == "price" and (price := parse_price(text)):
            known["price"] = price[0]
            known.setdefault("currency", price[1])
        elif field == "currency":
            known["currency"] = text
        elif field == "acquired":
            known["acquired"] = iso_date(text, month_first)
        # Whatever else it is, it is kept under its heading.
        elif field != "grade":
            own[heading] = text
    if not known and not own:
        return NO_DETAILS, unknown
    return Details(**known, own=tuple(sorted(own.items()))).text(), unknown


def detail_cell(field: str, heading: str, details: Details, copies: int, dialect: Dialect) -> str:
    """Return the cell of a column for the details of `copies` copies."""
    if field == "trade":
        return str(copies) if details.for_trade else "0"
    if field == "tags":
        return ", ".join(details.tags)
    if field == "grade":
        return details.graded
    if field == "own":
        return dict(details.own).get(heading, "")
    if field == "flag":
        return dict(details.own).get(heading, dialect.no)
    if field in _FLAGS:
        return (dialect.yes or field) if getattr(details, field) else dialect.no
    return str(getattr(details, field))
