"""Serves a copy of the catalogue to a browser until it is stopped; Datasette is an extra and need not be there."""

import asyncio
import hmac
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from http import HTTPStatus
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypedDict
from urllib.parse import parse_qsl, urlencode, urlsplit

from catalog.card import ZONES, CatalogError
from catalog.csv_lines import csv_line
from catalog.files import temporary_folder
from catalog.store.browsing import CARDS, COLLECTION, bound, write_copy

LONGEST_QUESTION: Final = 5
"""Seconds until a question to the copy is given up."""
LONGEST_ANSWER: Final = 20
"""Seconds until an answer that has not begun is given up."""
_TOKEN: Final = "token"  # noqa: S105  its name in an address
_OWN_SITES: Final = ("same-origin", "none")
"""What a browser says of a request by a page of ours, and by a person who typed the address (Fetch Metadata)."""

_Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Any, _Send], Awaitable[None]]
"""What answers a server: it takes a request, where the rest of it comes from, and where the answer goes (ASGI)."""


def is_this_machine(host: str) -> bool:
    """Whether what a browser asked for (`name:port`) is an address in numbers, `localhost` or the name of this machine.

    The name of a page elsewhere may be made to mean this machine; a script of that page could read the answer then.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
        if name not in ("localhost", own := socket.gethostname().lower(), f"{own}.local"):
            ip_address(name)
    except ValueError:
        return False
    return True


def guarded(pages: Application, token: str) -> Application:
    """Answers only who has the token, by the address at first and by a cookie from then on, and others with one line.

    Nobody without it can make the pages work, so that nothing can be told from how long an answer takes either.
    """

    async def answer(scope: dict[str, Any], receive: Any, send: _Send) -> None:
        if scope["type"] == "lifespan":
            await pages(scope, receive, send)
            return
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value.decode("latin-1"))
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        tokens = [value for name, value in query if name == _TOKEN]
        cookie = f"ccgrid-{scope['server'][1]}"  # a browser gives cookies of one port to all ports of a machine
        if refusal := _refusal(scope["method"], headers):
            await _say(send, *refusal)
        elif tokens and _is_same(tokens[-1], token):
            rest = urlencode([(name, value) for name, value in query if name != _TOKEN])
            path = "/" + scope["raw_path"].decode("latin-1").lstrip("/")  # with two of them it would be another host
            where = [
                (b"location", f"{path}{'?' * bool(rest)}{rest}".encode("latin-1")),
                (b"set-cookie", f"{cookie}={token}; Path=/; HttpOnly; SameSite=Strict".encode()),
            ]
            await _say(send, HTTPStatus.FOUND, "", *where)
        elif tokens or not _is_same(_cookie(headers.get(b"cookie", []), cookie), token):
            await _say(send, HTTPStatus.FORBIDDEN, "Open the whole address that 'ccgrid browse' printed.")
        else:
            await _in_time(pages, scope, receive, send)

    return answer


def _refusal(method: str, headers: dict[bytes, list[str]]) -> tuple[HTTPStatus, str] | None:
    """Why a request is refused whoever sends it; None where it is not."""
    hosts = headers.get(b"host", [])
    if len(hosts) != 1 or not is_this_machine(hosts[0]):
        return HTTPStatus.MISDIRECTED_REQUEST, "Use the address of this machine."
    sites, origins = headers.get(b"sec-fetch-site", []), headers.get(b"origin", [])
    if any(site not in _OWN_SITES for site in sites) or any(origin != f"http://{hosts[0]}" for origin in origins):
        return HTTPStatus.FORBIDDEN, "Another page requested this. Type the address into the browser yourself."
    if method not in ("GET", "HEAD"):
        return HTTPStatus.METHOD_NOT_ALLOWED, "This is read-only."
    return None


def _is_same(text: str, token: str) -> bool:
    return hmac.compare_digest(text.encode(), token.encode())


def _cookie(headers: list[str], name: str) -> str:
    """The value of a cookie among those that any server of this machine has set, well formed or not; empty for none."""
    pairs = (pair.strip().partition("=") for header in headers for pair in header.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


async def _in_time(pages: Application, scope: dict[str, Any], receive: Any, send: _Send) -> None:
    is_begun = False

    async def noting(message: dict[str, Any]) -> None:
        nonlocal is_begun
        is_begun = True
        await send(message)

    try:
        async with asyncio.timeout(LONGEST_ANSWER):
            await pages(scope, receive, noting)
    except TimeoutError:
        if not is_begun:
            await _say(send, HTTPStatus.SERVICE_UNAVAILABLE, "This takes too long: ask for less.")


async def _say(send: _Send, status: HTTPStatus, line: str, *headers: tuple[bytes, bytes]) -> None:
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), *headers]
    await send({"type": "http.response.start", "status": status.value, "headers": plain})
    await send({"type": "http.response.body", "body": f"{line}\n".encode() if line else b""})


DATABASE: Final = "catalogue"

_SHOWN: Final = "id, name, game, set_name, collector_number, zones, score, legal, boxes"


def described() -> dict[str, Any]:
    """The metadata of the pages."""
    return {
        "title": "ccgrid: the catalogue and the collection",
        "description": "Cards of games that nobody plays any more, their printed numbers, and where yours are. A "
        "read-only copy, made when 'ccgrid browse' started.",
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
                        "facets": ["game", "set_code", "legal", "reason", {"array": "zones"}],
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


def _queries() -> dict[str, dict[str, Any]]:
    queries: dict[str, dict[str, Any]] = {
        f"ten_{zone.replace('-', '_')}": {
            "title": f"Cards with a 10 at the {zone.replace('-', ' ')}",
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
        "title": "Why cards are barred, by game",
        "sql": "SELECT game, reason, count(*) AS cards FROM cards WHERE legal = 'barred'"
        " GROUP BY game, reason ORDER BY cards DESC",
    }
    return queries


LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8001
_MISSING: Final = "Browsing needs an extra. Install it: pip install 'ccgrid[browse]'"
_TEMPLATES: Final = Path(__file__).parent / "templates"
_MOST_REQUESTS: Final = 50
"""At once; whoever comes then is asked to come again."""
_QUERY: Final = "_query"
"""What the query is called in an address; Datasette takes it along where it begins with a line."""
_REMEMBERED: Final = 16
"""So many answers to queries are kept: a page asks for one several times."""
Find = Callable[[str, str], frozenset[str | int]]
"""What finds the ids of the rows of a table, of cards or of the collection, that answer a query."""
_SETTINGS: Final = {
    "default_allow_sql": False,
    "sql_time_limit_ms": 1000 * LONGEST_QUESTION,
    "facet_time_limit_ms": 2000,
    "suggest_facets": False,
    "allow_download": False,
    "allow_csv_stream": False,
}


def check_browsing() -> None:
    """Raises CatalogError where the extra is not installed."""
    if find_spec("datasette") is None:
        raise CatalogError(_MISSING)


@contextmanager
def port_taken(host: str, port: int) -> Iterator[socket.socket]:
    """A port of this machine, taken; port 0 stands for any that is free.

    Raises:
        CatalogError: it cannot be taken; says what to do.
    """
    try:
        address = ip_address(host)
    except ValueError:
        raise CatalogError(f"{host!r} is not an address of this machine: use one such as {LOOPBACK}.") from None
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with closing(socket.socket(family, socket.SOCK_STREAM)) as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((host, port))
        except OSError as error:
            why = error.strerror or error
            raise CatalogError(f"Port {port} is not available: {why}.\nUse another: ccgrid browse --port 0") from None
        yield taken


def pages_of(copy: Path, find: Find) -> Any:
    """Datasette on a copy of a catalogue: read-only, without free SQL, every connection to the copy bounded."""
    from datasette import hookimpl
    from datasette.app import Datasette
    from datasette.filters import FilterArguments
    from datasette.plugins import pm
    from datasette.utils.asgi import BadRequest

    found = lru_cache(_REMEMBERED)(find)

    def prepare(conn: Any) -> None:
        bound(conn)
        conn.create_function("ccgrid_answers", 3, lambda table, query, row: row in found(table, query))

    def asked(request: Any, table: str) -> Any:
        query = (request.args.get(_QUERY) or "").strip()

        async def answered() -> Any:
            try:
                await asyncio.to_thread(found, table, query)
            except CatalogError as error:
                raise BadRequest(str(error)) from None
            where, said = "ccgrid_answers(:in_table, :in_query, id)", [f"it answers {query}"]
            return FilterArguments([where], {"in_table": table, "in_query": query}, said, {"asked": query})

        return answered if query and table in (CARDS, COLLECTION) else None

    class Hooks:
        prepare_connection = staticmethod(hookimpl(prepare))
        filters_from_request = staticmethod(hookimpl(asked))

    handler: Any = import_module("datasette.handle_exception")  # which has to be loaded after the rest of Datasette
    handler.rich = None  # with Rich it prints a traceback for every question that cannot be answered
    views: Any = import_module("datasette.views.base")
    views.csv = SimpleNamespace(writer=_HarmlessTable)
    pm.register(Hooks)
    return Datasette(immutables=[str(copy)], metadata=described(), template_dir=str(_TEMPLATES), settings=_SETTINGS)


class _HarmlessTable:
    """Stands in for Python's writer of CSV, with which Datasette writes cells that a spreadsheet runs."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def writerow(self, cells: Iterable[object]) -> Any:
        return self._file.write(csv_line(cells))


def browse(catalogue: Path, listener: socket.socket, announce: Callable[[str], object], find: Find) -> None:
    """Serves a copy of a catalogue at a port that is taken, until somebody stops it; `announce` is given the address.

    Queries are answered by `find`.

    Raises:
        CatalogError: there is no catalogue, or the extra is not installed.
        KeyboardInterrupt: it was stopped by Ctrl-C.
    """
    check_browsing()
    from uvicorn import Config, Server

    token = secrets.token_urlsafe(16)
    with temporary_folder() as folder:
        copy = folder / f"{DATABASE}.db"
        write_copy(catalogue, copy)
        pages = guarded(pages_of(copy, find).app(), token)
        listener.listen()  # whoever asks as soon as the address is printed waits, and is answered
        host, port = listener.getsockname()[:2]
        announce(f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={token}")
        settings = Config(pages, log_level="warning", lifespan="on", ws="none", limit_concurrency=_MOST_REQUESTS)
        Server(settings).run(sockets=[listener])


class AddressJson(TypedDict):
    """Where the catalogue is shown, with the token that lets a browser in."""

    address: str


def address_json(address: str) -> AddressJson:
    """Where pages are served in the documented shape of `browse --json`."""
    return {"address": address}
