"""Files that a command is to write: one that is there stays, unless it is of the same kind and that is wanted."""

from enum import Enum
from os import W_OK, access
from pathlib import Path
from typing import Final

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.files import check_target


class FileKind(Enum):
    """A kind of file: what it is called."""

    RECORD = "a record of games"
    DECK = "a deck"
    LAYOUT = "a layout"
    PAGE = "a page of ccgrid"
    PDF = "a PDF of ccgrid"
    CARDS = "a list of cards"
    PICTURE = "a picture of ccgrid"
    PATCH = "a patch"


RECORD, DECK, LAYOUT, PAGE, PDF, CARDS, PICTURE, PATCH = FileKind


def is_file(path: Path) -> bool:
    """Whether a file is there; nothing is where no file can be."""
    try:
        return path.is_file()
    except OSError:
        return False


def check_free(path: Path, kind: FileKind, *, force: bool) -> None:
    """Refuses to write over a file that is there, and through a link; with `force` only over one of another kind.

    Devices are no files.

    Raises:
        CatalogError: it says what to do.
    """
    if "\0" in str(path):
        raise CatalogError(f"{str(path)!r} cannot be written: not a file name.")
    try:
        check_target(path)
        there = path.is_file()
    except IsADirectoryError:
        return  # told by whoever writes
    except OSError as error:
        raise CatalogError(f"{path} cannot be written: {error.strerror}.") from None
    if not there:
        _check_ending(path, kind)
        return
    if not force:
        raise CatalogError(f"{path} exists already: name another file, or write over it with --force.")
    if path.stat().st_size and not _is(kind, path):
        raise CatalogError(f"{path} is not {kind.value}: --force writes over files of the same kind only.")


_ENDINGS: Final = {
    RECORD: (".toml", ".jsonl"),
    DECK: (".toml",),
    LAYOUT: (".toml",),
    PAGE: (".html", ".htm"),
    PDF: (".pdf",),
    PICTURE: (".svg", ".png"),
    PATCH: (".toml",),
}
_LISTS: Final = (".json", ".csv", ".tsv", ".parquet", ".xml", ".txt", ".dek", ".cod", ".ydk", ".o8d", ".dec")
_OTHER: Final = (*_LISTS, ".png", ".jpg", ".jpeg", ".gif", ".webp")
"""The endings of kinds of files, and others that say what is in a file."""


def _check_ending(path: Path, kind: FileKind) -> None:
    """Refuses a name whose ending says that the file is of another kind."""
    own, ending = _ENDINGS.get(kind, ()), path.suffix.lower()
    said = {*_OTHER, *(one for endings in _ENDINGS.values() for one in endings)}
    if own and ending in said and ending not in own:
        raise CatalogError(f"{path}: {kind.value} is not written as {ending}. Name a file ending in {own[0]}.")


def _is(kind: FileKind, path: Path) -> bool:
    """Whether a file can be read as one of this kind."""
    from ccgrid.services import file_kinds

    reads = {
        RECORD: file_kinds.is_record,
        DECK: file_kinds.is_deck,
        LAYOUT: file_kinds.is_layout,
        PAGE: file_kinds.is_page,
        PDF: file_kinds.is_pdf,
        CARDS: file_kinds.is_card_list,
        PICTURE: file_kinds.is_picture,
        PATCH: file_kinds.is_patch,
    }
    try:
        return reads[kind](path)
    except (CatalogError, ValueError, RecursionError):
        return False


def check_folder(record: Path) -> None:
    """Refuses, before anybody plays, a file in which the game cannot be saved; raises CatalogError."""
    if record.is_dir():
        raise CatalogError(f"{record} is a folder: name a file to save the game in.")
    if not access(record.parent, W_OK):
        raise CatalogError(f"{record.parent} is not a folder in which the game can be saved: name another.")
