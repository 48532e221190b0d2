"""Sources over the network, with a local server that imitates each real one, also with wrong answers."""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.everyday import one_in
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import Fault, cut, redirect, replaced, unavailable, web_page
from test_flesh_and_blood import card as fab_card
from test_flesh_and_blood import printed
from test_hearthstone import WISP
from test_made_up_cards import GAMES
from test_mtgjson import face, set_document
from test_xml_elements import database

from ccgrid.catalog.store.catalogue import Store

pytestmark = pytest.mark.usefixtures("waits")


@dataclass(frozen=True)
class Site:
    """A source's server: the address to import, the file of the cards, their number, and the path of the version."""

    url: str
    file: str
    cards: int
    check: str = ""


def packed(name: str, text: str) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return body.getvalue()


def tarball(name: str, text: str) -> bytes:
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(text.encode())
        archive.addfile(member, io.BytesIO(text.encode()))
    return body.getvalue()


def put_json(server: ScryfallServer, path: str, output: Any) -> None:
    server.put(path, json.dumps(output).encode(), headers={"Content-Type": "application/json"})


def fab(server: ScryfallServer) -> Site:
    tags = [
        {"name": name, "tarball_url": f"{server.url}/tarball/{name}", "zipball_url": ""}
        for name in ("v9.0.0", "v10.1.0", "v10.0.2", "draft")
    ]
    put_json(server, "/repos/fab/tags?per_page=100", tags)
    cards = json.dumps([fab_card(printed("WTR101"), printed("WTR102"))])
    server.put("/tarball/v10.1.0", tarball("repository-abc/json/english/card.json", cards))
    return Site(f"{server.url}/repos/fab", "/tarball/v10.1.0", 2, "/repos/fab/tags?per_page=100")


def hearthstone(server: ScryfallServer) -> Site:
    latest = "/v1/latest/enUS/cards.collectible.json"
    server.fail_always(latest, redirect(f"{server.url}/v1/255790/enUS/cards.collectible.json"))
    put_json(server, "/v1/255790/enUS/cards.collectible.json", [WISP, {**WISP, "id": "CS2_232"}])
    return Site(f"{server.url}{latest}", "/v1/255790/enUS/cards.collectible.json", 2)


def mtgjson(server: ScryfallServer) -> Site:
    put_json(server, "/api/v5/Meta.json", {"meta": {}, "data": {"date": "2026-11-20", "version": "5.2.2+20261120"}})
    everything = {"meta": {}, "data": {"DSK": set_document(face("1"), face("2"), face("3"))}}
    server.put("/api/v5/AllPrintings.json.gz", gzip.compress(json.dumps(everything).encode()))
    return Site(f"{server.url}/api/v5", "/api/v5/AllPrintings.json.gz", 3, "/api/v5/Meta.json")


def cockatrice(server: ScryfallServer) -> Site:
    return Site(server.put("/files/spoiler.xml", database().encode()), "/files/spoiler.xml", 1)


def lorcana(server: ScryfallServer) -> Site:
    body = packed("allCards.json", GAMES["lorcana"]["text"])
    return Site(server.put("/files/current/en/allCards.json.zip", body), "/files/current/en/allCards.json.zip", 4)


def keyforge(server: ScryfallServer) -> Site:
    return Site(server.put("/master/cards.json", GAMES["keyforge"]["text"].encode()), "/master/cards.json", 3)


def conquest(server: ScryfallServer) -> Site:
    return Site(server.put("/pack/core.json", GAMES["conquest"]["text"].encode()), "/pack/core.json", 4)


SITES: dict[str, Callable[[ScryfallServer], Site]] = {
    site.__name__: site for site in (fab, hearthstone, mtgjson, cockatrice, lorcana, keyforge, conquest)
}


@pytest.fixture
def server() -> Iterator[ScryfallServer]:
    with ScryfallServer() as server:
        yield server


def count(shell: Shell) -> int:
    with Store(shell.database) as store:
        return sum(1 for _ in store.all_cards())


@pytest.mark.parametrize("name", SITES)
def test_source_is_imported_from_server_like_the_real_one(shell: Shell, server: ScryfallServer, name: str) -> None:
    site = SITES[name](server)
    summary = shell.good("import", name, "--url", site.url, "--json").json
    assert (summary["read"], summary["skipped"], count(shell)) == (site.cards, 0, site.cards)
    assert all("ccgrid" in request.headers["user-agent"] for request in server.requests)


@pytest.mark.parametrize("name", SITES)
def test_unchanged_data_are_not_sent_again(shell: Shell, server: ScryfallServer, name: str) -> None:
    site = SITES[name](server)
    shell.good("import", name, "--url", site.url)
    before = len(server.seen(site.file))
    again = shell.good("import", name, "--url", site.url, "--json").json
    assert again["unchanged"] == site.cards
    for request in server.seen(site.file)[before:]:
        # If the source has no version, the request asks whether the file has changed.
        assert "if-none-match" in request.headers or name == "hearthstone"


WRONG_ANSWERS: dict[str, Callable[[ScryfallServer, str], None]] = {
    "a web page with status 200": lambda server, path: server.fail_always(path, web_page()),
    "503 for good": lambda server, path: server.fail_always(path, unavailable()),
    "a body that ends early": lambda server, path: server.fail_always(path, cut(40, ignore_range=True)),
    "half a file under its own length": lambda server, path: server.fail_always(
        path, replaced(server._files[path].body[: len(server._files[path].body) // 2], ETag='"half"')
    ),
    "an empty file": lambda server, path: server.fail_always(path, replaced(b"")),
    "another document": lambda server, path: server.fail_always(path, replaced(b'{"object":"error"}', ETag='"x"')),
    "hung up": lambda server, path: server.fail_always(path, Fault(hang_up=True)),
}


@pytest.mark.parametrize("wrong_answer", WRONG_ANSWERS)
@pytest.mark.parametrize("name", one_in(3, [*SITES, "fab's version", "mtgjson's version"]))
def test_failed_download_is_reported_and_changes_nothing(
    shell: Shell, server: ScryfallServer, name: str, wrong_answer: str
) -> None:
    source, _, asked = name.partition("'s ")
    site = SITES[source](server)
    WRONG_ANSWERS[wrong_answer](server, site.check if asked else site.file)
    shell("import", source, "--url", site.url).fails()
    assert not shell.database.exists()


def test_newest_version_has_largest_number(shell: Shell, server: ScryfallServer) -> None:
    assert shell.good("import", "fab", "--url", fab(server).url, "--json").json["version"] == "v10.1.0"


def test_version_of_hearthstone_is_its_build(shell: Shell, server: ScryfallServer) -> None:
    summary = shell.good("import", "hearthstone", "--url", hearthstone(server).url, "--json").json
    assert summary["version"] == "255790"


def test_bulk_selects_one_set_of_mtgjson(shell: Shell, server: ScryfallServer) -> None:
    site = mtgjson(server)
    server.put("/api/v5/DSK.json.gz", gzip.compress(json.dumps({"data": set_document(face("1"))}).encode()))
    summary = shell.good("import", "mtgjson", "--url", site.url, "--bulk", "dsk", "--json").json
    assert (summary["version"], summary["read"]) == ("5.2.2+20261120", 1)
    assert not server.seen(site.file)


@pytest.mark.parametrize("bulk", ["../../secret", "A/B", ""])
def test_unknown_set_of_mtgjson_is_reported(shell: Shell, server: ScryfallServer, bulk: str) -> None:
    shell("import", "mtgjson", "--url", mtgjson(server).url, "--bulk", bulk).finds_none("MTGJSON has no set")


@pytest.mark.parametrize(("name", "path"), [("fab", "/repos/fab/tags?per_page=100"), ("mtgjson", "/api/v5/Meta.json")])
@pytest.mark.parametrize("output", [b"[]", b"{}", b'[{"name":"v1.0.0"}]', b'{"data":{"version":5}}', b"null", b"5"])
def test_malformed_version_is_reported(
    shell: Shell, server: ScryfallServer, name: str, path: str, output: bytes
) -> None:
    site = SITES[name](server)
    server.fail_always(path, replaced(output))
    shell("import", name, "--url", site.url).fails()
