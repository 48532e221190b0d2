"""The command that tells which player, deck or house rule is better."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.commands.game_options import Factions, GameName, Variants, complete_players, parts
from ccgrid.commands.many_games import Cluster, Resume, Workers, end_interrupted
from ccgrid.commands.options import Database, Games, Json, Seed
from ccgrid.commands.paths import INPUT
from ccgrid.commands.resuming import seed_to_go_on
from ccgrid.view.output import progress, remark, show_json
from engine.games import GAMES, find_game
from engine.many.pairs import Sprt

app = typer.Typer()


@app.command()
def arena(
    game: GameName = GAMES.default,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="Policies that meet, such as random,greedy; one where decks, factions or rules do.",
            autocompletion=complete_players,
        ),
    ] = "greedy",
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games, for every two that meet.")] = 2000,
    deck: Annotated[
        list[Path] | None,
        typer.Option(
            "--deck",
            click_type=INPUT,
            metavar="FILE",
            help="Play with this deck; given several times, they meet.",
            show_default=False,
        ),
    ] = None,
    faction: Factions = None,
    card_game: Games = None,
    option: Variants = None,
    against_option: Annotated[
        list[str] | None,
        typer.Option(
            "--against-option",
            metavar="NAME=VALUE",
            help="Compare house rules: the same deals with --option and with this; repeatable.",
            show_default=False,
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop as soon as it is decided whether the first is rather ELO1 or ELO0 better.",
            show_default=False,
        ),
    ] = None,
    seed: Seed = None,
    workers: Workers = None,
    cluster: Cluster = None,
    resume: Resume = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Tell which player, deck, faction or house rule is better.

    Every deal is played twice, with seats exchanged, or under both rules. Shares come with their standard error, Elo
    with a 95 % interval.

    Example: ccgrid arena --players greedy,random --games 400 --seed 1
    """
    request = services.arenas.ArenaRequest(
        game,
        tuple(parts(players)),
        tuple(deck or ()),
        tuple(parts(faction)),
        tuple(card_game or ()),
        tuple(option or ()),
        tuple(against_option or ()),
        database,
    )
    with progress(f"Playing {find_game(game).title}") as report:
        result = services.arenas.run_arena(
            request,
            games,
            seed_to_go_on(seed, resume),
            runner=services.arenas.Runner(workers, cluster),
            test=None if sprt is None else _test(sprt),
            resume=resume,
            progress=report,
            remark=remark,
        )
    if as_json:
        show_json(result)
    else:
        view.arenas.show_arena(result)
    end_interrupted(result)


def _test(text: str) -> Sprt:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter("two Elos with a comma between: 0,10", param_hint="--sprt") from None
    return Sprt(low, high)
