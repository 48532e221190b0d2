"""Commands to play and learn: a game at the keyboard, ratings, lessons, rules, and the protocol for programs."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, terminal, view
from ccgrid.commands.game_options import complete_players, listed, split_names
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Database, Force, Games, Json, Seed, check_names_length, seed_or_random
from ccgrid.commands.paths import PLAYED
from ccgrid.commands.play_options import CARDS, MATCH, GameName, Load
from ccgrid.commands.signatures import Fill
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import PLAYERS
from ccgrid.services.files import check_folder, check_free
from ccgrid.services.output_kinds import RECORD
from ccgrid.services.requests import GameRequest
from ccgrid.view.output import progress, remark, show_json
from ccgrid.view.streams import flush, write_data

app = CommandModule()

_PLAYERS = ("You", "greedy")
_COMPUTERS = listed(PLAYERS.names, "and")

Players = Annotated[
    str | None,
    typer.Option(
        "--players",
        help=f"Names in seat order (default: {','.join(_PLAYERS)}); {_COMPUTERS} are computer players.",
        show_default=False,
        autocompletion=complete_players,
        callback=lambda text: split_names(check_names_length(text)),
    ),
]
"""The players' names in seat order."""


@app.command()
def play(
    context: typer.Context,
    request: Annotated[
        GameRequest,
        Fill({"game": (GameName, GAMES.default), "players": Players, **CARDS, **MATCH, "database": Database}),
    ],
    seed: Seed = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            "-o",
            **PLAYED,
            help="Save the game here when it ends; a match as .jsonl.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    load: Load = None,
    coach: Annotated[
        bool, typer.Option("--coach", help="Warn at once about moves that lose points; the game is not rated.")
    ] = False,
) -> None:
    """Play at the keyboard, against people or the computer.

    The game is saved after every move; --load last continues it. At a terminal the finished game is reviewed and rated:
    see 'ccgrid progress'.

    Example: ccgrid play --players Ann,Bob --record game.toml
    """
    if record is not None:
        check_folder(record)
        if load is None or record.absolute() != load.absolute():
            check_free(record, RECORD, force=force)
    names = context.get_parameter_source("players")
    is_named = any(request.players) and (names is None or names.name != "DEFAULT_MAP")
    is_plain = request == GameRequest(game=request.game, players=request.players, database=request.database)
    if load is not None and (is_named or not is_plain):
        raise typer.BadParameter("the record sets players, cards and options: give only --record with it")
    used = seed_or_random(seed)
    if load is not None:
        game = find_game(request.game).name if _is_given(context, "game") else ""
        raise typer.Exit(terminal.play.play_recorded(load, record, used, request.database, game=game, has_coach=coach))
    if _has_no_arguments(context) and terminal.play.play_unfinished(record, used, has_coach=coach):
        return
    if not any(request.players):
        request = request._replace(players=_PLAYERS)
    request = request._replace(players=tuple(map(terminal.play.intended_player, request.players)))
    terminal.play.play_new(request, record, used, has_coach=coach)


def _has_no_arguments(context: typer.Context) -> bool:
    """Return whether the command line describes no game, as in `ccgrid play` alone."""
    return not any(_is_given(context, name) for name in context.params if name not in ("database", "coach"))


def _is_given(context: typer.Context, name: str) -> bool:
    """Return whether a parameter is on the command line or in an environment variable."""
    source = context.get_parameter_source(name)
    return source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP")


@app.command("progress")
def show_progress(as_json: Json = False) -> None:
    """Show the ratings of players and computer levels.

    Games at a terminal count, if a person played without a hint, the coach or undo. Nothing leaves this machine.

    Example: ccgrid progress
    """
    found = services.progress.standings()
    if as_json:
        show_json(found)
    else:
        view.reports.show_progress(found)


_SEED = 1


@app.command()
def learn(
    measure: Annotated[bool, typer.Option("--measure", help="Play the experiments now, with your cards.")] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", min=2, help="Number of games for each experiment, with --measure.", show_default=False
        ),
    ] = None,
    *,
    request: Annotated[
        GameRequest, Fill({"game": (GameName, GAMES.default), "card_games": Games, "database": Database})
    ],
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Show what wins at a game, and the experiments behind it.

    The figures come from many games with the bundled cards. --measure repeats them with your cards, and reports advice
    that does not hold.

    Example: ccgrid learn
    """
    if not measure and (games or request.card_games or seed is not None):
        raise typer.BadParameter("--games needs --measure")
    game = request.game
    name = find_game(game).title
    if measure:
        total = services.training.games_to_play(game, games)
        with progress(f"Playing {name}", total=total) as report:
            page = services.training.measure_lessons(
                request,
                games,
                _SEED if seed is None else seed,
                progress=services.running_total.running_total(report, total),
                remark=remark,
            )
    else:
        page = services.training.saved_lessons(game)
    if as_json:
        show_json(services.training.lessons_answer(game, page, measured=measure))
    else:
        view.games.show_lessons(name, page, here=measure)


@app.command()
def rules(game: GameName = GAMES.default, as_json: Json = False) -> None:
    """Print the rules of a game.

    Example: ccgrid rules
    """
    found = find_game(game)
    if as_json:
        show_json(view.games.rules_answer(found))
        return
    view.games.show_rules(found.name)


@app.command()
def engine(
    player: Annotated[
        str, typer.Option("--player", help="Which computer player chooses.", autocompletion=complete_players)
    ] = "strong",
    seed: Seed = None,
) -> None:
    """Choose moves for another program, line by line.

    It reads positions from standard input and writes moves to standard output; docs/protocol.md has the protocol. 'play
    --players Ann,cmd:./mine' asks your own program in the same way. An empty input ends it.

    Example: ccgrid engine --player strong:0.5s
    """
    from importlib.metadata import version

    from ccgrid.engine.players.protocol import answers

    for answer in answers(_asked_lines(), player, seed_or_random(seed), f"ccgrid {version('ccgrid')}"):
        write_data([f"{answer}\n"])
        flush()


def _asked_lines() -> Iterator[str]:
    """Yield the lines of standard input as they arrive."""
    from ccgrid.engine.players.protocol import MAX_LINE_LENGTH

    while line := sys.stdin.readline(MAX_LINE_LENGTH):
        yield line
