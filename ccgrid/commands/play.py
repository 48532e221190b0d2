"""The command to play at the keyboard: one game or a match, against other people or the computer."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, terminal
from ccgrid.commands.game_options import (
    BestOf,
    Decks,
    Factions,
    GameName,
    Load,
    SameDeal,
    Variants,
    WholeMatch,
    complete_players,
    listed,
    parts,
)
from ccgrid.commands.options import Database, Force, Games, Seed, any_seed, bounded_names
from ccgrid.commands.paths import PLAYED
from ccgrid.services.outputs import RECORD, check_folder, check_free
from engine.games import GAMES
from engine.players import PLAYERS

app = typer.Typer()

_PLAYERS = "You,greedy"
_COMPUTERS = listed([player.name for player in PLAYERS], "and")


@app.command()
def play(
    context: typer.Context,
    game: GameName = GAMES.default,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            help=f"Names in seat order, by default {_PLAYERS}; {_COMPUTERS} are computers.",
            show_default=False,
            autocompletion=complete_players,
            callback=bounded_names,
        ),
    ] = None,
    deck: Decks = None,
    faction: Factions = None,
    card_game: Games = None,
    option: Variants = None,
    best_of: BestOf = None,
    match: WholeMatch = False,
    same_deal: SameDeal = False,
    seed: Seed = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            "-o",
            click_type=PLAYED,
            help="Save the game here when it ends; a match as .jsonl.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    load: Load = None,
    database: Database = None,
) -> None:
    """Play at this keyboard, against other people or the computer.

    The game is kept after every move: whatever ends it, --load last goes on with it, and play alone asks.

    Example: ccgrid play --players Ann,Bob --record game.toml
    """
    if record is not None:
        check_folder(record)
        if load is None or record.absolute() != load.absolute():
            check_free(record, RECORD, force=force)
    if load is not None and (players or deck or faction or card_game or option or best_of or match or same_deal):
        raise typer.BadParameter("the record has its players, cards and options: give it alone, or with --record")
    used = any_seed(seed)
    if load is not None:
        raise typer.Exit(terminal.evening.play_recorded(load, record, used, database))
    if _says_nothing(context) and terminal.evening.play_left(record, used):
        return
    request = services.tables.TableRequest(
        game,
        tuple(parts(players or _PLAYERS)),
        tuple(deck or ()),
        tuple(parts(faction)),
        tuple(card_game or ()),
        tuple(option or ()),
        best_of,
        match,
        database,
        same_deal,
    )
    terminal.evening.play_new(request, record, used)


def _says_nothing(context: typer.Context) -> bool:
    """Whether nothing was said of the game that is to be played, as in `ccgrid play` alone."""
    sources = (context.get_parameter_source(name) for name in context.params if name != "database")
    return all(source is None or source.name in ("DEFAULT", "DEFAULT_MAP") for source in sources)
