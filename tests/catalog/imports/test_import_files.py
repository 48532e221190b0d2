"""Imports from files in every format, and from invalid files."""

import gzip
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.catalogues import Shell, json_lines, row, rows, write_rows
from helpers.everyday import one_in
from helpers.processes import start_writer
from hypothesis import given
from hypothesis import strategies as st
from import_world import CARDS, Card, assert_adds_up, costs, printings

from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.imports.run import ImportRequest
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.creation import work_on
from ccgrid.catalog.store.custom_cards import add_card
from ccgrid.catalog.store.imports import Provenance, import_rows

LINES = json_lines(CARDS)
ARRAY = b"[\n" + b",\n".join(LINES.splitlines()) + b"\n]\n"
SHAPES: dict[str, bytes] = {
    "lines.jsonl": LINES,
    "lines.jsonl.gz": gzip.compress(LINES),
    "packed in parts.gz": gzip.compress(LINES[:5000]) + gzip.compress(LINES[5000:]),
    "lines named as if they were packed.gz": LINES,
    "packed, but not named so.json": gzip.compress(LINES),
    "without an end of line.jsonl": LINES.rstrip(b"\n"),
    "of Windows.jsonl": LINES.replace(b"\n", b"\r\n"),
    "with a mark.jsonl": b"\xef\xbb\xbf" + LINES,
    "with blank lines.jsonl": b"\n \n" + LINES.replace(b"\n", b"\n\n"),
    "array.json": ARRAY,
    "array.json.gz": gzip.compress(ARRAY),
    "array in one line.json": json.dumps(CARDS).encode(),
    "pretty.json": json.dumps(CARDS, indent=2).encode(),
    "page of the API.json": json.dumps({"object": "list", "has_more": False, "data": CARDS}).encode(),
    "pretty page of the API.json": json.dumps({"object": "list", "data": CARDS}, indent=1).encode(),
    "no extension": LINES,
}


@pytest.mark.parametrize("name", SHAPES)
def test_file_is_read_in_any_format_and_with_any_name(shell: Shell, name: str) -> None:
    file = shell.folder / name
    file.write_bytes(SHAPES[name])
    summary = shell.good("import", "mtg", "--file", file, "--json").json
    assert (summary["read"], summary["added"]) == (40, 40)
    assert costs(shell.database) == {f"mtg:dsk/{number}": number % 10 for number in range(1, 41)}


def test_file_may_contain_a_single_card(shell: Shell) -> None:
    (shell.folder / "card.json").write_text(json.dumps(row(7), indent=2))
    assert shell.good("import", "mtg", shell.folder / "card.json", "--json").json["added"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_pipe_is_read_once(shell: Shell) -> None:
    pipe = shell.folder / "pipe"
    os.mkfifo(pipe)
    writer = start_writer(pipe, LINES)
    assert shell.good("import", "mtg", pipe, "--json").json["added"] == 40
    writer.join(120)


def test_reimporting_a_file_changes_nothing(shell: Shell) -> None:
    shell.import_rows(CARDS)
    before = shell.catalogue()
    summary = shell.import_rows(CARDS)
    assert (summary["read"], summary["unchanged"]) == (40, 40)
    assert_adds_up(summary)
    assert shell.catalogue() == before


def test_conflicting_arguments_are_a_wrong_command_line(shell: Shell) -> None:
    assert shell("import", "mtg", "a.json", "--file", "b.json").status == 2
    assert shell("import", "mtg", "a.json", "--url", "https://example.org").status == 2
    assert shell("import").status == 2
    shell("import", "mgt", "a.json").names_unknown("There is no source 'mgt'", "mtg")
    shell("import", "starter", "--url", "http://127.0.0.1:9/").misuses("--url")


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\n \n",
    "cut in a line": LINES[:-30],
    "cut array": ARRAY[:-40],
    "cut pretty array": json.dumps(CARDS, indent=2).encode()[:-40],
    "cut gzip": gzip.compress(LINES)[:-30],
    "gzip of nothing": gzip.compress(b""),
    "gzip with a wrong sum": gzip.compress(LINES)[:-8] + b"\0\0\0\0" + gzip.compress(LINES)[-4:],
    "binary": random.Random(1).randbytes(100_000),
    "NUL": b"\0" * 1000,
    "NUL lines": b"\0\n" * 1000,
    "a NUL in each line": LINES.replace(b'"Artifact"', b'"Art\0ifact"'),
    "nested brackets": b"[" * 100_000,
    "nested brackets, closed": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"name":' * 100_000,
    "nested in a row": b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "a string of 10 MB": b'"' + b"x" * 10_000_000 + b'"',
    "a name of 10 MB": json_lines([row(1, name="x" * 10_000_000)]),
    "Latin-1": json_lines([row(1, name="Lim-Dûl's Vault")]).decode().encode("latin-1") * 3,
    "UTF-16": LINES.decode().encode("utf-16"),
    "a list of nothing": b"[]",
    "an object of nothing": b"{}",
    "numbers": b"[1, 2, 3]",
    "strings": b'["Black Lotus", "Mox Pearl"]',
    "null": b"null",
    "wrong types": json_lines({**row(n), "name": n, "mana_cost": []} for n in range(10)),
    "rows of another kind": json_lines({"object": "set", "code": "dsk"} for _ in range(10)),
    "a web page": b"<!DOCTYPE html><html>Sign in</html>",
    "an error of the API": b'{"object":"error","code":"not_found","status":404,"details":"No"}',
    "CSV": b"Count,Name\n1,Black Lotus\n",
    "lone surrogates": b'{"name":"\\ud800","set":"dsk","collector_number":"1"}\n' * 3,
}


@pytest.mark.parametrize("name", one_in(3, HOSTILE))
def test_file_without_card_data_is_an_error_and_changes_nothing(shell: Shell, name: str) -> None:
    shell.import_rows(rows(3))
    before = shell.catalogue()
    file = shell.folder / "hostile"
    file.write_bytes(HOSTILE[name])
    shell("import", "mtg", file, "--force").fails("hostile")
    assert shell.catalogue() == before


@pytest.mark.parametrize("name", ["empty", "binary", "a list of nothing", "wrong types", "cut in a line", "cut gzip"])
def test_file_without_card_data_creates_no_catalogue(shell: Shell, name: str) -> None:
    file = shell.folder / "hostile"
    file.write_bytes(HOSTILE[name])
    shell("import", "mtg", file).fails("hostile")
    assert shell.catalogue() == {}


def test_missing_file_and_folder_are_reported(shell: Shell) -> None:
    shell("import", "mtg", shell.folder / "nothing.json").fails("nothing.json")
    shell("import", "mtg", shell.folder).fails("folder")
    shell("import", "mtg", "x" * 5000).fails()
    assert shell.catalogue() == {}


# --- files that are not catalogues --------------------------------------------------------------------------------


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


@pytest.mark.parametrize("use", one_in(3, USES))
@pytest.mark.parametrize("name", NO_CATALOGUES)
def test_file_that_is_not_a_catalogue_is_an_error_and_unchanged(shell: Shell, name: str, use: str) -> None:
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
def test_read_only_folder_is_reported(shell: Shell, made_before: bool) -> None:
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
        os.seteuid(user or 65534)  # Root may write anywhere.
        words = ("catalogue.db", "cannot be opened") if made_before else ("catalogue.db", "permission denied")
        shell("import", "mtg", file, "--db", folder / "catalogue.db").fails(*words)
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    shutil.rmtree(folder)


def test_catalogue_path_below_a_file_is_reported(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    shell("import", "mtg", file, "--db", file / "catalogue.db").fails("cards.jsonl")


GRIFFIN = CustomCard("arcadia", "Griffin", printed={"top": "4"})


def test_empty_file_can_become_a_catalogue(shell: Shell) -> None:
    shell.database.touch()
    assert shell.import_rows(rows(3))["added"] == 3


def test_incomplete_catalogue_is_never_visible(shell: Shell) -> None:
    def begin(store: Store) -> int:
        add_card(store, GRIFFIN)
        assert not shell.database.exists()
        return len(list(store.all_cards()))

    assert work_on(shell.database, begin) == 1
    assert list(shell.catalogue()) == [shell.database.name]


def test_failed_work_creates_no_catalogue(shell: Shell) -> None:
    def fail(store: Store) -> None:
        add_card(store, GRIFFIN)
        raise CatalogError("stopped")

    with pytest.raises(CatalogError, match="stopped"):
        work_on(shell.database, fail)
    assert list(shell.folder.iterdir()) == []


def test_concurrent_first_commands_use_one_catalogue(shell: Shell) -> None:
    met = []

    def begin(store: Store) -> int:
        met.append(len(list(store.all_cards())))
        if len(met) == 1:
            shell.import_rows(rows(3))
        add_card(store, GRIFFIN)
        return len(list(store.all_cards()))

    assert work_on(shell.database, begin) == 4
    assert met == [0, 3], "what was begun is done again on the catalogue that another command has made"


def test_catalogue_is_created_without_hard_links(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*names: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    assert shell.import_rows(rows(3))["added"] == 3
    assert list(shell.catalogue()) == [shell.database.name]


MTG = find_source("mtg")


# --- summaries, and removed cards -------------------------------------------------------------------------------


def test_text_summary_has_the_same_numbers_as_json(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", [*rows(40), {"no": "card"}, row(1)])
    result = shell.good("import", "mtg", file)
    shown = {line.split()[0]: line.split()[1] for line in result.out.splitlines() if len(line.split()) == 2}
    assert (shown["read"], shown["added"], shown["skipped"], shown["legal"]) == ("42", "40", "2", "40")
    assert "Skipped line 41: " in result.err
    assert "Skipped mtg:dsk/1: the same id again" in result.err


def test_rows_skipped_for_same_reason_share_one_line(shell: Shell) -> None:
    again = [row(number) for number in range(1, 31)]
    file = write_rows(shell.folder / "cards.jsonl", [*rows(80), *again, {"no": "card"}])
    output = [line for line in shell.good("import", "mtg", file).err.splitlines() if line.startswith("Skipped")]
    assert output == [
        "Skipped 30 rows, the first mtg:dsk/1: the same id again",
        "Skipped line 111: Object missing required field `name`",
    ]


@pytest.mark.parametrize("again", [[], [row(2, cost=5)]])
def test_summary_counts_the_reasons_in_the_catalogue(shell: Shell, again: list[dict[str, Any]]) -> None:
    odd = [
        {**row(2000), "layout": "split"},
        {**row(2001), "layout": "art_series"},
        {**row(2002), "games": ["mtgo"]},
        {**row(2003), "mana_cost": "{1}{2}"},
    ]
    cards = [*odd, *rows(600), *again]
    for _ in range(2):  # First the cards are new, then unchanged.
        summary = shell.import_rows(cards)
        with Store(shell.database) as store:
            holdings = store.connection.execute("SELECT reason, count(*) FROM cards GROUP BY reason").fetchall()
        assert {None: summary["legal"], **summary["barred"]} == dict(holdings)
        barred = summary["barred"]
        assert list(barred) == sorted(barred, key=lambda reason: (-barred[reason], reason))
        assert len(holdings) == 5
        cards = [*cards, {**row(2004), "layout": "split"}]


def test_duplicate_is_skipped_in_same_and_later_batch(shell: Shell) -> None:
    cards = [*rows(2), row(1, cost=5), *rows(1200, start=3), row(2, cost=5)]
    summary = shell.import_rows(cards)
    assert (summary["read"], summary["added"], summary["skipped"]) == (1204, 1202, 2)
    assert_adds_up(summary)
    assert (costs(shell.database)["mtg:dsk/1"], costs(shell.database)["mtg:dsk/2"]) == (1, 2)


def test_file_with_under_half_readable_rows_is_an_error(shell: Shell) -> None:
    shell.import_rows([*rows(10), *[{"no": "card"}] * 10])
    before = shell.catalogue()
    file = write_rows(shell.folder / "cards.jsonl", [*rows(10), *[{"no": "card"}] * 11])
    shell("import", "mtg", file).fails("only 10 of 21 rows are cards", "Is it the right file?")
    assert shell.catalogue() == before


def test_cards_missing_from_new_data_are_removed(shell: Shell) -> None:
    shell.import_rows(rows(40))
    summary = shell.import_rows(rows(39))
    assert (summary["removed"], summary["unchanged"]) == (1, 39)
    assert_adds_up(summary)
    assert "mtg:dsk/40" not in costs(shell.database)
    assert shell("search", row(40)["name"], "--json").json_lines[0]["name"] != row(40)["name"]


def test_removing_over_five_percent_of_cards_needs_force(shell: Shell) -> None:
    shell.import_rows(rows(40))
    before = shell.catalogue()
    file = write_rows(shell.folder / "fewer.jsonl", rows(37))
    shell("import", "mtg", file).fails("would remove 3 cards of mtg", "--add", "--force")
    assert shell.catalogue() == before
    assert shell.good("import", "mtg", file, "--force", "--json").json["removed"] == 3
    assert len(costs(shell.database)) == 37


def test_cards_kept_by_add_are_removed_by_the_same_import_without_it(shell: Shell) -> None:
    shell.import_rows(rows(40))
    assert shell.import_rows(rows(20), "--add")["removed"] == 0
    assert (
        shell.import_rows(rows(20), "--add")["unchanged"] == 40
    )  # Unchanged data are not read again; the count is that of the stored cards.
    assert len(costs(shell.database)) == 40
    assert shell.import_rows(rows(20), "--force")["removed"] == 20


a_file = st.lists(
    st.tuples(st.integers(1, 30), st.one_of(st.integers(0, 2), st.integers(0, 2), st.none())), max_size=40
)
some_imports = st.lists(
    st.tuples(a_file, st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=6
)  # cards, whether to repeat the last file instead, --add, --force


@given(some_imports)
def test_any_sequence_of_imports_behaves_like_a_dict(imports: list[tuple[list[Card], bool, bool, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database, file = Path(folder) / "catalogue.db", Path(folder) / "cards.jsonl"
        holdings: dict[str, int] = {}
        cards: list[Card] = []
        for new, repeat, add, force in imports:
            cards = cards if repeat and cards else new
            write_rows(file, [row(n, cost=cost) if cost is not None else {"no": n} for n, cost in cards])
            imported: dict[str, int] = {}
            for number, cost in cards:
                if cost is not None:
                    imported.setdefault(f"mtg:dsk/{number}", cost)
            skipped = len(cards) - len(imported)
            gone = holdings.keys() - imported.keys()
            refused = not imported or skipped > len(imported)
            refused = refused or (not add and not force and len(gone) > 0.05 * len(holdings | imported))
            order = ImportRequest(MTG, file, keep_missing=add, force=force)
            before = database.read_bytes() if database.exists() else None
            if refused:
                with pytest.raises(CatalogError):
                    importing.import_source(order, database)
                assert (database.read_bytes() if database.exists() else None) == before
                continue
            summary = msgspec.to_builtins(importing.import_source(order, database))
            assert_adds_up(summary)
            assert summary["removed"] == (0 if add else len(gone))
            if summary["skipped"] or summary["added"] or summary["changed"]:  # Otherwise the data may be known already.
                same = sum(imported[card] == holdings.get(card) for card in imported)
                expected = (len(cards), len(imported.keys() - holdings.keys()), same, skipped)
                assert tuple(summary[key] for key in ("read", "added", "unchanged", "skipped")) == expected
            holdings = {**holdings, **imported} if add else imported
            assert costs(database) == holdings


# --- layouts, and rules of numbers ------------------------------------------------------------------------------


def test_same_file_is_read_again_with_another_layout(shell: Shell) -> None:
    shell.import_rows(CARDS)
    shipped = (Path(importing.__file__).parents[2] / "data" / "layouts" / "mtg.toml").read_text()
    mine = shell.folder / "mine.toml"
    mine.write_text(shipped.replace('zone = "top-right"', 'zone = "left"'))
    assert shell.import_rows(CARDS, "--layout", str(mine))["changed"] == 40
    with Store(shell.database) as store:
        assert store.find("mtg:dsk/7").zones["left"] == 7
    assert shell.import_rows(CARDS, "--layout", str(mine))["unchanged"] == 40
    assert shell.import_rows(CARDS)["changed"] == 40


def test_same_file_is_read_again_after_change_of_number_rules(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(CARDS)
    before = shell.catalogue()
    monkeypatch.setattr(importing, "RULES", importing.RULES + 1)
    assert shell.import_rows(CARDS)["unchanged"] == 40
    assert shell.catalogue() != before


def test_invalid_layout_is_reported_before_any_change(shell: Shell) -> None:
    (shell.folder / "bad.toml").write_text("format = 1\n[[printed]]\nzone = 3\n")
    file = write_rows(shell.folder / "cards.jsonl", CARDS)
    shell("import", "mtg", file, "--layout", shell.folder / "bad.toml").fails("bad.toml")
    shell("import", "starter", "--layout", shell.folder / "bad.toml").misuses("--layout")
    assert shell.catalogue() == {}
