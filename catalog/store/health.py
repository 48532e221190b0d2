"""How a catalogue's file is, looked at without changing it: whether it is whole, what is in it, what does not fit."""

import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.errors import CatalogError, CatalogueFileError
from ccgrid.catalog.files import LOGS, keep, remove, rename
from ccgrid.catalog.store.cells import cell_list, cell_table
from ccgrid.catalog.store.file import CatalogueFile, check_closed, check_logs
from ccgrid.catalog.store.lookup import index_names, note_names
from ccgrid.catalog.store.schema import (
    APPLICATION_ID,
    CONVERSION,
    EARLIER,
    EARLIER_APPLICATION_ID,
    FALSE_TABLE,
    HISTORY,
    TABLES,
    earlier_version_error,
    find_false_table,
    newest_version,
)
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside

_MOST: Final = 20  # lines that SQLite's check may report
_KINDS: Final = {"TEXT": str, "INTEGER": int}
_SQL_TYPES: Final = {str: "text", int: "integer"}


def damage(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What is broken, in words; nothing where all is whole."""
    try:
        found = connection.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
        broken = [str(line).replace("\n", " ") for (line,) in found if line != "ok"]
        return tuple(broken or _false_cells(connection))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return (str(error),)


def kinds_of(connection: sqlite3.Connection, table: str) -> dict[str, type[Any]]:
    """What the columns of a table hold where it is text or whole numbers; each may also hold nothing."""
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
    return {name: _KINDS[kind] for name, kind in columns if kind in _KINDS}


def _false_cells(connection: sqlite3.Connection) -> Iterator[str]:
    """The tables with cells that hold something else than their column does, which SQLite does not mind."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for (table,) in tables:
        wrong = [
            f"typeof(\"{column}\") NOT IN ('{_SQL_TYPES[kind]}', 'null')"
            for column, kind in kinds_of(connection, table).items()
        ]
        if not wrong:
            continue
        for _ in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
            pass  # reading a text that is not UTF-8 raises
        query = f'SELECT count(*) FROM "{table}" WHERE {" OR ".join(wrong)}'  # noqa: S608  names of the file's own tables
        (count,) = connection.execute(query).fetchone()
        if count:
            yield f"{count} row{'s' if count > 1 else ''} of {table} with something else than text or a number"


SQLITE_VERSION: Final = sqlite3.sqlite_version
"""Of the library that reads catalogues."""

_COUNTS: Final = (
    ("cards", "SELECT count(*) FROM cards"),
    ("games", "SELECT count(DISTINCT game) FROM cards"),
    ("copies", "SELECT coalesce(sum(copies), 0) FROM holdings"),
    ("boxes", "SELECT count(DISTINCT box) FROM holdings WHERE box <> ''"),
    ("doubts", "SELECT count(*) FROM doubts"),
    ("decks_out", "SELECT count(DISTINCT deck) FROM decks_out"),
    # What does not fit together: a name that no search finds, an owned card that no source has, a deck without cards.
    ("names_lost", "SELECT count(DISTINCT name) FROM cards WHERE name NOT IN (SELECT name FROM names)"),
    ("cards_gone", "SELECT count(DISTINCT card_id) FROM holdings WHERE card_id NOT IN (SELECT id FROM cards)"),
    ("out_of_nowhere", "SELECT count(*) FROM decks_out WHERE holding_id NOT IN (SELECT id FROM holdings)"),
)
"""The names of the counts, and their queries."""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a catalogue's file.

    Attributes:
        fault: Why it cannot be read at all, to follow "the file"; empty if it can.
        advice: What to do about the fault, if there is something better than another file.
        version: Of its tables; 0 if there are none.
        damage: What is broken, as text; empty if nothing is.
        counts: What it contains, and what does not fit together, without counts that failed.
        readings: For each imported source, the fingerprint of its reader, and the address of its data.
    """

    fault: str = ""
    advice: str = ""
    version: int = 0
    damage: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, tuple[str, str]] = field(default_factory=dict)


_WAYS: Final = ("mode=rw", "mode=ro", "mode=ro&immutable=1")
"""How a file is opened, the next way where one fails. Only who may write leaves none of SQLite's files beside it."""


def check_health(path: Path) -> Health:
    """How the catalogue in a file that is there is; nothing changed."""
    try:
        check_logs(path)
    except CatalogError:
        return Health("cannot be read (a file beside it has the name of its log but is not one)")
    for way in _WAYS:
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as connection:
                connection.execute("PRAGMA query_only = ON")
                return _examine(connection)
        except UnicodeDecodeError as error:
            return Health(f"cannot be read ({error})")
        except sqlite3.Error as error:
            fault = f"cannot be read ({error})"
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_CANTOPEN:
                break
    return Health(fault)


def _examine(connection: sqlite3.Connection) -> Health:
    version = _number(connection, "PRAGMA user_version")
    whose = _number(connection, "PRAGMA application_id")
    if whose == EARLIER_APPLICATION_ID:
        return Health(EARLIER, f"{CONVERSION[0].upper()}{CONVERSION[1:]}.")
    if whose != APPLICATION_ID:
        is_empty = not version and not _number(connection, "PRAGMA schema_version")
        return Health() if is_empty else Health("is a database of another program")
    if version > newest_version():
        return Health("was made by a newer ccgrid", version=version)
    if view := find_false_table(connection):
        return Health(f"cannot be used ({FALSE_TABLE.format(view)})", version=version)
    broken = damage(connection)
    counts = dict[str, int]()
    for name, query in _COUNTS:
        try:
            counts[name] = _number(connection, query)
        except sqlite3.DatabaseError as error:  # the part that is broken; the others are counted
            broken = broken or (str(error),)
    return Health(version=version, damage=broken, counts=counts, readings=_readings(connection))


def _readings(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    query = "SELECT source, layout, address FROM imports WHERE id IN (SELECT max(id) FROM imports GROUP BY source)"
    try:
        return {source: (layout, address) for source, layout, address in connection.execute(query)}
    except sqlite3.DatabaseError:
        return {}


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


_CELLS: Final[Mapping[str, Mapping[str, Any]]] = {
    "cards": {"face": cell_list, "printed": cell_list},
    "collection_files": {"summary": cell_table},
    "holdings": {"details": cell_table},
    "file_rows": {"details": cell_table},
    "doubts": {"written": cell_list, "candidates": cell_list},
    "corrections": {"told": cell_table},
    "changes": {"marks": cell_table},
}
_PARENTS: Final = (
    ("decks_out", "holding_id", "holdings"),
    ("doubts", "file_id", "collection_files"),
    ("file_rows", "file_id", "collection_files"),
)
"""The tables whose rows belong to one of another: which column says to which."""
_NAMES: Final = "SELECT name FROM cards UNION SELECT printed_name FROM cards WHERE printed_name IS NOT NULL"
_AT_ONCE: Final = 200  # rows that are read at a time
_FURTHEST: Final = 1 << 40  # row numbers: here the search behind a broken page ends


@dataclass(frozen=True, slots=True)
class MendReport:
    """What was saved: rows by table; `lost` the tables of which something could not be read; `damaged` the old file."""

    damaged: Path
    rows: Mapping[str, int]
    lost: tuple[str, ...]


def mend(path: Path, *, is_damaged: bool) -> MendReport | None:
    """Puts a new catalogue with all that can be read in the place of a damaged one, which is kept under another name.

    One that is not known to be damaged, and of which every row can be read, is left alone; the answer is None then.
    Raises CatalogError where there is nothing that could be read, or no room; then all is as it was.
    """
    path = path.resolve()  # a catalogue may be a link: what it leads to is one by its content
    damaged = path.with_name(f"{path.stem}.damaged-{secrets.token_hex(3)}{path.suffix}")
    check_logs(path)
    address = f"{path.as_uri()}?mode=rw"
    try:
        with errors_naming(path), temporary_folder_beside(path) as folder:
            new = folder / path.name
            with closing(sqlite3.connect(address, uri=True)) as old, CatalogueFile(new, create=True) as saved:
                old.text_factory = _text
                if view := find_false_table(old):
                    raise CatalogueFileError(f"{path} cannot be mended: {FALSE_TABLE.format(view)}.", path=path)
                _check_owner(old, path)
                rows, lost = _save(old, saved.connection)
            check_closed(new)
            if not (lost or is_damaged):
                return None
            _exchange(path, new, damaged)
    except (sqlite3.Error, UnicodeDecodeError, OSError) as error:  # not even SQLite's own words can be read
        message = (
            f"{path} cannot be mended ({error}) and is unchanged.\n"
            "Keep it: your collection may be in it. Copy it and its -wal file to a disk with space, then run:"
            " ccgrid doctor --mend --db COPY"
        )
        raise CatalogueFileError(message, path=path) from None
    return MendReport(damaged, rows, tuple(lost))


def _check_owner(old: sqlite3.Connection, path: Path) -> None:
    """Check that a damaged database is a catalogue of this version.

    Raises:
        CatalogueFileError: If it belongs to another program, or to an earlier version of this one.
    """
    try:
        whose = _number(old, "PRAGMA application_id")
        if whose == EARLIER_APPLICATION_ID:
            raise earlier_version_error(path)
        tables = {name for (name,) in old.execute("SELECT name FROM sqlite_master")}
    except (sqlite3.Error, UnicodeDecodeError):
        return
    if whose != APPLICATION_ID and not {"imports", "cards"} <= tables:
        raise CatalogueFileError(f"{path} is a database of another program.", path=path)


def _exchange(path: Path, new: Path, damaged: Path) -> None:
    """Puts the new file in the place of the old one, which gets another name; raises OSError, and all is as it was."""
    moved: list[tuple[Path, Path]] = []
    # The old file has both names until the new one takes its place.
    keep(path, damaged)
    try:
        for log in LOGS:  # changes in the old file's log must not be merged into the new file
            own, its = Path(f"{path}{log}"), Path(f"{damaged}{log}")
            if own.exists():
                rename(own, its)
                moved.append((own, its))
        rename(new, path)
    except BaseException:
        for own, its in moved:
            rename(its, own)
        remove(damaged)
        raise


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _save(old: sqlite3.Connection, new: sqlite3.Connection) -> tuple[dict[str, int], list[str]]:
    rows, lost = dict[str, int](), list[str]()
    new.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        rows[table], whole = _copy_rows(old, new, table)
        lost += [] if whole else [table]
    _settle_boxes(new)
    for table, column, parent in _PARENTS:  # what is left without its parent means nothing
        left = new.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM {parent})").rowcount  # noqa: S608
        rows[table] -= left
        lost += [table] if left and table not in lost else []
    # Boxes that had to be made again would seem to be those that the last change added.
    if "boxes" in lost or not all(_copy_rows(old, new, table)[1] for table in HISTORY):
        lost.append("history")
        for table in HISTORY:
            new.execute(f"DELETE FROM {table}")  # noqa: S608  our own names
    if not sum(rows.values()):
        raise sqlite3.DatabaseError("nothing in it can be read")
    note_names(new, [name for (name,) in new.execute(_NAMES)])
    index_names(new, 0)
    new.execute("COMMIT")
    return rows, lost


def _settle_boxes(new: sqlite3.Connection) -> None:
    """Add the boxes of holdings that could not be read, spelling each in one way."""
    new.create_function("ccgrid_small", 1, str.casefold, deterministic=True)
    new.execute("INSERT OR IGNORE INTO boxes (name, folded) SELECT DISTINCT box, ccgrid_small(box) FROM holdings")
    new.execute(
        "UPDATE holdings SET box = (SELECT name FROM boxes WHERE folded = ccgrid_small(box))"
        " WHERE box NOT IN (SELECT name FROM boxes)"
    )


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, bool]:
    """Copy the readable rows of a table; return their number, and whether none was lost."""
    columns = [name for (name,) in new.execute("SELECT name FROM pragma_table_info(?)", (table,))]
    quoted = ", ".join(f'"{column}"' for column in columns)
    statement = f"INSERT OR IGNORE INTO {table} ({quoted}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    kinds = kinds_of(new, table)
    count, whole = 0, True
    # With the table's name: SQLite takes an unknown name in quotes alone for a text.
    for row in _rows(old, table, ", ".join(f'{table}."{column}"' for column in columns)):
        if row is None or not _is_sound(table, kinds, dict(zip(columns, row, strict=True))):
            whole = False
            continue
        try:
            count += new.execute(statement, row).rowcount
        except sqlite3.IntegrityError:
            whole = False
    return count, whole


def _rows(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[Any, ...] | None]:
    """The rows that can be read, in their order; None where some cannot. Reading continues behind a broken page."""
    last, step = -1, 1
    query = f"SELECT rowid, {columns} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_AT_ONCE}"  # noqa: S608
    while last < _FURTHEST:
        found = broken = False
        try:
            for number, *row in old.execute(query, (last,)):
                if broken := number <= last:  # pages that lead back to one another would have no end
                    break
                last, step, found = number, 1, True
                yield tuple(row)
        except sqlite3.DatabaseError:
            broken = True
        # Nobody knows how many rows a broken page hides: the gap doubles until one can be read again.
        if broken:
            yield None
            last, step = last + step, step * 2
        elif not found:
            return


def _is_sound(table: str, kinds: Mapping[str, type[Any]], row: Mapping[str, Any]) -> bool:
    """Whether a row has in each column what belongs there, and what it has as JSON can be read."""
    if any(value is not None and not isinstance(value, kinds.get(column, object)) for column, value in row.items()):
        return False
    try:
        for column, read in _CELLS.get(table, {}).items():
            read(row[column])
    except CatalogError:
        return False
    return True
