"""The command that referees a game which people play with real cards."""

from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from catalog.card import Card, CatalogError
from ccgrid import services, terminal
from ccgrid.commands.game_options import Load, Variants, complete_factions, complete_game, parts
from ccgrid.commands.options import Database, Force, bounded_names
from ccgrid.commands.paths import INPUT, PLAYED
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import RECORD, check_folder, check_free
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import remark
from engine.games import GAMES
from engine.schema import RecordError

if TYPE_CHECKING:
    from ccgrid.services.kept_games import KeptGame
    from engine.records.record import Record

app = typer.Typer()

_PLAYERS = ("First", "Second", "Third", "Fourth")


def _complete_words(incomplete: str) -> list[str]:
    return [*complete_game(incomplete), *complete_factions(incomplete)]


@app.command()
def table(
    words: Annotated[
        list[Any] | None,
        typer.Argument(
            click_type=INPUT,
            metavar="GAME|DECK|FACTION",
            help="The deck that lies on the table, or each player's; and the game, if they do not say it.",
            show_default=False,
            autocompletion=_complete_words,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            help=f"Names in seat order, by default {','.join(_PLAYERS[:2])}.",
            show_default=False,
            callback=bounded_names,
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
            "--record",
            "-o",
            click_type=PLAYED,
            help="Save the game here; by default in table-DATE-TIME.toml.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    load: Load = None,
    database: Database = None,
) -> None:
    """Referee a game that is played with real cards.

    You shuffle and deal; ccgrid asks what lies on the table, takes moves, refuses what is not legal, asks what was
    turned up, counts, and writes an ordinary record. It is told what everybody sees; hands stay with the people. The
    game is kept after every move.

    Example: ccgrid table deck.toml --players Ann,Bob

    Example: ccgrid table bastion cinder --players Ann,Bob
    """
    file = record or _unnamed(datetime.now())
    check_folder(file)
    if load is None or file.absolute() != load.absolute():
        check_free(file, RECORD, force=force)
    choices = Choices(asking())
    kept = None
    if load is not None:
        if players or first or option:
            raise typer.BadParameter("the record has its players and options: give it alone, with decks or --record")
        if str(load) == services.kept_games.LAST and not load.exists():
            kept = _last()
            game = services.kept_games.records_of(kept)[-1]
        else:
            game = _read(load, database, choices)
        if services.tables.seated(game.setup.players):
            raise CatalogError("A computer player sits at this table: go on with ccgrid play --load.")
        if words:
            game = services.real_tables.with_decks(game, _decks(words, game, database, choices))
    elif words:
        names = parts(players)
        found = services.real_decks.real_decks(words, len(names) or None, database, choices)
        seats = names or _PLAYERS[: max(2, len(found.decks))]
        game = services.real_tables.begin(
            found.game, seats, first, services.dealing.read_options(found.game, option or ()), found.decks
        )
    else:
        raise typer.BadParameter("name the deck that lies on the table, or the game, or --load a record")
    tell_choices(choices)
    try:
        terminal.referee.referee_game(game, file, kept or services.kept_games.KeptGame.begin(game.setup.game, remark))
    except terminal.keyboard.LeftTable:
        remark("The game has not begun.")


def _decks(
    words: Sequence[str | Path], game: "Record", database: Path | None, choices: Choices
) -> Sequence[Sequence[Card]]:
    """The decks of a record that is gone on with; what does not say its game is for that of the record."""
    named = words[0] in GAMES.names
    every = words if named else [game.setup.game, *words]
    return services.real_decks.real_decks(every, len(game.setup.players), database, choices).decks


def _last() -> "KeptGame":
    """The game that was left last; raises CatalogError where it was not played with real cards."""
    kept = services.kept_games.last_kept(remark)
    if kept is None:
        raise CatalogError("No game was left. Begin one with: ccgrid table DECK")
    if not services.real_tables.is_refereed(services.kept_games.records_of(kept)[-1]):
        raise CatalogError("The game left last was not played with real cards. Go on with: ccgrid play --load last")
    return kept


def _read(file: Path, database: Path | None, choices: Choices) -> "Record":
    """The game in a file, of which moves may need cards that it does not name."""
    try:
        return services.records.read_begun(file, database, choices, lambda _: True)
    except RecordError as error:
        terminal.checks.complain(str(file), error)
        raise typer.Exit(terminal.checks.status_of(error)) from None


def _unnamed(moment: datetime) -> Path:
    """The file of a game for which nobody named one: named after its moment, and counted where several share it."""
    name = f"table-{moment:%Y-%m-%d-%H%M%S}"
    files = (Path(f"{name}{'' if number == 1 else f'-{number}'}.toml") for number in count(1))
    return next(file for file in files if not file.exists())
