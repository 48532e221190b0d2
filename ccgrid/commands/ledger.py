"""Commands on what was done: the ledger of imports, and what was done last taken back."""

from typing import Annotated

import typer

from ccgrid import services, terminal, view
from ccgrid.commands.options import Database, Json, waiting
from ccgrid.view.output import progress, remark, show, show_json, show_json_lines
from ccgrid.view.streams import can_ask

app = typer.Typer()


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List every import: what came from where, and when.

    Example: ccgrid history
    """
    entries = services.ledger.history(database)
    if not entries:
        remark("Nothing was imported yet.")
    elif as_json:
        show_json_lines(entries)
    else:
        view.lists.show_history(entries)


@app.command()
def undo(
    imported: Annotated[bool, typer.Option("--import", help="The last import, whatever was done since.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Take back what you did last, after a question.

    That is a change to the collection, or an import; a script says --yes. What an import added goes, what it changed or
    removed is again as it was; your collection stays as it is.

    Example: ccgrid undo --yes
    """
    found = [done for done in services.undoing.last_done(database) if not imported or done.kind == "import"]
    if found and found[0].kind == "import":
        found = found[:1]
    if not found or yes:
        chosen = found[0] if found else None
    elif not as_json and can_ask():
        if (chosen := terminal.undoing.ask(found)) is None:
            remark("Left; nothing is changed.")
            raise typer.Exit
    else:
        chosen = services.undoing.unasked(found)
    if chosen is not None:
        remark(f"Taking back: {chosen}.")
    with progress("Taking back"):
        taken = services.undoing.take_back(database, chosen, waiting)
    if as_json:
        show_json(taken)
    elif "collection" in taken:
        show(f"Taken back: {taken['collection']} ({taken['made']}).")
    else:
        view.lists.show_undone(taken)
