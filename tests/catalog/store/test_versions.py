"""Versions of catalogues: those before version 1 are rejected unchanged, and migrations make the current one."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from helpers.catalogues import Shell, rows
from stored import fill

from ccgrid.catalog.errors import CatalogError, CatalogueVersionError
from ccgrid.catalog.store import schema
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.health import check_health, damage
from ccgrid.catalog.store.mending import mend
from ccgrid.catalog.store.schema import EARLIER_APPLICATION_ID

LANDED = Path(__file__).parents[2] / "landed"
ADVICE = "export your collection with that version (ccgrid collection export -o owned.csv)"
NEXT_VERSION = """-- An invented next version: a column with a default, and a table.
ALTER TABLE cards ADD COLUMN mood TEXT NOT NULL DEFAULT '';
CREATE TABLE moods (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO moods (name) SELECT DISTINCT game FROM cards;
"""


def unpack(name: str, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.decompress((LANDED / name).read_bytes()))
    return path


@pytest.fixture
def earlier(shell: Shell) -> Shell:
    """Return a shell with a catalogue from before version 1."""
    unpack("catalogue.db.gz", shell.database)
    return shell


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Simulate a future program with one more version; return the path of its migration script."""
    script = tmp_path / "schema_next.sql"
    script.write_text(NEXT_VERSION)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, str(script)))
    return script


@pytest.mark.parametrize("create", [False, True])
def test_earlier_catalogue_is_rejected_with_advice_and_not_changed(earlier: Shell, create: bool) -> None:
    before = earlier.database.read_bytes()
    with pytest.raises(CatalogueVersionError) as caught:
        Store(earlier.database, create=create)
    assert str(caught.value).startswith(f"{earlier.database} was made by an earlier version of ccgrid: {ADVICE}")
    assert "\n" not in str(caught.value)
    assert caught.value.path == earlier.database
    assert earlier.database.read_bytes() == before
    assert sorted(path.name for path in earlier.database.parent.glob(f"{earlier.database.name}*")) == [
        earlier.database.name
    ]


@pytest.mark.parametrize("version", range(14))
def test_every_earlier_version_is_rejected(tmp_path: Path, version: int) -> None:
    path = tmp_path / "catalogue.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cards (id TEXT)")
        connection.execute(f"PRAGMA application_id = {EARLIER_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
    with pytest.raises(CatalogueVersionError, match="an earlier version"):
        Store(path)


@pytest.mark.parametrize(
    "words", [("import", "starter"), ("collection", "list"), ("undo", "--yes"), ("doctor", "--mend")], ids=" ".join
)
def test_commands_reject_earlier_catalogue_and_do_not_change_it(earlier: Shell, words: tuple[str, ...]) -> None:
    before = earlier.database.read_bytes()
    result = earlier(*words)
    assert result.status == 3, result
    assert ADVICE in result.err
    assert earlier.database.read_bytes() == before


def test_earlier_catalogue_cannot_be_repaired(earlier: Shell) -> None:
    before = earlier.database.read_bytes()
    with pytest.raises(CatalogueVersionError, match="an earlier version"):
        mend(earlier.database, is_damaged=True)
    assert earlier.database.read_bytes() == before


def test_health_of_earlier_catalogue_advises_to_export(earlier: Shell) -> None:
    health = check_health(earlier.database)
    assert health.fault == "was made by an earlier version of ccgrid"
    assert health.advice.startswith("Export your collection with that version")


def test_migration_keeps_content_and_gives_schema_of_new_catalogue(
    tmp_path: Path, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with monkeypatch.context() as today:
        today.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:-1])
        fill(Store(old, create=True), tmp_path, rows(5)).close()
    found = []
    for path in (old, new):
        with Store(path, create=True) as store:
            assert store.connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
            query = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
            found.append(store.connection.execute(query).fetchall())
    assert found[0] == found[1]
    with Store(old) as store:
        assert len(list(store.all_cards())) == 5
        assert store.connection.execute("SELECT DISTINCT mood FROM cards").fetchall() == [("",)]
        assert store.connection.execute("SELECT name FROM moods").fetchall() == [("mtg",)]
        assert damage(store.connection) == ()


@pytest.mark.parametrize(
    ("name", "folded", "typed"),
    [("Trauma Team™", "trauma teamtm", "trauma team"), ("Nidoran ♀", "nidoran", "nidoran f")],
)
def test_migrated_names_have_todays_normalised_forms(tmp_path: Path, name: str, folded: str, typed: str) -> None:
    path = unpack("catalogue-1.db.gz", tmp_path / "catalogue.db")
    with closing(sqlite3.connect(path)) as old:
        old.execute("INSERT INTO names (name, folded) VALUES (?, ?)", (name, folded))
        old.execute("INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names WHERE name = ?", (name,))
        old.execute("UPDATE cards SET name = ? WHERE number = 1", (name,))
        old.commit()
    with Store(path) as store:
        assert [tuple(hit) for hit in store.near(typed)] == [(name, 100.0)]
        assert damage(store.connection) == ()


def test_failed_migration_does_not_change_the_file(
    tmp_path: Path, next_version: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "catalogue.db"
    with monkeypatch.context() as today:
        today.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:-1])
        fill(Store(path, create=True), tmp_path, rows(5)).close()
    before = path.read_bytes()
    statements = list(schema._split_statements(NEXT_VERSION))
    assert len(statements) == 3
    for count in range(len(statements) + 1):
        next_version.write_text("".join([*statements[:count], "SELECT nothing;\n"]))
        with pytest.raises(CatalogError, match="nothing"):
            Store(path)
        assert path.read_bytes() == before
    next_version.write_text(NEXT_VERSION)
    with Store(path) as store:
        assert store.connection.execute("SELECT count(*) FROM moods").fetchone() == (1,)


def test_undamaged_catalogue_without_cards_needs_no_repair(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    Store(path, create=True).close()
    assert mend(path, is_damaged=False) is None
    with pytest.raises(CatalogError, match="nothing in it can be read"):
        mend(path, is_damaged=True)


def test_repair_drops_rows_without_their_parent(tmp_path: Path) -> None:
    path = unpack("catalogue-1.db.gz", tmp_path / "catalogue.db")
    with closing(sqlite3.connect(path)) as connection:
        boxes = connection.execute("SELECT DISTINCT box FROM holdings ORDER BY box").fetchall()
        connection.execute("DELETE FROM holdings WHERE id IN (SELECT holding_id FROM decks_out LIMIT 1)")
        connection.execute("DELETE FROM collection_files")
        connection.execute("DELETE FROM boxes")
        connection.commit()
    mended = mend(path, is_damaged=True)
    assert mended is not None
    assert set(mended.lost) == {"decks_out", "doubts"}
    with Store(path) as store:
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert store.connection.execute("SELECT DISTINCT box FROM holdings ORDER BY box").fetchall() == boxes
