"""The pages and the server of `ccgrid serve`.

Commands name modules of this package, which are imported on first use.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.web import serve
else:
    __getattr__ = lazy_modules(__name__)

__all__ = ["serve"]
