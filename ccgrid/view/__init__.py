"""Views, which show results as tables, pictures and sentences.

Commands name modules of this package, which are imported on first use.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.view import card, collection, collection_imports, decks, export, games, history, insight, lists, reports
else:
    __getattr__ = lazy_modules(__name__)

__all__ = [
    "card",
    "collection",
    "collection_imports",
    "decks",
    "export",
    "games",
    "history",
    "insight",
    "lists",
    "reports",
]
