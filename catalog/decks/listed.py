"""Decks as people write them: read, and checked with every problem said at once."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from catalog.card import HIGHEST, LOWEST, ZONES, Card, CatalogError
from catalog.codes.code import is_code
from catalog.decks.deck import USUAL_DECK, Deck
from catalog.decks.deck_codes import read_deck_code
from catalog.decks.deck_lines import MOST_CARDS, Line, read_lines
from catalog.documents import DocumentError, Limits, load_json, load_toml

_LIMITS: Final = Limits(4 << 20)


@dataclass(frozen=True, slots=True)
class DeckEntry:
    """One line of a deck as somebody wrote it: what to look up, or a card written out with its numbers.

    `written` is the text of a line before a set and a number were read out of it, empty where there were none.
    `ids` are what other programs call it, such as ("konami", "46986414"), and `text` the first where there is no name.
    """

    where: str
    text: str
    card: Card | None = None
    set_code: str = ""
    collector_number: str = ""
    written: str = ""
    ids: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a deck; `card` is None where it is the deck as a whole."""

    card: str | None
    reason: str

    @classmethod
    def of(cls, card: str, error: CatalogError) -> "Problem":
        """What an error says of a card, in one line."""
        return cls(card, str(error).replace("\n", " "))

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of a problem in `deck check --json`."""
        return {"card": self.card, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class ListedDeck:
    """A deck as typed: nothing of it has been looked up.

    `plays` is the game that it is for, where the file says so (under the key `game`).
    `second` is a smaller block behind a blank line: a sideboard, or the rest of the deck where it completes it.
    """

    name: str
    entries: tuple[DeckEntry, ...]
    seed: int | None = None
    second: tuple[DeckEntry, ...] = ()
    plays: str | None = None


Find = Callable[[DeckEntry], Card]
"""Finds the card that an entry means; raises CatalogError where there is none."""


DeckFault = Callable[[Card], str | None]
"""What keeps a card out of a deck for a certain game; nothing where it may be in there."""


def barred(card: Card) -> str | None:
    """What keeps a card out of a deck of legal cards (NUMBERS.md, rules 9 to 12)."""
    return None if card.legal else card.reason or "barred"


def check_deck(
    listed: ListedDeck, find: Find, size: int | range = USUAL_DECK, fault: DeckFault = barred
) -> tuple[Deck, list[Problem]]:
    """The deck with every card found, and everything that is wrong with it: an empty list where it is legal.

    `size` is how many cards it has, or how many it may have. What is wrong with all copies of a card is said once.
    """
    entries, second = listed.entries, listed.second
    sizes = range(size, size + 1) if isinstance(size, int) else size
    if len(entries) not in sizes and len(entries) + len(second) in sizes:
        entries, second = entries + second, ()
    problems = []
    if len(entries) not in sizes:
        beside = f"; the {len(second)} behind the blank line are taken for a sideboard" if second else ""
        needed = f"{size}" if isinstance(size, int) else f"{sizes[0]} to {sizes[-1]}"
        problems.append(Problem(None, f"the deck has {len(entries)} cards, and {needed} are needed{beside}"))
    cards = []
    found: dict[DeckEntry, Card | None] = {}
    for entry in entries:
        if entry not in found:
            card, problem = _looked_up(entry, find, fault)
            found[entry] = card
            problems += [problem] if problem and problem not in problems else []
        if (held := found[entry]) is not None:
            cards.append(held)
    return Deck(listed.name, tuple(cards), listed.seed, listed.plays), problems


def _looked_up(entry: DeckEntry, find: Find, fault: DeckFault) -> tuple[Card | None, Problem | None]:
    """The card that an entry means, if there is one, and what is wrong with it, if anything is."""
    try:
        card = find(entry)
    except CatalogError as error:
        return None, Problem.of(entry.text, error)
    reason = fault(card)
    return card, None if reason is None else Problem(card.name, reason)


_TOML_CARDS: Final = re.compile(r"^[ \t]*(?:\[\[[ \t]*cards[ \t]*\]\]|cards[ \t]*=)", re.MULTILINE)


def parse_deck(text: str, name: str) -> ListedDeck:
    """The deck in a text: TOML, JSON as `deck new --json` prints it, or lines such as `1 Lightning Bolt (M10) 146`.

    `name` is its name where the text gives none.

    Raises CatalogError with the line or key that is wrong.
    """
    start = text.lstrip()[:1]
    if is_code(text):
        name, plays, seed, cards = read_deck_code(text)
        return ListedDeck(name, tuple(DeckEntry(card.name, card.name, card) for card in cards), seed, plays=plays)
    if start == "{":
        return _from_table(_loaded(load_json, text, "JSON"), name)
    if start == "<":
        raise CatalogError("A deck in XML is read from a file alone: save it as one, and name that.")
    if _TOML_CARDS.search(text):
        return _from_table(_loaded(load_toml, text, "TOML"), name)
    return _from_lines(text, name)


def _loaded(load: Callable[[str, Limits], Any], text: str, kind: str) -> Mapping[str, Any]:
    try:
        table = load(text, _LIMITS)
    except DocumentError as error:
        raise CatalogError(f"This looks like a deck in {kind}, but the file {error}.") from None
    return table if isinstance(table, dict) else {}


def _from_lines(text: str, name: str) -> ListedDeck:
    read = read_lines(text)
    return ListedDeck(read.name or name, _entries(read.lines), second=_entries(read.second))


def _entries(lines: Sequence[Line]) -> tuple[DeckEntry, ...]:
    entries = [
        DeckEntry(f"line {line.number}", line.name, None, line.set_code, line.collector_number, line.written)
        for line in lines
        for _ in range(line.copies)
    ]
    return tuple(entries)


def _from_table(table: Mapping[str, Any], name: str) -> ListedDeck:
    cards = table.get("cards")
    if not isinstance(cards, list):
        raise CatalogError("A deck has its cards in a list: cards = [ … ].")
    if len(cards) > MOST_CARDS:
        raise CatalogError(f"{len(cards)} cards are too many for a deck.")
    seed, title, game = table.get("seed"), table.get("name"), table.get("game")
    if game is not None and not isinstance(game, str):
        raise CatalogError(f"game is {game!r}; it is the name of the game that the deck is for.")
    entries = tuple(_entry(card, f"cards[{index}]") for index, card in enumerate(cards))
    own_seed = seed if isinstance(seed, int) and not isinstance(seed, bool) else None
    return ListedDeck(title if isinstance(title, str) and title else name, entries, own_seed, plays=game)


_NUMBERS: Final = frozenset((*ZONES, "attack", "defense"))
"""The numbers that may also stand beside a card's name, without a table of zones: `{ name = "Ant", top = 3 }`."""


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
        return DeckEntry(where, card_id or name)
    return DeckEntry(where, name or card_id, _card(value, card_id, name or card_id, where))


def _card(table: Mapping[str, Any], card_id: str, name: str, where: str) -> Card:
    """A card that a deck file writes out, its numbers checked against the house rules as far as they go."""
    zones, score, face = table["zones"], table.get("score"), table.get("face", [])
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
