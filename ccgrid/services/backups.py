"""Backups: the catalogue, decks, games, settings and the user's own layouts in one file, and their restoration.

A backup is a zip. Its first entry identifies it; the others have the paths of `_places`.
"""

import json
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import IO, Final, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec

from ccgrid.catalog.collection.formats.apps import own_folder_list
from ccgrid.catalog.errors import CatalogError, DamagedCatalogueError, FileFormatError, NotConfirmedError
from ccgrid.catalog.file_kinds import BACKUP_ENTRY, FileKind, check_kind
from ccgrid.catalog.files import atomic_binary_file, make_folder, new_file, remove
from ccgrid.catalog.layouts.layout_file import user_folders
from ccgrid.catalog.outcome import OUTCOME
from ccgrid.catalog.sources import own_source_folders
from ccgrid.catalog.store.copying import check_copy, copy_catalogue, put_back
from ccgrid.catalog.temporary import errors_naming, temporary_folder, temporary_folder_beside
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.config import config_path
from ccgrid.services.state_folder import state_folder

_FORMAT: Final = 1
_CATALOGUE: Final = "catalogue.db"
_STATE: Final = ("games", "audits", "progress.json", "web/tables", "web/decks", "web/scans")
"""What is kept of the state folder: not the token and the lock of the server."""
_MOST_FILES: Final = 100_000
_LARGEST: Final = 1 << 36
"""The maximum size of all files together, in bytes."""
_DAMAGE: Final = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError, TypeError)
"""What the reader of a damaged zip raises."""


class WrittenBackup(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that was written.

    Attributes:
        file: its path.
        made: when it was made, in local time.
        files: the number of files in it.
        catalogue: whether the catalogue is one of them.
    """

    file: str
    made: str
    files: int
    catalogue: bool


class RestoredBackup(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that was restored.

    Attributes:
        made: when it was made, in local time.
        files: the number of files in it.
        catalogue: whether the catalogue is one of them. If not, the current one was kept.
        before: a backup of the data before the restoration; restoring it undoes this one.
    """

    made: str
    files: int
    catalogue: bool
    before: str


class _Content(NamedTuple):
    """The unpacked files of a backup by their names in it, and when it was made."""

    files: Mapping[str, Path]
    made: str


def previous_backup() -> Path:
    """Return the path of the backup that the last restoration made first."""
    return state_folder() / "before-restore.zip"


def _places(database: Path | None) -> dict[str, Path]:
    """Return the files and folders that are backed up, by their names in a backup."""
    state = state_folder()
    own = {"layouts": user_folders(), "sources": own_source_folders(), "formats": own_folder_list()}
    places = {
        _CATALOGUE: catalogue_path(database),
        "config.toml": config_path(),
        **{f"state/{name}": state / name for name in _STATE},
        # The first of several folders is the one in which new files are written.
        **{name: folders[0] for name, folders in own.items() if folders},
    }
    return {name: path.resolve() for name, path in places.items()}  # each may be a link


def _files(places: Mapping[str, Path]) -> Iterator[tuple[str, Path]]:
    """Yield the existing files in these places with their names in a backup; links are not followed."""
    for name, place in places.items():
        if place.is_file():
            yield name, place
        elif place.is_dir():
            for path in sorted(place.rglob("*")):
                inner = path.relative_to(place)
                is_temporary = any(part.startswith(".") for part in inner.parts)
                if path.is_file() and not path.is_symlink() and not is_temporary:
                    yield f"{name}/{inner.as_posix()}", path


def back_up(output: Path, database: Path | None, *, texts: bool = False) -> WrittenBackup:
    """Write a backup. The `texts` of cards belong to their publishers, and are left out unless they are wanted.

    Raises:
        CatalogError: If there is nothing to back up, or the catalogue is damaged.
        OSError: If the file cannot be written.
    """
    with temporary_folder() as room:
        return _write(output, _existing_files(database, room, texts=texts))


def _existing_files(database: Path | None, room: Path, *, texts: bool) -> dict[str, Path]:
    """Return the files to back up, with a copy of the catalogue in a temporary folder."""
    found = dict(_files(_places(database)))
    if _CATALOGUE in found:
        copy_catalogue(found[_CATALOGUE], copy := room / _CATALOGUE, texts=texts)
        found[_CATALOGUE] = copy
    return found


def _write(output: Path, files: Mapping[str, Path]) -> WrittenBackup:
    if not files:
        raise CatalogError("There is nothing to back up yet: no catalogue, decks, games or settings.")
    made = datetime.now().isoformat(timespec="seconds")
    with atomic_binary_file(output) as file, ZipFile(file, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        archive.writestr(BACKUP_ENTRY, json.dumps({"format": _FORMAT, "made": made}))
        for name, path in files.items():
            archive.write(path, name)
    return WrittenBackup(file=str(output), made=made, files=len(files), catalogue=_CATALOGUE in files)


def restore(backup: Path, database: Path | None, *, confirmed: bool = True) -> RestoredBackup:
    """Replace everything that a backup contains by its content, after a backup of the present data.

    Files in the same folders that are not in the backup are removed. If anything fails, all is as before.

    Raises:
        CatalogError: If the file is no backup, or damaged. Nothing is changed then.
        NotConfirmedError: If the file is a backup, and the user has not confirmed. Nothing is changed.
        OSError: If something cannot be written.
    """
    places, previous = _places(database), previous_backup()
    make_folder(places[_CATALOGUE].parent)
    make_folder(previous.parent)
    with ExitStack() as rooms:
        rooms.enter_context(errors_naming(places[_CATALOGUE]))
        room, old_room = (rooms.enter_context(temporary_folder_beside(places[_CATALOGUE])) for _ in range(2))
        content = _unpack(backup, room, places)
        if not confirmed:
            reason = "This replaces your catalogue, decks, games and settings; nothing changed yet."
            raise NotConfirmedError(f"{reason} To do it, add --yes.")
        try:
            old = _existing_files(database, old_room, texts=True)
        except DamagedCatalogueError:  # a reason to restore one; `put_back` keeps the file
            old = {name: path for name, path in _files(places) if name != _CATALOGUE}
        # Copies, because the files themselves are replaced.
        old = {name: _copied(path, old_room / "old" / name) for name, path in old.items()}
        if old:
            _write(previous, old)
        try:
            _replace(content.files, places)
        except BaseException:
            _replace(old, places)
            OUTCOME.discard()
            raise
    return RestoredBackup(
        made=content.made,
        files=len(content.files),
        catalogue=_CATALOGUE in content.files,
        before=str(previous) if old else "",
    )


def _unpack(backup: Path, room: Path, places: Mapping[str, Path]) -> _Content:
    """Unpack a backup into a folder, and check everything in it."""
    check_kind(backup, {FileKind.BACKUP}, "a backup")
    files, new = dict[str, Path](), (room / "new").resolve()
    try:
        with ZipFile(backup) as archive:
            told = json.loads(archive.read(BACKUP_ENTRY))
            members = [one for one in archive.infolist() if one.filename != BACKUP_ENTRY]
            if told["format"] != _FORMAT:
                raise FileFormatError("this backup was made by a newer ccgrid.", file=backup)
            if len(members) > _MOST_FILES or sum(one.file_size for one in members) > _LARGEST:
                raise FileFormatError("there are too many or too large files in it.", file=backup)
            for member in members:
                name, target = member.filename, new / member.filename
                is_known = any(name == place or name.startswith(f"{place}/") for place in places)
                # The name must not lead out of the folder, by `..` or a drive.
                if not is_known or name in files or new not in target.resolve().parents:
                    raise FileFormatError(f"{name!r} does not belong in a backup.", file=backup)
                with archive.open(member) as source:  # raises if the checksum is wrong
                    files[name] = _written(source, target)
        if _CATALOGUE in files:
            check_copy(files[_CATALOGUE])
    except CatalogError:
        raise
    except _DAMAGE as error:
        raise FileFormatError(f"this is not a backup, or a damaged one ({error}).", file=backup) from None
    return _Content(files, str(told.get("made", "")))


def _replace(files: Mapping[str, Path], places: Mapping[str, Path]) -> None:
    """Make the places contain these files and no others; the catalogue last, and only if it is one of them."""
    for name, path in _files(places):
        if name not in files and name != _CATALOGUE:
            remove(path)
    for name, source in files.items():
        if name != _CATALOGUE:
            place = next(one for one in places if name == one or name.startswith(f"{one}/"))
            target = places[place] / name.removeprefix(place).lstrip("/") if name != place else places[place]
            make_folder(target.parent, private=name.startswith("state/"))
            with source.open("rb") as read, atomic_binary_file(target) as written:
                shutil.copyfileobj(read, written)
    if _CATALOGUE in files:
        put_back(files[_CATALOGUE], places[_CATALOGUE])


def _copied(path: Path, target: Path) -> Path:
    with path.open("rb") as source:
        return _written(source, target)


def _written(source: IO[bytes], target: Path) -> Path:
    make_folder(target.parent)
    with new_file(target) as file:
        shutil.copyfileobj(source, file)
    return target
