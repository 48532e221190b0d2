"""Commands on where cards are, on decks that are out, and on what became of cards; part of `ccgrid collection`."""

from pathlib import Path
from typing import Annotated

import typer

from catalog import collection as owned_cards
from catalog.holding import Place
from ccgrid import services, view
from ccgrid.commands.completion import complete_boxes, complete_decks_out
from ccgrid.commands.options import Database, Games, Json, bounded, waiting
from ccgrid.commands.owned import (
    Box,
    Card,
    Condition,
    Finish,
    Language,
    Number,
    RowOption,
    SetCode,
    Slot,
    opened,
    selection,
)
from ccgrid.commands.paths import INPUT
from ccgrid.services.choices import Choices
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import progress, show, show_json, show_json_lines

app = typer.Typer()

DeckFile = Annotated[Path, typer.Argument(click_type=INPUT, help="A deck file.")]


@app.command()
def where(card: Card, games: Games = None, database: Database = None, as_json: Json = False) -> None:
    """Say in which boxes a card is, whatever the printing.

    Example: ccgrid collection where Lightning Bolt
    """
    with opened(database, games) as collection:
        found = list(owned_cards.edit.where_is(collection, " ".join(card), tuple(games or ())))
    if as_json:
        show_json_lines(holding.to_dict() for holding in found)
        return
    view.collection.show_holdings(found)


@app.command()
def move(
    card: Annotated[
        list[str] | None, typer.Argument(help="A card's name or id; none: all.", show_default=False)
    ] = None,
    to_box: Annotated[
        str, typer.Option("--to-box", help="The box to put them in.", autocompletion=complete_boxes, callback=bounded)
    ] = "",
    to_row: Annotated[str, typer.Option("--to-row", help="The row there.", show_default=False, callback=bounded)] = "",
    to_slot: Annotated[
        str, typer.Option("--to-slot", help="The place in the row.", show_default=False, callback=bounded)
    ] = "",
    copies: Annotated[
        int | None, typer.Option("--copies", "-n", min=1, help="How many; all by default.", show_default=False)
    ] = None,
    games: Games = None,
    set_code: SetCode = "",
    number: Number = "",
    finish: Finish = "",
    condition: Condition = "",
    language: Language = "",
    box: Box = "",
    row: RowOption = "",
    slot: Slot = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Note that cards are in another box now.

    Example: ccgrid collection move --set m10 --to-box "Attic 2" --to-row 3
    """
    chosen = selection(
        card,
        games,
        set_code=set_code,
        number=number,
        finish=finish,
        condition=condition,
        language=language,
        box=box,
        row=row,
        slot=slot,
    )
    with opened(database, games) as collection:
        plan = owned_cards.edit.move(collection, chosen, copies, Place(to_box, to_row, to_slot))
    if as_json:
        show_json_lines(view.collection.taken_json(plan))
        return
    view.collection.show_taken("Moved", plan)


@app.command()
def pull(
    deck: DeckFile,
    out: Annotated[bool, typer.Option("--out", help="Mark the cards as out in this deck.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List where the cards of a deck are, box by box.

    The list is in the order in which you walk along the boxes: by box, row and slot. The printings that the deck asks
    for come first, then any other of these cards.

    Example: ccgrid collection pull deck.toml --out
    """
    choices = Choices(asking(as_json=as_json))
    with opened(database) as collection:
        pulled = services.owned_decks.pulled(deck, collection, choices, out=out)
    tell_choices(choices)
    if as_json:
        show_json(view.collection.pull_json(pulled.deck, pulled.cards, pulled.unknown))
    else:
        view.collection.show_pull(pulled.deck, pulled.cards, pulled.unknown, out=out)
    if pulled.cards.missing or pulled.unknown:
        raise typer.Exit(1)


@app.command("put-back")
def put_back(
    deck: Annotated[
        list[str], typer.Argument(help="The name of a deck that is out.", autocompletion=complete_decks_out)
    ],
    done: Annotated[bool, typer.Option("--done", help="They are back: mark them so.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List where the cards of a deck that is out belong.

    Example: ccgrid collection put-back Sunday deck --done
    """
    with opened(database) as collection:
        found = (owned_cards.pulls.put_back if done else owned_cards.pulls.out_in)(collection, " ".join(deck))
    if as_json:
        show_json_lines(map(view.collection.out_json, found))
        return
    view.collection.show_out(found)
    if done:
        show("", "Marked as back in their boxes.")


@app.command()
def out(database: Database = None, as_json: Json = False) -> None:
    """List the decks that are out, card by card.

    Example: ccgrid collection out
    """
    with opened(database) as collection:
        found = collection.decks_out()
    if as_json:
        show_json_lines(map(view.collection.out_json, found))
        return
    view.collection.show_out(found)


@app.command()
def stats(database: Database = None, as_json: Json = False) -> None:
    """Count what you own, by game and zone, and the decks it makes.

    Example: ccgrid collection stats
    """
    with opened(database) as collection:
        counted = owned_cards.pulls.stats(collection)
    if as_json:
        show_json(counted)
        return
    view.collection.show_stats(counted)


@app.command()
def verify(
    migrations: Annotated[
        Path | None,
        typer.Option(
            "--migrations", click_type=INPUT, help="Scryfall's list of migrations, a file.", show_default=False
        ),
    ] = None,
    online: Annotated[bool, typer.Option("--online", help="Ask Scryfall for its list of migrations.")] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Note what changed, and move copies to what theirs became.")
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Ask which of your cards changed in their sources, or are gone.

    They may be renamed, renumbered, or merged into others. Nothing you own is ever dropped: a card that is gone stays
    in the collection.

    Example: ccgrid collection verify --apply
    """
    with progress("Comparing") as report:
        found = services.collection.verified(
            database, waiting, migrations=migrations, online=online, apply=apply, progress=report
        )
    if as_json:
        show_json_lines(finding.to_dict() for finding in found)
    else:
        view.collection.show_findings(found, applied=apply)
    if [finding for finding in found if finding.card is None or not apply]:
        raise typer.Exit(1)
