"""Decks that a record names: files beside it, or ready-made decks, unchanged if the record says what they were."""

import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from catalog.card import Card, CatalogError
from catalog.codes.code import is_code
from catalog.documents import LARGEST_DOCUMENT
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import is_file
from engine.errors import quoted
from engine.records.decks import DeckLookup, no_decks

_NAMED: Final = re.compile(r"(?P<name>.+?)(?:#sha256=(?P<digest>[0-9a-fA-F]{8,64}))?", re.DOTALL)
_ELSEWHERE: Final = re.compile(r"^(?:/|[A-Za-z]:)|\\")
"""Paths from the root, those with a drive, and those that begin with the name of another machine."""
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *(?:\..*)?", re.IGNORECASE | re.DOTALL)
"""What stands for a device in every folder of Windows; records mean the same everywhere."""
_JUNCTION: Final = 0xA0000003
"""How Windows marks a folder that leads elsewhere."""
_SHOWN: Final = 12
"""So many digits of a checksum stand in messages."""


def decks_beside(record: Path, database: Path | None, choices: Choices) -> DeckLookup:
    """Finds decks by their names or paths, seen from the folder in which a record is: plain files in it or below it.

    A record in a code or out of a pipe is in no folder; there are only ready-made decks for it.
    """
    folder = record.parent if is_file(record) and str(record) != "-" and not is_code(str(record)) else None

    def find(text: str, game: str) -> Sequence[Card]:
        named = _NAMED.fullmatch(text)
        name, digest = (named["name"], named["digest"]) if named else (text, None)
        from ccgrid.services.deck_checks import read_legal_deck
        from ccgrid.services.factions import bundled_factions

        path = _path(folder, name)
        if path is None:
            for faction in bundled_factions():
                if faction.game == game and faction.deck.name == name and digest is None:
                    return faction.deck.cards
            if folder is None:
                return no_decks(text, game)
            raise CatalogError(f"there is no deck {quoted(name)} in {folder}")
        if digest is not None and not (found := _digest(path)).startswith(digest.lower()):
            raise CatalogError(f"{quoted(name)} was changed: its sha256 begins with {found[:_SHOWN]} now")
        return read_legal_deck(path, game, database, choices)

    return find


def _path(folder: Path | None, name: str) -> Path | None:
    """The file of this name in a folder or below it, with or without its ending; None where there is none.

    Nothing is opened to find it, and nothing looked at outside of the folder. Raises CatalogError where the name leads
    out of it, or to what is no plain file.
    """
    parts = name.split("/")
    if _ELSEWHERE.search(name) or ".." in parts or any(map(_DEVICE.fullmatch, parts)):
        raise CatalogError(f"{quoted(name)} is not a name in the folder of the record: put the deck there, or below it")
    if folder is None or not name.strip() or "\0" in name:
        return None
    return next((path for path in (folder / name, folder / f"{name}.toml") if _is_plain(folder, path)), None)


def _is_plain(folder: Path, path: Path) -> bool:
    """Whether a file is there; raises CatalogError where something else is, or a link on the way to it."""
    inside = path.relative_to(folder)
    for part in (*reversed(tuple(inside.parents)[:-1]), inside):
        try:
            found = (folder / part).lstat()
        except (OSError, ValueError):  # nothing can be called so
            return False
        is_link = stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION
        if is_link or not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
            raise CatalogError(f"{quoted(part)} is a link or a device: put the deck itself beside the record")
    return stat.S_ISREG(found.st_mode)


def _digest(path: Path) -> str:
    from hashlib import sha256

    with path.open("rb") as file:
        return sha256(file.read(LARGEST_DOCUMENT + 1)).hexdigest()
