"""The entry session of `collection add`, and the collection's safety against kills and concurrent commands."""

import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest
from helpers import forked_program as forked
from helpers.catalogues import Shell, kill_after_bytes, wait_for_result
from helpers.processes import ends_with_test
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from moxfield_files import moxfield, owned_copies

from ccgrid.catalog.collection.edit import Edit, add_copies, copy_key, move_copies, remove_copies
from ccgrid.catalog.collection.entry_session import EntrySession
from ccgrid.catalog.collection.typed_cards import find_card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import Place
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.history import history, undo
from ccgrid.catalog.store.holdings import CollectionStore

# --- the entry session -------------------------------------------------------------------------------------------


def type_lines(shell: Shell, text: str, *options: str) -> tuple[int, str, str]:
    process = shell.start("collection", "add", *options, stdin=subprocess.PIPE)
    out, err = process.communicate(text, timeout=240)
    return process.returncode, out, err


def test_cards_are_entered_by_numbers_and_names(owned: Shell) -> None:
    lines = "1\n1 x3\n1f\n# a note\n\n046\n46e\nIsle x2\n2 Gale Herald\nIron Herald *F*\n"
    lines += "set old\n2\nbox Attic 2\nfoil\n1\n3★\nset pdsk\n3★\n"
    status, out, err = type_lines(owned, lines, "-g", "mtg", "-s", "dsk", "--json")
    assert (status, err.count("\n")) == (1, 1)
    summary = json.loads(out)
    assert (summary["lines"], summary["copies"], summary["failed"]) == (11, 15, 1)
    have = Counter({(one["id"], one["finish"]): one["copies"] for one in owned.entries()})
    assert have == Counter(
        {
            **{("mtg:dsk/1", "normal"): 4, ("mtg:dsk/1", "foil"): 1, ("mtg:dsk/046", "normal"): 1},
            **{("mtg:dsk/046", "etched"): 1, ("mtg:dsk/11", "normal"): 2, ("mtg:dsk/14", "normal"): 2},
            **{
                ("mtg:dsk/15", "foil"): 1,
                ("mtg:old/2", "normal"): 1,
                ("mtg:old/1", "foil"): 1,
                ("mtg:pdsk/3★", "foil"): 1,
            },
        }
    )


def test_undo_in_session_removes_last_card(owned: Shell) -> None:
    status, out, _ = type_lines(owned, "1\n2x2\nundo\n3\n", "-s", "dsk")
    assert status == 0
    assert "Added 2 copies in 2 lines, 1 undone." in out
    assert [one[0] for one in owned_copies(owned)] == ["mtg:dsk/1", "mtg:dsk/3"]
    assert type_lines(owned, "undo\n", "-s", "dsk")[0] == 1


def test_session_for_unknown_set_lists_known_sets(owned: Shell) -> None:
    status, _, err = type_lines(owned, "1\n", "-s", "5th")
    assert status == 1
    assert "no set '5th'" in err
    assert "dsk" in err


def test_session_completes_names(template: Path) -> None:
    with Store(template) as store:
        session = EntrySession(CollectionStore(store), (), "dsk", copy_key())
        assert session.complete("amb") == ["Amber Archivist"]
        assert session.complete("jade") == []
        assert session.complete("") == []
        session.enter("set")
        assert session.complete("JADE g") == ["Jade Gardener"]


# --- kills, concurrent commands and memory -----------------------------------------------------------------------


def killed_after_seconds(seconds: float) -> Callable[[], None]:
    """Return a function for `before`: the system kills the process after these seconds of processor time."""
    return lambda: signal.setitimer(signal.ITIMER_PROF, seconds) and None


@pytest.mark.slow
def test_killed_command_leaves_old_or_new_state(owned: Shell) -> None:
    """Kill an import and an undo in each round, after some bytes written or some of their own processor time.

    A busy machine changes neither measure.
    """
    text = "Count,Name,Edition,Collector Number\n" + "".join(
        f"{n % 4 + 1},Amber Archivist,dsk,1\n1,Isle,dsk,11\n" for n in range(600)
    )
    path = moxfield(owned, text)
    resource = pytest.importorskip("resource", reason="needs limits of processes")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert wait_for_result(owned.start("collection", "import", path)).status == 0
    using = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = using.ru_utime + using.ru_stime - used.ru_utime - used.ru_stime
    full = owned_copies(owned)
    owned.good("undo")
    surely = kill_after_bytes(0), kill_after_bytes(40_000)
    for kill in (*surely, *(killed_after_seconds(whole * share / 8) for share in range(2, 8))):
        for words, done in ((("collection", "import", path), full), (("undo",), [])):
            status = wait_for_result(owned.start(*words, before=kill)).status
            assert status == -signal.SIGXFSZ if kill in surely else status in (0, -signal.SIGPROF)
            now = owned_copies(owned)
            assert now in ([], full)
            check_integrity(owned)
            if now != done:
                owned.good(*words)


def check_integrity(shell: Shell) -> None:
    with Store(shell.database) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        orphans = "SELECT count(*) FROM journal WHERE change_id NOT IN (SELECT id FROM changes)"
        assert store.connection.execute(orphans).fetchone() == (0,)


@pytest.mark.slow
def test_two_commands_at_once_never_lose_a_change(owned: Shell) -> None:
    script = (
        "import sys; from pathlib import Path; from ccgrid.catalog.store.catalogue import Store\n"
        "from ccgrid.catalog.store.holdings import CollectionStore\n"
        "from ccgrid.catalog.collection.edit import add_copies, copy_key\n"
        "from ccgrid.catalog.collection.typed_cards import find_card\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    collection = CollectionStore(store)\n"
        "    card = find_card(collection, 'Amber Archivist').card\n"
        "    for _ in range(40): add_copies(collection, card, 1, copy_key())\n"
    )
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", script, str(owned.database)]
    processes = [ends_with_test(subprocess.Popen(command, cwd=root)) for _ in range(3)]
    assert [process.wait(timeout=240) for process in processes] == [0, 0, 0]
    assert owned_copies(owned) == [("mtg:dsk/1", 120, "normal")]
    with Store(owned.database) as store:
        assert len(history(store)) == 1 + 120


def test_session_undo_rejects_changes_of_another_command(template: Path, tmp_path: Path) -> None:
    shutil.copy(template, tmp_path / "c.db")
    with Store(tmp_path / "c.db") as store, Store(tmp_path / "c.db") as other:
        session = EntrySession(CollectionStore(store), (), "dsk", copy_key())
        session.enter("1")
        elsewhere = CollectionStore(other)
        add_copies(elsewhere, find_card(elsewhere, "Isle", set_code="dsk").card, 1, copy_key())  # type: ignore[arg-type]
        with pytest.raises(CatalogError, match="Another command"):
            session.enter("undo")
        assert elsewhere.totals() == (2, 2)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux reports the peak")
def test_memory_of_import_does_not_grow_with_rows(owned: Shell) -> None:
    """Assert that ten times the rows raise the peak by less than 15 %."""
    script = (
        "import sys; from pathlib import Path; from ccgrid import app\n"
        "status = app.run(['collection', 'import', sys.argv[1], '--dry-run', '--json'])\n"
        # The peak from `resource` would include that of the tests, which started the process.
        "print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0], file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    peaks = []
    for count in (3000, 30_000):
        path = moxfield(
            owned, "Count,Name,Edition,Collector Number\n" + "1,Amber Archivist,dsk,1\n" * count, f"{count}.csv"
        )
        process = subprocess.run(
            [sys.executable, "-c", script, path], env=owned.environment(), capture_output=True, text=True, check=True
        )
        peaks.append(int(process.stderr.split()[-1]))
    assert peaks[1] < peaks[0] * 1.15, peaks


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_known_and_unknown_cards_are_entered_at_terminal(owned: Shell) -> None:
    desk = forked.at_terminal(
        ["collection", "add", "--db", owned.database], {**owned.environment(), "TERM": "xterm"}, new_interpreter=True
    )
    for line, answer in [
        ("?", "a card by its name"),
        ("box Attic", "The next cards go to Attic."),
        ("row 3", "The next cards go to Attic, row 3."),
        ("2 Isle - foil", "2 foil Isle"),
        ("Griffin Rider", "Numbers of Griffin Rider"),
        ("?", "tl 4 br 7 face 3"),
        ("tl 4 br 7 face 3", "Name it before the numbers"),
        ("game wyvern tl 4 br 7 face 3", "face 3, score 14, legal"),
        ("undo", "Undone: 1 Griffin Rider. 2 in all."),
        ("Islle", "Type a number to add"),
        ("1", "1 Isle"),
        ("end", "Added 3 copies in 2 lines, 1 undone"),
    ]:
        desk.expect("> ")
        desk.send(f"{line}\r")
        desk.expect(answer)
    desk.expect(pexpect.EOF)
    listed = owned.entries("box:attic")
    assert sorted((one["name"], one["copies"], one["finish"], one["row"]) for one in listed) == [
        *(("Isle", 1, "normal", "3"), ("Isle", 2, "foil", "3"))
    ]


def test_control_codes_in_text_are_removed_for_terminals(owned: Shell) -> None:
    owned.good("collection", "add", "Isle", "--set", "dsk", "--box", "\x1b[2J[red]A")
    out = owned.good("collection", "list").out
    assert "\x1b" not in out
    assert "[red]A" in out


# --- comparison with a model -------------------------------------------------------------------------------------


IDS = ("mtg:dsk/1", "mtg:dsk/2", "mtg:dsk/11")
PLACES = (Place(), Place("A"), Place("A", "1", "2"))


class CollectionMachine(RuleBasedStateMachine):
    """A state machine that compares additions, removals, moves and undo with a counter and a stack of counters."""

    path: Path

    @initialize()
    def begin(self) -> None:
        self.store = Store(self.path)
        self.store.connection.execute("PRAGMA synchronous = OFF")
        for table in ("holdings", "doubts", "decks_out", "collection_files", "changes", "journal"):
            self.store.connection.execute(f"DELETE FROM {table}")
        self.store.connection.execute("DELETE FROM journal")
        self.collection = CollectionStore(self.store)
        self.have: Counter[tuple[str, str, Place]] = Counter()
        self.past: list[Counter[tuple[str, str, Place]]] = []

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.__exit__(None, None, None)

    @rule(
        card=st.sampled_from(IDS),
        copies=st.integers(1, 5),
        finish=st.sampled_from(("normal", "foil")),
        place=st.sampled_from(PLACES),
    )
    def add(self, card: str, copies: int, finish: str, place: Place) -> None:
        self.past.append(self.have.copy())
        found = find_card(self.collection, card).card
        assert found is not None
        add_copies(self.collection, found, copies, copy_key(finish, place=place))
        self.have[card, finish, place] += copies

    @rule(
        card=st.sampled_from(IDS),
        copies=st.integers(1, 6),
        finish=st.sampled_from(("normal", "foil")),
        box=st.sampled_from(("", "A")),
    )
    def remove(self, card: str, copies: int, finish: str, box: str) -> None:
        fits = {key: count for key, count in self.have.items() if key[:2] == (card, finish) and box in ("", key[2].box)}
        chosen = f"{card} finish:{finish}{' box=' if box else ''}{box}"
        if sum(fits.values()) < copies:
            with pytest.raises(CatalogError):
                remove_copies(self.collection, chosen, copies)
            return
        self.past.append(self.have.copy())
        for holding, taken in remove_copies(self.collection, chosen, copies):
            self.have[card, holding.finish, holding.place] -= taken
        self.have = +self.have
        assert self.past[-1].total() - self.have.total() == copies

    @rule(card=st.sampled_from(IDS), place=st.sampled_from(PLACES))
    def move(self, card: str, place: Place) -> None:
        mine = {key: count for key, count in self.have.items() if key[0] == card}
        if not mine:
            return
        moved = Counter({key: count for key, count in self.have.items() if key[0] != card})
        for (_, finish, _), count in mine.items():
            moved[card, finish, place] += count
        if moved != self.have:
            self.past.append(self.have.copy())
        move_copies(self.collection, card, Edit(box=place.box, row=place.row, slot=place.slot))
        self.have = moved

    @precondition(lambda self: self.past)
    @rule()
    def undo_last(self) -> None:
        undo(self.store)
        self.have = self.past.pop()

    @invariant()
    def agrees_with_counter(self) -> None:
        if hasattr(self, "collection"):
            assert {(one.card_id, one.finish, one.place): one.copies for one in self.collection.holdings()} == self.have


@pytest.mark.slow
def test_changes_and_undo_agree_with_a_counter(template: Path, tmp_path: Path) -> None:
    shutil.copy(template, tmp_path / "model.db")
    machine: Any = type("Here", (CollectionMachine,), {"path": tmp_path / "model.db"})
    run_state_machine_as_test(machine, settings=settings(max_examples=25, stateful_step_count=20, deadline=None))
