"""Cards as records spell them: a name or id to look up, or a table with numbers; and how equal names are told apart."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Final, Protocol, TypeVar

from ccgrid.catalog.card import HIGHEST, LOWEST, ZONES, Card, short_reason
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine import schema
from ccgrid.engine.errors import RecordError, quoted
from ccgrid.engine.game import Lookup

AnyCard = TypeVar("AnyCard")


class NamedCard(Protocol):
    """A card as some game plays it: a dataclass with a name."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """The card's name."""


AnyNamed = TypeVar("AnyNamed", bound=NamedCard)

LARGEST_SCORE: Final = 10_000
UNKNOWN: Final = "?"
"""Stands in a record for a card of a deck or a hand that nobody knows yet."""

_NAMES: Final = {"id": schema.text, "name": schema.text, "set": schema.text}
_NUMBERS: Final = {"zones": schema.table({}, dict.fromkeys(ZONES, schema.whole)), "score": schema.whole}

ZONE_CARD: Final = schema.text_or(schema.table(_NUMBERS, _NAMES))
"""A card with the numbers in its zones and its score."""

SCORE_CARD: Final = schema.text_or(schema.table({"score": schema.whole}, {**_NAMES, "zones": _NUMBERS["zones"]}))
"""A card of which only the score is needed."""


def no_lookup(wanted: str) -> Card:
    """The lookup of who has no catalogue: no card given as a text is found."""
    raise CatalogError(f"there is no catalogue to look up {quoted(wanted)}: write the card as a table with its numbers")


def look_up(wanted: str, lookup: Lookup) -> Card:
    """The legal card with this catalogue id or name.

    Raises:
        RecordError: there is none, or it may not be used.
    """
    try:
        card = lookup(wanted)
    except CatalogError as error:
        raise RecordError("", str(error)) from None
    if not card.legal:
        raise RecordError("", f"{quoted(card.name)} is not playable: {short_reason(card.reason or 'barred')}")
    return card


def read_zone_card(value: str | Mapping[str, Any], number: int, lookup: Lookup) -> Card:
    """The card in a value that has passed `ZONE_CARD`; `number` names it when it has neither name nor id.

    Raises:
        RecordError: it is not found, not legal, or its numbers cannot be (docs/numbers.md, rules 6, 10 and 13).
    """
    card = look_up(value, lookup) if isinstance(value, str) else _written_out(value, number)
    if not card.zones:
        raise RecordError("zones", "are empty: a card needs a number in some zone")
    return zone_card(card)


def read_score_card(value: str | Mapping[str, Any], number: int, lookup: Lookup) -> Card:
    """The card in a value that has passed `SCORE_CARD`, like `read_zone_card`, but the zones may be missing."""
    return look_up(value, lookup) if isinstance(value, str) else _written_out(value, number)


def read_cards(
    values: Sequence[Any], where: str, read: Callable[[Any, int, Lookup], AnyCard], lookup: Lookup
) -> list[AnyCard]:
    """Every card of a list, each by `read`; what is wrong with one is said with its place in the list at `where`.

    Raises:
        RecordError: as `read` says.
    """
    cards = []
    for index, value in enumerate(values):
        try:
            cards.append(read(value, index + 1, lookup))
        except RecordError as error:
            raise error.under(f"{where}[{index}]") from None
    return cards


def read_piles(
    table: Mapping[str, Any], read: Callable[[Any, int, Lookup], AnyCard], lookup: Lookup
) -> dict[str, list[AnyCard]]:
    """What the unknown cards of players' `decks` are, in no order, as far as the `pile` of a setup says it.

    Raises:
        RecordError: a pile is nobody's, has more cards than are not known, or fewer, or one that is not known itself.
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


def _written_out(table: Mapping[str, Any], number: int) -> Card:
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


@lru_cache(maxsize=1 << 13)  # cards come up in many decks
def zone_card(card: Card) -> Card:
    """What a record says of a card, and nothing else, so that setups dealt from a catalogue and read back are equal."""
    return Card(
        id=card.id,
        # The id says the game: a record holds nothing else of it.
        game=card.id.partition(":")[0] if ":" in card.id else "",
        name=card.name,
        zones={zone: card.zones[zone] for zone in ZONES if zone in card.zones},
        score=card.score,
        set_code=card.set_code,
    )


def zone_card_table(card: Card) -> dict[str, Any]:
    """The table of a card with zones, as records hold it."""
    names = {"id": card.id, "name": card.name, "set": card.set_code}
    return {key: text for key, text in names.items() if text} | {"zones": dict(card.zones), "score": card.score}


def label(cards: Sequence[AnyNamed]) -> tuple[AnyNamed, ...]:
    """The cards of a deck with different names: of different cards of one name the later are `Name #2`, `Name #3`.

    Copies of one card share a name. The cards must be as records hold them, so that those that differ are different.
    """
    named: dict[str, AnyNamed] = {}
    labelled = []
    for card in cards:
        name, count = card.name, 1
        # The first card of a name keeps it. An equal one is its copy; any other tries the next number.
        while (there := named.setdefault(name, card)) is not card and there != card:
            count += 1
            name = f"{card.name} #{count}"
        labelled.append(card if name == card.name else replace(card, name=name))
    return tuple(labelled)


def label_known(cards: Sequence[AnyNamed | None]) -> tuple[AnyNamed | None, ...]:
    """The cards as `label` names them, with None where one is not known."""
    known = iter(label([card for card in cards if card is not None]))
    return tuple([None if card is None else next(known) for card in cards])


def unknown_too(count: int) -> str:
    """What a message adds to the cards of a hand, `count` of which are not known."""
    return f", and {count} that the record does not know" if count else ""


def in_no_order(cards: Iterable[AnyNamed]) -> tuple[AnyNamed, ...]:
    """Labelled cards sorted by name, an order that gives away nothing of where they are."""
    return tuple(sorted(cards, key=attrgetter("name")))


def without(cards: Iterable[AnyCard], taken: Iterable[AnyCard]) -> tuple[AnyCard, ...]:
    """The cards, in their order, less one copy for each that was taken."""
    # Counted, as a deck may have copies: of three, one that was taken leaves two.
    missing = Counter(taken)
    left = []
    for card in cards:
        if missing[card] > 0:
            missing[card] -= 1
        else:
            left.append(card)
    return tuple(left)


_ONTO: Final = ("on", "onto", "at", "to")


def match_names(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Which cards a person calls so: the one of this name, else those of which a word begins so; all, for no name.

    >>> match_names("war", ("Gate Warden", "Warlock", "Toward"))
    ('Gate Warden', 'Warlock')
    """
    if name in names:
        return (name,)
    wanted = name.casefold()
    same = tuple(one for one in names if one.casefold() == wanted)
    # A space before both: only the beginning of a word fits.
    return same or tuple(one for one in names if f" {wanted}" in f" {one.casefold()}")


def read_place(text: str, cells: Collection[str], names: Collection[str]) -> tuple[str, str]:
    """The card's name and the cell in what a person typed, each empty where it is not in there.

    >>> read_place("gate on B2", ("b2",), ())
    ('gate', 'b2')
    """
    cell = text[-2:].lower()
    # `gateb2` is a name, `gate b2` a name and a cell.
    # `text[-3:-2]` is the character before the cell, or nothing.
    if text in names or cell not in cells or text[-3:-2].isalnum():
        return text, ""
    name = text[:-2].rstrip()
    if name in names:
        return name, cell
    if name.endswith("@"):
        return name[:-1].rstrip(), cell
    before, _, last = name.rpartition(" ")
    return (before.rstrip() if last.lower() in _ONTO else name), cell
