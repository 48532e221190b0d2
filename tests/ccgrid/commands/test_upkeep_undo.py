"""Undo: what a person did last, whatever it was, is said and taken back; an import never unasked."""

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
    """A catalogue that an import filled."""
    shell.import_rows(rows(10))
    return shell


def copies_owned(shell: Shell) -> int:
    return len(shell.entries())


def cards(shell: Shell) -> int:
    with Store(shell.database) as store:
        return int(store.stats().cards)


def content(shell: Shell) -> dict[str, list[str]]:
    """All that the catalogue and the folder of layouts hold, but for what undo itself needs."""
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


def stands(shell: Shell) -> int:
    """How much was done and not taken back."""
    with Store(shell.database) as store:
        return sum(not change.undone for change in history(store))


def run(shell: Shell, command: tuple[str, ...]) -> bool:
    """Whether a command did something that stands in the history."""
    before = stands(shell)
    shell(*(str(shell.folder / word) if word.endswith((".csv", ".toml")) else word for word in command))
    return stands(shell) > before


def at_terminal(shell: Shell, *arguments: str | Path) -> pexpect.spawn:
    environment = {**shell.environment(), "TERM": "xterm-256color", "NO_COLOR": "1"}
    return forked.at_terminal(("undo", *arguments), environment, lines=40)


@pytest.fixture
def with_layouts(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The same with a folder of layouts, and data for one."""
    monkeypatch.setenv("CCGRID_LAYOUTS", str(filled.folder / "layouts"))
    (filled.folder / "cards.csv").write_text("Name,Cost\nAnt,3\nBee,4\n")
    return filled


@pytest.mark.slow
@given(steps=st.lists(st.sampled_from(COMMANDS), max_size=8), at=st.integers(0, 8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_as_many_undos_as_commands_give_the_catalogue_as_it_was(
    with_layouts: Shell, steps: list[tuple[str, ...]], at: int
) -> None:
    shell = with_layouts
    more = write_rows(shell.folder / "more.jsonl", [*rows(3), *rows(9, 20)])
    begin, states = content(shell), []
    for number, step in enumerate(steps):
        before = content(shell)
        if number == at and shell.good("import", "mtg", more, "--force", "--json").json["changed"] is not None:
            states.append(before)
            before = content(shell)
        if run(shell, step):
            states.append(before)
    reached, done = content(shell), 0
    for before in reversed(states):
        shell.good("undo", "--yes")
        assert content(shell) == before
        done += 1
    assert content(shell) == begin
    for _ in range(done):
        shell.good("redo")
    assert content(shell) == reached
    for _ in range(done):
        shell.good("undo", "--yes")
    assert content(shell) == begin


def test_undo_reverts_corrected_card_but_not_earlier_import(filled: Shell) -> None:
    filled.good("card", "edit", CARD, "--top-left", "5")
    filled.good("card", "add", "--game", "mtg", "--name", "Griffin", "--top", "4", "--own", "2")
    done = filled.good("undo", "--json")
    assert (done.json["kind"], done.json["what"]) == ("card", "enter Griffin")
    assert (cards(filled), copies_owned(filled)) == (10, 0)
    done = filled.good("undo", "--yes", "--json")
    assert (done.json["kind"], done.json["what"]) == ("card", f"correct {CARD}")
    assert cards(filled) == 10
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


def test_all_that_was_done_is_listed_in_one_order(filled: Shell) -> None:
    filled.good("collection", "add", CARD)
    filled.good("card", "edit", CARD, "--top-left", "5")
    filled.good("undo")
    listed = filled.good("history", "--json").json_lines
    assert [(one["kind"], bool(one["undone"])) for one in listed] == [
        ("import", False),
        ("collection", False),
        ("card", True),
    ]
    assert listed[0]["source"] == "mtg"
    assert "undone" in filled.good("history").out


def test_new_card_and_its_copies_are_undone_together(filled: Shell) -> None:
    filled.good("card", "add", "--game", "mtg", "--name", "Griffin", "--top", "4", "--own", "2")
    filled.good("undo")
    assert (cards(filled), copies_owned(filled)) == (10, 0)


def test_undoing_import_needs_yes_and_names_import(filled: Shell) -> None:
    filled("undo").names_unknown("Last change: import mtg: 10 added, 0 changed, 0 removed (", "add --yes")
    filled("undo", "--json").names_unknown("add --yes")
    assert cards(filled) == 10
    done = filled.good("undo", "--yes")
    assert done.err.startswith("Undoing: import mtg: 10 added, 0 changed, 0 removed (")
    assert "Undone: import mtg: 10 added" in done.out
    assert cards(filled) == 0
    filled("undo", "--yes").fails("nothing to undo")


def test_undo_reverts_last_change(filled: Shell) -> None:
    filled.good("collection", "add", CARD, "-n", "2")
    done = filled.good("undo", "--yes", "--json")
    assert (done.json["kind"], done.json["what"]) == ("collection", "add 2 Brass Bellringer")
    assert "Undoing: the change to the collection, add 2 Brass Bellringer (" in done.err
    assert (cards(filled), copies_owned(filled)) == (10, 0)


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
    assert cards(filled) == 11


def test_history_entry_describes_change_and_minute() -> None:
    made = datetime(2026, 1, 2, 3, 4, 5).astimezone().isoformat()  # Entries show local time.
    done = Change(id=1, made=made, what="add 1 Ant", kind="collection", undone=False)
    assert str(done) == "the change to the collection, add 1 Ant (2026-01-02 03:04)"
    assert str(msgspec.structs.replace(done, kind="import", what="import mtg")) == "import mtg (2026-01-02 03:04)"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_undo_asks_at_terminal(filled: Shell) -> None:
    for answer, there in (("\r", 10), ("n\r", 10), ("\x04", 10), ("\x03", 10), ("yes\r", 0)):
        child = at_terminal(filled)
        child.expect("Last change: import mtg: 10 added")
        child.expect("yes or no> ")
        wait_until_reading(child)
        child.send(answer)
        child.expect("Undone" if not there else "nothing changed")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        assert cards(filled) == there
