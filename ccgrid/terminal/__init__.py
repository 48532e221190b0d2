"""People at a terminal: prompts, the keyboard game, forms and entry sessions.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from ccgrid.terminal import (
        card_form,
        card_lines,
        checks,
        confirming,
        deck_editing,
        demo,
        entry,
        evening,
        keyboard,
        keys,
        layout_form,
        newer_export,
        puzzles,
        referee,
        replay,
        scan_review,
        thinking,
        undoing,
    )
else:
    __getattr__ = opened_on_use(__name__)

__all__ = [
    "card_form",
    "card_lines",
    "checks",
    "confirming",
    "deck_editing",
    "demo",
    "entry",
    "evening",
    "keyboard",
    "keys",
    "layout_form",
    "newer_export",
    "puzzles",
    "referee",
    "replay",
    "scan_review",
    "thinking",
    "undoing",
]
