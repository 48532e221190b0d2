"""Serves a copy of the catalogue to a browser until it is stopped; Datasette is an extra and need not be there."""

import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from catalog.card import CatalogError
from catalog.store.browsing import write_copy
from catalog.temporary import temporary_folder
from ccgrid.browsing.description import DATABASE, described

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8001
_MISSING: Final = "Browsing needs an extra that is not installed. Install it: pip install 'ccgrid[browse]'"
_TEMPLATES: Final = Path(__file__).parent / "templates"
_Application = Callable[[dict[str, Any], Any, Callable[[dict[str, Any]], Awaitable[None]]], Awaitable[None]]
"""What answers a server: it takes a question, where the rest of it comes from, and where the answer goes (ASGI)."""
_SETTINGS: Final = {"sql_time_limit_ms": 5000, "facet_time_limit_ms": 2000, "allow_download": False}


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


def browse(catalogue: Path, taken: socket.socket, begun: Callable[[str], object]) -> None:
    """Serves a copy of a catalogue at a port that is taken, until somebody stops it; `begun` is told the address.

    Raises:
        CatalogError: there is no catalogue, or the extra is not installed.
        KeyboardInterrupt: it was stopped by Ctrl-C.
    """
    check_browsing()
    from datasette.app import Datasette
    from uvicorn import Config, Server

    handler: Any = import_module("datasette.handle_exception")  # which has to be loaded after the rest of Datasette
    handler.rich = None  # with Rich it prints a traceback for every question that cannot be answered
    with temporary_folder() as folder:
        copy = folder / f"{DATABASE}.db"
        write_copy(catalogue, copy)
        pages: Any = Datasette(
            immutables=[str(copy)], metadata=described(), template_dir=str(_TEMPLATES), settings=_SETTINGS
        )
        taken.listen()  # whoever asks as soon as the address is told waits, and is answered
        host, port = taken.getsockname()[:2]
        begun(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
        Server(Config(_asked_by_its_address(pages.app()), log_level="warning", lifespan="on")).run(sockets=[taken])


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


def _asked_by_its_address(pages: _Application) -> _Application:
    """Answers only who asks for this machine by an address of its own, and others with one line."""

    async def answer(scope: dict[str, Any], receive: Any, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        hosts = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == b"host"]
        if scope["type"] != "http" or (len(hosts) == 1 and is_this_machine(hosts[0])):
            await pages(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 421, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b"Ask for this machine by its address.\n"})

    return answer
