"""The command that shows the catalogue in a browser."""

import webbrowser
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer

from ccgrid import services
from ccgrid.browsing.serve import LOOPBACK, PORT, address_json, browse, check_browsing, port_taken
from ccgrid.commands.options import Database, Json
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.streams import flush

app = typer.Typer()


@app.command("browse")
def browse_catalogue(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = PORT,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="Any other than this opens it to other machines."),
    ] = LOOPBACK,
    window: Annotated[bool, typer.Option("--open", help="Open a window of the browser.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Show the catalogue and the collection in a browser, read-only, until Ctrl-C.

    Cards are found by queries, sorted and counted by game, set, legality, reason and zone; each has a page with its
    numbers in their zones. Only whoever has the address that is printed, with its token, is answered. Needs an
    extra: pip install 'ccgrid[browse]'

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
            remark("Whoever has this address can look at it from other machines, too; nothing is encrypted.")
        if window:
            webbrowser.open(address)

    with port_taken(host, port) as listener, suppress(KeyboardInterrupt):
        find = partial(services.finding.ids_of, database)
        browse(services.catalogue.catalogue_path(database), listener, announce, find)
    if not as_json:
        remark("Stopped.")
