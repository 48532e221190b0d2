"""What a person owns: entered, brought in from files, found, exported.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from catalog.collection import boxes, doubts, edit, export, formats, import_order, incoming, newer, pulls
else:
    __getattr__ = opened_on_use(__name__)

__all__ = ["boxes", "doubts", "edit", "export", "formats", "import_order", "incoming", "newer", "pulls"]
