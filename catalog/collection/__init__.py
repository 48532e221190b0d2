"""What a person owns: entered, imported from files, found, exported.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.catalog.collection import (
        audit,
        boxes,
        doubts,
        edit,
        export,
        formats,
        imports,
        newer,
        owned_copies,
        pulls,
        selection,
        wanted,
    )
else:
    __getattr__ = lazy_modules(__name__)

__all__ = [
    "audit",
    "boxes",
    "doubts",
    "edit",
    "export",
    "formats",
    "imports",
    "newer",
    "owned_copies",
    "pulls",
    "selection",
    "wanted",
]
