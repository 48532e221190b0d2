"""The command that prints the rules of a game."""

import typer

from ccgrid import view
from ccgrid.commands.game_options import GameName
from ccgrid.commands.options import Json
from ccgrid.view.output import show_json
from engine.games import GAMES, find_game

app = typer.Typer()


@app.command()
def rules(game: GameName = GAMES.default, as_json: Json = False) -> None:
    """Print the rules of a game as this program plays it.

    Example: ccgrid rules
    """
    found = find_game(game)
    if as_json:
        options = [option.to_dict() for option in found.options]
        page = found.pictures.rules_page()
        show_json({"game": found.name, "title": found.title, "markdown": page, "options": options})
        return
    view.rules.show_rules(found.name)
