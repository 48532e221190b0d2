"""Who is out, the end of a turn and of a game of ninecard."""

from dataclasses import replace

import pytest
from ninecard_positions import DRAKE, FULL_HAND, SCOUT, SPARK, WALL, assaulted, cells_of, played, side, table

from ccgrid.engine.errors import (
    IllegalMoveError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.notation import play, read_move


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
    for move, message in [("end", "discard a card: you hold 7"), ("discard Ghost", 'no "Ghost" in your hand')]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, move)
    state = play(state, "discard Spark")
    assert state.to_move == 0
    state = play(state, "discard Amber Drake")
    assert state.to_move == 1
    assert state.sides[0].hand == (*FULL_HAND[:4], SCOUT)
    assert state.sides[0].discard == (SPARK, DRAKE)
    with pytest.raises(IllegalMoveError, match="only at the end of the turn"):
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
