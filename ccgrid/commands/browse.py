"""The command that shows the catalogue in a browser."""

import webbrowser
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer

from ccgrid import services
from ccgrid.browsing.guard import LOOPBACK, port_taken
from ccgrid.browsing.serve import PORT, address_json, browse, check_browsing
from ccgrid.commands.options import Database, Json
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.streams import flush

app = typer.Typer()


@app.command("browse")
def browse_catalogue(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any free port.")] = PORT,
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

    def announce(address: str) -> None:
        if as_json:
            show_json(address_json(address))
        else:
            show(f"The catalogue is at {address} until Ctrl-C.")
        flush()  # a program that reads it waits for it, and would until the end
        if host not in (LOOPBACK, "::1"):
            remark("Anyone on the network who has this address can see it; nothing is encrypted.")
        if window:
            webbrowser.open(address)

    with port_taken(host, port, "ccgrid browse") as listener, suppress(KeyboardInterrupt):
        find = partial(services.collection.ids_of, database)
        browse(services.catalogue.catalogue_path(database), listener, announce, find)
    if not as_json:
        remark("Stopped.")
