"""Imports from end to end, and what helps to write a layout.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.imports import layout_draft, layout_learning
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["layout_draft", "layout_learning"]
