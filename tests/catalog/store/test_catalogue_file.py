"""The catalogue as a file: documented tables and columns, migrations, whose it is and where."""

import re
import sqlite3
from pathlib import Path

import pytest
from helpers.catalogues import rows
from stored import fill

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store import schema
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import default_path
from ccgrid.catalog.store.schema import APPLICATION_ID
from ccgrid.catalog.store.statistics import CatalogueStats
from ccgrid.catalog.store.transactions import BUSY_SECONDS

DOCUMENTED = Path(__file__).resolve().parents[3] / "docs" / "catalogue.md"


def test_a_catalogue_that_another_command_makes_at_the_same_moment_is_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "catalogue.db"
    new = sqlite3.connect(path)
    new.execute("PRAGMA journal_mode = WAL")
    new.close()
    read = schema._pragma

    def read_late(connection: sqlite3.Connection, name: str) -> int:
        found = read(connection, name)
        if name == "application_id":
            monkeypatch.setattr(schema, "_pragma", read)
            Store(path).close()  # the other command, between two readings
        return found

    monkeypatch.setattr(schema, "_pragma", read_late)
    with Store(path) as store:
        assert store.connection.execute("SELECT count(*) FROM cards").fetchone() == (0,)


def test_the_documented_columns_are_those_of_the_table(store: Store) -> None:
    text = DOCUMENTED.read_text(encoding="utf-8")
    table = text[text.index("## cards") : text.index("## holdings")]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    columns = [name for _, name, *_ in store.connection.execute("PRAGMA table_info(cards)")]
    assert sorted(documented) == sorted(columns)


def test_the_documented_tables_are_there(store: Store) -> None:
    text = DOCUMENTED.read_text(encoding="utf-8")
    documented = re.findall(r"`(\w+)`", text[text.index("## Other tables") :])
    assert {"imports", "names", "names_fts"} <= set(documented)
    tables = set(store.tables.table_names())
    assert {"cards", "imports", "names", "names_fts"} <= tables


def test_a_new_catalogue_says_whose_it_is_and_which_version(tmp_path: Path) -> None:
    with Store(tmp_path / "deep" / "er" / "catalogue.db", create=True) as store:
        assert store.connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert store.connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store.is_empty()


@pytest.mark.parametrize("ours", [True, False])
def test_a_catalogue_of_version_0_is_migrated_to_this_one(tmp_path: Path, ours: bool) -> None:
    path = tmp_path / "catalogue.db"
    with sqlite3.connect(path) as connection:
        if ours:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.close()
    with Store(path, create=True) as store:
        assert store.is_empty()
    with Store(path) as store:
        assert store.stats() == CatalogueStats(cards=0, legal=0, games=[])


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "catalogue.db"
    with monkeypatch.context() as patch:
        statements = ["CREATE TABLE cards (id TEXT)", "CREATE TABEL x"]
        patch.setattr(schema, "_split_statements", lambda script: statements)
        with pytest.raises(CatalogError, match=r"catalogue\.db"):
            Store(path, create=True)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    connection.close()
    with Store(path, create=True) as store:
        assert store.is_empty()


def test_opening_a_catalogue_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    fill(Store(path, create=True), tmp_path, rows(5)).connection.close()
    before, changed = path.read_bytes(), path.stat().st_mtime_ns
    with Store(path) as store:
        assert len(list(store.all_cards())) == 5
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, changed)


def test_a_missing_catalogue_is_not_made_by_asking(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="ccgrid import starter"):
        Store(tmp_path / "catalogue.db")
    assert list(tmp_path.iterdir()) == []


def test_the_catalogue_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_DB", "~/mine.db")
    assert default_path() == Path.home() / "mine.db"
    monkeypatch.delenv("CCGRID_DB")
    assert default_path().parts[-2:] == ("ccgrid", "catalogue.db")


def test_commands_wait_for_each_other_for_a_minute() -> None:
    assert BUSY_SECONDS == 60
