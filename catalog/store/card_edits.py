"""Edits of cards: one entered by hand is changed, one of a source is corrected."""

from collections.abc import Callable
from typing import NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.correction import correction_between, to_custom_card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.corrections import correct, evidence_of, find_card
from ccgrid.catalog.store.custom_cards import change_card, entered_card, is_entered


def as_form(store: Store, card_id: str) -> CustomCard:
    """Return a card with its current texts, as a form shows it.

    Raises:
        NotFoundError: If there is none.
    """
    if is_entered(store, card_id):
        return entered_card(store, card_id)
    return to_custom_card(find_card(store, card_id), evidence_of(store, card_id))


class EditedCard(NamedTuple):
    """A card as it is now, and as it was given; `is_corrected` if it is a card of a source."""

    card: Card
    given: CustomCard
    is_corrected: bool
    is_changed: bool


def edit_card(store: Store, card_id: str, given: Callable[[CustomCard], CustomCard]) -> EditedCard:
    """Change a card that was entered by hand, or correct one of a source; `given` returns the new form for the old one.

    Raises:
        NotFoundError: If there is none.
        CatalogError: If the new form is not valid.
    """
    before = as_form(store, card_id)
    after = given(before)
    if is_entered(store, card_id):
        return EditedCard(change_card(store, before, card_id, after), after, False, after != before)
    return EditedCard(correct(store, card_id, correction_between(before, after)), after, True, after != before)
