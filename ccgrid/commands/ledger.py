"""Commands on what was done: all of it listed, what was done last taken back, and done again."""

from typing import Annotated

import typer

from catalog.card import NotConfirmedError
from ccgrid import services, terminal, view
from ccgrid.commands.options import Database, Json, waiting
from ccgrid.view.output import progress, remark, show, show_json, show_json_lines
from ccgrid.view.streams import can_ask, paged

app = typer.Typer()


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List what was done: imports, and changes to cards, layouts and the collection.

    What was taken back stands at the end, until something else is changed.

    Example: ccgrid history
    """
    found = services.undoing.history(database)
    if not found:
        remark("Nothing was done yet.")
    elif as_json:
        show_json_lines({**deed.to_dict(), **entry} for deed, entry in found)
    else:
        with paged():
            view.lists.show_history(found)


@app.command()
def undo(
    imported: Annotated[bool, typer.Option("--import", help="The last import, whatever was done since.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Take back what you did last, whatever it was, after a question.

    That is an import, or a change to a card, a layout or the collection; a script says --yes for an import. What an
    import added goes, what it changed or removed is again as it was; your collection stays as it is.

    Example: ccgrid undo --yes
    """
    last = services.undoing.last_done(database, imported=imported)
    if not yes and not as_json and can_ask():
        if not terminal.undoing.ask(last):
            remark("Left; nothing is changed.")
            raise typer.Exit
    elif not yes and last.kind == "import":
        raise NotConfirmedError(f"Last was: {last}. An import is not taken back unasked: say --yes.")
    remark(f"Taking back: {last}.")
    with progress("Taking back"):
        taken = services.undoing.take_back(database, last, waiting)
    if as_json:
        show_json(taken)
    elif last.kind == "import":
        view.lists.show_undone(taken)
    else:
        show(f"Taken back: {taken['what']} ({taken['made']}).")


@app.command()
def redo(database: Database = None, as_json: Json = False) -> None:
    """Do again what was taken back last, but for an import.

    Example: ccgrid redo
    """
    done = services.undoing.do_again(database, waiting)
    if as_json:
        show_json(done)
    else:
        show(f"Done again: {done['what']} ({done['made']}).")
