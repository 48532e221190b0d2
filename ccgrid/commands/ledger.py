"""Commands on the ledger of imports: what came in, and the last import taken back."""

import typer

from ccgrid.commands.options import Database, Json, waiting
from ccgrid.services import ledger as services
from ccgrid.view.lists import show_history, show_undone
from ccgrid.view.output import remark, show_json, show_json_lines

app = typer.Typer()


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List every import: what came from where, and when.

    Example: ccgrid history
    """
    entries = services.history(database)
    if not entries:
        remark("Nothing was imported yet.")
    elif as_json:
        show_json_lines(entries)
    else:
        show_history(entries)


@app.command()
def undo(database: Database = None, as_json: Json = False) -> None:
    """Take the last import back.

    What it added goes, what it changed or removed is again as it was. Your
    collection stays as it is.

    Example: ccgrid undo
    """
    entry = services.undo(database, waiting)
    if as_json:
        show_json(entry)
        return
    show_undone(entry)
