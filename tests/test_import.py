"""Imports from end to end: what comes in, what a summary says, and that what fails leaves the catalogue as it was."""

import gzip
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from catalogues import Shell, ended, json_lines, row, rows, write_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from scryfall_server import Fault, ScryfallServer, cut, replaced, too_many, unavailable, web_page

from catalog.card import CatalogError
from catalog.download import Client
from catalog.imports import run as importing
from catalog.imports.run import ImportRequest
from catalog.layouts.shelf import find_layout
from catalog.printing import Printing, SourceRow
from catalog.sources import find_source
from catalog.store import transactions
from catalog.store.catalogue import Store
from catalog.store.file import discard_if_empty
from catalog.store.imports import import_rows
from catalog.store.summary import Provenance

CARDS = rows(40)
API = "/bulk-data"
MTG = find_source("mtg")


@pytest.fixture
def server() -> Iterator[ScryfallServer]:
    with ScryfallServer(CARDS) as server:
        yield server


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between tries, which take no time."""
    slept: list[float] = []
    monkeypatch.setattr(importing, "Client", lambda source: Client(source, sleep=slept.append))
    return slept


def from_network(shell: Shell, server: ScryfallServer, *options: str) -> Any:
    return shell("import", "mtg", "--url", server.url, "--json", *options)


def costs(database: Path) -> dict[str, int]:
    """What the catalogue holds: the number in the top right corner of each card."""
    with Store(database) as store:
        return {card.id: card.zones["top-right"] for card in store.all_cards()}


def assert_adds_up(summary: Mapping[str, Any]) -> None:
    assert summary["read"] == sum(summary[key] for key in ("added", "changed", "unchanged", "skipped"))
    assert summary["legal"] + sum(summary["barred"].values()) == summary["read"] - summary["skipped"]


# --- from the network -------------------------------------------------------------------------------------------


def test_a_good_download_is_imported(shell: Shell, server: ScryfallServer) -> None:
    result = from_network(shell, server)
    assert result.status == 0
    assert result.err == ""
    summary = result.json
    assert_adds_up(summary)
    assert (summary["source"], summary["version"]) == ("mtg", server.bulk_object()["updated_at"])
    assert (summary["read"], summary["added"]) == (40, 40)
    assert len(costs(shell.database)) == 40


@pytest.mark.parametrize("path", ["api", "file"])
@pytest.mark.parametrize(
    "faults",
    {
        "503 twice": (unavailable(), unavailable()),
        "429 with Retry-After": (too_many("7"),),
        "hung up": (Fault(hang_up=True),),
    }.items(),
    ids=lambda case: case[0],
)
def test_a_trouble_that_passes_is_waited_out(
    shell: Shell, server: ScryfallServer, slept: list[float], path: str, faults: tuple[str, tuple[Fault, ...]]
) -> None:
    server.fail(API if path == "api" else server.file_path(), *faults[1])
    result = from_network(shell, server)
    assert (result.status, result.err) == (0, "")
    assert len(costs(shell.database)) == 40
    assert slept
    if "429" in faults[0]:
        assert max(slept) >= 7


def test_a_download_that_breaks_off_is_resumed_where_it_broke(
    shell: Shell, server: ScryfallServer, slept: list[float]
) -> None:
    server.fail(server.file_path(), cut(300))
    assert from_network(shell, server).status == 0
    assert [request.headers.get("range") for request in server.seen(server.file_path())] == [None, "bytes=300-"]
    assert len(costs(shell.database)) == 40


NETWORK_FAILURES: dict[str, Callable[[ScryfallServer], None]] = {
    "503 for good": lambda server: server.fail_always(API, unavailable()),
    "the file is 503 for good": lambda server: server.fail_always(server.file_path(), unavailable()),
    "429 for hours": lambda server: server.fail_always(API, too_many("7200")),
    "cut off again and again": lambda server: server.fail_always(server.file_path(), cut(0)),
    "nobody listening": lambda server: server.stop(),
    "a web page for the API": lambda server: server.fail_always(API, web_page()),
    "a web page for the file": lambda server: server.fail_always(server.file_path(), web_page()),
    "garbled gzip": lambda server: server.fail_always(
        server.file_path(), replaced(server.file_body()[:200] + b"garbled" + server.file_body()[207:])
    ),
    "wrong length": lambda server: server.fail_always(
        server.file_path(),
        Fault(headers={"Content-Length": str(len(server.file_body()) + 5)}, cut_after=10**9, ignore_range=True),
    ),
    "a gzip that ends early": lambda server: server.fail_always(
        server.file_path(), replaced(server.file_body()[:-20], ETag='"other"')
    ),
    "whole, but no cards in it": lambda server: server.fail_always(
        server.file_path(), replaced(gzip.compress(b'{"object":"set"}\n{"object":"set"}\n'), ETag='"other"')
    ),
    "an API that says something else": lambda server: server.fail_always(
        API, replaced(b'{"object":"list","data":[{"kind":"default_cards"}]}')
    ),
}


@pytest.mark.parametrize("failure", NETWORK_FAILURES)
def test_a_download_that_fails_says_why_and_changes_nothing(
    shell: Shell, server: ScryfallServer, slept: list[float], failure: str
) -> None:
    shell.import_rows(rows(10))
    before = shell.catalogue()
    server.publish(rows(30, start=5), "2026-11-21T09:00:00.000+00:00")
    NETWORK_FAILURES[failure](server)
    from_network(shell, server, "--force").refused()
    assert shell.catalogue() == before
    assert list(before) == [shell.database.name]


def test_a_first_download_that_fails_leaves_no_catalogue_behind(
    shell: Shell, server: ScryfallServer, slept: list[float]
) -> None:
    NETWORK_FAILURES["whole, but no cards in it"](server)
    from_network(shell, server).refused("0 of 2 rows are cards")
    assert shell.catalogue() == {}


def test_unchanged_data_are_neither_downloaded_nor_read_again(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server)
    before = shell.catalogue()
    asked = len(server.seen(server.file_path()))
    result = from_network(shell, server)
    assert (result.json["read"], result.json["unchanged"]) == (40, 40)
    assert_adds_up(result.json)
    assert len(server.seen(server.file_path())) == asked == 1
    assert shell.catalogue() == before


def test_the_same_bytes_under_a_new_date_are_no_work(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server)
    before = shell.catalogue()
    server.publish(CARDS, "2026-11-21T09:00:00.000+00:00")
    assert from_network(shell, server).json["unchanged"] == 40
    assert shell.catalogue() == before


def test_a_new_edition_is_imported_over_the_old_one(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server)
    server.publish([*CARDS[:39], row(40, cost=1), row(41)], "2026-11-21T09:00:00.000+00:00")
    summary = from_network(shell, server).json
    assert [summary[key] for key in ("added", "changed", "unchanged", "removed")] == [1, 1, 39, 0]
    assert costs(shell.database)["mtg:dsk/40"] == 1


def test_another_bulk_file_of_the_same_date_is_other_data(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server)
    stamp = server.bulk_object()["updated_at"]
    server.publish([*CARDS, row(41)], stamp, kinds=["all_cards"])
    assert from_network(shell, server, "--bulk", "all_cards").json["added"] == 1


def test_a_bulk_file_that_is_not_offered_is_named_with_those_that_are(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server, "--bulk", "best_cards").refused("'best_cards'", "default_cards", "all_cards")


def test_a_url_may_name_a_data_file(shell: Shell, server: ScryfallServer) -> None:
    address = server.put("/file/mine.jsonl.gz", server.file_body())
    assert shell.good("import", "mtg", "--url", address, "--json").json["added"] == 40


# --- from a file ------------------------------------------------------------------------------------------------

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
def test_a_file_is_read_whatever_its_shape_and_name(shell: Shell, name: str) -> None:
    file = shell.folder / name
    file.write_bytes(SHAPES[name])
    summary = shell.good("import", "mtg", "--file", file, "--json").json
    assert (summary["read"], summary["added"]) == (40, 40)
    assert costs(shell.database) == {f"mtg:dsk/{number}": number % 10 for number in range(1, 41)}


def test_a_single_card_is_a_file_too(shell: Shell) -> None:
    (shell.folder / "card.json").write_text(json.dumps(row(7), indent=2))
    assert shell.good("import", "mtg", shell.folder / "card.json", "--json").json["added"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_a_pipe_is_read_once_from_end_to_end(shell: Shell) -> None:
    pipe = shell.folder / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(LINES))
    writer.start()
    assert shell.good("import", "mtg", pipe, "--json").json["added"] == 40
    writer.join()


def test_a_file_imported_twice_is_no_work_the_second_time(shell: Shell) -> None:
    shell.import_rows(CARDS)
    before = shell.catalogue()
    summary = shell.import_rows(CARDS)
    assert (summary["read"], summary["unchanged"]) == (40, 40)
    assert_adds_up(summary)
    assert shell.catalogue() == before


def test_what_is_named_twice_or_not_for_a_file_is_a_wrong_command_line(shell: Shell) -> None:
    assert shell("import", "mtg", "a.json", "--file", "b.json").status == 2
    assert shell("import", "mtg", "a.json", "--url", "https://example.org").status == 2
    assert shell("import").status == 2
    shell("import", "mgt", "a.json").refused("no source called 'mgt'", "mtg")
    shell("import", "starter", "--url", "http://127.0.0.1:9/").refused("--url")


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


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_is_no_card_data_says_so_and_changes_nothing(shell: Shell, name: str) -> None:
    shell.import_rows(rows(3))
    before = shell.catalogue()
    file = shell.folder / "hostile"
    file.write_bytes(HOSTILE[name])
    shell("import", "mtg", file, "--force").refused("hostile")
    assert shell.catalogue() == before


@pytest.mark.parametrize("name", ["empty", "binary", "a list of nothing", "wrong types", "cut in a line", "cut gzip"])
def test_a_file_that_is_no_card_data_leaves_no_catalogue_behind(shell: Shell, name: str) -> None:
    file = shell.folder / "hostile"
    file.write_bytes(HOSTILE[name])
    shell("import", "mtg", file).refused("hostile")
    assert shell.catalogue() == {}


def test_a_missing_file_and_a_folder_are_named(shell: Shell) -> None:
    shell("import", "mtg", shell.folder / "nothing.json").refused("nothing.json")
    shell("import", "mtg", shell.folder).refused("folder")
    shell("import", "mtg", "x" * 5000).refused()
    assert shell.catalogue() == {}


# --- what a summary says ----------------------------------------------------------------------------------------


def test_a_summary_for_people_shows_the_same_numbers(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", [*rows(40), {"no": "card"}, row(1)])
    result = shell.good("import", "mtg", file)
    shown = {line.split()[0]: line.split()[1] for line in result.out.splitlines() if len(line.split()) == 2}
    assert (shown["read"], shown["added"], shown["skipped"], shown["legal"]) == ("42", "40", "2", "40")
    assert "Skipped line 41: " in result.err
    assert "Skipped mtg:dsk/1: the same id a second time" in result.err


def test_a_duplicate_is_skipped_in_the_same_batch_and_in_a_later_one(shell: Shell) -> None:
    cards = [*rows(2), row(1, cost=5), *rows(1200, start=3), row(2, cost=5)]
    summary = shell.import_rows(cards)
    assert (summary["read"], summary["added"], summary["skipped"]) == (1204, 1202, 2)
    assert_adds_up(summary)
    assert (costs(shell.database)["mtg:dsk/1"], costs(shell.database)["mtg:dsk/2"]) == (1, 2)


def test_a_file_of_which_under_half_can_be_read_is_refused(shell: Shell) -> None:
    shell.import_rows([*rows(10), *[{"no": "card"}] * 10])
    before = shell.catalogue()
    file = write_rows(shell.folder / "cards.jsonl", [*rows(10), *[{"no": "card"}] * 11])
    shell("import", "mtg", file).refused("only 10 of 21 rows are cards", "Is it the right file?")
    assert shell.catalogue() == before


def test_cards_that_the_data_no_longer_have_are_removed(shell: Shell) -> None:
    shell.import_rows(rows(40))
    summary = shell.import_rows(rows(39))
    assert (summary["removed"], summary["unchanged"]) == (1, 39)
    assert_adds_up(summary)
    assert "mtg:dsk/40" not in costs(shell.database)
    assert shell("search", row(40)["name"], "--json").json_lines[0]["name"] != row(40)["name"]


def test_more_than_one_card_in_twenty_goes_only_by_force(shell: Shell) -> None:
    shell.import_rows(rows(40))
    before = shell.catalogue()
    file = write_rows(shell.folder / "fewer.jsonl", rows(37))
    shell("import", "mtg", file).refused("would remove 3 cards of mtg", "--add", "--force")
    assert shell.catalogue() == before
    assert shell.good("import", "mtg", file, "--force", "--json").json["removed"] == 3
    assert len(costs(shell.database)) == 37


def test_what_was_kept_by_add_goes_when_the_same_data_come_without(shell: Shell) -> None:
    shell.import_rows(rows(40))
    assert shell.import_rows(rows(20), "--add")["removed"] == 0
    assert shell.import_rows(rows(20), "--add")["unchanged"] == 40  # unchanged data, no work: what is held
    assert len(costs(shell.database)) == 40
    assert shell.import_rows(rows(20), "--force")["removed"] == 20


Card = tuple[int, int | None]
"""Its number, and its cost; None stands for a row that is no card."""

a_file = st.lists(
    st.tuples(st.integers(1, 30), st.one_of(st.integers(0, 2), st.integers(0, 2), st.none())), max_size=40
)
some_imports = st.lists(
    st.tuples(a_file, st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=6
)  # cards, whether to repeat the last file instead, --add, --force


@settings(deadline=None, max_examples=60)
@given(some_imports)
def test_any_sequence_of_imports_does_what_a_dict_would(imports: list[tuple[list[Card], bool, bool, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database, file = Path(folder) / "catalogue.db", Path(folder) / "cards.jsonl"
        held: dict[str, int] = {}
        cards: list[Card] = []
        for new, repeat, add, force in imports:
            cards = cards if repeat and cards else new
            write_rows(file, [row(n, cost=cost) if cost is not None else {"no": n} for n, cost in cards])
            came: dict[str, int] = {}
            for number, cost in cards:
                if cost is not None:
                    came.setdefault(f"mtg:dsk/{number}", cost)
            skipped = len(cards) - len(came)
            gone = held.keys() - came.keys()
            refused = not came or skipped > len(came)
            refused = refused or (not add and not force and len(gone) > 0.05 * len(held | came))
            order = ImportRequest(MTG, file, keep_missing=add, force=force)
            before = database.read_bytes() if database.exists() else None
            if refused:
                with pytest.raises(CatalogError):
                    importing.run(order, database)
                assert (database.read_bytes() if database.exists() else None) == before
                continue
            summary = importing.run(order, database).to_dict()
            assert_adds_up(summary)
            assert summary["removed"] == (0 if add else len(gone))
            if summary["skipped"] or summary["added"] or summary["changed"]:  # else the data may be known already
                same = sum(came[card] == held.get(card) for card in came)
                expected = (len(cards), len(came.keys() - held.keys()), same, skipped)
                assert tuple(summary[key] for key in ("read", "added", "unchanged", "skipped")) == expected
            held = {**held, **came} if add else came
            assert costs(database) == held


# --- what the data are read by ----------------------------------------------------------------------------------


def test_the_same_file_is_read_again_by_another_layout(shell: Shell) -> None:
    shell.import_rows(CARDS)
    shipped = (Path(importing.__file__).parents[2] / "data" / "layouts" / "mtg.toml").read_text()
    mine = shell.folder / "mine.toml"
    mine.write_text(shipped.replace('zone = "top-right"', 'zone = "left"'))
    assert shell.import_rows(CARDS, "--layout", str(mine))["changed"] == 40
    with Store(shell.database) as store:
        assert store.find("mtg:dsk/7").zones["left"] == 7
    assert shell.import_rows(CARDS, "--layout", str(mine))["unchanged"] == 40
    assert shell.import_rows(CARDS)["changed"] == 40


def test_the_same_file_is_read_again_when_the_house_rules_have_changed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.import_rows(CARDS)
    before = shell.catalogue()
    monkeypatch.setattr(importing, "RULES", importing.RULES + 1)
    assert shell.import_rows(CARDS)["unchanged"] == 40
    assert shell.catalogue() != before


def test_a_bad_layout_is_told_before_anything_is_done(shell: Shell) -> None:
    (shell.folder / "bad.toml").write_text("format = 1\n[[printed]]\nzone = 3\n")
    file = write_rows(shell.folder / "cards.jsonl", CARDS)
    shell("import", "mtg", file, "--layout", shell.folder / "bad.toml").refused("bad.toml")
    shell("import", "starter", "--layout", shell.folder / "bad.toml").refused("--layout")
    assert shell.catalogue() == {}


# --- several at once, and none to its end -----------------------------------------------------------------------


def printings(count: int, cost: int) -> Iterator[SourceRow]:
    for number in range(count):
        yield Printing(f"mtg:dsk/{number}", f"Card {number}", {"mana_cost": f"{{{cost}}}"}, "dsk", "Dusk", str(number))


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


def test_an_error_in_the_middle_rolls_everything_back(tmp_path: Path) -> None:
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
    """A file that takes about a second to import."""
    return write_rows(
        tmp_path_factory.mktemp("many") / "many.jsonl", [row(n, oracle_text="x" * 300) for n in range(20_000)]
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_killed_import_leaves_the_old_catalogue_whole(shell: Shell, many_cards: Path) -> None:
    shell.import_rows(rows(500))
    old, before = costs(shell.database), shell.database.read_bytes()
    log = Path(f"{shell.database}-wal")
    in_the_middle = 0
    for size in (1, 500_000, 2_000_000, 4_000_000):
        process = shell.start("import", "mtg", many_cards, "--force")
        while process.poll() is None and not (log.exists() and log.stat().st_size >= size):
            time.sleep(0.005)
        process.kill()
        ended(process)
        in_the_middle += log.exists()
        assert costs(shell.database) == old
        with sqlite3.connect(shell.database) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
        assert shell.catalogue() == {shell.database.name: before}
    assert in_the_middle >= 3
    assert ended(shell.start("import", "mtg", many_cards, "--force")).status == 0
    assert len(costs(shell.database)) == 20_000


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_interrupted_first_import_leaves_no_catalogue_behind(shell: Shell, many_cards: Path) -> None:
    import signal

    process = shell.start("import", "mtg", many_cards)
    while process.poll() is None and not shell.database.exists():
        time.sleep(0.005)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    result = ended(process)
    assert (result.status, result.err) == (130, "Interrupted.\n")
    assert shell.catalogue() == {}


def test_two_imports_at_once_both_succeed(shell: Shell, many_cards: Path) -> None:
    few = write_rows(shell.folder / "few.jsonl", rows(500))
    started = [shell.start("import", "mtg", file, "--add", "--json") for file in (many_cards, few, few)]
    results = [ended(process) for process in started]
    assert [(result.status, result.err) for result in results] == [(0, "")] * 3
    for result in results:
        assert_adds_up(result.json)
    assert costs(shell.database) == {f"mtg:dsk/{n}": n % 10 for n in range(20_000)}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_an_import_that_waits_for_another_says_so_at_a_terminal(shell: Shell) -> None:
    pexpect = pytest.importorskip("pexpect")
    shell.import_rows(rows(3))
    holder = sqlite3.connect(shell.database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    arguments = ["-m", "ccgrid", "import", "mtg", str(file)]
    child = pexpect.spawn(sys.executable, arguments, env=shell.environment(), timeout=20, dimensions=(24, 200))
    child.expect("Another command is writing to the catalogue; waiting for it to end.")
    assert child.isalive()
    holder.execute("COMMIT")
    holder.close()
    child.expect("Imported mtg")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_an_import_does_not_wait_for_ever(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.import_rows(rows(3))
    monkeypatch.setattr(transactions, "BUSY_SECONDS", 0.1)
    holder = sqlite3.connect(shell.database, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    shell("import", "mtg", file).refused("in use by another command")
    holder.close()
    assert len(costs(shell.database)) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("room", [0, 3000, 20_000, 300_000])
def test_a_full_disk_is_told_and_loses_nothing(shell: Shell, many_cards: Path, room: int) -> None:
    import resource

    shell.import_rows(rows(500))
    before = shell.catalogue()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    ended(shell.start("import", "mtg", many_cards, "--force", preexec_fn=limit)).refused("catalogue")
    assert costs(shell.database) == {f"mtg:dsk/{n}": n % 10 for n in range(1, 501)}
    assert shell.catalogue() == before


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_at_the_first_import_leaves_nothing_behind(shell: Shell) -> None:
    import resource

    file = write_rows(shell.folder / "cards.jsonl", rows(500))
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))  # noqa: E731
    ended(shell.start("import", "mtg", file, preexec_fn=limit)).refused()
    assert shell.catalogue() == {}


# --- what is given as a catalogue -------------------------------------------------------------------------------


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
        shell("import", "mtg", file, "--db", folder / "catalogue.db").refused("catalogue.db", "cannot be opened")
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    shutil.rmtree(folder)


def test_a_catalogue_below_a_file_is_told(shell: Shell) -> None:
    file = write_rows(shell.folder / "cards.jsonl", rows(4))
    shell("import", "mtg", file, "--db", file / "catalogue.db").refused("cards.jsonl")


def test_an_empty_file_may_become_a_catalogue(shell: Shell) -> None:
    shell.database.touch()
    assert shell.import_rows(rows(3))["added"] == 3


def test_a_catalogue_that_somebody_else_has_open_is_not_taken_away(shell: Shell) -> None:
    with Store(shell.database, create=True) as other:
        discard_if_empty(shell.database)
        assert shell.database.exists()
        assert other.is_empty()
    discard_if_empty(shell.database)
    assert shell.catalogue() == {}
    shell.import_rows(rows(3))
    discard_if_empty(shell.database)
    assert len(costs(shell.database)) == 3
