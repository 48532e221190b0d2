"""Checks of recorded games, each reported at once, and their exit status."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ccgrid.engine.errors import RecordError
from ccgrid.engine.records.match import MatchReader
from ccgrid.engine.records.record import RESIGNED, Reading, Record
from ccgrid.exit_statuses import DONE, NOT_DONE, NOT_VALID
from ccgrid.services.choices import Choices
from ccgrid.services.records import Checked, card_lookup, check_games
from ccgrid.terminal.choosing import interactive_chooser, show_choices
from ccgrid.view.output import remark, show_json
from ccgrid.view.pictures import player_name
from ccgrid.view.reports import show_score, show_validity


def status_of(error: RecordError | None) -> int:
    """Return the exit status of a check: 0 for a valid game, 1 for an invalid one, 3 for a file that is not a game."""
    if error is None:
        return DONE
    return NOT_DONE if error.where == "file" else NOT_VALID


def report_record_error(file: str, error: RecordError) -> int:
    """Print an error of a recorded game, and return the exit status."""
    remark(f"Error: {file}: {error.message if error.where == 'file' else error}")
    return status_of(error)


def report_resignation(record: Record) -> None:
    """Say of a recorded game that is continued that a player resigned it."""
    if (resigned := record.notes.get(RESIGNED)) in record.setup.players:
        remark(f"{player_name(resigned)} resigned this game. It continues before that.")


def show_checks(
    files: Sequence[Path], database: Path | None, *, ending: bool = False, scores: bool, as_json: bool
) -> int:
    """Check every game in the files and show the results; return the exit status of all of them."""
    choices, matches = Choices(interactive_chooser(as_json=as_json)), MatchReader()
    with card_lookup(database, choices) as find:
        status = max(
            (
                _show_file(file, check_games(file, find, ending=ending), matches, scores=scores, as_json=as_json)
                for file in files
            ),
            default=DONE,
        )
    show_choices(choices)
    return status


def _show_file(file: Path, games: Iterable[Checked], matches: MatchReader, *, scores: bool, as_json: bool) -> int:
    view = show_score if scores else show_validity
    status, unread, others = DONE, 0, 0
    for read in games:
        game, standing = matches.follow(read) if isinstance(read, Reading) else (read, None)
        code = status_of(game.error)
        if code == NOT_DONE:
            unread += 1
        else:
            others += 1
            status = max(status, code)
        if game.error is not None and code == NOT_DONE and not as_json:
            if unread == 1:  # a file that is not a record may have millions of lines
                report_record_error(game.file, game.error)
            continue
        check = game.check()
        if as_json:
            show_json(check.answer(standing.answer(scores=scores) if standing else None, scores=scores))
        else:
            view(check, standing)
    if unread > 1 and not as_json:
        remark(f"Error: {file}: {unread - 1:,} more of its lines cannot be read")
    if unread:  # an unreadable line among readable ones counts as an invalid game
        status = max(status, NOT_VALID if others else NOT_DONE)
    return status
