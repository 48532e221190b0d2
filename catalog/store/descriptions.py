"""Descriptions of cards in a catalogue."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ccgrid.catalog.description import UNKNOWN, Description, PrintedDescription
from ccgrid.catalog.store.cells import cell_table

_BATCH: Final = 500  # rows

_SELECT: Final = (
    "SELECT cards.id, coalesce(rarity, ''), coalesce(artist, ''), type, cost, mana_value, colours, identity, keywords,"
    " fields, text FROM cards LEFT JOIN descriptions ON descriptions.id = description_id WHERE cards.id IN "
)


def describe(connection: sqlite3.Connection, ids: Sequence[str]) -> Mapping[str, PrintedDescription]:
    """Return the descriptions of the cards with these ids, as far as the catalogue has them."""
    found: dict[str, PrintedDescription] = {}
    for start in range(0, len(ids), _BATCH):
        some = ids[start : start + _BATCH]
        for card_id, rarity, artist, *cells in connection.execute(f"{_SELECT}({','.join('?' * len(some))})", some):
            found[card_id] = PrintedDescription(UNKNOWN if cells[0] is None else _description(cells), rarity, artist)
    return found


def _description(cells: Sequence[Any]) -> Description:
    kind, cost, value, colours, identity, keywords, fields, text = cells
    return Description(
        *(kind, cost, value, _split(colours), _split(identity)),
        _split(keywords) or (),
        tuple((name, str(said)) for name, said in cell_table(fields).items()),
        text,
    )


def _split(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(filter(None, text.split(", ")))


def field_names(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the names of the other fields of all games, in alphabetical order."""
    return (name for (name,) in connection.execute("SELECT DISTINCT name FROM game_fields ORDER BY name"))
