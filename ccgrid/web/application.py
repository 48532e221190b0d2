"""The application of `ccgrid serve`: which page answers which address, and what holds for all of them."""

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
from ccgrid.engine.errors import EngineError, UnknownNameError
from ccgrid.web.app_state import AppState
from ccgrid.web.card_pages import BrowsePages, CardPages
from ccgrid.web.deck_pages import DeckPages
from ccgrid.web.play_pages import PlayPages, PuzzlePages, ReplayPages
from ccgrid.web.real_pages import RealPages
from ccgrid.web.scan_pages import ScanPages

_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
# Seconds that a browser keeps its cookies, and the styles and scripts.
_MONTH: Final = 30 * 24 * 3600
# Nothing from elsewhere, nothing that a page brings within, in no frame: a name of a card that got by the escaping
# could still run nothing.
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


def application(app: AppState) -> Application:
    """What answers a server: the pages of a app, for whoever has its token."""

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        text = app.assets.get(name)
        if text is None:
            return app.render_message(request, HTTPStatus.NOT_FOUND, "There is no such file.")
        # It may be kept for so long, as pages ask for it with a version that is another after every change.
        return Response(text, media_type=_TYPES[Path(name).suffix], headers={"cache-control": f"max-age={_MONTH}"})

    async def failed(request: Request, error: Exception) -> Response:
        is_missing = isinstance(error, UnknownNameError | NotFoundError)
        return app.render_message(request, HTTPStatus.NOT_FOUND if is_missing else HTTPStatus.CONFLICT, str(error))

    async def unrouted(request: Request, error: HTTPException) -> Response:
        """Answer a request whose address no route has, or whose method the route does not take."""
        is_missing = error.status_code == HTTPStatus.NOT_FOUND
        text = "There is no such page." if is_missing else "This page cannot be opened like that."
        return app.render_message(request, HTTPStatus(error.status_code), text)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        # Only now, in the server's loop: `watch` starts computer players, which need one.
        for table in app.tables:
            app.watch_table(table)
        app.watch_scans()
        yield
        app.close()
        browsing.close()

    browsing = BrowsePages(app)
    # The pages of games come last: whatever is sent to a table is theirs.
    pages = (
        browsing,
        CardPages(app),
        ScanPages(app),
        DeckPages(app),
        ReplayPages(app),
        PuzzlePages(app),
        RealPages(app),
        PlayPages(app),
    )
    # The first route that fits answers.
    routes = [Route("/static/{name}", static), *(route for one in pages for route in one.routes())]
    errors: dict[int | type[Exception], object] = {
        CatalogError: failed,
        EngineError: failed,
        404: unrouted,
        405: unrouted,
    }
    # The guard is outermost: who has no token gets no id of a guest either, and reaches no page.
    answers = _with_guest_cookie(Starlette(routes=routes, exception_handlers=errors, lifespan=lifespan))
    # No limit of time: a page that waits for news holds its answer open.
    return guard_pages(answers, app.token, "ccgrid serve", can_change=True, longest=None, lifetime=_MONTH)


def _with_guest_cookie(pages: Application) -> Application:
    """Gives every browser an id of its own, by which it keeps its seats, and every answer the usual headers."""

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await pages(scope, receive, send)
            return
        request = Request(scope)
        # With the port, as browsers give the cookies of one port to all ports of a machine.
        name = f"ccgrid-guest-{scope['server'][1]}"
        guest = request.cookies.get(name, "")
        # As `token_hex(16)` makes it: 32 letters and digits. Any other cookie is not ours and is replaced.
        is_new = not guest.isalnum() or len(guest) != 32
        scope["guest"] = secrets.token_hex(16) if is_new else guest

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {key.lower() for key, _ in message["headers"]}
                # A page may say more itself: Datasette's has a policy of its own, what never changes may be kept.
                added = [(key, value) for key, value in _HEADERS.items() if key.encode() not in names]
                if is_new:
                    cookie = f"{name}={scope['guest']}; Path=/; HttpOnly; SameSite=Strict; Max-Age={_MONTH}"
                    added.append(("set-cookie", cookie))
                headers = [*message["headers"], *((key.encode(), value.encode()) for key, value in added)]
                message = {**message, "headers": headers}
            await send(message)

        await pages(scope, receive, sending)

    return answer
