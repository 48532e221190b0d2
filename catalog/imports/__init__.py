"""Imports of cards, and drafts and trials of layouts.

Its modules are imported when a command first uses them.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.imports import layout_draft, layout_trial
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["layout_draft", "layout_trial"]
