"""What all pages of `ccgrid serve` share: tables, who waits for news of them, templates, and forms that are ours."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator, Callable, Mapping
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from ccgrid.engine.errors import EngineError, UnknownNameError
from ccgrid.engine.players import ForfeitError
from ccgrid.pages.page import asset
from ccgrid.services import collection
from ccgrid.services.real_tables import RealTable
from ccgrid.services.saved_games import TableFile
from ccgrid.services.scan_queue import ScanQueue
from ccgrid.services.shared_tables import SharedTable, SharedTables

_ASSETS: Final = Path(__file__).parent / "assets"
_MOST_SENT: Final = 1 << 16
"""So many bytes a form may have."""
_PULSE: Final = 15
"""Seconds after which a page that waits for news hears that the server is there."""
_QUEUE: Final = 0
"""Stands for the photographs, where tables have their numbers."""
_MOST_WAITING: Final = 200
"""So many pages may wait for news at once."""


class AppState:
    """What all requests share: the tables, who waits for news of them, and the address at which they are served.

    Attributes:
        tables: the tables.
        scans: the photographs that were sent.
        decks: the folder of the decks that were made.
        token: what lets a browser in.
        address: where other machines find this one; nothing is behind it.
        is_open: whether other machines are answered.
        database: the catalogue, None for the usual place.
        seed: throws for each game.
        assets: styles and scripts by their names.
    """

    def __init__(
        self,
        tables: SharedTables,
        scans: ScanQueue,
        decks: Path,
        token: str,
        address: str,
        *,
        is_open: bool,
        database: Path | None,
        seed: Callable[[], int],
    ) -> None:
        self.tables, self.scans, self.decks = tables, scans, decks
        self.token, self.address = token, address
        self.is_open, self.database, self.seed = is_open, database, seed
        # By the numbers of the tables; `_QUEUE`, 0, is the number of none.
        self._locks: dict[int, asyncio.Lock] = {}
        self._waiting: dict[int, set[asyncio.Event]] = {}
        self._thinking: set[asyncio.Task[None]] = set()  # the loop itself keeps no task alive
        self._reading: asyncio.Task[None] | None = None
        self._is_closing = False
        own = {path.name: path.read_text(encoding="utf-8") for path in sorted(_ASSETS.iterdir())}
        self.assets = {"page.css": asset("page.css"), **own}
        # Pages name their styles and scripts with it, so that a browser keeps them until they change.
        self._version = hashlib.sha256("".join(self.assets.values()).encode()).hexdigest()[:12]
        self._pages = Environment(
            loader=PackageLoader("ccgrid.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )

    # May be called twice: before the server waits for open answers, and at the end of the application.
    def close(self) -> None:
        """Lets go of every page that waits for news, and of what is thought about."""
        self._is_closing = True
        self.scans.stop()
        for number in self._waiting:
            self._notify(number)
        for task in self._thinking:
            task.cancel()

    def check_running(self, *_: object) -> None:
        """Lets long work in another thread go on, which asks now and then; EngineError where the server ends."""
        if self._is_closing:
            raise EngineError("The server is stopping.")

    # --- answers -----------------------------------------------------------------------------------------------

    def render(self, request: Request, template: str, code: int = 200, /, **values: Any) -> HTMLResponse:
        """The page that a template makes of these values, with a status."""
        values = {"message": "", **values}
        text = self._pages.get_template(template).render(
            csrf=self._form_token(request.scope["guest"]),
            version=self._version,
            lan=self.is_open,
            can_browse=find_spec("datasette") is not None,
            **values,
        )
        return HTMLResponse(text, code)

    def render_message(self, request: Request, status: HTTPStatus, said: str) -> Response:
        """A page that says a sentence, or the sentence for the script of a page."""
        # The script of a page asks for JSON, a form that is sent without it for HTML.
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"said": said}, status)
        return self.render(request, "message.html", status, message=said, back="/")

    def find_table(self, request: Request) -> TableFile:
        """The table that a request names; UnknownNameError where there is none."""
        number = request.path_params["number"]
        table = self.tables.find(number)
        if table is None:
            raise UnknownNameError(f"There is no table {number}.")
        return table

    def find_shared_table(self, request: Request) -> SharedTable:
        """The table with seats that a request names; UnknownNameError where there is none."""
        table = self.find_table(request)
        if not isinstance(table, SharedTable):
            raise UnknownNameError(f"Table {table.number} has real cards.")
        return table

    def find_real_table(self, request: Request) -> RealTable:
        """The table with real cards that a request names; UnknownNameError where there is none."""
        table = self.find_table(request)
        if not isinstance(table, RealTable):
            raise UnknownNameError(f"Table {table.number} has no real cards.")
        return table

    def pictures(self) -> Mapping[str, str]:
        """People's own pictures of cards, by the names of the cards."""
        return collection.pictures_of(self.database)

    def qr(self, path: str) -> Markup:
        """A QR code of the way in to a page, as SVG."""
        code = segno.make(f"{self.address}{path}?token={self.token}", micro=False)
        drawn = code.svg_inline(scale=4, border=2, omitsize=True, svgclass=None, lineclass=None)
        return Markup(drawn)  # noqa: S704  made of modules alone

    # --- forms -------------------------------------------------------------------------------------------------

    async def read_fields(self, request: Request) -> dict[str, list[str]]:
        """The fields of a form; a page that is not ours cannot know the token that belongs in it."""
        body = await self.read_body(request, _MOST_SENT, "The form is too long.")
        fields: dict[str, list[str]] = {}
        # Blank fields are kept: a seat without a name has its place in the list.
        for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=200):
            fields.setdefault(name, []).append(value)
        self.check_form_token(request, last(fields, "csrf"))
        return fields

    async def read_form(self, request: Request) -> dict[str, str]:
        """The fields of a form as `read_fields` has them, of several of one name the last."""
        return {name: values[-1] for name, values in (await self.read_fields(request)).items()}

    async def read_body(self, request: Request, most: int, said: str) -> bytes:
        """What was sent; EngineError, with what is said then, where it has more bytes than that."""
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise EngineError(said)
        return bytes(body)

    def check_form_token(self, request: Request, token: str) -> None:
        """Raises EngineError where a page that is not ours sent this: it cannot know the token."""
        # It takes as long for every wrong token, so its time tells nothing of the right one.
        if not hmac.compare_digest(token.encode(), self._form_token(request.scope["guest"]).encode()):
            raise EngineError("This page is too old. Load it again.")

    def _form_token(self, guest: str) -> str:
        # It follows from the two secrets, so nothing has to be remembered of the forms that were sent out.
        return hmac.new(self.token.encode(), guest.encode(), hashlib.sha256).hexdigest()

    # --- what waits --------------------------------------------------------------------------------------------

    @property
    def is_crowded(self) -> bool:
        """Whether no more pages may wait for news."""
        return sum(map(len, self._waiting.values())) >= _MOST_WAITING

    async def news(self, about: TableFile | ScanQueue) -> AsyncIterator[str]:
        """The version of a table or of the queue, now and after every change, as server-sent events."""
        event = asyncio.Event()
        waiting = self._waiting.setdefault(_QUEUE if isinstance(about, ScanQueue) else about.number, set())
        waiting.add(event)
        try:
            while not self._is_closing:
                event.clear()  # before the version is read: a change after that wakes the page again
                # An event of the form that browsers' EventSource reads: after how many milliseconds it asks again when
                # the connection breaks, what there is to know, and an empty line as its end.
                yield f"retry: 1000\ndata: {about.version}\n\n"
                try:
                    await asyncio.wait_for(event.wait(), _PULSE)
                except TimeoutError:
                    # A comment, of which EventSource makes no event; only the connection is not idle.
                    yield ": here\n\n"
        finally:
            waiting.discard(event)

    def lock_for(self, table: TableFile) -> asyncio.Lock:
        """What holds whoever changes a table, so that one thing happens after the other."""
        return self._locks.setdefault(table.number, asyncio.Lock())

    def watch_table(self, table: TableFile) -> None:
        """From now on who looks at the table hears of every change, and computer players move."""
        table.on_change = lambda: self._notify(table.number)
        self.start_computer_moves(table)

    def _notify(self, number: int) -> None:
        for event in self._waiting.get(number, ()):
            event.set()

    def watch_scans(self) -> None:
        """From now on who looks at the photographs hears of every change, and those that wait are read."""
        loop = asyncio.get_running_loop()
        # Pictures are read in another thread, from which nothing of the loop may be touched.
        self.scans.on_change = lambda: loop.call_soon_threadsafe(self._notify, _QUEUE)
        self.read_scans()

    def read_scans(self) -> None:
        """Reads the photographs that wait, one set after the other."""
        if self.scans.is_waiting and self._reading is None and find_spec("rapidocr"):
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self.scans.is_waiting and not self._is_closing:
                await asyncio.to_thread(self.scans.read_waiting)
        finally:
            self._reading = None

    def start_computer_moves(self, table: TableFile) -> None:
        """Lets computer players move, if it is their turn."""
        # Two tasks for one turn do no harm: the second waits for the lock and finds that no computer is to move.
        if isinstance(table, SharedTable) and table.needs_computer:
            task = asyncio.create_task(self._play_computer_moves(table))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)

    async def _play_computer_moves(self, table: SharedTable) -> None:
        async with self.lock_for(table):  # nobody takes a move back while the next one is thought about
            # Several in a row, where computers have seats beside each other.
            while table.needs_computer:
                chosen: str | ForfeitError
                try:
                    chosen = await asyncio.to_thread(table.session.choose)
                except ForfeitError as error:
                    chosen = error
                table.play_computer_move(chosen)


def parse_number(text: str, digits: int = 6) -> int | None:
    """The number of at most so many digits that a form or an address says; None where it is none."""
    # `isdecimal` alone is true of digits of other scripts, too.
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def last(fields: Mapping[str, list[str]], name: str) -> str:
    """The last value of a field of a form; empty where it has none."""
    return fields.get(name, [""])[-1]
