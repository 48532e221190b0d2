"""Commands on the ledger of imports: what came in, and the last import taken back."""

import typer

from ccgrid.commands.options import Database, Json

app = typer.Typer()


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List every import: what came from where, and when.

    Example: ccgrid history
    """
    from catalog.store.catalogue import Store
    from catalog.store.ledger import history as recorded
    from ccgrid.services.catalogue import catalogue_path
    from ccgrid.view.lists import show_history
    from ccgrid.view.output import remark, show_json

    path, entries = catalogue_path(database), []
    if path.exists():
        with Store(path) as store:
            entries = recorded(store)
    if not entries:
        remark("Nothing was imported yet.")
    elif as_json:
        for entry in entries:
            show_json(entry)
    else:
        show_history(entries)


@app.command()
def undo(database: Database = None, as_json: Json = False) -> None:
    """Take the last import back.

    What it added goes, what it changed or removed is again as it was. Your
    collection stays as it is.

    Example: ccgrid undo
    """
    from catalog.store.catalogue import Store
    from catalog.store.ledger import undo as take_back
    from ccgrid.services.catalogue import catalogue_path
    from ccgrid.view.lists import show_undone
    from ccgrid.view.output import note, show_json

    with Store(catalogue_path(database)) as store:
        entry = take_back(store, lambda: note("Another command is writing to the catalogue; waiting for it to end."))
    if as_json:
        show_json(entry)
        return
    show_undone(entry)
