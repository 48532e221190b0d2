"""A source of cards: its description, its editions, and the functions of a module that reads its data."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, runtime_checkable

from ccgrid.catalog.errors import CatalogError, UsageError

if TYPE_CHECKING:
    from ccgrid.catalog.download import Client
    from ccgrid.catalog.evidence import EvidenceReader
    from ccgrid.catalog.layouts.layout import Layout
    from ccgrid.catalog.printing import SourceRow
    from ccgrid.catalog.readers.archives import Tree
    from ccgrid.catalog.readers.streams import Warn


class Part(NamedTuple):
    """One of the files of an edition: its address, and its path in the data set, with `/` between folders."""

    address: str
    name: str


class Edition(NamedTuple):
    """One version of a source's data.

    Attributes:
        version: The source's own name for the version; "" if it has none.
        address: The address of the file.
        file_name: The name of the file in the cache.
        parts: The files, if there are several, such as the pages of an API.
        cards: The number of cards that the source announces, or None.
    """

    version: str
    address: str
    file_name: str
    parts: tuple[Part, ...] = ()
    cards: int | None = None


LAYOUT_FROM_DATA: Final = "?"
"""The layout of a source whose data, or whose user, say which game it is."""
BY_LAYOUT: Final = "ccgrid.catalog.layouts.described"
"""The module that reads any table or JSON file by a layout alone."""


class SourceModule(Protocol):
    """A module that reads the data of a source, with `read` (a single file) or `read_tree` (any files)."""

    READER: int
    """The version of the reader. A higher number makes the next import read unchanged data again."""


@runtime_checkable
class FileModule(SourceModule, Protocol):
    """A module that reads data that are one file."""

    def read(self, stream: BinaryIO, name: str, layout: "Layout | EvidenceReader") -> "Iterator[SourceRow]":
        """Yield the printings in a data file."""


@runtime_checkable
class TreeModule(SourceModule, Protocol):
    """A module that reads data that are a folder, a zip, a tarball or a file."""

    def read_tree(self, tree: "Tree", layout: "Layout", warn: "Warn") -> "Iterator[SourceRow]":
        """Yield the printings in a data set; `warn` receives warnings for the user."""


@runtime_checkable
class _Asking(Protocol):
    def latest(self, client: "Client", address: str, bulk: str | None) -> Edition:
        """Return the edition that a source offers now; `address` is its API or a file, `bulk` one of its files."""


@runtime_checkable
class _Recognising(Protocol):
    def recognise(self, tree: "Tree") -> "Layout":
        """Return the layout of the game whose cards a data set contains."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source of cards that can be imported by its name.

    Attributes:
        name: The name that the user types.
        keeper: The person or project that maintains the data.
        address: The address of the data; "" if the user names a file.
        module: The module that reads the data: one in this folder by its name, any other by its import path. ""
            reads tables and JSON by the layout alone.
        layout: The name of the layout, `LAYOUT_FROM_DATA`, or None if the data themselves contain the printed places.
        parts: The files to download below the address, if that is a folder.
        own_files: The names of tables that need this source's module, so that they are not read by a layout alone.
        group: The prefix of the names under which the catalogue stores the source's cards of each game: `group:game`.
        manual: Where the user can download the data with a browser, if not at the address.
        terms: The terms of the data in a sentence with an address; "" if none are stated.
    """

    name: str
    title: str
    keeper: str
    address: str
    module: str = ""
    layout: str | None = None
    note: str = ""
    parts: tuple[str, ...] = ()
    own_files: tuple[str, ...] = ()
    group: str = ""
    aliases: tuple[str, ...] = ()
    manual: str = ""
    terms: str = ""

    @property
    def by_hand(self) -> str:
        """Where the user can download the data with a browser; "" if there is no such place."""
        return self.manual or self.address

    def load(self) -> FileModule | TreeModule:
        """Import the module that reads the data.

        Raises:
            CatalogError: If there is no such module, or it reads no data.
        """
        name = self.module or BY_LAYOUT
        try:
            module = import_module(name if "." in name else f"{__package__}.{name}")
        except ImportError as error:
            raise CatalogError(f"The source {self.name!r} cannot be read: {error}.") from error
        if not isinstance(module, (FileModule, TreeModule)):
            raise CatalogError(f"The source {self.name!r} cannot be read: the module {name} has no reader.")
        return module

    def key(self, game: str) -> str:
        """Return the name under which the catalogue stores the source's cards of a game."""
        return f"{self.group}:{game}" if self.group else self.name

    def latest(self, client: "Client", address: str, bulk: str | None) -> Edition:
        """Return the edition that the source offers now at an address.

        Raises:
            CatalogError: If the address is empty, or the source's answer is not as documented.
        """
        if not address:
            raise UsageError(f"The source {self.name!r} reads a file: ccgrid import {self.name} FILE")
        module = self.load()
        if isinstance(module, _Asking):
            return module.latest(client, address, bulk)
        if self.parts and address.endswith("/"):
            return Edition("", address, "files", tuple(Part(address + part, part) for part in self.parts))
        return Edition("", address, address.rstrip("/").rsplit("/", 1)[-1])

    def recognise(self, tree: "Tree") -> "Layout":
        """Return the layout of the game whose cards a data set contains.

        Raises:
            CatalogError: If the data do not tell the game.
        """
        module = self.load()
        if isinstance(module, _Recognising):
            return module.recognise(tree)
        raise UsageError(f"Which game is it? Name its layout: ccgrid import {self.name} FILE --layout my.toml")
