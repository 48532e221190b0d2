"""Public sources over the network: the requests to each, their order, and invalid answers."""

from collections.abc import Callable, Iterator

import pytest
from helpers.catalogues import Shell
from helpers.everyday import one_in
from helpers.server_faults import cut, replaced, too_many, unavailable, web_page
from helpers.small_sources import (
    NETRUNNER,
    ONE_PIECE,
    ONR,
    POKEMON_CARDS,
    POKEMON_SETS,
    SWCCG,
    SWCCG_SETS,
    TRANSFORMERS,
    TRIAD_EIGHT,
    TRIAD_FOURTEEN,
    YUGIOH,
    YUGIOH_VERSION,
    SourceServer,
    body,
    printing,
)

from ccgrid.catalog.download.client import INTERVALS
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store

pytestmark = pytest.mark.usefixtures("waits")

SWCCG_FILES = find_source("swccg").parts


def _pokemon(server: SourceServer) -> str:
    cards = {f"cards/en/{name}.json": rows for name, rows in POKEMON_CARDS.items()}
    return server.put_files("/data/", {"sets/en.json": POKEMON_SETS, **cards})


def _yugioh(server: SourceServer) -> str:
    folder = server.put_files("/api/v7/", {"checkDBVer.php": YUGIOH_VERSION, "cardinfo.php": YUGIOH})
    return f"{folder}cardinfo.php"


def _swccg(server: SourceServer) -> str:
    empty = {"cards": list[object]()}
    others = {name: empty for name in SWCCG_FILES if name not in ("sets.json", "Dark.json")}
    return server.put_files("/swccg/", {"sets.json": SWCCG_SETS, "Dark.json": SWCCG, **others})


def _file(name: str, value: object) -> Callable[[SourceServer], str]:
    return lambda server: server.put(f"/{name}", body(value))


SITES: dict[str, tuple[Callable[[SourceServer], str], str, int]] = {
    # The source, a function that adds its files and returns its address, the path of a file of cards, and their number.
    "pokemon": (_pokemon, "/data/cards/en/base1.json", 3),
    "yugioh": (_yugioh, "/api/v7/cardinfo.php", 4),
    "swccg": (_swccg, "/swccg/Dark.json", 3),
    "onr": (_file("cards.json", ONR), "/cards.json", 2),
    "netrunner": (
        lambda server: f"{server.url}/api/v3/public/printings",
        "/api/v3/public/printings?sort=id&page%5Bnumber%5D=2&page%5Bsize%5D=1000",
        4,
    ),
    "onepiece": (_file("cards.json", ONE_PIECE), "/cards.json", 2),
    "transformers": (
        lambda server: server.put_files("/json/", TRANSFORMERS),
        "/json/bot-cards.json",
        3,
    ),
    "tripletriad": (_file("cards.json", TRIAD_EIGHT), "/cards.json", 2),
    "tripletriad-xiv": (_file("cards.json", TRIAD_FOURTEEN), "/cards.json", 1),
}


@pytest.fixture
def server() -> Iterator[SourceServer]:
    with SourceServer() as server:
        yield server


def ids(shell: Shell) -> list[str]:
    with Store(shell.database) as store:
        return [card.id for card in store.all_cards()]


@pytest.mark.parametrize("source", SITES)
def test_source_is_imported_from_its_address(shell: Shell, server: SourceServer, source: str) -> None:
    add_files, path, count = SITES[source]
    summary = shell.good("import", source, "--url", add_files(server), "--json").json
    assert (summary["read"], summary["added"], summary["skipped"]) == (count, count, 0)
    assert len(ids(shell)) == count
    assert len(server.seen(path)) == 1
    assert all(request.headers["user-agent"].startswith("ccgrid/") for request in server.requests)


@pytest.mark.parametrize("source", SITES)
def test_repeated_import_changes_nothing(shell: Shell, server: SourceServer, source: str) -> None:
    add_files, _, count = SITES[source]
    address = add_files(server)
    shell.good("import", source, "--url", address)
    summary = shell.good("import", source, "--url", address, "--json").json
    assert (summary["read"], summary["added"], summary["changed"]) == (count, 0, 0)


@pytest.mark.parametrize("source", one_in(3, SITES))
def test_import_waits_for_a_rate_limit(shell: Shell, server: SourceServer, waits: list[float], source: str) -> None:
    add_files, path, count = SITES[source]
    address = add_files(server)
    server.fail(path, too_many("7"), unavailable())
    assert shell.good("import", source, "--url", address, "--json").json["read"] == count
    assert max(waits) >= 7


@pytest.mark.parametrize("source", one_in(3, SITES))
@pytest.mark.parametrize(
    "fault",
    {
        "a web page with status 200": web_page(),
        "a web page that claims to be JSON": replaced(b"<!DOCTYPE html><html></html>", ETag='"other"'),
        "a body cut short": cut(20, ignore_range=True),
        "JSON cut short": replaced(b'{"data": [{"name": "Ha', ETag='"other"'),
        "down for good": unavailable(),
    }.items(),
    ids=lambda fault: fault[0],
)
def test_invalid_answer_is_reported_and_changes_nothing(
    shell: Shell, server: SourceServer, source: str, fault: tuple[str, object]
) -> None:
    add_files, path, _ = SITES[source]
    address = add_files(server)
    server.fail_always(path, fault[1])  # type: ignore[arg-type]
    shell("import", source, "--url", address, "--json").fails()
    assert shell.catalogue() == {}
    server.heal()
    shell.good("import", source, "--url", address)


# --- versions, pages, and lists of files ------------------------------------------------------------------------


def test_yugioh_is_downloaded_only_when_the_database_has_a_new_version(shell: Shell, server: SourceServer) -> None:
    address = _yugioh(server)
    assert shell.good("import", "yugioh", "--url", address, "--json").json["version"] == "94.81 (2023-05-05 04:01:23)"
    shell.good("import", "yugioh", "--url", address)
    asked = [request.path for request in server.requests]
    assert asked == ["/api/v7/checkDBVer.php", "/api/v7/cardinfo.php", "/api/v7/checkDBVer.php"]
    server.put("/api/v7/checkDBVer.php", body([{"database_version": "94.82", "last_update": "2023-05-06 00:00:00"}]))
    server.put("/api/v7/cardinfo.php", body({"data": YUGIOH["data"][:2]}))
    assert shell.good("import", "yugioh", "--url", address, "--force", "--json").json["read"] == 3


@pytest.mark.parametrize("answer", [b'{"error": "gone"}', b"[]", b'[{"version": "1"}]', b"<html></html>"])
def test_yugioh_with_a_version_that_cannot_be_read_is_not_downloaded(
    shell: Shell, server: SourceServer, answer: bytes
) -> None:
    address = _yugioh(server)
    server.put("/api/v7/checkDBVer.php", answer)
    shell("import", "yugioh", "--url", address).fails()
    assert server.seen("/api/v7/cardinfo.php") == []


def test_yugioh_gets_less_than_twenty_requests_a_second() -> None:
    assert INTERVALS["db.ygoprodeck.com"] >= 1 / 20


def test_pokemon_requests_the_file_of_each_listed_set_once(shell: Shell, server: SourceServer) -> None:
    address = _pokemon(server)
    shell.good("import", "pokemon", "--url", address)
    shell.good("import", "pokemon", "--url", address)
    asked = [request.path for request in server.requests]
    assert asked[1:] == [
        "/data/sets/en.json",
        "/data/cards/en/base1.json",
        "/data/cards/en/sv1.json",
        "/data/sets/en.json",
    ]


@pytest.mark.parametrize(
    "sets", [[], {}, [{"name": "Base"}], [{"id": "../../secret"}], [{"id": "base1?x="}], [{"id": 1}]]
)
def test_pokemon_sets_in_unknown_format_are_an_error(shell: Shell, server: SourceServer, sets: object) -> None:
    address = _pokemon(server)
    server.put("/data/sets/en.json", body(sets))
    shell("import", "pokemon", "--url", address).fails("unexpected form")
    assert [request.path for request in server.requests] == ["/data/sets/en.json"]


def test_swccg_import_shows_request_of_its_maintainers(shell: Shell) -> None:
    output = {row["source"]: row["note"] for row in shell.good("sources", "--json").json_lines}
    assert "contact them" in output["swccg"]


@pytest.mark.parametrize(("links", "counts"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 1000])
def test_netrunner_requests_all_pages_sorted(
    shell: Shell, server: SourceServer, links: bool, counts: bool, size: int
) -> None:
    server.links, server.counts, server.largest_page = links, counts, size
    shell.good("import", "netrunner", "--url", f"{server.url}/api/v3/public/printings")
    assert sorted(ids(shell)) == [f"netrunner:{card['code']}" for card in NETRUNNER]
    assert all("sort=id" in request.path for request in server.requests)


def test_netrunner_reports_printings_that_pages_repeat(shell: Shell, server: SourceServer) -> None:
    server.printings = [printing(card) for card in [*NETRUNNER, NETRUNNER[1]]]
    result = shell.good("import", "netrunner", "--url", f"{server.url}/api/v3/public/printings", "--json")
    assert (result.json["read"], result.json["skipped"]) == (5, 1)


@pytest.mark.parametrize("answer", [b'{"errors": [{"status": "400"}]}', b"[]", b'{"data": {}}'])
def test_netrunner_pages_in_unknown_format_are_an_error(shell: Shell, server: SourceServer, answer: bytes) -> None:
    server.fail_always("/api/v3/public/printings?sort=id&page%5Bnumber%5D=1&page%5Bsize%5D=1000", replaced(answer))
    shell("import", "netrunner", "--url", f"{server.url}/api/v3/public/printings").fails("unexpected form")
