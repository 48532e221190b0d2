"""The rules of a game, as `data/rules` holds them for people."""

from importlib import resources

from ccgrid.view.output import console


def rules_text(game: str) -> str:
    """The rules of a game in Markdown."""
    return (resources.files("data") / "rules" / f"{game}.md").read_text(encoding="utf-8")


def show_rules(game: str) -> None:
    """Print the rules of a game: set on a terminal, as they are written into a pipe."""
    target = console()
    if not target.is_terminal:
        print(rules_text(game), end="")
        return
    from rich.markdown import Markdown

    target.print(Markdown(rules_text(game)))
