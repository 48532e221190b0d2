"""What a terminal, a page or a script calls: no typer, no rich, no standard input or output.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.runtime import lazy_modules

if TYPE_CHECKING:
    from ccgrid.services import (
        audits,
        catalogue,
        codes,
        collection,
        collection_files,
        collection_store,
        config,
        dealing,
        deck_editing,
        deck_search,
        deck_sources,
        decks,
        demonstration,
        doctor,
        finding,
        imports,
        layouts,
        owned_cards,
        progress,
        protocol,
        real_tables,
        records,
        saved_games,
        scanning,
        shared_tables,
        sheets,
        simulations,
        solving,
        sources,
        tables,
        training,
        wants,
    )
else:
    __getattr__ = lazy_modules(__name__)

__all__ = [
    "audits",
    "catalogue",
    "codes",
    "collection",
    "collection_files",
    "collection_store",
    "config",
    "dealing",
    "deck_editing",
    "deck_search",
    "deck_sources",
    "decks",
    "demonstration",
    "doctor",
    "finding",
    "imports",
    "layouts",
    "owned_cards",
    "progress",
    "protocol",
    "real_tables",
    "records",
    "saved_games",
    "scanning",
    "shared_tables",
    "sheets",
    "simulations",
    "solving",
    "sources",
    "tables",
    "training",
    "wants",
]
