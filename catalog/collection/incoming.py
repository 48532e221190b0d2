"""Files that come in: which they are, and what comes out of a pipe; neither may be larger than a collection."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from catalog.card import CatalogError
from catalog.files import new_file
from catalog.temporary import temporary_folder

LARGEST_FILE: Final = 1 << 30
"""How large a collection file may be, in bytes."""
_CHUNK: Final = 1 << 20


def sha256_of(path: Path, name: str) -> str:
    """The SHA-256 of a file; CatalogError where it cannot be read, or is too large."""
    try:
        if path.is_dir():
            raise CatalogError(f"{name}: this is a folder; name the file in it.")
        if path.stat().st_size > LARGEST_FILE:
            raise _too_large(name)
        seen, left = hashlib.sha256(), LARGEST_FILE
        with path.open("rb") as file:
            while data := file.read(_CHUNK):
                left -= len(data)
                if left < 0:  # what is no plain file has no size beforehand
                    raise _too_large(name)
                seen.update(data)
        return seen.hexdigest()
    except OSError as error:
        raise CatalogError(f"{name}: {error.strerror or error}.") from None


@contextmanager
def spooled(stream: BinaryIO, name: str) -> Iterator[Path]:
    """What comes out of a pipe as a file, which is gone afterwards; CatalogError where it is too long."""
    with temporary_folder() as folder:
        path = folder / name
        left = LARGEST_FILE
        with new_file(path) as file:
            while data := stream.read(min(_CHUNK, left + 1)):
                left -= len(data)
                if left < 0:
                    raise _too_large(name)
                file.write(data)
        yield path


def _too_large(name: str) -> CatalogError:
    return CatalogError(f"{name}: larger than {LARGEST_FILE >> 30} GiB.")
