"""Deck lists as people paste them: lines such as `1 Lightning Bolt (M10) 146`, headings, sideboards, a title; pure."""

import re
from typing import Final, NamedTuple

from catalog.card import CatalogError
from catalog.lines import LONGEST_LINE, fullest, heading_of, is_about, is_comment, is_of_deck, tidy

MOST_CARDS: Final = 2000
"""How many cards a list may have."""
_LARGEST_SIDEBOARD: Final = 15
_TITLE: Final = re.compile(r"(?://|#)? ?(?:NAME|Name) ?[:=] ?(?P<title>.+)")
_ABOUT_NAME: Final = re.compile(r"Name[ =] ?(?P<title>.+)")


class Line(NamedTuple):
    """One line of a list: how many copies, of what, and of which printing where the line says so.

    `written` is what the line says of the card, for a name that only looks as if it held a mark: `B.F.M. (Left)`.
    """

    number: int
    copies: int
    name: str
    set_code: str = ""
    collector_number: str = ""
    written: str = ""


class DeckList(NamedTuple):
    """The lines of a list; `second` is a smaller block behind a blank line, which many sites take for a sideboard."""

    name: str
    lines: list[Line]
    second: list[Line]


def read_lines(text: str) -> DeckList:
    """The list in a text; headings, comments, sideboards and marks such as `*F*` are understood and left out.

    Raises CatalogError with the line that can be no card.
    """
    title, section, total = "", None, 0
    blocks: list[list[Line]] = [[]]
    for number, raw in enumerate(text.splitlines(), 1):
        line = tidy(raw[: LONGEST_LINE + 1])
        if len(line) > LONGEST_LINE:
            raise CatalogError(f"Line {number} is too long to be a card: {line[:60]!r} …")
        if not line:
            blocks += [[]] if blocks[-1] else []
        elif (heading := heading_of(line)) is not None:
            section = heading
        elif named := (_ABOUT_NAME if is_about(section) else _TITLE).fullmatch(line):
            title = title or named["title"]
        elif is_of_deck(section):
            if (card := read_line(line, number)) is None:
                continue
            blocks[-1].append(card)
            total += card.copies
            if total > MOST_CARDS:
                raise CatalogError(f"Line {number}: {total} cards are too many for a deck.")
    return _divided(title, [block for block in blocks if block], has_headings=section is not None)


def _divided(title: str, blocks: list[list[Line]], *, has_headings: bool) -> DeckList:
    """The blocks of a list as one, but for a second one that is as small as a sideboard."""
    if len(blocks) == 2 and not has_headings:
        first, second = (sum(line.copies for line in block) for block in blocks)
        if second < first and second <= _LARGEST_SIDEBOARD:
            return DeckList(title, *blocks)
    return DeckList(title, [line for block in blocks for line in block], [])


def read_line(line: str, number: int) -> Line | None:
    """The card in a line; None for a comment, and for one that belongs to the sideboard."""
    if is_comment(line) or (read := fullest(line)).is_beside:
        return None
    if read.copies == 0:
        raise CatalogError(f"Line {number}: no copies of a card: {line[:60]!r}.")
    name, own = (read.name, read.number) if read.name else (read.number, "")
    return Line(number, read.copies_meant, name, read.set_said, own, line)
