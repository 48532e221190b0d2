"""Pages of an application that runs in the user's browser: their data, and games that links bring."""

import os
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.collection.formats.apps import OWN_TABLE
from ccgrid.catalog.collection.imports import CollectionImport
from ccgrid.catalog.errors import CatalogError, MissingExtraError, NotFoundError
from ccgrid.catalog.files import new_file
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.imports.run import ImportRequest
from ccgrid.catalog.sources import all_sources, find_source
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.engine.records.files import read_games
from ccgrid.services import backups, collection, collection_imports, imports
from ccgrid.web.app_state import AppState
from ccgrid.web.deck_shelf import DeckShelf

_STARTER: Final = "starter"
_LIST: Final = "list"
_DECK: Final = "deck"
"""The kinds of files that are a list of owned cards, and a deck; any other kind is the name of a source."""
_LONGEST_CODE: Final = 20_000


class DataPages:
    """The pages of the user's data, and of games in links."""

    def __init__(self, app: AppState) -> None:
        self._app = app

    def routes(self) -> list[Route]:
        """Return the routes of these pages: none on a server, whose data are not those of its guests."""
        if not self._app.in_browser:
            return []
        return [
            Route("/data", self._page),
            Route("/data/ccgrid-backup.zip", self._backup),
            Route("/data/collection.csv", self._collection),
            self._app.form_route("/data/starter", self._import_starter, lambda *_: "/data"),
            Route("/data/{act}", self._read, methods=["POST"]),
            Route("/open", self._open),
        ]

    async def _page(self, request: Request) -> Response:
        sources = [one for one in all_sources() if one.name != _STARTER and one.address]
        return self._app.render(request, "data.html", sources=sources)

    async def _backup(self, request: Request) -> Response:
        with temporary_folder() as folder:
            path = folder / "backup.zip"
            await run_in_thread(backups.back_up, path, self._app.database)
            return self._app.send_file(path.read_bytes(), "ccgrid-backup.zip", "application/zip")

    async def _collection(self, request: Request) -> Response:
        path = self._app.database
        found, _ = await run_in_thread(
            collection.export_holdings, OWN_TABLE, "", (), path, lambda: None, is_named=False
        )
        return self._app.send_file("".join(found.lines()), "collection.csv", "text/csv")

    async def _open(self, request: Request) -> Response:
        """Open the game in a link at a new table, with the guest in the seat to move."""
        reading = next(iter(read_games(request.query_params.get("code", "")[:_LONGEST_CODE])))
        table = self._app.tables.open_record(reading.require())
        to_move = table.session.state.to_move
        if table.people:
            table.take_seat(request.scope["guest"], to_move if to_move in table.people else table.people[0])
        self._app.watch_table(table)
        return self._app.redirect(request, f"/table/{table.number}")

    async def _import_starter(self, request: Request, _: Mapping[str, str]) -> Response:
        await run_in_thread(self._import_cards, _STARTER, None)
        return self._app.redirect(request, "/cards")

    async def _read(self, request: Request) -> Response:
        """Import or restore the file that the script of the page sends as the body."""
        self._app.check_form_token(request, request.headers.get("x-form", ""))
        name = Path(request.query_params.get("name", "")).name[:200] or "file"
        with temporary_folder() as folder:
            path = folder / name
            with new_file(path) as file:
                async for piece in request.stream():
                    file.write(piece)
            try:
                match request.path_params["act"]:
                    case "import":
                        said = await run_in_thread(self._import, request.query_params.get("kind", ""), path)
                    case "restore":
                        restored = await run_in_thread(backups.restore, path, self._app.database)
                        # The tables in memory are those from before, so the script starts the application anew.
                        return JSONResponse({"said": f"Restored {counted(restored.files, 'file')}.", "restart": True})
                    case _:
                        raise NotFoundError("This cannot be done here.", kind="action")
            except CatalogError as error:
                # The user knows the file by its name alone.
                raise CatalogError(str(error).replace(f"{folder}{os.sep}", "")) from None
        return JSONResponse({"said": said}, HTTPStatus.OK)

    def _import(self, kind: str, path: Path) -> str:
        try:
            if kind == _LIST:
                return self._import_list(path)
            return self._import_deck(path) if kind == _DECK else self._import_cards(kind, path)
        except MissingExtraError:
            raise CatalogError(f"{path.name}: this format cannot be read in the browser.") from None

    def _import_deck(self, path: Path) -> str:
        found = DeckShelf(self._app.decks, self._app.database).add(path)
        return f"{found.deck.name} was added to your decks{', but is not legal' if found.problems else ''}."

    def _import_cards(self, source: str, path: Path | None) -> str:
        request = ImportRequest(find_source(source), path)
        done = imports.import_cards(request, self._app.database, progress=_no_progress, waiting=lambda: None)
        return f"{counted(done.summary.added, 'card')} added, {done.summary.legal:,} legal."

    def _import_list(self, path: Path) -> str:
        remarks: list[str] = []
        try:
            report = collection_imports.import_file(
                CollectionImport(path, path.name),
                self._app.database,
                corrections=None,
                remark=remarks.append,
                waiting=lambda: None,
                progress=_no_progress,
            )
        except CatalogError as error:
            # An option of the command cannot be typed here.
            raise CatalogError(str(error).partition("\n")[0]) from None
        doubts = f" {counted(report.open, 'uncertain row')}: see Boxes." if report.open else ""
        return " ".join([f"{counted(report.added, 'copy', 'copies')} added.{doubts}", *remarks])


def _no_progress(*_: object, **__: object) -> None:
    """Report nothing: the page shows that it waits."""
