"""The server of `ccgrid serve` in a thread of the test, and guests without a browser."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
import requests

from ccgrid.browsing.guard import LOOPBACK, Application, Message, Receive, Send, port_taken
from ccgrid.services.scan_queue import ScanQueue
from ccgrid.services.shared_tables import SharedTables
from ccgrid.web.serve import make_server

SEED = 5


class RunningServer:
    """A running server: its address, token, tables and photographs."""

    def __init__(
        self, tables: SharedTables, scans: ScanQueue, address: str, token: str, stop: Callable[[], None]
    ) -> None:
        self.tables, self.scans = tables, scans
        self.address, self.token, self.stop = address, token, stop

    @property
    def invitation(self) -> str:
        return f"{self.address}/?token={self.token}"

    def guest(self) -> "Guest":
        return Guest(self)


class Guest:
    """A guest with separate cookies, who joined with the token; `read` collects all received text."""

    def __init__(self, served: RunningServer) -> None:
        self.served, self.session, self.read = served, requests.Session(), ""
        self.session.headers["Connection"] = "close"  # The server may close an idle one while a request is sent.
        self.session.headers["Origin"] = urljoin(served.address, "/").rstrip("/")
        self.get("/", token=served.token)

    def get(self, path: str, **query: str) -> requests.Response:
        answer = self.session.get(self.served.address + path, params=query, timeout=60)
        self.read += f"{answer.headers} {answer.text}"
        return answer

    def post(self, path: str, **fields: Any) -> requests.Response:
        page = self.get("/play/matrix").text
        token = re.search(r'name="csrf" value="(\w+)"', page)
        assert token is not None, page
        data = {"csrf": token[1], **fields}
        answer = self.session.post(self.served.address + path, data=data, timeout=60)
        self.read += f"{answer.headers} {answer.text}"
        return answer

    def final_page(self, answer: requests.Response) -> str:
        """Follow refreshes until the server has finished, and return the text of the final page."""
        for _ in range(600):
            if 'http-equiv="refresh"' not in answer.text:
                return answer.text
            answer = self.session.get(answer.url, timeout=60)
        raise AssertionError(answer.text)

    def act(self, number: int, what: str, **fields: Any) -> str:
        """Perform an action at a table, and return the server's message."""
        self.session.headers["Accept"] = "application/json"
        table = self.served.tables.find(number)
        try:
            message = self.post(f"/table/{number}/{what}", turn=table.turn, **fields).json()["said"]
        finally:
            self.session.headers["Accept"] = "*/*"
        return str(message)

    def shown(self, number: int) -> str:
        """Return the text of a table's page, without its tags."""
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.get(f"/table/{number}/part").text)).split())


@contextmanager
def server(
    folder: Path, port: int = 0, database: Path | None = None, root: str = "", *, in_browser: bool = False
) -> Iterator[RunningServer]:
    """Run the server with the tables of a folder during the block.

    Args:
        folder: The folder of the tables.
        port: The port, or 0 for any.
        database: The catalogue.
        root: The path at which the pages begin.
        in_browser: Whether the pages are those of an application that runs in the browser.
    """
    for module in ("starlette", "uvicorn", "jinja2", "segno"):
        pytest.importorskip(module, reason="the extra 'web' is not installed")
    from ccgrid.web.app_state import AppState

    complaints: list[str] = []
    tables, token = SharedTables(folder, lambda: SEED, complaints.append), "the-token-of-the-test"
    assert complaints == []
    with port_taken(LOOPBACK, port, "ccgrid serve") as listener, pytest.MonkeyPatch.context() as patch:
        patch.setenv("CCGRID_DB", str(database or folder / "none.db"))
        address = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        scans = ScanQueue(folder / "scans", None, complaints.append)
        assert complaints == []
        served = AppState(
            tables,
            scans,
            folder / "decks",
            token,
            address,
            is_open=not in_browser,
            in_browser=in_browser,
            database=None,
            seed=lambda: SEED,
        )
        listener.listen()
        running = make_server(served)
        running.config.app = _mounted(running.config.app, root)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()

        def stop() -> None:
            running.should_exit = True
            thread.join(30)
            assert not thread.is_alive()
            listener.close()

        try:
            yield RunningServer(tables, scans, address + root, token, stop)
        finally:
            stop()


def _mounted(pages: Application, root: str) -> Application:
    """Return an application whose only pages are those of another one, below `root`."""

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            assert scope["path"].startswith(f"{root}/"), f"{scope['path']} is not below {root}"
            scope = {**scope, "root_path": root}
        await pages(scope, receive, send)

    return answer


class _OtherAddressAdapter(requests.adapters.HTTPAdapter):
    """An adapter that connects from another address than the server's."""

    def init_poolmanager(self, *arguments: object, **named: object) -> None:
        super().init_poolmanager(*arguments, **named, source_address=("127.0.0.2", 0))


def alert_message(page: str) -> str:
    """Return the message above a page, or ""."""
    found = re.search(r'role="alert" class="answer">([^<]*)<', page)
    return unescape(found[1]) if found else ""


def connect_from_other_address(guest: Guest) -> None:
    guest.session.mount("http://", _OtherAddressAdapter())
