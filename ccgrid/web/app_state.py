"""The application state of `ccgrid serve`: tables, pages that wait for news, templates, and forms."""

import asyncio
import hashlib
import hmac
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import parse_qsl, urlencode

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ccgrid.browsing import threads
from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import is_installed
from ccgrid.catalog.plugins import describe_error, find_culprit
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, UnknownNameError
from ccgrid.engine.game import State
from ccgrid.engine.players import ForfeitError, Player, choose_move
from ccgrid.pages.page import page_style
from ccgrid.services import card_pictures
from ccgrid.services.real_tables import RealTable
from ccgrid.services.scan_queue import ScanQueue
from ccgrid.services.shared_tables import SharedTable, SharedTables
from ccgrid.services.table_files import TableFile
from ccgrid.web.join_code import JoinCode

_ASSETS: Final = Path(__file__).parent / "assets"
_MOST_SENT: Final = 1 << 16
"""Maximum size of a form in bytes."""
_PULSE: Final = 1
"""Seconds between signs of life for a page that waits for news; `SILENCE` in web.js is longer."""
_LONGEST_GIVEN: Final = 1000
"""Maximum length of each value that a refused form keeps."""
_LONGEST_SAID: Final = 1000
"""Maximum length of the message that an address has for its page."""
_QUEUE: Final = 0
"""The key of the photographs, among the numbers of the tables."""
_TABLES: Final = -1
"""The key of all tables together."""
_MOST_WAITING: Final = 200
"""Maximum number of pages that wait for news at the same time."""
_ONLY_GUEST: Final = "0" * 32
"""The guest id of the only user of an application that runs in the browser."""


_Table = TypeVar("_Table", SharedTable, RealTable)


class AppState:
    """Application state shared by all requests.

    Attributes:
        tables: the tables.
        scans: the uploaded photographs.
        decks: the folder of the decks made on phones.
        token: the secret that lets a browser in.
        address: the address of this server for other machines, without a path.
        is_open: whether other machines can connect.
        in_browser: whether the application itself runs in the browser, for one user and without other programs.
        database: the catalogue, or None for the default one.
        seed: returns the seed of a new game.
        assets: styles and scripts by name.
        join_code: the code that lets other devices in.
        only_guest: the guest id of every request, or "" if each browser has its own.
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
        in_browser: bool = False,
        database: Path | None,
        seed: Callable[[], int],
    ) -> None:
        self.tables, self.scans, self.decks = tables, scans, decks
        self.token, self.address = token, address
        self.is_open, self.in_browser, self.database, self.seed = is_open, in_browser, database, seed
        self.join_code = JoinCode()
        self.only_guest = _ONLY_GUEST if in_browser else ""
        for table in tables if in_browser else ():
            if isinstance(table, SharedTable):  # saved by an earlier version, or restored from a server
                table.seats = dict.fromkeys(table.seats, _ONLY_GUEST)
        # by the number of the table, `_TABLES` or `_QUEUE`
        self._locks: dict[int, asyncio.Lock] = {}
        self._waiting: dict[int, set[asyncio.Event]] = {}
        self._thinking: set[asyncio.Task[None]] = set()  # asyncio keeps only weak references to tasks
        self._reading: asyncio.Task[None] | None = None
        self._is_closing = False
        self._can_browse = is_installed("browse")
        own = {path.name: path.read_text(encoding="utf-8") for path in sorted(_ASSETS.iterdir())}
        self.assets = {"page.css": page_style(), **own}
        # Part of the addresses of styles and scripts, so that browsers cache them until they change.
        self._version = hashlib.sha256("".join(self.assets.values()).encode()).hexdigest()[:12]
        self._pages = Environment(
            loader=PackageLoader("ccgrid.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            auto_reload=False,
        )
        self._pages.policies["json.dumps_function"] = lambda value, **_: msgspec.json.encode(value).decode()

    # Called before the server waits for open answers, and again at the end of the application.
    def close(self) -> None:
        """End the event streams of all pages, and cancel the moves of computer players."""
        self._is_closing = True
        self.scans.stop()
        for number in self._waiting:
            self._notify(number)
        for task in self._thinking:
            task.cancel()

    def check_running(self, *_: object) -> None:
        """Raise EngineError if the server is stopping; a progress callback of long work in other threads."""
        if self._is_closing:
            raise EngineError("The server is stopping.")

    # --- answers -----------------------------------------------------------------------------------------------

    def render(self, request: Request, template: str, code: int = 200, /, **values: object) -> HTMLResponse:
        """Render a template with values and return it with a status."""
        return HTMLResponse(self.render_text(request, template, self.form_token(request), **values), code)

    def render_text(self, request: Request, template: str, csrf: str, /, **values: object) -> str:
        """Render a template with values; its forms send `csrf`."""
        # A redirection has its message in the address.
        message = values.get("message") or request.query_params.get("said", "")[:_LONGEST_SAID]
        values = {**values, "message": without_commands(request, str(message))}
        text: str = self._pages.get_template(template).render(
            csrf=csrf,
            root=request.scope["root"],
            version=self._version,
            lan=self.is_open,
            in_browser=self.in_browser,
            can_browse=self._can_browse,
            **values,
        )
        return text

    def render_message(self, request: Request, status: HTTPStatus, message: str) -> Response:
        """Return a page with one sentence, or the sentence as JSON for the script of a page."""
        # The script of a page requests JSON; a form sent without the script requests HTML.
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse({"said": without_commands(request, message)}, status)
        return self.render(request, "message.html", status, message=message)

    def send_file(self, content: str | bytes, name: str, media_type: str) -> Response:
        """Return the answer that a browser saves as a file of this name."""
        return Response(
            content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'}
        )

    def redirect(self, request: Request, path: str) -> Response:
        """Return a redirection to a page, which the browser requests with GET."""
        return RedirectResponse(request.scope["root"] + path, HTTPStatus.SEE_OTHER)

    def redirect_back(
        self, request: Request, path: str, fields: Mapping[str, str | Sequence[str]], message: str
    ) -> Response:
        """Return a redirection to the page of a form, which shows a message and what was typed into the form."""
        # A page of its own, so that loading it again sends nothing.
        given = {
            name: values[:_LONGEST_GIVEN] if isinstance(values, str) else [value[:_LONGEST_GIVEN] for value in values]
            for name, values in fields.items()
            if name != "csrf"
        }
        query = urlencode({**given, "said": message}, doseq=True)
        return self.redirect(request, f"{path}{'&' if '?' in path else '?'}{query}")

    def find_any_table(self, request: Request) -> SharedTable | RealTable:
        """Return the table that a request names; raise UnknownNameError if there is none."""
        number = request.path_params["number"]
        table = self.tables.find(number)
        if table is None:
            raise UnknownNameError(f"There is no table {number}.")
        return table

    def find_table(self, request: Request, kind: type[_Table]) -> _Table:
        """Return the table of a kind that a request names; raise UnknownNameError if there is none."""
        table = self.find_any_table(request)
        if not isinstance(table, kind):
            raise UnknownNameError(f"Table {table.number} is at /{table.where}/{table.number}.")
        return table

    def pictures(self, request: Request) -> Mapping[str, str]:
        """Return the addresses of the user's own pictures of cards, by card name."""
        found = card_pictures.pictures_of(self.database)
        return {card: f"{request.scope['root']}/pictures/{name}" for card, name in found.items()}

    def qr(self, request: Request, path: str) -> Markup:
        """Return a QR code of a page's address with the token, as SVG."""
        return _qr_code(f"{self.address}{request.scope['root']}{path}?token={self.token}")

    # --- forms -------------------------------------------------------------------------------------------------

    def form_route(
        self,
        path: str,
        act: Callable[[Request, dict[str, str]], Awaitable[Response]],
        page: Callable[[Request, Mapping[str, str]], str],
    ) -> Route:
        """Return the route of a form.

        Args:
            path: The address to which the form is sent.
            act: Does what the fields say, and answers.
            page: Returns the address of the form's page, which explains why the fields are refused.
        """

        async def answer(request: Request) -> Response:
            fields = await self.read_form(request)
            try:
                return await act(request, fields)
            except (EngineError, CatalogError) as error:
                return self.redirect_back(request, page(request, fields), fields, str(error))

        return Route(path, answer, methods=["POST"])

    async def read_fields(self, request: Request) -> dict[str, list[str]]:
        """Return the fields of a form after checking its token."""
        body = await self.read_body(request, _MOST_SENT, "The form is too long.")
        fields: dict[str, list[str]] = {}
        # Keep blank fields: the position of a name in the list is its seat.
        for name, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=200):
            fields.setdefault(name, []).append(value)
        self.check_form_token(request, last(fields, "csrf"))
        return fields

    async def read_form(self, request: Request) -> dict[str, str]:
        """Return the fields of a form after checking its token; the last field of a name counts."""
        return {name: values[-1] for name, values in (await self.read_fields(request)).items()}

    async def read_body(self, request: Request, most: int, message: str) -> bytes:
        """Return the body of a request; raise EngineError with this message if it has more than `most` bytes."""
        body = bytearray()
        try:
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise EngineError(message)
        except ClientDisconnect:  # the page was left while it was sending
            raise EngineError("The connection was lost.") from None
        return bytes(body)

    def check_form_token(self, request: Request, token: str) -> None:
        """Raise EngineError if a form does not contain the guest's token, which pages of other sites cannot know."""
        # Comparison in constant time: the duration must not reveal a part of the token.
        if not hmac.compare_digest(token.encode(), self.form_token(request).encode()):
            raise EngineError("This page is out of date. Reload it.")

    def form_token(self, request: Request) -> str:
        """Return the token of the guest's forms."""
        # Derived from the two secrets, so that the server need not store the tokens of open forms.
        return hmac.new(self.token.encode(), request.scope["guest"].encode(), hashlib.sha256).hexdigest()

    # --- what waits --------------------------------------------------------------------------------------------

    def events(self, request: Request, news: AsyncIterator[str]) -> Response:
        """Return an event stream, or an error if too many pages wait for news."""
        if sum(map(len, self._waiting.values())) >= _MOST_WAITING:
            return self.render_message(request, HTTPStatus.SERVICE_UNAVAILABLE, "Too many pages are open.")
        return StreamingResponse(news, media_type="text/event-stream")

    async def news(
        self, about: TableFile | SharedTables | ScanQueue, draw: Callable[[], str] | None = None
    ) -> AsyncIterator[str]:
        """Yield the version of a table, of all tables or of the photographs as events, now and every second.

        After a change yield the JSON that `draw` returns instead, if it is given, so that pages need not request it.
        """
        event = asyncio.Event()
        waiting = self._waiting.setdefault(_waiting_key(about), set())
        waiting.add(event)
        shown = about.version, self.join_code.letters
        try:
            while not self._is_closing:
                event.clear()  # before reading the version, so that a later change wakes the page again
                now = about.version, self.join_code.letters  # boards show the code
                # A server-sent event ends with an empty line.
                if draw is not None and shown != now:
                    shown = now
                    yield f"event: part\ndata: {draw()}\n\n"
                else:
                    yield f"data: {about.version}\n\n"
                # Scripts see no comments in the stream, so a sign of life repeats the version.
                with suppress(TimeoutError):
                    async with asyncio.timeout(_PULSE):
                        await event.wait()
        finally:
            waiting.discard(event)

    def lock_for(self, table: TableFile) -> asyncio.Lock:
        """Return the lock that serialises changes to a table."""
        return self._locks.setdefault(table.number, asyncio.Lock())

    def watch_table(self, table: TableFile) -> None:
        """Notify waiting pages of every change to a table, and start its computer players."""
        loop = asyncio.get_running_loop()
        # Tables with real cards change in another thread, which must not touch the loop directly.
        table.on_change = lambda: loop.call_soon_threadsafe(self._notify, table.number)
        self._notify(table.number)
        self.start_computer_moves(table)

    def _notify(self, number: int) -> None:
        for event in (*self._waiting.get(number, ()), *self._waiting.get(_TABLES, ())):
            event.set()

    def watch_scans(self) -> None:
        """Notify waiting pages of every change to the photographs, and start reading pending ones."""
        loop = asyncio.get_running_loop()
        # Pictures are read in another thread, which must not touch the loop directly.
        self.scans.on_change = lambda: loop.call_soon_threadsafe(self._notify, _QUEUE)
        self.read_scans()

    def read_scans(self) -> None:
        """Start a task that reads the pending photographs, one at a time."""
        if self.scans.is_waiting and self._reading is None and is_installed("scan"):
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self.scans.is_waiting and not self._is_closing:
                await run_in_thread(self.scans.read_waiting)
        finally:
            self._reading = None

    def start_computer_moves(self, table: TableFile) -> None:
        """Start a task that plays the moves of computer players, if one is to move."""
        # A second task for the same turn waits for the lock, and then finds that no computer player is to move.
        if isinstance(table, SharedTable) and table.needs_computer:
            task = asyncio.create_task(self._play_computer_moves(table))
            self._thinking.add(task)
            task.add_done_callback(self._thinking.discard)

    async def _play_computer_moves(self, table: SharedTable) -> None:
        async with self.lock_for(table):  # so that no move is undone during the search
            # more than one move, if computer players have consecutive seats
            while table.needs_computer:
                chosen: str | ForfeitError
                session = table.session
                player = session.computers[session.state.to_move]
                try:
                    chosen, session.dice = await threads.run_briefly(_choose, player, session.state, session.dice)
                except ForfeitError as error:
                    chosen = error
                except Exception as error:
                    # The game of a plug-in may fail; its table must not wait for this move forever.
                    if (culprit := find_culprit(error)) is None:
                        raise
                    chosen = ForfeitError(f"Error in {culprit}: {describe_error(error)}")
                table.play_computer_move(chosen)


@lru_cache
def _qr_code(address: str) -> Markup:
    """Return a QR code as SVG; making one takes longer than a move."""
    code = segno.make(address, micro=False)
    drawn = code.svg_inline(scale=4, border=2, omitsize=True, svgclass=None, lineclass=None)
    return Markup(drawn)  # noqa: S704  made of modules alone


def _choose(player: Player, state: State, dice: Dice) -> tuple[str, Dice]:
    """Return the move of a computer player, and its dice afterwards: it may choose in another process."""
    return choose_move(player, state, dice), dice


def _waiting_key(about: TableFile | SharedTables | ScanQueue) -> int:
    if isinstance(about, TableFile):
        return about.number
    return _TABLES if isinstance(about, SharedTables) else _QUEUE


_NO_CARDS: Final = re.compile(r"(?:There is no catalogue at [^\n]* yet|The catalogue [^\n]* is empty)\.")
_COMMAND: Final = re.compile(r"[^.:!?\n]*: (?:ccgrid|pip) [^\n]*|[^.!?\n]*'ccgrid [^\n]*")
"""A sentence that ends with a command to run."""
_SHOWN: Final = re.compile(r"\s*To see")
"""The beginning of a sentence with a command for what pages show anyway."""
_ASK: Final = " Ask for help at the computer that runs ccgrid."
_USE_DATA: Final = " Use the bundled cards, or import card data: on the page Data."


def without_commands(request: Request, message: str) -> str:
    """Return a message for a page: only on the computer that runs the server can its user run commands."""
    is_alone = request.scope["guest"] == _ONLY_GUEST
    if is_host(request) and not is_alone:
        return message
    advice = _ASK if not is_alone else _USE_DATA if _NO_CARDS.search(message) else ""
    message = _NO_CARDS.sub("There are no cards yet.", message)
    return _COMMAND.sub(lambda found: "" if _SHOWN.match(found[0]) else advice, message).strip()


def is_host(request: Request) -> bool:
    """Return whether a request comes from the computer that runs the server."""
    # A connection within a computer has the same address at both ends.
    client, server = request.scope.get("client"), request.scope.get("server")
    return client is not None and server is not None and bool(client[0] == server[0])


def parse_number(text: str, digits: int = 6) -> int:
    """Parse a number of at most `digits` digits from a form or an address; return -1 if the text is not one."""
    # `isdecimal` alone also accepts the digits of other scripts.
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else -1


def last(fields: Mapping[str, list[str]], name: str) -> str:
    """Return the last value of a field of a form, or "" if the form lacks it."""
    return fields.get(name, [""])[-1]
