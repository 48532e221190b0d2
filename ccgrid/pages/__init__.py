"""Pages of one file: the table for a phone, the replay of a game, sheets to print; no network, no build step.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from ccgrid.pages import pdf, replay_page, sheet, table_page
else:
    __getattr__ = opened_on_use(__name__)

__all__ = ["pdf", "replay_page", "sheet", "table_page"]
