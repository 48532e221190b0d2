"""The pages of `ccgrid serve` in a web worker: requests become ASGI calls, and the browser keeps changed files."""

import asyncio
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from js import isIdle, saveFiles  # type: ignore[import-not-found]  # the worker defines them
from long_work import run_long
from pyodide.ffi import JsException, to_js  # type: ignore[import-not-found]

from ccgrid.browsing import threads
from ccgrid.catalog.temporary import HIDDEN
from ccgrid.services.scan_queue import ScanQueue
from ccgrid.services.shared_tables import SharedTables
from ccgrid.services.state_folder import state_folder
from ccgrid.web.app_state import AppState
from ccgrid.web.application import application

_HOST = "localhost"
_TOKEN = secrets.token_urlsafe(16)
_PASSED = ("accept", "content-type", "content-length")
_MOST_FAILURES = 5
"""Consecutive failures to save that vanished files can explain."""
_PIECE = 1 << 20
"""Bytes of a file that is sent to the pages at once."""


class Saver:
    """Saves the files after every change; a change during that is saved next.

    Attributes:
        changes: the number of changes until now.
    """

    def __init__(self) -> None:
        self.changes = self._saved = self._failures = 0
        self._saving: asyncio.Task[None] | None = None

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note a change; a hook of `sys.addaudithook`."""
        writes = event in ("os.rename", "os.remove", "os.rmdir", "sqlite3.connect")
        if event == "open" and isinstance(arguments[2], int):
            writes = bool(arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        self.changes += writes

    async def save(self) -> None:
        """Return when everything that was changed until now is saved."""
        wanted = self.changes
        while self._saved < wanted:
            if self._saving is None:
                self._saving = asyncio.create_task(self._save())
            await asyncio.shield(self._saving)

    async def _save(self) -> None:
        begun = self.changes
        try:
            await saveFiles()
            self._saved, self._failures = max(self._saved, begun), 0
        except JsException:
            # A file that was listed may be gone before it is read, such as a log of SQLite. Then it is listed again.
            self._failures += 1
            if self._failures > _MOST_FAILURES:
                raise
        finally:
            self._saving = None


class Bridge:
    """The application, for requests that a service worker passes on without cookies."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._left: dict[int, asyncio.Event] = {}
        self._saver = Saver()
        web = state_folder() / "web"
        seed = lambda: secrets.randbelow(1 << 31)  # noqa: E731
        self._state = AppState(
            SharedTables(web / "tables", seed, print),
            ScanQueue(web / "scans", None, print),
            web / "decks",
            _TOKEN,
            f"http://{_HOST}",
            is_open=False,
            in_browser=True,
            database=None,
            seed=seed,
        )
        self._pages = application(self._state)

    async def start(self) -> None:
        """Start what a server starts, and save changes that no request makes, such as a computer player's move."""
        begun, sent = asyncio.Event(), [{"type": "lifespan.startup"}]

        async def receive() -> dict[str, Any]:
            return sent.pop() if sent else await asyncio.Future()

        async def send(_: Any) -> None:
            begun.set()

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._running = asyncio.create_task(self._pages(scope, receive, send))
        await begun.wait()
        sys.addaudithook(self._saver.audit)
        self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            with suppress(JsException):  # the next request that changes something reports it
                await self._saver.save()
            await asyncio.sleep(0.1)

    async def run(self, call: Callable[..., Any], /, *arguments: Any, **named: Any) -> Any:
        """Make a call in the only thread."""
        await asyncio.sleep(0)  # what was answered before goes out first
        return call(*arguments, **named)

    async def run_long(self, call: Callable[..., Any], /, *arguments: Any, progress: Callable[..., object]) -> Any:
        """Make a call in the second worker, which reads saved files."""
        await self._saver.save()
        return await run_long(call, *arguments, progress=progress)

    async def run_briefly(self, call: Callable[..., Any], /, *arguments: Any) -> Any:
        """Make a call in the second worker if it is idle, or else here: moves do not wait for longer work."""
        return await (run_long if isIdle() else self.run)(call, *arguments)

    def leave(self, number: int) -> None:
        """Tell the application that a page no longer waits for an answer."""
        if number in self._left:
            self._left[number].set()

    async def answer(
        self, number: int, method: str, address: str, given: Sequence[Sequence[str]], body: Any, tell: Any
    ) -> None:
        """Answer a request; `tell` gets the status with the headers, then each piece, then the end."""
        path, _, query = address.partition("?")
        headers = [(k.lower(), v) for k, v in given if k.lower() in _PASSED or k.lower().startswith("x-")]
        headers += [("host", _HOST), ("cookie", f"ccgrid-80={_TOKEN}")]
        if method == "POST":
            headers.append(("origin", f"http://{_HOST}"))
        left = self._left[number] = asyncio.Event()
        pieces = _pieces(body)

        async def receive() -> dict[str, Any]:
            async for piece, is_last in pieces:
                return {"type": "http.request", "body": piece, "more_body": not is_last}
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if left.is_set():
                raise OSError
            if message["type"] == "http.response.start":
                sent = ([name.decode("latin-1"), value.decode("latin-1")] for name, value in message["headers"])
                tell("start", message["status"], to_js([one for one in sent if one[0] != "content-length"]))
            elif piece := message.get("body", b""):
                tell("piece", to_js(piece), None)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},  # the application ends if `send` raises OSError
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": self._root,
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
            "client": ("127.0.0.1", 1),
            "server": (_HOST, 80),
        }
        try:
            await self._pages(scope, receive, send)
        except Exception:
            if not left.is_set():
                raise
        finally:
            self._left.pop(number, None)
            if method == "POST":
                await self._saver.save()  # the page may be closed as soon as it has the answer
            tell("end", None, None)


async def _pieces(body: Any) -> AsyncIterator[tuple[bytes, bool]]:
    """Yield the pieces of a Blob, or of no body."""
    size = body.size if body else 0
    for start in range(0, max(size, 1), _PIECE):
        piece = (await body.slice(start, start + _PIECE).arrayBuffer()).to_bytes() if size else b""
        yield piece, start + _PIECE >= size


async def make(root: str) -> Bridge:
    """Return the bridge with its application started; `root` is the path below which its pages are."""
    for left in Path.home().rglob(f"{HIDDEN}*"):  # of a visit that ended in the middle of a change
        shutil.rmtree(left, ignore_errors=True)  # noqa: TID251  no other program runs here
    bridge = Bridge(root)
    threads.run, threads.run_long, threads.run_briefly = bridge.run, bridge.run_long, bridge.run_briefly
    await bridge.start()
    return bridge
