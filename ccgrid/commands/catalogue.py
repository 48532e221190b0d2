"""Commands on the cards in the catalogue: find them, look at them, count them, print them."""

from pathlib import Path
from typing import Annotated

import typer

from catalog.evidence import guessed_zones
from ccgrid import services, view
from ccgrid.commands.completion import complete_query
from ccgrid.commands.options import Database, Force, Games, Json
from ccgrid.commands.owned import AnyCards
from ccgrid.commands.paths import OUTPUT
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import CARDS, check_free
from ccgrid.terminal.choosing import asking
from ccgrid.view.output import note, remark, show_json, show_json_lines
from ccgrid.view.streams import paged

app = typer.Typer()


@app.command()
def search(
    query: Annotated[
        list[str],
        typer.Argument(
            help="Words of a name, which may be misspelt, or a query: 'dragon tl>=7 -is:promo'.",
            autocompletion=complete_query,
        ),
    ],
    games: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that may be in a deck.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 20,
    everything: Annotated[bool, typer.Option("--all", help="All of them, however many.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Find cards by name, tolerant of misspelling, or by a query.

    Example: ccgrid search 'lightening bolt'
    """
    text = " ".join(query)
    found = services.finding.search(database, text, games or (), legal=legal, limit=None if everything else limit)
    if as_json:
        show_json_lines(card.to_dict() for card in found.cards)
    else:
        with paged():
            view.lists.show_cards(found.cards)
    if len(found.cards) < found.total:
        remark(f"{len(found.cards):,} of {found.total:,} cards; --all shows all, --limit as many as you say.")


@app.command()
def show(
    card: Annotated[list[str], typer.Argument(help="A card's id, such as mtg:m10/146, or its name.")],
    game: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw one card, and explain each of its numbers.

    Of several cards with one name it is the one that you own, or of the game or set behind it: 'Griffin (wyvern)'.

    Example: ccgrid show Lightning Bolt --game mtg
    """
    found = services.finding.explained(database, " ".join(card), game or (), Choices(asking(as_json=as_json)))
    if as_json:
        guessed = guessed_zones(found.numbers)
        corrected = found.corrected and found.corrected.to_dict()
        shown = {**found.card.to_dict(), "numbers": found.numbers, "guessed_zones": guessed, "corrected": corrected}
        show_json(shown)
        return
    view.card.show_card(found.card, found.numbers)
    if found.corrected:
        words = ", ".join(found.corrected.words())
        remark(f"Corrected by hand: {words}. ccgrid card remove {found.card.id} takes that back.")
    if found.remark:
        remark(found.remark)
    if found.others > 0:
        printings = "1 more printing" if found.others == 1 else f"{found.others} more printings"
        note(f"{printings}: ccgrid search {found.card.name!r} --game {found.card.game}")


@app.command()
def stats(query: AnyCards = None, database: Database = None, as_json: Json = False) -> None:
    """Count the cards held, legal and barred by reason, by game.

    Example: ccgrid stats 'year<1998'
    """
    counted = services.finding.stats(database, " ".join(query or ()))
    if as_json:
        show_json(counted)
        return
    view.scores.show_stats(counted)


@app.command()
def export(
    query: AnyCards = None,
    games: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that may be in a deck.")] = False,
    form: Annotated[str, typer.Option("--format", help="jsonl or csv.")] = "jsonl",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="A file, in place of standard output.", show_default=False
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print the cards as JSON Lines or CSV.

    Example: ccgrid export 'legal score>20' --format csv -o strong.csv
    """
    form = "jsonl" if as_json else form
    if form not in view.export.WRITERS:
        raise typer.BadParameter(
            f"{form!r} is not a format; there are {', '.join(view.export.WRITERS)}", param_hint="--format"
        )
    if output is not None:
        check_free(output, CARDS, force=force)
    with services.catalogue.open_catalogue(database) as store:
        cards = services.catalogue.chosen_cards(store, games or (), " ".join(query or ()), legal=legal)
        view.export.write_cards(cards, form, output)
