"""What the files in any archive or folder have in common: how many there may be, how long, and what they are called."""

from typing import BinaryIO, Final

from catalog.card import CatalogError

MOST_MEMBERS: Final = 100_000
"""The most files that a folder or an archive is looked through."""
MOST_KEPT: Final = 4 << 30
"""The most that is taken out of a tarball, in bytes."""
DATA_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab", ".txt", ".xml", ".gz")
"""What card data are called; nothing else is taken out of a tarball."""
_CHUNK: Final = 1 << 18


def copy(stream: BinaryIO, file: BinaryIO, most: int, name: str) -> int:
    """Copies a file and says how many bytes it has; raises CatalogError where these are more than `most`."""
    count = 0
    while chunk := stream.read(_CHUNK):
        count += len(chunk)
        if count > most:
            raise CatalogError(f"{name}: stopped, it holds over {MOST_KEPT >> 30} GiB. Is it the right file?")
        file.write(chunk)
    return count


def is_hidden(name: str) -> bool:
    """Whether a file or a folder is none of the data: hidden, or what one system adds to its archives."""
    return name.startswith(".") or name == "__MACOSX"


def check_name(name: str, where: str) -> str:
    """A file's name in an archive or a list, with `/` between folders; CatalogError where it would climb out."""
    plain = name.replace("\\", "/")
    if plain.startswith("/") or plain[1:2] == ":" or ".." in plain.split("/") or "\0" in plain:
        raise CatalogError(f"{where}: {name!r} leads out of the folder that it should stay in; nothing was read.")
    return "/".join(part for part in plain.split("/") if part not in ("", "."))


def count_members(count: int, name: str) -> None:
    """Raises CatalogError where an archive has too many files."""
    if count > MOST_MEMBERS:
        raise CatalogError(f"{name}: over {MOST_MEMBERS} files. Is it the right archive?")
