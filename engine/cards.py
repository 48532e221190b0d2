"""Cards in records: a name or id to look up, or a table of numbers; and unique labels for cards with equal names."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Final, Protocol, TypeAlias, TypeVar

from ccgrid.catalog.card import HIGHEST, LOWEST, Card, short_reason
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.zones import ZONES
from ccgrid.engine import schema
from ccgrid.engine.errors import RecordError, quoted
from ccgrid.engine.game import Lookup
from ccgrid.engine.schema import Table

AnyCard = TypeVar("AnyCard")

CardEntry: TypeAlias = str | Table
"""A card in a record: its name or id, or a table."""


class NamedCard(Protocol):
    """A card as a game uses it: a dataclass with a name."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """The card's name."""


AnyNamed = TypeVar("AnyNamed", bound=NamedCard)

LARGEST_SCORE: Final = 10_000
UNKNOWN: Final = "?"
"""The entry for an unknown card of a deck or a hand in a record."""

_NAMES: Final = {"id": schema.text, "name": schema.text, "set": schema.text}
_NUMBERS: Final = {"zones": schema.table({}, dict.fromkeys(ZONES, schema.whole)), "score": schema.whole}

ZONE_CARD: Final = schema.text_or_table(schema.table(_NUMBERS, _NAMES))
"""The shape of a card with numbers in its zones and a score."""

SCORE_CARD: Final = schema.text_or_table(schema.table({"score": schema.whole}, {**_NAMES, "zones": _NUMBERS["zones"]}))
"""The shape of a card of which only the score is needed."""


def no_lookup(wanted: str) -> Card:
    """Raise CatalogError for every card: the lookup used without a catalogue."""
    raise CatalogError(f"there is no catalogue to look up {quoted(wanted)}: write the card as a table with its numbers")


def look_up(wanted: str, lookup: Lookup) -> Card:
    """Return the legal card with this catalogue id or name.

    Raises:
        RecordError: If there is no such card, or it is not legal.
    """
    try:
        card = lookup(wanted)
    except CatalogError as error:
        raise RecordError("", str(error)) from None
    if not card.legal:
        raise RecordError("", f"{quoted(card.name)} is not playable: {short_reason(card.reason or 'barred')}")
    return card


def read_zone_card(value: CardEntry, number: int, lookup: Lookup) -> Card:
    """Return the card in a value that has passed `ZONE_CARD`.

    Args:
        value: A name or id to look up, or a table.
        number: The number that names a card whose table has neither name nor id.
        lookup: Finds a card by its id or name.

    Raises:
        RecordError: If the card is not found, not legal, or has impossible numbers (docs/numbers.md, rules 6, 10, 13).
    """
    card = look_up(value, lookup) if isinstance(value, str) else _card_from_table(value, number)
    if not card.zones:
        raise RecordError("zones", "are empty: a card needs a number in some zone")
    return zone_card(card)


def read_score_card(value: CardEntry, number: int, lookup: Lookup) -> Card:
    """Return the card in a value that has passed `SCORE_CARD`. See `read_zone_card`; here the zones may be missing."""
    return look_up(value, lookup) if isinstance(value, str) else _card_from_table(value, number)


def read_cards(
    values: Sequence[CardEntry], where: str, read: Callable[[CardEntry, int, Lookup], AnyCard], lookup: Lookup
) -> list[AnyCard]:
    """Return the cards of a list, each read by `read`.

    Raises:
        RecordError: If `read` raises it; the index in the list at `where` is added to the location.
    """
    cards = []
    for index, value in enumerate(values):
        try:
            cards.append(read(value, index + 1, lookup))
        except RecordError as error:
            raise error.under(f"{where}[{index}]") from None
    return cards


def read_piles(
    table: Table, read: Callable[[CardEntry, int, Lookup], AnyCard], lookup: Lookup
) -> dict[str, list[AnyCard]]:
    """Return the unknown cards of the players' `decks` as listed in the optional `pile` of a setup, unordered.

    Raises:
        RecordError: If a pile belongs to no player, contains an unknown card, or does not have exactly as many cards as
            are unknown in that player's deck.
    """
    found = {}
    for player, values in table.get("pile", {}).items():
        place = f"pile.{schema.key_name(player)}"
        if player not in table["decks"]:
            raise RecordError(place, "is not one of the players")
        unknown = table["decks"][player].count(UNKNOWN)
        if len(values) != unknown:
            wanted = f"the {unknown} cards that are {quoted(UNKNOWN)} in decks"
            raise RecordError(place, f"must be {wanted}, not {len(values)}")
        if UNKNOWN in values:
            raise RecordError(f"{place}[{values.index(UNKNOWN)}]", "must be a card, not just a place")
        found[player] = read_cards(values, place, read, lookup)
    return found


def _card_from_table(table: Table, number: int) -> Card:
    zones: dict[str, int] = table.get("zones", {})
    for zone, value in zones.items():
        if not LOWEST <= value <= HIGHEST:
            raise RecordError(f"zones.{zone}", f"must be {LOWEST} to {HIGHEST}, not {value}")
    score: int = table["score"]
    if score < sum(zones.values()):
        raise RecordError("score", f"is {score}, less than the sum of the zones, {sum(zones.values())}")
    if not LOWEST <= score <= LARGEST_SCORE:
        raise RecordError("score", f"must be {LOWEST} to {LARGEST_SCORE}, not {score}")
    card_id: str = table.get("id", "")
    name = table.get("name") or card_id or f"card {number}"
    return Card(id=card_id, game="", name=name, zones=zones, score=score, set_code=table.get("set", ""))


@lru_cache(maxsize=1 << 13)  # cached: the same cards occur in many decks
def zone_card(card: Card) -> Card:
    """Return a card with only the fields that a record stores, so that dealt setups equal setups read from records."""
    return Card(
        id=card.id,
        # The id begins with the game; a record does not store the game separately.
        game=card.id.partition(":")[0] if ":" in card.id else "",
        name=card.name,
        zones={zone: card.zones[zone] for zone in ZONES if zone in card.zones},
        score=card.score,
        set_code=card.set_code,
    )


def zone_card_table(card: Card) -> dict[str, object]:
    """Return the table of a card with zones for a record."""
    names = {"id": card.id, "name": card.name, "set": card.set_code}
    return {key: text for key, text in names.items() if text} | {"zones": dict(card.zones), "score": card.score}


def label(cards: Sequence[AnyNamed]) -> tuple[AnyNamed, ...]:
    """Give the cards of a deck unique names: different cards of the same name become `Name #2`, `Name #3` and so on.

    Copies of one card share a name. The cards must have only the fields that a record stores (see `zone_card`), because
    cards are compared by all their fields.
    """
    named: dict[str, AnyNamed] = {}
    labelled = []
    for card in cards:
        name, count = card.name, 1
        # The first card of a name keeps it. An equal card is its copy; a different card tries the next number.
        while (existing := named.setdefault(name, card)) is not card and existing != card:
            count += 1
            name = f"{card.name} #{count}"
        labelled.append(card if name == card.name else replace(card, name=name))
    return tuple(labelled)


def label_known(cards: Sequence[AnyNamed | None]) -> tuple[AnyNamed | None, ...]:
    """Label the known cards as `label` does, and keep None for each unknown card."""
    known = iter(label([card for card in cards if card is not None]))
    return tuple([None if card is None else next(known) for card in cards])


def hand_suffix(known: Iterable[str], unknown: int) -> str:
    """Return what a message appends about a hand that lacks a card: its known cards, and how many are unknown."""
    names = ", ".join(known)
    rest = f", but the record does not name {unknown} of the cards" if unknown else ""
    return f"{f', only {names}' if names else ''}{rest}"


def sorted_by_name(cards: Iterable[AnyNamed]) -> tuple[AnyNamed, ...]:
    """Return labelled cards sorted by name, an order that reveals nothing about their positions."""
    return tuple(sorted(cards, key=attrgetter("name")))


def without(cards: Iterable[AnyCard], taken: Iterable[object]) -> tuple[AnyCard, ...]:
    """Return the cards, in order, without one copy for each card in `taken`."""
    # Counted, because a deck may have copies: taking one of three leaves two.
    missing = Counter[object](taken)
    left = []
    for card in cards:
        if missing[card] > 0:
            missing[card] -= 1
        else:
            left.append(card)
    return tuple(left)


_ONTO: Final = ("on", "onto", "at", "to")


def match_names(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that match a query.

    These are the exact name, else case-insensitive matches, else every name with a word that starts with the query. An
    empty query matches every name.

    >>> match_names("war", ("Gate Warden", "Warlock", "Toward"))
    ('Gate Warden', 'Warlock')
    """
    if name in names:
        return (name,)
    wanted = name.casefold()
    same = tuple(candidate for candidate in names if candidate.casefold() == wanted)
    # A space before both, so that only the beginning of a word matches.
    return same or tuple(candidate for candidate in names if f" {wanted}" in f" {candidate.casefold()}")


def read_place(text: str, cells: Collection[str], names: Collection[str]) -> tuple[str, str]:
    """Split a typed text into a card name and a cell; a missing part is "".

    >>> read_place("gate on B2", ("b2",), ())
    ('gate', 'b2')
    """
    cell = text[-2:].lower()
    # `gateb2` is a name, `gate b2` a name and a cell. `text[-3:-2]` is the character before the cell, or "".
    if text in names or cell not in cells or text[-3:-2].isalnum():
        return text, ""
    name = text[:-2].rstrip()
    if name in names:
        return name, cell
    if name.endswith("@"):
        return name[:-1].rstrip(), cell
    before, _, last = name.rpartition(" ")
    return (before.rstrip() if last.lower() in _ONTO else name), cell
