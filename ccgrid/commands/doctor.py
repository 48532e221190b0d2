"""The command that looks after the installation itself."""

from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.commands.options import Database, Json
from ccgrid.view.output import progress, remark, show_json

app = typer.Typer()


@app.command()
def doctor(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="Save what can be read of a damaged catalogue first.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Say where everything is, whether it is sound, and what to do.

    Nothing is changed without --mend. The exit status is 1 where something does not work.

    Example: ccgrid doctor
    """
    source = context.get_parameter_source("database")
    if mend and (saved := services.mending.mended(database)) is not None:
        remark(saved)
    said_by = "--db" if source is not None and source.name == "COMMANDLINE" else ""
    with progress("Looking at everything") as report:
        found = services.doctor.examined(database, said_by=said_by, tell=report)
    if as_json:
        show_json(found.to_dict())
    else:
        view.doctor.show_examination(found.to_dict())
    if not found.ok:
        raise typer.Exit(1)
