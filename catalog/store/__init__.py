"""The catalogue in one SQLite file. Only the modules of this package know SQL.

The modules named here are imported on first use.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.store import card_edits, catalogue, corrections, custom_cards, holdings, queries, statistics
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["card_edits", "catalogue", "corrections", "custom_cards", "holdings", "queries", "statistics"]
