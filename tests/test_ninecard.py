"""The ninecard game, sentence by sentence as RULES.md states it."""

import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import naive_ninecard
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import random_battle_deck
from test_every_game import perft_table

from catalog.card import Card, CatalogError
from engine import codecs
from engine.dice import Dice
from engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
    MoveError,
    UnknownCardError,
)
from engine.game import Ending
from engine.games import find_game
from engine.games.ninecard.cards import HIDDEN, LARGEST_DECK, Creature, Energy
from engine.games.ninecard.combat import BOARD, clash
from engine.games.ninecard.decks import CURVE, BattleDecks, draw_deck
from engine.games.ninecard.game import NinecardSetup
from engine.games.ninecard.side import Options, Side
from engine.games.ninecard.state import NinecardState
from engine.notation import play, read_move
from engine.players import choose_move, find_player
from engine.record import Record, read_document
from engine.record_files import read_ending
from engine.simulation import Lineup, play_game, play_out, simulate

NINECARD = find_game("ninecard")
NAMES = ("Ann", "Bob", "Cid", "Dan")
SPARK = Energy("Spark")
DRAKE = Creature("Amber Drake", 3, 2)
SCOUT = Creature("Brass Scout", 1, 1)
WALL = Creature("Gate", 0, 6)
GHOST = Creature("Ghost", 0, 0)
FULL_HAND = (SPARK,) * 5


def creature(fight):
    return fight if isinstance(fight, Creature) else Creature(f"{fight[0]}/{fight[1]}", *fight)


def side(hand=FULL_HAND, energy=0, life=50, deck=(), **cells):
    """A player's side: energy cards laid, and creatures on cells, each `(attack, defense)` or a creature."""
    grid = tuple(creature(cells[cell]) if cell in cells else None for cell in BOARD.cells)
    return Side(life, tuple(deck), tuple(hand), energy=(SPARK,) * energy, grid=grid)


def table(*sides, turn=1, to_move=0, **options):
    sides = sides if len(sides) > 1 else (*sides, side((GHOST,)))  # a ghost can always be played
    return NinecardState(NAMES[: len(sides)], Options(**options), sides, to_move, turn)


def played(state, *moves):
    for move in moves:
        state = play(state, move)
    return state


def cells_of(side):
    return {cell: f"{c.attack}/{c.defense}" for cell, c in zip(BOARD.cells, side.grid, strict=True) if c is not None}


def words(state):
    return {move.split(" ")[0] for move in state.legal_moves()}


def assaulted(ann, bob, *attacks):
    """What comes of an assault of Ann's on Bob, before she ends it."""
    return played(table(ann, bob), "assault Bob", *(f"attack {cell}" for cell in attacks))


def deal(seed=1, players=2, size=12, **more):
    rng = random.Random(seed)
    return NINECARD.deal(NAMES[:players], [random_battle_deck(rng, size) for _ in range(players)], Dice(seed), **more)


def document(ann, bob=({"name": "Spark"},), moves=(), **setup):
    return {
        "game": "ninecard",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": list(moves),
        "setup": {"decks": {"Ann": list(ann), "Bob": list(bob)}, **setup},
    }


def error_of(value, **more):
    error = read_document(value, **more).error
    assert error is not None
    return error.where, error.message


# Players and decks


@pytest.mark.parametrize("count", [2, 3, 4])
def test_two_to_four_play_each_with_a_deck_50_life_an_empty_grid_and_five_cards(count):
    state = deal(players=count).start()
    assert len(state.sides) == NINECARD.decks_needed(count) == count
    for seat, one in enumerate(state.sides):
        assert one.life == 50
        assert cells_of(one) == {}
        assert len(one.hand) == 5 + (seat == state.to_move)
        assert len(one.hand) + len(one.deck) == 12


def test_there_is_one_deck_for_each_player():
    with pytest.raises(EngineError, match="one deck for each player, 2 here, not 1"):
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


def test_a_card_with_an_attack_and_a_defense_is_a_creature_and_any_other_an_energy_card():
    numbers = {"Both": (3, 4), "None": (None, None), "Attack": (3, None), "Defense": (None, 4), "Large": (11, 4)}
    deck = [Card(id="", game="", name=name, zones={}, score=0, attack=a, defense=d) for name, (a, d) in numbers.items()]
    setup = NINECARD.deal(["Ann", "Bob"], [deck, deck], Dice(1))
    assert set(setup.decks[0]) == {Creature("Both", 3, 4), *map(Energy, ("None", "Attack", "Defense", "Large"))}


def test_a_card_that_the_grid_game_bars_may_be_used():
    barred = Card(id="", game="", name="Twin", zones={}, score=4, legal=False, reason="no-number", attack=2, defense=2)
    setup = NINECARD.deal(["Ann", "Bob"], [[barred], [barred]], Dice(1))
    assert setup.decks[0] == (Creature("Twin", 2, 2),)


@pytest.mark.parametrize("size", [0, LARGEST_DECK + 1])
def test_a_deck_has_a_card_at_least_and_is_bounded(size):
    with pytest.raises(EngineError, match=f'the deck of "Bob": must be 1 to {LARGEST_DECK} cards, not {size}'):
        NINECARD.deal(["Ann", "Bob"], [[card_of(SPARK)], [card_of(SPARK)] * size], Dice(1))


def card_of(card):
    fight = {"attack": card.attack, "defense": card.defense} if isinstance(card, Creature) else {}
    return Card(id="", game="", name=card.name, zones={}, score=0, **fight)


def test_of_different_cards_with_one_name_the_later_are_numbered():
    tables = [{"name": "Drake", "attack": n, "defense": 1} for n in (1, 2, 1, 3)] + [{"name": "Drake"}]
    record = read_document(document(tables)).require()
    assert [card.name for card in record.setup.decks[0]] == ["Drake", "Drake #2", "Drake", "Drake #3", "Drake #4"]
    assert read_document(json.loads(record.to_json_line())).require() == record


# The start of a turn


def test_a_creature_costs_attack_plus_defense():
    assert Creature("Drake", 3, 4).cost == 7


def test_all_energy_readies_and_one_card_is_drawn_by_the_first_player_too():
    state = deal().start()
    assert len(state.side.hand) == 6
    ann = side((DRAKE,), energy=5, deck=[SCOUT])
    state = table(ann, side(deck=[DRAKE, SCOUT], energy=3, a1=(1, 1)))
    state = played(state, "play Amber Drake b")
    assert state.ready == 0
    state = played(state, "assault Bob", "end")
    assert state.to_move == 1
    assert state.side.hand == (*FULL_HAND, DRAKE)
    assert state.ready == 3
    state = played(state, "energy Spark", "assault Ann", "end")
    assert (state.to_move, state.ready) == (0, 5)


def test_from_an_empty_deck_nothing_is_drawn():
    state = played(table(side(a1=(1, 1)), side((SPARK,), a1=(1, 1))), "assault Bob", "end")
    assert state.side.hand == (SPARK,)


# Energy


def test_as_many_energy_cards_as_in_hand_may_be_laid_and_are_ready_at_once():
    state = table(side((SPARK, Energy("Ember"), SPARK)))
    state = played(state, "energy Spark", "energy Ember", "energy Spark")
    assert state.ready == 3
    assert state.side.hand == ()
    assert state.side.energy == (SPARK, Energy("Ember"), SPARK)


def test_a_creature_is_no_energy_card_unless_an_option_says_so():
    state = table(side((DRAKE, SPARK)))
    assert words(state) == {"energy", "assault"}
    for move, message in [
        ("energy Amber Drake", "this is a creature, not an energy card: play it into a column"),
        ("facedown Amber Drake", "it has no option facedown"),
        ("sacrifice Amber Drake", "it has no option one_creature"),
        ("facedown Spark", 'this is an energy card: lay it with "energy Spark"'),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


# Playing a creature


def test_a_creature_takes_enough_ready_energy():
    state = table(side((DRAKE, SCOUT), energy=6))
    state = play(state, "play Amber Drake a")
    assert state.ready == 1
    with pytest.raises(IllegalMoveError, match='"Brass Scout" costs 2, and 1 energy is ready'):
        play(state, "play Brass Scout b")
    assert play(table(side((SCOUT,), energy=2)), "play Brass Scout c").ready == 0


def test_a_creature_that_costs_nothing_takes_no_energy():
    assert "play Ghost a" in table(side((Creature("Ghost", 0, 0),))).legal_moves()


def test_a_creature_enters_at_the_rear_and_slides_forward_while_the_next_cell_is_empty():
    state = table(side((SCOUT,) * 5, energy=20, c2=(5, 5)))
    assert cells_of(play(state, "play Brass Scout a").side) == {"a1": "1/1", "c2": "5/5"}
    assert cells_of(played(state, *["play Brass Scout a"] * 3).side).keys() == {"a1", "a2", "a3", "c2"}
    assert cells_of(play(state, "play Brass Scout c").side) == {"c2": "5/5", "c3": "1/1"}


def test_a_column_whose_rear_cell_is_taken_takes_no_creature():
    state = table(side((SCOUT,), energy=2, a3=(1, 1)))
    assert [move for move in state.legal_moves() if move.startswith("play")] == [
        "play Brass Scout b",
        "play Brass Scout c",
    ]
    with pytest.raises(IllegalMoveError, match="a3, where creatures enter column a, is not empty"):
        play(state, "play Brass Scout a")


def test_an_energy_card_is_not_played_into_a_column():
    with pytest.raises(IllegalMoveError, match="only creatures are played"):
        play(table(side((SPARK,))), "play Spark a")


def test_a_card_that_is_not_in_hand_is_not_played():
    for move in ("energy Ghost", "play Ghost a"):
        with pytest.raises(IllegalMoveError, match='there is no "Ghost" in your hand'):
            play(table(side()), move)


def test_energy_creatures_and_steps_come_in_any_order():
    state = table(side((SPARK, SPARK, SCOUT, SPARK), a1=(2, 2)))
    state = played(state, "move a1 b1", "energy Spark", "energy Spark", "play Brass Scout a", "energy Spark")
    state = played(state, "move a1 a2")
    assert cells_of(state.side) == {"b1": "2/2", "a2": "1/1"}


# Moving


def test_a_creature_steps_one_cell_to_an_empty_neighbour_in_its_row_or_column_not_diagonally():
    state = table(side(b2=(1, 1)))
    assert [move for move in state.legal_moves() if move.startswith("move")] == [
        "move b2 a2",
        "move b2 b1",
        "move b2 b3",
        "move b2 c2",
    ]
    for move, message in [
        ("move b2 a1", "b2 and a1 are not next to each other in a row or a column"),
        ("move b2 b2", "not next to each other"),
        ("move c1 c2", "you have no creature on c1"),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


def test_a_creature_does_not_step_onto_another():
    with pytest.raises(IllegalMoveError, match="b1 is not empty: creatures next to each other swap"):
        play(table(side(a1=(1, 1), b1=(2, 2))), "move a1 b1")


def test_a_swap_changes_two_neighbours_and_names_the_cells_in_alphabetical_order():
    state = table(side(a1=(1, 1), a2=(2, 2), b1=(3, 3)))
    assert [move for move in state.legal_moves() if move.startswith("swap")] == ["swap a1 a2", "swap a1 b1"]
    assert cells_of(play(state, "swap a1 b1").side) == {"a1": "3/3", "a2": "2/2", "b1": "1/1"}
    for move, message in [
        ("swap b1 a1", "the cells of a swap stand in alphabetical order: swap a1 b1"),
        ("swap a2 b1", "not next to each other"),
        ("swap a2 b2", "you have no creature on b2"),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


def test_a_creature_moves_or_swaps_once_a_turn():
    state = play(table(side(a1=(1, 1), b1=(2, 2), c3=(3, 3))), "swap a1 b1")
    assert [move for move in state.legal_moves() if move[0] in "ms"] == ["move c3 b3", "move c3 c2"]
    for move in ("swap a1 b1", "move a1 a2"):
        with pytest.raises(IllegalMoveError, match="on a1 has moved already in this turn"):
            play(state, move)
    state = play(table(side(a1=(1, 1), b1=(2, 2))), "move b1 b2")
    with pytest.raises(IllegalMoveError, match="on b2 has moved already"):
        play(state, "move b2 a2")


def test_a_creature_that_has_moved_cannot_be_swapped_by_one_that_has_not():
    state = play(table(side(a1=(1, 1), c1=(2, 2))), "move a1 b1")
    assert "swap b1 c1" not in state.legal_moves()
    with pytest.raises(IllegalMoveError, match="on b1 has moved already"):
        play(state, "swap b1 c1")


def test_a_creature_may_move_in_the_turn_in_which_it_came_and_every_one_again_in_the_next():
    state = play(play(table(side((SCOUT,), energy=2)), "play Brass Scout a"), "move a1 b1")
    assert not any(move.startswith("move") for move in state.legal_moves())
    state = played(state, "assault Bob", "end", "assault Ann", "end")
    assert "move b1 c1" in state.legal_moves()


def test_a_creature_that_came_or_moved_in_this_turn_may_attack():
    state = play(play(table(side((SCOUT,), energy=2)), "play Brass Scout a"), "move a1 b1")
    assert played(state, "assault Bob", "attack b1").scores() == (50, 49)


def test_creatures_do_not_slide_before_the_cleanup_when_a_step_leaves_a_gap():
    state = play(table(side(a1=(1, 1), a2=(2, 2))), "move a1 b1")
    assert cells_of(state.side) == {"b1": "1/1", "a2": "2/2"}
    assert cells_of(played(state, "assault Bob", "end").sides[0]) == {"b1": "1/1", "a1": "2/2"}


# Options


def test_facedown_lays_creatures_as_energy_without_limit():
    state = table(side((DRAKE, SCOUT, SPARK)), facedown=True)
    assert [move for move in state.legal_moves() if "Amber" in move] == ["facedown Amber Drake"]
    state = played(state, "facedown Amber Drake", "facedown Brass Scout")
    assert state.ready == 2
    assert state.side.facedown == (DRAKE, SCOUT)
    assert state.side.hand == (SPARK,)


def test_one_creature_a_turn_is_laid_as_energy():
    state = play(table(side((DRAKE, SCOUT, SCOUT), a1=(1, 1)), one_creature=True), "sacrifice Amber Drake")
    assert state.ready == 1
    assert state.side.energy == (DRAKE,)
    assert "sacrifice" not in words(state)
    with pytest.raises(IllegalMoveError, match="one creature a turn may be laid as energy, and one has been"):
        play(state, "sacrifice Brass Scout")
    state = played(state, "assault Bob", "end", "assault Ann", "end")
    assert "sacrifice Brass Scout" in state.legal_moves()


def test_options_are_off_by_default_and_written_in_the_record_when_not():
    assert "facedown" not in deal().to_table()
    options = {"life": 20, "facedown": True, "one_creature": True, "limit": 7}
    setup = deal(options=options)
    assert setup.options == Options(**options)
    assert {key: value for key, value in setup.to_table().items() if key != "decks"} == options
    assert setup.start().scores() == (20, 20)
    assert deal(options={"life": 50, "facedown": False}) == deal()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lives": 3}, 'no option "lives": it has life, facedown, one_creature, limit'),
        ({"life": 0}, "the option life must be 1 to 10000, not 0"),
        ({"limit": 2001}, "the option limit must be 1 to 2000, not 2001"),
        ({"facedown": 1}, "the option facedown must be true or false, not the number 1"),
        ({"limit": True}, "the option limit must be a whole number, not true"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options, message):
    with pytest.raises(EngineError, match=message):
        deal(options=options)


# The assault


def test_the_assault_must_be_declared_and_may_be_made_with_no_attack():
    state = table(side(a1=(3, 3)))
    for move in ("attack a1", "end"):
        with pytest.raises(IllegalMoveError, match="no assault has been declared"):
            play(state, move)
    state = play(state, "assault Bob")
    assert state.legal_moves() == ("attack a1", "end")
    assert play(state, "end").to_move == 1


def test_the_assault_ends_the_part_before_it():
    state = play(table(side((SPARK, SCOUT), energy=9, a1=(3, 3))), "assault Bob")
    for move in ("energy Spark", "play Brass Scout a", "move a1 b1", "assault Bob"):
        with pytest.raises(IllegalMoveError, match="the assault has begun: attack with a creature, or end"):
            play(state, move)


def test_any_player_left_but_oneself_may_be_assaulted():
    state = table(side(), side(), replace(side(), is_out=True), side())
    assert [move for move in state.legal_moves() if move.startswith("assault")] == ["assault Bob", "assault Dan"]
    for name, message in [("Ann", "you cannot assault yourself"), ("Cid", '"Cid" is out'), ("Eve", "not one of the")]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, f"assault {name}")


def test_columns_attack_from_a_to_c_and_a_later_column_passes_the_earlier():
    state = play(table(side(a1=(1, 9), b1=(1, 9), c1=(1, 9))), "assault Bob")
    assert state.legal_moves() == ("attack a1", "attack b1", "attack c1", "end")
    state = play(state, "attack b1")
    assert state.legal_moves() == ("attack c1", "end")
    with pytest.raises(IllegalMoveError, match="column a has been passed: columns attack from a to c"):
        play(state, "attack a1")
    with pytest.raises(IllegalMoveError, match="on b1 has attacked already"):
        play(state, "attack b1")
    assert play(state, "attack c1").legal_moves() == ("end",)


def test_in_a_column_each_attacks_only_if_the_one_before_it_attacked():
    state = play(table(side(a1=(1, 9), a2=(2, 9), a3=(3, 9))), "assault Bob")
    assert state.legal_moves() == ("attack a1", "end")
    with pytest.raises(IllegalMoveError, match="a3 attacks only after a2, which is in front of it, has attacked"):
        play(state, "attack a3")
    for cell in ("a1", "a2", "a3"):
        assert state.legal_moves() == (f"attack {cell}", "end")
        state = play(state, f"attack {cell}")
    assert state.legal_moves() == ("end",)
    assert state.scores() == (50, 44)


def test_the_front_most_creature_may_attack_also_from_a_cell_behind_the_first_row():
    state = play(table(side(b2=(1, 9), b3=(1, 9), c3=(1, 1))), "assault Bob")
    assert state.legal_moves() == ("attack b2", "attack c3", "end")
    assert played(state, "attack b2").legal_moves() == ("attack b3", "attack c3", "end")


def test_the_next_creature_attacks_also_when_the_one_before_it_died_from_its_cell_at_the_assaults_start():
    state = assaulted(side(a1=(1, 1), a2=(2, 2)), side(a1=(1, 9)), "a1")
    assert cells_of(state.side) == {"a2": "2/2"}
    assert state.legal_moves() == ("attack a2", "end")


def test_a_wall_cannot_attack_and_nobody_behind_it_can():
    state = play(table(side(a1=WALL, a2=(5, 5), b1=(1, 1))), "assault Bob")
    assert state.legal_moves() == ("attack b1", "end")
    with pytest.raises(IllegalMoveError, match='"Gate" on a1 has attack 0, and cannot attack'):
        play(state, "attack a1")
    with pytest.raises(IllegalMoveError, match="a1, in front of a2, has attack 0, and so nobody behind it can attack"):
        play(state, "attack a2")


def test_an_empty_cell_cannot_attack():
    with pytest.raises(IllegalMoveError, match="you have no creature on c2"):
        play(play(table(side(a1=(1, 1))), "assault Bob"), "attack c2")


# An attack


@pytest.mark.parametrize(
    ("attacker", "defenders", "lives", "fallen", "breach"),
    [
        ((3, 3), [], True, (), 3),
        ((3, 3), [(1, 5)], True, (), 0),
        ((3, 3), [(3, 5)], False, (), 0),
        ((3, 3), [(4, 5)], False, (), 0),
        ((3, 4), [(3, 3)], True, (0,), 0),
        ((3, 3), [(3, 3)], False, (0,), 0),
        ((5, 4), [(3, 3)], True, (0,), 2),
        ((5, 3), [(3, 3)], False, (0,), 0),
        ((7, 5), [(2, 3), (3, 2)], False, (0, 1), 0),
        ((7, 6), [(2, 3), (3, 2)], True, (0, 1), 2),
        ((7, 5), [(2, 3), (3, 9)], False, (0,), 0),
        ((9, 9), [(2, 3), (3, 3), (3, 2)], True, (0, 1, 2), 1),
        ((9, 8), [(2, 3), (3, 3), (3, 2)], False, (0, 1, 2), 0),
        ((5, 5), [(0, 5), (9, 1)], True, (0,), 0),
        ((6, 5), [(0, 6)], True, (0,), 0),
        ((6, 5), [(0, 7)], True, (), 0),
        ((4, 4), [(3, 0), (0, 2)], True, (0, 1), 2),
        ((4, 0), [(0, 1)], False, (0,), 0),
        ((4, 0), [], True, (), 4),
        ((10, 1), [(0, 3), (1, 3)], False, (0, 1), 0),
    ],
    ids=[
        "nobody-there",
        "defender-lives",
        "equal-damage-kills-the-attacker",
        "more-damage-kills-the-attacker",
        "exact-kill-stops",
        "both-die",
        "breach",
        "the-dead-do-not-breach",
        "dies-at-the-second-of-the-chain",
        "lives-through-the-chain",
        "damage-adds-up-also-where-the-defender-lives",
        "through-three",
        "dies-at-the-third",
        "exact-kill-does-not-meet-the-next",
        "wall-killed-exactly",
        "wall-blocks",
        "defense-0-takes-no-attack-away",
        "defense-0-dies-of-a-wall",
        "defense-0-breaches-where-nobody-is",
        "dies-at-the-second-with-attack-left",
    ],
)
def test_an_attack(attacker, defenders, lives, fallen, breach):
    result = clash(creature(attacker), [creature(one) for one in defenders])
    assert (result.attacker_lives, result.fallen, result.breach) == (lives, fallen, breach)


def test_the_attacker_meets_the_defenders_of_its_column_front_to_back_and_no_others():
    state = assaulted(side(b1=(9, 9)), side(a1=(9, 9), b2=(1, 3), b3=(1, 4), c1=(9, 9)), "b1")
    assert cells_of(state.sides[1]) == {"a1": "9/9", "c1": "9/9"}
    assert state.scores() == (50, 48)


def test_a_chain_in_which_the_attacker_dies_at_the_second_defender():
    state = assaulted(side(a1=(7, 5)), side(a1=(2, 3), a2=(3, 2), a3=(1, 1)), "a1")
    assert cells_of(state.side) == {}
    assert cells_of(state.sides[1]) == {"a3": "1/1"}
    assert [card.name for card in state.sides[1].discard] == ["2/3", "3/2"]
    assert [card.name for card in state.sides[0].discard] == ["7/5"]
    assert state.scores() == (50, 50)


def test_an_attack_left_over_is_taken_from_the_targets_life_alone():
    state = table(side(a1=(5, 9)), side(), side(a1=(0, 3)))
    assert played(state, "assault Cid", "attack a1").scores() == (50, 50, 48)
    assert played(state, "assault Bob", "attack a1").scores() == (50, 45, 50)


def test_damage_does_not_stay_on_survivors():
    state = assaulted(side(a1=(2, 9), a2=(2, 9)), side(a1=(8, 3)), "a1", "a2")
    assert cells_of(state.side) == {"a1": "2/9", "a2": "2/9"}
    assert cells_of(state.sides[1]) == {"a1": "8/3"}


def test_the_next_attacker_meets_only_the_living():
    state = assaulted(side(a1=(3, 1), a2=(2, 2)), side(a1=(1, 3), a2=(1, 1)), "a1", "a2")
    assert cells_of(state.sides[1]) == {}
    assert cells_of(state.side) == {"a2": "2/2"}
    assert state.scores() == (50, 49)


def test_gaps_after_a_death_stay_until_the_cleanup_in_which_all_grids_slide():
    ann, bob, cid = side(a1=(3, 1), a2=(2, 2)), side(a1=(1, 3), a2=WALL), side(c3=(1, 1))
    state = played(table(ann, bob, cid), "assault Bob", "attack a1")
    assert [cells_of(one) for one in state.sides] == [{"a2": "2/2"}, {"a2": "0/6"}, {"c3": "1/1"}]
    state = play(state, "end")
    assert [cells_of(one) for one in state.sides] == [{"a1": "2/2"}, {"a1": "0/6"}, {"c1": "1/1"}]


# Out


def test_a_player_whose_life_is_gone_is_out_at_once_and_the_last_player_left_wins():
    state = assaulted(side(a1=(3, 3), a2=(3, 3), a3=(3, 3)), side(life=5), "a1", "a2")
    assert state.sides[1].life == -1
    assert state.scores() == (50, 0)
    assert state.outcome().winner == 0
    assert state.ending() == Ending("last-player", '"Ann" is the last player left')
    assert state.legal_moves() == ()


def test_life_of_exactly_0_is_out_and_of_1_is_not():
    assert assaulted(side(a1=(5, 1)), side(life=5), "a1").outcome().winner == 0
    assert assaulted(side(a1=(5, 1)), side(life=6), "a1").outcome() is None


def test_with_others_left_the_turn_goes_straight_to_cleanup_and_on():
    ann = side((), deck=[SPARK] * 7, a1=(3, 3), a2=(3, 3), b2=(3, 3))
    state = played(table(ann, side(life=3), side(life=9)), "assault Bob", "attack a1")
    assert state.scores() == (50, 0, 9)
    assert state.sides[1].is_out
    assert state.outcome() is None
    assert cells_of(state.sides[0]).keys() == {"a1", "a2", "b1"}
    assert len(state.sides[0].hand) == 5
    assert state.to_move == 2
    assert [move for move in state.legal_moves() if move.startswith("assault")] == ["assault Ann"]


def test_the_turn_passes_over_players_who_are_out():
    sides = [side(a1=(1, 1)) for _ in range(4)]
    sides[1] = sides[2] = replace(side(), is_out=True)
    state = table(*sides)
    order = [state.to_move]
    for target in ("Dan", "Ann", "Dan"):
        state = played(state, f"assault {target}", "end")
        order.append(state.to_move)
    assert order == [0, 3, 0, 3]


def test_an_empty_grid_and_no_creature_that_could_be_played_is_a_loss():
    state = played(table(side((DRAKE, SPARK, SPARK), energy=2), side(life=1)), "assault Bob", "end")
    assert state.outcome().scores == (0, 1)
    assert state.outcome().winner == 1
    assert state.sides[0].is_out


def test_a_hand_without_creatures_is_a_loss_with_an_empty_grid():
    assert played(table(side((SPARK,) * 5, energy=20)), "assault Bob", "end").outcome().winner == 1


@pytest.mark.parametrize("hand", [(DRAKE, SPARK, SPARK, SPARK), (SPARK, SPARK, SPARK, DRAKE, DRAKE)])
def test_who_could_have_played_a_creature_with_all_energy_in_hand_is_not_out(hand):
    assert played(table(side(hand, energy=2)), "assault Bob", "end").outcome() is None


def test_who_has_a_creature_on_the_grid_is_not_out():
    assert played(table(side((), b3=WALL)), "assault Bob", "end").outcome() is None


def test_who_played_a_creature_in_this_turn_is_not_out_though_it_died():
    state = table(side((SCOUT,), energy=2), side(a1=(9, 9)))
    state = played(state, "play Brass Scout a", "assault Bob", "attack a1", "end")
    assert cells_of(state.sides[0]) == {}
    assert state.outcome() is None


def test_who_loses_the_last_creature_in_the_own_assault_may_be_out():
    state = played(table(side((DRAKE,), energy=4, a1=(1, 1)), side(a1=(9, 9))), "assault Bob", "attack a1", "end")
    assert state.outcome().winner == 1


def test_an_empty_grid_is_a_loss_in_the_own_turn_only():
    state = play(assaulted(side(a1=(5, 5)), side((), a1=(1, 1)), "a1"), "end")
    assert cells_of(state.sides[1]) == {}
    assert state.outcome() is None
    assert played(state, "assault Ann", "end").outcome().winner == 0


@pytest.mark.parametrize(
    ("hand", "energy", "options", "is_out"),
    [
        ((DRAKE, SCOUT), 1, {}, True),
        ((DRAKE, SCOUT), 1, {"facedown": True}, False),
        ((DRAKE, SCOUT), 0, {"facedown": True}, True),
        ((DRAKE, DRAKE, DRAKE), 3, {"facedown": True}, False),
        ((DRAKE, DRAKE, DRAKE), 3, {"one_creature": True}, True),
        ((DRAKE, SCOUT), 1, {"one_creature": True}, False),
        ((SCOUT,), 1, {"one_creature": True}, True),
        ((SCOUT,), 1, {"facedown": True}, True),
        ((DRAKE, DRAKE, SPARK), 3, {"one_creature": True}, False),
    ],
)
def test_with_the_options_creatures_other_than_that_one_count_as_energy(hand, energy, options, is_out):
    state = played(table(side(hand, energy=energy), **options), "assault Bob", "end")
    assert (state.outcome() is not None) is is_out


def test_a_creature_that_was_laid_as_energy_in_this_turn_leaves_no_second_one():
    state = table(side((DRAKE, DRAKE, DRAKE), energy=3), one_creature=True)
    assert played(state, "sacrifice Amber Drake", "assault Bob", "end").outcome().winner == 1


def test_of_three_players_the_one_who_is_out_draws_nothing_and_the_others_go_on():
    state = played(table(side((SPARK,), deck=[SPARK] * 9), side(), side()), "assault Bob", "end")
    assert state.scores() == (0, 50, 50)
    assert state.sides[0].hand == (SPARK,)
    assert state.to_move == 1
    assert state.outcome() is None


# The end of a turn and of the game


def test_at_the_end_of_the_turn_one_draws_up_to_five():
    for held, stock, after in ((2, 9, 5), (2, 1, 3), (5, 9, 5), (0, 0, 0)):
        state = table(side((SPARK,) * held, deck=[SCOUT] * stock, a1=(1, 1)))
        state = played(state, "assault Bob", "end")
        assert len(state.sides[0].hand) == after
        assert len(state.sides[0].deck) == stock - (after - held)


def test_at_the_end_of_the_turn_one_discards_down_to_five():
    state = played(table(side((*FULL_HAND, DRAKE, SCOUT), a1=(1, 1))), "assault Bob", "end")
    assert state.to_move == 0
    assert state.legal_moves() == ("discard Amber Drake", "discard Brass Scout", "discard Spark")
    for move, message in [("end", "discard a card, you hold 7"), ("discard Ghost", 'no "Ghost" in your hand')]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)
    state = play(state, "discard Spark")
    assert state.to_move == 0
    state = play(state, "discard Amber Drake")
    assert state.to_move == 1
    assert state.sides[0].hand == (*FULL_HAND[:4], SCOUT)
    assert state.sides[0].discard == (SPARK, DRAKE)
    with pytest.raises(IllegalMoveError, match="at the end of the turn only"):
        play(state, "discard Spark")


def test_after_200_turns_the_highest_life_wins():
    assert Options().limit == 200
    sides = side(a1=(1, 1), life=30), side(a1=(1, 1), life=31)
    state = played(table(*sides, turn=199), "assault Bob", "end")
    assert state.outcome() is None
    state = played(state, "assault Ann", "end")
    assert state.ending() == Ending("turn-limit", "turn 200, the last one, has been played")
    assert (state.outcome().scores, state.outcome().winner) == ((30, 31), 1)
    assert state.legal_moves() == ()


def test_after_the_last_turn_equal_life_is_a_draw():
    state = played(table(side(a1=(1, 1)), side(a1=(1, 1)), turn=3, limit=3), "assault Bob", "end")
    assert state.outcome().winner is None
    assert state.outcome().leaders == (0, 1)


def test_the_last_turn_ends_only_when_the_cards_over_five_are_discarded():
    state = table(side((*FULL_HAND, SPARK), a1=(1, 1)), turn=200)
    state = played(state, "assault Bob", "end")
    assert state.outcome() is None
    assert play(state, "discard Spark").outcome().winner is None


def test_a_score_is_the_life_and_0_when_out():
    state = table(side(life=12), replace(side(life=40), is_out=True), replace(side(life=-3), is_out=True), side(life=1))
    assert state.scores() == (12, 0, 0, 1)


def test_after_the_end_every_move_is_refused_with_the_reason_of_the_end():
    state = assaulted(side(a1=(9, 9)), side(life=5), "a1")
    for attempt in (play, read_move):
        with pytest.raises(IllegalMoveError, match='the game is over: "Ann" is the last player left'):
            attempt(state, "assault Bob")


# A whole game by hand


def test_a_game_written_down_by_hand():
    """Bob's Guard blocks Ann's Drake; her Scout comes through an empty column, and Bob cannot play any more."""
    spark = {"name": "Spark"}
    drake = {"name": "Amber Drake", "attack": 2, "defense": 1}
    scout = {"name": "Brass Scout", "attack": 1, "defense": 1}
    guard = {"name": "Guard", "attack": 1, "defense": 3}
    moves = ["energy Spark"] * 3 + ["play Amber Drake a", "assault Bob", "attack a1", "end"]  # 5 - 2 = 3
    moves += ["energy Spark"] * 4 + ["play Guard a", "assault Ann", "attack a1", "end"]  # the Drake dies
    moves += [
        "energy Spark",
        "play Brass Scout b",
        "play Brass Scout b",
        "assault Bob",
        "attack b1",
        "attack b2",
        "end",
    ]
    moves += ["assault Ann", "end"]
    moves += ["assault Bob", "attack b1"]
    ann = [spark, spark, spark, drake, scout, scout, spark, spark]
    bob = [spark, spark, spark, spark, guard, spark]
    reading = read_document({**document(ann, bob, moves, life=5), "result": {"scores": {"Ann": 5, "Bob": 0}}})
    assert reading.error is None
    assert cells_of(reading.state.sides[1]) == {"a1": "1/3"}
    assert reading.to_dict()["winner"] == "Ann"


# Notation, and what people type


def test_names_of_cards_and_players_may_hold_anything():
    names = [
        "end",
        "Foo b",
        "Foo",
        "Foo b c",
        "  spaced  out ",
        "new\nline",
        "\x1b[2J",
        "[/red]",
        "play Foo a",
        "ÅΩ",
        "a1",
    ]
    players = ["Ann Lee", "assault", "b\n1 ", "[bold]"]
    deck = [{"name": name, "attack": 0, "defense": 0} for name in names]
    value = document(deck, moves=[]) | {"players": players, "first": "Ann Lee"}
    value["setup"] = {"decks": dict.fromkeys(players, deck)}
    rng = random.Random(3)
    for _ in range(20):
        state = read_document(value).require().setup.start()
        moves = []
        while (legal := state.legal_moves()) and len(moves) < 60:
            for move in legal:
                assert NINECARD.notation.is_notation(state, move)
                assert read_move(state, move) == move
            moves.append(rng.choice(legal))
            state = play(state, moves[-1])
        for text, parse in (
            (read_document(value | {"moves": moves}).require().to_toml(), codecs.parse_toml),
            (read_document(value | {"moves": moves}).require().to_json_line(), codecs.parse_json),
        ):
            assert read_document(parse(text.encode())).state == state


def test_legal_moves_are_sorted_by_code_point_and_copies_count_once():
    state = table(side((SPARK, SPARK, DRAKE, DRAKE, Energy("drop")), energy=5, b1=(1, 1), b2=(1, 1)))
    assert state.legal_moves() == (
        "assault Bob",
        "energy Spark",
        "energy drop",
        "move b1 a1",
        "move b1 c1",
        "move b2 a2",
        "move b2 b3",
        "move b2 c2",
        "play Amber Drake a",
        "play Amber Drake b",
        "play Amber Drake c",
        "swap b1 b2",
    )


@pytest.mark.parametrize(
    "move",
    ["", "e", "END", "end ", "energy", "energy ", "play Spark", "play Spark d", "move a1", "move a1 a4", "swap a1,b1",
     "attack", "attack d1", "assault", "fly a1"],
)  # fmt: skip
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like play Amber Drake b"):
        play(table(side()), move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("energy spark", "energy Spark"),
        ("EN sp", "energy Spark"),
        ("en", "energy Spark"),
        ("spark", "energy Spark"),
        ("play amber drake B", "play Amber Drake b"),
        ("p drake b", "play Amber Drake b"),
        ("drake b", "play Amber Drake b"),
        ("play drake in b", "play Amber Drake b"),
        ("amber drake in column b", "play Amber Drake b"),
        ("p a c", "play Amber Drake c"),
        ("move A1 a2", "move a1 a2"),
        ("m a1-a2", "move a1 a2"),
        ("a1 a2", "move a1 a2"),
        ("a1->a2", "move a1 a2"),
        ("a1 to a2", "move a1 a2"),
        ("b1 a1", "swap a1 b1"),
        ("SWAP b1 with a1", "swap a1 b1"),
        ("assault bob", "assault Bob"),
        ("as", "assault Bob"),
        ("assault", "assault Bob"),
    ],
)
def test_a_person_may_type_a_move_loosely(text, move):
    state = table(side((SPARK, DRAKE), energy=5, a1=(1, 1), b1=(2, 2)))
    assert read_move(state, text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("attack A1", "attack a1"), ("a1", "attack a1"), ("att a", "attack a1"), ("C", "attack c2"), ("e", "end")],
)
def test_a_person_may_type_an_attack_loosely(text, move):
    assert read_move(play(table(side(a1=(1, 1), c2=(1, 1))), "assault Bob"), text) == move


def test_a_person_may_type_a_discard_loosely():
    state = played(table(side((*FULL_HAND, DRAKE), a1=(1, 1))), "assault Bob", "end")
    for text in ("drake", "discard dr", "d amber drake"):
        assert read_move(state, text) == "discard Amber Drake"


def test_a_name_in_full_is_that_card_though_others_begin_so():
    state = table(side((Creature("Foo", 0, 0), Creature("Foo b", 0, 0), Creature("Food", 0, 0))))
    assert read_move(state, "play Foo b") == "play Foo b"
    assert read_move(state, "play foo b b") == "play Foo b b"
    assert read_move(state, "play foo c") == "play Foo c"


def test_a_typed_move_that_may_mean_several_is_ambiguous_and_says_which():
    state = table(side((DRAKE, Creature("Dusk Drake", 1, 1)), energy=9))
    with pytest.raises(AmbiguousMoveError, match="this may be play Amber Drake a or play Dusk Drake a: say which"):
        read_move(state, "play drake a")
    evil = table(side((Energy("\x1b[2J a"), Energy("\x1b[2J b"))))
    with pytest.raises(AmbiguousMoveError) as caught:
        read_move(evil, "energy")
    assert "\x1b" not in str(caught.value)


def test_a_typed_move_that_is_not_legal_says_why():
    state = table(side((DRAKE, SPARK), energy=1, a1=(1, 1)))
    for text, message in [
        ("play drake", '"Amber Drake" costs 5, and 1 energy is ready'),
        ("drake", "costs 5"),
        ("attack", "no assault has been declared"),
        ("end", "no assault has been declared"),
        ("energy ghost", 'no "ghost" in your hand'),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            read_move(state, text)


def test_a_typed_text_that_breaks_several_rules_is_answered_with_the_first_legal_moves():
    hand = tuple(Creature(f"Ghost {n}", 0, 0) for n in range(8))
    state = replace(table(side(hand, a1=(1, 1), b1=(1, 1))), moved=(0,))
    assert len(state.legal_moves()) == 27
    with pytest.raises(
        IllegalMoveError, match=r"no such move is legal now; the legal ones: assault Bob, move b1 b2, .*, 7 more"
    ):
        read_move(state, "a1 b1")


@pytest.mark.parametrize(
    "text", ["", "   ", "xyzzy", "\x1b[2J", "a" * 10_000, "a1 a2 a3", "end it", "a1" + " " * 50_000 + "z"]
)
def test_a_typed_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(table(side((SPARK,), b1=(1, 1))), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)


# What a seat may see


def test_the_hands_and_the_decks_of_others_and_the_own_deck_are_not_in_a_view():
    state = deal(players=3).start()
    view = state.view(1)
    assert view.sides[1].hand == state.sides[1].hand
    for seat in (0, 2):
        assert view.sides[seat].hand == (HIDDEN,) * len(state.sides[seat].hand)
    for seat in range(3):
        assert view.sides[seat].deck == (HIDDEN,) * len(state.sides[seat].deck)


def test_what_lies_on_the_table_is_in_a_view_but_for_what_lies_face_down():
    state = table(side((DRAKE, SPARK), a1=(1, 1), life=9), facedown=True)
    state = played(state, "facedown Amber Drake", "energy Spark")
    for seat in (0, 1):
        seen = state.view(seat).sides[0]
        assert (seen.grid, seen.energy, seen.life) == (state.sides[0].grid, (SPARK,), 9)
        assert seen.facedown == ((DRAKE,) if seat == 0 else (HIDDEN,))


def test_the_repr_of_a_view_names_no_hidden_card():
    ann, bob = side((DRAKE,), deck=[SCOUT]), side((Creature("Secret", 1, 1),), deck=[Energy("Secret")])
    assert "Secret" not in repr(table(ann, bob).view(0))
    assert "Scout" not in repr(table(ann, bob).view(0).sides[0].deck)


def test_in_a_view_drawing_is_an_error_and_what_draws_nothing_can_be_played():
    state = table(side((SPARK, SPARK), deck=[SCOUT], a1=(1, 1)), side(life=1)).view(0)
    state = played(state, "energy Spark", "move a1 b1", "assault Bob")
    with pytest.raises(UnknownCardError, match="draws a card that is hidden"):
        play(state, "end")
    assert play(state, "attack b1").outcome().winner == 0


# Greedy


def test_greedy_lays_energy_plays_a_creature_moves_up_and_attacks():
    state = table(side((SPARK, DRAKE, SCOUT), energy=5), side(a1=(9, 9), b1=(9, 9), life=50))
    moves = []
    while state.to_move == 0 and state.outcome() is None:
        moves.append(choose_move(find_player("greedy"), state, Dice(1)))
        state = play(state, moves[-1])
    assert moves == ["energy Spark", "play Amber Drake c", "assault Bob", "attack c1", "end"]


def test_greedy_does_not_attack_into_death_and_walls_up():
    state = play(table(side((), a1=(1, 1)), side(a1=(9, 9))), "assault Bob")
    assert choose_move(find_player("greedy"), state, Dice(1)) == "end"
    state = table(side((Creature("Gate", 0, 9),), energy=9), side(b1=(8, 1)))
    assert choose_move(find_player("greedy"), state, Dice(1)) == "play Gate b"


def test_greedy_sends_the_first_to_die_where_the_next_then_gains_more():
    state = play(table(side(a1=(3, 1), a2=(9, 9)), side(a1=(1, 3), life=5)), "assault Bob")
    assert choose_move(find_player("greedy"), state, Dice(1)) == "attack a1"


def test_greedy_assaults_where_most_is_to_be_gained():
    state = table(side((), a1=(5, 5)), side(a1=(9, 9)), side(a1=(0, 3)), side(a1=(1, 9)))
    state = replace(state, moved=(0,))
    assert choose_move(find_player("greedy"), state, Dice(1)) == "assault Cid"


def test_greedy_lays_what_it_cannot_play_as_energy_and_keeps_what_it_can():
    for option, word in (("facedown", "facedown"), ("one_creature", "sacrifice")):
        state = table(side((DRAKE, SCOUT), energy=1), **{option: True})
        assert choose_move(find_player("greedy"), state, Dice(1)) == f"{word} Amber Drake"
        state = table(side((DRAKE, SCOUT), energy=2), **{option: True})
        assert choose_move(find_player("greedy"), state, Dice(1)).startswith("play Brass Scout")


def test_greedy_discards_what_it_is_least_likely_to_play():
    hand = (SCOUT,) * 5 + (Creature("Colossus", 9, 9),)
    state = played(table(side(hand, energy=1, a1=(1, 1))), "assault Bob", "end")
    assert choose_move(find_player("greedy"), state, Dice(1)) == "discard Colossus"


def catalogue(seed=1):
    rng = random.Random(seed)
    cards = [
        Card(id=f"dusk:{n}", game="dusk", name=f"Beast {n}", zones={}, score=0, attack=a, defense=d)
        for n in range(150)
        for a, d in [(rng.choice((0, 1, 1, 2, 2, 3, 4, 6)), rng.choice((1, 1, 2, 2, 3, 4, 6)))]
    ]
    return [*cards, *(Card(id=f"dusk:e{n}", game="dusk", name=f"Spark {n}", zones={}, score=0) for n in range(40))]


def test_greedy_beats_random():
    decks = BattleDecks.of(catalogue(), 2)
    players = simulate(Lineup("ninecard", ("random", "greedy"), decks, 7), 60, workers=1).to_dict()["players"]
    assert players[1]["wins"] > 2.5 * players[0]["wins"]


# Decks of a catalogue


def test_a_drawn_deck_has_60_cards_of_which_24_are_energy():
    deck = draw_deck(catalogue(), Dice(1))
    assert len(deck) == len({card.id for card in deck}) == 60
    assert sum(card.attack is None for card in deck) == 24
    assert draw_deck(catalogue(), Dice(1)) == deck != draw_deck(catalogue(), Dice(2))


def test_a_drawn_deck_has_cheap_creatures_as_far_as_there_are_some():
    deck = draw_deck(catalogue(), Dice(1), size=90, energy=36)
    costs = sorted(card.attack + card.defense for card in deck if card.attack is not None)
    assert len(costs) == 54
    ninths = 0
    for cost, creatures in CURVE:
        ninths += creatures
        cheap = sum(1 for card in catalogue() if card.attack is not None and card.attack + card.defense <= cost)
        assert sum(c <= cost for c in costs) >= min(54 * ninths // 9, cheap)


def test_a_card_comes_twice_only_when_all_others_of_its_kind_are_in_the_deck():
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
def test_a_deck_that_cannot_be_drawn_is_an_error(cards, size, energy, message):
    with pytest.raises(EngineError, match=message):
        draw_deck([card_of(card) for card in cards], Dice(1), size, energy)


def test_a_deck_may_be_all_energy_or_all_creatures():
    assert len(draw_deck([card_of(SPARK)], Dice(1), 9, 9)) == 9
    assert len(draw_deck([card_of(DRAKE)], Dice(1), 9, 0)) == 9


# Records


@pytest.mark.parametrize(
    ("setup", "where", "message"),
    [
        ({"decks": {"Ann": ["Spark"]}}, "setup.decks.Ann[0]", "there is no catalogue"),
        ({"decks": {"Ann": [{"name": "x"}]}}, "setup.decks.Bob", "is missing: every player has a deck"),
        ({"decks": {"Eve": []}}, "setup.decks.Eve", "is the deck of none of the players"),
        ({"decks": {"Ann": []}}, "setup.decks.Ann", "must be 1 to 1000 cards, not 0"),
        ({"decks": {"Ann": [{"name": " "}]}}, "setup.decks.Ann[0].name", "is empty"),
        ({"decks": {"Ann": [{"name": "x" * 201}]}}, "setup.decks.Ann[0].name", "has 201 characters: at most 200"),
        ({"decks": {"Ann": [{"attack": 1, "defense": 1}]}}, "setup.decks.Ann[0].name", "is missing"),
        ({"decks": {"Ann": [{"name": "x", "attack": 1}]}}, "setup.decks.Ann[0]", "has attack but no defense"),
        ({"decks": {"Ann": [{"name": "x", "defense": 1}]}}, "setup.decks.Ann[0]", "has defense but no attack"),
        ({"decks": {"Ann": [{"name": "x", "attack": 11, "defense": 1}]}}, "setup.decks.Ann[0].attack", "0 to 10"),
        ({"decks": {"Ann": [{"name": "x", "attack": 1, "defense": -1}]}}, "setup.decks.Ann[0].defense", "0 to 10"),
        ({"decks": {"Ann": [{"name": "x", "cost": 1}]}}, "setup.decks.Ann[0].cost", "unknown key"),
        ({"decks": [[]]}, "setup.decks", "must be a table"),
        ({"decks": {}, "life": "50"}, "setup.life", "must be a whole number"),
        ({"decks": {}, "life": 0}, "setup.life", "must be 1 to 10000, not 0"),
        ({"decks": {}, "limit": 0}, "setup.limit", "must be 1 to 2000, not 0"),
        ({"decks": {}, "facedown": "yes"}, "setup.facedown", 'must be true or false, not the text "yes"'),
        ({"decks": {}, "one_creature": 1}, "setup.one_creature", "must be true or false, not the number 1"),
        ({"life": 5}, "setup.decks", "is missing"),
    ],
)
def test_a_damaged_setup_is_refused_with_its_place(setup, where, message):
    found_where, found_message = error_of(document([]) | {"setup": setup})
    assert found_where == where
    assert message in found_message


def test_a_card_given_as_text_is_looked_up_whether_the_grid_game_bars_it_or_not():
    drake = Card(
        id="dusk:1", game="dusk", name="Drake", zones={}, score=4, legal=False, reason="x", attack=3, defense=2
    )
    cards = {"dusk:1": drake, "Spark": Card(id="dusk:2", game="dusk", name="Spark", zones={"top": 1}, score=4)}

    def lookup(wanted):
        if wanted not in cards:
            raise CatalogError(f"no card {wanted}")
        return cards[wanted]

    record = read_document(document(["dusk:1", "Spark"]), lookup).require()
    assert record.setup.decks[0] == (Creature("Drake", 3, 2), Energy("Spark"))
    assert read_document(json.loads(record.to_json_line())).require() == record
    assert error_of(document(["dusk:1", "Ghost"]), lookup=lookup) == ("setup.decks.Ann[1]", "no card Ghost")


def test_a_record_is_written_for_people_one_card_a_line():
    lines = Record(deal(options={"life": 20})).to_toml().splitlines()
    assert lines[4:8] == ["[setup]", "life = 20", "[setup.decks]", "Ann = ["]
    assert lines[8].startswith('  { name = "')


def test_illegal_moves_are_refused_with_their_place():
    spark = [{"name": "Spark"}] * 9
    assert error_of(document(spark, moves=["energy Spark", "energy Drake"])) == (
        'moves[1] "energy Drake"',
        'there is no "Drake" in your hand',
    )
    assert error_of(document(spark, moves=["assault Bob", "end", "end"])) == (
        'moves[2] "end"',
        'the game is over: "Bob" is the last player left',
    )


@pytest.mark.parametrize(
    ("text", "scores", "where"),
    [
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = -3\nCid = 0\n', {"Ann": 12, "Bob": 0, "Cid": 0}, None),
        ('game = "ninecard"\n[life]\nAnn = 12\n', {}, "life"),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = 10001\n', {}, "life.Bob"),
        ('game = "ninecard"\n[life]\nAnn = 12\nBob = "x"\n', {}, "life.Bob"),
        ('game = "ninecard"\n', {}, "life"),
    ],
)
def test_who_recorded_only_the_life_totals_gets_scores(tmp_path, text, scores, where):
    file = tmp_path / "ending.toml"
    file.write_text(text)
    ending = read_ending(file)
    assert dict(ending.scores) == scores
    assert (ending.error.where if ending.error else None) == where


# Properties


OPTIONS = st.fixed_dictionaries(
    {"life": st.integers(1, 15), "limit": st.integers(1, 10), "facedown": st.booleans(), "one_creature": st.booleans()}
)
seeds = st.integers(0, 2**32)


def everything(one):
    grid = [creature for creature in one.grid if creature is not None]
    return Counter([*one.deck, *one.hand, *one.energy, *one.facedown, *grid, *one.discard])


@given(seeds, st.integers(2, 4), OPTIONS)
def test_cards_are_conserved_life_only_falls_and_scores_are_life(seed, players, options):
    setup = deal(seed, players, options=options)
    state, rng = setup.start(), random.Random(seed)
    decks = [Counter(deck) for deck in setup.decks]
    plies = 0
    while moves := state.legal_moves():
        before, state = state, play(state, rng.choice(moves))
        plies += 1
        assert [everything(one) for one in state.sides] == decks
        for old, new in zip(before.sides, state.sides, strict=True):
            assert new.life <= old.life <= options["life"]
            assert new.is_out or (new.life > 0 and not old.is_out)
        assert state.scores() == tuple(0 if one.is_out else one.life for one in state.sides)
        assert 0 <= before.spent <= before.side.all_energy
        assert before.turn <= state.turn <= options["limit"] + 1
    assert state.outcome() is not None
    assert state.outcome().leaders[0] is not None
    assert max(state.scores()) > 0
    assert plies < 200 * options["limit"]


@given(seeds, st.integers(2, 4), OPTIONS)
@settings(max_examples=60)
def test_the_game_is_the_same_as_by_a_naive_reading_of_the_rules(seed, players, options):
    rng = random.Random(seed)
    setup = deal(seed, players, size=rng.randint(4, 25), options=options)
    state, naive = setup.start(), naive_ninecard.start_of(setup)
    while True:
        assert list(state.legal_moves()) == naive_ninecard.legal(naive)
        assert list(state.scores()) == naive_ninecard.scores(naive)
        for one, other in zip(state.sides, naive["players"], strict=True):
            on_grid = {cell: (c.name, c.attack, c.defense) for cell, c in zip(BOARD.cells, one.grid, strict=True) if c}
            assert on_grid == other["grid"]
            assert len(one.hand) == len(other["hand"])
        if not state.legal_moves():
            assert naive["over"]
            return
        assert state.to_move == naive["who"]
        move = rng.choice(state.legal_moves())
        state, naive = play(state, move), naive_ninecard.play(naive, move)


FIGHTS = st.tuples(st.integers(0, 10), st.integers(0, 10))


@given(
    st.dictionaries(st.sampled_from(BOARD.cells), FIGHTS),
    st.dictionaries(st.sampled_from(BOARD.cells), FIGHTS),
    st.randoms(use_true_random=False),
)
def test_any_assault_is_the_same_as_by_a_naive_reading_of_the_rules(mine, theirs, rng):
    state = table(side((), life=9, **mine), side((), life=9, **theirs))
    naive = naive_ninecard.start_of(NinecardSetup(("Ann", "Bob"), 0, ((SPARK,), (SPARK,)), Options(life=9)))
    for player, cells in zip(naive["players"], (mine, theirs), strict=True):
        player["grid"] = {cell: (f"{a}/{d}", a, d) for cell, (a, d) in cells.items()}
        player["hand"] = []
    moves = ["assault Bob"]
    while moves and state.to_move == 0:
        move = rng.choice(moves)
        state, naive = play(state, move), naive_ninecard.play(naive, move)
        moves = list(state.legal_moves())
        assert moves == naive_ninecard.legal(naive)
        assert list(state.scores()) == naive_ninecard.scores(naive)
        for one, other in zip(state.sides, naive["players"], strict=True):
            assert cells_of(one) == {cell: f"{a}/{d}" for cell, (_, a, d) in other["grid"].items()}


def test_the_naive_reading_counts_the_same_tree():
    for name, counts, record in perft_table(NINECARD):
        naive = naive_ninecard.start_of(record.setup)
        for move in record.moves:
            naive = naive_ninecard.play(naive, move)
        for depth, expected in enumerate(counts[:3], start=1):
            assert naive_ninecard.count(naive, depth) == expected, f"{name}, depth {depth}"


@given(seeds, st.text(max_size=12))
def test_any_text_is_a_legal_move_or_one_of_the_move_errors(seed, text):
    rng = random.Random(seed)
    state = deal(seed, options={"facedown": True, "one_creature": True}).start()
    for _ in range(rng.randrange(12)):
        if moves := state.legal_moves():
            state = play(state, rng.choice(moves))
    for typed in (text, f"{rng.choice(['play', 'e', 'move', 'as'])} {text}"):
        for door in (play, read_move):
            with suppress(MoveError):
                door(state, typed)


def test_200_random_games_replay_from_both_spellings_to_the_same_scores():
    random_player = find_player("random")
    for seed in range(200):
        options = {"life": 12, "limit": 5, "facedown": seed % 2 == 0, "one_creature": seed % 3 == 0}
        setup = deal(seed, 2 + seed % 3, options=options)
        moves, final = play_out(setup.start(), [random_player] * len(setup.players), Dice(seed))
        record = Record(setup, tuple(moves), result=final.scores())
        for text, parse in ((record.to_toml(), codecs.parse_toml), (record.to_json_line(), codecs.parse_json)):
            reading = read_document(parse(text.encode()))
            assert reading.require() == record
            assert reading.state == final


def test_a_whole_game_of_60_cards_ends_and_replays():
    match = Lineup("ninecard", ("greedy", "random"), BattleDecks.of(catalogue(), 2), 5)
    for number in range(1, 6):
        record = play_game(match, number)
        assert read_document(json.loads(record.to_json_line())).require() == record
