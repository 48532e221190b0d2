"""Pictures of scanned cards, kept next to the catalogue."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ccgrid.catalog.files import make_folder, write_atomically
from ccgrid.catalog.store import scans
from ccgrid.services.catalogue import catalogue_path, open_existing

_FOLDER: Final = "pictures"
_LONGEST_NAME: Final = 100
"""The most characters of the name of a picture: a SHA-256 and a position have fewer."""


def pictures_folder(database: Path | None) -> Path:
    """Return the folder of a catalogue's pictures: `cards-pictures` next to `cards.db`."""
    path = catalogue_path(database)
    return path.with_name(f"{path.stem}-{_FOLDER}")


def picture_name(digest: str, place: int) -> str:
    """Return the name of the picture of a card: the SHA-256 of its photograph and its position on it."""
    picture, place = scans.scan_key(digest, place)
    return f"{picture}-{place}"


def keep_picture(database: Path | None, name: str, jpeg: bytes) -> None:
    """Store the picture of a card.

    Raises:
        OSError: If it cannot be written.
    """
    path = _picture_file(database, name)
    make_folder(path.parent, private=True)
    write_atomically(path, jpeg)


def read_picture(database: Path | None, name: str) -> bytes | None:
    """Return the JPEG with this name, or None if there is none."""
    # A longer name is no file's name on any system, and some raise an error for it.
    is_name = name.replace("-", "").isalnum() and name.isascii() and len(name) <= _LONGEST_NAME
    path = _picture_file(database, name)
    return path.read_bytes() if is_name and path.is_file() else None


def pictures_of(database: Path | None, card_ids: Sequence[str] | None = None) -> Mapping[str, str]:
    """Return the names of pictures by the names of their cards, of these printings or of all; the newest counts."""
    folder = pictures_folder(database)
    if not folder.is_dir():
        return {}
    with open_existing(database) as store:
        found = scans.accepted_names(store, card_ids) if store else []
    there = {file.stem for file in folder.glob("*.jpg")}
    named = ((card, f"{picture}-{place}") for card, picture, place in reversed(found))
    return {card: name for card, name in named if name in there}


def _picture_file(database: Path | None, name: str) -> Path:
    return pictures_folder(database) / f"{name}.jpg"
