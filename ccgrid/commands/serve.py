"""The commands that serve pages to browsers: games for phones, and the catalogue."""

import webbrowser
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ccgrid import services, web
from ccgrid.browsing.guard import LOOPBACK, port_taken
from ccgrid.browsing.serve import PORT as BROWSE_PORT
from ccgrid.browsing.serve import ServedCatalogue, browse, check_browsing
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Json, seed_or_random
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.streams import flush

if TYPE_CHECKING:
    from ccgrid.web.serve import ServedPages

app = CommandModule()

SERVE_PORT: Final = 8010


@app.command("serve")
def serve_games(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free port.")] = SERVE_PORT,
    lan: Annotated[bool, typer.Option("--lan", help="Also let phones in your network join.")] = False,
    new_token: Annotated[bool, typer.Option("--new-token", help="Lock out all phones that joined before.")] = False,
    window: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Play on phones and in browsers, each player on their own device.

    Scan the QR code, or open the printed address. Nobody else can connect; without --lan only this computer can. Games
    are saved after every move, and continue when you start this again. Ctrl-C ends it. Needs the extra
    'web'.

    Example: ccgrid serve --lan
    """
    web.serve.check_serving()

    def announce(served: "ServedPages") -> None:
        if lan:
            remark("Anyone with this address can join from your network; nothing is encrypted.")
        if as_json:
            show_json(served)
        else:
            show(*(served.qr_code().rstrip("\n").split("\n") if lan else ()), f"Open {served.address} until Ctrl-C.")
        flush()  # standard output to a pipe is buffered, and a program may wait for the address
        if window:
            webbrowser.open(served.address)

    host = web.serve.EVERYWHERE if lan else LOOPBACK
    with web.serve.single_instance_lock(), port_taken(host, port, "ccgrid serve") as listener:
        token = web.serve.load_token(is_new=new_token)
        with suppress(KeyboardInterrupt):
            web.serve.serve(listener, token, database, lambda: seed_or_random(None), announce, remark, lan=lan)
    if not as_json:
        remark("Stopped.")


@app.command("browse")
def browse_catalogue(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free port.")] = BROWSE_PORT,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="Other addresses expose it to your network."),
    ] = LOOPBACK,
    window: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Show the catalogue and the collection in a browser, read-only, until Ctrl-C.

    Find cards by queries, and sort and count them by game, set, legality, reason and zone. Each card has a page with
    its numbers. Only the printed address, with its token, works. Needs the extra 'browse'.

    Example: ccgrid browse --open
    """
    check_browsing()
    with services.catalogue.open_catalogue(database):
        pass

    def announce(served: ServedCatalogue) -> None:
        if as_json:
            show_json(served)
        else:
            show(f"The catalogue is at {served.address} until Ctrl-C.")
        flush()  # standard output to a pipe is buffered, and a program may wait for the address
        if host not in (LOOPBACK, "::1"):
            remark("Anyone with this address can see it from your network; nothing is encrypted.")
        if window:
            webbrowser.open(served.address)

    with port_taken(host, port, "ccgrid browse") as listener, suppress(KeyboardInterrupt):
        find = partial(services.collection.ids_of, database)
        browse(services.catalogue.catalogue_path(database), listener, announce, find)
    if not as_json:
        remark("Stopped.")
