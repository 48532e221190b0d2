"""People at one keyboard: who is asked, what they may type, and how secrets are kept; drawing is left to the view."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from catalog.card import CatalogError
from ccgrid.services.events import told
from ccgrid.services.record_outputs import check_free_for
from ccgrid.services.session import LONGEST_LINE, Session
from ccgrid.view.proofs import hint_line
from engine.errors import EngineError, MalformedMoveError
from engine.game import State
from engine.records.record import Ply

HELP: Final = """A move is typed as it is written in the list, or by its number. Besides:
  moves       list the legal moves again
  board       draw the board again
  hint        a good move, and what it is worth beside the next best
  news        what the others did since your last turn
  undo        take back your last move and what came after it
  save FILE   write the game down so far
  rules       the rules of the game
  resign      give the game up
  quit        leave the table"""

_ANY_TIME: Final = ("help", "?", "quit", "exit", "q", "save")
"""What may also be typed while the keyboard is handed over: it shows nobody's cards."""


class LeftTable(Exception):  # noqa: N818  not an error
    """Somebody left, or nothing more can be asked: the game stays unfinished."""


@dataclass(frozen=True, slots=True)
class Prompter:
    """How a table talks to people: asks who is to move for a line, says one, shows the position, the moves, the rules.

    `ask` and `ready` raise LeftTable where nobody answers any more.

    Attributes:
        ask: asks who is to move for a line.
        say: says something.
        board: shows the position as who is to move sees it.
        moves: shows the legal moves, all of them if asked for, else as far as there is room.
        played: says what others did, given the table and the moves.
        rules: shows the rules.
        cover: takes from the screen what the one before saw, and says what the others did since.
        ready: asks who is to move for a line while nobody's cards are on the screen.
        uncover: makes room for the position.
        resized: whether the window is not as wide or as high as when the position was shown last.
    """

    ask: Callable[[Session], str]
    say: Callable[[str], None]
    board: Callable[[Session], None]
    moves: Callable[[Session, bool], None]
    played: Callable[[Session, list[Ply]], None]
    rules: Callable[[Session], None]
    cover: Callable[[Session, list[Ply]], None]
    ready: Callable[[Session], str]
    uncover: Callable[[], None]
    resized: Callable[[], bool] = lambda: False


def sit_down(table: Session, voice: Prompter, save_to: Path | None) -> None:
    """Plays a game to its end, to a resignation, or until somebody leaves, which raises LeftTable.

    Where people play who may not see the same, the keyboard is handed over between them, and each is then told what the
    others did since; else everybody is told at once what a computer player did in its turn.
    """
    secret = table.is_secret
    seated: int | None = None
    shown: State | None = None
    while not table.is_over:
        if not table.is_person:
            plies = told(table.advance())
            if not secret:
                voice.played(table, plies)
            continue
        seat = table.state.to_move
        if secret and seat != seated:
            if not _handed_over(table, voice, save_to):
                seated = None
                continue
            seated, shown = seat, None
        if shown is not table.state:
            shown = table.state
            voice.board(table)
            voice.moves(table, False)
        line = voice.ask(table).strip()
        if not line and voice.resized():
            shown = None  # Enter alone draws the board for the window as it is now
        if line:
            try:
                obey(table, voice, line, save_to)
            except MalformedMoveError as error:
                voice.say(f"{error}. Type help to see what else can be typed.")
            except (EngineError, CatalogError) as error:
                voice.say(str(error))


def _handed_over(table: Session, voice: Prompter, save_to: Path | None) -> bool:
    """Hands the keyboard to who is to move; false where the one before takes a move back instead."""
    voice.cover(table, table.news())
    while True:
        line = voice.ready(table).strip()
        command = line.partition(" ")[0].lower()
        try:
            if command == "undo":
                table.undo()
                return False
            if command not in _ANY_TIME:
                voice.uncover()
                return True
            obey(table, voice, line, save_to)
        except (EngineError, CatalogError) as error:
            voice.say(str(error))


def obey(table: Session, voice: Prompter, line: str, save_to: Path | None) -> None:
    """Does what a person typed: a command or a move; raises EngineError in words where it cannot."""
    seat = table.state.to_move
    if len(line) > LONGEST_LINE or line in table.state.legal_moves():  # a move, whatever the card is called
        table.submit(seat, line)
        return
    command, _, rest = line.partition(" ")
    match command.lower():
        case "help" | "?":
            voice.say(HELP)
        case "quit" | "exit" | "q":
            raise LeftTable
        case "moves":
            voice.moves(table, True)
        case "board":
            voice.board(table)
        case "rules":
            voice.rules(table)
        case "news":
            voice.played(table, table.news())
        case "undo":
            taken = table.undo(seat if table.is_secret else None).moves
            voice.say(f"Took back {taken} move{'s' if taken > 1 else ''}.")
        case "hint":
            voice.say(hint_line(table.hint(), table.state.view(seat)))
        case "resign":
            table.resign(seat)
        case "save":
            text = rest.strip()
            force, text = text.endswith(" --force"), text.removesuffix(" --force").strip()
            path = _path(text) if text else save_to
            if path is None:
                raise EngineError("Save it where? For example: save game.toml")
            if path != save_to:
                check_free_for(path, table.record(), force=force)
            table.save(path)
            voice.say(f"Saved to {path}")
        case _:
            table.submit(seat, line)


def _path(text: str) -> Path:
    """The file that a person means; `~` is their home."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody of that name has a home here
        return Path(text)
