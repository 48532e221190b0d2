"""Commands on the cards of the catalogue: find them, show one, count and export them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog import store as stored
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import shell_word
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import AnyCards, By, Database, Games, Json, Output, complete_card, complete_query
from ccgrid.commands.paths import tell_written
from ccgrid.services.output_kinds import CARDS, PICTURE
from ccgrid.view.output import note, remark, show_json_lines

if TYPE_CHECKING:
    from ccgrid.catalog.answer_fields import Answer
    from ccgrid.catalog.store.catalogue import Store

app = CommandModule()

_SHOWN: Final = 20
"""The number of cards that a search shows unless the user asks for more."""


def _open(database: Path | None) -> "AbstractContextManager[Store]":
    """Open the catalogue, or the bundled cards while it is empty."""
    return services.catalogue.open_cards(database, remark, to_play=False)


def _marked(store: "Store", answers: "Iterable[Answer]") -> "Iterator[Answer]":
    """Yield answers, marked if their cards are bundled with the program."""
    from msgspec.structs import replace

    for answer in answers:
        yield replace(answer, bundled=True) if store.is_in_memory else answer


@app.command()
def search(
    query: Annotated[
        list[str],
        typer.Argument(
            help="Words of a name, also misspelt, or a query: 'dragon tl>=7 -is:promo'.",
            autocompletion=complete_query,
        ),
    ],
    games: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that are legal in decks.")] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", min=1, help="At most this many.", show_default=f"{_SHOWN}; with --json all"),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all of them.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Find cards by name, also misspelt, or by a query.

    Example: ccgrid search 'lightening bolt'
    """
    text = " ".join(query)
    if limit and everything:
        raise typer.BadParameter("--limit or --all, not both")
    most = limit or (None if everything or as_json else _SHOWN)
    with _open(database) as store:
        found = services.catalogue.search(store, text, games or (), legal=legal, limit=most, described=as_json)
    if as_json:
        from ccgrid.catalog.card_answers import described_card

        show_json_lines(_marked(store, map(described_card, found.cards, found.said)))
    else:
        view.lists.show_card_list(found.cards)
    if len(found.cards) < found.total:
        remark(f"{len(found.cards):,} of {found.total:,} cards; --all shows all.")


@app.command("show")
def show_card(
    card: Annotated[
        list[str], typer.Argument(help="A card's id, such as mtg:m10/146, or its name.", autocompletion=complete_card)
    ],
    game: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw one card and explain its numbers.

    If several cards have the name, it shows the one you own. Or name the game or set: 'Griffin (wyvern)'.

    Example: ccgrid show Lightning Bolt --game mtg
    """
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    with _open(database) as store:
        found = services.catalogue.explain_card(store, " ".join(card), game or (), choices)
    if as_json:
        from ccgrid.catalog.card_answers import explained_card

        answer = explained_card(found.card, found.said, found.numbers, found.corrected, found.decks)
        show_json_lines(_marked(store, [answer]))
        return
    view.card.show_card(found.card, found.numbers, found.said, found.decks)
    if found.corrected:
        words = ", ".join(found.corrected.words())
        remark(f"Corrected by hand: {words}. To revert: ccgrid card remove {shell_word(found.card.id)}")
    if found.remark:
        remark(found.remark)
    if found.others > 0:
        printings = "1 more printing" if found.others == 1 else f"{found.others} more printings"
        note(f"{printings}: ccgrid search {shell_word(found.card.name)} --game {found.card.game}")


@app.command()
def stats(
    query: AnyCards = None,
    plot: Annotated[
        bool, typer.Option("--plot", help="Draw charts by game, set and year, and a heat map of the zones.")
    ] = False,
    by: By = "",
    *,
    to: Annotated[Output, "Write the charts to this SVG file."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Count the cards that are legal and not legal, or by a field.

    Example: ccgrid stats 'year<1998'
    """
    output = to.output
    to.check(PICTURE)
    found: Any  # the type that the two functions take
    draw: Callable[[Any], str] = view.lists.plots_svg
    print_found: Callable[[Any], None] = view.reports.show_catalogue_stats
    with _open(database) as store:
        cards = services.catalogue.cards_asked(store, " ".join(query or ()))
        if by:
            found = stored.statistics.count_by(store, by, cards)
            draw, print_found = view.lists.field_stats_svg, partial(view.lists.show_field_stats, plot=plot)
        elif plot or output is not None:
            found = stored.statistics.count_for_plots(store, cards)
            print_found = view.lists.show_plots if found.cards else print_found
        else:
            found = store.stats(cards)
    if output is not None:
        write_atomically(output, draw(found))
        tell_written(output)
    elif as_json:
        show_json_lines(_marked(store, [found]))
    else:
        print_found(found)


@app.command()
def export(
    query: AnyCards = None,
    games: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that are legal in decks.")] = False,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="jsonl|json|csv|parquet|xlsx",
            help="Format of the cards; Parquet needs the extra ccgrid[parquet], xlsx ccgrid[spreadsheet].",
            show_default="as -o ends, else jsonl",
        ),
    ] = "",
    *,
    to: Annotated[Output, "Write to this file: .jsonl, .json, .csv, .parquet or .xlsx."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print the cards as JSON Lines or CSV, or write them as Parquet.

    Example: ccgrid export 'legal score>20' --format csv -o strong.csv
    """
    output = to.output
    if as_json:
        form = services.collection.written_format("", output, "jsonl", as_json=True)
    form = form or view.export.format_of(output)
    if form not in view.export.FORMATS:
        raise typer.BadParameter(
            f"{form!r} is not a format; use one of {', '.join(view.export.FORMATS)}", param_hint="--format"
        )
    if form in view.export.FILES_ONLY and output is None:
        raise typer.BadParameter(f"{form} is written to a file: name it with -o", param_hint="--format")
    to.check(CARDS)
    from ccgrid.catalog.card_answers import exported_card

    with _open(database) as store:
        cards = services.catalogue.chosen_cards(store, games or (), " ".join(query or ()), legal=legal)
        view.export.write_cards(_marked(store, starmap(exported_card, store.described(cards))), form, output)
    if output is not None:
        tell_written(output)
