"""The registry of public sources: one module each, one line here."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast

from catalog.card import CatalogError

if TYPE_CHECKING:
    from catalog.download import Client
    from catalog.sources.printing import Row


class Edition(NamedTuple):
    """One state of a source's data: what the source calls it, the file's address, and a name for it in the cache."""

    version: str
    address: str
    file_name: str


class SourceModule(Protocol):
    """What the module of a source holds."""

    READER: int
    """Counts up when the module reads the same data differently, so that it is read anew."""

    def read(self, stream: BinaryIO, name: str) -> "Iterator[Row]":
        """The printings in a data file; pure."""

    def latest(self, client: "Client", address: str, bulk: str | None) -> Edition:
        """The edition that a source offers now; `address` is its API or file, `bulk` names one of several files."""


@dataclass(frozen=True, slots=True)
class Source:
    """A public source of cards: what people type, what it is, and where it comes from."""

    name: str
    title: str
    keeper: str
    address: str
    module: str
    layout: str | None = None
    """The game whose layout reads it; None where the data say themselves where a number is printed."""
    note: str = ""

    def load(self) -> SourceModule:
        """The module that reads it, imported when it is used."""
        return cast(SourceModule, import_module(f"catalog.sources.{self.module}"))


SOURCES: Final = (
    Source("starter", "Cards to begin with", "bundled with ccgrid", "", "starter"),
    Source("mtg", "Magic: The Gathering", "Scryfall", "https://api.scryfall.com", "scryfall", "mtg"),
)


def find_source(name: str) -> Source:
    """The source of this name; CatalogError lists the sources there are."""
    for source in SOURCES:
        if source.name == name.lower():
            return source
    known = ", ".join(source.name for source in SOURCES)
    raise CatalogError(f"There is no source called {name!r}. There are: {known}.")
