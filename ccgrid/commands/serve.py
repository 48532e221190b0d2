"""The command that brings phones to the table."""

import webbrowser
from contextlib import suppress
from typing import Annotated

import typer

from ccgrid.browsing.guard import LOOPBACK, port_taken
from ccgrid.commands.options import Database, Json, any_seed
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.streams import flush
from ccgrid.web.serve import EVERYWHERE, PORT, Invitation, check_serving, kept_token, only_one, serve, served_json

app = typer.Typer()


@app.command("serve")
def serve_house(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = PORT,
    lan: Annotated[bool, typer.Option("--lan", help="Let phones in the house in, too.")] = False,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="Lock out every phone that was let in before.")
    ] = False,
    window: Annotated[bool, typer.Option("--open", help="Open a window of the browser.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Play at a table from phones and browsers, each person at their own, until Ctrl-C.

    Scan the QR code, or open the address that is printed. Only whoever has it is answered; without --lan only this
    computer. Games are kept after every move, and go on when you start this again. Needs an extra:
    pip install 'ccgrid[web]'

    Example: ccgrid serve --lan
    """
    check_serving()

    def announce(invitation: Invitation) -> None:
        if lan:
            remark("Whoever has this address can join from your network; nothing is encrypted.")
        if as_json:
            show_json(served_json(invitation.address, lan=lan))
        else:
            show(*(invitation.qr.rstrip("\n").split("\n") if lan else ()), f"Open {invitation.address} until Ctrl-C.")
        flush()  # a program that reads it waits for it, and would until the end
        if window:
            webbrowser.open(invitation.address)

    with only_one(), port_taken(EVERYWHERE if lan else LOOPBACK, port, "ccgrid serve") as listener:
        token = kept_token(is_new=new_token)
        with suppress(KeyboardInterrupt):
            serve(listener, token, database, lambda: any_seed(None), announce, remark, lan=lan)
    if not as_json:
        remark("Stopped.")
