"""The file of a catalogue: documented tables and columns, creation, owner and location."""

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
from ccgrid.catalog.store.schema import APPLICATION_ID, MIGRATIONS
from ccgrid.catalog.store.statistics import CatalogueStats
from ccgrid.catalog.store.transactions import BUSY_SECONDS

DOCUMENTED = Path(__file__).resolve().parents[3] / "docs" / "catalogue.md"


def test_catalogue_created_by_another_command_meanwhile_is_opened(
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
            Store(path).close()  # Simulate another command between two reads.
        return found

    monkeypatch.setattr(schema, "_pragma", read_late)
    with Store(path) as store:
        assert store.connection.execute("SELECT count(*) FROM cards").fetchone() == (0,)


def test_documented_columns_match_the_table(store: Store) -> None:
    text = DOCUMENTED.read_text(encoding="utf-8")
    table = text[text.index("## cards") : text.index("## holdings")]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    documented = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    columns = [name for _, name, *_ in store.connection.execute("PRAGMA table_info(cards)")]
    assert sorted(documented) == sorted(columns)


def test_documented_tables_exist(store: Store) -> None:
    text = DOCUMENTED.read_text(encoding="utf-8")
    documented = re.findall(r"`(\w+)`", text[text.index("## Other tables") :])
    assert {"imports", "names", "names_fts"} <= set(documented)
    tables = set(store.tables.table_names())
    assert {"cards", "imports", "names", "names_fts"} <= tables


def test_new_catalogue_has_application_id_and_version(tmp_path: Path) -> None:
    with Store(tmp_path / "deep" / "er" / "catalogue.db", create=True) as store:
        assert store.connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert store.connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert store.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store.is_empty()


@pytest.mark.parametrize("has_application_id", [True, False])
def test_database_of_version_0_becomes_a_catalogue(tmp_path: Path, has_application_id: bool) -> None:
    path = tmp_path / "catalogue.db"
    with sqlite3.connect(path) as connection:
        if has_application_id:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.close()
    with Store(path, create=True) as store:
        assert store.is_empty()
    with Store(path) as store:
        assert store.stats() == CatalogueStats(cards=0, legal=0, games=[])


def test_failed_creation_leaves_the_file_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_reading_does_not_create_a_catalogue(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="ccgrid import starter"):
        Store(tmp_path / "catalogue.db")
    assert list(tmp_path.iterdir()) == []


def test_environment_variable_names_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_DB", "~/mine.db")
    assert default_path() == Path.home() / "mine.db"
    monkeypatch.delenv("CCGRID_DB")
    assert default_path().parts[-2:] == ("ccgrid", "catalogue.db")


def test_commands_wait_up_to_a_minute_for_each_other() -> None:
    assert BUSY_SECONDS == 60
