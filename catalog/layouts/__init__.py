"""Layouts: where a game prints its numbers, as data.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from catalog.layouts import shelf
else:
    __getattr__ = opened_on_use(__name__)

__all__ = ["shelf"]
