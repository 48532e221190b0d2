"""Changes in the history as a table and as sentences."""

from collections.abc import Sequence

from ccgrid.catalog.clock import local_minute
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.store.history import Change, ImportChange
from ccgrid.view.output import OutputColumn, show, show_table


def show_history(found: Sequence[Change]) -> None:
    """Print changes, the oldest first; of an import also where its data came from."""
    show_table(
        [
            OutputColumn("when", wrap=True),
            OutputColumn("what", wrap=True),
            OutputColumn("", wrap=True),
            OutputColumn("version", wrap=True, spare=2),
            OutputColumn("from", wrap=True, spare=3),
            OutputColumn("sha256", spare=4),
        ],
        [
            (
                local_minute(change.made),
                change.what,
                "undone" if change.undone else None,
                *_origin(change),
            )
            for change in found
        ],
    )


def _origin(change: Change) -> tuple[str | None, str | None, str | None]:
    """Return the version, address and shortened checksum of an import's data; all None for any other change."""
    if not isinstance(change, ImportChange):
        return None, None, None
    return change.version, change.address, (change.sha256 or "")[:12] or None


def show_exchanged(word: str, change: Change) -> None:
    """Print which change was undone or redone, and of an import what became of the cards."""
    show(f"{word}: {change.what} ({local_minute(change.made)}).")
    if not isinstance(change, ImportChange):
        return
    added, others = change.added, change.changed + change.removed
    if change.undone:
        show(f"Removed {counted(added, 'card')} that it had added; restored {others:,} that it changed or removed.")
    else:
        show(f"Added {counted(added, 'card')} again; changed or removed {others:,}.")
