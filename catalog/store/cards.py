"""Cards of a catalogue by their ids, and as rows of its table."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.store.cells import cell_numbers
from ccgrid.catalog.store.file import CatalogueFile
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.zones import ZONES

if TYPE_CHECKING:
    from ccgrid.catalog.description import PrintedDescription
    from ccgrid.catalog.matching.names import NameHit

ZONE_COLUMNS: Final = tuple(zone.replace("-", "_") for zone in ZONES)

CARD_COLUMNS: Final = (
    *("id", "game", "name", "set_code", "set_name", "collector_number"),
    *ZONE_COLUMNS,
    *("face", "score", "legal", "reason", "attack", "defense", "released", "lang", "printed_name"),
)

_BATCH_SIZE: Final = 500  # parameters of a statement

_MOST_NAMES: Final = 1000
"""The maximum number of names for a query."""

_ENOUGH_NAMES: Final = 20  # names, so that no misspelt ones are searched for


class CardFile(CatalogueFile):
    """The file of a catalogue, with access to cards by id."""

    def cards(self, ids: Sequence[str]) -> list[Card]:
        """Return the cards with these ids, in this order, without ids that the catalogue does not have."""
        found: dict[str, Card] = {}
        for start in range(0, len(ids), _BATCH_SIZE):
            some = [replace_surrogates(card_id) for card_id in ids[start : start + _BATCH_SIZE]]
            marks = ",".join("?" * len(some))
            rows = self.connection.execute(f"{select_cards()} WHERE id IN ({marks})", some)
            found.update((row[0], card_of(row)) for row in rows)
        return [found[card_id] for card_id in ids if card_id in found]

    def described(self, cards: Iterable[Card]) -> Iterator[tuple[Card, "PrintedDescription"]]:
        """Yield each card with what it says besides its numbers."""
        from ccgrid.catalog.description import NOTHING_SAID
        from ccgrid.catalog.store.descriptions import describe

        cards = iter(cards)
        while some := list(islice(cards, _BATCH_SIZE)):
            said = describe(self.connection, [card.id for card in some])
            yield from ((card, said.get(card.id, NOTHING_SAID)) for card in some)

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Return the ids of which the collection has copies."""
        owned: set[str] = set()
        for start in range(0, len(ids), _BATCH_SIZE):
            some = ids[start : start + _BATCH_SIZE]
            marks = ",".join("?" * len(some))
            query = f"SELECT DISTINCT card_id FROM holdings WHERE card_id IN ({marks})"  # noqa: S608  only marks
            owned.update(card_id for (card_id,) in self.connection.execute(query, some))
        return frozenset(owned)

    def near(self, query: str, enough: int = _ENOUGH_NAMES) -> "list[NameHit]":
        """Return at most 1,000 names that a query may refer to, best first, each with a score of 0 to 100.

        Names with words that start with the words of the query are found through the full-text index. If these are
        fewer than `enough`, misspelt names are found, too: all names are compared, or in a large catalogue those with
        similar words.
        """
        from ccgrid.catalog.store.names import names_containing, names_near

        found = names_containing(self.connection, query, _MOST_NAMES)
        # No other word is similar to a single letter.
        if len(found) >= min(enough, _MOST_NAMES) or len(matching.names.fold(query)) < 2:
            return found
        return matching.names.rank(query, names_near(self.connection, query))


def select_cards(alias: str = "cards") -> str:
    """Return the query for whole cards, with this alias of the table. `card_of` converts its rows."""
    columns = ", ".join([f'{alias}."{column}"' for column in CARD_COLUMNS])
    return f"SELECT {columns} FROM cards AS {alias}"  # noqa: S608  our own column names


def card_of(row: Sequence[Any]) -> Card:
    """Return the card in a row of the query of `select_cards`."""
    card_id, game, name, set_code, set_name, number = row[:6]
    zones = {zone: value for zone, value in zip(ZONES, row[6:14], strict=True) if value is not None}
    face, score, legal, *rest = row[14:]  # the rest is in the same order in both
    return Card(card_id, game, name, zones, score, set_code, set_name, number, cell_numbers(face), bool(legal), *rest)
