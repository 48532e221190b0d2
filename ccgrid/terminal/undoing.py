"""Asks at a terminal whether what was done last is taken back."""

from catalog.store.deeds import Deed
from ccgrid.view.output import show
from ccgrid.view.streams import input_line


def ask(last: Deed) -> bool:
    """Whether a person wants it back."""
    show(f"Last: {last}.")
    try:
        return input_line("Take it back? yes or no> ").strip().casefold() in ("y", "yes")
    except (EOFError, KeyboardInterrupt):
        show("")
        return False
