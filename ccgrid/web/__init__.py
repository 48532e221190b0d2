"""What `ccgrid serve` shows in a browser: pages made of pictures and services, and the server that guards them.

The command names modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.web import serve
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["serve"]
