"""The command that starts workers for a cluster."""

from contextlib import suppress
from typing import Annotated

import typer

from ccgrid import services
from ccgrid.commands.many_games import Workers
from ccgrid.commands.options import Json
from ccgrid.view.output import remark, show_json
from ccgrid.view.streams import flush

app = typer.Typer()


@app.command("workers")
def start_workers(
    address: Annotated[str, typer.Argument(help="That of the scheduler: tcp://host:8786.", show_default=False)],
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Play for a Dask cluster with the cores of this machine, until Ctrl-C.

    Whoever gives its address to --cluster plays there. A scheduler is started with: dask scheduler. Needs an extra:
    pip install 'ccgrid[cluster]'

    Example: ccgrid workers tcp://192.168.1.7:8786
    """

    def announce(count: int) -> None:
        if as_json:
            show_json({"address": address, "workers": count})
            flush()  # a program that reads it waits for it, and would until the end
        else:
            remark(f"Workers for {address}, until Ctrl-C: {count}.")

    with suppress(KeyboardInterrupt):
        services.clusters.work(address, workers, announce)
    if not as_json:
        remark("Stopped.")
