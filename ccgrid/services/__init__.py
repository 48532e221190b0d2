"""What a terminal, a page or a script calls: no typer, no rich, no standard input or output.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.services import (
        advice,
        catalogue,
        choices,
        collection,
        completion,
        config,
        config_changes,
        dealing,
        deck_editing,
        deck_files,
        deck_search,
        decks,
        doctor,
        imports,
        layouts,
        new_game,
        patches,
        positions,
        progress,
        real_decks,
        real_records,
        records,
        referee,
        rematch,
        reviews,
        saved_games,
        scanning,
        seats,
        session,
        shared_tables,
        simulations,
        tables,
        training,
    )
else:
    __getattr__ = lazy_modules(__name__)

__all__ = [
    "advice",
    "catalogue",
    "choices",
    "collection",
    "completion",
    "config",
    "config_changes",
    "dealing",
    "deck_editing",
    "deck_files",
    "deck_search",
    "decks",
    "doctor",
    "imports",
    "layouts",
    "new_game",
    "patches",
    "positions",
    "progress",
    "real_decks",
    "real_records",
    "records",
    "referee",
    "rematch",
    "reviews",
    "saved_games",
    "scanning",
    "seats",
    "session",
    "shared_tables",
    "simulations",
    "tables",
    "training",
]
