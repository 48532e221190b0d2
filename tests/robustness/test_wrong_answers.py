"""Well-formed but wrong answers: they are rejected, and requested again under the same version."""

import sqlite3
from collections.abc import Iterator

import pytest
from helpers.catalogues import Shell
from helpers.small_sources import NETRUNNER, YUGIOH, YUGIOH_VERSION, SourceServer, body, printing

VERSION = {"checkDBVer.php": YUGIOH_VERSION}
MANY = {"data": [{**YUGIOH["data"][0], "id": number, "name": f"Card {number}"} for number in range(1, 101)]}


@pytest.fixture
def server() -> Iterator[SourceServer]:
    with SourceServer() as running:
        yield running


def offer(server: SourceServer, answer: object) -> str:
    return f"{server.put_files('/api/v7/', {**VERSION, 'cardinfo.php': answer})}cardinfo.php"


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        [],
        {"data": []},
        {"error": "No card matching your query was found in the database."},
        {"object": "error", "code": "not_found", "status": 404, "details": "Nothing is here."},
        None,
    ],
    ids=str,
)
def test_wrong_answer_is_requested_again_for_same_version(shell: Shell, server: SourceServer, wrong: object) -> None:
    shell("import", "yugioh", "--url", offer(server, wrong)).fails()
    assert not [path for path in shell.cache.rglob("cardinfo.json*") if path.suffix != ".lock"]
    assert shell.good("import", "yugioh", "--url", offer(server, YUGIOH), "--json").json["read"] > 0


def test_much_shorter_list_is_requested_again(shell: Shell, server: SourceServer) -> None:
    shell.good("import", "yugioh", "--url", offer(server, MANY))
    newer = [{"database_version": "95.00", "last_update": "2023-06-06 00:00:00"}]
    short = {"checkDBVer.php": newer, "cardinfo.php": {"data": MANY["data"][:10]}}
    address = f"{server.put_files('/api/v7/', short)}cardinfo.php"
    shell("import", "yugioh", "--url", address).fails("which the new data lack")
    server.put("/api/v7/cardinfo.php", body(MANY))
    summary = shell.good("import", "yugioh", "--url", address, "--json").json
    assert (summary["added"], summary["removed"]) == (0, 0)


def test_far_fewer_cards_than_announced_are_rejected(shell: Shell, server: SourceServer) -> None:
    server.printings = [printing({**NETRUNNER[0], "code": f"{number:05}"}) for number in range(40)]
    server.largest_page, server.links = 40, False
    address = f"{server.url}/api/v3/public/printings"
    whole, announced = server.printings, 40
    server.announced = 400
    shell("import", "netrunner", "--url", address).fails("cards came, but 400 were announced")
    assert shell.catalogue() == {}
    server.announced = announced
    assert shell.good("import", "netrunner", "--url", address, "--json").json["read"] == len(whole)


def test_useless_answer_is_not_cached(shell: Shell, server: SourceServer) -> None:
    address = server.put_files("/repos/cards/", {"tags?per_page=100": []}).rstrip("/")
    shell("import", "fab", "--url", address).fails("no version among its tags")
    server.put("/repos/cards/tags?per_page=100", body({"message": "rate limited"}))
    shell("import", "fab", "--url", address).fails("unexpected form")


def test_committed_import_is_not_reported_as_failed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("ccgrid.services.imports.open_collection", refuse)
    result = shell.good("import", "starter")
    assert "Could not check" in result.out + result.err
    assert shell.good("stats", "--json").json["cards"] > 100
