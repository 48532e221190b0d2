"""Tests of the setup of ninecard and of its random decks."""

import json
import random
from collections import Counter

import pytest
from helpers.made_up import random_battle_deck
from ninecard_positions import DRAKE, NINECARD, SPARK, catalogue, cells_of, deal, document

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    EngineError,
)
from ccgrid.engine.games.ninecard.cards import LARGEST_DECK, Creature, Energy
from ccgrid.engine.games.ninecard.decks import CURVE, draw_deck
from ccgrid.engine.records.record import read_document


# Players and decks
@pytest.mark.parametrize("count", [2, 3, 4])
def test_players_start_with_a_deck_50_life_an_empty_grid_and_five_cards(count):
    state = deal(players=count).start()
    assert len(state.sides) == NINECARD.decks_needed(count) == count
    for seat, side in enumerate(state.sides):
        assert side.life == 50
        assert cells_of(side) == {}
        assert len(side.hand) == 5 + (seat == state.to_move)
        assert len(side.hand) + len(side.deck) == 12


def test_ninecard_requires_one_deck_per_player():
    with pytest.raises(EngineError, match="a deck for each player, 2 here, not 1"):
        NINECARD.deal(["Ann", "Bob"], [random_battle_deck(random.Random(1))], Dice(1))


def test_the_hand_is_drawn_from_the_top_of_the_deck():
    deck = [{"name": f"Spark {n}"} for n in range(9)]
    state = read_document(document(deck)).require().setup.start()
    assert [card.name for card in state.sides[0].hand] == [f"Spark {n}" for n in range(6)]


def test_the_decks_are_shuffled_and_the_starting_player_is_random():
    rng = random.Random(1)
    decks = [random_battle_deck(rng), random_battle_deck(rng)]
    setups = [NINECARD.deal(["Ann", "Bob"], decks, Dice(seed)) for seed in range(40)]
    assert {setup.first for setup in setups} == {0, 1}
    assert len({setup.decks for setup in setups}) == 40
    assert NINECARD.deal(["Ann", "Bob"], decks, Dice(1), first=1).first == 1


def test_card_with_attack_and_defense_is_a_creature_and_any_other_is_energy():
    numbers = {"Both": (3, 4), "None": (None, None), "Attack": (3, None), "Defense": (None, 4), "Large": (11, 4)}
    deck = [Card(id="", game="", name=name, zones={}, score=0, attack=a, defense=d) for name, (a, d) in numbers.items()]
    setup = NINECARD.deal(["Ann", "Bob"], [deck, deck], Dice(1))
    assert set(setup.decks[0]) == {Creature("Both", 3, 4), *map(Energy, ("None", "Attack", "Defense", "Large"))}


def test_card_not_legal_in_grid_may_be_used():
    barred = Card(id="", game="", name="Twin", zones={}, score=4, legal=False, reason="no-number", attack=2, defense=2)
    setup = NINECARD.deal(["Ann", "Bob"], [[barred], [barred]], Dice(1))
    assert setup.decks[0] == (Creature("Twin", 2, 2),)


@pytest.mark.parametrize("size", [0, LARGEST_DECK + 1])
def test_deck_size_is_limited(size):
    with pytest.raises(EngineError, match=f'the deck of "Bob": must be 1 to {LARGEST_DECK} cards, not {size}'):
        NINECARD.deal(["Ann", "Bob"], [[card_of(SPARK)], [card_of(SPARK)] * size], Dice(1))


def card_of(card):
    fight = {"attack": card.attack, "defense": card.defense} if isinstance(card, Creature) else {}
    return Card(id="", game="", name=card.name, zones={}, score=0, **fight)


def test_later_cards_of_one_name_are_numbered():
    tables = [{"name": "Drake", "attack": n, "defense": 1} for n in (1, 2, 1, 3)] + [{"name": "Drake"}]
    record = read_document(document(tables)).require()
    assert [card.name for card in record.setup.decks[0]] == ["Drake", "Drake #2", "Drake", "Drake #3", "Drake #4"]
    assert read_document(json.loads(record.to_json_line())).require() == record


# Random decks from a catalogue
def test_random_deck_has_24_energy_among_60_cards():
    deck = draw_deck(catalogue(), Dice(1))
    assert len(deck) == len({card.id for card in deck}) == 60
    assert sum(card.attack is None for card in deck) == 24
    assert draw_deck(catalogue(), Dice(1)) == deck != draw_deck(catalogue(), Dice(2))


def test_random_deck_has_cheap_creatures_if_available():
    deck = draw_deck(catalogue(), Dice(1), size=90, energy=36)
    costs = sorted(card.attack + card.defense for card in deck if card.attack is not None)
    assert len(costs) == 54
    ninths = 0
    for cost, creatures in CURVE:
        ninths += creatures
        cheap = sum(1 for card in catalogue() if card.attack is not None and card.attack + card.defense <= cost)
        assert sum(c <= cost for c in costs) >= min(54 * ninths // 9, cheap)


def test_card_repeats_only_after_all_others_of_its_kind():
    cards = [*catalogue()[:10], *catalogue()[-4:]]
    counts = Counter(card.id for card in draw_deck(cards, Dice(1), size=36, energy=10))
    assert len(counts) == 14
    assert {counts[card.id] for card in cards[:10]} == {2, 3}
    assert {counts[card.id] for card in cards[10:]} == {2, 3}


@pytest.mark.parametrize(
    ("cards", "size", "energy", "message"),
    [
        ([SPARK], 60, 24, "there is no card with an attack and a defense"),
        ([DRAKE], 60, 24, "there is no card without an attack and a defense"),
        ([SPARK, DRAKE], 0, 0, "1 to 1000 cards"),
        ([SPARK, DRAKE], 20, 24, "not 24 of 20"),
    ],
)
def test_impossible_random_deck_is_an_error(cards, size, energy, message):
    with pytest.raises(EngineError, match=message):
        draw_deck([card_of(card) for card in cards], Dice(1), size, energy)


def test_deck_may_have_only_energy_or_only_creatures():
    assert len(draw_deck([card_of(SPARK)], Dice(1), 9, 9)) == 9
    assert len(draw_deck([card_of(DRAKE)], Dice(1), 9, 0)) == 9
