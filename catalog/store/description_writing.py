"""Writing of descriptions: each is stored once, and indexed for searches."""

import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from ccgrid.catalog.description import UNKNOWN, Description
from ccgrid.catalog.evidence import numerals_only
from ccgrid.catalog.packed import as_json
from ccgrid.catalog.store.cells import cell_list
from ccgrid.catalog.store.descriptions import _BATCH
from ccgrid.catalog.store.journal import column_names

NO_DESCRIPTION: Final = 0
"""The number that stands for no description. Descriptions are numbered from 1."""
# OR FAIL: otherwise SQLite copies pages before each row, because triggers record it (`recording`).
_INSERT: Final = (
    "INSERT OR FAIL INTO descriptions (id, hash, type, cost, mana_value, colours, identity, keywords, fields, text)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_MOST_IN_MEMORY: Final = 1 << 17  # numbers of descriptions


class DescriptionWriter:
    """Stores the descriptions of an import; `flush` writes those that are pending."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.last = last_description_id(connection)
        self._next = self.last
        self._is_complete = not self.last
        self._numbers: dict[int, int] = {hash(UNKNOWN): NO_DESCRIPTION}
        """The numbers of known descriptions by Python's hashes, which take less memory than the descriptions."""
        self._pending: list[tuple[object, ...]] = []
        self._fields: set[tuple[str, str]] = set()

    def number(self, description: Description, game: str) -> int:
        """Return the number of a description, which is stored if it is new."""
        key = hash(description)
        found = self._numbers.get(key)
        if found is None:
            if len(self._numbers) >= _MOST_IN_MEMORY:
                self.flush()
                self._numbers, self._is_complete = {hash(UNKNOWN): NO_DESCRIPTION}, False
            found = self._numbers[key] = self._store(description)
            self._fields.update((game, name) for name, _ in description.fields)
        return found

    def _store(self, description: Description) -> int:
        cells = _cells(description)
        digest = int.from_bytes(blake2b(as_json(cells), digest_size=8).digest(), "big", signed=True)
        if not self._is_complete:
            query = "SELECT id FROM descriptions WHERE hash = ?"
            if row := self._connection.execute(query, (digest,)).fetchone():
                return int(row[0])
        self._next += 1
        self._pending.append((self._next, digest, *cells))
        if len(self._pending) >= _BATCH:
            self.flush()
        return self._next

    def flush(self) -> None:
        """Write the pending descriptions."""
        self._connection.executemany(_INSERT, self._pending)
        self._pending.clear()

    def finish(self) -> None:
        """Write the rest, index the new texts, and note the fields of the games."""
        self.flush()
        index_descriptions(self._connection, self.last)
        query = "INSERT OR IGNORE INTO game_fields (game, name) VALUES (?, ?)"
        self._connection.executemany(query, sorted(self._fields))


def _cells(description: Description) -> tuple[object, ...]:
    kind, cost, value, colours, identity, keywords, fields, text = description
    return (
        *(kind, cost, value, _joined(colours), _joined(identity), ", ".join(keywords)),
        as_json(dict(fields)).decode(),
        text,
    )


def _joined(names: Sequence[str] | None) -> str | None:
    return None if names is None else ", ".join(names)


def last_description_id(connection: sqlite3.Connection) -> int:
    """Return the number of the newest description."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM descriptions").fetchone()[0])


def index_descriptions(connection: sqlite3.Connection, after: int) -> None:
    """Add the texts above a number to the full-text index."""
    connection.execute(
        "INSERT INTO descriptions_fts (rowid, text) SELECT id, text FROM descriptions WHERE id > ?", (after,)
    )


def delete_unused_descriptions(connection: sqlite3.Connection) -> None:
    """Delete the descriptions that no card uses."""
    connection.execute(
        "DELETE FROM descriptions WHERE id NOT IN (SELECT description_id FROM cards WHERE description_id IS NOT NULL)"
    )


def remove_texts(connection: sqlite3.Connection) -> None:
    """Remove all texts of cards from a copy of a catalogue, such as a backup: they belong to their publishers.

    All else that a card says stays, also its numbers, which need only the numerals of its texts. The next import of a
    source reads its data again, even if they are unchanged. Call it outside a transaction: it shrinks the file, too.
    """
    connection.create_function("ccgrid_numerals", 1, _numerals, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO descriptions_fts (descriptions_fts) VALUES ('delete-all')")
    # Another hash, so that no import takes one without its text for its own.
    connection.execute("UPDATE descriptions SET text = '', hash = -id")
    connection.execute("UPDATE imports SET layout = ''")
    for table, column, text in (
        ("descriptions", "text", "''"),
        ("cards", "printed", "ccgrid_numerals({})"),
        ("uncorrected", "printed", "ccgrid_numerals({})"),
    ):
        if column == "printed":
            connection.execute(f"UPDATE {table} SET printed = {text.format('printed')}")  # noqa: S608  our own names
        place = f"'$[{column_names(connection, table).index(column)}]'"
        new = text.format(f"json_extract(content, {place})")
        connection.execute(
            f"UPDATE journal SET content = json_set(content, {place}, {new}) WHERE place = ? AND content IS NOT NULL",  # noqa: S608
            (table,),
        )
    connection.execute("COMMIT")
    connection.execute("VACUUM")


def _numerals(printed: str) -> str:
    """Return the evidence of a card's numbers with only the numerals of its texts."""
    return as_json(numerals_only([tuple(entry) for entry in cell_list(printed)])).decode()
