"""Escaping of untrusted text, and fitting of text into terminal cells; every view uses it."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from ccgrid.catalog.joiners import is_visible, joiners_in

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories of invisible and control characters: controls, formats (bidi), surrogates, line separators."""


def visible(text: str) -> str:
    r"""Return the text as one line, with control characters and other invisible characters escaped.

    >>> visible("\x1b[2J Ring of\nGix \u202e")
    '\\x1b[2J Ring of\\nGix \\u202e'
    """
    if is_visible(text):
        return text
    kept = joiners_in(text)
    return "".join(
        _escaped(character) if place not in kept and unicodedata.category(character) in _HIDDEN else character
        for place, character in enumerate(text)
    )


def _escaped(character: str) -> str:
    """Return the JSON escape of a character, or Python's for a control character, so that escaped JSON remains JSON."""
    if character < "\x7f":
        return character.encode("unicode_escape").decode("ascii")
    code = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[place : place + 4]}" for place in range(0, len(code), 4))


def width(text: str) -> int:
    """Return the number of terminal cells of a text: two per wide character, none per combining one."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len  # error messages in ASCII do not need it

    return cell_len(text)


def shorten(text: str, cells: int, ellipsis: str = "…") -> str:
    """Cut a text to at most `cells` cells, with an ellipsis at the end if something is cut.

    >>> shorten("Lightning Bolt", 10)
    'Lightning…'
    """
    if fitting(text, cells) == text:
        return text
    return fitting(text, cells - width(ellipsis)) + fitting(ellipsis, cells)


def pad(text: str, cells: int, align: str = "left", ellipsis: str = "…") -> str:
    """Return a text of exactly `cells` cells: shortened if it is longer, filled with blanks if it is shorter.

    `align` is `left`, `center` or `right`.
    """
    shown = shorten(text, cells, ellipsis)
    blank = cells - width(shown)
    before = {"left": 0, "center": blank // 2, "right": blank}[align]
    return " " * before + shown + " " * (blank - before)


def wrap(text: str, cells: int, lines: int, ellipsis: str = "…") -> list[str]:
    """Wrap a text into at most `lines` lines of at most `cells` cells, between words if possible.

    >>> wrap("Adun Oakenshield of the Hills", 12, 2)
    ['Adun', 'Oakenshield…']
    """
    rest = " ".join(text[: _MOST_CHARACTERS * cells * lines + 1].split())
    result: list[str] = []
    while rest and len(result) < lines - 1:
        line = fitting(rest, cells)
        if line != rest and rest[len(line)] != " " and " " in line:
            line = line[: line.rindex(" ")]
        result.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    return [*result, shorten(rest, cells, ellipsis)] if rest else result


def wrap_pieces(text: str, cells: Sequence[int], ellipsis: str = "…") -> list[str]:
    """Wrap a text into lines of the given widths, between words if possible.

    >>> wrap_pieces("Dusk Cartographer", [12, 16])
    ['Dusk', 'Cartographer']
    """
    rest = " ".join(text[: _MOST_CHARACTERS * sum(cells) + 1].split())
    result: list[str] = []
    for room in cells[:-1]:
        words = rest.split(" ")
        count = next((count for count in range(len(words), 0, -1) if width(" ".join(words[:count])) <= room), 0)
        line = " ".join(words[:count]) if count else fitting(rest, room)
        result.append(line)
        rest = rest[len(line) :].lstrip()
    return [*result, shorten(rest, cells[-1], ellipsis)] if rest else [line for line in result if line]


_MOST_CHARACTERS: Final = 4
"""Maximum number of characters per cell, because a name may be a stack of combining marks, which have no width."""


def fitting(text: str, cells: int) -> str:
    """Return the longest prefix of a text that fits in `cells` cells."""
    room = max(cells, 0)
    start = text[: _MOST_CHARACTERS * room]
    if start.isascii() and start.isprintable():
        return start[:room]
    while (over := width(start) - room) > 0:
        start = start[: -max(over // 2, 1)]  # no character takes more than two cells
    return start


def third_person(name: str, verb: str) -> str:
    """Return a player's name with a verb, which agrees with "You".

    >>> third_person("Ann", "resigns"), third_person("You", "resigns"), third_person("You", "is")
    ('Ann resigns', 'You resign', 'You are')
    """
    if name == "You":
        verb = "are" if verb == "is" else verb.removesuffix("s")
    return f"{name} {verb}"


def share(part: float, whole: float) -> str:
    """Return a part of a whole in per cent, or a dash if the whole is 0.

    >>> share(1, 3), share(0, 0)
    ('33.3 %', '-')
    """
    return f"{100 * part / whole:.1f} %" if whole else "-"
