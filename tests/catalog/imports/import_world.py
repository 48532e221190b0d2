"""Cards to import, and checks of imports."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from helpers.catalogues import rows

from ccgrid.catalog.printing import Printing, SourceRow
from ccgrid.catalog.store.catalogue import Store

CARDS = rows(40)


def costs(database: Path) -> dict[str, int]:
    """Return the number in the top right corner of each card of the catalogue."""
    with Store(database) as store:
        return {card.id: card.zones["top-right"] for card in store.all_cards()}


def assert_adds_up(summary: Mapping[str, Any]) -> None:
    assert summary["read"] == sum(summary[key] for key in ("added", "changed", "unchanged", "skipped"))
    assert summary["legal"] + sum(summary["barred"].values()) == summary["read"] - summary["skipped"]


Card = tuple[int, int | None]
"""Number and cost of a card; None is a row that is not a card."""


def printings(count: int, cost: int) -> Iterator[SourceRow]:
    for number in range(count):
        yield Printing(f"mtg:dsk/{number}", f"Card {number}", {"mana_cost": f"{{{cost}}}"}, "dsk", "Dusk", str(number))
