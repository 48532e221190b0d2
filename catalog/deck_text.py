"""Decks in text: codes, lists of cards, and tables in TOML or JSON."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import HIGHEST, LOWEST, Card
from ccgrid.catalog.card_lines import from_lines
from ccgrid.catalog.codes import CodeError, is_code, read_code
from ccgrid.catalog.decks import DeckEntry, ListedDeck
from ccgrid.catalog.documents import DocumentError, Limits, load_json, load_toml
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.lines import COUNTS_CARDS, LONGEST_LINE, WrittenCard, is_comment, most_detailed_reading
from ccgrid.catalog.list_text import list_lines, part_left_out
from ccgrid.catalog.zones import ZONES

_CODE_LIMITS: Final = Limits(1 << 16)
_NO_NAME: Final = "The deck of a code"


class DeckCode(NamedTuple):
    """A deck from a code: its name, the game that it is for, the seed that drew it, and its cards."""

    name: str
    plays: str
    seed: int | None
    cards: tuple[Card, ...]


def read_deck_code(text: str) -> DeckCode:
    """Read the deck in a code.

    Raises:
        CatalogError: If it is damaged, or of a game in which every player has a deck.
    """
    try:
        code = read_code(text)
    except CodeError as error:
        raise CatalogError(f"This is not a deck: {error}.") from None
    plays, _, lines = code.deck.partition("\n")
    if lines.startswith("{"):
        raise CatalogError("This is the code of a game, not of a deck. To see it: ccgrid replay CODE")
    try:
        cards = from_lines(lines)
        more = load_json(code.more, _CODE_LIMITS) if code.more else {}
    except (ValueError, DocumentError):
        raise CatalogError("This is not the code of a deck or a game.") from None
    name, seed = (more.get(key) for key in ("name", "seed")) if isinstance(more, dict) else (None, None)
    return DeckCode(
        name if isinstance(name, str) and name and code.game is None else _NO_NAME,
        plays,
        seed if isinstance(seed, int) and code.game is None else None,
        tuple(_with_name(card, number) for number, card in enumerate(cards, 1)),
    )


def _with_name(card: Card, number: int) -> Card:
    reason = None if card.zones else "no-number"
    return replace(card, name=card.name or card.id or f"card {number}", legal=reason is None, reason=reason)


MOST_CARDS: Final = 2000
"""The most cards of a list."""
_LARGEST_SIDEBOARD: Final = 15  # cards, as in Magic


class DeckLine(NamedTuple):
    """One line of a list: the number of copies, the card and, if given, the printing.

    `written` is all that the line says about the card, for names that look as if they had a mark: `B.F.M. (Left)`.
    """

    number: int
    copies: int
    name: str
    set_code: str = ""
    collector_number: str = ""
    written: str = ""


class DeckList(NamedTuple):
    """The lines of a list; `second` is a smaller block after a blank line, which many sites mean as a sideboard.

    `left_out` is the number of cards in each part that is not in the deck, such as a sideboard.
    """

    name: str
    lines: list[DeckLine]
    second: list[DeckLine]
    left_out: Counter[str]


def read_lines(text: str) -> DeckList:
    """Parse a list of cards, and skip headings, comments, sideboards and marks such as `*F*`.

    Raises:
        CatalogError: If a line cannot be a card. The message names it.
    """
    title, total, has_headings = "", 0, False
    left_out: Counter[str] = Counter()
    blocks: list[list[DeckLine]] = [[]]
    for line in list_lines(_short_lines(text)):
        if line.role == "blank":
            blocks += [[]] if blocks[-1] else []
        elif line.role == "title":
            title = title or line.text
        elif line.role == "heading":
            has_headings = True
        elif line.role == "card" and line.doubt != COUNTS_CARDS:
            read = most_detailed_reading(line.text)
            if part := part_left_out(line.section) or read.left_out:
                left_out[part.capitalize()] += read.copies_meant
                continue
            card = _card_line(line.text, line.number, read)
            blocks[-1].append(card)
            total += card.copies
            if total > MOST_CARDS:
                raise CatalogError(f"Line {line.number}: {total} cards are too many for a deck.")
    return _parts(title, [block for block in blocks if block], left_out, has_headings=has_headings)


def _short_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(text.splitlines(), 1):
        if len(" ".join(raw[: 2 * LONGEST_LINE].split())) > LONGEST_LINE:
            raise CatalogError(f"Line {number} is too long to be a card: {raw.strip()[:60]!r} …")
        yield number, raw


def _parts(title: str, blocks: list[list[DeckLine]], left_out: Counter[str], *, has_headings: bool) -> DeckList:
    """Join the blocks of a list, except a second one that is as small as a sideboard."""
    if len(blocks) == 2 and not has_headings:
        first, second = (sum(line.copies for line in block) for block in blocks)
        if second < first and second <= _LARGEST_SIDEBOARD:
            return DeckList(title, blocks[0], blocks[1], left_out)
    return DeckList(title, [line for block in blocks for line in block], [], left_out)


def read_line(line: str, number: int) -> DeckLine | None:
    """Parse one card; return None for a comment and for a card that is not in the deck."""
    if is_comment(line) or (read := most_detailed_reading(line)).left_out:
        return None
    return _card_line(line, number, read)


def _card_line(line: str, number: int, read: WrittenCard) -> DeckLine:
    if read.copies == 0:
        raise CatalogError(f"Line {number}: no copies of a card: {line[:60]!r}.")
    if not read.is_plain:
        raise CatalogError(f"Line {number}: {read.question}.")
    name, own = (read.name, read.number) if read.name else (read.number, "")
    return DeckLine(number, read.copies_meant, name, read.set_hint, own, line)


_FILE_LIMITS: Final = Limits(4 << 20)


_TOML_CARDS: Final = re.compile(r"^[ \t]*(?:\[\[[ \t]*cards[ \t]*\]\]|cards[ \t]*=)", re.MULTILINE)


def parse_deck(text: str, name: str) -> ListedDeck:
    """Parse a deck in TOML, in JSON as `deck new --json` prints it, or in lines such as `1 Lightning Bolt (M10) 146`.

    `name` is its name if the text has none.

    Raises:
        CatalogError: If a line or key is wrong. The message names it.
    """
    start = text.lstrip()[:1]
    if is_code(text):
        name, plays, seed, cards = read_deck_code(text)
        return ListedDeck(name, tuple(DeckEntry(card.name, card.name, card) for card in cards), seed, plays=plays)
    if start == "{":
        return _from_table(_load(load_json, text, "JSON"), name)
    if start == "<":
        raise CatalogError("A deck in XML must be a file: save it, and name the file.")
    if _TOML_CARDS.search(text):
        return _from_table(_load(load_toml, text, "TOML"), name)
    return _from_lines(text, name)


def _load(load: Callable[[str, Limits], object], text: str, kind: str) -> Mapping[str, object]:
    try:
        table = load(text, _FILE_LIMITS)
    except DocumentError as error:
        raise CatalogError(f"This looks like a deck in {kind}, but the file {error}.") from None
    return table if isinstance(table, dict) else {}


def _from_lines(text: str, name: str) -> ListedDeck:
    read = read_lines(text)
    left_out = tuple(read.left_out.items())
    return ListedDeck(read.name or name, _entries(read.lines), second=_entries(read.second), left_out=left_out)


def _entries(lines: Sequence[DeckLine]) -> tuple[DeckEntry, ...]:
    entries = [
        DeckEntry(f"line {line.number}", line.name, None, line.set_code, line.collector_number, line.written)
        for line in lines
        for _ in range(line.copies)
    ]
    return tuple(entries)


def _from_table(table: Mapping[str, object], name: str) -> ListedDeck:
    cards = table.get("cards")
    if not isinstance(cards, list):
        raise CatalogError("A deck lists its cards: cards = [ … ].")
    if len(cards) > MOST_CARDS:
        raise CatalogError(f"{len(cards)} cards are too many for a deck.")
    seed, title, game = table.get("seed"), table.get("name"), table.get("game")
    if game is not None and not isinstance(game, str):
        raise CatalogError(f"game is {game!r}; it must be the name of the deck's game.")
    entries = tuple(_entry(card, f"cards[{index}]") for index, card in enumerate(cards))
    own_seed = seed if isinstance(seed, int) and not isinstance(seed, bool) else None
    return ListedDeck(title if isinstance(title, str) and title else name, entries, own_seed, plays=game)


_NUMBERS: Final = frozenset((*ZONES, "attack", "defense"))
"""Numbers that may be next to a card's name, without a table of zones: `{ name = "Ant", top = 3 }`."""


def _entry(value: object, where: str) -> DeckEntry:
    if isinstance(value, str) and value.strip():
        return DeckEntry(where, value)
    if not isinstance(value, dict):
        raise CatalogError(f"{where} is {value!r}; a card is a name, an id, or a table with zones and score.")
    card_id, name = (value.get(key, "") for key in ("id", "name"))
    if not isinstance(card_id, str) or not isinstance(name, str) or not (card_id or name):
        raise CatalogError(f"{where}: a card needs an id or a name.")
    if "zones" not in value and not _NUMBERS.isdisjoint(value):
        zones = {zone: value[zone] for zone in ZONES if zone in value}
        known = {zone: number for zone, number in zones.items() if _in_range(number)}
        value = {"score": sum(known.values()), **value, "zones": zones}
    if "zones" not in value:
        plain = _card({"zones": {}, "score": 0}, "", name, where) if set(value) == {"name"} else None
        return DeckEntry(where, card_id or name, plain=plain)
    return DeckEntry(where, name or card_id, _card(value, card_id, name or card_id, where))


def _card(table: Mapping[str, Any], card_id: str, name: str, where: str) -> Card:
    """Return a card that a deck file spells out, after checking its numbers against the house rules."""
    zones, score, face = table["zones"], table.get("score"), table.get("face", [])
    if isinstance(zones, dict):  # a card from `export --json` has all eight zones
        zones = {zone: value for zone, value in zones.items() if value is not None}
    if not isinstance(zones, dict) or not all(zone in ZONES and _in_range(value) for zone, value in zones.items()):
        raise CatalogError(f"{where}.zones: each is one of {', '.join(ZONES)} and holds a number of 0 to 10.")
    if not isinstance(face, list) or not all(_in_range(value) for value in face):
        raise CatalogError(f"{where}.face: a list of numbers of 0 to 10.")
    least = sum(zones.values()) + sum(face)
    if not isinstance(score, int) or isinstance(score, bool) or score < least:
        raise CatalogError(f"{where}.score: a whole number, at least the sum of the card's numbers, {least}.")
    texts = {key: table.get(key) for key in ("game", "set_code", "collector_number", "reason")}
    if not all(value is None or isinstance(value, str) for value in texts.values()):
        raise CatalogError(f"{where}: game, set_code, collector_number and reason are texts.")
    fight = {key: table.get(key) for key in ("attack", "defense")}
    if not all(value is None or _in_range(value) for value in fight.values()):
        raise CatalogError(f"{where}: attack and defense are numbers of 0 to 10.")
    legal = table.get("legal", bool(zones))
    return Card(
        id=card_id,
        game=texts["game"] or card_id.partition(":")[0],
        name=name,
        zones=dict(zones),
        score=score,
        set_code=texts["set_code"] or "",
        collector_number=texts["collector_number"] or "",
        face=tuple(face),
        legal=legal is True and bool(zones),
        reason=texts["reason"] or (None if zones else "no-number"),
        attack=fight["attack"],
        defense=fight["defense"],
    )


def _in_range(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST
