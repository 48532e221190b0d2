"""The server of `ccgrid serve`: one at a time, with a token that phones keep."""

import io
import json
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from ccgrid.catalog.documents import DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import check_installed
from ccgrid.catalog.files import make_folder, write_atomically
from ccgrid.services.scan_queue import ScanQueue
from ccgrid.services.shared_tables import SharedTables
from ccgrid.services.state_folder import state_folder

if TYPE_CHECKING:
    from ccgrid.web.app_state import AppState

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104  opened with --lan alone
_FORMAT: Final = 1
_LIMITS: Final = Limits(1 << 16)
_MOST_REQUESTS: Final = 500
"""Maximum number of concurrent requests; uvicorn answers further ones with status 503."""


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
    """Raise CatalogError if the extra is not installed."""
    check_installed("web", "Serving")


def web_folder() -> Path:
    """Return the folder of the tables and the token."""
    return state_folder() / "web"


def load_token(*, is_new: bool) -> str:
    """Return the token that lets phones in; `is_new` replaces it, which locks out phones that have the old one.

    Raises:
        CatalogError: If the file of the token is damaged, or cannot be read or written.
    """
    path = web_folder() / "token.json"
    try:
        if not is_new and path.exists():
            with path.open("rb") as file:
                document = load_json(read_text(file.read(_LIMITS.size + 1), _LIMITS), _LIMITS)
            # Reject short tokens, which could be guessed; generated ones have 22 characters.
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
    """Lock the tables for this server; raise CatalogError if another server runs."""
    from filelock import FileLock, Timeout

    try:
        make_folder(web_folder(), private=True)
        # The operating system releases it when the process ends, even if it crashes.
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
    """Return the address of this machine in its network, in numbers; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            # An address reserved for documentation (RFC 5737); connecting a UDP socket sends nothing.
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostbyname(socket.gethostname())
        return str(asked.getsockname()[0])


def make_server(app: "AppState") -> Any:
    """Return the uvicorn server of the pages, which `run` runs until its `should_exit` is set."""
    from uvicorn import Config, Server

    from ccgrid.web.application import application
    from ccgrid.web.connections import limited_protocol

    class ClosingServer(Server):  # type: ignore[misc]  # it is in an extra
        """A server that ends the event streams first when it shuts down."""

        async def shutdown(self, *arguments: Any, **named: Any) -> None:
            app.close()  # first: uvicorn waits for open answers
            await super().shutdown(*arguments, **named)

    return ClosingServer(
        Config(
            application(app),
            log_level="warning",
            lifespan="on",
            http=limited_protocol(),
            ws="none",  # the pages use server-sent events, so WebSockets stay off
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
    # A browser cannot open "0.0.0.0", so show the address in the network.
    address = f"http://{network_address() if host == EVERYWHERE else host}:{port}"
    tables = SharedTables(web_folder() / "tables", seed, remark)
    scans = ScanQueue(web_folder() / "scans", database, remark)
    app = AppState(tables, scans, web_folder() / "decks", token, address, is_open=lan, database=database, seed=seed)

    listener.listen()  # so that requests made right after the announcement wait instead of failing
    announce(ServedPages(address=f"{address}/?token={token}", lan=lan))
    make_server(app).run(sockets=[listener])
