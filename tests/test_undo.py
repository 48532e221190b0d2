"""Undo: what a person did last is said and taken back, and an import never unasked."""

import sys
from pathlib import Path

import forked
import pexpect
import pytest
from begun import asleep
from catalogues import Shell, rows

from catalog.card import CatalogError
from catalog.store.catalogue import Store
from ccgrid.services.undoing import Done, last_done, take_back

CARD = "mtg:dsk/1"


@pytest.fixture
def filled(shell: Shell) -> Shell:
    """A catalogue that an import filled."""
    shell.import_rows(rows(10))
    return shell


def held(shell: Shell) -> int:
    return len(shell.good("collection", "list", "--json").json_lines)


def cards(shell: Shell) -> int:
    with Store(shell.database) as store:
        return int(store.stats()["cards"])


def at_terminal(shell: Shell, *arguments: str | Path) -> pexpect.spawn:
    environment = {**shell.environment(), "TERM": "xterm-256color", "NO_COLOR": "1"}
    return forked.at_terminal(("undo", *arguments), environment, lines=40)


def test_an_import_is_not_taken_back_unasked_and_it_is_said_what_it_was(filled: Shell) -> None:
    filled("undo").refused("Last was: import mtg: 10 added, 0 changed, 0 removed (", "say --yes")
    filled("undo", "--json").refused("say --yes")
    filled("undo", "--import").refused("say --yes")
    assert cards(filled) == 10
    done = filled.good("undo", "--yes")
    assert done.err.startswith("Taking back: import mtg: 10 added, 0 changed, 0 removed (")
    assert "Taken back: the import of mtg" in done.out
    assert cards(filled) == 0


def test_with_a_newer_change_to_the_collection_a_script_is_told_to_say_which(filled: Shell) -> None:
    filled.good("collection", "add", CARD, "-n", "2")
    told = filled("undo").refused(
        "Last was the change to the collection, add 2 Brass Bellringer (", "import mtg: 10 added"
    )
    assert "ccgrid collection undo, or ccgrid undo --import --yes" in told.err
    assert (cards(filled), held(filled)) == (10, 1)


def test_without_a_question_what_was_last_is_taken_back(filled: Shell) -> None:
    filled.good("collection", "add", CARD, "-n", "2")
    done = filled.good("undo", "--yes", "--json")
    assert done.json["collection"] == "add 2 Brass Bellringer"
    assert "Taking back: the change to the collection, add 2 Brass Bellringer (" in done.err
    assert (cards(filled), held(filled)) == (10, 0)


def test_an_import_may_be_taken_back_past_newer_changes_by_its_option(filled: Shell) -> None:
    filled.good("collection", "add", CARD)
    assert filled.good("undo", "--import", "--yes", "--json").json["source"] == "mtg"
    assert (cards(filled), held(filled)) == (0, 1)
    done = filled.good("undo")
    assert done.out.startswith("Taken back: add 1 Brass Bellringer")
    assert held(filled) == 0
    filled("undo").refused("has been taken back already")


def test_what_is_not_the_last_any_more_is_not_taken_back(filled: Shell) -> None:
    (last,) = last_done(filled.database)
    assert (last.kind, last.what) == ("import", "import mtg: 10 added, 0 changed, 0 removed")
    filled.import_rows(rows(11))
    with pytest.raises(CatalogError, match="Another command has imported mtg since; look at it: ccgrid history"):
        take_back(filled.database, last, lambda: None)
    assert cards(filled) == 11


def test_what_was_done_is_told_with_its_minute() -> None:
    done = Done("collection", 1, "2026-01-02T03:04:05+00:00", "add 1 Ant")
    assert str(done) == "the change to the collection, add 1 Ant (2026-01-02 03:04)"
    assert str(done._replace(kind="import", what="import mtg")) == "import mtg (2026-01-02 03:04)"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_at_a_terminal_it_is_asked_whether_an_import_is_taken_back(filled: Shell) -> None:
    for answer, there in (("\r", 10), ("n\r", 10), ("\x04", 10), ("\x03", 10), ("yes\r", 0)):
        child = at_terminal(filled)
        child.expect("Last: import mtg: 10 added")
        child.expect("yes or no> ")
        asleep(child)
        child.send(answer)
        child.expect("Taken back" if not there else "nothing is changed")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        assert cards(filled) == there


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_at_a_terminal_it_is_asked_which_of_the_two_is_taken_back(filled: Shell) -> None:
    filled.good("collection", "add", CARD)
    for answer, left in (("", (10, 1)), ("3", (10, 1)), ("2", (0, 1))):
        child = at_terminal(filled)
        child.expect("1: the change to the collection, add 1 Brass")
        child.expect("2: import mtg: 10 added")
        child.expect("for none> ")
        child.sendline(answer)
        child.expect(pexpect.EOF)
        child.close()
        assert (cards(filled), held(filled)) == left
