"""A game at a terminal, or the games of a match: played to the end or left, saved, and how each ended."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shlex import quote

from ccgrid.services.kept_games import LAST, KeptGame, forget_alike
from ccgrid.services.match_session import MatchSession
from ccgrid.services.session import Session
from ccgrid.terminal.keyboard import LeftTable, Prompter, sit_down
from ccgrid.terminal.saving import save_anywhere
from ccgrid.terminal.voice import read_line, voice
from ccgrid.view.games import show_position, tell
from ccgrid.view.names import player_name
from ccgrid.view.output import remark, show
from ccgrid.view.scores import show_end, show_match
from ccgrid.view.screen import other_screen

Sit = Callable[[Session, Prompter, Path | None], None]
"""Plays a game with people, or raises LeftTable; the file is where `save` alone saves."""


def play_game(table: Session, record: Path | None, kept: KeptGame, sit: Sit = sit_down) -> bool:
    """Plays one game to its end, and saves it; it is kept after every move. `sit` is what happens at the table.

    Returns False where somebody leaves before the end.
    """
    table.changed = kept.keep
    try:
        with _ended_in_order():
            stays = _sit(table, record, sit)
    except SystemExit:
        with suppress(OSError):  # the window may be closed
            _leave(table, record, kept)
        raise
    if not stays:
        _leave(table, record, kept)
        return False
    _show_end(table)
    saved = None
    if record is not None:
        is_watched = len(table.computers) < len(table.setup.players)
        saved = save_anywhere(table.save, record, lambda: table.record().to_toml(), asks=is_watched)
    if saved is not None:
        _say_saved(saved)
    kept.finish(saved=saved is not None)
    forget_alike(table.record())
    return True


def play_match(match: MatchSession, record: Path | None, kept: KeptGame) -> bool:
    """Plays a match to its end; after every move the games are kept, after every game they are in the file.

    Returns False where somebody leaves before the end, or gives a game up.
    """
    try:
        with _ended_in_order():
            return _play_games(match, record, kept)
    except SystemExit:
        with suppress(OSError):
            _leave_match(match, record, kept)
        raise


def _play_games(match: MatchSession, record: Path | None, kept: KeptGame) -> bool:
    while True:
        show("", f"Game {match.number} of {_length(match)}.")
        table = match.session
        table.changed = lambda _: kept.keep_match(match)
        stays = _sit(table, None)
        if not stays or table.resigned is not None:
            if stays:
                _show_end(table)
            _leave_match(match, record, kept)
            return False
        outcome = match.end_game()
        _show_end(table)
        if record is not None:
            record = save_anywhere(match.write, record, lambda: match.match.to_json_lines(), asks=match.has_people)
        players = match.match.players
        if outcome is not None:
            show("", "The match:")
            show_end(players, outcome, "match")
            if record is not None:
                _say_saved(record)
            kept.finish(saved=record is not None)
            return True
        show_match(players, match.match.scores(), adds_points=match.match.adds_points)
        if match.has_people:
            try:
                read_line("Enter begins the next game> ")
            except LeftTable:
                _leave_match(match, record, kept)
                return False
        match.next_game()


def _length(match: MatchSession) -> str:
    plan = match.match
    return f"{plan.length}" if plan.adds_points else f"at most {plan.length}"


def _sit(table: Session, record: Path | None, sit: Sit = sit_down) -> bool:
    """Lets people play a game; false where somebody leaves before its end."""
    show("Type help to see what can be typed.")
    try:
        with other_screen(table.is_secret):
            sit(table, voice(), record)
    except (LeftTable, KeyboardInterrupt):
        return False
    return True


def _leave(table: Session, record: Path | None, kept: KeptGame) -> None:
    kept.keep(table)  # whatever interrupted the last time
    if table.moves and record is not None:
        save_anywhere(table.save, record, lambda: table.record().to_toml(), asks=False)
    if table.saved_to is not None:
        remark(f"The game is not over. Go on with: ccgrid play --load {quote(str(table.saved_to))}")
    elif kept.is_there:
        remark(f"The game is not over. Go on with: ccgrid play --load {LAST}")
    else:
        remark("The game is not over, and not saved.")


def _leave_match(match: MatchSession, record: Path | None, kept: KeptGame) -> None:
    kept.keep_match(match)
    if record is not None:
        record = save_anywhere(match.write, record, lambda: match.match.to_json_lines(), asks=False)
    kept.leave()
    where = "" if record is None else f" Its games are in {record}."
    goes_on = f" Go on with: ccgrid play --load {LAST}" if kept.is_there else ""
    remark(f"The match is not over.{where}{goes_on}")


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """While the block runs, a closed window and a polite request to end take the usual way out."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    names = ("SIGTERM", "SIGHUP")
    before = {number: signal.signal(number, end) for name in names if (number := getattr(signal, name, None))}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
