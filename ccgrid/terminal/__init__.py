"""Interaction at a terminal: prompts, games at the keyboard, forms and entry sessions.

Commands name modules of this package, which are imported on first use.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.terminal import (
        checks,
        choosing,
        clarifying,
        confirming,
        deck_editing,
        echo,
        entry,
        keyboard,
        play,
        prompts,
        puzzles,
        referee,
        replay,
    )
else:
    __getattr__ = lazy_modules(__name__)

__all__ = [
    "checks",
    "choosing",
    "clarifying",
    "confirming",
    "deck_editing",
    "echo",
    "entry",
    "keyboard",
    "play",
    "prompts",
    "puzzles",
    "referee",
    "replay",
]
