"""Layouts: where a game prints its numbers, as data.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.layouts import layout_file
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["layout_file"]
