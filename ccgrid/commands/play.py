"""The command to play at the keyboard: one game or a match, against other people or the computer."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.game_options import (
    BestOf,
    Decks,
    Factions,
    GameName,
    Variants,
    WholeMatch,
    complete_players,
    listed,
    parts,
)
from ccgrid.commands.options import Database, Games, Seed, any_seed
from ccgrid.services.choices import Choices
from ccgrid.services.match_session import MatchSession
from ccgrid.services.records import read_record
from ccgrid.services.tables import TableRequest, check_folder, check_holds_match, open_table, reopened
from ccgrid.terminal.checks import complain, status_of
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.terminal.table import play_game, play_match
from ccgrid.view.names import player_name
from ccgrid.view.output import remark, show
from engine.players import PLAYERS
from engine.schema import RecordError

app = typer.Typer()

_PLAYERS = "You,greedy"
_COMPUTERS = listed([player.name for player in PLAYERS], "and")


@app.command()
def play(
    game: GameName = "grid",
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            help=f"Names in seat order, by default {_PLAYERS}; {_COMPUTERS} are computers.",
            show_default=False,
            autocompletion=complete_players,
        ),
    ] = None,
    deck: Decks = None,
    faction: Factions = None,
    card_game: Games = None,
    option: Variants = None,
    best_of: BestOf = None,
    match: WholeMatch = False,
    seed: Seed = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", "-o", help="Save the game here when it ends; a match as .jsonl.", show_default=False),
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", help="Go on with the game in this record.", show_default=False)
    ] = None,
    database: Database = None,
) -> None:
    """Play at this keyboard, against other people or the computer.

    Example: ccgrid play tactics --players Ann,Bob --record game.toml
    """
    if record is not None:
        check_folder(record)
    if load is not None:
        if players or deck or faction or card_game or option or best_of or match:
            raise typer.BadParameter("the record has its players, cards and options: give it alone, or with --record")
        try:
            loaded = read_record(load, database, choices := Choices(asking()))
        except RecordError as error:
            complain(str(load), error)
            raise typer.Exit(status_of(error)) from None
        tell_choices(choices)
        play_game(reopened(loaded, any_seed(seed)), record)
        return
    request = TableRequest(
        game,
        tuple(parts(players or _PLAYERS)),
        tuple(deck or ()),
        tuple(parts(faction)),
        tuple(card_game or ()),
        tuple(option or ()),
        best_of,
        match,
        database,
    )
    if record is not None and request.is_match:
        check_holds_match(record)
    table = open_table(request, any_seed(seed), remark, asking())
    for player, title in table.factions.items():
        show(f"{player_name(player)}: {title}")
    if isinstance(table.play, MatchSession):
        play_match(table.play, record)
    else:
        play_game(table.play, record)
