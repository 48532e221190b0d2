"""Concurrent imports, and imports that are interrupted or fail."""

import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, kill_after_bytes, row, rows, wait_for_result, write_rows
from helpers.forked_program import at_terminal, forked_main
from import_world import assert_adds_up, costs, printings

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import SourceRow
from ccgrid.catalog.sources import scryfall
from ccgrid.catalog.store import transactions
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.imports import Provenance, import_rows


def test_readers_see_the_old_catalogue_until_the_import_is_done(tmp_path: Path) -> None:
    database, layout, seen = tmp_path / "catalogue.db", find_layout("mtg").compiled(), []

    def watched() -> Iterator[SourceRow]:
        for place, printing in enumerate(printings(2000, cost=9)):
            if place % 500 == 499:
                with Store(database) as reader:
                    seen.append({card.zones["top-right"] for card in reader.all_cards()})
            yield printing

    with Store(database, create=True) as store:
        import_rows(store, printings(1000, cost=3), layout, Provenance("mtg", "a", "1"))
        import_rows(store, watched(), layout, Provenance("mtg", "b", "1"))
    assert seen == [{3}] * 4
    with Store(database) as store:
        assert {card.zones["top-right"] for card in store.all_cards()} == {9}


def test_error_during_import_rolls_everything_back(tmp_path: Path) -> None:
    database, layout = tmp_path / "catalogue.db", find_layout("mtg").compiled()

    def broken() -> Iterator[SourceRow]:
        yield from printings(5000, cost=9)
        raise CatalogError("the file ends in the middle")

    with Store(database, create=True) as store:
        import_rows(store, printings(1000, cost=3), layout, Provenance("mtg", "a", "1"))
    before = database.read_bytes()
    with Store(database) as store:
        with pytest.raises(CatalogError, match="in the middle"):
            import_rows(store, broken(), layout, Provenance("mtg", "b", "1"))
        assert {card.zones["top-right"] for card in store.all_cards()} == {3}
    assert database.read_bytes() == before


@pytest.fixture(scope="module")
def many_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that takes some time to import."""
    return write_rows(
        tmp_path_factory.mktemp("many") / "many.jsonl", [row(n, oracle_text="x" * 300) for n in range(10_000)]
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_killed_import_leaves_the_old_catalogue_intact(shell: Shell, many_cards: Path) -> None:
    shell.import_rows(rows(500))
    old, before = costs(shell.database), shell.database.read_bytes()
    for size in (0, 250_000, 1_000_000, 2_000_000):  # The complete log has three million bytes.
        process = shell.start("import", "mtg", many_cards, "--force", before=kill_after_bytes(size))
        assert wait_for_result(process).status == -signal.SIGXFSZ
        assert costs(shell.database) == old
        with sqlite3.connect(shell.database) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
        assert shell.catalogue() == {shell.database.name: before}
    assert wait_for_result(shell.start("import", "mtg", many_cards, "--force")).status == 0
    assert len(costs(shell.database)) == 10_000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("number", [0, 5000])
def test_interrupted_first_import_leaves_no_catalogue(shell: Shell, many_cards: Path, number: int) -> None:
    if forked_main((), {}) is None:
        pytest.skip("needs processes that are forked")
    read = scryfall.read

    def interrupted_read(*arguments: Any) -> Iterator[Any]:
        for place, printing in enumerate(read(*arguments)):
            if place == number:
                os.kill(os.getpid(), signal.SIGINT)
            yield printing

    def replace_reader() -> None:
        scryfall.read = interrupted_read  # This changes only the process that runs the import.

    result = wait_for_result(shell.start("import", "mtg", many_cards, before=replace_reader))
    assert result.status == 130
    assert result.err.splitlines()[-1] == "Interrupted; nothing changed."
    assert shell.catalogue() == {}


@pytest.mark.slow
def test_two_imports_at_once_both_succeed(shell: Shell, many_cards: Path) -> None:
    few = write_rows(shell.folder / "few.jsonl", rows(500))
    started = [shell.start("import", "mtg", file, "--add", "--json") for file in (many_cards, few, few)]
    results = [wait_for_result(process) for process in started]
    assert [(result.status, result.err) for result in results] == [(0, "")] * 3
    for result in results:
        assert_adds_up(result.json)
    assert costs(shell.database) == {f"mtg:dsk/{n}": n % 10 for n in range(10_000)}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_import_reports_at_a_terminal_that_it_waits_for_another(shell: Shell) -> None:
    pexpect = pytest.importorskip("pexpect")
    shell.import_rows(rows(3))
    holder = sqlite3.connect(shell.database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    child = at_terminal(("import", "mtg", file), shell.environment(), columns=200, new_interpreter=True)
    child.expect("Waiting for another command that writes to the catalogue.")
    assert child.isalive()
    holder.execute("COMMIT")
    holder.close()
    child.expect("Imported mtg")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_import_stops_waiting_after_a_limit(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.setattr(transactions, "BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(shell.database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    shell("import", "mtg", file).fails("in use by another command")
    holder.close()
    assert len(costs(shell.database)) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("room", [0, 3000, 20_000, 300_000])
def test_full_disk_is_reported_and_loses_nothing(shell: Shell, many_cards: Path, room: int) -> None:
    import resource

    shell.import_rows(rows(500))
    before = shell.catalogue()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    wait_for_result(shell.start("import", "mtg", many_cards, "--force", before=limit)).fails("catalogue")
    assert costs(shell.database) == {f"mtg:dsk/{n}": n % 10 for n in range(1, 501)}
    assert shell.catalogue() == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_full_disk_at_first_import_leaves_no_catalogue(shell: Shell) -> None:
    import resource

    file = write_rows(shell.folder / "cards.jsonl", rows(500))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))  # noqa: E731
    wait_for_result(shell.start("import", "mtg", file, before=limit)).fails()
    assert shell.catalogue() == {}


def journal_of(database: Path) -> str:
    """Return the journal mode of a catalogue."""
    connection = sqlite3.connect(database)
    try:
        return str(connection.execute("PRAGMA journal_mode").fetchone()[0])
    finally:
        connection.close()


def test_readers_block_only_during_first_import(tmp_path: Path) -> None:
    database, layout = tmp_path / "catalogue.db", find_layout("mtg").compiled()
    seen = list[str]()

    def watched() -> Iterator[SourceRow]:
        yield from printings(500, cost=1)
        seen.append(journal_of(database))
        yield from printings(10, cost=1)

    with Store(database, create=True) as store:
        for address in ("a", "b"):
            import_rows(store, watched(), layout, Provenance("mtg", address, "1"), force=True)
            assert journal_of(database) == "wal"
    assert seen == ["delete", "wal"]


def test_first_import_keeps_the_log_of_an_open_catalogue(tmp_path: Path) -> None:
    database, layout = tmp_path / "catalogue.db", find_layout("mtg").compiled()
    with Store(database, create=True) as store, Store(database) as other:
        other.connection.execute("BEGIN")
        assert other.is_empty()
        import_rows(store, printings(1000, cost=1), layout, Provenance("mtg", "a", "1"))
        assert other.is_empty(), "whoever reads sees what was there when they began"
        other.connection.execute("ROLLBACK")
        assert other.stats().cards == 1000
    assert journal_of(database) == "wal"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_killed_first_import_leaves_empty_catalogue(shell: Shell, many_cards: Path) -> None:
    with Store(shell.database, create=True):
        pass
    for size in (200_000, 1_000_000, 2_000_000):  # The complete file has three million bytes.
        process = shell.start("import", "mtg", many_cards, before=kill_after_bytes(size))
        assert wait_for_result(process).status == -signal.SIGXFSZ
        assert Path(f"{shell.database}-journal").stat().st_size > 0
        assert costs(shell.database) == {}
    assert wait_for_result(shell.start("import", "mtg", many_cards)).status == 0
    assert len(costs(shell.database)) == 10_000
    assert journal_of(shell.database) == "wal"


def test_import_restores_the_log_after_a_killed_one(tmp_path: Path) -> None:
    database, layout = tmp_path / "catalogue.db", find_layout("mtg").compiled()
    with Store(database, create=True) as store:
        import_rows(store, printings(10, cost=1), layout, Provenance("mtg", "a", "1"))
        store.connection.execute("PRAGMA journal_mode = DELETE")
    with Store(database) as store:
        import_rows(store, printings(10, cost=2), layout, Provenance("mtg", "b", "1"))
    assert journal_of(database) == "wal"
