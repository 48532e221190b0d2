"""Matching of written cards to cards of the catalogue; the modules are imported lazily."""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.matching import asking, candidates, known_cards, names, printings, resolver, rows, sets
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["asking", "candidates", "known_cards", "names", "printings", "resolver", "rows", "sets"]
