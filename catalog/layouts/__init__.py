"""Layouts: where a game prints its numbers, as data.

Its modules are imported when a command first uses them.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.layouts import layout_file
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["layout_file"]
