"""What is given as a catalogue and is none."""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Shell, rows, write_rows
from import_world import CARDS, printings

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.store.catalogue import Provenance, Store, work_on
from ccgrid.catalog.store.custom_cards import add_card
from ccgrid.catalog.store.imports import import_rows


def another_program(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE cards (id TEXT)")
    connection.commit()
    connection.close()


def newer_version(path: Path) -> None:
    with Store(path, create=True) as store:
        store.connection.execute("PRAGMA user_version = 99")


def cut_short(path: Path) -> None:
    with Store(path, create=True) as store:
        import_rows(store, printings(2000, cost=3), find_layout("mtg").compiled(), Provenance("mtg", "a", "1"))
    with path.open("r+b") as file:
        file.truncate(30_000)


def overwritten(path: Path) -> None:
    with Store(path, create=True) as store:
        import_rows(store, printings(2000, cost=3), find_layout("mtg").compiled(), Provenance("mtg", "a", "1"))
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


NO_CATALOGUES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a text": (lambda path: path.write_text("1 Lightning Bolt\n" * 500), "not a catalogue"),
    "a short text": (lambda path: path.write_text("my cards"), "not a catalogue"),
    "zeros": (lambda path: path.write_bytes(b"\0" * 5000), "not a catalogue"),
    "noise": (lambda path: path.write_bytes(random.Random(2).randbytes(5000)), "not a catalogue"),
    "a folder": (lambda path: path.mkdir(), "folder"),
    "another program's database": (another_program, "another program"),
    "made by a newer version": (newer_version, "newer ccgrid"),
    "cut short": (cut_short, ""),
    "overwritten": (overwritten, ""),
}
USES = {
    "import": ("import", "mtg", "cards.jsonl", "--force"),
    "search": ("search", "bolt"),
    "show": ("show", "Card 7"),
    "stats": ("stats",),
    "export": ("export",),
    "deck new": ("deck", "new"),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", NO_CATALOGUES)
def test_a_file_that_is_no_catalogue_is_refused_and_not_touched(shell: Shell, name: str, use: str) -> None:
    make, words = NO_CATALOGUES[name]
    make(shell.database)
    before = shell.database.read_bytes() if shell.database.is_file() else b""
    file = write_rows(shell.folder / "cards.jsonl", CARDS)
    result = shell(*(file if argument == "cards.jsonl" else argument for argument in USES[use]))
    assert result.status == 3
    assert len(result.err.splitlines()) <= 2
    assert result.err.startswith("Error: ")
    assert words in result.err
    assert (shell.database.read_bytes() if shell.database.is_file() else b"") == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions")
@pytest.mark.parametrize("made_before", [True, False])
def test_a_folder_that_may_not_be_written_is_told(shell: Shell, made_before: bool) -> None:
    shell.import_rows(rows(3))
    folder = Path(tempfile.mkdtemp())
    file = write_rows(folder / "cards.jsonl", rows(4))
    if made_before:
        shutil.copy(shell.database, folder / "catalogue.db")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    user = os.geteuid()
    try:
        os.seteuid(user or 65534)  # nothing is forbidden to root
        words = ("catalogue.db", "cannot be opened") if made_before else ("catalogue.db", "permission denied")
        shell("import", "mtg", file, "--db", folder / "catalogue.db").refused(*words)
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    shutil.rmtree(folder)


def test_a_catalogue_below_a_file_is_told(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    shell("import", "mtg", file, "--db", file / "catalogue.db").refused("cards.jsonl")


GRIFFIN = CustomCard("arcadia", "Griffin", printed={"top": "4"})


def test_an_empty_file_may_become_a_catalogue(shell: Shell) -> None:
    shell.database.touch()
    assert shell.import_rows(rows(3))["added"] == 3


def test_nobody_meets_a_catalogue_that_is_only_begun(shell: Shell) -> None:
    def begin(store: Store) -> int:
        add_card(store, GRIFFIN)
        assert not shell.database.exists()
        return len(list(store.all_cards()))

    assert work_on(shell.database, begin) == 1
    assert list(shell.catalogue()) == [shell.database.name]


def test_work_that_fails_begins_no_catalogue(shell: Shell) -> None:
    def fail(store: Store) -> None:
        add_card(store, GRIFFIN)
        raise CatalogError("stopped")

    with pytest.raises(CatalogError, match="stopped"):
        work_on(shell.database, fail)
    assert list(shell.folder.iterdir()) == []


def test_two_that_begin_a_catalogue_at_once_both_work_on_one(shell: Shell) -> None:
    met = []

    def begin(store: Store) -> int:
        met.append(len(list(store.all_cards())))
        if len(met) == 1:
            shell.import_rows(rows(3))
        add_card(store, GRIFFIN)
        return len(list(store.all_cards()))

    assert work_on(shell.database, begin) == 4
    assert met == [0, 3], "what was begun is done again on the catalogue that another command has made"


def test_a_catalogue_is_begun_where_there_are_no_hard_links(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*names: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    assert shell.import_rows(rows(3))["added"] == 3
    assert list(shell.catalogue()) == [shell.database.name]
