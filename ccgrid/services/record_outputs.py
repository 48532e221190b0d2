"""Records that are to be written: an earlier state of the same game is written over, and nothing else unasked."""

from contextlib import suppress
from pathlib import Path

from catalog.card import CatalogError
from ccgrid.services.outputs import RECORD, check_free, is_file
from engine.errors import EngineError
from engine.records.files import JSON_LINES, read_games
from engine.records.record import Record


def check_free_for(path: Path, record: Record, *, force: bool) -> None:
    """Refuses what `check_free` refuses, but for an earlier state of the same game: a record is always written over it.

    Raises:
        CatalogError: it says what to do.
    """
    if is_file(path) and not force:
        with suppress(EngineError):
            found = [reading.require() for reading in read_games(path)]
            if len(found) == 1 and found[0].setup == record.setup:
                moves = found[0].moves
                if record.moves[: len(moves)] == moves:
                    return
    check_free(path, RECORD, force=force)


def check_holds_match(path: Path) -> None:
    """Refuses a file that by its name holds one game only; raises CatalogError. Devices have no endings."""
    if path.suffix not in JSON_LINES and (path.is_file() or not path.exists()):
        raise CatalogError(f"{path} would hold one game: save a match in a file like {path.stem}.jsonl.")
