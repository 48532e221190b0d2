"""What one owns: files brought in once, changes that can be taken back, nothing lost whatever happens."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from catalogues import Shell, ended
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
from owned import CARDS, card

from catalog.card import CatalogError
from catalog.collection.edit import Selection, add, find_card, kind_of, move, remove
from catalog.collection.session import EntrySession
from catalog.holding import Place
from catalog.store.catalogue import Store
from catalog.store.holdings import CollectionStore

MOXFIELD = (
    "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,"
    "Purchase Price\n"
    "3,0,Amber Archivist,dsk,Near Mint,English,,,,1,False,False,\n"
    "1,0,Amber Archivist,dsk,Near Mint,English,foil,,,1,False,False,\n"
    "2,0,Brass Belringer,dsk,Near Mint,English,,,,2,False,False,\n"
    "4,0,Jade Gardener,xyz,Near Mint,English,,,,9,False,False,\n"
    "0,0,Isle,dsk,Near Mint,English,,,,11,False,False,\n"
    "3,0,Amber Archivist,dsk,Near Mint,English,,,,1,False,False,\n"
)


def moxfield(shell: Shell, text: str = MOXFIELD, name: str = "mine.csv") -> Path:
    path = shell.folder / name
    path.write_text(text, encoding="utf-8")
    return path


def held(shell: Shell, *options: str) -> list[tuple[str, int, str]]:
    return [
        (one["id"], one["copies"], one["finish"])
        for one in shell.good("collection", "list", "--json", *options).json_lines
    ]


IMPORTED = [("mtg:dsk/1", 6, "normal"), ("mtg:dsk/1", 1, "foil"), ("mtg:dsk/2", 2, "normal")]


# --- importing ---------------------------------------------------------------------------------------------------


def test_an_import_counts_every_row_and_tells_what_was_not_certain(owned: Shell) -> None:
    report = owned.good("collection", "import", moxfield(owned), "--json").json
    assert (report["file"], report["format"], report["rows"], report["copies"]) == ("mine.csv", "moxfield", 6, 9)
    assert report["matched"] == {"id": 0, "number": 3, "name": 0, "fuzzy": 1}
    assert (report["missed"], report["skipped"], report["added"]) == (1, 1, 9)
    assert report["rows"] == sum(report["matched"].values()) + report["missed"] + report["skipped"]
    fuzzy, missed, skipped = report["report"]
    assert (fuzzy["line"], fuzzy["outcome"], fuzzy["card"]) == (4, "fuzzy", "mtg:dsk/2")
    assert "not quite 'Brass Belringer'" in fuzzy["reason"]
    assert (missed["line"], missed["outcome"], missed["card"], missed["candidates"]) == (
        5,
        "missed",
        None,
        ["mtg:old/2"],
    )
    assert missed["raw"].startswith("4,0,Jade Gardener,xyz")
    assert (skipped["line"], skipped["outcome"], skipped["reason"]) == (6, "skipped", "it has no copies")
    assert sorted(held(owned)) == sorted(IMPORTED)
    assert set(report["unused"]) >= {"Tags", "Purchase Price"}


def test_the_same_file_again_changes_nothing(owned: Shell) -> None:
    owned.good("collection", "import", moxfield(owned))
    before = held(owned)
    again = owned.good("collection", "import", moxfield(owned, name="renamed.csv"), "--json").json
    assert (again["added"], again["rows"], again["copies"]) == (0, 6, 9)
    assert again["known"]
    assert held(owned) == before
    assert "imported before" in owned.good("collection", "import", moxfield(owned)).out
    owned.good("collection", "undo")
    assert held(owned) == []  # importing again was no change
    assert owned.good("collection", "import", moxfield(owned), "--json").json["added"] == 9
    assert owned.good("collection", "import", moxfield(owned), "--again", "--json").json["added"] == 9
    assert sum(copies for _, copies, _ in held(owned)) == 18


def test_a_dry_run_predicts_exactly_and_changes_nothing(owned: Shell) -> None:
    predicted = owned.good("collection", "import", moxfield(owned), "--dry-run", "--json").json
    assert held(owned) == []
    assert owned.good("collection", "doubts", "--json").json_lines == []
    assert owned("collection", "undo").status == 3
    done = owned.good("collection", "import", moxfield(owned), "--json").json
    assert (predicted.pop("dry_run"), done.pop("dry_run")) == (True, False)
    assert predicted == done


def test_a_file_of_which_nothing_is_known_changes_nothing_and_says_so(owned: Shell) -> None:
    path = moxfield(owned, "Count,Name,Edition\n1,Quxyzzy,zzz\n")
    owned("collection", "import", path).refused("none of its 1 rows", "no set 'zzz'")
    owned("collection", "import", moxfield(owned, "Count,Name,Edition\n")).refused("no rows")
    owned("collection", "import", owned.folder / "none.csv").refused("none.csv")
    owned("collection", "import", owned.folder).refused("folder")
    assert owned.good("collection", "doubts", "--json").json_lines == []


def test_on_error_stop_changes_nothing_where_a_row_fails(owned: Shell) -> None:
    owned("collection", "import", moxfield(owned), "--on-error", "stop").refused("line 5", "Nothing is changed")
    assert held(owned) == []
    assert owned("collection", "import", moxfield(owned), "--on-error", "halt").status == 2


def test_without_a_catalogue_an_import_says_what_to_do(shell: Shell) -> None:
    shell("collection", "import", moxfield(shell)).refused("ccgrid import starter")


def test_a_row_in_doubt_is_corrected_and_imported_again(owned: Shell) -> None:
    table = owned.folder / "corrections.csv"
    owned.good("collection", "import", moxfield(owned), "--corrections", table)
    text = table.read_text(encoding="utf-8")
    head, fuzzy, missed = text.splitlines()
    assert head.startswith("Copies,Name,Set code")
    assert "mtg:old/2 Jade Gardener" in missed
    assert owned("collection", "import", moxfield(owned, f"{head}\n{missed}\n", "left.csv")).status == 3
    chosen = ",".join([*missed.split(",")[:11], "mtg:old/2", *missed.split(",")[12:]])
    moved = ",".join([*fuzzy.split(",")[:11], "mtg:old/1", *fuzzy.split(",")[12:]])
    report = owned.good(
        "collection", "import", moxfield(owned, f"{head}\n{moved}\n{chosen}\n", "right.csv"), "--json"
    ).json
    assert (report["matched"]["id"], report["settled"]) == (2, 2)
    assert sorted(held(owned)) == sorted([*IMPORTED[:2], ("mtg:old/1", 2, "normal"), ("mtg:old/2", 4, "normal")])
    assert owned.good("collection", "doubts", "--json").json_lines == []
    owned.good("collection", "undo")
    owned.good("collection", "move", "mtg:dsk/2", "--to-box", "Elsewhere")
    owned.good("collection", "import", owned.folder / "right.csv")
    assert "mtg:dsk/2" not in [one[0] for one in held(owned)]  # taken back where they are now
    twice = owned("collection", "import", moxfield(owned, f"{head}\n{chosen}\n", "twice.csv"))
    assert twice.status == 3
    assert "settled already" in twice.err


def test_rows_that_were_missed_are_found_when_their_cards_come(owned: Shell) -> None:
    owned.good("collection", "import", moxfield(owned))
    owned.import_rows([*CARDS, card("xyz", "9", "Jade Gardener")])
    report = owned.good("collection", "import", moxfield(owned), "--json").json
    assert (report["added"], report["settled"], report["missed"], report["copies"]) == (4, 1, 0, 13)
    assert ("mtg:xyz/9", 4, "normal") in held(owned)
    assert owned.good("collection", "import", moxfield(owned), "--json").json["added"] == 0
    owned.good("collection", "undo")
    assert sorted(held(owned)) == sorted(IMPORTED)
    assert owned.good("collection", "import", moxfield(owned), "--json").json["added"] == 4


def test_where_the_cards_are_is_said_by_the_file_or_by_hand(owned: Shell) -> None:
    text = "Folder Name,Quantity,Card Name,Set Code,Card Number\nBinder,2,Amber Archivist,DSK,1\n,1,Isle,DSK,11\n"
    owned.good("collection", "import", moxfield(owned, text), "--box", "Attic 2", "--row", "3")
    places = [one["location"] for one in owned.good("collection", "list", "--json").json_lines]
    assert places == ["Binder", "Attic 2, row 3"]


def test_standard_input_is_read_like_a_file(owned: Shell) -> None:
    process = owned.start("collection", "import", "-", "--json", stdin=subprocess.PIPE)
    out, err = process.communicate("2 Amber Archivist\n1 Isle (DSK) 12\n", timeout=60)
    assert process.returncode == 0, err
    assert json.loads(out)["matched"] == {"id": 0, "number": 1, "name": 1, "fuzzy": 0}


def test_a_card_that_vanishes_from_its_source_stays_owned(owned: Shell) -> None:
    owned.good("collection", "add", "mtg:dsk/1", "-n", "3")
    owned.import_rows([one for one in CARDS if one["name"] != "Amber Archivist"])
    assert owned("show", "mtg:dsk/1").status == 3
    (kept,) = owned.good("collection", "list", "--json").json_lines
    assert (kept["id"], kept["name"], kept["copies"]) == ("mtg:dsk/1", "Amber Archivist", 3)


# --- by hand -----------------------------------------------------------------------------------------------------


def test_copies_that_are_alike_and_lie_together_are_one_holding(owned: Shell) -> None:
    owned.good("collection", "add", "Amber Archivist", "-n", "2")
    owned.good("collection", "add", "mtg:dsk/1", "--condition", "NM", "--box", "A")
    added = owned.good("collection", "add", "--set", "dsk", "--number", "1", "--json").json
    assert (added["id"], added["copies"], added["condition"]) == ("mtg:dsk/1", 3, None)
    assert len(held(owned)) == 2
    assert held(owned, "--box", "a") == [("mtg:dsk/1", 1, "normal")]
    assert held(owned, "--unplaced") == [("mtg:dsk/1", 3, "normal")]


def test_a_card_that_is_not_found_is_not_guessed(owned: Shell) -> None:
    owned("collection", "add", "Amber Archivst").refused("Did you mean", "mtg:dsk/1")
    owned("collection", "add", "Jade Gardener", "--set", "dsk").refused("no card of that name")
    assert held(owned) == []


def test_copies_are_removed_where_it_is_plain_which(owned: Shell) -> None:
    owned.good("collection", "add", "Amber Archivist", "-n", "3")
    owned.good("collection", "add", "Amber Archivist", "-n", "2", "--finish", "foil")
    owned("collection", "remove", "Amber Archivist").refused("Which of these", "foil")
    owned.good("collection", "remove", "amber archivist", "--finish", "foil")
    assert sorted(held(owned)) == [("mtg:dsk/1", 1, "foil"), ("mtg:dsk/1", 3, "normal")]
    owned("collection", "remove", "mtg:dsk/1", "--finish", "foil", "-n", "2").refused("only 1")
    owned.good("collection", "remove", "mtg:dsk/1", "--all")
    assert held(owned) == []
    owned("collection", "remove", "Isle").refused("no such card")


def test_undo_goes_back_change_by_change(owned: Shell) -> None:
    states = [held(owned)]
    for command in (
        ("add", "Amber Archivist", "-n", "2"),
        ("add", "Isle", "--set", "dsk"),
        ("remove", "Amber Archivist"),
    ):
        owned.good("collection", *command)
        states.append(held(owned))
    owned.good("collection", "import", moxfield(owned))
    for state in reversed(states):
        owned.good("collection", "undo")
        if state is not states[0]:
            assert held(owned) == state
        states.pop()
    assert held(owned) == []
    owned("collection", "undo").refused("nothing to undo")


def test_the_collection_is_listed_in_the_order_that_is_asked_for(owned: Shell) -> None:
    for name, copies, row in (("Isle", "3", "10"), ("Amber Archivist", "1", "9"), ("Gale Herald", "7", "")):
        owned.good("collection", "add", name, "--set", "dsk", "-n", copies, "--row", row, "--box", "B")
    first = {
        sort: owned.good("collection", "list", "--sort", sort, "--json").json_lines[0]["name"]
        for sort in ("name", "copies", "place", "set")
    }
    assert first == {
        "name": "Amber Archivist",
        "copies": "Gale Herald",
        "place": "Amber Archivist",
        "set": "Amber Archivist",
    }
    assert owned("collection", "list", "--sort", "price").status == 2
    assert "11 copies in 3 entries" in owned.good("collection", "list").out


@pytest.mark.parametrize(
    "form", ["jsonl", "csv", "moxfield", "manabox", "deckbox", "archidekt", "dragonshield", "topdecked"]
)
def test_an_export_brought_into_an_empty_collection_gives_the_same_one(owned: Shell, form: str) -> None:
    for options in ((), ("--finish", "foil"), ("--condition", "nm"), ("--language", "ja", "-n", "3")):
        owned.good("collection", "add", "mtg:dsk/6", *options)
    owned.good("collection", "add", "mtg:dsk/4", "--condition", "played" if form != "moxfield" else "lp")
    owned.good("collection", "add", "mtg:pdsk/3★")
    before = owned.good("collection", "list", "--json").json_lines
    file = owned.folder / "export.txt"
    owned.good("collection", "export", "--format", form, "-o", file)
    owned.good("collection", "remove", "", "--all")
    report = owned.good("collection", "import", file, "--json").json
    assert report["matched"]["id"] + report["matched"]["number"] == report["rows"] == 6
    after = owned.good("collection", "list", "--json").json_lines
    if form in ("archidekt", "topdecked", "manabox", "deckbox", "dragonshield"):
        before = [{**one, "condition": None} if one["condition"] == "played" else one for one in before]
        after = [
            {**one, "condition": None} if one["condition"] in ("played", "heavily-played") else one for one in after
        ]
    assert after == before


def test_an_export_says_what_its_format_loses(owned: Shell) -> None:
    owned.good("collection", "add", "mtg:dsk/6", "--finish", "foil", "-n", "2", "--box", "A", "--condition", "nm")
    told = owned.good("collection", "export", "--format", "text")
    assert told.out == "2 +2 Lantern\n"
    for what in ("finish: 2 copies", "condition", "box", "which printing"):
        assert what in told.err
    assert owned.good("collection", "export", "--format", "jsonl").err == ""
    owned("collection", "export", "--format", "excel").refused("moxfield")


# --- a session ---------------------------------------------------------------------------------------------------


def typed(shell: Shell, text: str, *options: str) -> tuple[int, str, str]:
    process = shell.start("collection", "add", *options, stdin=subprocess.PIPE)
    out, err = process.communicate(text, timeout=60)
    return process.returncode, out, err


def test_a_pile_is_entered_by_numbers_and_names(owned: Shell) -> None:
    lines = "1\n1 x3\n1f\n# a note\n\n046\n46e\nIsle x2\n2 Gale Herald\nIron Herald *F*\n"
    lines += "set old\n2\nbox Attic 2\nfoil\n1\n3★\nset pdsk\n3★\n"
    status, out, err = typed(owned, lines, "-g", "mtg", "-s", "dsk", "--json")
    assert (status, err.count("\n")) == (1, 1)
    summary = json.loads(out)
    assert (summary["lines"], summary["copies"], summary["failed"]) == (11, 15, 1)
    have = Counter(
        {(one["id"], one["finish"]): one["copies"] for one in owned.good("collection", "list", "--json").json_lines}
    )
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


def test_undo_in_a_session_takes_the_last_card_back(owned: Shell) -> None:
    status, out, _ = typed(owned, "1\n2x2\nundo\n3\n", "-s", "dsk")
    assert status == 0
    assert "Added 2 copies in 2 lines, 1 taken back." in out
    assert [one[0] for one in held(owned)] == ["mtg:dsk/1", "mtg:dsk/3"]
    assert typed(owned, "undo\n", "-s", "dsk")[0] == 1


def test_a_session_for_a_set_that_is_not_there_says_which_are(owned: Shell) -> None:
    status, _, err = typed(owned, "1\n", "-s", "5th")
    assert status == 3
    assert "no set '5th'" in err
    assert "dsk" in err


def test_names_are_completed_as_one_types(template: Path) -> None:
    with Store(template) as store:
        session = EntrySession(CollectionStore(store), (), "dsk", kind_of())
        assert session.complete("amb") == ["Amber Archivist"]
        assert session.complete("jade") == []
        assert session.complete("") == []
        session.enter("set")
        assert session.complete("JADE g") == ["Jade Gardener"]


# --- whatever happens --------------------------------------------------------------------------------------------


def test_a_kill_at_any_moment_leaves_the_old_or_the_new_state(owned: Shell) -> None:
    """Each round kills an import, an undo or an add somewhere; the collection is then as before or as after it."""
    text = "Count,Name,Edition,Collector Number\n" + "".join(
        f"{n % 4 + 1},Amber Archivist,dsk,1\n1,Isle,dsk,11\n" for n in range(1500)
    )
    path = moxfield(owned, text)
    started = time.perf_counter()
    assert ended(owned.start("collection", "import", path)).status == 0
    whole = time.perf_counter() - started
    full = held(owned)
    owned.good("collection", "undo")
    rng = random.Random(7)
    killed = 0
    for attempt in range(14):
        process = owned.start("collection", "import", path) if attempt % 2 == 0 else owned.start("collection", "undo")
        time.sleep(rng.uniform(0.3, 1.05) * whole)
        process.kill()
        process.communicate()
        killed += process.returncode != 0
        now = held(owned)
        assert now in ([], full)
        integrity(owned)
    assert killed > 3


def integrity(shell: Shell) -> None:
    with Store(shell.database) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        orphans = "SELECT count(*) FROM journal WHERE change_id NOT IN (SELECT id FROM changes)"
        assert store.connection.execute(orphans).fetchone() == (0,)


def test_two_commands_at_once_never_lose_a_change(owned: Shell) -> None:
    script = (
        "import sys; from pathlib import Path; from catalog.store.catalogue import Store\n"
        "from catalog.store.holdings import CollectionStore\n"
        "from catalog.collection.edit import add, find_card, kind_of\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    collection = CollectionStore(store)\n"
        "    card = find_card(collection, 'Amber Archivist').card\n"
        "    for _ in range(40): add(collection, card, 1, kind_of())\n"
    )
    root = Path(__file__).resolve().parents[1]
    processes = [subprocess.Popen([sys.executable, "-c", script, str(owned.database)], cwd=root) for _ in range(3)]
    assert [process.wait(timeout=60) for process in processes] == [0, 0, 0]
    assert held(owned) == [("mtg:dsk/1", 120, "normal")]
    with Store(owned.database) as store:
        assert store.connection.execute("SELECT count(*) FROM changes").fetchone() == (120,)


def test_an_undo_in_a_session_does_not_touch_what_another_command_did(template: Path, tmp_path: Path) -> None:
    shutil.copy(template, tmp_path / "c.db")
    with Store(tmp_path / "c.db") as store, Store(tmp_path / "c.db") as other:
        session = EntrySession(CollectionStore(store), (), "dsk", kind_of())
        session.enter("1")
        elsewhere = CollectionStore(other)
        add(elsewhere, find_card(elsewhere, "Isle", set_code="dsk").card, 1, kind_of())  # type: ignore[arg-type]
        with pytest.raises(CatalogError, match="Another command"):
            session.enter("undo")
        assert elsewhere.totals() == (2, 2)


@pytest.mark.skipif(os.name == "nt", reason="the peak is asked of POSIX")
def test_an_import_keeps_memory_flat(owned: Shell) -> None:
    """The peak of an import of four times the rows is the same but for a little."""
    script = (
        "import resource, sys; from ccgrid import app\n"
        "status = app.run(['collection', 'import', sys.argv[1], '--dry-run', '--json'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(status)\n"
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


def test_text_that_acts_on_terminals_is_shown_and_not_obeyed(owned: Shell) -> None:
    owned.good("collection", "add", "Isle", "--set", "dsk", "--box", "\x1b[2J[red]A")
    out = owned.good("collection", "list").out
    assert "\x1b" not in out
    assert "[red]A" in out


# --- a model -----------------------------------------------------------------------------------------------------

IDS = ("mtg:dsk/1", "mtg:dsk/2", "mtg:dsk/11")
PLACES = (Place(), Place("A"), Place("A", "1", "2"))


class Collection(RuleBasedStateMachine):
    """Adds, removals, moves and undo, against a counter and a stack of counters."""

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
    def more(self, card: str, copies: int, finish: str, place: Place) -> None:
        self.past.append(self.have.copy())
        found = find_card(self.collection, card).card
        assert found is not None
        add(self.collection, found, copies, kind_of(finish, place=place))
        self.have[card, finish, place] += copies

    @rule(
        card=st.sampled_from(IDS),
        copies=st.integers(1, 6),
        finish=st.sampled_from(("normal", "foil")),
        box=st.sampled_from(("", "A")),
    )
    def fewer(self, card: str, copies: int, finish: str, box: str) -> None:
        fits = {key: count for key, count in self.have.items() if key[:2] == (card, finish) and box in ("", key[2].box)}
        chosen = Selection(card, finish=finish, box=box)
        if sum(fits.values()) < copies:
            with pytest.raises(CatalogError):
                remove(self.collection, chosen, copies)
            return
        self.past.append(self.have.copy())
        for holding, taken in remove(self.collection, chosen, copies):
            self.have[card, holding.finish, holding.place] -= taken
        self.have = +self.have
        assert self.past[-1].total() - self.have.total() == copies

    @rule(card=st.sampled_from(IDS), place=st.sampled_from(PLACES))
    def carry(self, card: str, place: Place) -> None:
        mine = {key: count for key, count in self.have.items() if key[0] == card}
        if not mine:
            return
        moved = Counter({key: count for key, count in self.have.items() if key[0] != card})
        for (_, finish, _), count in mine.items():
            moved[card, finish, place] += count
        if moved != self.have:
            self.past.append(self.have.copy())
        move(self.collection, Selection(card), None, place)
        self.have = moved

    @precondition(lambda self: self.past)
    @rule()
    def back(self) -> None:
        self.collection.undo()
        self.have = self.past.pop()

    @invariant()
    def is_as_counted(self) -> None:
        if hasattr(self, "collection"):
            assert {(one.card_id, one.finish, one.place): one.copies for one in self.collection.holdings()} == self.have


def test_adds_removals_moves_and_undo_agree_with_a_counter(template: Path, tmp_path: Path) -> None:
    shutil.copy(template, tmp_path / "model.db")
    machine: Any = type("Here", (Collection,), {"path": tmp_path / "model.db"})
    run_state_machine_as_test(machine, settings=settings(max_examples=25, stateful_step_count=20, deadline=None))
