"""Commands on where cards are, on decks that are out, and on what became of cards; part of `ccgrid collection`."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import Database, Games, Json
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

app = typer.Typer()

DeckFile = Annotated[Path, typer.Argument(help="A deck file.")]


@app.command()
def where(card: Card, database: Database = None, as_json: Json = False) -> None:
    """Say in which boxes a card is, whatever the printing.

    Example: ccgrid collection where Lightning Bolt
    """
    from catalog.collection.edit import where_is
    from ccgrid.view.collection import show_holdings
    from ccgrid.view.output import show_json

    with opened(database) as collection:
        found = list(where_is(collection, " ".join(card)))
    if as_json:
        for holding in found:
            show_json(holding.to_dict())
        return
    show_holdings(found)


@app.command()
def move(
    card: Annotated[
        list[str] | None, typer.Argument(help="A card's name or id; none: all.", show_default=False)
    ] = None,
    to_box: Annotated[str, typer.Option("--to-box", help="The box to put them in.")] = "",
    to_row: Annotated[str, typer.Option("--to-row", help="The row there.", show_default=False)] = "",
    to_slot: Annotated[str, typer.Option("--to-slot", help="The place in the row.", show_default=False)] = "",
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
) -> None:
    """Note that cards are in another box now.

    Example: ccgrid collection move --set m10 --to-box "Attic 2" --to-row 3
    """
    from catalog.collection.edit import move as move_copies
    from catalog.holding import Place
    from ccgrid.view.collection import show_taken

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
    with opened(database) as collection:
        plan = move_copies(collection, chosen, copies, Place(to_box, to_row, to_slot))
    show_taken("Moved", plan)


@app.command()
def pull(
    deck: DeckFile,
    out: Annotated[bool, typer.Option("--out", help="Mark the cards as out in this deck.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List where the cards of a deck are, box by box.

    The list is in the order in which you walk along the boxes: by box, row and slot.

    Example: ccgrid collection pull deck.toml --out
    """
    from catalog.collection.pulls import find_in_boxes, take_out
    from ccgrid.services.deck_sources import owned_deck
    from ccgrid.view.collection import pull_json, show_pull
    from ccgrid.view.output import show_json

    with opened(database) as collection:
        listed = owned_deck(deck, collection)
        found = (take_out if out else find_in_boxes)(collection, listed.cards, listed.name)
    if as_json:
        show_json(pull_json(listed.name, found))
    else:
        show_pull(listed.name, found, out=out)
    if found.missing:
        raise typer.Exit(1)


@app.command("put-back")
def put_back(
    deck: Annotated[list[str], typer.Argument(help="The name of a deck that is out.")],
    done: Annotated[bool, typer.Option("--done", help="They are back: mark them so.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List where the cards of a deck that is out belong.

    Example: ccgrid collection put-back Sunday deck --done
    """
    from catalog.collection.pulls import out_in
    from catalog.collection.pulls import put_back as mark_back
    from ccgrid.view.collection import show_out
    from ccgrid.view.output import show, show_json

    with opened(database) as collection:
        found = (mark_back if done else out_in)(collection, " ".join(deck))
    if as_json:
        for one in found:
            show_json({**one.holding.to_dict(), "deck": one.deck, "copies": one.copies})
        return
    show_out(found)
    if done:
        show("", "Marked as back in their boxes.")


@app.command()
def out(database: Database = None, as_json: Json = False) -> None:
    """List the decks that are out, card by card.

    Example: ccgrid collection out
    """
    from ccgrid.view.collection import show_out
    from ccgrid.view.output import show_json

    with opened(database) as collection:
        found = collection.decks_out()
    if as_json:
        for one in found:
            show_json({**one.holding.to_dict(), "deck": one.deck, "copies": one.copies})
        return
    show_out(found)


@app.command()
def stats(database: Database = None, as_json: Json = False) -> None:
    """Count what you own, by game and zone, and the decks it makes.

    Example: ccgrid collection stats
    """
    from catalog.collection.pulls import stats as count
    from ccgrid.view.collection import show_stats
    from ccgrid.view.output import show_json

    with opened(database) as collection:
        counted = count(collection)
    if as_json:
        show_json(counted)
        return
    show_stats(counted)


@app.command()
def verify(
    migrations: Annotated[
        Path | None, typer.Option("--migrations", help="Scryfall's list of migrations, a file.", show_default=False)
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
    from catalog.collection.upstream import fetch_migrations, look, note_changes, read_migrations
    from ccgrid.view.collection import show_findings
    from ccgrid.view.output import show_json

    known = read_migrations(migrations) if migrations is not None else {}
    if online:
        from catalog.download import Client

        with Client("mtg") as client:
            known = {**known, **fetch_migrations(client)}
    with opened(database) as collection:
        found = note_changes(collection, known) if apply else list(look(collection, known))
    if as_json:
        for finding in found:
            show_json(finding.to_dict())
    else:
        show_findings(found, applied=apply)
    if [finding for finding in found if finding.card is None or not apply]:
        raise typer.Exit(1)
