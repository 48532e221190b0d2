"""What is shown: results as tables, pictures and sentences.

Commands name modules of it that are imported when they are first asked for.
"""

from typing import TYPE_CHECKING

from catalog.rooms import opened_on_use

if TYPE_CHECKING:
    from ccgrid.view import (
        analysis,
        arenas,
        boxes,
        card,
        collection,
        deck_editing,
        deck_finding,
        deck_ratings,
        decks,
        doctor,
        export,
        import_report,
        layouts,
        lessons,
        lists,
        proofs,
        rules,
        scan,
        scores,
        screen,
    )
else:
    __getattr__ = opened_on_use(__name__)

__all__ = [
    "analysis",
    "arenas",
    "boxes",
    "card",
    "collection",
    "deck_editing",
    "deck_finding",
    "deck_ratings",
    "decks",
    "doctor",
    "export",
    "import_report",
    "layouts",
    "lessons",
    "lists",
    "proofs",
    "rules",
    "scan",
    "scores",
    "screen",
]
