"""Answers that list owned copies."""

from collections.abc import Iterable, Mapping

from ccgrid.catalog.answer_fields import with_fields
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.holding_answers import ShownHolding, shown_holding


def all_copies(holdings: Iterable[Holding]) -> list[ShownHolding]:
    """Return the answers of holdings."""
    return [shown_holding(holding) for holding in holdings]


class ListedCopies(ShownHolding, frozen=True, kw_only=True):
    """Copies, and whether their card is legal in decks; null if the catalogue does not have it.

    Attributes:
        reason: Why the card is not legal, or null.
    """

    legal: bool | None
    reason: str | None


def listed_copies(holdings: Iterable[Holding], reasons: Mapping[str, str | None]) -> list[ListedCopies]:
    """Return the answers of `collection list`; `reasons` says by card id why cards are not legal, None if they are."""
    return [
        with_fields(
            shown_holding(one),
            ListedCopies,
            legal=reasons[one.card_id] is None if one.card_id in reasons else None,
            reason=reasons.get(one.card_id),
        )
        for one in holdings
    ]


def some_copies(plan: Iterable[tuple[Holding, int]]) -> list[ShownHolding]:
    """Return the answers of holdings from which copies are taken, each with the number of these copies."""
    return [shown_holding(holding, copies) for holding, copies in plan]
