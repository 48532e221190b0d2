"""The values in the cells of a catalogue, and JSON in them."""

import json
from typing import Any

from ccgrid.catalog.errors import DamagedCatalogueError

SqlValue = str | int | float | bytes | None
"""A value of a cell, or of a parameter of a statement."""


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
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise DamagedCatalogueError from None
    if not isinstance(value, kind):
        raise DamagedCatalogueError
    return value
