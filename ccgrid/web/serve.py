"""Starts and stops the server of `ccgrid serve`: one at a time, with a token that a phone keeps."""

import io
import json
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.files import make_folder, write_atomically
from ccgrid.services.scan_queue import ScanQueue
from ccgrid.services.shared_tables import SharedTables
from ccgrid.services.state_folder import state_folder

if TYPE_CHECKING:
    from ccgrid.web.app_state import AppState

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  opened with --lan alone
_PARTS: Final = ("starlette", "uvicorn", "jinja2", "segno")
_FORMAT: Final = 1
_LIMITS: Final = Limits(1 << 16)
_MOST_REQUESTS: Final = 500
"""At once; whoever comes then is asked to come again."""


class ServedPages(msgspec.Struct, frozen=True, kw_only=True):
    """The address of the pages, with the token that lets a browser in.

    Attributes:
        lan: whether other machines in the network can connect.
    """

    address: str
    lan: bool

    def qr_code(self) -> str:
        """Return the address as a QR code for a terminal."""
        import segno

        drawn = io.StringIO()
        segno.make(self.address, micro=False).terminal(drawn, compact=True, border=2)
        return drawn.getvalue()


def check_serving() -> None:
    """Raises CatalogError where the extra is not installed."""
    if not all(map(find_spec, _PARTS)):
        raise CatalogError(f"Serving needs an extra. Install it: {install_command('web')}")


def web_folder() -> Path:
    """Where the tables and the token are kept."""
    return state_folder() / "web"


def load_token(*, is_new: bool) -> str:
    """The token by which phones that were here before come in again; `is_new` makes another, and they do not.

    Raises:
        CatalogError: it cannot be read or kept.
    """
    path = web_folder() / "token.json"
    try:
        if not is_new and path.exists():
            with path.open("rb") as file:
                document = load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS)
            # Twenty letters or more: a shorter one would be guessed sooner than those made here, which have 22.
            token = document.get("token") if isinstance(document, dict) else None
            if isinstance(token, str) and len(token) >= 20 and document["format"] == _FORMAT:
                return token
        token = secrets.token_urlsafe(16)
        make_folder(path.parent, private=True)
        write_atomically(path, json.dumps({"format": _FORMAT, "token": token}))
    except (DocumentError, KeyError):
        raise CatalogError(f"{path} is damaged. Make a new one: ccgrid serve --new-token") from None
    except OSError as error:
        raise CatalogError(f"{path} cannot be used: {error.strerror or error}.") from None
    return token


@contextmanager
def single_instance_lock() -> Iterator[None]:
    """Keeps a second server from the same tables; raises CatalogError where one runs."""
    from filelock import FileLock, Timeout

    try:
        make_folder(web_folder(), private=True)
        # The system frees it when the process ends, however it ends.
        lock = FileLock(web_folder() / "lock", timeout=0)
        lock.acquire()
    except Timeout:
        raise CatalogError(
            "ccgrid serve is running already. Use its address, or stop it with Ctrl-C in its window."
        ) from None
    except OSError as error:
        raise CatalogError(f"{web_folder()} cannot be used: {error.strerror or error}.") from None
    try:
        yield
    finally:
        lock.release()


def network_address() -> str:
    """The address of this machine in its network, in numbers; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # an address for examples: only the route to it is looked up
        except OSError:
            return socket.gethostbyname(socket.gethostname())
        return str(asked.getsockname()[0])


def make_server(app: "AppState") -> Any:
    """What serves a app with `run`, until it is told to exit."""
    from uvicorn import Config, Server

    from ccgrid.web.application import application

    class ClosingServer(Server):  # type: ignore[misc]  # it is in an extra
        """Lets go of the pages that wait for news, so that it can end."""

        async def shutdown(self, *arguments: Any, **named: Any) -> None:
            app.close()  # first: uvicorn waits for answers that are open
            await super().shutdown(*arguments, **named)

    return ClosingServer(
        Config(
            application(app),
            log_level="warning",
            lifespan="on",
            ws="none",  # news are server-sent events, so nothing else need be open
            limit_concurrency=_MOST_REQUESTS,
            # Seconds for open answers. A search in another thread stops by itself: `AppState.check_running`.
            timeout_graceful_shutdown=5,
        )
    )


def serve(
    listener: socket.socket,
    token: str,
    database: Path | None,
    seed: Callable[[], int],
    announce: Callable[[ServedPages], object],
    remark: Callable[[str], object],
    *,
    lan: bool,
) -> None:
    """Serve the pages until the user stops the server.

    Args:
        listener: A socket that is bound to the port to serve at.
        token: The token that a browser has to present.
        database: The catalogue, or None for the user's own.
        seed: Returns the seed of a new game.
        announce: Called when the pages can be opened.
        remark: Reports a saved file that cannot be read.
        lan: Whether other machines in the network can connect.

    Raises:
        CatalogError: If the extra is not installed.
        KeyboardInterrupt: If the server is stopped by Ctrl-C.
    """
    check_serving()
    from ccgrid.web.app_state import AppState

    host, port = listener.getsockname()[:2]
    # Listening everywhere is no address to type, so the one in the network is shown.
    address = f"http://{network_address() if host == EVERYWHERE else host}:{port}"
    tables = SharedTables(web_folder() / "tables", seed, remark)
    scans = ScanQueue(web_folder() / "scans", database, remark)
    app = AppState(tables, scans, web_folder() / "decks", token, address, is_open=lan, database=database, seed=seed)

    listener.listen()  # whoever asks as soon as the address is printed waits, and is answered
    announce(ServedPages(address=f"{address}/?token={token}", lan=lan))
    make_server(app).run(sockets=[listener])
