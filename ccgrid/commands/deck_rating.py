"""The command that tells how a deck plays."""

from pathlib import Path
from typing import Annotated, Final

import typer

from ccgrid import services, view
from ccgrid.commands.decks import ForRated
from ccgrid.commands.game_options import FromOrNone, complete_players, parts
from ccgrid.commands.many_games import Cluster, Resume, Workers, end_interrupted
from ccgrid.commands.options import Database, Json, Seed, waiting
from ccgrid.commands.paths import INPUT
from ccgrid.services.choices import Choices
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import progress, remark, show_json

app = typer.Typer()

_SEED: Final = 1
"""Unless another is given, so that a deck is told the same twice."""


@app.command()
def rate(
    file: Annotated[
        Path | None, typer.Argument(click_type=INPUT, help="A deck; none: --from says what one is drawn of.")
    ] = None,
    game: ForRated = None,
    source: FromOrNone = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, help="How many games; as many as tell enough.", show_default=False),
    ] = None,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="The policy of both seats, or two, such as greedy or strong:500.",
            autocompletion=complete_players,
        ),
    ] = "greedy",
    seed: Seed = None,
    workers: Workers = None,
    cluster: Cluster = None,
    resume: Resume = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Tell how a deck plays: do its numbers meet, and are there choices.

    Says too whether it matters who starts, and what each card is worth.

    With --from it is a deck that the seed draws of such cards, for example of 'game:wyvern tl:any'.

    Example: ccgrid deck rate deck.toml
    """
    if (file is None) is (source is None):
        raise typer.BadParameter("name a deck, or say with --from of which cards one is drawn")
    choices = Choices(asking(as_json=as_json))
    with progress("Playing") as report:
        rating = services.deck_ratings.rate_deck(
            file,
            game=game,
            source=source or "all",
            games=games,
            players=parts(players),
            seed=_SEED if seed is None else seed,
            runner=services.deck_ratings.Runner(workers, cluster),
            database=database,
            choices=choices,
            waiting=waiting,
            progress=report,
            resume=resume,
            tell=remark,
        )
    tell_choices(choices)
    if as_json:
        show_json(rating)
    else:
        view.deck_ratings.show_rating(rating)
    end_interrupted(rating)
