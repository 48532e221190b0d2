"""The catalogue in one SQLite file; the only rooms that know SQL.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from catalog.store import catalogue, corrections, custom_cards
else:
    __getattr__ = opened_on_use(__name__)

__all__ = ["catalogue", "corrections", "custom_cards"]
