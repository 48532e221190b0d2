"""Commands on where cards are, on decks that are out, and on what became of cards; part of `ccgrid collection`."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog import collection as owned_cards
from ccgrid.commands.copy_options import Card, Copies, Destination, Yes, change_copies, open_collection
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import (
    AnyCards,
    By,
    Database,
    DeckFile,
    Games,
    Json,
    check_name_length,
    complete_boxes,
    complete_decks_out,
    waiting,
)
from ccgrid.commands.paths import INPUT
from ccgrid.view.output import progress, remark, show, show_json, show_json_lines

app = CommandModule()


@app.command()
def where(card: Card, games: Games = None, database: Database = None, as_json: Json = False) -> None:
    """Show which boxes hold a card, in any printing.

    Example: ccgrid collection where Lightning Bolt
    """
    with open_collection(database, games) as collection:
        found = owned_cards.selection.find_holdings(collection, " ".join(card), games or (), remark)
    if as_json:
        show_json_lines(owned_cards.owned_copies.all_copies(found))
        return
    view.collection.show_holdings(found)


@app.command()
def move(
    card: AnyCards = None,
    *,
    to: Destination,
    copies: Copies = None,
    yes: Yes = False,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Move cards to another box, row or slot.

    Example: ccgrid collection move set:m10 --to-box "Attic 2" --to-row 3
    """
    wanted = owned_cards.edit.Edit(box=to.to_box, row=to.to_row, slot=to.to_slot)
    if wanted == owned_cards.edit.Edit():
        raise typer.BadParameter(
            "name a place with --to-box, --to-row or --to-slot (--to-box '' takes them out of boxes)"
        )
    change_copies(
        lambda collection, sure: owned_cards.edit.move_copies(
            collection, " ".join(card or ()), wanted, copies, games or (), yes=sure
        ),
        lambda plan: view.collection.show_taken("Moved", plan),
        database,
        games,
        yes=yes,
        as_json=as_json,
    )


@app.command()
def pull(
    deck: DeckFile,
    out: Annotated[bool, typer.Option("--out", help="Mark the cards as out in this deck.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List where to find the cards of a deck, box by box.

    The list is in the order of your boxes, rows and slots. Printings named in the deck come first, then others.

    Example: ccgrid collection pull deck.toml --out
    """
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    with open_collection(database) as collection:
        pulled = services.deck_files.pull_deck(deck, collection, choices, out=out)
    terminal.choosing.show_choices(choices)
    if as_json:
        show_json(owned_cards.pulls.pull_list(pulled.deck, pulled.cards, pulled.unknown))
    else:
        view.collection.show_pull(pulled.deck, pulled.cards, pulled.unknown, out=out)
    if pulled.cards.missing or pulled.unknown:
        raise typer.Exit(1)


@app.command("put-back")
def put_back(
    deck: Annotated[
        list[str], typer.Argument(help="The name of a deck that is out.", autocompletion=complete_decks_out)
    ],
    done: Annotated[bool, typer.Option("--done", help="Mark the cards as back in their boxes.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List where the cards of a deck belong.

    Example: ccgrid collection put-back Sunday deck --done
    """
    with open_collection(database) as collection:
        found = (owned_cards.pulls.put_back if done else owned_cards.pulls.out_in)(collection, " ".join(deck))
    if as_json:
        show_json_lines(owned_cards.pulls.copies_out(found))
        return
    view.collection.show_out(found)
    if done:
        show("", "Marked as back in their boxes.")


@app.command()
def out(database: Database = None, as_json: Json = False) -> None:
    """List the decks that are out, card by card.

    Example: ccgrid collection out
    """
    with open_collection(database) as collection:
        found = collection.decks_out()
    if as_json:
        show_json_lines(owned_cards.pulls.copies_out(found))
        return
    view.collection.show_out(found)


@app.command()
def stats(
    query: AnyCards = None,
    by: By = "",
    plot: Annotated[bool, typer.Option("--plot", help="Draw bars; needs --by.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Count your cards by game and zone and the decks they make, or copies by a field.

    Example: ccgrid collection stats box:attic
    """
    if plot and not by:
        raise typer.BadParameter("draws bars by a field: name it with --by", param_hint="--plot")
    if by:
        with open_collection(database) as collection:
            found = owned_cards.pulls.stats_by(collection, by, " ".join(query or ()))
        if as_json:
            show_json(found)
        else:
            view.lists.show_field_stats(found, plot=plot)
        return
    with open_collection(database) as collection:
        counted = owned_cards.pulls.stats(collection, " ".join(query or ()))
    if as_json:
        show_json(counted)
        return
    view.collection.show_collection_stats(counted)


@app.command()
def verify(
    migrations: Annotated[
        Path | None,
        typer.Option("--migrations", **INPUT, help="A file with Scryfall's list of migrations.", show_default=False),
    ] = None,
    online: Annotated[bool, typer.Option("--online", help="Fetch Scryfall's list of migrations.")] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Record the changes and move your copies to the cards' new ids.")
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check your cards against their sources.

    Finds cards that were renamed, renumbered, merged or removed. A card that is gone stays in your collection.

    Example: ccgrid collection verify --apply
    """
    with progress("Comparing") as report:
        found = services.collection.verify(
            database, waiting, migrations=migrations, online=online, apply=apply, progress=report
        )
    if as_json:
        show_json_lines(found)
    else:
        view.collection.show_findings(found, applied=apply)
    if [finding for finding in found if finding.card is None or not apply]:
        raise typer.Exit(1)


BoxName = Annotated[str, typer.Argument(help="The name of a box.", show_default=False, autocompletion=complete_boxes)]


@app.command()
def boxes(database: Database = None, as_json: Json = False) -> None:
    """List your boxes and count the cards in each.

    Example: ccgrid collection boxes
    """
    with open_collection(database) as collection:
        found = owned_cards.boxes.count_boxes(collection)
    if as_json:
        show_json_lines(found)
        return
    view.collection.show_boxes(found)


@app.command()
def audit(
    box: BoxName,
    restart: Annotated[bool, typer.Option("--restart", help="Start again from the first pocket.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check a box pocket by pocket.

    Enter: it is there. m: it is missing. A number: that many copies are there. A name: another card is there.
    b goes back. q quits; the same command continues there. At the end the collection is updated in one change.

    Example: ccgrid collection audit "Attic 2"
    """
    with open_collection(database) as collection:
        running = services.audits.begin_audit(collection, box, database, restart=restart)
        is_over = terminal.entry.audit_box(
            running, lambda one: services.audits.save_audit(one, database), as_json=as_json
        )
        report = running.report()
        if not as_json:
            view.collection.show_audit(report)
        if not is_over:
            remark(
                f"Stopped after {len(running.answers)} of {len(running.pockets)} pockets; "
                "the same command continues there."
            )
            raise typer.Exit(1)
        if not as_json and not terminal.entry.ask_to_end_audit(running):
            remark("Nothing changed; your answers are kept.")
            return
        services.audits.end_audit(running, database)
    if as_json:
        show_json(report)


@app.command("rename-box")
def rename_box(
    old: BoxName,
    new: Annotated[str, typer.Argument(help="Its new name.", show_default=False, callback=check_name_length)],
    yes: Yes = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Rename a box.

    Example: ccgrid collection rename-box "Attic 2" Cellar
    """
    change_copies(
        lambda collection, sure: owned_cards.boxes.rename_box(collection, old, new, yes=sure),
        lambda inside: view.collection.show_box_change(inside, f"in {new} now"),
        database,
        yes=yes,
        as_json=as_json,
    )


@app.command("empty-box")
def empty_box(box: BoxName, yes: Yes = False, database: Database = None, as_json: Json = False) -> None:
    """Take all cards out of a box; you still own them.

    The query box:none finds them afterwards.

    Example: ccgrid collection empty-box "Attic 2"
    """
    change_copies(
        lambda collection, sure: owned_cards.boxes.empty_box(collection, box, yes=sure),
        lambda inside: view.collection.show_box_change(inside, "in no box now"),
        database,
        yes=yes,
        as_json=as_json,
    )


@app.command("remove-box")
def remove_box(box: BoxName, yes: Yes = False, database: Database = None, as_json: Json = False) -> None:
    """Remove a box and all cards in it.

    Example: ccgrid collection remove-box "Attic 2"
    """
    change_copies(
        lambda collection, sure: owned_cards.boxes.remove_box(collection, box, yes=sure),
        lambda inside: view.collection.show_box_change(inside, "removed from your collection; to undo: ccgrid undo"),
        database,
        yes=yes,
        as_json=as_json,
    )
