"""Tables of all cards and copies with filters and sums, as `ccgrid browse` shows them, among the pages of a house."""

import asyncio
import hashlib
from base64 import b64encode
from contextlib import ExitStack
from functools import cache, partial
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from ccgrid.browsing.guard import Application
from ccgrid.browsing.serve import DATABASE, check_browsing, pages_of
from ccgrid.catalog.files import temporary_folder
from ccgrid.catalog.store.catalogue import write_copy
from ccgrid.services import collection
from ccgrid.services.catalogue import catalogue_path
from ccgrid.web.house import House

PATH: Final = "/browse/"


class BrowsePages:
    """The tables of a house: Datasette on a copy of the catalogue, made anew when somebody opens the first page."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._copying = asyncio.Lock()
        self._copy = ExitStack()
        self._pages: Application | None = None
        self._copied: tuple[int, ...] = ()

    def routes(self) -> list[BaseRoute]:
        """What is asked by which address; Datasette's pages name no icon, so browsers ask for one."""
        return [Mount(PATH.rstrip("/"), app=self._answer), Route("/favicon.ico", _no_icon)]

    def close(self) -> None:
        """Removes the copy."""
        self._copy.close()

    async def _answer(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)
        check_browsing()
        async with self._copying:
            if self._pages is None or (scope["path"] == PATH and self._copied != self._state()):
                self._pages = await asyncio.to_thread(self._on_a_new_copy)

        async def sending(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                policy = (b"content-security-policy", _policy().encode())
                message = {**message, "headers": [*message["headers"], policy]}
            await send(message)

        await self._pages(scope, receive, sending)

    def _on_a_new_copy(self) -> Application:
        self._copied, path = self._state(), catalogue_path(self._house.database)
        with ExitStack() as room:
            copy = room.enter_context(temporary_folder()) / f"{DATABASE}.db"
            write_copy(path, copy)
            find = partial(collection.ids_of, self._house.database)
            pages: Application = pages_of(copy, find, PATH).app()
            self._copy.close()
            self._copy = room.pop_all()
        return pages

    def _state(self) -> tuple[int, ...]:
        """What is another after every change of the catalogue."""
        path = catalogue_path(self._house.database)
        found = [one.stat() for one in (path, Path(f"{path}-wal")) if one.exists()]
        return tuple(number for one in found for number in (one.st_mtime_ns, one.st_size))


async def _no_icon(_: Request) -> Response:
    """There is none, and no browser has to complain of it."""
    return Response(status_code=HTTPStatus.NO_CONTENT)


@cache
def _policy() -> str:
    """What these pages may load and run: nothing from elsewhere, and of scripts in a page the two of Datasette."""
    spec = find_spec("datasette")
    assert spec is not None  # noqa: S101  it is checked before
    assert spec.origin is not None  # noqa: S101
    menus = Path(spec.origin).with_name("templates") / "_close_open_menus.html"
    closing = menus.read_text(encoding="utf-8").partition("<script>")[2].partition("</script>")[0]
    scripts = (closing, "DATASETTE_ALLOW_FACET = true;")
    allowed = " ".join(f"'sha256-{b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts)
    return (
        f"default-src 'none'; script-src 'self' {allowed}; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
        " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
