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
from ccgrid.catalog.store.file import (
    APPLICATION_ID,
    FALSE_TABLE,
    HISTORY,
    MIGRATIONS,
    TABLES,
    CatalogueFile,
    cell_list,
    cell_table,
    check_closed,
    check_logs,
    false_table,
)
from ccgrid.catalog.store.lookup import index_names, note_names
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
    ("cards", 1, "SELECT count(*) FROM cards"),
    ("games", 1, "SELECT count(DISTINCT game) FROM cards"),
    ("copies", 2, "SELECT coalesce(sum(copies), 0) FROM holdings"),
    ("boxes", 2, "SELECT count(DISTINCT box) FROM holdings WHERE box <> ''"),
    ("doubts", 2, "SELECT count(*) FROM doubts"),
    ("decks_out", 2, "SELECT count(DISTINCT deck) FROM decks_out"),
    # What does not fit together: a name that no search finds, an owned card that no source has, a deck without cards.
    ("names_lost", 1, "SELECT count(DISTINCT name) FROM cards WHERE name NOT IN (SELECT name FROM names)"),
    ("cards_gone", 2, "SELECT count(DISTINCT card_id) FROM holdings WHERE card_id NOT IN (SELECT id FROM cards)"),
    ("out_of_nowhere", 2, "SELECT count(*) FROM decks_out WHERE holding_id NOT IN (SELECT id FROM holdings)"),
)
"""What is counted, since which version of the catalogue there is such a thing, and how."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a catalogue's file is.

    Attributes:
        fault: why it cannot be read at all, to follow "the file"; empty where it can.
        version: of its tables; 0 where there are none.
        newest: the version that this program makes.
        damage: what is broken, in words; none where all is whole.
        counts: what is in it, and what does not fit together; a thing that cannot be counted is left out.
        readings: for each imported source, how its data were read, and from where.
    """

    fault: str = ""
    version: int = 0
    newest: int = len(MIGRATIONS)
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
    if _number(connection, "PRAGMA application_id") != APPLICATION_ID:
        is_empty = not version and not _number(connection, "PRAGMA schema_version")
        return Health() if is_empty else Health("is a database of another program")
    if version > len(MIGRATIONS):
        return Health("was made by a newer ccgrid", version)
    if view := false_table(connection):
        return Health(f"cannot be used ({FALSE_TABLE.format(view)})", version)
    broken = damage(connection)
    counts = dict[str, int]()
    for name, since, query in _COUNTS:
        if version >= since:
            try:
                counts[name] = _number(connection, query)
            except sqlite3.DatabaseError as error:  # the part that is broken; the others are counted
                broken = broken or (str(error),)
    return Health("", version, damage=broken, counts=counts, readings=_readings(connection) if version else {})


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
                if view := false_table(old):
                    raise CatalogueFileError(f"{path} cannot be mended: {FALSE_TABLE.format(view)}.", path=path)
                if _is_of_another(old):
                    raise CatalogueFileError(f"{path} is a database of another program.", path=path)
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


def _is_of_another(old: sqlite3.Connection) -> bool:
    """Whether a database says that it is none of ours, and has not our tables."""
    try:
        [whose] = old.execute("PRAGMA application_id").fetchone()
        tables = {name for (name,) in old.execute("SELECT name FROM sqlite_master")}
    except (sqlite3.Error, UnicodeDecodeError):
        return False
    return whose != APPLICATION_ID and not {"imports", "cards"} <= tables


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
    is_older = _is_older(old)
    if is_older:
        rows["imports"] -= _drop_undone(old, new)
    # Boxes that had to be made again would seem to be those that the last change added.
    if is_older or "boxes" in lost or not all(_copy_rows(old, new, table)[1] for table in HISTORY):
        lost += [] if is_older else ["history"]
        for table in HISTORY:
            new.execute(f"DELETE FROM {table}")  # noqa: S608  our own names
    if not sum(rows.values()):
        raise sqlite3.DatabaseError("nothing in it can be read")
    note_names(new, [name for (name,) in new.execute(_NAMES)])
    index_names(new, 0)
    new.execute("COMMIT")
    return rows, lost


def _is_older(old: sqlite3.Connection) -> bool:
    """Return whether a catalogue is of an earlier version, whose history no longer counts."""
    try:
        return _number(old, "PRAGMA user_version") < len(MIGRATIONS)
    except sqlite3.Error:
        return False


def _drop_undone(old: sqlite3.Connection, new: sqlite3.Connection) -> int:
    """Drop the imports that are undone, which an older catalogue has kept; return how many there were."""
    try:
        undone = old.execute("SELECT id FROM imports WHERE undone IS NOT NULL").fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        return 0
    return new.executemany("DELETE FROM imports WHERE id = ?", undone).rowcount


def _settle_boxes(new: sqlite3.Connection) -> None:
    """Makes the boxes of holdings, which an older catalogue had not apart, and of which some may be lost."""
    new.create_function("ccgrid_small", 1, str.casefold, deterministic=True)
    new.execute("INSERT OR IGNORE INTO boxes (name, folded) SELECT DISTINCT box, ccgrid_small(box) FROM holdings")
    new.execute(
        "UPDATE holdings SET box = (SELECT name FROM boxes WHERE folded = ccgrid_small(box))"
        " WHERE box NOT IN (SELECT name FROM boxes)"
    )


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, bool]:
    """How many rows of a table were saved, and whether they are all that there were."""
    try:
        there = [row[1] for row in old.execute(f"PRAGMA table_info({table})")]
    except sqlite3.Error:
        return 0, False
    known = {row[1] for row in new.execute(f"PRAGMA table_info({table})")}
    columns = [column for column in there if column in known]
    if not columns:  # an older catalogue, which had no such table
        return 0, True
    quoted = ", ".join(f'"{column}"' for column in columns)
    statement = f"INSERT OR IGNORE INTO {table} ({quoted}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
    kinds = kinds_of(new, table)
    count, whole = 0, True
    for row in _rows(old, table, quoted):
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
            if column in row:
                read(row[column])
    except CatalogError:
        return False
    return True
