"""Mending of a damaged catalogue: all readable rows are copied into a new file."""

import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError, CatalogueFileError
from ccgrid.catalog.files import LOGS, keep, remove, rename
from ccgrid.catalog.store.cells import SqlValue, cell_list, cell_table
from ccgrid.catalog.store.description_writing import index_descriptions
from ccgrid.catalog.store.file import CatalogueFile, check_closed, check_logs
from ccgrid.catalog.store.health import kinds_of, query_number
from ccgrid.catalog.store.journal import column_names
from ccgrid.catalog.store.names import add_names, index_names
from ccgrid.catalog.store.schema import (
    APPLICATION_ID,
    EARLIER_APPLICATION_ID,
    FALSE_TABLE,
    HISTORY,
    TABLES,
    earlier_version_error,
    find_false_table,
    newest_version,
)
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside

_CELLS: Final[Mapping[str, Mapping[str, Callable[[object], object]]]] = {
    "cards": {"face": cell_list, "printed": cell_list},
    "descriptions": {"fields": cell_table},
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
"""The tables whose rows belong to a row of another table, the column that refers to it, and that table."""

_SELECT_NAMES: Final = "SELECT name FROM cards UNION SELECT printed_name FROM cards WHERE printed_name IS NOT NULL"

_BATCH_SIZE: Final = 200  # rows

_LAST_ROW_NUMBER: Final = 1 << 40  # the row number at which the search after a broken page ends


@dataclass(frozen=True, slots=True)
class MendReport:
    """The result of mending: saved rows by table, the tables with unreadable rows, and the path of the old file."""

    damaged: Path
    rows: Mapping[str, int]
    lost: tuple[str, ...]


def mend(path: Path, *, is_damaged: bool) -> MendReport | None:
    """Replace a damaged catalogue by a new one with all readable rows. The old one is kept under another name.

    Returns:
        The report; None if every row can be read and the catalogue is not known to be damaged. It is not replaced then.

    Raises:
        CatalogueFileError: If nothing can be read, or the new file cannot be written. Nothing is changed then.
    """
    path = path.resolve()  # a catalogue may be a link
    damaged = path.with_name(f"{path.stem}.damaged-{secrets.token_hex(3)}{path.suffix}")
    check_logs(path)
    address = f"{path.as_uri()}?mode=rw"
    try:
        with errors_naming(path), temporary_folder_beside(path) as folder:
            new = folder / path.name
            with closing(sqlite3.connect(address, uri=True)) as old, CatalogueFile(new, create=True) as saved:
                old.text_factory = _decode
                if view := find_false_table(old):
                    raise CatalogueFileError(f"{path} cannot be repaired: {FALSE_TABLE.format(view)}.", path=path)
                _check_owner(old, path)
                rows, lost = _save(old, saved.connection)
                # An undamaged catalogue may be empty.
                if not sum(rows.values()) and (lost or is_damaged):
                    raise sqlite3.DatabaseError("nothing in it can be read")
            check_closed(new)
            if not (lost or is_damaged):
                return None
            replace_database(path, new, damaged)
    except (sqlite3.Error, UnicodeDecodeError, OSError) as error:  # the messages may contain unreadable text
        raise CatalogueFileError(
            f"{path} cannot be repaired ({error}) and is unchanged.\n"
            "Keep it: your collection may be in it. Copy it and its -wal file to a disk with space, then run:"
            " ccgrid doctor --mend --db COPY",
            path=path,
        ) from None
    return MendReport(damaged, rows, tuple(lost))


def _check_owner(old: sqlite3.Connection, path: Path) -> None:
    """Check that a damaged database is a catalogue of this version.

    Raises:
        CatalogueFileError: If it belongs to another program, or to an earlier version of this one.
    """
    try:
        whose = query_number(old, "PRAGMA application_id")
        if whose == EARLIER_APPLICATION_ID:
            raise earlier_version_error(path)
        tables = {name for (name,) in old.execute("SELECT name FROM sqlite_master")}
    except (sqlite3.Error, UnicodeDecodeError):
        return
    if whose != APPLICATION_ID and not {"imports", "cards"} <= tables:
        raise CatalogueFileError(f"{path} is a database of another program.", path=path)


def replace_database(path: Path, new: Path, damaged: Path) -> None:
    """Put the new file in the place of the old one, which gets another name; undo all of it if that fails."""
    moved: list[tuple[Path, Path]] = []
    # The old file has both names until the new file replaces it.
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


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _save(old: sqlite3.Connection, new: sqlite3.Connection) -> tuple[dict[str, int], list[str]]:
    rows, lost = dict[str, int](), list[str]()
    new.execute("BEGIN IMMEDIATE")
    for table in TABLES:
        rows[table], whole = _copy_rows(old, new, table)
        lost += [] if whole else [table]
    _restore_boxes(new)
    for table, column, parent in _PARENTS:  # rows without their parent are useless
        left = new.execute(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM {parent})").rowcount  # noqa: S608
        rows[table] -= left
        lost += [table] if left and table not in lost else []
    # Recreated boxes would look like boxes that the last change added.
    if "boxes" in lost or not all(_copy_rows(old, new, table)[1] for table in HISTORY):
        lost.append("history")
        for table in HISTORY:
            new.execute(f"DELETE FROM {table}")  # noqa: S608  our own names
    add_names(new, [name for (name,) in new.execute(_SELECT_NAMES)])
    index_names(new, 0)
    index_descriptions(new, 0)
    new.execute("COMMIT")
    return rows, lost


def _restore_boxes(new: sqlite3.Connection) -> None:
    """Add the boxes of holdings that could not be read, spelling each in one way."""
    new.create_function("ccgrid_small", 1, str.casefold, deterministic=True)
    new.execute("INSERT OR IGNORE INTO boxes (name, folded) SELECT DISTINCT box, ccgrid_small(box) FROM holdings")
    new.execute(
        "UPDATE holdings SET box = (SELECT name FROM boxes WHERE folded = ccgrid_small(box))"
        " WHERE box NOT IN (SELECT name FROM boxes)"
    )


def _copy_rows(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, bool]:
    """Copy the readable rows of a table; return their number, and whether none was lost."""
    columns = column_names(new, table)
    if _is_earlier(old):
        earlier = column_names(old, table)
        if not earlier:
            return 0, True
        columns = [column for column in columns if column in earlier]
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


def _is_earlier(old: sqlite3.Connection) -> bool:
    """Return whether the damaged file is of an earlier version, which lacks tables and columns."""
    try:
        return 0 < query_number(old, "PRAGMA user_version") < newest_version()
    except sqlite3.DatabaseError:
        return False


def _rows(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[SqlValue, ...] | None]:
    """Yield the readable rows in their order, and None for unreadable ones. Reading continues after a broken page."""
    last, step = -1, 1
    query = f"SELECT rowid, {columns} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_BATCH_SIZE}"  # noqa: S608
    while last < _LAST_ROW_NUMBER:
        found = broken = False
        try:
            for number, *row in old.execute(query, (last,)):
                if broken := number <= last:  # pages that refer to each other would never end
                    break
                last, step, found = number, 1, True
                yield tuple(row)
        except sqlite3.DatabaseError:
            broken = True
        # The number of rows on a damaged page is unknown: double the gap until a row is readable.
        if broken:
            yield None
            last, step = last + step, step * 2
        elif not found:
            return


def _is_sound(table: str, kinds: Mapping[str, type[object]], row: Mapping[str, SqlValue]) -> bool:
    """Return whether the cells of a row have the types of their columns, and JSON cells can be parsed."""
    if any(value is not None and not isinstance(value, kinds.get(column, object)) for column, value in row.items()):
        return False
    try:
        for column, read in _CELLS.get(table, {}).items():
            read(row[column])
    except CatalogError:
        return False
    return True
