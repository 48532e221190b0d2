"""The command that referees a game which people play with real cards."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from catalog.card import CatalogError
from ccgrid.commands.game_options import Variants, parts
from ccgrid.commands.options import Database, Force, bounded_names
from ccgrid.services.choices import Choices
from ccgrid.services.dealing import read_options
from ccgrid.services.deck_checks import read_legal_deck
from ccgrid.services.kept_games import LAST, KeptGame, last_kept, records_of
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.services.records import card_lookup, checked_games
from ccgrid.services.referee import GAME, begin, is_refereed, with_deck
from ccgrid.services.tables import check_folder
from ccgrid.terminal.checks import complain, status_of
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.terminal.keyboard import LeftTable
from ccgrid.terminal.referee import referee_game
from ccgrid.view.output import remark
from engine.record import Reading, Record
from engine.schema import RecordError

app = typer.Typer()

_PLAYERS = "First,Second"


@app.command()
def table(
    deck: Annotated[
        Path | None,
        typer.Argument(metavar="[DECK]", help="The deck that lies on the table, for grid.", show_default=False),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players", help=f"Names in seat order, by default {_PLAYERS}.", show_default=False, callback=bounded_names
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option("--first", metavar="NAME", help="Who starts, by default the first player.", show_default=False),
    ] = None,
    option: Variants = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record", "-o", help="Save the game here; by default in table-DATE-TIME.toml.", show_default=False
        ),
    ] = None,
    force: Force = False,
    load: Annotated[
        Path | None,
        typer.Option("--load", help="Go on with the game in this record; last: with the one left.", show_default=False),
    ] = None,
    database: Database = None,
) -> None:
    """Referee a game of grid that is played with real cards.

    You shuffle and deal; ccgrid asks which cards lie on the grid, takes moves, refuses what is not legal, asks after
    each capture which card was turned up, counts, and writes an ordinary record. The game is kept after every move.

    Example: ccgrid table deck.toml --players Ann,Bob
    """
    file = record or Path(f"table-{datetime.now():%Y-%m-%d-%H%M%S}.toml")
    check_folder(file)
    if load is None or file.absolute() != load.absolute():
        check_free(file, RECORD, force=force)
    choices = Choices(asking())
    cards = None if deck is None else read_legal_deck(deck, GAME, database, choices)
    kept = None
    if load is not None:
        if players or first or option:
            raise typer.BadParameter("the record has its players and options: give it alone, with a deck or --record")
        if str(load) == LAST and not load.exists():
            kept = _last()
            game = records_of(kept)[-1]
        else:
            game = _read(load, database, choices)
        game = game if cards is None else with_deck(game, cards)
    elif cards is not None:
        game = begin(parts(players or _PLAYERS), first, read_options(option or ()), cards)
    else:
        raise typer.BadParameter("name the deck that lies on the table, or --load a record")
    tell_choices(choices)
    try:
        referee_game(game, file, kept or KeptGame.begin(GAME, remark))
    except LeftTable:
        remark("The game has not begun.")


def _last() -> KeptGame:
    """The game that was left last; raises CatalogError where it was not played with real cards."""
    kept = last_kept(remark)
    if kept is None:
        raise CatalogError("No game was left. Begin one with: ccgrid table DECK")
    if not is_refereed(records_of(kept)[-1]):
        raise CatalogError("The game left last was not played with real cards. Go on with: ccgrid play --load last")
    return kept


def _read(file: Path, database: Path | None, choices: Choices) -> Record:
    """The game in a file, of which moves may turn up cards that it does not name."""
    with card_lookup(database, choices) as find:
        reading = next(checked_games(file, find))
    assert isinstance(reading, Reading)  # noqa: S101  as no ending was asked for
    error = reading.error
    if reading.record is None or (error is not None and not error.where.startswith("moves[")):
        error = error or RecordError("file", "holds no game")
        complain(str(file), error)
        raise typer.Exit(status_of(error))
    return reading.record
