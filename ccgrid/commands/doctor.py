"""The command that looks after the installation itself."""

import typer

from ccgrid.commands.options import Database, Json
from ccgrid.services.doctor import examined
from ccgrid.view.doctor import show_examination
from ccgrid.view.output import progress, show_json

app = typer.Typer()


@app.command()
def doctor(context: typer.Context, database: Database = None, as_json: Json = False) -> None:
    """Say where everything is, whether it is sound, and what to do.

    Nothing is changed. The exit status is 1 where something does not work.

    Example: ccgrid doctor
    """
    source = context.get_parameter_source("database")
    with progress("Looking at everything"):
        found = examined(database, said_by="--db" if source is not None and source.name == "COMMANDLINE" else "")
    if as_json:
        show_json(found.to_dict())
    else:
        show_examination(found.to_dict())
    if not found.ok:
        raise typer.Exit(1)
