"""The catalogue in one SQLite file. Only the modules of this package know SQL.

- The file: `file`, `schema`, `creation`, `transactions`, `cells`, `health`, `mending`, `browse_copy`.
- Cards: `cards`, `catalogue`, `selection`, `names`, `lookup`, `lists`, `queries`, `statistics`, `imports`.
- The user's cards: `custom_cards`, `corrections`, `card_edits`, `scans`.
- The collection: `holdings`, `collection_files`, `set_counts`.
- Undo: `recording`, `journal`, `history`.

The modules in `__all__` are imported on first use.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.store import (
        card_edits,
        catalogue,
        corrections,
        custom_cards,
        history,
        holdings,
        queries,
        statistics,
    )
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["card_edits", "catalogue", "corrections", "custom_cards", "history", "holdings", "queries", "statistics"]
