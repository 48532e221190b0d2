"""Catalogues of earlier versions become those of this one, and nothing that somebody owns is lost on the way."""

import gzip
import sqlite3
from contextlib import closing
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store import file as store_module
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import APPLICATION_ID, MIGRATIONS
from ccgrid.catalog.store.health import damage, mend

ROWS = Path(__file__).parent / "version_10.sql"
LANDED = Path(__file__).parents[2] / "landed" / "catalogue.db.gz"


def of_version_10(path: Path) -> Path:
    """A small catalogue as version 10 left it: a collection with doubts, a deck out, notes, a change taken back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for script in MIGRATIONS[:10]:
            connection.executescript((resources.files("ccgrid.catalog.store") / script).read_text())
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(ROWS.read_text(encoding="utf-8"))
        connection.execute("INSERT INTO names_fts (names_fts) VALUES ('rebuild')")
        for _, made_by in triggers:
            connection.execute(made_by)
        connection.execute("PRAGMA user_version = 10")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    return path


def of_767790d(path: Path) -> Path:
    path.write_bytes(gzip.decompress(LANDED.read_bytes()))
    return path


OLDER = pytest.mark.parametrize("make", [of_version_10, of_767790d])


def copies(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        query = (
            "SELECT name, finish, condition, language, lower(box), row, slot, sum(copies) FROM holdings"
            " GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7"
        )
        return connection.execute(query).fetchall()


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        tables = ("decks_out", "doubts", "changes", "cards", "collection_files")
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


@OLDER
def test_everything_that_is_owned_is_there_and_whole(make, tmp_path: Path) -> None:
    path = make(tmp_path / "catalogue.db")
    before, counted = copies(path), counts(path)
    Store(path).close()
    assert copies(path) == before
    assert counts(path) == counted
    with closing(sqlite3.connect(path)) as connection:
        assert damage(connection) == ()
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("SELECT count(*) FROM holdings WHERE box <> '' AND box <> trim(box)").fetchone() == (
            0,
        )
        found = connection.execute("SELECT name FROM boxes WHERE name <> ''").fetchall()
        assert len({name.casefold() for (name,) in found}) == len(found)


@OLDER
def test_a_migrated_catalogue_is_that_of_a_new_one(make, tmp_path: Path) -> None:
    schemas = []
    for path in (make(tmp_path / "old.db"), tmp_path / "new.db"):
        Store(path, create=True).close()
        with closing(sqlite3.connect(path)) as connection:
            query = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'names_fts%' ORDER BY name"
            schemas.append(connection.execute(query).fetchall())
    assert schemas[0] == schemas[1]


def test_when_copies_came_in_is_known_of_those_whose_change_is_remembered(tmp_path: Path) -> None:
    with Store(of_version_10(tmp_path / "catalogue.db")) as store:
        dates = store.connection.execute("SELECT DISTINCT substr(added, 1, 10), changed FROM holdings").fetchall()
    assert dates == [("2026-11-23", None)]


def test_boxes_that_differ_in_case_alone_become_one(tmp_path: Path) -> None:
    with Store(of_version_10(tmp_path / "catalogue.db")) as store:
        boxes = store.connection.execute("SELECT name FROM boxes ORDER BY id").fetchall()
        assert {name for (name,) in boxes} == {"", "Attic", "Desk", "Gone", "Late"}
        holdings = store.connection.execute("SELECT DISTINCT box FROM holdings ORDER BY box").fetchall()
        assert [box for (box,) in holdings] == ["Attic", "Desk"]


def test_every_change_of_an_earlier_version_is_taken_back_and_done_again(shell: Shell) -> None:
    of_version_10(shell.database)
    Store(shell.database).close()
    before = copies(shell.database)
    shell.good("redo")
    assert shell.entries("box:late")
    shell.good("undo")
    assert copies(shell.database) == before
    undone = 0
    while shell("undo").status == 0:
        undone += 1
        with closing(sqlite3.connect(shell.database)) as connection:
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert undone == 6
    assert copies(shell.database) == []
    for _ in range(undone):
        shell.good("redo")
    assert copies(shell.database) == before


@OLDER
def test_a_damaged_catalogue_of_an_earlier_version_is_mended_into_this_one(make, tmp_path: Path) -> None:
    path = make(tmp_path / "catalogue.db")
    before = copies(path)
    mended = mend(path, is_damaged=True)
    assert mended is not None
    assert mended.lost == ()
    assert copies(path) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_what_is_left_without_its_parent_is_lost_where_a_catalogue_is_mended(tmp_path: Path) -> None:
    path = of_version_10(tmp_path / "catalogue.db")
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM holdings WHERE id = 1")
        connection.execute("DELETE FROM collection_files")
        connection.execute("DELETE FROM boxes")
        connection.commit()
    mended = mend(path, is_damaged=True)
    assert mended is not None
    assert set(mended.lost) == {"decks_out", "doubts", "file_rows"}
    with Store(path) as store:
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert {box for (box,) in store.connection.execute("SELECT DISTINCT box FROM holdings")} == {"Attic", "Desk"}


def cut_off(statements: Any, script: str, cut: int, text: str) -> list[str]:
    """The statements of a text; of one script only so many, and then one that fails."""
    return [*list(statements(text))[:cut], "SELECT nothing"] if text == script else list(statements(text))


@OLDER
def test_a_migration_that_is_cut_off_anywhere_leaves_the_file_as_it_was(
    make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "catalogue.db")
    before, statements = copies(path), store_module._statements
    script = (resources.files("ccgrid.catalog.store") / "schema_11.sql").read_text(encoding="utf-8")
    for cut in range(0, len(list(statements(script))), 4):
        with monkeypatch.context() as patch:
            patch.setattr(store_module, "_statements", partial(cut_off, statements, script, cut))
            with pytest.raises(CatalogError, match="nothing"):
                Store(path)
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() < (11,)
            assert damage(connection) == ()
        assert copies(path) == before
