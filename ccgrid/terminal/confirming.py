"""Asks at a terminal whether something is done that changes much."""

from catalog.card import NotConfirmedError
from ccgrid.view.output import show
from ccgrid.view.streams import input_line


def ask(refused: NotConfirmedError) -> bool:
    """Whether a person wants it done."""
    show(f"{str(refused).partition(';')[0]}.")
    try:
        return input_line("Do it? yes or no> ").strip().casefold() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        show("")
        return False
