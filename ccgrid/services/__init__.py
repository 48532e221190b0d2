"""What a terminal, a page or a script calls: no typer, no rich, no standard input or output.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from ccgrid.services import (
        arenas,
        catalogue,
        codes,
        collection,
        collection_files,
        collection_store,
        dealing,
        deck_checks,
        deck_editing,
        deck_ratings,
        deck_sources,
        demonstration,
        doctor,
        factions,
        finding,
        imports,
        kept_games,
        layouts,
        ledger,
        lessons,
        mending,
        owned_decks,
        pages,
        puzzles,
        real_decks,
        real_tables,
        records,
        scan_keeping,
        scan_positions,
        scanning,
        sheets,
        simulations,
        solving,
        sources,
        tables,
        undoing,
    )
else:
    __getattr__ = opened_on_use(__name__)

__all__ = [
    "arenas",
    "catalogue",
    "codes",
    "collection",
    "collection_files",
    "collection_store",
    "dealing",
    "deck_checks",
    "deck_editing",
    "deck_ratings",
    "deck_sources",
    "demonstration",
    "doctor",
    "factions",
    "finding",
    "imports",
    "kept_games",
    "layouts",
    "ledger",
    "lessons",
    "mending",
    "owned_decks",
    "pages",
    "puzzles",
    "real_decks",
    "real_tables",
    "records",
    "scan_keeping",
    "scan_positions",
    "scanning",
    "sheets",
    "simulations",
    "solving",
    "sources",
    "tables",
    "undoing",
]
