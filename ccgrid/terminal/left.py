"""The question whether to go on with the game that was left last."""

import sys

from catalog.card import CatalogError
from ccgrid.services.kept_games import KeptGame, last_kept, told
from ccgrid.terminal.keyboard import LeftTable
from ccgrid.terminal.voice import read_line
from ccgrid.view.output import remark, show


def asked_for_kept() -> KeptGame | None:
    """The game that was left last, where a person at a terminal wants to go on with it."""
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    kept = last_kept(remark)
    if kept is None:
        return None
    try:
        show(f"Not over yet: a {told(kept)}.")
        answer = read_line("Go on with it? [Y/n] ").strip().lower()
    except LeftTable:
        raise CatalogError("Nothing is begun; the game is still kept.") from None
    except CatalogError as error:  # it is damaged: a new game is no worse than before
        remark(str(error))
        return None
    return None if answer.startswith("n") else kept
