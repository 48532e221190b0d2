"""The server of `ccgrid browse`: Datasette, an optional extra, on a copy of the catalogue."""

import csv
import io
import secrets
import socket
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from time import strftime
from typing import Any, Final

import msgspec

from ccgrid.browsing.guard import Application, Message, Receive, Send, guard_pages
from ccgrid.browsing.threads import run_in_thread
from ccgrid.catalog.csv_lines import csv_line
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import check_installed
from ccgrid.catalog.store.browse_copy import CARDS, COLLECTION, limit_queries, overview, write_copy
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.catalog.zones import PLACE_NAMES, ZONES
from ccgrid.pages.card_looks import family_hue

LONGEST_QUESTION: Final = 5
"""Time limit of a query in seconds."""
DATABASE: Final = "catalogue"

_SHOWN: Final = "id, name, game, set_name, collector_number, zones, score, legal, boxes"


def pages_metadata() -> dict[str, object]:
    """Return Datasette's metadata: titles, descriptions, facets and canned queries."""
    return {
        "title": "ccgrid: the catalogue and the collection",
        "description": "Cards of games that nobody plays any more, their printed numbers, and where yours are. A "
        f"read-only copy, made at {strftime('%H:%M')}.",
        "databases": {
            DATABASE: {
                "title": "Catalogue",
                "tables": {
                    "cards": {
                        "title": "Cards",
                        "description": "Every printing in the catalogue. A zone is empty if no number is printed "
                        "there, or more than one.",
                        "label_column": "name",
                        "sort": "name",
                        "size": 50,
                        "facets": ["game", "set_code", "rarity", "legal", "reason", {"array": "zones"}],
                        "columns": {
                            "zones": "where a number is printed",
                            "score": "the sum of all numbers",
                            "reason": "why it may not be used in decks",
                            "boxes": "the boxes your copies are in",
                        },
                    },
                    "collection": {
                        "title": "Collection",
                        "description": "What you own, and in which box it is.",
                        "label_column": "name",
                        "sort": "name",
                        "facets": ["box", "game", "finish", "condition"],
                    },
                },
                "queries": _queries(),
            }
        },
    }


def _queries() -> dict[str, dict[str, object]]:
    queries: dict[str, dict[str, object]] = {
        f"ten_{zone.replace('-', '_')}": {
            "title": f"Cards with a 10 at the {PLACE_NAMES[zone]}",
            "sql": f'SELECT {_SHOWN} FROM cards WHERE "{zone.replace("-", "_")}" = 10 ORDER BY name',  # noqa: S608  our own names
        }
        for zone in ZONES
    }
    queries["in_box"] = {
        "title": "What is in a box",
        "description": "Leave the box empty to see all boxes.",
        "sql": 'SELECT box, name, sum(copies) AS copies, finish, "row", slot FROM collection'
        ' WHERE :box = \'\' OR box = :box GROUP BY box, name, finish, "row", slot ORDER BY box, "row", slot, name',
        "params": ["box"],
    }
    queries["boxes"] = {
        "title": "Boxes and their number of cards",
        "sql": "SELECT box, sum(copies) AS copies, count(DISTINCT card_id) AS cards FROM collection"
        " GROUP BY box ORDER BY box",
    }
    queries["most_zones"] = {
        "title": "Legal cards with the most numbers",
        "sql": f"SELECT {_SHOWN}, json_array_length(zones) AS numbers FROM cards WHERE legal = 'legal'"  # noqa: S608
        " ORDER BY numbers DESC, score DESC LIMIT 100",
    }
    queries["barred"] = {
        "title": "Why cards are not legal, by game",
        "sql": "SELECT game, reason, count(*) AS cards FROM cards WHERE legal = 'barred'"
        " GROUP BY game, reason ORDER BY cards DESC",
    }
    return queries


PORT: Final = 8001
_FOLDER: Final = Path(__file__).parent
_DESIGN: Final = _FOLDER.parent / "pages" / "assets"
_MOST_REQUESTS: Final = 50
"""Maximum number of concurrent requests; uvicorn answers further ones with status 503."""
_QUERY: Final = "_query"
"""The parameter of the query in an address; Datasette keeps parameters that start with an underscore."""
_REMEMBERED: Final = 16
"""Maximum number of cached results; a page requests the same one several times."""
Find = Callable[[str, str], frozenset[str | int]]
"""A function that returns the ids of the rows of a table (cards or collection) that match a query."""
_SETTINGS: Final = {
    "default_allow_sql": False,
    "sql_time_limit_ms": 1000 * LONGEST_QUESTION,
    "facet_time_limit_ms": 2000,
    "suggest_facets": False,
    "allow_download": False,
    "allow_csv_stream": False,
}


def check_browsing() -> None:
    """Raise CatalogError if the extra is not installed."""
    check_installed("browse", "Browsing")


def pages_of(copy: Path, find: Find, path: str = "/") -> Any:
    """Return a read-only Datasette on a copy of a catalogue, without free SQL, under `path`.

    Its hooks are global, so a program can have one at a time.
    """
    import rich
    from datasette import hookimpl
    from datasette.app import Datasette
    from datasette.filters import FilterArguments
    from datasette.plugins import pm
    from datasette.utils import tilde_encode
    from datasette.utils.asgi import BadRequest

    shown = overview(copy)._asdict()
    shown["first"] = [{**row, "path": tilde_encode(row["id"])} for row in shown["first"]]
    found = lru_cache(_REMEMBERED)(find)

    def bound_connection(conn: Any) -> None:
        limit_queries(conn)
        conn.create_function("ccgrid_answers", 3, lambda table, query, row: row in found(table, query))

    def add_condition(request: Any, table: str) -> Any:
        query = (request.args.get(_QUERY) or "").strip()

        async def condition() -> Any:
            try:
                await run_in_thread(found, table, query)
            except CatalogError as error:
                raise BadRequest(str(error)) from None
            where, said = "ccgrid_answers(:in_table, :in_query, id)", [f"it matches {query}"]
            return FilterArguments([where], {"in_table": table, "in_query": query}, said, {"asked": query})

        return condition if query and table in (CARDS, COLLECTION) else None

    def values_of(view_name: str) -> dict[str, object]:
        return {"zones": ZONES, "hue": family_hue, **(shown if view_name == "index" else {})}

    def escape_tables(datasette: object) -> Callable[[Application], Application]:
        return _escaping_formulas

    class Hooks:
        prepare_connection = staticmethod(hookimpl(bound_connection))
        filters_from_request = staticmethod(hookimpl(add_condition))
        extra_template_vars = staticmethod(hookimpl(values_of))
        asgi_wrapper = staticmethod(hookimpl(escape_tables))

    # Datasette prints a traceback for every bad request on Rich's global console, which nothing else here uses.
    rich.reconfigure(quiet=True)
    pm.unregister(name=__name__)  # the hooks of the previous copy
    pm.register(Hooks, __name__)
    return Datasette(
        immutables=[str(copy)],
        metadata=pages_metadata(),
        template_dir=str(_FOLDER / "templates"),
        static_mounts=[("design", str(_DESIGN)), ("style", str(_FOLDER / "assets"))],
        settings={**_SETTINGS, "base_url": path},
    )


def _escaping_formulas(pages: Application) -> Application:
    """Return an application that escapes what a spreadsheet would run in the CSV tables of another."""

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        table = bytearray()

        async def escape(message: Message) -> None:
            if message["type"] == "http.response.body":
                table.extend(message.get("body", b""))
                if message.get("more_body"):
                    return
                rows = csv.reader(io.StringIO(table.decode("utf-8", "replace"), newline=""))
                message = {"type": "http.response.body", "body": "".join(map(csv_line, rows)).encode()}
            await send(message)

        is_table = scope["type"] == "http" and scope["path"].endswith(".csv")
        await pages(scope, receive, escape if is_table else send)

    return answer


class ServedCatalogue(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the catalogue's pages, with the token that lets a browser in."""

    address: str


def browse(catalogue: Path, listener: socket.socket, announce: Callable[[ServedCatalogue], object], find: Find) -> None:
    """Serve a copy of a catalogue until the user stops the server.

    Args:
        catalogue: The file of the catalogue.
        listener: A socket that is bound to the port to serve at.
        announce: Called when the pages can be opened.
        find: Answers queries.

    Raises:
        CatalogError: If there is no catalogue, or the extra is not installed.
        KeyboardInterrupt: If the server is stopped by Ctrl-C.
    """
    check_browsing()
    from uvicorn import Config, Server

    token = secrets.token_urlsafe(16)
    with temporary_folder() as folder:
        copy = folder / f"{DATABASE}.db"
        write_copy(catalogue, copy)
        pages = guard_pages(pages_of(copy, find).app(), token, "ccgrid browse")
        listener.listen()  # so that requests made right after the announcement wait instead of failing
        host, port = listener.getsockname()[:2]
        announce(ServedCatalogue(address=f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={token}"))
        settings = Config(pages, log_level="warning", lifespan="on", ws="none", limit_concurrency=_MOST_REQUESTS)
        Server(settings).run(sockets=[listener])
