"""Commands on layouts: check one, begin one from a data file."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from catalog import imports, layouts
from catalog.card import CatalogError, UnknownNameError
from ccgrid import services, terminal, view
from ccgrid.commands.completion import complete_layouts
from ccgrid.commands.options import Database, Force, Json, bounded, waiting
from ccgrid.commands.paths import INPUT, OUTPUT, tell_written
from ccgrid.services.outputs import LAYOUT, check_free
from ccgrid.view.output import remark, show, show_json
from ccgrid.view.streams import input_line, write_data

if TYPE_CHECKING:
    from catalog.imports.layout_draft import Draft, Field, Reading

app = typer.Typer()


@app.command()
def check(
    file: Annotated[
        Any,
        typer.Argument(
            click_type=INPUT, help="A layout: a TOML file, or the name of one.", autocompletion=complete_layouts
        ),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", click_type=INPUT, help="A data file to read by it.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Say whether a layout is right, and what it reads from data.

    Nothing is stored.

    Example: ccgrid layout check my.toml --data my.csv
    """
    try:
        layout = layouts.shelf.choose_layout(file)
    except UnknownNameError:
        raise
    except CatalogError as error:
        if as_json:
            show_json({"ok": False, "error": str(error)})
        else:
            show(str(error))
        raise typer.Exit(1) from None
    trial = imports.layout_check.try_layout(layout, data) if data else None
    if as_json:
        guesses = [{"field": line.field, "zone": line.zone, "confidence": line.confidence} for line in layout.guesses()]
        show_json({"ok": True, "game": layout.game, "guesses": guesses, "trial": trial.to_dict() if trial else None})
        return
    for sentence in trial.remarks if trial else ():
        remark(sentence)
    view.layouts.show_layout(layout, trial)


@app.command()
def new(
    data: Annotated[
        Path,
        typer.Argument(click_type=INPUT, help="CSV, TSV, JSON or JSON Lines, or a LackeyCCG plugin: a folder, a zip."),
    ],
    game: Annotated[str | None, typer.Option("--game", help="A short name: spellfire.", show_default=False)] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="What the game is called.", show_default=False, callback=bounded)
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="FIELD=ZONE",
            help="Where a field is printed, and how it is read: No=br, No=br:collector:last; repeatable.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", click_type=OUTPUT, help="Write the layout to this file.", show_default=False),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Put it in your folder of layouts.")] = False,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Begin a layout from a data file's fields.

    Asks where each field is printed, unless --at says so or nobody is there. What is written into your folder of
    layouts is taken back by: ccgrid undo

    Example: ccgrid layout new my.csv --game dragons --at Cost=top-left --at No=bottom-right -o dragons.toml
    """
    if keep and output is not None:
        raise typer.BadParameter("--keep and --output name two places")
    if output is not None:
        check_free(output, LAYOUT, force=force)
    draft = imports.layout_draft.examine(data)
    told = dict(_told_places(draft, at or ()))
    zones, reads = {path: zone for path, (zone, _) in told.items()}, {path: how for path, (_, how) in told.items()}
    asks = at is None and not as_json and sys.stdin is not None and sys.stdin.isatty()
    game = game or imports.layout_draft.game_name(data.name)
    if asks:
        game = _answer("A short name for the game", game)
    if keep:
        output = services.layouts.kept_file(game)
    if asks:
        title = _answer("What is it called?", title or game.title())
        zones = dict(terminal.layout_form.ask_zones(draft, _ask, remark))
    text = services.layouts.drafted(
        draft, game, title or game.title(), zones, {path: how for path, how in reads.items() if how[0]}
    )
    if output is not None:
        services.layouts.write_layout(output, text, database, waiting)
    if as_json:
        show_json({"game": game, "file": output and str(output), "zones": zones, "layout": text})
        return
    if output is None:
        write_data(text.splitlines(keepends=True))
        return
    tell_written(output, f". Try it with: ccgrid layout check {output} --data {data}")


def _told_places(draft: "Draft", told: Sequence[str]) -> "Iterator[tuple[str, tuple[str, Reading]]]":
    """Where each field is printed and how it is read, from what the command line says."""
    for word in told:
        name, equals, zone = word.rpartition("=")
        if not equals or (found := services.layouts.read_place(zone)) is None:
            raise typer.BadParameter(
                f"{word!r} is not FIELD=ZONE, with a zone such as top-left, face or none,"
                " or FIELD=ZONE:collector:PART, with first, last or a number"
            )
        yield draft.named(name).path, found


def _ask(field: "Field") -> str:
    return input_line(f"{view.layouts.field_in_words(field)}: ", stderr=True)


def _answer(question: str, usual: str) -> str:
    """What a person answers beside the layout, which may be on standard output; Enter stands for the usual."""
    return input_line(f"{question} [{usual}]: ", stderr=True) or usual
