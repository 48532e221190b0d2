"""Playing at this keyboard from the first question to the last: a new game or match, one that was left, a record."""

from pathlib import Path

from catalog.card import CatalogError
from ccgrid.services.choices import Choices
from ccgrid.services.kept_games import LAST, KeptGame, kept_with_record, last_kept, records_of, resume
from ccgrid.services.match_session import MatchSession
from ccgrid.services.real_tables import is_refereed
from ccgrid.services.record_outputs import check_holds_match
from ccgrid.services.records import read_begun
from ccgrid.services.tables import TableRequest, open_table, reopened
from ccgrid.terminal.checks import complain, status_of
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.terminal.left import asked_for_kept
from ccgrid.terminal.referee import referee_game
from ccgrid.terminal.rematch import play_on
from ccgrid.view.names import player_name
from ccgrid.view.output import remark, show
from engine.games import find_game
from engine.schema import RecordError


def play_new(request: TableRequest, record: Path | None, seed: int) -> None:
    """Plays what was asked for, and writes it to `record` if that is given.

    Raises:
        CatalogError: what was said does not fit together, a deck is not legal, or the file cannot hold a match.
        EngineError: the game or a player cannot be.
    """
    if record is not None and request.is_match:
        check_holds_match(record)
    table = open_table(request, seed, remark, asking())
    for player, title in table.factions.items():
        show(f"{player_name(player)}: {title}")
    kept = KeptGame.begin(find_game(request.game).name, remark)
    if isinstance(table.play, MatchSession):
        kept.keep_plan(table.play, table.dealer, record)
    play_on(table.play, record, kept, seed, remark)


def play_left(record: Path | None, seed: int) -> bool:
    """Goes on with what was left, if anything was and somebody wants that; whether it did."""
    if (kept := asked_for_kept()) is None:
        return False
    _take_up(kept, record, seed)
    return True


def play_recorded(load: Path, record: Path | None, seed: int, database: Path | None) -> int:
    """Goes on with a recorded game, or with what was left last; the exit status, which tells of a wrong record.

    Raises:
        CatalogError: nothing was left.
    """
    kept = last_kept(remark) if str(load) == LAST and not load.exists() else kept_with_record(load, remark)
    if kept is not None:
        _take_up(kept, record, seed)
        return 0
    if str(load) == LAST and not load.exists():
        raise CatalogError("No game was left. Begin one with: ccgrid play")
    try:
        loaded = read_begun(load, database, choices := Choices(asking()), is_refereed)
    except RecordError as error:
        complain(str(load), error)
        return status_of(error)
    tell_choices(choices)
    begun = KeptGame.begin(loaded.setup.game, remark)
    if is_refereed(loaded):
        referee_game(loaded, record, begun)
    else:
        play_on(reopened(loaded, seed), record, begun, seed, remark)
    return 0


def _take_up(kept: KeptGame, record: Path | None, seed: int) -> None:
    """Goes on with a game or a match that was kept."""
    if is_refereed(last := records_of(kept)[-1]):
        referee_game(last, record, kept)
        return
    resumed = resume(kept, seed)
    is_match = isinstance(resumed.play, MatchSession)
    play_on(resumed.play, record or (kept.record if is_match else None), kept, seed, remark)
