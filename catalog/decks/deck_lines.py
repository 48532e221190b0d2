"""Deck lists as people paste them: lines such as `1 Lightning Bolt (M10) 146`, in the spelling of many sites; pure."""

import re
from typing import Final, NamedTuple

from catalog.card import CatalogError

MOST_CARDS: Final = 2000
"""How many cards a list may have."""
LONGEST_LINE: Final = 2000
"""How long a line may be, in characters."""
_LARGEST_SIDEBOARD: Final = 15


class Line(NamedTuple):
    """One line of a list: how many copies, of what, and of which printing where the line says so.

    `written` is the line without the copies and marks, for a name that only looks as if it held a set: `B.F.M. (Left)`.
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


_DECK: Final = frozenset(
    {
        *("deck", "main", "mainboard", "main deck", "maindeck", "cards", "commander", "commanders", "companion"),
        *("creature", "creatures", "land", "lands", "basic lands", "instant", "instants", "sorcery", "sorceries"),
        *("artifact", "artifacts", "enchantment", "enchantments", "planeswalker", "planeswalkers", "battle", "battles"),
        *("spells", "other spells", "instants and sorceries", "pokémon", "trainer", "energy", "monsters", "traps"),
        *("legend", "champion", "battlefields", "runes", "leader", "units"),
    }
)
_NOT_THE_DECK: Final = frozenset(
    ("sideboard", "side", "side deck", "maybeboard", "considering", "tokens", "display commander")
)
_ABOUT: Final = frozenset(("about", "metadata"))
_BESIDE: Final = frozenset(("sb", "side", "sideboard", "maybeboard"))

_HEADING = re.compile(
    r"(?://|#|=+)? ?(?P<bracket>\[)?(?P<words>[^\W\d_]+(?: [^\W\d_]+){0,2})\]?:?(?: ?\(?\d{1,3}\)?)?(?: cards)?:?"
)
_TITLE = re.compile(r"(?://|#)? ?(?:NAME|Name) ?[:=] ?(?P<title>.+)")
_ABOUT_NAME = re.compile(r"Name[ =] ?(?P<title>.+)")
_PART = re.compile(r"(?P<part>sb|side|sideboard|maybeboard|commander|companion|main|mainboard): ?(?=\d)", re.IGNORECASE)
_COPIES = re.compile(r"(?P<copies>\d{1,4})(?:[xX×]| [x×])? (?P<rest>.+)")
_COPIES_BEHIND = re.compile(r"(?P<rest>.+?) (?:[xX×]|x )(?P<copies>\d{1,3})")
_MARK = re.compile(r" (?:\*[^*]{1,20}\*|\^[^^]{1,40}\^|\[(?:foil|etched|token)\]|\((?:f|foil)\)|#.*)$", re.IGNORECASE)
_SET_FIRST = re.compile(r"\[(?P<set>\w{1,10}):(?P<number>[^\s\]]{1,12})\] (?P<name>.+)")
# Forge writes Name|SET|[number]; a number without brackets counts pictures, a plus is foil.
_OF_FORGE = re.compile(r"(?P<name>[^|]+?)\+?\|(?P<set>\w{1,10})(?:\|(?:\[(?P<number>[^\s\]]{1,12})\])?.*)?")
_SET_LAST = re.compile(
    r"(?P<name>.+?)(?: <[^>]{1,30}>)? [(\[](?P<set>[A-Za-z0-9_-]{1,10})(?::(?P<own>[^\s\])]{1,12}))?[)\]]"
    r"(?: #?(?P<number>[^\s*#(\[{^]{1,12}\*?))?(?: [*#\[{^].*)?"
)
# As Pokémon TCG Live writes it: Charmander OBF 26.
_BARE_SET_LAST = re.compile(r"(?P<name>.+?) (?P<set>[A-Z][A-Z0-9]{1,3}(?:-[A-Z]{2,4})?) (?P<number>[A-Z]{0,3}\d{1,3})")
_TOTAL = re.compile(r"Total Cards[:-] ?\d+")
_SET_AND_NUMBER = re.compile(r"(?P<set>[A-Za-z0-9]{2,6})-(?P<number>\w*\d\w*)")


def read_lines(text: str) -> DeckList:
    """The list in a text; headings, comments, sideboards and marks such as `*F*` are understood and left out.

    Raises CatalogError with the line that can be no card.
    """
    title, section, total = "", None, 0
    blocks: list[list[Line]] = [[]]
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(raw[: LONGEST_LINE + 1].split())
        if len(line) > LONGEST_LINE:
            raise CatalogError(f"Line {number} is too long to be a card: {line[:60]!r} …")
        if not line:
            blocks += [[]] if blocks[-1] else []
        elif (heading := heading_of(line)) is not None:
            section = heading
        elif named := (_ABOUT_NAME if section in _ABOUT else _TITLE).fullmatch(line):
            title = title or named["title"]
        elif section is None or section in _DECK:
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


def heading_of(line: str) -> str | None:
    """The words of a heading in lower case, None where the line is none; any word in brackets is one."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    words = match["words"].casefold()
    return words if match["bracket"] or words in _DECK | _NOT_THE_DECK | _ABOUT else None


def read_line(line: str, number: int) -> Line | None:
    """The card in a line; None for a comment, and for one that belongs to the sideboard."""
    if line.startswith(("#", "//", "LAYOUT ")) or _TOTAL.fullmatch(line):
        return None
    if part := _PART.match(line):
        if part["part"].casefold() in _BESIDE:
            return None
        line = line[part.end() :]
    counted = _COPIES.fullmatch(line)
    copies, rest = (int(counted["copies"]), counted["rest"]) if counted else (1, line)
    rest = _unmarked(rest)
    if counted is None and (behind := _COPIES_BEHIND.fullmatch(rest)):
        copies, rest = int(behind["copies"]), _unmarked(behind["rest"])
    if copies == 0:
        raise CatalogError(f"Line {number}: no copies of a card: {line[:60]!r}.")
    name, set_code, own = _printing(rest)
    return Line(number, copies, name, set_code.lower(), own, rest)


def _unmarked(text: str) -> str:
    """A line without what marks a finish, a category or the like behind the card."""
    while (mark := _MARK.search(text)) and mark.start():
        text = text[: mark.start()]
    return text


def _printing(text: str) -> tuple[str, str, str]:
    """The name, set and collector number that a text holds, empty where it does not say."""
    if match := _SET_FIRST.fullmatch(text) or _OF_FORGE.fullmatch(text):
        return match["name"], match["set"], match["number"] or ""
    if match := _SET_LAST.fullmatch(text):
        set_code, own = match["set"], match["own"] or match["number"] or ""
        if not own and (both := _SET_AND_NUMBER.fullmatch(set_code)):
            set_code, own = both["set"], both["number"]
        return match["name"], set_code, "" if own == "*" else own
    if match := _BARE_SET_LAST.fullmatch(text):
        return match["name"], match["set"], match["number"]
    return text, "", ""
