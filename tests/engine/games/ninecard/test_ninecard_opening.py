"""Tests of the opening of ninecard: a hand without a playable creature is redrawn, except with the original rules."""

import random

import pytest
from helpers.made_up import random_battle_deck
from ninecard_positions import NINECARD, catalogue

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.ninecard.cards import can_open
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.records.record import Record, read_document

NAMES = ("Ann", "Bob")


def card(name, attack=None, defense=None):
    return Card(id="", game="", name=name, zones={}, score=0, attack=attack, defense=defense)


def deal(decks, seed, **options):
    return NINECARD.deal(NAMES[: len(decks)], decks, Dice(seed), options=options)


def hands(setup):
    return [deck[:5] for deck in setup.decks]


HEAVY = [card(f"Ox {number}", 5, 5) for number in range(20)] + [card(f"Mouse {number}", 1, 0) for number in range(12)]
FUEL = [card(f"Spark {number}") for number in range(20)]


@pytest.mark.parametrize(
    ("creatures", "energies", "options", "expected"),
    [
        ((1, 3), 2, {}, True),
        ((3, 3), 2, {}, False),
        ((5, 5, 5, 5, 0), 0, {}, True),
        ((4, 4, 4, 4, 4), 0, {"facedown": True}, True),
        ((5, 5, 5, 5, 5), 0, {"facedown": True}, False),
        ((3, 3, 3), 2, {"one_creature": True}, True),
        ((3, 3, 3), 2, {}, False),
        ((3,), 2, {"one_creature": True}, False),
        ((), 5, {}, False),
    ],
)
def test_hand_with_an_affordable_creature_is_kept(creatures, energies, options, expected):
    deck = [card(f"Ox {number}", cost, 0) for number, cost in enumerate(creatures)]
    deck += [card(f"Spark {number}") for number in range(energies)]
    hand = deal([deck, deck], 1, opening="text").decks[0]
    assert can_open(hand, Options(**options)) is expected


def test_hand_without_a_playable_creature_is_redrawn():
    for seed in range(200):
        playable, text = (deal([HEAVY + FUEL] * 2, seed, **options) for options in ({}, {"opening": "text"}))
        assert all(can_open(hand, Options()) for hand in hands(playable))
        if can_open(hands(text)[0], Options()):
            assert playable.decks[0] == text.decks[0]


def test_original_rules_keep_every_hand():
    openings = [
        can_open(hand, Options())
        for seed in range(100)
        for hand in hands(deal([HEAVY + FUEL] * 2, seed, opening="text"))
    ]
    assert 0 < openings.count(False) < len(openings)


def test_unplayable_deck_is_shuffled_at_most_eleven_times():
    deck = [card(f"Ox {number}", 5, 5) for number in range(12)]
    dice = Dice(3)
    order = [dice.permutation(12) for _ in range(22)]
    starts = dice.below(2)
    setup = deal([deck, deck], 3)
    assert [card_drawn.name for card_drawn in setup.decks[0]] == [f"Ox {number}" for number in order[10]]
    assert setup.first == starts
    text = deal([deck, deck], 3, opening="text")
    assert [card_drawn.name for card_drawn in text.decks[0]] == [f"Ox {number}" for number in order[0]]


def test_games_between_random_decks_do_not_end_immediately():
    decks, ended = BattleDecks.of(catalogue(), 2), 0
    for seed in range(300):
        dice = Dice(seed)
        state = NINECARD.deal(NAMES, decks(dice), dice).start()
        for _ in range(2):  # two turns without a played card
            legal = state.legal_moves()
            state = state.play_unchecked(next(move for move in legal if move.startswith("assault")))
            state = state.play_unchecked("end")
            while state.discarding:
                state = state.play_unchecked(state.legal_moves()[0])
            if state.outcome() is not None:
                ended += 1
                break
    assert ended == 0


def test_random_decks_have_no_free_creature():
    cards = [*catalogue(), *(card(f"Wall {number}", 0, 0) for number in range(40))]
    for seed in range(50):
        for deck in BattleDecks.of(cards, 2)(Dice(seed)):
            assert all((card_drawn.attack, card_drawn.defense) != (0, 0) for card_drawn in deck)
    with pytest.raises(EngineError, match="no card with an attack and a defense"):
        BattleDecks.of([card("Wall", 0, 0), card("Spark")])


def test_record_names_the_opening_of_the_original_rules():
    deck = random_battle_deck(random.Random(1))
    setup = deal([deck, deck], 1, opening="text")
    document = Record(setup).to_document()
    assert document["setup"]["opening"] == "text"
    assert read_document(document).require().setup == setup
    assert "opening" not in deal([deck, deck], 1).to_table()
    document["setup"]["opening"] = "lucky"
    assert str(read_document(document).error) == 'setup.opening: must be "playable" or "text", not "lucky"'
    with pytest.raises(EngineError, match=r"^the option opening must be a text, not true$"):
        deal([deck, deck], 1, opening=True)


def test_record_may_have_any_hand():
    deck = [{"name": f"Ox {number}", "attack": 5, "defense": 5} for number in range(6)]
    document = {"game": "ninecard", "players": [*NAMES], "first": "Ann", "moves": []}
    reading = read_document({**document, "setup": {"decks": dict.fromkeys(NAMES, deck)}})
    assert reading.error is None
