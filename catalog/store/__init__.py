"""The catalogue in one SQLite file; the only modules that know SQL.

Modules of it are named that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.store import catalogue, custom_cards, holdings, queries
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["catalogue", "custom_cards", "holdings", "queries"]
