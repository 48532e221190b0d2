"""Where everything is that the program keeps: the folders and files, who said so, how large they are."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import platformdirs

from catalog.download.cache import cache_folder
from catalog.files import LOGS
from catalog.layouts.shelf import user_folders
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.kept_games import games_folder

_MOST_FOLDERS: Final = 10_000
"""So many folders inside one are looked at: it may be one that holds everything."""
_COMPILED: Final = "compiled"


@dataclass(frozen=True, slots=True)
class Place:
    """A file or a folder of the program's.

    Attributes:
        what: `program`, `command`, `catalogue`, `downloads`, `games`, `layouts` or `compiled`.
        path: where it is.
        said_by: an environment variable or `--db`; empty for the usual place.
        is_there: whether it exists.
        size: of all that is in it, in bytes; None of the program itself.
        free: bytes that are free on its disk; None where that is not known.
    """

    what: str
    path: Path
    said_by: str = ""
    is_there: bool = False
    size: int | None = None
    free: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """A place in the documented shape of `doctor --json`."""
        return {
            "what": self.what,
            "path": str(self.path),
            "said_by": self.said_by or None,
            "exists": self.is_there,
            "bytes": self.size,
            "free": self.free,
        }


def places(database: Path | None, *, said_by: str = "") -> list[Place]:
    """All of them; `said_by` is who named the database."""
    command = called_command()
    return [
        _place("program", Path(__file__).parents[2], "", sized=False),
        *([_place("command", command, "", sized=False)] if command else []),
        _place("catalogue", catalogue_path(database), said_by or _named("CCGRID_DB")),
        _place("downloads", cache_folder(), _named("CCGRID_CACHE")),
        _place("games", games_folder(), _named("CCGRID_STATE")),
        *(_place("layouts", folder, _named("CCGRID_LAYOUTS")) for folder in user_folders()),
        _place(_COMPILED, platformdirs.user_cache_path("ccgrid") / _COMPILED, ""),
    ]


def called_command() -> Path | None:
    """What the shell starts when somebody types `ccgrid`; None where it finds no such command."""
    found = shutil.which("ccgrid")
    return Path(found) if found else None


def own_command() -> Path:
    """Where this installation's command is, if it has one."""
    return Path(sys.executable).parent / "ccgrid"


def _named(variable: str) -> str:
    return f"${variable}" if os.environ.get(variable) else ""


def _place(what: str, path: Path, said_by: str, *, sized: bool = True) -> Place:
    return Place(what, path, said_by, _is_there(path), _size(path) if sized else None, _free(path))


def _is_there(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110  says no where it may not look


def _size(path: Path) -> int:
    """The bytes of a file with what SQLite keeps beside it, or of all files in a folder."""
    return sum(_bytes(file) for file in _files(path))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        for folder, below, names in islice(os.walk(path), _MOST_FOLDERS):
            if _COMPILED in below:  # stands in the list itself
                below.remove(_COMPILED)
            yield from (Path(folder, name) for name in names)
        return
    yield from (Path(f"{path}{log}") for log in ("", *LOGS))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _free(path: Path) -> int | None:
    """What is free on the disk on which a path is, or would be."""
    for folder in (path, *path.absolute().parents):
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            continue
    return None
