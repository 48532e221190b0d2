"""Cards with four numbers, one in the middle of each side, as games play them and files spell them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from ccgrid.catalog.card import HIGHEST, LOWEST, Card, CatalogError
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import Lookup
from ccgrid.engine.schema import RecordError

SIDES: Final = ("top", "right", "bottom", "left")
"""The four sides of a card held upright, clockwise: the order in which games process them."""

SIDED_CARD_TABLE: Final = schema.table({"name": schema.text, **dict.fromkeys(SIDES, schema.whole)})
SIDED_CARD: Final = schema.text_or(SIDED_CARD_TABLE)
"""A card with a name and a number on each side, or its name or id to look up."""

Numbers = tuple[int, int, int, int]
"""A card's numbers, each 0 to 10, in the order of `SIDES`."""


def sided_card(name: str, top: int, right: int, bottom: int, left: int) -> Card:
    """The card with this name and these numbers.

    Raises:
        RecordError: the name is empty, or a number is not 0 to 10; its place is the key.

    >>> sides(sided_card("Gate Warden", 5, 4, 7, 4))
    (5, 4, 7, 4)
    """
    if not name.strip():
        raise RecordError("name", "is empty: moves need card names")
    numbers = dict(zip(SIDES, (top, right, bottom, left), strict=True))
    for side, number in numbers.items():
        if not LOWEST <= number <= HIGHEST:
            raise RecordError(side, f"must be {LOWEST} to {HIGHEST}, not {number}")
    return Card(id="", game="", name=name, zones=numbers, score=sum(numbers.values()))


def sides(card: Card) -> Numbers:
    """The numbers of a card that has one on every side."""
    zones = card.zones
    return zones["top"], zones["right"], zones["bottom"], zones["left"]


@lru_cache(maxsize=1024)  # one deck is dealt many times
def as_sided_card(card: Card) -> Card:
    """What a record says of a card of any card game that has a number on every side.

    Raises:
        EngineError: it lacks one; says which.
    """
    missing = [side for side in SIDES if side not in card.zones]
    if missing:
        raise EngineError(
            f"{quoted(card.name)} has no number at its {' and '.join(missing)}: this game needs one on each side"
        )
    return sided_card(card.name, *sides(card))


def read_sided_card(value: str | Mapping[str, Any], number: int, lookup: Lookup) -> Card | None:
    """The card in a value that has passed `SIDED_CARD`, None for one that nobody knows.

    One that is looked up needs a number on every side.

    Raises:
        RecordError: it is not found, lacks a number, or a value cannot be; with its place.
    """
    if value == UNKNOWN:
        return None
    if not isinstance(value, str):
        return sided_card(**value)
    try:
        return as_sided_card(lookup(value))
    except RecordError:
        raise
    except (CatalogError, EngineError) as error:
        raise RecordError("", str(error)) from None


def sided_card_table(card: Card | None) -> dict[str, Any] | str:
    """The table of a card with four numbers, as records hold it, or what stands for one that is not known."""
    return UNKNOWN if card is None else {"name": card.name, **dict(zip(SIDES, sides(card), strict=True))}


def sided_cards(rows: Iterable[tuple[str, int, int, int, int]]) -> tuple[Card, ...]:
    """The cards in rows of `(name, top, right, bottom, left)`, such as those of a Triple Triad set.

    Raises:
        RecordError: a row's name is empty or a number is not 0 to 10; with the place, rows counted from 0.

    >>> [card.name for card in sided_cards([("Gate Warden", 5, 4, 7, 4), ("Keystone", 10, 10, 10, 10)])]
    ['Gate Warden', 'Keystone']
    """
    cards = []
    for index, row in enumerate(rows):
        try:
            cards.append(sided_card(*row))
        except RecordError as error:
            raise error.under(f"[{index}]") from None
    return tuple(cards)
