"""The voice of a table at a terminal or through a pipe: it shows with the views and asks on standard input."""

import contextlib
import sys
from importlib import import_module

from ccgrid.services.session import Session
from ccgrid.terminal.keyboard import LeftTable, Prompter
from ccgrid.view.games import show_moves, show_position, tell
from ccgrid.view.names import player_name
from ccgrid.view.output import show
from ccgrid.view.rules import show_rules
from ccgrid.view.screen import Window, clear
from ccgrid.view.streams import input_line
from engine.games import find_game
from engine.records.record import Ply


def voice() -> Prompter:
    """Speaks through standard output; on a terminal the line being typed can be edited."""
    if sys.stdin is not None and sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import_module("readline")  # line editing at the prompt; its import alone turns it on

    window = Window()
    return Prompter(
        ask=lambda table: read_line(f"{player_name(table.player)}> "),
        say=show,
        board=lambda table: _show_board(table, window),
        moves=_show_moves,
        played=_show_played,
        rules=lambda table: show_rules(table.setup.game),
        cover=_cover,
        ready=lambda table: read_line("Enter goes on> "),
        uncover=clear,
        resized=window.changed,
    )


def read_line(prompt: str) -> str:
    """The line that somebody types; raises LeftTable where nobody does."""
    if sys.stdin is None:  # the program was started with its standard input closed
        raise LeftTable
    try:
        return input_line(prompt)
    except (EOFError, KeyboardInterrupt):
        show("")  # the prompt's line has no end
        raise LeftTable from None


def _show_board(table: Session, window: Window) -> None:
    window.look()
    show("")
    seat = table.state.to_move
    show_position(table.setup.game, table.state.view(seat), table.last_move, seat)


def _show_moves(table: Session, whole: bool) -> None:
    view = table.state.view(table.state.to_move)
    show_moves(table.setup.game, view, find_game(view.game).listed(table.state), whole=whole)


def _show_played(table: Session, plies: list[Ply]) -> None:
    show(*(tell(table.setup.game, plies) or ["Nobody else has played yet."]))


def _cover(table: Session, plies: list[Ply]) -> None:
    clear()
    show(f"{player_name(table.player)}, it is your turn. Press Enter when nobody else looks at the screen.")
    if plies:
        show("", "Since your last turn:", *tell(table.setup.game, plies))
    show("", "To take the last move back type undo." if table.decided() is not None else "")
