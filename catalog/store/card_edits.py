"""Edits of cards: one entered by hand is changed, one of a source is corrected."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.correction import correction_between, to_custom_card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.evidence import CONFIDENCES, confidence_in
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
    """A card after an edit; `is_corrected` if it is a card of a source."""

    card: Card
    is_corrected: bool
    is_changed: bool


def edit_card(
    store: Store, card_id: str, given: Callable[[CustomCard], CustomCard], *, named: Collection[str] = ()
) -> EditedCard:
    """Change a card that was entered by hand, or correct one of a source; `given` returns the new form for the old one.

    A number in a `named` place confirms a guess, also if it is the same.

    Raises:
        NotFoundError: If there is none.
        CatalogError: If the new form is not valid.
    """
    before = as_form(store, card_id)
    after = given(before)
    if is_entered(store, card_id):
        return EditedCard(change_card(store, before, card_id, after), False, after != before)
    guesses = {place for place, _, how, _ in evidence_of(store, card_id) if confidence_in(how) != CONFIDENCES[0]}
    correction = correction_between(before, after, confirmed=guesses.intersection(named))
    return EditedCard(correct(store, card_id, correction), True, bool(correction.words()))
