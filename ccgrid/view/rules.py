"""The rules of a game, as the game's own page tells them to people."""

from rich.markdown import Markdown

from ccgrid.view.output import console
from engine.games import find_game


def rules_text(game: str) -> str:
    """The rules of a game in Markdown."""
    return find_game(game).view.rules_page()


def show_rules(game: str) -> None:
    """Print the rules of a game: set on a terminal, as they are written into a pipe."""
    target = console()
    if target.is_terminal:
        target.print(Markdown(rules_text(game)))
    else:
        print(rules_text(game), end="")
