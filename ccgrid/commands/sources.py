"""The command that lists what can be imported."""

import typer

from ccgrid import services, view
from ccgrid.commands.options import Database, Json
from ccgrid.view.output import show_json_lines
from ccgrid.view.streams import paged

app = typer.Typer()


@app.command()
def sources(database: Database = None, as_json: Json = False) -> None:
    """List every source: what it is, cards held, date of its data.

    Example: ccgrid sources
    """
    rows = services.sources.listed_sources(database)
    if as_json:
        show_json_lines(rows)
        return
    with paged():
        view.lists.show_sources(rows)
