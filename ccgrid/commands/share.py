"""Commands that create something to share: codes, pages and sheets."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ccgrid import engine, pages, services
from ccgrid.catalog.deck_writing import deck_toml
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.commands.asking import asked_choices
from ccgrid.commands.decks import For
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Force, Json, Output, waiting
from ccgrid.commands.paths import INPUT, INPUT_OR_NAME, OUTPUT, tell_written
from ccgrid.engine.games import find_game
from ccgrid.pages.sheet_cards import PAPERS, PARTS
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import DECK, PAGE, PDF, RECORD
from ccgrid.view.output import remark, show_json
from ccgrid.view.streams import write

if TYPE_CHECKING:
    from ccgrid.services.codes import CodeLine

app = CommandModule()


@app.command()
def code(
    record: Annotated[Path, typer.Argument(**INPUT, metavar="RECORD", help="A record, a deck, or a code.")],
    game: For = None,
    *,
    to: Annotated[Output, "Write the decoded game (.toml, .jsonl) or deck (.toml) to this file."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print a game or a deck as one line, to send in a message.

    Commands that read a record or a deck also take such a line: ccgrid play --load CODE. A game of grid with its deck
    has at most 900 characters; what is dropped to fit is reported. --output turns a code into a file.

    Example: ccgrid code game.toml
    """
    output = to.output
    with asked_choices(as_json=as_json, record=record) as choices:
        found = list(services.codes.codes_of(record, database, choices, game))
    if output is not None:
        _write(found, output, force=to.force)
        return
    for one in found:
        if as_json:
            show_json(one.answer())
            continue
        write(one.code.line)
        if one.code.left_out:
            remark(f"Dropped to fit: {' and '.join(one.code.left_out)}.")


def _write(found: "list[CodeLine]", output: Path, *, force: bool) -> None:
    """Write the only game or deck to a file."""
    if len(found) != 1:
        raise typer.BadParameter(f"--output takes one game, not {len(found)}")
    source = found[0].source
    check_free(output, DECK if isinstance(source, Deck) else RECORD, force=force)
    if isinstance(source, Deck):
        write_atomically(output, deck_toml(source))
    else:
        engine.write_game(source, output)
    tell_written(output)


@app.command()
def page(
    record: Annotated[Path, typer.Argument(**INPUT, metavar="RECORD", help="A record or a code.")],
    output: Annotated[Path, typer.Option("--output", "-o", **OUTPUT, help="Write the page to this .html file.")],
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make a web page that replays a game.

    The page is one file that works offline, and that you can send. If the game was analysed, it shows marks and values.

    Example: ccgrid page game.toml -o replay.html
    """
    check_free(output, PAGE, force=force)
    with asked_choices(as_json=as_json, record=record) as choices:
        found = services.records.read_record(record, database, choices)
    text = pages.page.replay_page(found)
    write_atomically(output, text)
    if as_json:
        show_json(pages.page.WrittenPage(file=str(output), kind="replay", bytes=len(text.encode("utf-8"))))
        return
    tell_written(output, ": open it in a browser, or send it to a phone.")


_PAPERS = {paper.name: paper for paper in PAPERS}


@app.command("sheet")
def make_sheet(
    source: Annotated[
        Any, typer.Argument(**INPUT_OR_NAME, metavar="DECK|FACTION|GAME", help="A deck, a code, a faction, or a game.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", **OUTPUT, help="Write the sheet to this file: .html or .pdf.")
    ],
    game: For = None,
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="Paper size.")] = "a4",
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help=f"Only: {', '.join(PARTS)}; repeatable.", show_default=False),
    ] = None,
    players: Annotated[int, typer.Option("--seats", help="Number of players.", min=2, max=4)] = 2,
    pdf: Annotated[
        bool,
        typer.Option("--pdf", help="Write a PDF (needs the extra 'pdf'), not HTML; so does a name ending in .pdf."),
    ] = False,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print a deck: list, cut-out cards, board, score sheet, rules.

    Cards are 63 by 88 millimetres, nine per page, with their numbers in their zones. The rules are on one page. Print
    at 100 %.

    Example: ccgrid sheet deck.toml -o sheet.html
    """
    if paper.lower() not in _PAPERS:
        raise typer.BadParameter(f"paper is a4 or letter, not {paper!r}")
    for part in only or ():
        if part not in PARTS:
            raise typer.BadParameter(f"a sheet has {', '.join(PARTS)}, and no part {part!r}")
    pdf = pdf or output.suffix.lower() == ".pdf"
    if pdf:
        pages.sheet.check_pdf()
    check_free(output, PDF if pdf else PAGE, force=force)
    with asked_choices(as_json=as_json) as choices:
        found = services.deck_files.sheet_source(source, database, choices, waiting, game)
    if players not in find_game(found.game).player_counts:
        raise typer.BadParameter(f"{found.game} is not for {counted(players, 'player')}")
    decks = [pages.sheet.SheetDeck(*deck) for deck in found.decks]
    text = pages.sheet.sheet(found.game, decks, _PAPERS[paper.lower()], players=players, parts=only or PARTS)
    write_atomically(output, pages.sheet.to_pdf(text) if pdf else text)
    if as_json:
        count = pages.sheet.count_pages(text)
        show_json(pages.sheet.WrittenSheet(file=str(output), game=found.game, paper=paper.lower(), pages=count))
        return
    tell_written(output, ": print it at 100 %, not scaled to the page.")
