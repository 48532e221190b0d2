"""Messages of failed commands: they state which changes were saved before, if any."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from disk import FailingStatements, failing_statements, full
from helpers.catalogues import Shell, rows
from writing import scan_of

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.store.transactions import transaction
from ccgrid.services import scanning
from ccgrid.services.catalogue import _content

GRIFFIN = ("card", "add", "--game", "arcadia", "--name", "Griffin", "--top-left", "4")
FULL = Path("/dev/full")


def test_card_whose_copies_cannot_be_added_is_not_entered(shell: Shell) -> None:
    shell(*GRIFFIN, "--own", "99999999").misuses("99999999 copies")
    assert list(shell.folder.iterdir()) == []
    shell.good(*GRIFFIN, "--own", "2", "--box", "A")
    shell(*GRIFFIN, "--own", "99999999").misuses()
    assert [card["id"] for card in shell.good("card", "list", "--json").json_lines] == ["arcadia:hand/griffin"]
    assert [one["copies"] for one in shell.entries()] == [2]


class Keyboard(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("failing", ["disk", "interrupt"])
def test_failed_session_says_what_was_saved(shell: Shell, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    shell.import_rows(rows(9))
    lines: Iterator[str] = iter(["3", "4", "5", "end"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    monkeypatch.setattr(sys, "stdin", Keyboard())
    monkeypatch.setattr("ccgrid.terminal.entry.line_completion", lambda complete: None)
    error, words = (full(), "Error: the disk is full") if failing == "disk" else (KeyboardInterrupt(), "Interrupted")
    with failing_statements(FailingStatements(None, error), monkeypatch) as disk:

        def counted(prompt: str) -> str:
            line = next(lines)
            if line == "5":
                disk.fails = disk.writes + 2  # This fails in the middle of the card.
            return line

        monkeypatch.setattr("builtins.input", counted)
        result = shell("collection", "add", "--set", "dsk")
    assert result.status == (3 if failing == "disk" else 130)
    assert result.err == f"{words}; 2 earlier changes were saved, the last: add 1 Ember Ferryman.\n"
    owned_ids = [one["id"] for one in shell.entries()]
    assert owned_ids == ["mtg:dsk/3", "mtg:dsk/4"]


def test_interrupted_scan_keeps_earlier_cards(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def pictures(*names: object, **options: object) -> Iterator[list[Scan]]:
        for number in (3, 4):
            yield [scan_of(f"mtg:dsk/{number}", shell.database)]
        raise KeyboardInterrupt

    shell.import_rows(rows(9))
    monkeypatch.setattr(scanning, "scan_pictures", pictures)
    (shell.folder / "a.png").touch()
    result = shell("scan", shell.folder / "a.png", "--yes", "--own")
    assert result.status == 130
    assert "2 earlier changes were saved" in result.err
    assert [(one["id"], one["copies"]) for one in shell.entries()] == [("mtg:dsk/3", 1), ("mtg:dsk/4", 1)]


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_change_is_reported_as_saved_if_its_result_cannot_be_printed(shell: Shell) -> None:
    shell.import_rows(rows(9))
    with FULL.open("w") as output:
        process = shell.start("collection", "add", "mtg:dsk/3", stdout=output, stderr=subprocess.PIPE)
        _, err = process.communicate(timeout=240)
    assert process.returncode == 3
    assert err == "Error: the disk is full; this was done and saved before: add 1 Dusk Drake.\n"
    assert shell.entries()[0]["copies"] == 1


def test_nested_transaction_is_saved_with_the_outer_one_or_not_at_all(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "own.db", isolation_level=None)
    connection.execute("CREATE TABLE done (what TEXT)")

    def insert(what: str, *, fails: bool = False) -> None:
        with transaction(connection, what):
            connection.execute("INSERT INTO done VALUES (?)", (what,))
            if fails:
                raise CatalogError(what)

    def insert_all() -> None:
        with transaction(connection, "all"):
            insert("one")
            insert("two", fails=True)

    OUTCOME.begin()
    with pytest.raises(CatalogError):
        insert_all()
    assert (connection.execute("SELECT * FROM done").fetchall(), str(OUTCOME)) == ([], "nothing changed")
    with transaction(connection, "all"):
        insert("one")
        with pytest.raises(CatalogError):
            insert("two", fails=True)
        insert("five")
    assert connection.execute("SELECT * FROM done").fetchall() == [("one",), ("five",)]
    assert str(OUTCOME) == "this was done and saved before: all"
    connection.close()


def test_changes_in_memory_are_not_saved(shell: Shell) -> None:
    _content.cache_clear()
    shell.good("demo")
    assert not str(OUTCOME)
