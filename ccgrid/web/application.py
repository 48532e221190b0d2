"""The web application of `ccgrid serve`: routes, error pages, security headers, and the cookies of guests."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ccgrid.browsing.guard import Application, Message, Receive, Send, guard_pages
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.plugins import describe_error, find_culprit
from ccgrid.engine.errors import EngineError, UnknownNameError
from ccgrid.web.app_state import AppState
from ccgrid.web.card_pages import BrowsePages, CardPages
from ccgrid.web.data_pages import DataPages
from ccgrid.web.deck_pages import DeckPages
from ccgrid.web.jobs import Jobs
from ccgrid.web.play_pages import PlayPages, PuzzlePages, ReplayPages
from ccgrid.web.real_pages import RealPages
from ccgrid.web.scan_pages import ScanPages

_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
# Lifetime of cookies, styles and scripts in a browser, in seconds.
_MONTH: Final = 30 * 24 * 3600
# No resources from other sites, no inline scripts, no frames: markup in a card name that was not
# escaped still could not run.
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


def application(app: AppState) -> Application:
    """Return the ASGI application: the pages, for browsers that have the token."""

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        text = app.assets.get(name)
        if text is None:
            return app.render_message(request, HTTPStatus.NOT_FOUND, "There is no such file.")
        # Cacheable, because pages request it with a version that changes with its content.
        return Response(text, media_type=_TYPES[Path(name).suffix], headers={"cache-control": f"max-age={_MONTH}"})

    async def failed(request: Request, error: Exception) -> Response:
        is_missing = isinstance(error, UnknownNameError | NotFoundError)
        return app.render_message(request, HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.CONFLICT, str(error))

    async def unrouted(request: Request, error: HTTPException) -> Response:
        """Answer a request whose address no route has, or whose method the route does not take."""
        is_missing = error.status_code == HTTPStatus.NOT_FOUND
        text = "There is no such page." if is_missing else "This page cannot be opened in this way."
        return app.render_message(request, HTTPStatus(error.status_code), text)

    async def broken(request: Request, error: Exception) -> Response:
        """Answer a request that fails unexpectedly; the server's log has the traceback."""
        text = f"This is a defect in ccgrid: {describe_error(error)}."
        if culprit := find_culprit(error):
            text = f"Error in {culprit}: {describe_error(error)}."
        return app.render_message(request, HTTPStatus.INTERNAL_SERVER_ERROR, text)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        # Not earlier: computer players are tasks of the server's event loop.
        for table in app.tables:
            app.watch_table(table)
        app.watch_scans()
        yield
        app.close()
        browsing.close()

    browsing, jobs = BrowsePages(app), Jobs(app)
    pages = (
        PlayPages(app),
        RealPages(app),
        browsing,
        jobs,
        CardPages(app),
        ScanPages(app),
        DataPages(app),
        DeckPages(app, jobs),
        ReplayPages(app, jobs),
        PuzzlePages(app, jobs),
    )
    # The first matching route answers: those of tables, which are requested most, are first.
    routes = [Route("/static/{name}", static), *(route for one in pages for route in one.routes())]
    errors = {
        CatalogError: failed,
        EngineError: failed,
        404: unrouted,
        405: unrouted,
        Exception: broken,
    }
    # The guard is the outermost middleware: a request without the token gets no guest cookie and no page.
    answers = _with_guest_cookie(Starlette(routes=routes, exception_handlers=errors, lifespan=lifespan), app.only_guest)
    # No time limit: the answer to a page that waits for news stays open.
    join = app.join_code.enter if app.is_open else None  # without `--lan`, no other device can connect
    return guard_pages(
        answers,
        app.token,
        "ccgrid serve",
        can_change=True,
        longest=None,
        lifetime=_MONTH,
        join=join,
        style=app.assets["page.css"],
    )


def _with_guest_cookie(pages: Application, only_guest: str) -> Application:
    """Return an application that gives each browser a guest id, which holds its seats, and sets security headers.

    If there is an `only_guest`, all requests have that id.
    """

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await pages(scope, receive, send)
            return
        request = Request(scope)
        # The name contains the port, because browsers send cookies to every port of a host.
        name = f"ccgrid-guest-{scope['server'][1]}"
        guest = only_guest or request.cookies.get(name, "")
        # `token_hex(16)` returns 32 letters and digits; replace any other cookie.
        is_new = not guest.isalnum() or len(guest) != 32
        scope["guest"] = secrets.token_hex(16) if is_new else guest
        # Before `Mount` changes `root_path`: where this application is, "" at the root of the server.
        scope["root"] = scope.get("root_path", "")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {key.lower() for key, _ in message["headers"]}
                # A response may set a header itself: Datasette's pages have their own policy, and assets are cacheable.
                added = [(key, value) for key, value in _HEADERS.items() if key.encode() not in names]
                if is_new:
                    place = f"Path={scope['root']}/; Max-Age={_MONTH}"
                    added.append(("set-cookie", f"{name}={scope['guest']}; {place}; HttpOnly; SameSite=Strict"))
                headers = [*message["headers"], *((key.encode(), value.encode()) for key, value in added)]
                message = {**message, "headers": headers}
            await send(message)

        await pages(scope, receive, sending)

    return answer
