"""Imports from the network, and failures, which change nothing."""

import gzip
import hashlib
import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from helpers.catalogues import Shell, json_lines, row, rows
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import Fault, cut, replaced, too_many, unavailable, web_page
from import_world import CARDS, assert_adds_up, costs

from ccgrid.catalog.download import Client
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.sources import all_sources, find_source
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.history import ImportChange, history

API = "/bulk-data"


@pytest.fixture
def server() -> Iterator[ScryfallServer]:
    with ScryfallServer(CARDS) as server:
        yield server


def from_network(shell: Shell, server: ScryfallServer, *options: str) -> Any:
    return shell("import", "mtg", "--url", server.url, "--json", *options)


def test_download_is_imported(shell: Shell, server: ScryfallServer) -> None:
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
def test_import_waits_for_a_temporary_failure(
    shell: Shell, server: ScryfallServer, waits: list[float], path: str, faults: tuple[str, tuple[Fault, ...]]
) -> None:
    server.fail(API if path == "api" else server.file_path(), *faults[1])
    result = from_network(shell, server)
    assert (result.status, result.err) == (0, "")
    assert len(costs(shell.database)) == 40
    assert waits
    if "429" in faults[0]:
        assert max(waits) >= 7


def test_interrupted_download_is_resumed(shell: Shell, server: ScryfallServer, waits: list[float]) -> None:
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
def test_failed_download_is_reported_and_changes_nothing(
    shell: Shell, server: ScryfallServer, waits: list[float], failure: str
) -> None:
    shell.import_rows(rows(10))
    before = shell.catalogue()
    server.publish(rows(30, start=5), "2026-11-21T09:00:00.000+00:00")
    NETWORK_FAILURES[failure](server)
    failed = from_network(shell, server, "--force").fails()
    assert ("Try again later" in failed.err) == ("ccgrid import starter" in failed.err)
    assert shell.catalogue() == before
    assert list(before) == [shell.database.name]


def test_failed_first_download_creates_no_catalogue(shell: Shell, server: ScryfallServer, waits: list[float]) -> None:
    NETWORK_FAILURES["whole, but no cards in it"](server)
    from_network(shell, server).fails("0 of 2 rows are cards")
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


def test_equal_bytes_with_a_new_date_change_nothing(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server)
    before = shell.catalogue()
    server.publish(CARDS, "2026-11-21T09:00:00.000+00:00")
    assert from_network(shell, server).json["unchanged"] == 40
    assert shell.catalogue() == before


def test_new_edition_replaces_the_old_one(shell: Shell, server: ScryfallServer) -> None:
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


def test_unknown_bulk_file_is_reported_with_the_offered_ones(shell: Shell, server: ScryfallServer) -> None:
    from_network(shell, server, "--bulk", "best_cards").fails("'best_cards'", "default_cards", "all_cards")


def test_url_of_a_data_file_is_imported(shell: Shell, server: ScryfallServer) -> None:
    address = server.put("/file/mine.jsonl.gz", server.file_body())
    assert shell.good("import", "mtg", "--url", address, "--json").json["added"] == 40


# --- the SHA-256 of a file, which is computed while its rows are read ---


@pytest.mark.parametrize("name", ["cards.jsonl", "cards.json", "cards.jsonl.gz"])
def test_first_import_recognises_its_file(shell: Shell, name: str) -> None:
    file = shell.folder / name
    # The reader of a list in one line stops at the end of the list, before the blank lines.
    body = json.dumps({"data": CARDS}).encode() + b"\n" * 1_000_000 if name == "cards.json" else json_lines(CARDS)
    file.write_bytes(gzip.compress(body) if name.endswith(".gz") else body)
    assert shell.good("import", "mtg", file, "--json").json["added"] == 40
    with Store(shell.database) as store:
        (entry,) = history(store)
    assert isinstance(entry, ImportChange)
    assert entry.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert entry.size == file.stat().st_size
    assert shell.good("import", "mtg", file, "--json").json["unchanged"] == 40
    with Store(shell.database) as store:
        assert len(history(store)) == 1


@pytest.mark.parametrize("source", [one.name for one in all_sources() if one.address])
def test_without_a_network_the_error_names_the_address_to_fetch_by_hand(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    def offline(*arguments: object, **named: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "nobody knows it")

    monkeypatch.setattr(socket, "getaddrinfo", offline)
    monkeypatch.setattr(importing, "Client", lambda by_hand: Client(by_hand, attempts=1))
    refused = shell("import", source)
    first, second = refused.err.splitlines()
    assert (refused.status, first.endswith("is this computer online?")) == (3, True)
    assert find_source(source).by_hand in second
    assert f"run: ccgrid import {source} FILE" in second
    assert second.endswith("ccgrid import starter")
