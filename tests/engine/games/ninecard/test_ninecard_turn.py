"""A turn of ninecard before its assault, sentence by sentence as RULES.md states it."""

import pytest
from ninecard_positions import DRAKE, FULL_HAND, SCOUT, SPARK, cells_of, deal, played, side, table

from ccgrid.engine.errors import (
    EngineError,
    IllegalMoveError,
)
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.notation import play


def words(state):
    return {move.split(" ")[0] for move in state.legal_moves()}


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
        ("swap b1 a1", "the cells of a swap are in alphabetical order: swap a1 b1"),
        ("swap a2 b1", "not next to each other"),
        ("swap a2 b2", "you have no creature on b2"),
    ]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)


def test_a_creature_moves_or_swaps_once_a_turn():
    state = play(table(side(a1=(1, 1), b1=(2, 2), c3=(3, 3))), "swap a1 b1")
    assert [move for move in state.legal_moves() if move[0] in "ms"] == ["move c3 b3", "move c3 c2"]
    for move in ("swap a1 b1", "move a1 a2"):
        with pytest.raises(IllegalMoveError, match="on a1 has already moved this turn"):
            play(state, move)
    state = play(table(side(a1=(1, 1), b1=(2, 2))), "move b1 b2")
    with pytest.raises(IllegalMoveError, match="on b2 has already moved"):
        play(state, "move b2 a2")


def test_a_creature_that_has_moved_cannot_be_swapped_by_one_that_has_not():
    state = play(table(side(a1=(1, 1), c1=(2, 2))), "move a1 b1")
    assert "swap b1 c1" not in state.legal_moves()
    with pytest.raises(IllegalMoveError, match="on b1 has already moved"):
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
        ({"lives": 3}, 'no option "lives": it has life, facedown, one_creature, limit, opening'),
        ({"life": 0}, "the option life must be 1 to 10000, not 0"),
        ({"limit": 2001}, "the option limit must be 1 to 2000, not 2001"),
        ({"facedown": 1}, "the option facedown must be true or false, not the number 1"),
        ({"limit": True}, "the option limit must be a whole number, not true"),
    ],
)
def test_an_option_that_cannot_be_is_refused(options, message):
    with pytest.raises(EngineError, match=message):
        deal(options=options)
