"""Answers that list owned copies."""

from collections.abc import Iterable

from ccgrid.catalog.holding import Holding
from ccgrid.catalog.holding_answers import ShownHolding, shown_holding


def all_copies(holdings: Iterable[Holding]) -> list[ShownHolding]:
    """Return the answers of holdings."""
    return [shown_holding(holding) for holding in holdings]


def some_copies(plan: Iterable[tuple[Holding, int]]) -> list[ShownHolding]:
    """Return the answers of holdings from which copies are taken, each with the number of these copies."""
    return [shown_holding(holding, copies) for holding, copies in plan]
