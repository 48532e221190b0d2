"""The pages of cards: search, details, copies, boxes and import doubts; and the tables of all cards."""

import asyncio
import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache, partial
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from ccgrid.browsing.guard import Application, Message, Receive, Send
from ccgrid.browsing.serve import DATABASE, check_browsing, pages_of
from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.edit import Edit
from ccgrid.catalog.copy_terms import FINISHES
from ccgrid.catalog.errors import CatalogError, MissingCatalogueError, NotFoundError
from ccgrid.catalog.store.browse_copy import write_copy
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.catalog.words import CONDITIONS
from ccgrid.engine.picture import Tile, Tiles
from ccgrid.services import card_pictures, catalogue, collection, collection_imports
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.collection_imports import OpenDoubt
from ccgrid.view.card import description_lines
from ccgrid.view.reasons import reason_text
from ccgrid.web.app_state import AppState, parse_number, without_commands
from ccgrid.web.pictures import Drawer
from ccgrid.web.scan_pages import GRID

_MOST_FOUND: Final = 40
_MOST_DOUBTS: Final = 30
_LONGEST_QUERY: Final = 400
_FILTERS: Final = (
    ("Owned", "is:owned"),
    ("Legal", "is:legal"),
    ("Not legal", "is:barred"),
    ("Rare", "r>=rare"),
    ("Highest score", "sort:-score"),
    ("Newest", "sort:-date"),
)
"""Filter buttons, and the text that each adds to the query."""


class CardPages:
    """The pages of cards."""

    def __init__(self, app: AppState) -> None:
        self._app = app

    def routes(self) -> list[Route]:
        """Return the routes of these pages."""
        return [
            Route("/cards", self._cards),
            Route("/card", self._card),
            Route("/boxes", self._boxes),
            Route("/doubts", self._doubts),
            self._app.form_route("/doubts/{doubt:int}", self._settle, lambda *_: "/doubts"),
            self._app.form_route("/copies/{act}", self._change, _page_of),
            self._app.form_route("/card/numbers", self._numbers, _page_of),
        ]

    async def _cards(self, request: Request) -> Response:
        query = request.query_params.get("q", "").strip()[:_LONGEST_QUERY]
        cards, total, message = list[Card](), 0, ""
        try:
            if query:
                answer = await run_in_thread(catalogue.find_cards, self._app.database, query, _MOST_FOUND)
                cards, total = answer.cards, answer.total
        except CatalogError as error:
            message = without_commands(request, str(error))
        # The script requests a `part` while the user types, and replaces the list; without it send the whole page.
        template = "found.html" if request.query_params.get("part") else "cards.html"
        own = await run_in_thread(self._app.pictures, request)
        found = [(card, f"/card?id={quote(card.id, safe='')}", card_picture(card, own)) for card in cards]
        return self._app.render(
            request, template, query=query, found=found, total=total, trouble=message, filters=_FILTERS
        )

    async def _card(self, request: Request) -> Response:
        given = request.query_params
        found = await run_in_thread(collection.owned_card, self._app.database, given.get("id", "")[:1000])
        card = found.explained.card
        ids = [one.id for one in found.printings]
        own = await run_in_thread(card_pictures.pictures_of, self._app.database, ids)
        names = {one.id: f"{one.set_name or one.set_code} {one.collector_number}".strip() for one in found.printings}
        return self._app.render(
            request,
            "card.html",
            given=given,
            card=card,
            picture=own.get(card.name, ""),
            drawn=card_picture(card, {}),
            said=list(description_lines(card, found.explained.said)),
            why="" if card.legal else reason_text(card.reason or "the reason is not recorded"),
            numbers=found.explained.numbers,
            printings=[(names[one.id], f"/card?id={quote(one.id, safe='')}") for one in found.printings],
            holdings=[(one, names.get(one.card_id, one.card_id)) for one in found.holdings],
            boxes=found.boxes,
            printed=[(zone, given.get(f"zone-{zone}", found.form.printed.get(zone, ""))) for zone in GRID],
            conditions=CONDITIONS,
            finishes=FINISHES,
            decks=found.decks,
        )

    async def _numbers(self, request: Request, fields: dict[str, str]) -> Response:
        # A zone missing from the form is kept; an empty one is cleared.
        printed = {zone: fields[f"zone-{zone}"].strip() for zone in GRID if f"zone-{zone}" in fields}
        remarks = await run_in_thread(collection.edit_numbers, self._app.database, fields.get("card", ""), printed)
        return self._app.redirect_back(request, _page_of(request, fields), {}, " ".join(remarks))

    async def _boxes(self, request: Request) -> Response:
        try:
            found = await run_in_thread(collection.boxes, self._app.database)
        except MissingCatalogueError:
            found = []
        listed = [(box, f"/cards?q={quote(_box_query(box.name))}" if box.name else "") for box in found]
        doubts = (await self._open_doubts())[1]
        return self._app.render(request, "boxes.html", boxes=listed, doubts=doubts)

    async def _open_doubts(self) -> tuple[list[OpenDoubt], int]:
        try:
            return await run_in_thread(collection_imports.open_doubts, self._app.database, _MOST_DOUBTS)
        except MissingCatalogueError:
            return [], 0

    async def _doubts(self, request: Request) -> Response:
        doubts, total = await self._open_doubts()
        listed = [
            (
                one,
                [
                    (card.id, f"{card.name}, {card.game} {card.set_code} {card.collector_number}")
                    for card in one.candidates
                ],
            )
            for one in doubts
        ]
        return self._app.render(request, "doubts.html", doubts=listed, total=total)

    async def _settle(self, request: Request, fields: dict[str, str]) -> Response:
        card_id = fields.get("card", "") if fields.get("act") == "take" else ""
        doubt, database = request.path_params["doubt"], self._app.database
        await run_in_thread(collection_imports.settle_doubt, database, doubt, card_id)
        return self._app.redirect(request, "/doubts")

    async def _change(self, request: Request, fields: dict[str, str]) -> Response:
        card_id, database, page = fields.get("card", ""), self._app.database, _page_of(request, fields)
        holding, message = parse_number(fields.get("holding", ""), 17), ""
        match request.path_params["act"]:
            case "add":
                count, where = parse_number(fields.get("copies", "1"), 7), fields.get("box", "").strip()
                if count < 0:
                    raise CatalogError("How many copies? Type a number.")
                name = await run_in_thread(collection.add_copies, database, card_id, count, where)
                message = f"Added {count} {name}{f' in {where}' if where else ''}."
            case "take":
                message = f"Removed 1 {await run_in_thread(collection.take_copy, database, card_id, holding)}."
            case "edit":
                finish, condition, language, note, box = (
                    fields.get(name) for name in ("finish", "condition", "language", "note", "box")
                )
                wanted = Edit(finish, condition, language, note, box)
                await run_in_thread(collection.edit_copies, database, card_id, holding, wanted)
            case "undo":
                message = f"Undone: {await run_in_thread(collection.undo_last, database)}."
            case _:
                raise NotFoundError("This cannot be done here.", kind="action")
        return self._app.redirect_back(request, page, {}, message)


def _page_of(_: Request, fields: Mapping[str, str]) -> str:
    """Return the address of the page of a form: its card, or else the uncertain rows."""
    card_id = fields.get("card", "")[:1000]
    return f"/card?id={quote(card_id, safe='')}" if card_id else "/doubts"


def _box_query(name: str) -> str:
    """Return the query for the cards in a box."""
    if '"' not in name:
        return f'box="{name}"'
    # Only a regular expression can contain any quotation mark.
    return f"box:/^{re.escape(name).replace('/', chr(92) + '/')}$/"


def card_picture(card: Card, pictures: Mapping[str, str]) -> Markup:
    """Draw a card upright, with its numbers in their zones, on the user's own picture if there is one."""
    captions = (f"{card.set_code} {card.collector_number}".strip(), f"score {card.score}")
    return Drawer(pictures=pictures).draw(
        Tiles((Tile(name=card.name, zones=card.zones, captions=captions, family=card.game),), 1)
    )


PATH: Final = "/browse"


class BrowsePages:
    """The tables of all cards: Datasette on a copy of the catalogue, which is renewed when its first page is opened."""

    def __init__(self, app: AppState) -> None:
        self._app = app
        # One copy at a time: a page and its styles are requested together, and wait for the same copy.
        self._copying = asyncio.Lock()
        self._copy = ExitStack()
        self._pages: Application | None = None
        self._copied: tuple[int, ...] = ()

    def routes(self) -> list[BaseRoute]:
        """Return the routes of these pages, and of the icon that browsers request by default."""
        return [Mount(PATH, app=self._answer), Route("/favicon.ico", _no_icon)]

    def close(self) -> None:
        """Delete the copy."""
        self._copy.close()

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        # Read-only: cards are changed on the other pages.
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)
        check_browsing()
        async with self._copying:
            # Renew the copy only at the first page, so that the other pages show one state of the catalogue.
            prefix = f"{scope['root']}{PATH}"
            if self._pages is None or (scope["path"] == f"{prefix}/" and self._copied != self._state()):
                self._pages = await run_in_thread(self._on_a_new_copy, f"{prefix}/")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Datasette's pages contain inline scripts, which the policy of the other pages forbids.
                policy = (b"content-security-policy", _policy().encode())
                message = {**message, "headers": [*message["headers"], policy]}
            await send(message)

        # Datasette adds the prefix to the address that it sees.
        path, raw_path = scope["path"].removeprefix(prefix), scope["raw_path"].removeprefix(prefix.encode())
        await self._pages({**scope, "path": path, "raw_path": raw_path}, receive, sending)

    def _on_a_new_copy(self, first: str) -> Application:
        """Copy the catalogue, and return the pages of the copy; `first` is the address of the first one."""
        # The state before copying: a change during it makes the copy outdated.
        self._copied, path = self._state(), catalogue_path(self._app.database)
        # Delete the old copy only after the new one is complete; on failure the stack deletes the new one.
        with ExitStack() as room:
            copy = room.enter_context(temporary_folder()) / f"{DATABASE}.db"
            write_copy(path, copy)
            find = partial(collection.ids_of, self._app.database)
            pages: Application = pages_of(copy, find, first).app()
            self._copy.close()
            self._copy = room.pop_all()
        return pages

    def _state(self) -> tuple[int, ...]:
        """Return a value that differs after every change of the catalogue."""
        path = catalogue_path(self._app.database)
        # SQLite writes to the `-wal` file first, so check both.
        found = [one.stat() for one in (path, Path(f"{path}-wal")) if one.exists()]
        return tuple(number for one in found for number in (one.st_mtime_ns, one.st_size))


async def _no_icon(_: Request) -> Response:
    """Return an empty response, so that browsers do not report a missing icon."""
    return Response(status_code=HTTPStatus.NO_CONTENT)


@cache
def _policy() -> str:
    """Return the content security policy of Datasette's pages: nothing from other sites, and its two inline scripts."""
    spec = find_spec("datasette")
    assert spec is not None  # noqa: S101  `check_browsing` was called
    assert spec.origin is not None  # noqa: S101
    menus = Path(spec.origin).with_name("templates") / "_close_open_menus.html"
    # A policy allows an inline script by its hash, so hash the text in Datasette's own template.
    closing = menus.read_text(encoding="utf-8").partition("<script>")[2].partition("</script>")[0]
    scripts = (closing, "DATASETTE_ALLOW_FACET = true;")
    allowed = " ".join(f"'sha256-{b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts)
    return (
        f"default-src 'none'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
        " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
