"""Files that a command writes: --force overwrites a file only if it is of the same kind."""

from collections.abc import Collection
from os import W_OK, access
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.files import check_target, ending_of
from ccgrid.services.output_kinds import (
    BACKUP,
    CORRECTIONS,
    DECK,
    LAYOUT,
    LOSSES,
    PAGE,
    PDF,
    PICTURE,
    RECORD,
    OutputKind,
)


def is_file(path: Path) -> bool:
    """Return whether a file exists, also for impossible names."""
    try:
        return path.is_file()
    except OSError:
        return False


def check_free(path: Path, kind: OutputKind, *, force: bool) -> None:
    """Check that a file may be written: its ending is one of its kind, and `check_not_replaced` allows it.

    Raises:
        NoSuchNameError: If the ending is that of another kind.
        CatalogError: If a file must not be replaced. The message says what to do.
    """
    if kind in _ENDINGS:
        check_ending(path, _ENDINGS[kind], kind.value)
    check_not_replaced(path, kind, force=force)


def check_not_replaced(path: Path, kind: OutputKind, *, force: bool) -> None:
    """Check that no existing file is replaced, except with `force` one of the same kind; and that it is no link.

    Devices may be written.

    Raises:
        CatalogError: If a file must not be replaced. The message says what to do.
    """
    if "\0" in str(path):
        raise CatalogError(f"{str(path)!r} cannot be written: not a file name.")
    try:
        check_target(path)
        there = path.is_file()
    except IsADirectoryError:
        return  # the writer reports it
    except OSError as error:
        raise CatalogError(f"{path} cannot be written: {error.strerror}.") from None
    if not there:
        return
    from ccgrid.services import same_kind  # it loads readers of all kinds of files

    if path.stat().st_size and not same_kind.is_of_kind(kind, path):
        if not force:
            raise CatalogError(f"{path} exists already, and is not {kind.value}: name another file.")
        raise CatalogError(f"{path} is not {kind.value}: --force writes over files of the same kind only.")
    if not force:
        raise CatalogError(f"{path} exists already: name another file, or write over it with --force.")


_ENDINGS: Final = {
    RECORD: (".toml", ".jsonl", ".ndjson"),
    DECK: (".toml",),
    LAYOUT: (".toml",),
    PAGE: (".html", ".htm"),
    PDF: (".pdf",),
    PICTURE: (".svg",),
    CORRECTIONS: (".csv",),
    LOSSES: (".csv",),
    BACKUP: (".zip",),
}
"""The endings of kinds of files, the usual one first."""


def check_ending(path: Path, endings: Collection[str], what: str) -> None:
    """Reject a file whose ending belongs to another kind.

    Raises:
        NoSuchNameError: If the file has an ending, and none of these.
    """
    ending = ending_of(path)
    if ending and ending not in endings:
        raise NoSuchNameError(
            f"{path}: {what} is not written as {ending}. Name a file ending in {' or '.join(endings)}.",
            kind="ending",
            name=ending,
            known=endings,
        )


def check_folder(record: Path) -> None:
    """Check before the game that it can be saved in a file.

    Raises:
        CatalogError: If it cannot.
    """
    if record.is_dir():
        raise CatalogError(f"{record} is a folder: name a file to save the game in.")
    if not access(record.parent, W_OK):
        raise CatalogError(f"{record.parent} is not a folder in which the game can be saved: name another.")
