"""Commands for the installation and its data: sources, changes and undo, settings, health, the demo."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, terminal, view, web
from ccgrid.catalog import store as stored
from ccgrid.catalog.errors import CatalogError, NotConfirmedError
from ccgrid.catalog.files import make_folder
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.temporary import temporary_folder
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Force, Json, read_seed, waiting, with_confirmation
from ccgrid.commands.paths import file_only
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import BACKUP, DECK, RECORD
from ccgrid.view.output import progress, remark, show_json, show_json_lines
from ccgrid.view.streams import can_ask, write_data

app = CommandModule()

_BACKUP = file_only("a backup is a .zip file of several files")


@app.command()
def doctor(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="First save all readable data of a damaged catalogue.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Print only the path of the catalogue.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Show where everything is, and what needs fixing.

    It changes nothing without --mend. The exit status is 1 if something does not work.

    Example: ccgrid doctor
    """
    if path:
        write_data([f"{services.catalogue.catalogue_path(database)}\n"])
        return
    source = context.get_parameter_source("database")
    if mend and (saved := services.doctor.mend_catalogue(database)) is not None:
        remark(saved)
    said_by = "--db" if source is not None and source.name == "COMMANDLINE" else ""
    with progress("Looking at everything") as report:
        found = services.doctor.run_checks(database, said_by=said_by, tell=report)
    if as_json:
        show_json(found)
    else:
        view.reports.show_examination(found)
    if not found.ok:
        raise typer.Exit(1)


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List all changes: imports, and changes to cards, layouts and the collection.

    Undone changes are at the end until the next change.

    Example: ccgrid history
    """
    with services.catalogue.open_existing(database) as store:
        found = stored.history.history(store) if store else []
    if not found:
        remark("The history is empty.")
    elif as_json:
        show_json_lines(found)
    else:
        view.history.show_history(found)


@app.command()
def undo(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Undo the last change (asks first).

    The change may be an import, or a change to a card, a layout or the collection. For an import, a script needs --yes.
    Undoing an import restores the cards it changed; your collection stays.

    Example: ccgrid undo --yes
    """
    with stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        last = stored.history.last_change(store)
        if last is None:
            raise CatalogError("There is nothing to undo.")
        if not yes and not as_json and can_ask():
            if not terminal.entry.ask_to_undo(last):
                remark("Cancelled; nothing changed.")
                raise typer.Exit
        elif not yes and last.kind == "import":
            raise NotConfirmedError(f"Last change: {last}. To undo an import, add --yes.")
        remark(f"Undoing: {last}.")
        with progress("Undoing"):
            undone = stored.history.undo(store, last.id, waiting)
    if as_json:
        show_json(undone)
    else:
        view.history.show_exchanged("Undone", undone)


@app.command()
def redo(database: Database = None, as_json: Json = False) -> None:
    """Redo the last undone change.

    Example: ccgrid redo
    """
    with progress("Redoing"), stored.catalogue.Store(services.catalogue.catalogue_path(database)) as store:
        done = stored.history.redo(store, waiting)
    if as_json:
        show_json(done)
    else:
        view.history.show_exchanged("Redone", done)


@app.command()
def backup(
    output: Annotated[Path, typer.Argument(**_BACKUP, metavar="FILE", help="The .zip file to write.")],
    texts: Annotated[
        bool, typer.Option("--texts", help="Also save the rules texts of cards, which belong to their publishers.")
    ] = False,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Save the catalogue, decks, games and settings in one file.

    The file also has unfinished games, tables and decks of `ccgrid serve`, photographs that wait, and your own layouts,
    sources and formats. Decks and records that you wrote elsewhere are not in it.

    Example: ccgrid backup cards.zip
    """
    check_free(output, BACKUP, force=force)
    with progress("Saving everything"):
        written = services.backups.back_up(output, database, texts=texts)
    if as_json:
        show_json(written)
    else:
        remark(f"Written to {output}: {counted(written.files, 'file')}.")


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(**_BACKUP, metavar="FILE", help="A file that ccgrid backup wrote.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Restore everything from a backup.

    It replaces the catalogue, decks, games and settings; first it saves a backup of them, with which you can undo it. A
    damaged or foreign file changes nothing. A script needs --yes.

    Example: ccgrid restore kept.zip --yes
    """

    def act(confirmed: bool) -> services.backups.RestoredBackup:
        with web.serve.single_instance_lock(), progress("Restoring"):
            return services.backups.restore(backup, database, confirmed=confirmed)

    restored = with_confirmation(act, yes=yes, as_json=as_json)
    if as_json:
        show_json(restored)
        return
    remark(f"Restored {counted(restored.files, 'file')} of {restored.made.replace('T', ' ')}.")
    if not restored.catalogue:
        remark("The backup has no catalogue: yours is unchanged.")
    if restored.before:
        remark(f"To undo this: ccgrid restore {shell_word(restored.before)}")


_FOLDER = file_only("it writes two files: name a folder")


@app.command()
def demo(
    seed: Annotated[int, typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="Seed of the game.")] = 7,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", **_FOLDER, help="Keep the deck and the game in this folder.", show_default=False
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Show everything once, offline: card, deck, game and score.

    Example: ccgrid demo
    """
    if output is not None:
        if output.is_file():
            raise typer.BadParameter(f"{output} is a file: name a folder", param_hint="--output")
        check_free(output / services.demonstration.DEMO_DECK, DECK, force=force)
        check_free(output / services.demonstration.DEMO_RECORD, RECORD, force=force)
        make_folder(output)
        terminal.play.show_demo(seed, output, is_saved=True)
        return
    with temporary_folder() as folder:
        terminal.play.show_demo(seed, folder, is_saved=False)


@app.command()
def sources(
    name: Annotated[str | None, typer.Argument(help="Show the details of this source.", show_default=False)] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the sources of cards, and what is imported from each.

    Example: ccgrid sources
    """
    rows = services.imports.listed_sources(database, name)
    if as_json:
        show_json_lines(rows)
        return
    if name is None:
        view.lists.show_sources(rows)
    else:
        view.lists.show_source(rows[0])


class Action(StrEnum):
    """A change of a setting."""

    SET = "set"
    UNSET = "unset"


def _complete_setting(incomplete: str) -> list[str]:
    return [one.name for one in services.config.SETTINGS if one.name.startswith(incomplete)]


@app.command()
def config(
    action: Annotated[Action | None, typer.Argument(help="Change a setting; without it all are shown.")] = None,
    name: Annotated[
        str | None,
        typer.Argument(help="The setting, such as players.", show_default=False, autocompletion=_complete_setting),
    ] = None,
    value: Annotated[str | None, typer.Argument(help="Its new value, to set it.", show_default=False)] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each is for, and what overrides it.")] = False,
    as_json: Json = False,
) -> None:
    """Show and change your default settings.

    Options override environment variables, which override these settings.

    Example: ccgrid config set players You,fair
    """
    if action is not None:
        if name is None or (value is None) == (action is Action.SET):
            raise typer.BadParameter("write: ccgrid config set NAME VALUE, or ccgrid config unset NAME")
        services.config_changes.change(name, value)
    file = services.config.read_file()
    if file.faults and action is not Action.UNSET:
        raise CatalogError(file.faults[0])
    for fault in file.faults:
        remark(fault)
    found = services.config_changes.list_settings(file.settings)
    if as_json:
        show_json(found)
    else:
        view.lists.show_config(found, explain=explain)
