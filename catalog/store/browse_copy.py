"""A read-only copy of a catalogue for the browser, and limits on queries to it."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from ccgrid.catalog.store.cards import ZONE_COLUMNS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.zones import ZONES

CARDS: Final = "cards"

COLLECTION: Final = "collection"
"""The names of the tables of the copy."""

LONGEST_VALUE: Final = 1 << 20
"""The maximum size of a text, a row or a statement, in bytes."""

MOST_MEMORY: Final = 256 << 20
"""The maximum memory of SQLite in the whole process, in bytes."""

_ZONE_COLUMNS: Final = ", ".join(f'"{column}"' for column in ZONE_COLUMNS)

_ZONES_BY_COLUMN: Final = tuple(zip(ZONE_COLUMNS, ZONES, strict=True))

_ZONE_LIST: Final = ", ".join(
    f"""CASE WHEN "{column}" IS NOT NULL THEN '{zone}' END""" for column, zone in _ZONES_BY_COLUMN
)

_SPELLED: Final = (
    "SELECT rarity, max(cards) FROM (SELECT rarity, count(*) AS cards FROM source.cards GROUP BY rarity)"
    " GROUP BY rarity COLLATE NOCASE"
)
"""Each rarity in its most frequent spelling, so that a list of them names it once."""

_COPY_SCRIPT: Final = f"""
CREATE TABLE {CARDS} (
    id TEXT PRIMARY KEY, game TEXT, name TEXT, set_code TEXT, set_name TEXT, collector_number TEXT,
    {", ".join(f'"{column}" INTEGER' for column in ZONE_COLUMNS)},
    zones TEXT, face TEXT, score INTEGER, legal TEXT, reason TEXT, attack INTEGER, defense INTEGER,
    released TEXT, printed_name TEXT, owned INTEGER, boxes TEXT, type TEXT, rarity TEXT, cost TEXT, mana_value NUMERIC,
    colours TEXT, artist TEXT, text TEXT
);
CREATE TABLE {COLLECTION} (
    id INTEGER PRIMARY KEY, card_id TEXT REFERENCES {CARDS} (id), name TEXT, copies INTEGER, finish TEXT,
    condition TEXT, language TEXT, box TEXT, "row" TEXT, slot TEXT, game TEXT, set_name TEXT, collector_number TEXT
);
INSERT INTO {COLLECTION}
    SELECT id, card_id, name, copies, finish, condition, language, box, "row", slot, game, set_name, collector_number
    FROM source.holdings;
INSERT INTO {CARDS}
    SELECT cards.id, game, name, set_code, set_name, collector_number, {_ZONE_COLUMNS}, zones_of({_ZONE_LIST}), face,
        score, CASE legal WHEN 1 THEN 'legal' ELSE 'barred' END, reason, attack, defense, released, printed_name,
        (SELECT sum(copies) FROM {COLLECTION} WHERE card_id = cards.id),
        (SELECT group_concat(DISTINCT nullif(box, '')) FROM {COLLECTION} WHERE card_id = cards.id),
        nullif(type, ''), spelled.rarity, nullif(cost, ''), mana_value, colours, artist, nullif(text, '')
    FROM source.cards AS cards LEFT JOIN source.descriptions ON descriptions.id = description_id
    LEFT JOIN ({_SPELLED}) AS spelled ON spelled.rarity = cards.rarity COLLATE NOCASE
    ORDER BY name, game, cards.id;
CREATE INDEX cards_by_game ON {CARDS} (game, set_code);
CREATE INDEX cards_by_name ON {CARDS} (name);
CREATE INDEX collection_by_box ON {COLLECTION} (box, name);
CREATE INDEX collection_by_card ON {COLLECTION} (card_id);
"""  # noqa: S608  our own names


def write_copy(catalogue: Path, copy: Path) -> None:
    """Write the copy of a catalogue into a new file. The catalogue is only read.

    Raises:
        CatalogueFileError: If there is no catalogue, or it is not of this version.
    """
    with Store(catalogue):
        pass  # opening it migrates it
    connection = sqlite3.connect(copy, isolation_level=None)
    try:
        connection.create_function("zones_of", -1, _zones_of, deterministic=True)
        connection.execute("ATTACH ? AS source", (os.fsencode(catalogue),))  # a path need not be UTF-8
        connection.execute("BEGIN")
        # Not `executescript`, which would commit first.
        for statement in _COPY_SCRIPT.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        connection.execute("COMMIT")
        connection.execute("DETACH source")
    finally:
        connection.close()


class Overview(NamedTuple):
    """The content of the first page: the numbers of cards and of owned copies, and some cards, the owned ones first."""

    cards: int
    copies: int
    first: list[dict[str, Any]]


_CARDS_ON_FIRST_PAGE: Final = 18  # cards on the first page


def overview(copy: Path) -> Overview:
    """Return the content of the first page for a copy."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.row_factory = sqlite3.Row
        (cards,) = connection.execute(f"SELECT count(*) FROM {CARDS}").fetchone()  # noqa: S608  our own names
        (copies,) = connection.execute(f"SELECT coalesce(sum(copies), 0) FROM {COLLECTION}").fetchone()  # noqa: S608
        first = connection.execute(
            f"SELECT * FROM {CARDS} ORDER BY owned IS NULL, legal = 'barred',"  # noqa: S608  our own names
            f" json_array_length(zones) DESC, score DESC, name LIMIT {_CARDS_ON_FIRST_PAGE}"
        )
        return Overview(cards, copies, [dict(row) for row in first])


def limit_queries(connection: sqlite3.Connection) -> None:
    """Limit the memory and the size of values for all queries to the copy."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute(f"PRAGMA hard_heap_limit = {MOST_MEMORY}")


def _zones_of(*zones: str | None) -> str:
    """Return a JSON list of the zones with a number."""
    return json.dumps([zone for zone in zones if zone])
