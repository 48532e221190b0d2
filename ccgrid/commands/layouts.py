"""Commands on layouts: check one, begin one from a data file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid.commands.options import Json

if TYPE_CHECKING:
    from catalog.imports.layout_draft import Draft

app = typer.Typer()


@app.command()
def check(
    file: Annotated[str, typer.Argument(help="A layout: a TOML file, or the name of one.")],
    data: Annotated[Path | None, typer.Option("--data", help="A data file to read by it.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Say whether a layout is right, and what it reads from data.

    Nothing is stored.

    Example: ccgrid layout check my.toml --data my.csv
    """
    from catalog.card import CatalogError
    from catalog.imports.layout_check import try_layout
    from catalog.layouts.shelf import choose_layout
    from ccgrid.view.layouts import show_layout
    from ccgrid.view.output import remark, show, show_json

    try:
        layout = choose_layout(file)
    except CatalogError as error:
        if as_json:
            show_json({"ok": False, "error": str(error)})
        else:
            show(str(error))
        raise typer.Exit(1) from None
    trial = try_layout(layout, data) if data else None
    if as_json:
        guesses = [{"field": line.field, "zone": line.zone, "confidence": line.confidence} for line in layout.guesses()]
        show_json({"ok": True, "game": layout.game, "guesses": guesses, "trial": trial.to_dict() if trial else None})
        return
    for sentence in trial.remarks if trial else ():
        remark(sentence)
    show_layout(layout, trial)


@app.command()
def new(
    data: Annotated[Path, typer.Argument(help="A data file: CSV, TSV, JSON or JSON Lines.")],
    game: Annotated[str | None, typer.Option("--game", help="A short name: spellfire.", show_default=False)] = None,
    title: Annotated[str | None, typer.Option("--title", help="What the game is called.", show_default=False)] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="FIELD=ZONE", help="Where a field is printed; repeatable.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the layout to this file.", show_default=False)
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Put it in your folder of layouts.")] = False,
) -> None:
    """Begin a layout from a data file's fields.

    Asks where each field is printed, unless --at says so or nobody is there.

    Example: ccgrid layout new my.csv --game dragons --at Cost=top-left --at No=bottom-right -o dragons.toml
    """
    import sys

    from catalog.card import CatalogError
    from catalog.files import write_whole
    from catalog.imports.layout_draft import examine, game_name, layout_text
    from catalog.layouts.layout_file import parse_layout
    from catalog.layouts.shelf import SUFFIX, user_folders
    from ccgrid.view.output import remark

    if keep and output is not None:
        raise typer.BadParameter("--keep and --output name two places")
    draft = examine(data)
    places = dict(_places(draft, at or ()))
    asks = at is None and sys.stdin is not None and sys.stdin.isatty()
    game = game or game_name(data.name)
    if asks:
        game = typer.prompt("A short name for the game", default=game, err=True)
    if keep:
        output = user_folders()[0] / f"{game}{SUFFIX}"
        if output.exists():
            raise CatalogError(f"You have a layout {game!r} already: {output}")
    if asks:
        title = typer.prompt("What is it called?", default=title or game.title(), err=True)
        places = dict(_asked(draft))
    text = layout_text(draft, game, title or game.title(), places)
    parse_layout(text, f"{game}{SUFFIX}")  # a name that is none is told before anything is written
    if keep and output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
    if output is None:
        typer.echo(text, nl=False)
        return
    write_whole(output, text)
    remark(f"Written to {output}. Try it with: ccgrid layout check {output} --data {data}")


def _places(draft: "Draft", told: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Where each field is printed, from what the command line says."""
    for word in told:
        name, equals, zone = word.rpartition("=")
        if not equals or (found := _zone(zone)) is None:
            raise typer.BadParameter(f"{word!r} is not FIELD=ZONE, with a zone such as top-left, face or none")
        yield draft.named(name).path, found


def _asked(draft: "Draft") -> Iterator[tuple[str, str]]:
    """Where each field is printed, from what a person answers."""
    from ccgrid.view.layouts import field_in_words
    from ccgrid.view.output import remark

    remark("Where is it printed, with the card upright? tl t tr l r bl b br, face, or Enter for nowhere.")
    for field in draft.fields:
        if field.kind not in ("numbers", "collector"):
            continue
        while (zone := _zone(typer.prompt(field_in_words(field), default="", show_default=False, err=True))) is None:
            remark("That is no zone: tl t tr l r bl b br, face, or Enter.")
        yield field.path, zone


def _zone(word: str) -> str | None:
    """The zone that a word or its short form means, `face`, or nothing for `none`; None where it is no zone."""
    from catalog.card import ZONES

    word = word.strip().casefold()
    if word in ("", "none", "-"):
        return ""
    short = {"".join(part[0] for part in zone.split("-")): zone for zone in ZONES}
    return short.get(word, word if word in (*ZONES, "face") else None)
