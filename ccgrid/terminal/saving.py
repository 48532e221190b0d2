"""A game that is over, and a file that cannot be written: another is asked for, else the game is printed."""

from collections.abc import Callable
from pathlib import Path

from catalog.card import CatalogError
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.terminal.keyboard import LeftTable
from ccgrid.terminal.voice import read_line
from ccgrid.view.output import remark, show
from engine.errors import EngineError


def save_anywhere(save: Callable[[Path], object], file: Path, text: Callable[[], str], *, asks: bool) -> Path | None:
    """Where a game was saved in the end: in the file, or in another that somebody names; None where it was printed.

    `save` writes it to a file, `text` is what it writes; it is asked for another file only where somebody is there.
    """
    path = file
    while True:
        try:
            save(path)
        except (EngineError, CatalogError, OSError) as error:
            remark(f"Not saved: {error}")
        else:
            return path
        other = _other_file() if asks else None
        if other is None:
            remark("This is the game; keep it in a file:")
            show(text().rstrip("\n"))
            return None
        path = other


def _other_file() -> Path | None:
    """Another file that a person names, one that is not there yet; None where they name none."""
    while True:
        try:
            line = read_line("Another file (Enter prints the game)> ").strip()
            if not line:
                return None
            path = Path(line).expanduser()
            check_free(path, RECORD, force=False)
        except (LeftTable, KeyboardInterrupt):
            return None
        except (CatalogError, OSError, RuntimeError) as error:
            remark(str(error))
        else:
            return path
