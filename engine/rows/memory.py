"""What a processor can be told of its memory."""

from engine.rows.row import Row


def fetch(row: Row, place: int) -> None:
    """Compiled, an instruction: this place will be read soon, and what else is done meanwhile need not wait for it."""
