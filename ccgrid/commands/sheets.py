"""The command that makes what one takes to the table: lists, cards to cut, boards, score sheets, rules."""

from pathlib import Path
from typing import Annotated, Any

import typer

from catalog.card import CatalogError
from catalog.files import write_whole
from ccgrid import pages, services
from ccgrid.commands.decks import For
from ccgrid.commands.options import Database, Force, Json, waiting
from ccgrid.commands.paths import INPUT, OUTPUT, tell_written
from ccgrid.pages.sheet_cards import PAPERS
from ccgrid.pages.sheet_parts import PARTS
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import PAGE, PDF, check_free
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import show_json
from engine.games import find_game

app = typer.Typer()

_PAPERS = {paper.name: paper for paper in PAPERS}


@app.command("sheet")
def make_sheet(
    source: Annotated[
        Any, typer.Argument(click_type=INPUT, metavar="DECK|FACTION|GAME", help="A deck, a code, a faction, or a game.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", click_type=OUTPUT, help="Write the sheet to this file.")],
    game: For = None,
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="What it is printed on.")] = "a4",
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help=f"Only: {', '.join(PARTS)}; repeatable.", show_default=False),
    ] = None,
    players: Annotated[int, typer.Option("--players", help="For how many players.", min=2, max=4)] = 2,
    pdf: Annotated[bool, typer.Option("--pdf", help="Write a PDF (extra 'pdf'); without it HTML to print.")] = False,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make what one takes to the table, to be printed.

    That is the deck list, cards to cut, an empty board, a score sheet and the rules on one page. Cards are 63 by 88
    millimetres, nine a page, with their numbers in their zones: print at 100 %.

    Example: ccgrid sheet deck.toml -o sheet.html
    """
    if paper.lower() not in _PAPERS:
        raise typer.BadParameter(f"paper is a4 or letter, not {paper!r}")
    for part in only or ():
        if part not in PARTS:
            raise typer.BadParameter(f"a sheet has {', '.join(PARTS)}, and no part {part!r}")
    try:
        if pdf:
            pages.pdf.check_pdf()
        check_free(output, PDF if pdf else PAGE, force=force)
        choices = Choices(asking(as_json=as_json))
        found = services.sheets.sheet_source(source, database, choices, waiting, game)
        tell_choices(choices)
        if players not in find_game(found.game).player_counts:
            raise typer.BadParameter(f"{found.game} is not for {players} players")
        decks = [pages.sheet.SheetDeck(*deck) for deck in found.decks]
        text = pages.sheet.sheet(found.game, decks, _PAPERS[paper.lower()], players=players, parts=only or PARTS)
        write_whole(output, pages.pdf.to_pdf(text) if pdf else text)
    except pages.pdf.PdfError as error:
        raise CatalogError(str(error)) from None
    if as_json:
        count = text.count('<section class="page')
        show_json({"file": str(output), "game": found.game, "paper": paper.lower(), "pages": count})
        return
    tell_written(output, ": print it at 100 %, not fitted to the page.")
