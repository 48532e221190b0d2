"""Commands on decks in files: check one, look at one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ccgrid import services, view
from ccgrid.commands.game_options import GAMES_WITH_DECKS, complete_deck_game, listed
from ccgrid.commands.options import Database, Json, waiting
from ccgrid.commands.paths import INPUT
from ccgrid.services.choices import Choices
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import remark, show_json
from engine.games import GAMES

app = typer.Typer()

DeckFile = Annotated[
    Path, typer.Argument(click_type=INPUT, help="A deck: TOML, '1 Lightning Bolt (M10) 146', .dek, .cod, .ydk …")
]


def _for(games: str) -> Any:
    """The option that says which of these games a deck is for."""
    return typer.Option(
        "--for",
        metavar="GAME",
        help=f"The game that it is for, if the file does not say: {games}.",
        show_default=False,
        autocompletion=complete_deck_game,
    )


For = Annotated[str | None, _for(GAMES_WITH_DECKS)]

ForRated = Annotated[str | None, _for(listed(GAMES.having("rating"), "or"))]
"""The same among the games whose decks are rated."""

FromBoxes = Annotated[
    str, typer.Option("--from", metavar="all|collection", help="collection: you own them all, and none is out.")
]


@app.command()
def check(
    file: DeckFile, game: For = None, source: FromBoxes = "all", database: Database = None, as_json: Json = False
) -> None:
    """Say whether a deck is legal, or everything wrong with it.

    Example: ccgrid deck check deck.toml
    """
    if services.deck_sources.query_of(source):
        raise typer.BadParameter(f"{source!r} is neither all nor collection", param_hint="--from")
    choices = Choices(asking(as_json=as_json))
    found, problems = services.deck_checks.checked_deck(file, database, game, choices)
    if services.deck_sources.from_collection(source):
        problems += services.owned_decks.not_there(file, database, waiting, choices)
    tell_choices(choices)
    result = {
        "ok": not problems,
        "cards": len(found.cards),
        "problems": [problem.to_dict() for problem in problems],
    }
    if not problems and view.decks.warn_of_dead(game or found.plays or services.deck_checks.DEFAULT_GAME, found.cards):
        result["dead"] = True
    if as_json:
        show_json(result)
    else:
        view.scores.show_deck_check(result)
    if problems:
        raise typer.Exit(1)


@app.command()
def show(file: DeckFile, game: For = None, database: Database = None, as_json: Json = False) -> None:
    """Draw a deck, card by card.

    Example: ccgrid deck show deck.toml
    """
    choices = Choices(asking(as_json=as_json))
    found, problems = services.deck_checks.checked_deck(file, database, game, choices)
    tell_choices(choices)
    if not problems:
        view.decks.warn_of_dead(game or found.plays or services.deck_checks.DEFAULT_GAME, found.cards)
    if as_json:
        show_json(found.to_dict())
        return
    view.decks.show_deck(game or found.plays, found.name, found.cards)
    if problems:
        remark(f"This deck is not legal: ccgrid deck check {file}" + (f" --for {game}" if game else ""))
