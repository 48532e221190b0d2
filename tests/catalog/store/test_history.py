"""Imports in the history: dry runs, recorded changes, undo and redo."""

import hashlib
import re
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Shell, kill_after_bytes, row, rows, wait_for_result, write_rows
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.collection.edit import copy_key
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.imports.run import ImportRequest
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store import recording
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.history import ImportChange, history, redo, undo
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lookup import StoreLookup

MTG = find_source("mtg")
COUNTS = ("read", "added", "changed", "unchanged", "removed", "skipped")


def contents(database: Path) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the visible content of a catalogue: its cards, its names, and the names found by word."""
    with Store(database) as store:
        cards = store.connection.execute("SELECT * FROM cards ORDER BY number").fetchall()
        names = store.connection.execute("SELECT * FROM names ORDER BY id").fetchall()
        words = store.connection.execute(
            'SELECT name FROM names WHERE id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH \'"a"* OR "b"*\')'
            " ORDER BY name"
        ).fetchall()
        # Fails if the index does not match the names.
        store.connection.execute("INSERT INTO names_fts (names_fts, rank) VALUES ('integrity-check', 1)")
        store.connection.execute("INSERT INTO descriptions_fts (descriptions_fts, rank) VALUES ('integrity-check', 1)")
    return cards, names, words


def without_import(card: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row of `cards` without the number of its import, and of its description."""
    return (*card[:-5], *card[-4:-2], card[-1])


def without_seconds(summary: dict[str, Any]) -> dict[str, Any]:
    """Return a summary without its duration."""
    return {key: value for key, value in summary.items() if key != "seconds"}


# --- any sequence of imports -------------------------------------------------------------------------------------

a_row = st.tuples(st.integers(1, 30), st.integers(0, 2), st.integers(0, 3)) | st.none()
"""The number, cost and index of the name of a card; None is a row that is not a card."""
an_import = st.tuples(
    st.sampled_from(["mtg", "mtg", "other"]), st.lists(a_row, max_size=30), st.booleans(), st.booleans()
)
a_step = st.one_of(st.sampled_from(["undo", "undo", "redo"]), an_import)


def request_of(step: Any, folder: Path) -> ImportRequest:
    source, cards, keep, force = step
    found = [row(n, cost=cost, name=f"Brass Ant {n % (name + 1)}") if n else {} for n, cost, name in _known(cards)]
    path = write_rows(folder / f"{source}.jsonl", found)
    if source == "mtg":
        return ImportRequest(MTG, path, keep_missing=keep, force=force)
    # A second source, which has some cards of the first.
    lines = [f"{n},dsk,Amber Bee {n},{cost},4" for n, cost, _ in _known(cards) if n]
    layout = folder / "other.toml"
    layout.write_text(
        'format = 1\ngame = "mtg"\nname = "Others"\n[[printed]]\nfield = "Cost"\nzone = "top-left"\n', encoding="utf-8"
    )
    path = folder / "other.csv"
    path.write_text("\n".join(["Number,Set,Name,Cost,No", *lines]) + "\n", encoding="utf-8")
    return ImportRequest(find_source("file"), path, layout=layout, keep_missing=keep, force=force)


def _known(cards: list[Any]) -> list[tuple[int, int, int]]:
    return [card or (0, 0, 0) for card in cards]


@given(st.lists(a_step, min_size=1, max_size=12))
def test_imports_undos_and_redos_match_a_stack_of_copies(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "catalogue.db"
        Store(database, create=True).connection.close()
        # The states with the counts of the import that led to each, and the states after redo.
        pile: list[tuple[Any, tuple[int, ...]]] = [(contents(database), ())]
        undone: list[tuple[Any, tuple[int, ...]]] = []
        for step in steps:
            if isinstance(step, str):
                before, after = (pile[1:], undone) if step == "undo" else (undone, pile)
                with Store(database) as store:
                    if not before:
                        with pytest.raises(CatalogError, match=f"nothing to {step}"):
                            (undo if step == "undo" else redo)(store)
                    else:
                        (undo if step == "undo" else redo)(store)
                        after.append((pile if step == "undo" else undone).pop())
            else:
                order = request_of(step, folder)
                with Store(database) as store:
                    recorded = [change for change in history(store) if not change.undone]
                try:
                    summary = importing.import_source(order, database)
                except CatalogError:
                    assert contents(database) == pile[-1][0]
                else:
                    with Store(database) as store:
                        changes = [change for change in history(store) if not change.undone]
                    if changes != recorded:  # Otherwise the catalogue already had the data.
                        pile.append((contents(database), tuple(getattr(summary, key) for key in COUNTS)))
                        undone = []
            assert contents(database) == pile[-1][0]
            with Store(database) as store:
                changes = history(store)
            details = [
                tuple(getattr(change, key) for key in COUNTS) for change in changes if isinstance(change, ImportChange)
            ]
            assert details == [counts for _, counts in (*pile[1:], *reversed(undone))]
            assert [change.undone for change in changes] == [False] * len(pile[1:]) + [True] * len(undone)


@given(st.lists(an_import, min_size=1, max_size=4))
def test_dry_run_predicts_summary_and_changes_nothing(steps: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "catalogue.db"
        for source, cards, keep, force in steps:
            order = request_of((source, cards, keep, force), folder)
            dry = ImportRequest(
                order.source, order.path, layout=order.layout, keep_missing=keep, force=force, dry_run=True
            )
            before = {path.name: path.read_bytes() for path in folder.glob("catalogue.db*")}
            outcomes: list[Any] = []
            for what in (dry, order):
                try:
                    summary = importing.import_source(what, database)
                    outcomes.append((without_seconds(msgspec.to_builtins(summary)), summary.reasons))
                except CatalogError as refusal:
                    outcomes.append(str(refusal))
                if what is dry:
                    assert {path.name: path.read_bytes() for path in folder.glob("catalogue.db*")} == before
            assert outcomes[0] == outcomes[1]


# --- commands ----------------------------------------------------------------------------------------------------


def test_dry_run_creates_no_catalogue(shell: Shell) -> None:
    file = write_rows(shell.folder / "mine.jsonl", [*rows(3), {"no": "card"}])
    dry = shell.good("import", "mtg", file, "--dry-run", "--json").json
    assert shell.catalogue() == {}
    assert without_seconds(dry) == without_seconds(shell.good("import", "mtg", file, "--json").json)
    assert (dry["added"], dry["skipped"]) == (3, 1)


def test_dry_run_reports_that_nothing_changed(shell: Shell) -> None:
    file = write_rows(shell.folder / "mine.jsonl", rows(3))
    assert "Nothing changed" in shell.good("import", "mtg", file, "--dry-run").out
    assert "Nothing changed" not in shell.good("import", "mtg", file).out


def test_dry_run_fails_if_the_import_would_fail(shell: Shell) -> None:
    shell.import_rows(rows(40))
    before = shell.catalogue()
    file = write_rows(shell.folder / "fewer.jsonl", rows(30))
    shell("import", "mtg", file, "--dry-run").fails("would remove 10 cards of mtg")
    assert shell.good("import", "mtg", file, "--dry-run", "--force", "--json").json["removed"] == 10
    assert shell.catalogue() == before


def test_history_lists_the_origin_of_every_import(shell: Shell) -> None:
    shell.import_rows(rows(40))
    shell.import_rows([row(1, cost=9), *rows(38, start=2), row(41), {"no": "card"}])
    file = shell.folder / "cards.jsonl"
    first, second = shell.good("history", "--json").json_lines
    assert [first[key] for key in COUNTS] == [40, 40, 0, 0, 0, 0]
    assert [second[key] for key in COUNTS] == [41, 1, 1, 38, 1, 1]
    assert second["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert (second["size"], second["address"], second["source"]) == (file.stat().st_size, str(file), "mtg")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", second["imported"])
    assert (first["undone"], second["undone"], second["version"]) == (False, False, None)
    lines = shell.good("history").out.splitlines()
    assert len(lines) == 3
    assert second["sha256"][:12] in lines[2]


def test_history_without_imports_is_empty_and_creates_no_catalogue(shell: Shell) -> None:
    result = shell.good("history", "--json")
    assert (result.out, result.err) == ("", "The history is empty.\n")
    assert shell.catalogue() == {}


def test_undone_import_can_be_repeated(shell: Shell) -> None:
    shell.import_rows(rows(40))
    before = contents(shell.database)
    changed = [row(1, cost=9, name="Quick Brown Fox"), *rows(38, start=2), row(41)]
    shell.import_rows(changed)
    after = contents(shell.database)
    entry = shell.good("undo", "--yes", "--json").json
    assert (entry["added"], entry["changed"], entry["removed"]) == (1, 1, 1)
    assert entry.items() <= shell.good("history", "--json").json_lines[-1].items()
    assert entry["undone"]
    assert contents(shell.database) == before
    assert "Quick Brown Fox" not in shell("search", "quick brown fox").out
    shell.good("redo")
    assert contents(shell.database) == after
    shell.good("undo", "--yes")
    assert shell.import_rows(changed)["changed"] == 1
    assert list(map(without_import, contents(shell.database)[0])) == list(map(without_import, after[0]))
    assert "Quick Brown Fox" in shell("search", "quick brown fox").out


def test_previous_data_are_recognised_after_undo(shell: Shell) -> None:
    shell.import_rows(rows(40))
    shell.import_rows(rows(41))
    shell.good("undo", "--yes")
    assert shell.import_rows(rows(40))["unchanged"] == 40
    assert [one["undone"] for one in shell.good("history", "--json").json_lines] == [False, True]


def test_every_import_is_undone_and_redone(shell: Shell) -> None:
    shell("undo").fails("no catalogue")
    assert shell.catalogue() == {}
    shell.import_rows(rows(40))
    shell.import_rows(rows(41))
    assert "Removed 1 card that it had added; restored 0 that it changed or removed" in shell.good("undo", "--yes").out
    assert "Removed 40 cards that it had added" in shell.good("undo", "--yes").out
    before = shell.catalogue()
    shell("undo", "--yes").fails("nothing to undo")
    assert shell.catalogue() == before
    assert shell("undo", "now").status == 2
    for count in (40, 1):
        assert f"Added {count} card" in shell.good("redo").out
    assert len(contents(shell.database)[0]) == 41
    shell("redo").fails("nothing to redo")


def test_undoing_the_first_import_leaves_an_empty_catalogue(shell: Shell) -> None:
    shell.import_rows(rows(40))
    shell.good("undo", "--yes")
    assert contents(shell.database) == ([], [], [])
    row_of = next(line for line in shell.good("sources", "--json").json_lines if line["source"] == "mtg")
    assert (row_of["cards"], row_of["version"], row_of["imported"]) == (0, None, None)
    assert shell.import_rows(rows(40))["added"] == 40


def journal_size(database: Path) -> int:
    with Store(database) as store:
        return int(store.connection.execute("SELECT count(*) FROM journal").fetchone()[0])


def test_added_cards_are_not_in_the_journal(shell: Shell) -> None:
    shell.import_rows(rows(40))
    shell.import_rows(rows(41))
    assert journal_size(shell.database) == 0
    shell.good("undo", "--yes")
    assert journal_size(shell.database) > 0
    shell.good("redo")
    assert journal_size(shell.database) == 0


def test_unchanged_cards_are_not_in_the_journal(shell: Shell) -> None:
    shell.import_rows(rows(40))
    for number in (3, 4):
        shell.good("card", "edit", f"mtg:dsk/{number}", "--top-left", "5")
    before = journal_size(shell.database)
    shell.import_rows([*rows(38), row(39, cost=2), row(40)])
    assert journal_size(shell.database) == before + 1


def test_uncorrected_cards_have_the_columns_of_cards() -> None:
    with Store.in_memory() as store:
        columns = [
            [name for _, name, *_ in store.connection.execute(f"PRAGMA table_info({table})")]
            for table in ("cards", "uncorrected")
        ]
    assert columns[0] == columns[1]


def test_undoing_an_import_keeps_the_collection(shell: Shell) -> None:
    shell.import_rows(rows(3))
    shell.good("collection", "add", "mtg:dsk/3", "--copies", "2")
    shell.import_rows([row(1), row(2)], "--force")
    owned = shell.entries()
    assert shell("show", "mtg:dsk/3").status == 1
    shell.good("undo", "--yes")
    assert shell.entries() == owned != []
    assert shell.good("show", "mtg:dsk/3").out


def test_added_row_with_a_lower_number_than_a_removed_one_is_undone(shell: Shell) -> None:
    shell.import_rows(rows(5))
    for number in (1, 2, 3):
        shell.good("collection", "add", f"mtg:dsk/{number}")
    shell.good("collection", "remove", "mtg:dsk/2")
    with Store(shell.database) as store:
        collection = CollectionStore(store)
        before = list(collection.holdings())
        card = StoreLookup(store).card("mtg:dsk/4")
        assert card is not None
        with collection.change("remove the last entry, add another card"):
            collection.take(before[-1], 1)
            collection.add(card, 1, copy_key(language="en"))
        after = list(collection.holdings())
        assert [holding.id for holding in after] == [1, 2] != [holding.id for holding in before]
        for state in (before, after, before):
            (redo if state is after else undo)(store)
            assert list(collection.holdings()) == state


def test_oldest_changes_are_deleted_if_too_many_or_too_large(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(40))
    for cost in (7, 8, 9):
        shell.import_rows([row(number, cost=cost) for number in range(1, 41)])
    cards, descriptions = 36 + 40 + 40, 9 + 1 + 1  # Four cards cost 7 from the beginning.
    assert journal_size(shell.database) == cards + descriptions
    monkeypatch.setattr(recording, "MOST_TEXT", 100)
    shell.good("collection", "add", "mtg:dsk/1")
    assert [one["kind"] for one in shell.good("history", "--json").json_lines] == ["collection"]
    assert journal_size(shell.database) == 0
    monkeypatch.setattr(recording, "MOST_TEXT", 10_000)
    monkeypatch.setattr(recording, "MOST_CHANGES", 3)
    for _ in range(5):
        shell.good("collection", "add", "mtg:dsk/1")
    assert len(shell.good("history", "--json").json_lines) == 3
    for _ in range(3):
        shell.good("undo")
    shell("undo").fails("nothing to undo")
    assert sum(entry["copies"] for entry in shell.entries()) == 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("size", [None, 0, 500_000])
def test_killed_undo_is_complete_or_without_effect(shell: Shell, size: int | None) -> None:
    """Kill the command from outside, or as soon as its log has this number of bytes, of two million."""
    shell.import_rows(rows(3000))
    before = contents(shell.database)
    shell.import_rows([row(number, cost=9) for number in range(1, 3001)])
    after = contents(shell.database)
    process = shell.start("undo", "--yes", before=None if size is None else kill_after_bytes(size))
    if size is None:
        process.kill()
        wait_for_result(process)
    else:
        assert wait_for_result(process).status == -signal.SIGXFSZ
    undone = shell.good("history", "--json").json_lines[-1]["undone"]
    assert contents(shell.database) == (before if undone else after)
