"""People at a terminal: prompts, the keyboard game, forms and entry sessions.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from ccgrid.catalog.lazy_modules import lazy_modules

if TYPE_CHECKING:
    from ccgrid.terminal import checks, choosing, deck_editing, entry, keyboard, play, prompts, puzzles, referee, replay
else:
    __getattr__ = lazy_modules(__name__)

__all__ = [
    "checks",
    "choosing",
    "deck_editing",
    "entry",
    "keyboard",
    "play",
    "prompts",
    "puzzles",
    "referee",
    "replay",
]
