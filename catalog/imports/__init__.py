"""Imports from end to end, and what helps to write a layout.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from catalog.imports import layout_check, layout_draft
else:
    __getattr__ = opened_on_use(__name__)

__all__ = ["layout_check", "layout_draft"]
