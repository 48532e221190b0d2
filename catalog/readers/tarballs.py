"""Tarballs: the data files in one are copied out under numbers, so that no name in it ever becomes a path."""

import tarfile
from pathlib import Path
from typing import Any, Final

from catalog.allowance import Allowance, Report
from catalog.card import CatalogError
from catalog.files import new_file
from catalog.readers import members
from catalog.readers.members import DATA_SUFFIXES, check_name, copy, count_members, is_hidden
from catalog.readers.streams import open_data

_HEADER: Final = 1 << 20


class _Header(tarfile.TarInfo):
    """A header of a tarball; one of those that hold long names may not be long itself, and the last may not be missing.

    Without the last a tarball that broke off between two files would pass for a whole one.
    """

    @classmethod
    def frombuf(cls, buf: Any, encoding: str, errors: str) -> "_Header":
        if len(buf) != tarfile.BLOCKSIZE:
            raise EOFError("it ends too early")
        header = super().frombuf(buf, encoding, errors)
        if not header.isreg() and not header.isdir() and header.size > _HEADER:
            raise CatalogError("the tarball holds a name of over a MiB; nothing was read")
        return header


def _check_plain(member: tarfile.TarInfo, name: str) -> None:
    if not member.isreg() or member.issparse():
        raise CatalogError(f"{name}: {member.name!r} is a link or no file; nothing was read.")


def taken_out(path: Path, folder: Path, report: Report | None, allowance: Allowance) -> dict[str, Path]:
    """The data files of a tarball under their names in it, each copied into a folder under a number.

    Raises CatalogError where it is damaged, holds a link, or leads out of itself; OSError where there is no room.
    """
    found: dict[str, Path] = {}
    room = members.MOST_KEPT
    try:
        with (
            open_data(path, report, allowance) as stream,
            tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive,
        ):
            for count, member in enumerate(archive):
                count_members(count, path.name)
                archive.members.clear()  # type: ignore[attr-defined]  # or it remembers every one
                plain = check_name(member.name, path.name)
                if member.isdir():
                    continue
                _check_plain(member, path.name)
                file = archive.extractfile(member)
                if file is None or not plain.casefold().endswith(DATA_SUFFIXES):
                    continue
                if any(map(is_hidden, plain.split("/"))):
                    continue
                found[plain] = folder / str(count)
                with new_file(found[plain]) as target:
                    room -= copy(file, target, room, path.name)  # type: ignore[arg-type]
    except CatalogError:
        raise
    except RecursionError:
        raise CatalogError(f"{path.name}: a file in the tarball has headers without end; nothing was read.") from None
    except (tarfile.TarError, EOFError, ValueError, LookupError, ArithmeticError) as error:
        raise CatalogError(f"{path.name}: the tarball is damaged ({error}). Download it again.") from None
    return dict(sorted(found.items()))
