"""A game at a terminal, or the games of a match: played to the end or left, saved, and how each ended."""

from pathlib import Path
from shlex import quote

from ccgrid.services.match_session import MatchSession
from ccgrid.services.session import Session
from ccgrid.terminal.keyboard import LeftTable, sit_down
from ccgrid.terminal.voice import read_line, voice
from ccgrid.view.games import show_position, tell
from ccgrid.view.names import player_name
from ccgrid.view.output import remark, show
from ccgrid.view.scores import show_end, show_match
from ccgrid.view.screen import other_screen


def play_game(table: Session, record: Path | None) -> None:
    """Plays one game to its end, and saves it."""
    if not _sit(table, record):
        _leave(table, record)
        return
    _show_end(table)
    if record is not None:
        table.save(record)
        _say_saved(record)


def play_match(match: MatchSession, record: Path | None) -> None:
    """Plays a match to its end; after every game all of its games so far are in the file."""
    while True:
        show("", f"Game {match.number} of {_length(match)}.")
        table = match.session
        stays = _sit(table, None)
        if not stays or table.resigned is not None:
            if record is not None:
                match.write(record)
            if stays:
                _show_end(table)
            where = "not saved" if record is None else f"in {record}"
            remark(f"The match is not over. Its games are {where}.")
            return
        outcome = match.end_game()
        if record is not None:
            match.write(record)
        _show_end(table)
        players = match.match.players
        if outcome is not None:
            show("", "The match:")
            show_end(players, outcome, "match")
            if record is not None:
                _say_saved(record)
            return
        show_match(players, match.match.scores(), adds_points=match.match.adds_points)
        if match.has_people:
            try:
                read_line("Enter begins the next game> ")
            except LeftTable:
                remark("The match is not over." + ("" if record is None else f" Its games are in {record}."))
                return
        match.next_game()


def _length(match: MatchSession) -> str:
    plan = match.match
    return f"{plan.length}" if plan.adds_points else f"at most {plan.length}"


def _sit(table: Session, record: Path | None) -> bool:
    """Lets people play a game; false where somebody leaves before its end."""
    show("Type help to see what can be typed.")
    try:
        with other_screen(table.is_secret):
            sit_down(table, voice(), record)
    except (LeftTable, KeyboardInterrupt):
        return False
    return True


def _leave(table: Session, record: Path | None) -> None:
    if table.moves and record is not None:
        table.save(record)
    if table.saved_to is None:
        remark("The game is not over, and not saved.")
    else:
        remark(f"The game is not over. Go on with: ccgrid play --load {quote(str(table.saved_to))}")


def _say_saved(record: Path) -> None:
    show(f"Saved to {record}. Check it with: ccgrid score {quote(str(record))}")


def _show_end(table: Session) -> None:
    if table.is_secret and table.resigned is None:
        show("", *tell(table.setup.game, table.last_plies()))
    show("")
    show_position(table.setup.game, table.state, table.last_move)
    outcome = table.state.outcome()
    if outcome is None:
        show("", f"{player_name(table.resigned or table.player)} resigns.")
        return
    show_end(table.state.players, outcome)
