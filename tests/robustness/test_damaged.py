"""Damaged catalogues, and catalogues in read-only places: reported plainly, and repaired."""

import random
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from disk import can_fail, read_only
from helpers.catalogues import Shell, kill_after_bytes, row, rows, wait_for_result, write_rows

from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.mending import _rows

QUERIES = (
    ("stats",),
    ("search", "drake"),
    ("show", "mtg:dsk/3"),
    ("export",),
    ("collection", "list"),
    ("collection", "stats"),
    ("undo",),
    ("history",),
    ("import", "mtg", "more.jsonl"),
)
needs_disk = pytest.mark.skipif(not can_fail(), reason="SQLite's system calls cannot be replaced here")


@pytest.fixture(scope="module")
def whole() -> dict[str, bytes]:
    """Return a dictionary for the catalogue that all these tests share; the first of them fills it."""
    return {}


@pytest.fixture
def shelf(shell: Shell, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("XDG_CACHE_HOME", str(shell.folder))  # `doctor` counts all files in that folder.
    monkeypatch.chdir(shell.folder)
    write_rows(shell.folder / "more.jsonl", rows(60, 280))
    if whole:
        shell.database.write_bytes(whole["catalogue"])
        return shell
    shell.import_rows(rows(300))
    listed = shell.folder / "mine.csv"
    listed.write_text(
        "Name,Set code,Collector number,Quantity\nNobody at all,zzz,1,1\n"
        + "".join(f"{card['name']},dsk,{card['collector_number']},2\n" for card in rows(40))
    )
    shell.incomplete("collection", "import", listed)
    whole["catalogue"] = shell.database.read_bytes()
    return shell


def check_queries(shell: Shell) -> None:
    """Assert that every query of a damaged catalogue is answered or fails with a plain message."""
    for command in QUERIES:
        result = shell(*command)
        assert result.status in (0, 1, 2, 3), result
        assert "defect" not in result.err, (command, result.err)
        assert result.status != 3 or "damaged" in result.err or "would remove" in result.err, (command, result.err)
        assert len(result.err.splitlines()) <= 3 or result.status == 0, (command, result.err)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_flipped_bits_are_reported_without_traceback(shelf: Shell, seed: int) -> None:
    rng, data = random.Random(seed), bytearray(shelf.database.read_bytes())
    for _ in range(1 + seed * 2):
        data[rng.randrange(0 if seed % 3 else 100, len(data))] ^= 1 << rng.randrange(8)
    shelf.database.write_bytes(data)
    check_queries(shelf)
    result = shelf("doctor", "--mend")
    assert "defect" not in result.err


@pytest.mark.slow
def test_unreadable_pages_lose_only_their_rows(shelf: Shell) -> None:
    with closing(sqlite3.connect(shelf.database)) as connection:
        page = connection.execute("PRAGMA page_size").fetchone()[0]
        count = connection.execute("PRAGMA page_count").fetchone()[0]
    whole = shelf.database.read_bytes()
    saved = []
    for number in range(2, count, 5):
        shelf.database.write_bytes(whole[: number * page] + b"\x5a" * page + whole[(number + 1) * page :])
        result = shelf("doctor", "--mend")
        assert "defect" not in result.err, result
        if "cannot be repaired" not in result.err:
            assert shelf("doctor").status == 0
            saved.append(shelf.good("stats", "--json").json["cards"])
        for path in shelf.folder.glob("catalogue.damaged-*"):
            path.unlink()
    assert max(saved) == 300
    assert sum(saved) > 150 * len(saved)


@pytest.mark.parametrize(
    ("cell", "value", "command", "saved"),
    [
        ("game", "CAST(game AS BLOB)", ("stats",), 299),
        ("reason", "CAST('layout x' AS BLOB)", ("stats",), 299),
        ("name", "CAST(x'41e5' AS TEXT)", ("export",), 300),  # Every card is saved, this one without the invalid byte.
        ("score", "'many'", ("search", "drake", "--game", "mtg"), 299),
    ],
)
def test_invalid_cell_is_reported_and_loses_only_its_row(
    shelf: Shell, cell: str, value: str, command: tuple[str, ...], saved: int
) -> None:
    with closing(sqlite3.connect(shelf.database)) as connection, connection:
        connection.execute(f"UPDATE cards SET {cell} = {value}, legal = 0 WHERE id = 'mtg:dsk/3'")
    assert "defect" not in shelf(*command).err
    assert "is damaged" in shelf("doctor").out
    shelf("doctor", "--mend")
    assert shelf("doctor").status == 0
    assert shelf.good("stats", "--json").json["cards"] == saved


def test_unknown_reading_is_reported_as_damage(shelf: Shell) -> None:
    with closing(sqlite3.connect(shelf.database)) as connection, connection:
        connection.execute("UPDATE cards SET printed = replace(printed, 'first', 'firs4') WHERE id = 'mtg:dsk/3'")
        connection.execute("UPDATE cards SET printed = '[[\"top\"]]' WHERE id = 'mtg:dsk/4'")
    shelf("show", "mtg:dsk/4").fails("damaged", "ccgrid doctor --mend")
    assert "defect" not in shelf("show", "mtg:dsk/3").err


def test_cyclic_pages_end(shelf: Shell) -> None:
    class CyclicPages:
        """A database whose pages form a cycle, so that rows repeat endlessly."""

        def execute(self, _: str, values: tuple[int]) -> list[tuple[int, str]]:
            return [(3, "Ant"), (4, "Bee"), (1, "Ant")] if values[0] < 1 << 20 else []

    found = list(_rows(cast("sqlite3.Connection", CyclicPages()), "cards", "name"))
    assert found[:3] == [("Ant",), ("Bee",), None]
    assert len(found) < 100


def test_failure_with_sound_catalogue_is_a_bug(shelf: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.catalog.store.catalogue.Store.stats", lambda *_: {}["nothing"])
    assert "This is a defect in ccgrid: KeyError: 'nothing'" in shelf("stats").err
    with closing(sqlite3.connect(shelf.database)) as connection, connection:
        connection.execute("UPDATE cards SET game = CAST(game AS BLOB) WHERE id = 'mtg:dsk/3'")
    shelf("stats").fails("the catalogue is damaged", "ccgrid doctor --mend")


@pytest.mark.parametrize(
    ("table", "column", "value", "command"),
    [
        ("cards", "face", "[1, 2", ("show", "mtg:dsk/3")),
        ("cards", "face", "7", ("search", "drake")),
        ("cards", "printed", "{}", ("show", "mtg:dsk/3")),
        ("doubts", "candidates", "{}", ("collection", "doubts")),
    ],
)
def test_damaged_json_cell_is_reported_with_a_remedy(
    shelf: Shell, table: str, column: str, value: str, command: tuple[str, ...]
) -> None:
    (shelf.folder / "more.csv").write_text(
        "Name,Set code,Collector number,Quantity\nNobody,dsk,1,1\nAmber Drake,x,3,1\n"
    )
    shelf("collection", "import", shelf.folder / "more.csv")
    with closing(sqlite3.connect(shelf.database)) as connection, connection:
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
    shelf(*command).fails("damaged", "ccgrid doctor --mend")
    assert "damaged" in shelf("doctor", "--mend").err
    assert shelf(*command).status in (0, 1)
    assert "The catalogue is damaged" not in shelf(*command).err
    assert shelf.good("collection", "list", "--json").json_lines


@pytest.mark.parametrize("table", ["cards", "Holdings"])
def test_endless_view_instead_of_table_is_refused(shelf: Shell, table: str) -> None:
    endless = "WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r) SELECT id FROM r"
    with closing(sqlite3.connect(shelf.database)) as connection, connection:
        connection.execute(f"ALTER TABLE {table} RENAME TO hidden")
        connection.execute(f'CREATE VIEW "{table}" AS {endless}')
    for command in (("stats",), ("collection", "list"), ("doctor",), ("doctor", "--mend"), ("undo", "--yes")):
        refused = shelf(*command)
        assert refused.status == (1 if command == ("doctor",) else 3), refused
        assert "a view stands in the place of its table" in refused.out + refused.err


def test_sound_catalogue_is_not_changed(shelf: Shell) -> None:
    before = shelf.catalogue()
    assert "Saved" not in shelf.good("doctor", "--mend").err
    assert shelf.catalogue() == before


def damage(shell: Shell) -> None:
    """Store a text in a cell that must hold a number."""
    with closing(sqlite3.connect(shell.database)) as connection, connection:
        connection.execute("UPDATE cards SET score = 'many' WHERE id = 'mtg:dsk/3'")


@pytest.mark.parametrize("links", [True, False])
def test_catalogue_is_repaired_without_hard_links(shelf: Shell, monkeypatch: pytest.MonkeyPatch, links: bool) -> None:
    def link(*paths: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr("ccgrid.catalog.files.os.link", link)
    damage(shelf)
    harmed_bytes = shelf.database.read_bytes()
    assert "Saved" in shelf("doctor", "--mend").err
    [old] = shelf.folder.glob("catalogue.damaged-*.db")
    assert old.read_bytes() == harmed_bytes
    assert shelf("doctor").status == 0
    assert not list(shelf.folder.glob(".ccgrid-*"))


def test_irreparable_catalogue_stays_and_is_not_to_be_deleted(shelf: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def replace(path: Path, target: Path) -> Path:
        raise PermissionError(13, "used by another program", str(path))

    damage(shelf)
    before = {path.name: path.read_bytes() for path in shelf.folder.glob("catalogue*")}
    monkeypatch.setattr(Path, "replace", replace)
    result = shelf("doctor", "--mend")
    assert "your collection may be in it" in result.err
    assert "import again" not in result.err
    assert {path.name: path.read_bytes() for path in shelf.folder.glob("catalogue*")} == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need privileges there")
def test_link_to_catalogue_survives_repair(shelf: Shell, tmp_path: Path) -> None:
    damage(shelf)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shelf.database.rename(elsewhere / "mine.db")
    shelf.database.symlink_to(elsewhere / "mine.db")
    assert "Saved" in shelf("doctor", "--mend").err
    assert shelf.database.is_symlink()
    assert shelf("doctor").status == 0
    assert len(list(elsewhere.glob("mine.damaged-*"))) == 1


def test_database_of_another_program_is_not_repaired(shelf: Shell) -> None:
    other = shelf.folder / "flashcards.db"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE cards (id TEXT, name TEXT, game TEXT)")
        connection.execute("INSERT INTO cards VALUES ('1', 'Bonjour', 'French')")
    before = other.read_bytes()
    assert "another program" in shelf("doctor", "--mend", "--db", other).err
    assert other.read_bytes() == before
    assert not list(shelf.folder.glob("flashcards.damaged-*"))


@pytest.mark.parametrize("log", ["-wal", "-shm", "-journal"])
def test_no_catalogue_is_created_next_to_a_file_with_the_name_of_its_log(shell: Shell, log: str) -> None:
    letter = Path(f"{shell.database}{log}")
    letter.write_text("Dear Ann")
    shell("import", "starter").fails(letter.name, "Move it, or choose another catalogue")
    assert letter.read_text() == "Dear Ann"
    assert not shell.database.exists()


def test_repaired_catalogue_keeps_search_and_collection(shelf: Shell) -> None:
    owned = shelf.good("collection", "list", "--json").json_lines
    found = shelf.good("search", "drake", "--json").json_lines
    with closing(sqlite3.connect(shelf.database)) as connection, connection:
        connection.execute("UPDATE cards SET printed = 'x' WHERE id = 'mtg:dsk/250'")
    output = shelf("doctor", "--mend").err
    assert "Saved 299 cards and 40 entries of your collection; not all of: cards." in output
    saved_files = list(shelf.folder.glob("catalogue.damaged-*.db"))
    assert len(saved_files) == 1
    assert shelf.good("collection", "list", "--json").json_lines == owned
    assert [card for card in found if card["id"] != "mtg:dsk/250"] == shelf.good("search", "drake", "--json").json_lines
    shelf.good("undo")


@needs_disk
def test_catalogue_on_read_only_medium_is_read(shelf: Shell) -> None:
    with read_only(lambda path: "catalogue.db" in path):
        assert shelf.good("stats", "--json").json["cards"] == 300
        assert shelf.good("show", "mtg:dsk/3").out
        assert shelf.good("collection", "list").out
        shelf("import", "starter").fails()
        shelf("collection", "add", "mtg:dsk/3").fails()
    assert shelf.good("stats", "--json").json["cards"] == 300


@needs_disk
def test_changes_in_log_are_read(shelf: Shell) -> None:
    with closing(sqlite3.connect(shelf.database)) as writer:
        writer.execute("DELETE FROM cards WHERE id = 'mtg:dsk/3'")
        writer.commit()
        with read_only(lambda path: "catalogue.db" in path):
            result = shelf("stats", "--json")
            assert result.status == 3 or result.json["cards"] == 299


@needs_disk
def test_unfinished_first_import_on_read_only_medium_is_not_read(shell: Shell) -> None:
    with Store(shell.database, create=True):
        pass
    many = write_rows(shell.folder / "many.jsonl", [row(n, oracle_text="1" * 300) for n in range(6000)])
    killed = wait_for_result(shell.start("import", "mtg", many, before=kill_after_bytes(1_000_000)))
    assert killed.status == -signal.SIGXFSZ
    with read_only(lambda path: "catalogue.db" in path):
        shell("stats").fails("cannot be opened")
    assert "The catalogue is empty" in shell.good("stats").err
