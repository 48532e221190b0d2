"""Serves a copy of the catalogue to a browser until it is stopped; Datasette is an extra and need not be there."""

import asyncio
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from catalog.card import CatalogError
from catalog.store.browsing import CARDS, COLLECTION, bound, write_copy
from catalog.temporary import temporary_folder
from ccgrid.browsing.description import DATABASE, described
from ccgrid.browsing.guard import guarded

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8001
_MISSING: Final = "Browsing needs an extra that is not installed. Install it: pip install 'ccgrid[browse]'"
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
    "sql_time_limit_ms": 5000,
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
        raise CatalogError(f"{host!r} is not an address of this machine: give numbers, such as {LOOPBACK}.") from None
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with closing(socket.socket(family, socket.SOCK_STREAM)) as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((host, port))
        except OSError as error:
            why = error.strerror or error
            raise CatalogError(f"Port {port} cannot be had: {why}.\nTake another: ccgrid browse --port 0") from None
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
    pm.register(Hooks)
    return Datasette(immutables=[str(copy)], metadata=described(), template_dir=str(_TEMPLATES), settings=_SETTINGS)


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
