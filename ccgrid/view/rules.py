"""The rules of a game, as the game's own page tells them to people."""

from ccgrid.view.output import show_markdown
from engine.games import find_game


def show_rules(game: str) -> None:
    """Print the rules of a game."""
    show_markdown(find_game(game).pictures.rules_page())
