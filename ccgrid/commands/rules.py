"""The command that prints the rules of a game."""

import typer

from ccgrid.commands.game_options import GameName
from ccgrid.view.rules import show_rules
from engine.games import find_game

app = typer.Typer()


@app.command()
def rules(game: GameName) -> None:
    """Print the rules of a game as this program plays it.

    Example: ccgrid rules grid
    """
    show_rules(find_game(game).name)
