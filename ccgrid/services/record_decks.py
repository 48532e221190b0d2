"""Decks that a record names: files beside it, or ready-made decks, unchanged if the record says what they were."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from catalog.card import Card, CatalogError
from catalog.codes.code import is_code
from catalog.documents import LARGEST_DOCUMENT
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import is_file
from engine.errors import quoted
from engine.record_decks import DeckLookup, no_decks

_NAMED: Final = re.compile(r"(?P<name>.+?)(?:#sha256=(?P<digest>[0-9a-fA-F]{8,64}))?", re.DOTALL)
_SHOWN: Final = 12
"""So many digits of a checksum stand in messages."""


def decks_beside(record: Path, database: Path | None, choices: Choices) -> DeckLookup:
    """Finds decks by their names or paths, seen from the folder in which a record is."""
    if is_code(str(record)):
        return no_decks

    def find(text: str, game: str) -> Sequence[Card]:
        named = _NAMED.fullmatch(text)
        name, digest = (named["name"], named["digest"]) if named else (text, None)
        from ccgrid.services.deck_checks import read_legal_deck
        from ccgrid.services.factions import bundled_factions

        path = _path(record.parent, name)
        if path is None:
            for faction in bundled_factions():
                if faction.game == game and faction.deck.name == name and digest is None:
                    return faction.deck.cards
            raise CatalogError(f"there is no deck {quoted(name)} in {record.parent}")
        if digest is not None and not (found := _digest(path)).startswith(digest.lower()):
            raise CatalogError(f"{quoted(name)} was changed: its sha256 begins with {found[:_SHOWN]} now")
        return read_legal_deck(path, game, database, choices)

    return find


def _path(folder: Path, name: str) -> Path | None:
    """The file of this name, with or without its ending; no pipe, device or folder is opened."""
    if not name.strip() or "\0" in name:
        return None
    return next((path for path in (folder / name, folder / f"{name}.toml") if is_file(path)), None)


def _digest(path: Path) -> str:
    from hashlib import sha256

    with path.open("rb") as file:
        return sha256(file.read(LARGEST_DOCUMENT + 1)).hexdigest()
