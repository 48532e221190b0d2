"""Phones at the tables of `ccgrid serve`: a server in a process of its own, and clients that do what pages do."""

import asyncio
import json
import random
import re
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from processes import COMPILED, PYTHON


class Server(NamedTuple):
    """A running server: its port, the token, and its process."""

    port: int
    token: str
    process: int

    def seconds(self) -> float:
        """Return the processor time that the server has used, on Linux."""
        tasks = Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """Run `ccgrid serve` on a free port with the state in a folder."""
    environment = {**COMPILED, "CCGRID_STATE": str(folder), "CCGRID_DB": str(folder / "none.db")}
    command = [PYTHON, "-m", "ccgrid", "serve", "--port", "0", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    try:
        text = ""
        while "}" not in text and process.stdout is not None:
            text += process.stdout.readline()
        found = re.search(r":(\d+)/\?token=([\w-]+)", text)
        if found is None:
            raise SystemExit(f"The server did not start: {text}")
        yield Server(int(found[1]), found[2], process.pid)
    finally:
        process.terminate()
        process.wait(30)


class Phone:
    """A browser with a connection that is kept open, and cookies of its own."""

    def __init__(self, server: Server) -> None:
        self._server, self._cookies = server, dict[str, str]()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._lock = asyncio.Lock()
        self.shown, self.turn, self.moves = "", "", list[str]()
        self.form = ""

    async def join(self) -> None:
        """Open the address of the QR code."""
        await self.get(f"/?token={self._server.token}")
        self.form = _found(r'name="csrf" value="(\w+)"', await self.get("/play/grid"))

    async def get(self, path: str) -> str:
        """Return a page."""
        return await self._answer("GET", path, "")

    async def post(self, path: str, *fields: tuple[str, str]) -> str:
        """Send a form as the script of a page does."""
        return await self._answer("POST", path, urlencode([("csrf", self.form), *fields]))

    async def show(self, table: str) -> None:
        """Load the changing part of a table's page."""
        self._place(await self.get(f"{table}/part"))

    def _place(self, page: str) -> None:
        self.shown = _found(r'data-version="(\d+)"', page)
        self.moves = [move for move, _ in json.loads(_found(r"data-ways='([^']*)'", page) or "[]")]
        self.turn = _found(r'name="turn" value="([^"]*)"', page)

    async def move(self, table: str, choose: random.Random) -> None:
        """Make a random move, and show what comes of it."""
        answer = await self.post(f"{table}/move", ("turn", self.turn), ("move", choose.choice(self.moves)))
        self._place(json.loads(answer)["part"])

    async def follow(self, table: str) -> None:
        """Show every change of a table, until the stream ends."""
        async with self._connection() as (reader, writer):
            writer.write(self._head("GET", f"{table}/events", ""))
            while line := await reader.readline():
                data = line.decode().removeprefix("data: ").strip()
                if data.startswith('"'):
                    self._place(json.loads(data))
                elif line.startswith(b"data: ") and data != self.shown:
                    await self.show(table)

    def _head(self, method: str, path: str, body: str) -> bytes:
        host = f"127.0.0.1:{self._server.port}"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Accept: application/json"]
        lines += [f"Cookie: {'; '.join(f'{name}={value}' for name, value in self._cookies.items())}"]
        lines += [f"Content-Length: {len(body)}", "Content-Type: application/x-www-form-urlencoded"] if body else []
        return "\r\n".join([*lines, "", body]).encode()

    async def _answer(self, method: str, path: str, body: str) -> str:
        async with self._lock:
            if self._streams is None or self._streams[0].at_eof():
                self._streams = await asyncio.open_connection("127.0.0.1", self._server.port)
            reader, writer = self._streams
            writer.write(self._head(method, path, body))
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;]+)", head):
                self._cookies[name] = value
            if "transfer-encoding: chunked" in head.lower():
                text = ""
                while size := int(await reader.readline(), 16):
                    text += (await reader.readexactly(size + 2)).decode()[:-2]
                await reader.readline()
            else:
                length = int(_found(r"(?im)^content-length: (\d+)", head) or 0)
                text = (await reader.readexactly(length)).decode()
            if " 50" in head.partition("\r\n")[0]:
                raise SystemExit(f"The server failed: {head}")
        moved = _found(r"(?im)^location: (\S+)", head)
        return await self.get(moved) if moved else text

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.port, limit=1 << 20)
        try:
            yield reader, writer
        finally:
            writer.close()


async def open_table(game: str, players: list[Phone]) -> str:
    """Seat two phones at a new table; return the path of its page."""
    fields = [("game", game), ("name", "Ann"), ("name", "Bob"), ("computer", ""), ("computer", "")]
    page = await players[0].post("/tables", *fields)
    table = _found(r'data-source="(/table/\d+)/part', page)
    await players[1].post(f"{table}/seat", ("seat", "1"))
    return table


async def until(is_done: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            raise SystemExit("The server did not answer in time.")
        await asyncio.sleep(0.002)


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""
