"""The command that changes a deck in its file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.card import CatalogError
from ccgrid import services, terminal, view
from ccgrid.commands.decks import DeckFile, For
from ccgrid.commands.options import Database, Force, Json
from ccgrid.commands.paths import OUTPUT, is_stream, tell_written
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import DECK, check_free
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import show_json
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.services.deck_editing import DeckEditing

app = typer.Typer()


@app.command()
def edit(
    file: DeckFile,
    swap: Annotated[
        list[str] | None,
        typer.Option("--swap", metavar="OLD=NEW", help="Put one card in the place of another.", show_default=False),
    ] = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="CARD", help="Add a card.", show_default=False)
    ] = None,
    out: Annotated[
        list[str] | None, typer.Option("--out", metavar="CARD", help="Take out a copy of a card.", show_default=False)
    ] = None,
    game: For = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="Write the deck to this file, as TOML.", show_default=False
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Change a deck: swap, add or take out cards; and is it still legal?

    A card of the deck is its number in it, its name or a part of it; one that comes in is an id or a name, as in decks.
    Each option may be given several times. Without them a terminal asks. Whatever else stands in the file stays; decks
    in other programs' files are written to another file by --output.

    Example: ccgrid deck edit deck.toml --swap 3=Thorvid
    """
    if game is not None:
        services.deck_sources.find_decks(game)
    wanted = [*(("swap", text) for text in swap or ()), *(("out", text) for text in out or ())]
    wanted += [("add", text) for text in add or ()]
    choices = Choices(asking(as_json=as_json))
    is_asked = not wanted and not as_json and can_ask()
    if not wanted and not is_asked:
        raise typer.BadParameter("say what to change: --swap OLD=NEW, --add CARD or --out CARD")
    if is_stream(file) and output is None:
        raise typer.BadParameter("standard input cannot be changed: write the deck with -o FILE, or -o -")
    if output is not None:
        check_free(output, DECK, force=force)
    with services.deck_editing.editing(file, database, game, choices) as deck:
        if is_asked:
            if not terminal.deck_editing.change_deck(deck, output):
                return
        else:
            _change(deck, wanted)
            deck.write(output)
        tell_choices(choices)
        problems = deck.problems()
        path = output or file
        if as_json:
            result = {
                "ok": not problems,
                "cards": len(deck.deck.cards),
                "problems": [one.to_dict() for one in problems],
            }
            show_json({"file": str(path), "changes": [step.to_dict() for step in deck.steps], **result})
        elif not is_asked:
            view.deck_editing.show_changes([(step.out, step.new) for step in deck.steps])
            view.deck_editing.show_standing(deck.plays, deck.deck.cards, problems)
        if not as_json:
            tell_written(path)
    if problems:
        raise typer.Exit(1)


def _change(deck: "DeckEditing", wanted: list[tuple[str, str]]) -> None:
    """Makes all changes, or none."""
    for kind, text in wanted:
        if kind == "add":
            deck.add(text)
        elif kind == "out":
            deck.take_out(text)
        else:
            old, sign, new = (part.strip() for part in text.partition("="))
            if not sign or not old or not new:
                raise CatalogError(f"--swap {text!r}: write it as OLD=NEW, such as 3=Thorvid.")
            deck.swap(old, new)
