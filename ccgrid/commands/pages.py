"""The command that makes a page for a phone: the table for a deck, or the replay of a game."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catalog.card import CatalogError
from catalog.decks.deck import Deck
from catalog.files import write_whole
from ccgrid import pages, services, terminal
from ccgrid.commands.game_options import Variants, listed
from ccgrid.commands.options import Database, Force, Json
from ccgrid.commands.paths import INPUT, OUTPUT, tell_written
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import PAGE, check_free
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import show_json
from engine.games import GAMES
from engine.schema import RecordError

if TYPE_CHECKING:
    from engine.records.record import Record

app = typer.Typer()

_TABLES = GAMES.having("page")
_GAMES = listed(_TABLES, "or")
"""The games that are played on a page."""


@app.command()
def page(
    source: Annotated[
        Path, typer.Argument(click_type=INPUT, metavar="DECK|RECORD", help=f"A deck for {_GAMES}, a record, or a code.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", click_type=OUTPUT, help="Write the page to this file.")],
    option: Variants = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Make a page for a phone or a browser: the table for a deck, the replay of a game.

    The page is one file that works offline and can be sent. On that of a deck a game is played with real cards, or
    without; it keeps score, and gives the game as a record and as a code. What stands behind the # of its address is
    such a code. A table may be played by a variant of the game (--option).

    Example: ccgrid page deck.toml -o table.html
    """
    check_free(output, PAGE, force=force)
    choices = Choices(asking(as_json=as_json))
    try:
        found = services.pages.deck_or_game(source, database, choices)
    except RecordError as error:
        terminal.checks.complain(str(source), error)
        raise typer.Exit(terminal.checks.status_of(error)) from None
    tell_choices(choices)
    text = _table(found, option) if isinstance(found, Deck) else _replay(found, option)
    write_whole(output, text)
    if as_json:
        kind = "table" if isinstance(found, Deck) else "replay"
        show_json({"file": str(output), "kind": kind, "bytes": len(text.encode("utf-8"))})
        return
    tell_written(output, ": open it in a browser, or send it to a phone.")


def _table(deck: Deck, option: list[str] | None) -> str:
    game = deck.plays or _TABLES[0]
    return pages.table_page.table_page(game, deck.name, deck.cards, services.dealing.read_options(game, option or ()))


def _replay(game: "Record", option: list[str] | None) -> str:
    if option:
        raise CatalogError("A replay has the variants of its record: leave --option out.")
    return pages.replay_page.replay_page(game)
