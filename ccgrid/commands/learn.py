"""The command that tells what wins at a game, each piece of advice with the experiment behind it."""

from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.commands.game_options import GameName
from ccgrid.commands.options import Database, Games, Json, Seed
from ccgrid.view.output import progress, remark, show_json
from engine.games import GAMES

app = typer.Typer()

_SEED = 1


@app.command()
def learn(
    game: GameName = GAMES.default,
    measure: Annotated[
        bool, typer.Option("--measure", help="Play the experiments now, with the cards of your catalogue.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=2, help="So many games for each, when measuring.", show_default=False),
    ] = None,
    card_game: Games = None,
    seed: Seed = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Tell what wins at a game, and the experiments that show it.

    The figures that come with the program are of many games; --measure plays them again, and says what your
    cards do not bear out.

    Example: ccgrid learn
    """
    if not measure and (games or card_game or seed is not None):
        raise typer.BadParameter("games are played with --measure alone: add it, or leave this out")
    name = services.lessons.title(game)
    if measure:
        total = services.lessons.games_to_play(game, games)
        done = 0
        with progress(f"Playing {name}", total=total) as report:

            def more(count: int) -> None:
                nonlocal done
                done += count
                report(done, total)

            told = services.lessons.lessons_measured(
                game,
                games,
                _SEED if seed is None else seed,
                card_games=tuple(card_game or ()),
                database=database,
                progress=more,
                remark=remark,
            )
    else:
        told = services.lessons.lessons_kept(game)
    if as_json:
        show_json({"game": game, "title": name, "measured": measure, "lessons": [one.to_dict() for one in told]})
    else:
        view.lessons.show_lessons(name, told, here=measure)
