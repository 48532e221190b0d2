"""What the catalogue keeps as JSON in a cell, read back; where that is damaged it is said."""

import json
from typing import Any, Final

from catalog.card import CatalogError

DAMAGED: Final = "The catalogue is damaged. 'ccgrid doctor' says where; 'ccgrid doctor --mend' saves what can be read."


def cell_list(text: Any) -> list[Any]:
    """The list in a cell; CatalogError where there is none."""
    found: list[Any] = _cell(text, list)
    return found


def cell_table(text: Any) -> dict[str, Any]:
    """The object in a cell; CatalogError where there is none."""
    found: dict[str, Any] = _cell(text, dict)
    return found


def _cell(text: Any, kind: type[Any]) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise CatalogError(DAMAGED) from None
    if not isinstance(value, kind):
        raise CatalogError(DAMAGED)
    return value
