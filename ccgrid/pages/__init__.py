"""Pages of one file: the table for a phone, the replay of a game, sheets to print; no network, no build step.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.pages import page, sheet
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["page", "sheet"]
