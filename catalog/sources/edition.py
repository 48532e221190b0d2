"""One state of a source's data: what it is called, and which files make it."""

from typing import NamedTuple


class Part(NamedTuple):
    """One file of several that make an edition: its address, and its name in the data set, with `/` between folders."""

    address: str
    name: str


class Edition(NamedTuple):
    """One state of a source's data: what the source calls it, the file's address, and a name for it in the cache.

    Where it is made of several files, such as the pages of an API, these are its `parts`. `cards` is how many
    there are, where the source says it.
    """

    version: str
    address: str
    file_name: str
    parts: tuple[Part, ...] = ()
    cards: int | None = None
