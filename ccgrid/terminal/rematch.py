"""What follows a game or a match at a terminal: the question whether the same people play once more."""

from collections.abc import Callable
from pathlib import Path

from ccgrid.services.kept_games import KeptGame
from ccgrid.services.match_session import MatchSession
from ccgrid.services.outputs import is_file
from ccgrid.services.rematches import Rematch, rematch
from ccgrid.services.session import Session
from ccgrid.terminal.keyboard import LeftTable
from ccgrid.terminal.table import play_game, play_match
from ccgrid.terminal.voice import read_line
from ccgrid.view.names import player_name
from ccgrid.view.output import remark, show
from ccgrid.view.streams import can_ask
from engine.dice import Dice
from engine.players import prepare


def play_on(
    first: Session | MatchSession, record: Path | None, kept: KeptGame, seed: int, failed: Callable[[str], object]
) -> None:
    """Plays a game or a match, and again for as long as people want to.

    A terminal alone is asked. Each game has a file of its own: after `game.toml` that is `game-2.toml`.
    """
    play, number = first, 1
    while _played(play, record, kept):
        number += 1
        again = rematch(play, Dice(seed).fork(number).seed) if _asks(play) else None
        if again is None or not _wanted(again):
            return
        play = again.play
        record = None if record is None else next_file(record)
        if record is not None:
            remark(f"It will be saved to {record}.")
        kept = KeptGame.begin(again.dealer.game, failed)
        if isinstance(play, MatchSession):
            kept.keep_plan(play, again.dealer, record)


def _played(play: Session | MatchSession, record: Path | None, kept: KeptGame) -> bool:
    session = play.session if isinstance(play, MatchSession) else play
    prepare(session.computers.values(), session.setup.game, remark)
    if isinstance(play, MatchSession):
        return play_match(play, record, kept)
    return play_game(play, record, kept)


def _asks(play: Session | MatchSession) -> bool:
    """Whether somebody is there who may answer."""
    table = play.session if isinstance(play, MatchSession) else play
    return can_ask() and len(table.computers) < len(table.setup.players)


def _wanted(again: Rematch) -> bool:
    what = "match" if isinstance(again.play, MatchSession) else "game"
    decks = " with the same decks" if again.dealer.decks else ""
    starts = "" if again.starts is None else f" {player_name(again.starts)} starts."
    show("", f"Another {what}{decks}?{starts} Type y to play it.")
    try:
        return read_line("Again> ").strip().lower() in ("y", "yes")
    except LeftTable:
        return False


def next_file(path: Path) -> Path:
    """The file for the next game: `game-2.toml` after `game.toml`, or the next number that is free; a device stays.

    >>> next_file(Path("no-such-folder/game-2.toml")).name
    'game-3.toml'
    """
    if path.exists() and not is_file(path):
        return path
    stem, _, number = path.stem.rpartition("-")
    base, count = (stem, int(number)) if stem and number.isdecimal() and len(number) < 5 else (path.stem, 1)
    while True:
        count += 1
        other = path.with_name(f"{base}-{count}{path.suffix}")
        if not other.exists():
            return other
