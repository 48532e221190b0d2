"""The one way from what somebody wrote to a card of the catalogue; its modules are imported when asked for."""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.matching import asking, names, resolver
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["asking", "names", "resolver"]
