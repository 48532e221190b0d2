"""The command that looks after the installation itself."""

from pathlib import Path
from typing import Annotated

import typer

from catalog.card import NotConfirmedError
from catalog.files import make_folder, temporary_folder
from catalog.moments import local_minute
from ccgrid import services, terminal, view
from ccgrid.commands.options import Database, Force, Json, read_seed, waiting
from ccgrid.commands.paths import FilePath
from ccgrid.services.outputs import DECK, RECORD, check_free
from ccgrid.view.output import progress, remark, show, show_json, show_json_lines
from ccgrid.view.streams import can_ask, paged

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
    if mend and (saved := services.doctor.mended(database)) is not None:
        remark(saved)
    said_by = "--db" if source is not None and source.name == "COMMANDLINE" else ""
    with progress("Looking at everything") as report:
        found = services.doctor.examined(database, said_by=said_by, tell=report)
    if as_json:
        show_json(found.to_dict())
    else:
        view.reports.show_examination(found.to_dict())
    if not found.ok:
        raise typer.Exit(1)


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List what was done: imports, and changes to cards, layouts and the collection.

    What was taken back stands at the end, until something else is changed.

    Example: ccgrid history
    """
    found = services.collection.history(database)
    if not found:
        remark("Nothing was done yet.")
    elif as_json:
        show_json_lines(services.collection.deed_json(deed, entry) for deed, entry in found)
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
    last = services.collection.last_done(database, imported=imported)
    if not yes and not as_json and can_ask():
        if not terminal.entry.ask(last):
            remark("Left; nothing is changed.")
            raise typer.Exit
    elif not yes and last.kind == "import":
        raise NotConfirmedError(f"Last was: {last}. An import is not taken back unasked: say --yes.")
    remark(f"Taking back: {last}.")
    with progress("Taking back"):
        taken = services.collection.take_back(database, last, waiting)
    if as_json:
        show_json(taken)
    elif "source" in taken:
        view.lists.show_undone(taken)
    else:
        show(f"Taken back: {taken['what']} ({local_minute(taken['made'])}).")


@app.command()
def redo(database: Database = None, as_json: Json = False) -> None:
    """Do again what was taken back last, but for an import.

    Example: ccgrid redo
    """
    done = services.collection.do_again(database, waiting)
    if as_json:
        show_json(done)
    else:
        show(f"Done again: {done['what']} ({local_minute(done['made'])}).")


_FOLDER = FilePath("the deck and the game are two files, in a folder")


@app.command()
def demo(
    seed: Annotated[
        int, typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="Another seed shows another game.")
    ] = 7,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=_FOLDER, help="Keep the deck and the game in this folder.", show_default=False
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Show everything once, offline: card, deck, game and score.

    Example: ccgrid demo
    """
    if output is not None:
        check_free(output / services.demonstration.DECK, DECK, force=force)
        check_free(output / services.demonstration.RECORD, RECORD, force=force)
        make_folder(output)
        terminal.demo.show_demo(seed, output, kept=True)
        return
    with temporary_folder() as folder:
        terminal.demo.show_demo(seed, folder, kept=False)


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
