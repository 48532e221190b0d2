"""The page about the database: it lists the catalogue's views, and its queries run in every tool that it names."""

import asyncio
import re
import sqlite3
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from helpers.catalogues import Shell, row
from sqlite_utils import Database

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.recording import change

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "schema.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)\n```", PAGE, re.DOTALL)
VIEWS = ("cards_view", "holdings_view", "numbers_view", "ids_view", "views_version")
SOLD = "Count,Name,Edition,Collector Number,Condition,Tags,Signed,Price paid,Date bought,Binder,Tradelist Count\n"


@pytest.fixture
def file(shell: Shell) -> Path:
    """Return a catalogue with cards, some of them owned with all details."""
    cards = [row(number, id=f"{number:08x}-0000-4000-8000-000000000000", digital=number == 7) for number in range(1, 9)]
    shell.import_rows([*cards, row(10, cost=10)])
    table = shell.folder / "owned.csv"
    name = cards[1]["name"]
    table.write_text(f"{SOLD}3,{name},dsk,2,NM,cube,yes,1.50,2024-05-01,Attic,2\n", encoding="utf-8")
    shell.good("collection", "import", table)
    shell.good("collection", "add", "mtg:dsk/3", "--box", "Desk")
    with closing(sqlite3.connect(shell.database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return shell.database


def test_there_are_ten_queries() -> None:
    assert len(QUERIES) == 10


@pytest.mark.parametrize("query", QUERIES)
def test_queries_of_page_have_results(query: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(query).fetchall()


@pytest.mark.parametrize("view", VIEWS[:3])
def test_every_column_of_a_view_is_on_the_page(view: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        columns = [name for name, *_ in connection.execute(f"SELECT * FROM {view}").description]
    at = PAGE.index(f"`{view}` has")
    text = PAGE[at : PAGE.index("## What refers" if view == "holdings_view" else "\n`", at + 1)]
    missing = [name for name in columns if f"`{name}`" not in text and not re.search("top|left|right|bottom", name)]
    assert not missing


def test_version_on_page_is_version_of_views(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        (version,) = connection.execute("SELECT version FROM views_version").fetchone()
    assert f"This page describes version {version}." in PAGE


def test_documented_references_are_enforced(file: Path) -> None:
    with Store(file) as store:
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        columns = {
            (f"{table}.{key[3]}", f"{key[2]}.{key[4]}")
            for table in ("holdings", "decks_out", "doubts", "file_rows")
            for key in store.connection.execute(f"PRAGMA foreign_key_list({table})")
        }
        assert columns == {
            ("holdings.box", "boxes.name"),
            ("decks_out.holding_id", "holdings.id"),
            ("doubts.file_id", "collection_files.id"),
            ("file_rows.file_id", "collection_files.id"),
        }
        with pytest.raises(sqlite3.IntegrityError), change(store, "a box that there is not"):
            store.connection.execute("UPDATE holdings SET box = 'nowhere that is known'")


def test_sqlite_utils_runs_queries_of_page(file: Path) -> None:
    for query in QUERIES:
        assert list(Database(file).query(query))


@pytest.mark.skipif(find_spec("datasette") is None, reason="Datasette is not installed")
def test_datasette_runs_queries_of_page(file: Path) -> None:
    from datasette.app import Datasette

    async def answers() -> list[int]:
        served = Datasette([], immutables=[str(file)])
        asked = [urlencode({"sql": query, "_shape": "array"}) for query in QUERIES]
        return [len((await served.client.get(f"/{file.stem}.json?{one}")).json()) for one in asked]

    assert all(asyncio.run(answers()))


@pytest.mark.skipif(find_spec("duckdb") is None, reason="DuckDB is not installed")
def test_duckdb_runs_queries_of_page(file: Path) -> None:
    import duckdb  # type: ignore[import-not-found,unused-ignore]

    with duckdb.connect() as connection:
        try:
            connection.execute("LOAD sqlite")
            connection.execute(f"ATTACH '{file}' AS catalogue (TYPE sqlite, READ_ONLY)")
            connection.execute("USE catalogue")
        except duckdb.Error:  # The extension needs a download; copies of the views suffice.
            _copy_views(file, connection)
        for query in QUERIES:
            assert connection.execute(query).fetchall(), query


def _copy_views(file: Path, target: Any) -> None:
    with closing(sqlite3.connect(file)) as source:
        for view in VIEWS:
            found = source.execute(f"SELECT * FROM {view}")
            names = [name for name, *_ in found.description]
            read = found.fetchall()
            kinds = [
                next((type(one[place]) for one in read if one[place] is not None), str) for place in range(len(names))
            ]
            words = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
            columns = ", ".join(f'"{name}" {words[kind]}' for name, kind in zip(names, kinds, strict=True))
            target.execute(f"CREATE TABLE {view} ({columns})")
            target.executemany(f"INSERT INTO {view} VALUES ({', '.join('?' * len(names))})", read)
