"""Cards of out-of-print games: their sources, the meaning of their numbers, and their storage.

Programs may rely on the names listed here. A name is loaded on first use, so that importing this package is cheap.

>>> from ccgrid import catalog
>>> griffin = catalog.CustomCard("arcadia", "Griffin", printed={"top-left": "4", "right": "7", "face": "1d6"})
>>> with catalog.Store.in_memory() as cards:
...     kept = catalog.add_card(cards, griffin)
...     print(kept.id, dict(kept.zones), kept.face, kept.score)
arcadia:hand/griffin {'top-left': 4, 'right': 7} (1, 6) 18
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if __name__ != "ccgrid.catalog":
    # Under another name every class would exist twice, and instances of one would not be instances of the other.
    raise ModuleNotFoundError("Import this package as ccgrid.catalog.", name=__name__)

if TYPE_CHECKING:
    from ccgrid.catalog.card import Card
    from ccgrid.catalog.collection.deck_files import read_deck
    from ccgrid.catalog.collection.edit import Edit
    from ccgrid.catalog.collection.imports import CollectionImport
    from ccgrid.catalog.collection.imports import import_file as import_collection
    from ccgrid.catalog.custom_card import CustomCard
    from ccgrid.catalog.deck_text import parse_deck
    from ccgrid.catalog.deck_writing import deck_toml
    from ccgrid.catalog.decks import Deck, ListedDeck, check_deck
    from ccgrid.catalog.errors import (
        BusyCatalogueError,
        CatalogError,
        CatalogueFileError,
        CatalogueVersionError,
        ChangedMeanwhileError,
        DamagedCatalogueError,
        EmptyCatalogueError,
        FileFormatError,
        MissingCatalogueError,
        MissingExtraError,
        NoSuchNameError,
        NotConfirmedError,
        NotFoundError,
        UsageError,
        WrongKindError,
    )
    from ccgrid.catalog.holding import Holding, Place
    from ccgrid.catalog.imports.run import ImportRequest, import_bundled
    from ccgrid.catalog.imports.run import import_source as import_cards
    from ccgrid.catalog.layouts.layout import Layout
    from ccgrid.catalog.layouts.layout_file import find_layout, load_layout, parse_layout
    from ccgrid.catalog.matching.asking import AmbiguousCardError, NoSuchCardError
    from ccgrid.catalog.matching.resolver import Resolver
    from ccgrid.catalog.matching.rows import Row
    from ccgrid.catalog.queries import Query, QueryError
    from ccgrid.catalog.queries import parse as parse_query
    from ccgrid.catalog.sources import SOURCES, all_sources, find_source
    from ccgrid.catalog.sources.source import Source
    from ccgrid.catalog.store.catalogue import Store
    from ccgrid.catalog.store.custom_cards import add_card, change_card, remove_card
    from ccgrid.catalog.store.file import default_path
    from ccgrid.catalog.store.holdings import CollectionStore
    from ccgrid.catalog.store.lookup import StoreLookup
    from ccgrid.catalog.zones import ZONES

__all__ = [
    "SOURCES",
    "ZONES",
    "AmbiguousCardError",
    "BusyCatalogueError",
    "Card",
    "CatalogError",
    "CatalogueFileError",
    "CatalogueVersionError",
    "ChangedMeanwhileError",
    "CollectionImport",
    "CollectionStore",
    "CustomCard",
    "DamagedCatalogueError",
    "Deck",
    "Edit",
    "EmptyCatalogueError",
    "FileFormatError",
    "Holding",
    "ImportRequest",
    "Layout",
    "ListedDeck",
    "MissingCatalogueError",
    "MissingExtraError",
    "NoSuchCardError",
    "NoSuchNameError",
    "NotConfirmedError",
    "NotFoundError",
    "Place",
    "Query",
    "QueryError",
    "Resolver",
    "Row",
    "Source",
    "Store",
    "StoreLookup",
    "UsageError",
    "WrongKindError",
    "add_card",
    "all_sources",
    "change_card",
    "check_deck",
    "deck_toml",
    "default_path",
    "find_layout",
    "find_source",
    "import_bundled",
    "import_cards",
    "import_collection",
    "load_layout",
    "parse_deck",
    "parse_layout",
    "parse_query",
    "read_deck",
    "remove_card",
]

_WHERE: Final = {
    "card": ("Card",),
    "collection.deck_files": ("read_deck",),
    "collection.edit": ("Edit",),
    "collection.imports": (
        "CollectionImport",
        "import_collection=import_file",
    ),
    "custom_card": ("CustomCard",),
    "deck_text": ("parse_deck",),
    "deck_writing": ("deck_toml",),
    "decks": (
        "Deck",
        "ListedDeck",
        "check_deck",
    ),
    "errors": (
        "BusyCatalogueError",
        "CatalogError",
        "CatalogueFileError",
        "CatalogueVersionError",
        "ChangedMeanwhileError",
        "DamagedCatalogueError",
        "EmptyCatalogueError",
        "FileFormatError",
        "MissingCatalogueError",
        "MissingExtraError",
        "NoSuchNameError",
        "NotConfirmedError",
        "NotFoundError",
        "UsageError",
        "WrongKindError",
    ),
    "holding": (
        "Holding",
        "Place",
    ),
    "imports.run": (
        "ImportRequest",
        "import_bundled",
        "import_cards=import_source",
    ),
    "layouts.layout": ("Layout",),
    "layouts.layout_file": (
        "parse_layout",
        "find_layout",
        "load_layout",
    ),
    "matching.asking": (
        "AmbiguousCardError",
        "NoSuchCardError",
    ),
    "matching.resolver": ("Resolver",),
    "matching.rows": ("Row",),
    "queries": (
        "Query",
        "QueryError",
        "parse_query=parse",
    ),
    "sources": (
        "SOURCES",
        "all_sources",
        "find_source",
    ),
    "sources.source": ("Source",),
    "store.catalogue": ("Store",),
    "store.custom_cards": (
        "add_card",
        "change_card",
        "remove_card",
    ),
    "store.file": ("default_path",),
    "store.holdings": ("CollectionStore",),
    "store.lookup": ("StoreLookup",),
    "zones": ("ZONES",),
}
"""Where each name is; one that is called otherwise there is written `here=there`."""


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        for shown, _, own in (entry.partition("=") for entry in names):
            if shown == name:
                value = globals()[name] = getattr(import_module(f"ccgrid.catalog.{module}"), own or shown)
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
