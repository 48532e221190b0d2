"""Tests of undo, redo and history: the last change of any kind is undone; an import only after confirmation."""

import sqlite3
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

import msgspec
import pexpect
import pytest
from helpers import forked_program as forked
from helpers.catalogues import Shell, rows, write_rows
from helpers.processes import wait_until_reading
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.history import Change, history, last_change, undo

CARD = "mtg:dsk/1"
LAYOUT = ("layout", "new", "cards.csv", "--game", "pips", "--at", "Cost=tl")
ADD = ("card", "add", "--game", "pips", "--name")
COMMANDS = (
    ("collection", "add", CARD, "-n", "3", "--box", "A"),
    ("collection", "edit", CARD, "-n", "1", "--note", "signed"),
    ("collection", "move", CARD, "--to-box", "B"),
    ("collection", "remove", CARD, "--all"),
    (*ADD, "Griffin", "--top", "3"),
    (*ADD, "Griffin", "--top", "4", "--own", "2"),
    (*ADD, "Wyvern", "--left", "5", "--own", "1"),
    ("card", "edit", "pips:hand/griffin", "--name", "Gryphon"),
    ("card", "remove", "pips:hand/griffin"),
    ("card", "edit", CARD, "--top-left", "5"),
    ("card", "edit", CARD, "--name", "Amber Ant"),
    ("card", "remove", CARD),
    (*LAYOUT, "--keep"),
    (*LAYOUT, "--title", "Pips and more", "-o", "layouts/pips.toml", "--force"),
)


@pytest.fixture
def filled(shell: Shell) -> Shell:
    """A catalogue with imported cards."""
    shell.import_rows(rows(10))
    return shell


def copies_owned(shell: Shell) -> int:
    return len(shell.entries())


def count_cards(shell: Shell) -> int:
    with Store(shell.database) as store:
        return int(store.stats().cards)


def stored_data(shell: Shell) -> dict[str, list[str]]:
    """Return the contents of the catalogue and the folder of layouts, except for the journal of changes."""
    tables = ("cards", "corrections", "uncorrected", "holdings", "decks_out", "doubts", "collection_files")
    found: dict[str, list[str]] = {}
    with closing(sqlite3.connect(shell.database)) as connection:
        for table in tables:
            found[table] = sorted(map(repr, connection.execute(f"SELECT * FROM {table}")))
        found["names"] = sorted(map(repr, connection.execute("SELECT name, folded FROM names")))
        words = connection.execute("SELECT folded FROM names_fts WHERE names_fts MATCH 'amber OR griffin OR gryphon'")
        found["words"] = sorted(map(repr, words))
    layouts = (shell.folder / "layouts").glob("*")
    return {**found, "layouts": sorted(f"{path.name}: {path.read_text()}" for path in layouts)}


def count_changes(shell: Shell) -> int:
    """Return the number of changes that are not undone."""
    with Store(shell.database) as store:
        return sum(not change.undone for change in history(store))


def makes_change(shell: Shell, command: tuple[str, ...]) -> bool:
    """Run a command, and return whether it made a change."""
    before = count_changes(shell)
    shell(*(str(shell.folder / word) if word.endswith((".csv", ".toml")) else word for word in command))
    return count_changes(shell) > before


def at_terminal(shell: Shell, *arguments: str | Path) -> pexpect.spawn:
    environment = {**shell.environment(), "TERM": "xterm-256color", "NO_COLOR": "1"}
    return forked.at_terminal(("undo", *arguments), environment, lines=40)


@pytest.fixture
def with_layouts(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The filled catalogue with a folder of layouts, and data for one."""
    monkeypatch.setenv("CCGRID_LAYOUTS", str(filled.folder / "layouts"))
    (filled.folder / "cards.csv").write_text("Name,Cost\nAnt,3\nBee,4\n")
    return filled


@pytest.mark.slow
@given(steps=st.lists(st.sampled_from(COMMANDS), max_size=8), at=st.integers(0, 8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_undoing_all_commands_restores_the_catalogue(
    with_layouts: Shell, steps: list[tuple[str, ...]], at: int
) -> None:
    shell = with_layouts
    more = write_rows(shell.folder / "more.jsonl", [*rows(3), *rows(9, 20)])
    begin, states = stored_data(shell), []
    for number, step in enumerate(steps):
        before = stored_data(shell)
        if number == at and shell.good("import", "mtg", more, "--force", "--json").json["changed"] is not None:
            states.append(before)
            before = stored_data(shell)
        if makes_change(shell, step):
            states.append(before)
    reached, done = stored_data(shell), 0
    for before in reversed(states):
        shell.good("undo", "--yes")
        assert stored_data(shell) == before
        done += 1
    assert stored_data(shell) == begin
    for _ in range(done):
        shell.good("redo")
    assert stored_data(shell) == reached
    for _ in range(done):
        shell.good("undo", "--yes")
    assert stored_data(shell) == begin


def test_undo_reverts_corrected_card_but_not_earlier_import(filled: Shell) -> None:
    filled.good("card", "edit", CARD, "--top-left", "5")
    filled.good("card", "add", "--game", "mtg", "--name", "Griffin", "--top", "4", "--own", "2")
    done = filled.good("undo", "--json")
    assert (done.json["kind"], done.json["what"]) == ("card", "enter Griffin")
    assert (count_cards(filled), copies_owned(filled)) == (10, 0)
    done = filled.good("undo", "--yes", "--json")
    assert (done.json["kind"], done.json["what"]) == ("card", f"correct {CARD}")
    assert count_cards(filled) == 10
    assert filled.card(CARD)["corrected"] is None
    filled.good("redo")
    assert filled.card(CARD)["zones"]["top-left"] == 5


def test_new_layout_can_be_undone_and_redone(with_layouts: Shell) -> None:
    file = with_layouts.folder / "layouts" / "pips.toml"
    with_layouts.good("layout", "new", with_layouts.folder / "cards.csv", "--game", "pips", "--keep")
    by_hand = file.read_bytes() + b"# by hand, \xe4 and all\r\n"
    file.write_bytes(by_hand)
    assert with_layouts.good("undo", "--json").json["kind"] == "layout"
    assert not file.exists()
    with_layouts.good("redo")
    assert file.read_bytes() == by_hand


def test_layout_made_as_first_change_can_be_undone(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_LAYOUTS", str(shell.folder / "layouts"))
    (shell.folder / "cards.csv").write_text("Name,Cost\nAnt,3\nBee,4\n")
    shell.good("layout", "new", shell.folder / "cards.csv", "--game", "pips", "--keep")
    shell.good("undo")
    assert not list((shell.folder / "layouts").iterdir())


def test_history_lists_all_changes_in_order(filled: Shell) -> None:
    filled.good("collection", "add", CARD)
    filled.good("card", "edit", CARD, "--top-left", "5")
    filled.good("undo")
    listed = filled.good("history", "--json").json_lines
    assert [(change["kind"], bool(change["undone"])) for change in listed] == [
        ("import", False),
        ("collection", False),
        ("card", True),
    ]
    assert listed[0]["source"] == "mtg"
    assert "undone" in filled.good("history").out


def test_new_card_and_its_copies_are_undone_together(filled: Shell) -> None:
    filled.good("card", "add", "--game", "mtg", "--name", "Griffin", "--top", "4", "--own", "2")
    filled.good("undo")
    assert (count_cards(filled), copies_owned(filled)) == (10, 0)


def test_undoing_import_needs_yes_and_names_import(filled: Shell) -> None:
    filled("undo").names_unknown("Last change: import mtg: 10 added, 0 changed, 0 removed (", "add --yes")
    filled("undo", "--json").names_unknown("add --yes")
    assert count_cards(filled) == 10
    done = filled.good("undo", "--yes")
    assert done.err.startswith("Undoing: import mtg: 10 added, 0 changed, 0 removed (")
    assert "Undone: import mtg: 10 added" in done.out
    assert count_cards(filled) == 0
    filled("undo", "--yes").fails("nothing to undo")


def test_undo_reverts_last_change(filled: Shell) -> None:
    filled.good("collection", "add", CARD, "-n", "2")
    done = filled.good("undo", "--yes", "--json")
    assert (done.json["kind"], done.json["what"]) == ("collection", "add 2 Brass Bellringer")
    assert "Undoing: the change to the collection, add 2 Brass Bellringer (" in done.err
    assert (count_cards(filled), copies_owned(filled)) == (10, 0)


def test_undo_rejects_change_that_is_no_longer_last(filled: Shell) -> None:
    with Store(filled.database) as store:
        last = last_change(store)
    assert last is not None
    assert (last.kind, last.what) == ("import", "import mtg: 10 added, 0 changed, 0 removed")
    filled.import_rows(rows(11))
    with (
        Store(filled.database) as store,
        pytest.raises(CatalogError, match="Another command made a change since: import mtg: 1 added"),
    ):
        undo(store, last.id)
    assert count_cards(filled) == 11


def test_history_entry_describes_change_and_minute() -> None:
    made = datetime(2026, 1, 2, 3, 4, 5).astimezone().isoformat()  # Entries show local time.
    done = Change(id=1, made=made, what="add 1 Ant", kind="collection", undone=False)
    assert str(done) == "the change to the collection, add 1 Ant (2026-01-02 03:04)"
    assert str(msgspec.structs.replace(done, kind="import", what="import mtg")) == "import mtg (2026-01-02 03:04)"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_undo_asks_at_terminal(filled: Shell) -> None:
    for answer, cards_left in (("\r", 10), ("n\r", 10), ("\x04", 10), ("\x03", 10), ("yes\r", 0)):
        child = at_terminal(filled)
        child.expect("Last change: import mtg: 10 added")
        child.expect("yes or no> ")
        wait_until_reading(child)
        child.send(answer)
        child.expect("Undone" if not cards_left else "nothing changed")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        assert count_cards(filled) == cards_left
