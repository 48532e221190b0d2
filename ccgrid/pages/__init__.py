"""Pages in one HTML file: the table for a phone, replays, and sheets to print.

Commands name modules of this package, which are imported on first use.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.pages import page, sheet
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["page", "sheet"]
