"""Imports of cards: the rows of a source are written in one change, completely or not at all."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec

from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.catalog.card_ids import CUSTOM
from ccgrid.catalog.clock import now
from ccgrid.catalog.description import Description
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.evidence import CardReader
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.garbage import gc_disabled
from ccgrid.catalog.packed import BITS, EMPTY, NO_NUMBER, NO_TEXT, PackedReading, packing
from ccgrid.catalog.printing import Printing, SkippedRows, SourceRow
from ccgrid.catalog.store.cards import ZONE_COLUMNS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.corrections import without_corrections
from ccgrid.catalog.store.description_writing import NO_DESCRIPTION, DescriptionWriter, delete_unused_descriptions
from ccgrid.catalog.store.history import Change, ImportChange
from ccgrid.catalog.store.names import add_names, delete_unused_names, index_names, last_name_id
from ccgrid.catalog.store.recording import card_triggers_suspended, change, describe_import
from ccgrid.catalog.store.transactions import rollback_journal, without_indexes

COUNTS: Final = ("read", "added", "changed", "unchanged", "removed", "skipped")


class Provenance(NamedTuple):
    """The origin of the rows of an import; `layout` is a fingerprint of the layout and the reader."""

    source: str
    address: str
    layout: str
    version: str | None = None
    sha256: str | None = None
    size: int | None = None
    digest: Callable[[], str] | None = None
    """Return `sha256` at the end, if it is computed while the rows are read."""


class ImportSummary(msgspec.Struct, kw_only=True, dict=True):
    """What an import did; `read` is the sum of added, changed, unchanged and skipped, `barred` counts by reason."""

    source: str
    version: str | None
    read: int
    added: int
    changed: int
    unchanged: int
    removed: int
    skipped: int
    legal: int
    remarks: list[str]
    barred: dict[str, int]
    seconds: float

    def __post_init__(self) -> None:
        self.reasons = SkippedRows()  # the reasons for skipped rows, which are not part of the answer

    def count(self, reasons: Iterable[tuple[str | None, int]]) -> None:
        """Add cards by the reason why they are not legal, which is None for legal ones."""
        for reason, count in reasons:
            if reason is None:
                self.legal += count
            else:
                self.barred[reason] = self.barred.get(reason, 0) + count

    def sort_reasons(self) -> None:
        """Sort the reasons by their counts, the most frequent one first, then by name."""
        self.barred = dict(sorted(self.barred.items(), key=lambda item: (-item[1], item[0])))


def _start_summary(origin: Provenance) -> ImportSummary:
    counts = dict.fromkeys((*COUNTS, "legal"), 0)
    return ImportSummary(source=origin.source, version=origin.version, **counts, remarks=[], barred={}, seconds=0.0)


CardRow = tuple[Any, ...]
"""The values of a card in the order of `PARTS`."""

_PLACEHOLDERS: Final = {
    **dict.fromkeys(("reason", "released", "printed_name"), NO_TEXT),
    **dict.fromkeys(("attack", "defense"), NO_NUMBER),
    **dict.fromkeys(("rarity", "artist"), ""),
    "description_id": NO_DESCRIPTION,
}

PARTS: Final = (
    *("id", "source", "game", "name", "set_code", "set_name", "collector_number", "released", "lang", "printed_name"),
    *("zones", "face", "score", "reason", "attack", "defense", "printed"),
    *("rarity", "artist", "description_id", "other_printings", "ids", "import_id"),
)
"""The parts of a row, in this order."""

ID: Final = PARTS.index("id")

SOURCE: Final = PARTS.index("source")

NAME: Final = PARTS.index("name")

PRINTED_NAME: Final = PARTS.index("printed_name")

_REASON: Final = PARTS.index("reason")

CARD: Final = slice(ID + 1, PARTS.index("rarity"))
"""The parts that make the card. Its description and ids in other programs are no part of it."""


def _columns_of(part: str) -> dict[str, str]:
    """Return the columns of a part of a row, and the SQL expression of each."""
    bound = f"?{PARTS.index(part) + 1}"
    # All zones are one number, four bits each, 15 for none (`packed`). Shift and mask them into columns.
    if part == "zones":
        return {
            name: f"nullif({bound} >> {BITS * place} & {EMPTY}, {EMPTY})" for place, name in enumerate(ZONE_COLUMNS)
        }
    made = {part: f"nullif({bound}, {_PLACEHOLDERS[part]!r})" if part in _PLACEHOLDERS else bound}
    if part == "reason":
        made["legal"] = f"{bound} IS {NO_TEXT!r}"
    return made


def _read(part: str) -> str:
    """Return the SQL expression that makes a part of a row from its columns."""
    if part == "zones":
        filled = (f'(coalesce("{name}", {EMPTY}) << {BITS * place})' for place, name in enumerate(ZONE_COLUMNS))
        return f"({' | '.join(filled)})"
    return f"coalesce({part}, {_PLACEHOLDERS[part]!r})" if part in _PLACEHOLDERS else part


_COLUMNS: Final = {column: made for part in PARTS for column, made in _columns_of(part).items()}

_COLUMN_NAMES: Final = ", ".join(f'"{column}"' for column in _COLUMNS)

INSERT: Final = f"INSERT OR FAIL INTO cards ({_COLUMN_NAMES}) VALUES ({', '.join(_COLUMNS.values())})"  # noqa: S608  our own names

UPSERT: Final = f"{INSERT} ON CONFLICT (id) DO UPDATE SET " + ", ".join(
    f'"{column}" = excluded."{column}"' for column in _COLUMNS if column != "id"
)

READ: Final = ", ".join(map(_read, PARTS[:-1]))
"""The SQL that reads rows as they were bound: all parts but the number of the import."""


def card_row(
    row: Printing, found: PackedReading, describe: Callable[[Description, str], int], source: str, import_id: int
) -> CardRow:
    """Return a printing, and the numbers that were read on it, as a row of the table."""
    card_id, name, _, set_code, set_name, number, released, lang, printed_name, *_ = row
    ids, rarity, artist, description, other_printings = row[9:]
    game = card_id.partition(":")[0]
    zones, face, score, reason, attack, defense, printed = found
    return (
        card_id,
        source,
        game,
        name,
        set_code,
        set_name,
        number,
        NO_TEXT if released is None else released,
        lang,
        NO_TEXT if printed_name is None else printed_name,
        zones,
        face,
        score,
        reason,
        attack,
        defense,
        printed,
        rarity,
        artist,
        describe(description, game),
        other_printings,
        ids,
        import_id,
    )


MOST_LOST: Final = 0.05
"""The share of a source's cards that an import may remove without --force."""

_NAMES_CACHED: Final = 1 << 16  # names that are known to be stored

_BATCH: Final = 500  # rows

_READ_AT_ONCE: Final = 32  # rows; all texts of a batch would not fit in the processor's cache

_IN_BATCH: Final = f"id IN ({', '.join('?' * _BATCH)})"

_SELECT_BATCH: Final = f"SELECT number, import_id, {READ} FROM cards WHERE {_IN_BATCH}"  # noqa: S608  our own names

_NUMBERED: Final = _IN_BATCH.replace("id", "number", 1)

_ID_CHARACTERS: Final = 80  # characters of a row's id in a report

MOST_ROWS: Final = 10_000_000
"""The maximum number of rows of one import. The largest public source has 0.6 million."""

_ENOUGH_UNREAD: Final = 200_000
"""The number of skipped rows after which reading stops if they are over half of all."""

_DUPLICATE: Final = "the same id again"


def import_rows(
    store: Store,
    rows: Iterable[SourceRow],
    reader: CardReader,
    origin: Provenance,
    *,
    keep_missing: bool = False,
    force: bool = False,
    is_secondary: bool = False,
    number_versions: bool = False,
    waiting: Callable[[], None] | None = None,
    dry_run: bool = False,
) -> ImportSummary:
    """Import the rows of a source in one transaction.

    Args:
        store: The catalogue.
        rows: The cards, and rows that are not cards.
        reader: Reads the numbers of a card.
        origin: Where the rows come from.
        keep_missing: Whether to keep cards that the source no longer has.
        force: Whether to remove over 5 % of the source's cards.
        is_secondary: Whether cards of other sources take precedence.
        number_versions: Whether different cards with one id get `#2`, `#3` and so on.
        waiting: Called once if another command holds the catalogue.
        dry_run: Whether to roll everything back at the end.

    Raises:
        CatalogError: If nothing or under half can be read, or too many cards would be removed. Nothing is changed then.
    """
    summary = _start_summary(origin)
    # In this order: the journal mode cannot change inside a transaction, and corrections are lifted inside one.
    with (
        rollback_journal(store.connection, is_wanted=store.is_empty()),
        change(store, f"import {origin.source}", waiting, dry_run=dry_run),
        without_corrections(store),
        card_triggers_suspended(store.connection) as note,
        gc_disabled(),
    ):
        import_id = _open_entry(store.connection, origin)
        writer = _Writer(
            store.connection, note, reader, origin.source, import_id, summary, is_secondary, number_versions
        )
        unread = iter(rows)
        iterator = chain.from_iterable(iter(lambda: list(islice(unread, _READ_AT_ONCE)), []))
        with without_indexes(store.connection) if writer.was_empty else nullcontext():
            while writer.write(islice(iterator, _BATCH)):
                if summary.skipped > _ENOUGH_UNREAD:
                    _check_read(summary, writer.duplicates, origin)
                if summary.read > MOST_ROWS:
                    raise FileFormatError(
                        f"stopped, it has over {MOST_ROWS} rows. Is it the right file?", file=origin.address
                    )
        _check_read(summary, writer.duplicates, origin)
        if not keep_missing and not writer.was_empty:
            summary.removed = writer.remove_missing(force)
        index_names(store.connection, writer.last_name_id)
        writer.descriptions.finish()
        # An added card removes no name.
        if summary.removed or summary.changed:
            delete_unused_names(store.connection)
            delete_unused_descriptions(store.connection)
        _close_entry(store.connection, import_id, summary, origin)
    return summary


def last_import(store: Store, source: str) -> tuple[Provenance, int] | None:
    """Return the origin of a source's last import and how many cards it had, or None if it was never imported."""
    row = store.connection.execute(
        "SELECT source, address, layout, version, sha256, size, read - skipped FROM imports"
        " WHERE source = ? ORDER BY id DESC LIMIT 1",
        (source,),
    ).fetchone()
    return (Provenance(*row[:-1]), row[-1]) if row else None


def unchanged_summary(store: Store, origin: Provenance) -> ImportSummary:
    """Return the summary of an import whose data the catalogue holds already: nothing is read."""
    summary = _start_summary(origin)
    query = "SELECT reason, count(*) FROM cards WHERE source = ? GROUP BY reason"
    summary.count(store.connection.execute(query, (origin.source,)))
    summary.read = summary.unchanged = summary.legal + sum(summary.barred.values())
    summary.sort_reasons()
    return summary


def _open_entry(connection: sqlite3.Connection, origin: Provenance) -> int:
    """Enter an import into the list of all imports, and return its number."""
    values = (origin.source, origin.address, origin.layout, origin.version, origin.sha256, origin.size)
    cursor = connection.execute(
        "INSERT INTO imports (source, address, layout, version, sha256, size, imported,"
        " read, added, changed, unchanged, removed, skipped) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)",
        (*values, now()),
    )
    return int(cursor.lastrowid or 0)


def _close_entry(connection: sqlite3.Connection, import_id: int, summary: ImportSummary, origin: Provenance) -> None:
    """Complete the entry of an import with what it did, and note the same in the history."""
    summary.sort_reasons()
    if origin.digest is not None:
        connection.execute("UPDATE imports SET sha256 = ? WHERE id = ?", (origin.digest(), import_id))
    connection.execute(
        "UPDATE imports SET read = ?, added = ?, changed = ?, unchanged = ?, removed = ?, skipped = ? WHERE id = ?",
        (*(getattr(summary, name) for name in COUNTS), import_id),
    )
    names = ImportChange.__struct_fields__[len(Change.__struct_fields__) :]
    row = connection.execute(f"SELECT {', '.join(names)} FROM imports WHERE id = ?", (import_id,)).fetchone()  # noqa: S608
    describe_import(connection, dict(zip(names, row, strict=True)))


class _Writer:
    """Writes batches of rows and counts the results."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        note: Callable[[str, Sequence[Any]], None],
        reader: CardReader,
        source: str,
        import_id: int,
        summary: ImportSummary,
        is_secondary: bool,
        number_versions: bool,
    ) -> None:
        self.connection, self.look, self.source, self.import_id = connection, packing(reader), source, import_id
        self.note, self.summary, self.is_secondary, self.number_versions = note, summary, is_secondary, number_versions
        self.duplicates = 0
        self.versions: dict[str, set[int]] = {}
        self.renamed_rows: list[CardRow] = []
        self.was_empty = connection.execute("SELECT 1 FROM cards LIMIT 1").fetchone() is None
        self.names: set[str] = set()
        self.descriptions = DescriptionWriter(connection)
        self.last_name_id = last_name_id(connection)
        (last,) = connection.execute("SELECT coalesce(max(number), 0) FROM cards").fetchone()
        self.unchanged = bytearray(last + 1)
        """For each existing card, by its number, whether it was seen and has not changed."""

    def write(self, batch: Iterable[SourceRow]) -> int:
        """Read and write one batch of rows, and return their number."""
        count = 0
        fresh: dict[str, CardRow] = {}
        later: list[tuple[CardRow, CardRow]] = []
        # This loop runs for every row of an import: `__class__` is faster than isinstance, and local names than self.
        look, source, import_id = self.look, self.source, self.import_id
        describe = self.descriptions.number
        for row in batch:
            count += 1
            if row.__class__ is not Printing:
                self._skip(*row[:2])
            elif len(row[1]) > LONGEST_NAME or len(row[4]) > LONGEST_NAME or len(row[8] or "") > LONGEST_NAME:
                longest = max(len(row[1]), len(row[8] or ""), len(row[4]))
                self._skip(
                    row[0][:_ID_CHARACTERS], f"a name in it has {longest:,} characters; the maximum is {LONGEST_NAME}"
                )
            elif (values := card_row(row, look(row[2]), describe, source, import_id))[ID] in fresh:
                later.append((values, fresh[values[ID]]))
            else:
                fresh[values[ID]] = values
        self.summary.read += count
        self._write_new(fresh)
        for values, known in later:  # cards of the table with these ids have been compared by now
            self._note_duplicate(values, known)
        while self.renamed_rows:
            fresh, self.renamed_rows = {values[ID]: values for values in self.renamed_rows}, []
            self._write_new(fresh)
        return count

    def _write_new(self, fresh: dict[str, CardRow]) -> None:
        if not (self.was_empty and self._added(fresh)):
            self._compare(fresh)
        self._count(fresh.values())
        self._note_names(fresh.values())

    def _note_duplicate(self, values: CardRow, known: CardRow) -> None:
        """Give another card with the same id a number, or skip it if it is the same card."""
        # Ids in other programs are no part of the card: foils and other pictures have the number of their card.
        versions, card = self.versions.setdefault(values[ID], {hash(known[CARD])}), hash(values[CARD])
        if not self.number_versions or card in versions:
            self.duplicates += self.number_versions
            self._skip(values[ID], _DUPLICATE)
            return
        versions.add(card)
        self.renamed_rows.append((f"{values[ID]}#{len(versions)}", *values[ID + 1 :]))

    def _added(self, fresh: dict[str, CardRow]) -> bool:
        """Add cards to those of a first import; return False if an earlier batch has one of their ids."""
        try:
            self.connection.executemany(INSERT, fresh.values())
        except sqlite3.IntegrityError:
            # Remove the cards before that one. In a table that was empty, cards are numbered from 1.
            self.connection.execute("DELETE FROM cards WHERE number > ?", (self.summary.added,))
            return False
        self.summary.added += len(fresh)
        return True

    def _compare(self, fresh: dict[str, CardRow]) -> None:
        """Add and change cards that differ from the table; mark the others as seen."""
        summary, import_id = self.summary, self.import_id
        same: list[CardRow] = []
        changed: list[str] = []
        for number, written_by, *parts in self.connection.execute(_SELECT_BATCH, _padded(fresh)).fetchall():
            values = (*parts, import_id)
            card_id, source = values[ID], values[SOURCE]
            # Seen in an earlier batch of this import: the same id twice.
            if written_by == import_id or self.unchanged[number]:
                self._note_duplicate(fresh.pop(card_id), values)
            elif values == fresh[card_id] or source == CUSTOM or (self.is_secondary and source != self.source):
                self.unchanged[number] = True
                same.append(values)
                del fresh[card_id]
            else:
                changed.append(card_id)
        if changed:
            self.note(_IN_BATCH, _padded(changed))
        self.connection.executemany(UPSERT, fresh.values())
        self._count(same)
        summary.unchanged += len(same)
        summary.changed += len(changed)
        summary.added += len(fresh) - len(changed)

    def remove_missing(self, force: bool) -> int:
        """Remove the cards of the source that its data lack, and return their number."""
        query = "SELECT number FROM cards WHERE source = ? AND import_id <> ?"
        found = self.connection.execute(query, (self.source, self.import_id))
        missing = [(number,) for (number,) in found if not self.unchanged[number]]
        (count,) = self.connection.execute("SELECT count(*) FROM cards WHERE source = ?", (self.source,)).fetchone()
        if len(missing) > count * MOST_LOST and not force:
            raise CatalogError(
                f"This would remove {counted(len(missing), 'card')} of {self.source}, which the new data lack; "
                "stopped, nothing changed.\n--add keeps them, --force removes them."
            )
        for start in range(0, len(missing), _BATCH):
            self.note(_NUMBERED, _padded([number for (number,) in missing[start : start + _BATCH]]))
        self.connection.executemany("DELETE FROM cards WHERE number = ?", missing)
        return len(missing)

    def _note_names(self, cards: Collection[CardRow]) -> None:
        """Store every name once, with its normalised form."""
        names = {*map(itemgetter(NAME), cards), *map(itemgetter(PRINTED_NAME), cards)}
        names.discard(NO_TEXT)
        new = names - self.names
        add_names(self.connection, new)
        if len(self.names) > _NAMES_CACHED:
            self.names.clear()
        self.names |= new

    def _count(self, cards: Iterable[CardRow]) -> None:
        counts = Counter(map(itemgetter(_REASON), cards))
        self.summary.count((None if reason == NO_TEXT else reason, number) for reason, number in counts.items())

    def _skip(self, where: str, why: str) -> None:
        self.summary.skipped += 1
        self.summary.reasons.note(where, why)


def _check_read(summary: ImportSummary, duplicates: int, origin: Provenance) -> None:
    """Raise CatalogError if none, or under half, of the rows read so far are cards."""
    if (summary.skipped - duplicates) * 2 > summary.read or summary.read == summary.skipped:
        why, (where, _) = next(iter(summary.reasons.items()), ("it holds no rows", ("", 0)))
        raise FileFormatError(
            f"only {summary.read - summary.skipped} of {counted(summary.read, 'row')} "
            f"{'is a card' if summary.read - summary.skipped == 1 else 'are cards'}"
            f" ({where}{': ' if where else ''}{why}). Is it the right file?",
            file=origin.address,
        )


def _padded(ids: Collection[str | int]) -> list[str | int | None]:
    """Return the ids or numbers of a batch, and None in the remaining places."""
    return [*ids, *[None] * (_BATCH - len(ids))]
