"""The command to play at the keyboard: one game or a match, against other people or the computer."""

from pathlib import Path
from typing import Annotated

import typer

from catalog.card import CatalogError
from ccgrid.commands.game_options import (
    BestOf,
    Decks,
    Factions,
    GameName,
    SameDeal,
    Variants,
    WholeMatch,
    complete_players,
    listed,
    parts,
)
from ccgrid.commands.options import Database, Force, Games, Seed, any_seed, bounded_names
from ccgrid.services.choices import Choices
from ccgrid.services.kept_games import LAST, KeptGame, kept_with_record, last_kept, records_of, resume
from ccgrid.services.match_session import MatchSession
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.services.real_tables import is_refereed
from ccgrid.services.record_outputs import check_holds_match
from ccgrid.services.records import read_begun
from ccgrid.services.tables import TableRequest, check_folder, open_table, reopened
from ccgrid.terminal.checks import complain, status_of
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.terminal.left import asked_for_kept
from ccgrid.terminal.referee import referee_game
from ccgrid.terminal.rematch import play_on
from ccgrid.view.names import player_name
from ccgrid.view.output import remark, show
from engine.games import find_game
from engine.players import PLAYERS
from engine.schema import RecordError

app = typer.Typer()

_PLAYERS = "You,greedy"
_COMPUTERS = listed([player.name for player in PLAYERS], "and")


@app.command()
def play(
    context: typer.Context,
    game: GameName = "grid",
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
        typer.Option("--record", "-o", help="Save the game here when it ends; a match as .jsonl.", show_default=False),
    ] = None,
    force: Force = False,
    load: Annotated[
        Path | None,
        typer.Option("--load", help="Go on with the game in this record; last: with the one left.", show_default=False),
    ] = None,
    database: Database = None,
) -> None:
    """Play at this keyboard, against other people or the computer.

    The game is kept after every move: whatever ends it, --load last goes on with it, and play alone asks.

    Example: ccgrid play tactics --players Ann,Bob --record game.toml
    """
    if record is not None:
        check_folder(record)
        if load is None or record.absolute() != load.absolute():
            check_free(record, RECORD, force=force)
    if load is not None:
        if players or deck or faction or card_game or option or best_of or match or same_deal:
            raise typer.BadParameter("the record has its players, cards and options: give it alone, or with --record")
        _go_on(load, record, any_seed(seed), database)
        return
    if _says_nothing(context) and (kept := asked_for_kept()) is not None:
        _take_up(kept, record, any_seed(seed))
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
        same_deal,
    )
    if record is not None and request.is_match:
        check_holds_match(record)
    used = any_seed(seed)
    table = open_table(request, used, remark, asking())
    for player, title in table.factions.items():
        show(f"{player_name(player)}: {title}")
    kept = KeptGame.begin(find_game(game).name, remark)
    if isinstance(table.play, MatchSession):
        kept.keep_plan(table.play, table.dealer, record)
    play_on(table.play, record, kept, used, remark)


def _go_on(load: Path, record: Path | None, seed: int, database: Path | None) -> None:
    """Goes on with a recorded game, or with what was left last."""
    kept = last_kept(remark) if str(load) == LAST and not load.exists() else kept_with_record(load, remark)
    if kept is not None:
        _take_up(kept, record, seed)
        return
    if str(load) == LAST and not load.exists():
        raise CatalogError("No game was left. Begin one with: ccgrid play")
    try:
        loaded = read_begun(load, database, choices := Choices(asking()), is_refereed)
    except RecordError as error:
        complain(str(load), error)
        raise typer.Exit(status_of(error)) from None
    tell_choices(choices)
    begun = KeptGame.begin(loaded.setup.game, remark)
    if is_refereed(loaded):
        referee_game(loaded, record, begun)
    else:
        play_on(reopened(loaded, seed), record, begun, seed, remark)


def _take_up(kept: KeptGame, record: Path | None, seed: int) -> None:
    """Goes on with a game or a match that was kept."""
    if is_refereed(last := records_of(kept)[-1]):
        referee_game(last, record, kept)
        return
    resumed = resume(kept, seed)
    is_match = isinstance(resumed.play, MatchSession)
    play_on(resumed.play, record or (kept.record if is_match else None), kept, seed, remark)


def _says_nothing(context: typer.Context) -> bool:
    """Whether nothing was said of the game that is to be played, as in `ccgrid play` alone."""
    sources = (context.get_parameter_source(name) for name in context.params if name != "database")
    return all(source is None or source.name in ("DEFAULT", "DEFAULT_MAP") for source in sources)
