"""The values in the cells of a catalogue, and JSON in them."""

from typing import Any

from ccgrid.catalog.errors import DamagedCatalogueError

SqlValue = str | int | float | bytes | None
"""A value of a cell, or of a parameter of a statement."""


def cell_numbers(text: object) -> tuple[int, ...]:
    """Return the numbers in a cell with a list of whole numbers; without a parser, because every card has such a list.

    Raises:
        DamagedCatalogueError: If the cell contains anything else.
    """
    if not (isinstance(text, str) and text.startswith("[") and text.endswith("]")):
        raise DamagedCatalogueError
    try:
        return tuple(map(int, text[1:-1].split(","))) if text != "[]" else ()
    except ValueError:
        raise DamagedCatalogueError from None


def cell_list(text: object) -> list[Any]:
    """Return the list in a cell.

    Raises:
        DamagedCatalogueError: If the cell does not contain a JSON list.
    """
    found: list[Any] = _parse(text, list)
    return found


def cell_table(text: object) -> dict[str, Any]:
    """Return the object in a cell.

    Raises:
        DamagedCatalogueError: If the cell does not contain a JSON object.
    """
    found: dict[str, Any] = _parse(text, dict)
    return found


def _parse(text: Any, kind: type[Any]) -> Any:
    import json

    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise DamagedCatalogueError from None
    if not isinstance(value, kind):
        raise DamagedCatalogueError
    return value
