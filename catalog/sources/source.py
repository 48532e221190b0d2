"""What a source of cards is: a line of the registry, and a module that reads its data where a layout alone cannot."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast, runtime_checkable

from ccgrid.catalog.card import CatalogError

if TYPE_CHECKING:
    from ccgrid.catalog.card import SourceRow
    from ccgrid.catalog.download import Client
    from ccgrid.catalog.layouts.layout import Layout
    from ccgrid.catalog.readers.archives import Tree
    from ccgrid.catalog.readers.encodings import Remark


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


CHOSEN: Final = "?"
"""Stands for the layout of a source whose data, or whose user, say which game it is."""
BY_LAYOUT: Final = "ccgrid.catalog.layouts.described"
"""The module that reads any table or JSON file by a layout alone."""


class SourceModule(Protocol):
    """What the module of a source holds; one that reads a single file holds `read`, any other `read_tree`."""

    READER: int
    """Counts up when the module reads the same data differently, so that it is read anew."""


@runtime_checkable
class FileModule(SourceModule, Protocol):
    """The module of a source whose data are one file."""

    def read(self, stream: BinaryIO, name: str) -> "Iterator[SourceRow]":
        """The printings in a data file; pure."""


@runtime_checkable
class TreeModule(SourceModule, Protocol):
    """The module of a source whose data are a folder, a zip or a tarball as well as a file."""

    def read_tree(self, tree: "Tree", layout: "Layout", remark: "Remark") -> "Iterator[SourceRow]":
        """The printings in a data set; pure. `remark` is told what people should know of how it was read."""


@runtime_checkable
class _Asking(Protocol):
    def latest(self, client: "Client", address: str, bulk: str | None) -> Edition:
        """The edition that a source offers now; `address` is its API or file, `bulk` names one of several files."""


@runtime_checkable
class _Recognising(Protocol):
    def recognise(self, tree: "Tree") -> "Layout":
        """The layout of the game whose cards a data set holds."""


@dataclass(frozen=True, slots=True)
class Source:
    """A public source of cards: what people type, what it is, and where it comes from."""

    name: str
    title: str
    keeper: str
    address: str
    module: str = ""
    """The module in this folder that reads the data; none where a layout alone does."""
    layout: str | None = None
    """The game whose layout reads it; None where the data say themselves where a number is printed."""
    note: str = ""
    parts: tuple[str, ...] = ()
    """The files to fetch below the address, where that is a folder."""
    group: str = ""
    """What the source is one of several of: its cards are kept as `group:game`."""
    aliases: tuple[str, ...] = ()

    def load(self) -> SourceModule:
        """The module that reads it, imported when it is used."""
        return cast(SourceModule, import_module(f"ccgrid.catalog.sources.{self.module}" if self.module else BY_LAYOUT))

    def key(self, game: str) -> str:
        """What the catalogue calls the source of its cards of a game."""
        return f"{self.group}:{game}" if self.group else self.name

    def latest(self, client: "Client", address: str, bulk: str | None) -> Edition:
        """The edition that the source offers now at an address, by default its own.

        Raises CatalogError where it has no address, or its answer is not as documented.
        """
        if not address:
            raise CatalogError(f"{self.title} must be read from a file: ccgrid import {self.name} FILE")
        module = self.load()
        if isinstance(module, _Asking):
            return module.latest(client, address, bulk)
        if self.parts and address.endswith("/"):
            return Edition("", address, "files", tuple(Part(address + part, part) for part in self.parts))
        return Edition("", address, address.rstrip("/").rsplit("/", 1)[-1])

    def recognise(self, tree: "Tree") -> "Layout":
        """The layout of the game whose cards a data set holds; CatalogError where the data do not tell."""
        module = self.load()
        if isinstance(module, _Recognising):
            return module.recognise(tree)
        raise CatalogError(f"Which game is it? Name its layout: ccgrid import {self.name} FILE --layout my.toml")
