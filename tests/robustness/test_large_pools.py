"""Decks that are searched for in a catalogue with very many cards: in a sample of them that the seed decides."""

from collections.abc import Iterator

import pytest
from readers import MADE_UP

from ccgrid.catalog.card import Printing
from ccgrid.catalog.store.catalogue import Provenance, Store, sampled_pool
from ccgrid.catalog.store.imports import import_rows
from ccgrid.engine.dice import Dice


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    rows = [
        Printing(f"ants:x/{number}", f"Ant {number}", {"number": "9" if number % 1000 == 0 else str(number % 8)})
        for number in range(5000)
    ]
    with Store.in_memory() as store:
        import_rows(store, rows, MADE_UP.compiled(), Provenance("ants", "", ""))
        yield store


def test_of_few_cards_all_are_in_the_pool(store: Store) -> None:
    legal = list(store.all_cards(legal=True))
    assert sampled_pool(store, len(legal), Dice(1)) == legal
    assert sampled_pool(store, len(legal), Dice(1), ("ants",)) == legal
    assert sampled_pool(store, len(legal), Dice(1), ("wyvern",)) == []


def test_of_many_cards_the_dice_draw_some(store: Store) -> None:
    one, same, other = (sampled_pool(store, 200, Dice(seed)) for seed in (1, 1, 2))
    assert one == same != other
    assert len({card.id for card in one}) == len(one)
    assert [card.id for card in one] == sorted(card.id for card in one)
    assert all(card.legal for card in one)


def test_the_cards_of_a_rare_score_are_all_in_the_pool(store: Store) -> None:
    pool = sampled_pool(store, 200, Dice(3))
    rare = [card for card in store.all_cards(legal=True) if card.zones == {"top": 9}]
    assert len(rare) == 5
    assert set(rare) <= set(pool)
    assert 200 <= len(pool) <= 205


def test_every_card_may_be_drawn(store: Store) -> None:
    ids = {card.id for seed in range(60) for card in sampled_pool(store, 500, Dice(seed))}
    assert len(ids) > 0.99 * len(list(store.all_cards(legal=True)))
