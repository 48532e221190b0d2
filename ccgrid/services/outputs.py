"""Files that a command is to write: one that is there stays, unless it is of the same kind and that is wanted."""

import re
from collections.abc import Callable
from os import W_OK, access
from pathlib import Path
from typing import Final, NamedTuple

from catalog.card import CatalogError

_BEGINNING: Final = 1 << 16
"""What a file is, its first bytes tell."""


class FileKind(NamedTuple):
    """A kind of file: what it is called, and whether a file that begins with this text is one."""

    what: str
    fits: Callable[[str], bool]


def _has_key(text: str, key: str) -> bool:
    """Whether a TOML document that begins so has a key, or a table of that name."""
    return re.search(rf"^\s*(?:\[\[?{key}\b|{key}\s*=)", text, re.MULTILINE) is not None


def _is_record(text: str) -> bool:
    if text.lstrip().startswith("{"):
        return '"game"' in text and '"players"' in text
    return _has_key(text, "game") and _has_key(text, "players")


def _is_deck(text: str) -> bool:
    return _has_key(text, "cards") and not _is_record(text)


def _is_layout(text: str) -> bool:
    return _has_key(text, "game") and (_has_key(text, "printed") or _has_key(text, "format")) and not _is_record(text)


def _is_page(text: str) -> bool:
    return text.lstrip().lower().startswith("<!doctype html")


def _is_pdf(text: str) -> bool:
    return text.startswith("%PDF-")


def _is_list(text: str) -> bool:
    """Tables, lists of cards, JSON Lines and XML: whatever a collection is written as."""
    first = text.lstrip().partition("\n")[0]
    is_toml = re.match(r"\[|[\w-]+\s*=\s*", first) is not None
    return bool(first) and not is_toml and not _is_record(text)


RECORD: Final = FileKind("a record of games", _is_record)
DECK: Final = FileKind("a deck", _is_deck)
LAYOUT: Final = FileKind("a layout", _is_layout)
PAGE: Final = FileKind("a page", _is_page)
PDF: Final = FileKind("a PDF", _is_pdf)
CARDS: Final = FileKind("a list of cards", _is_list)


def is_file(path: Path) -> bool:
    """Whether a file is there; nothing is where no file can be."""
    try:
        return path.is_file()
    except OSError:
        return False


def check_free(path: Path, kind: FileKind, *, force: bool) -> None:
    """Refuses to write over a file that is there; with `force` only over one of another kind. Devices are no files.

    Raises:
        CatalogError: it says what to do.
    """
    if not is_file(path):
        return
    if not force:
        raise CatalogError(f"{path} exists already: name another file, or write over it with --force.")
    with path.open("rb") as file:
        data = file.read(_BEGINNING)
    if data and (b"\0" in data or not kind.fits(data.decode("utf-8-sig", "replace"))):
        raise CatalogError(f"{path} is not {kind.what}: --force writes over files of the same kind only.")


def check_folder(record: Path) -> None:
    """Refuses, before anybody plays, a file in which the game cannot be saved; raises CatalogError."""
    if record.is_dir():
        raise CatalogError(f"{record} is a folder: name a file to save the game in.")
    if not access(record.parent, W_OK):
        raise CatalogError(f"{record.parent} is not a folder in which the game can be saved: name another.")
