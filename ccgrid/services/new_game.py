"""Packages for new games: copies of a small game under another name."""

import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Final

import msgspec

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import atomic_folder, make_folder, write_atomically
from ccgrid.engine.games import GAMES

_TEMPLATE: Final = "ladder"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_MAX_NAME_LENGTH: Final = 30


class NewGame(msgspec.Struct, frozen=True, kw_only=True):
    """A package that was written for a new game: the game's name, the folder, and the files in it."""

    name: str
    folder: str
    files: list[str]


def write_package(name: str, parent: Path) -> NewGame:
    """Write a package with a game of this name into a new folder `ccgrid-NAME`, completely or not at all.

    Raises:
        CatalogError: If a game of this name exists, or its package is installed.
        OSError: If the folder exists already, or cannot be written.
    """
    if name in GAMES.names:
        raise CatalogError(f"There is a game '{name}' already. Choose another name.")
    if find_spec(f"ccgrid_{name}") is not None:
        raise CatalogError(f"A package ccgrid_{name} is installed already. Choose another name, or uninstall it.")
    target = parent / f"ccgrid-{name.replace('_', '-')}"
    written = []
    with atomic_folder(target) as folder:
        for path, source in _files(resources.files("ccgrid.data") / "new_game"):
            file = folder / _renamed(path, name)
            make_folder(file.parent)
            write_atomically(file, _renamed(source.read_text(encoding="utf-8"), name))
            written.append(file.relative_to(folder).as_posix())
    return NewGame(name=name, folder=str(target), files=sorted(written))


def why_invalid(name: str) -> str | None:
    """Return why a text cannot be the name of a game, or None if it can."""
    if not _NAME.fullmatch(name) or iskeyword(name):
        return "a name has lower-case letters, digits and single underscores, begins with a letter, and is no keyword"
    return f"a name has at most {_MAX_NAME_LENGTH} characters" if len(name) > _MAX_NAME_LENGTH else None


def _files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files of the template with their paths in it."""
    for entry in folder.iterdir():
        if entry.is_file() and not entry.name.endswith(".pyc"):
            yield f"{above}{entry.name}", entry
        elif entry.is_dir():
            yield from _files(entry, f"{above}{entry.name}/")


def _renamed(text: str, name: str) -> str:
    """Return a text of the template with the name of the new game.

    >>> _renamed("ccgrid-ladder: Ladder, LadderState, ladder_text", "king_hill")
    'ccgrid-king-hill: King Hill, KingHillState, king_hill_text'
    """
    title = name.replace("_", " ").title()
    text = text.replace(f"ccgrid-{_TEMPLATE}", f"ccgrid-{name.replace('_', '-')}")
    text = re.sub(rf"{_TEMPLATE.title()}(?=[A-Z])", title.replace(" ", ""), text)
    return text.replace(_TEMPLATE.title(), title).replace(_TEMPLATE, name)
