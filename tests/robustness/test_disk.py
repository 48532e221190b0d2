"""A disk that fills up, fails, or a program that is killed, at the n-th write: all is as it was before, or done."""

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from catalogues import Shell, rows, write_rows
from disk import FailingDisk, can_fail, failing

if not can_fail():
    pytest.skip("SQLite's calls to the system cannot be stood in for here", allow_module_level=True)

LAST = 20
"""So many writes before the end each fail once."""


def state(database: Path) -> list[object]:
    """All that the catalogue says, and that it is whole."""
    if not database.exists():
        return []
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = ("cards", "names", "holdings", "doubts")
        return [
            connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in tables
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        ]


def nothing(shell: Shell) -> None:
    """A first import begins with nothing."""


def cards(shell: Shell) -> None:
    shell.import_rows(rows(40))


def owned(shell: Shell) -> None:
    cards(shell)
    shell.good("collection", "add", "mtg:dsk/3", "--box", "A")


def older(shell: Shell) -> None:
    """A catalogue of the first version."""
    from importlib import resources

    with closing(sqlite3.connect(shell.database)) as connection:
        connection.executescript((resources.files("catalog.store") / "schema.sql").read_text())
        connection.execute("PRAGMA user_version = 1")
        connection.execute(f"PRAGMA application_id = {0x63636772}")
        connection.commit()


WORK: dict[str, tuple[Callable[[Shell], None], tuple[str, ...]]] = {
    "first import": (nothing, ("import", "mtg", "more.jsonl")),
    "import": (cards, ("import", "mtg", "more.jsonl")),
    "undo": (cards, ("undo", "--yes")),
    "collection": (owned, ("collection", "add", "mtg:dsk/5", "--box", "B")),
    "collection undo": (owned, ("collection", "undo")),
    "migration": (older, ("sources",)),
}


def put(shell: Shell, catalogue: bytes | None) -> None:
    """The catalogue as it was before the command, or none."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{shell.database}{suffix}").unlink(missing_ok=True)
    if catalogue is not None:
        shell.database.write_bytes(catalogue)


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, "kill"], ids=["full", "fails", "killed"])
def test_whatever_write_fails_all_is_as_it_was_or_done(shell: Shell, work: str, error: int | str) -> None:
    begin, command = WORK[work]
    write_rows(shell.folder / "more.jsonl", rows(60))
    words = [str(shell.folder / word) if word == "more.jsonl" else word for word in command]
    begin(shell)
    begun = shell.database.read_bytes() if shell.database.exists() else None
    before = state(shell.database)
    with failing(FailingDisk(None)) as disk:
        shell.good(*words)
    writes, done = disk.writes, state(shell.database)
    assert writes > 3
    numbers = sorted({1, *range(max(1, writes - LAST), writes + 1)})
    for number in numbers if error == errno.ENOSPC else numbers[:: 2 if error == "kill" else 4]:
        put(shell, begun)
        if error == "kill":
            if not (child := os.fork()):
                try:
                    with failing(FailingDisk(number, error)):
                        shell(*words)
                finally:
                    os._exit(0)  # whatever happens: the child is never to go on with the tests
            os.waitpid(child, 0)
            status, told = None, ""
        else:
            with failing(FailingDisk(number, error)):
                result = shell(*words)
            status, told = result.status, result.err
        after = state(shell.database)
        assert "defect" not in told
        assert "savepoint" not in told
        assert [part for part in after if part] in ([part for part in before if part], [part for part in done if part])
        assert status is None or (status == 0) or "Error: " in told
        assert shell(*words).status in (0, 3), (number, told)
        shell.good("history")
