"""Tests of the assault, of elimination and of the end of ninecard, sentence by sentence as in RULES.md."""

from dataclasses import replace

import pytest
from ninecard_positions import (
    DRAKE,
    FULL_HAND,
    NAMES,
    NINECARD,
    SCOUT,
    SPARK,
    WALL,
    after_assault,
    after_moves,
    cells_of,
    creature,
    side,
    table,
)

from ccgrid.engine.errors import (
    IllegalMoveError,
    RecordError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.ninecard.cards import GAP
from ccgrid.engine.games.ninecard.combat import clash
from ccgrid.engine.games.ninecard.game import NinecardSetup
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.notation import play, read_move


# The assault
def test_assault_must_be_declared_and_may_have_no_attack():
    state = table(side(a1=(3, 3)))
    for move in ("attack a1", "end"):
        with pytest.raises(IllegalMoveError, match="no assault has been declared"):
            play(state, move)
    state = play(state, "assault Bob")
    assert state.legal_moves() == ("attack a1", "end")
    assert play(state, "end").to_move == 1


def test_after_the_assault_only_attacks_and_the_end_are_legal():
    state = play(table(side((SPARK, SCOUT), energy=9, a1=(3, 3))), "assault Bob")
    for move in ("energy Spark", "play Brass Scout a", "move a1 b1", "assault Bob"):
        with pytest.raises(IllegalMoveError, match="the assault has begun: attack with a creature, or end"):
            play(state, move)


def test_any_other_remaining_player_may_be_assaulted():
    state = table(side(), side(), replace(side(), is_out=True), side())
    assert [move for move in state.legal_moves() if move.startswith("assault")] == ["assault Bob", "assault Dan"]
    for name, message in [("Ann", "you cannot assault yourself"), ("Cid", '"Cid" is out'), ("Eve", "not one of the")]:
        with pytest.raises(IllegalMoveError, match=message):
            play(state, f"assault {name}")


def test_columns_attack_from_a_to_c_and_cannot_return_to_an_earlier_one():
    state = play(table(side(a1=(1, 9), b1=(1, 9), c1=(1, 9))), "assault Bob")
    assert state.legal_moves() == ("attack a1", "attack b1", "attack c1", "end")
    state = play(state, "attack b1")
    assert state.legal_moves() == ("attack c1", "end")
    with pytest.raises(IllegalMoveError, match="column a has been passed: columns attack from a to c"):
        play(state, "attack a1")
    with pytest.raises(IllegalMoveError, match="on b1 has already attacked"):
        play(state, "attack b1")
    assert play(state, "attack c1").legal_moves() == ("end",)


def test_creature_attacks_only_after_the_one_in_front_of_it():
    state = play(table(side(a1=(1, 9), a2=(2, 9), a3=(3, 9))), "assault Bob")
    assert state.legal_moves() == ("attack a1", "end")
    with pytest.raises(IllegalMoveError, match="a3 attacks only after a2, which is in front of it, has attacked"):
        play(state, "attack a3")
    for cell in ("a1", "a2", "a3"):
        assert state.legal_moves() == (f"attack {cell}", "end")
        state = play(state, f"attack {cell}")
    assert state.legal_moves() == ("end",)
    assert state.scores() == (50, 44)


def test_frontmost_creature_attacks_from_any_row():
    state = play(table(side(b2=(1, 9), b3=(1, 9), c3=(1, 1))), "assault Bob")
    assert state.legal_moves() == ("attack b2", "attack c3", "end")
    assert after_moves(state, "attack b2").legal_moves() == ("attack b3", "attack c3", "end")


def test_creature_attacks_from_its_cell_if_the_one_in_front_of_it_died():
    state = after_assault(side(a1=(1, 1), a2=(2, 2)), side(a1=(1, 9)), "a1")
    assert cells_of(state.side) == {"a2": "2/2"}
    assert state.legal_moves() == ("attack a2", "end")


def test_wall_blocks_attacks_from_behind():
    state = play(table(side(a1=WALL, a2=(5, 5), b1=(1, 1))), "assault Bob")
    assert state.legal_moves() == ("attack b1", "end")
    with pytest.raises(IllegalMoveError, match='"Gate" on a1 has attack 0, and cannot attack'):
        play(state, "attack a1")
    with pytest.raises(
        IllegalMoveError, match="a2 cannot attack, because the creature in front of it, on a1, has attack 0"
    ):
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
def test_attack_has_result_of_the_rules(attacker, defenders, lives, fallen, breach):
    result = clash(creature(attacker), [creature(defender) for defender in defenders])
    assert (result.attacker_lives, result.fallen, result.breach) == (lives, fallen, breach)


def test_attacker_meets_only_the_defenders_of_its_column():
    state = after_assault(side(b1=(9, 9)), side(a1=(9, 9), b2=(1, 3), b3=(1, 4), c1=(9, 9)), "b1")
    assert cells_of(state.sides[1]) == {"a1": "9/9", "c1": "9/9"}
    assert state.scores() == (50, 48)


def test_attacker_may_die_at_the_second_defender():
    state = after_assault(side(a1=(7, 5)), side(a1=(2, 3), a2=(3, 2), a3=(1, 1)), "a1")
    assert cells_of(state.side) == {}
    assert cells_of(state.sides[1]) == {"a3": "1/1"}
    assert [card.name for card in state.sides[1].discard] == ["2/3", "3/2"]
    assert [card.name for card in state.sides[0].discard] == ["7/5"]
    assert state.scores() == (50, 50)


def test_remaining_attack_reduces_only_the_targets_life():
    state = table(side(a1=(5, 9)), side(), side(a1=(0, 3)))
    assert after_moves(state, "assault Cid", "attack a1").scores() == (50, 50, 48)
    assert after_moves(state, "assault Bob", "attack a1").scores() == (50, 45, 50)


def test_damage_does_not_stay_on_survivors():
    state = after_assault(side(a1=(2, 9), a2=(2, 9)), side(a1=(8, 3)), "a1", "a2")
    assert cells_of(state.side) == {"a1": "2/9", "a2": "2/9"}
    assert cells_of(state.sides[1]) == {"a1": "8/3"}


def test_next_attacker_meets_only_survivors():
    state = after_assault(side(a1=(3, 1), a2=(2, 2)), side(a1=(1, 3), a2=(1, 1)), "a1", "a2")
    assert cells_of(state.sides[1]) == {}
    assert cells_of(state.side) == {"a2": "2/2"}
    assert state.scores() == (50, 49)


def test_gaps_after_deaths_stay_until_all_grids_slide_in_the_cleanup():
    ann, bob, cid = side(a1=(3, 1), a2=(2, 2)), side(a1=(1, 3), a2=WALL), side(c3=(1, 1))
    state = after_moves(table(ann, bob, cid), "assault Bob", "attack a1")
    assert [cells_of(player) for player in state.sides] == [{"a2": "2/2"}, {"a2": "0/6"}, {"c3": "1/1"}]
    state = play(state, "end")
    assert [cells_of(player) for player in state.sides] == [{"a1": "2/2"}, {"a1": "0/6"}, {"c1": "1/1"}]


# --- Life totals without a record ---------------------------------------------------------------------------------


GOES_ON = (
    'is more than 0 for "Ann" and "Bob", but a game ends only when one player is left, or after 200 turns. '
    "If it ended after 200 turns, add turns = 200. Otherwise write 0 for each player who is out"
)


@pytest.mark.parametrize(
    ("document", "scores"),
    [
        ({"life": {"Ann": 50, "Bob": -3}}, {"Ann": 50, "Bob": 0}),
        ({"life": {"Ann": 1, "Bob": 0}}, {"Ann": 1, "Bob": 0}),
        ({"life": {"Ann": 80, "Bob": 0}, "start": 80}, {"Ann": 80, "Bob": 0}),
        ({"life": {"Ann": 1, "Bob": 1}, "turns": 200}, {"Ann": 1, "Bob": 1}),
    ],
)
def test_possible_life_totals_are_the_scores(document, scores):
    assert NINECARD.score_ending(document) == scores


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        (
            {"life": {"Ann": 51, "Bob": 0}},
            "life.Ann",
            "cannot be 51: each player starts with 50 and cannot gain life. "
            "If the players started with more life, write how much: start = 51",
        ),
        (
            {"life": {"Ann": 51, "Bob": 0}, "start": 20},
            "life.Ann",
            "cannot be 51: each player starts with 20 and cannot gain life",
        ),
        ({"life": {"Ann": 1, "Bob": 1}}, "life", GOES_ON),
        ({"life": {"Ann": 0, "Bob": 0}}, "life", "is 0 for every player, but the winner has more than 0"),
        ({"life": {"Ann": 1, "Bob": 0}, "limit": 2001}, "limit", "must be 1 to 2000, not 2001"),
    ],
)
def test_impossible_life_totals_are_rejected_with_the_reason(document, where, message):
    with pytest.raises(RecordError) as caught:
        NINECARD.score_ending(document)
    assert (caught.value.where, caught.value.message) == (where, message)


def test_deck_list_has_all_cards_if_all_are_known():
    setup = NinecardSetup(NAMES[:2], 0, ((SPARK,) * 6, (SPARK,) * 5 + (GAP,)), Options())
    assert setup.lists == ((SPARK,) * 6, None)


# --- Elimination, the end of a turn and of the game ----------------------------------------------------------------


# Elimination
def test_player_without_life_is_out_and_the_last_player_wins():
    state = after_assault(side(a1=(3, 3), a2=(3, 3), a3=(3, 3)), side(life=5), "a1", "a2")
    assert state.sides[1].life == -1
    assert state.scores() == (50, 0)
    assert state.outcome().winner == 0
    assert state.ending() == Ending("last-player", "only one player is left")
    assert state.legal_moves() == ()


def test_life_of_exactly_0_is_out_and_of_1_is_not():
    assert after_assault(side(a1=(5, 1)), side(life=5), "a1").outcome().winner == 0
    assert after_assault(side(a1=(5, 1)), side(life=6), "a1").outcome() is None


def test_turn_continues_with_cleanup_while_others_remain():
    ann = side((), deck=[SPARK] * 7, a1=(3, 3), a2=(3, 3), b2=(3, 3))
    state = after_moves(table(ann, side(life=3), side(life=9)), "assault Bob", "attack a1")
    assert state.scores() == (50, 0, 9)
    assert state.sides[1].is_out
    assert state.outcome() is None
    assert cells_of(state.sides[0]).keys() == {"a1", "a2", "b1"}
    assert len(state.sides[0].hand) == 5
    assert state.to_move == 2
    assert [move for move in state.legal_moves() if move.startswith("assault")] == ["assault Ann"]


def test_eliminated_players_are_skipped():
    sides = [side(a1=(1, 1)) for _ in range(4)]
    sides[1] = sides[2] = replace(side(), is_out=True)
    state = table(*sides)
    order = [state.to_move]
    for target in ("Dan", "Ann", "Dan"):
        state = after_moves(state, f"assault {target}", "end")
        order.append(state.to_move)
    assert order == [0, 3, 0, 3]


def test_player_with_an_empty_grid_and_no_affordable_creature_is_out():
    state = after_moves(table(side((DRAKE, SPARK, SPARK), energy=2), side(life=1)), "assault Bob", "end")
    assert state.outcome().scores == (0, 1)
    assert state.outcome().winner == 1
    assert state.sides[0].is_out


def test_player_with_an_empty_grid_and_no_creature_in_hand_is_out():
    assert after_moves(table(side((SPARK,) * 5, energy=20)), "assault Bob", "end").outcome().winner == 1


@pytest.mark.parametrize("hand", [(DRAKE, SPARK, SPARK, SPARK), (SPARK, SPARK, SPARK, DRAKE, DRAKE)])
def test_player_with_a_playable_creature_is_not_out(hand):
    assert after_moves(table(side(hand, energy=2)), "assault Bob", "end").outcome() is None


def test_player_with_a_creature_on_the_grid_is_not_out():
    assert after_moves(table(side((), b3=WALL)), "assault Bob", "end").outcome() is None


def test_player_whose_new_creature_died_is_not_out():
    state = table(side((SCOUT,), energy=2), side(a1=(9, 9)))
    state = after_moves(state, "play Brass Scout a", "assault Bob", "attack a1", "end")
    assert cells_of(state.sides[0]) == {}
    assert state.outcome() is None


def test_player_is_out_after_losing_the_last_creature_in_an_attack():
    state = after_moves(table(side((DRAKE,), energy=4, a1=(1, 1)), side(a1=(9, 9))), "assault Bob", "attack a1", "end")
    assert state.outcome().winner == 1


def test_player_with_an_empty_grid_is_out_only_in_the_own_turn():
    state = play(after_assault(side(a1=(5, 5)), side((), a1=(1, 1)), "a1"), "end")
    assert cells_of(state.sides[1]) == {}
    assert state.outcome() is None
    assert after_moves(state, "assault Ann", "end").outcome().winner == 0


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
def test_other_creatures_count_as_energy_with_the_options(hand, energy, options, is_out):
    state = after_moves(table(side(hand, energy=energy), **options), "assault Bob", "end")
    assert (state.outcome() is not None) is is_out


def test_only_one_creature_per_turn_counts_as_energy():
    state = table(side((DRAKE, DRAKE, DRAKE), energy=3), one_creature=True)
    assert after_moves(state, "sacrifice Amber Drake", "assault Bob", "end").outcome().winner == 1


def test_eliminated_player_draws_nothing_and_others_continue():
    state = after_moves(table(side((SPARK,), deck=[SPARK] * 9), side(), side()), "assault Bob", "end")
    assert state.scores() == (0, 50, 50)
    assert state.sides[0].hand == (SPARK,)
    assert state.to_move == 1
    assert state.outcome() is None


# The end of a turn and of the game
def test_player_draws_up_to_five_at_the_end_of_the_turn():
    for in_hand, in_deck, after in ((2, 9, 5), (2, 1, 3), (5, 9, 5), (0, 0, 0)):
        state = table(side((SPARK,) * in_hand, deck=[SCOUT] * in_deck, a1=(1, 1)))
        state = after_moves(state, "assault Bob", "end")
        assert len(state.sides[0].hand) == after
        assert len(state.sides[0].deck) == in_deck - (after - in_hand)


def test_player_discards_down_to_five_at_the_end_of_the_turn():
    state = after_moves(table(side((*FULL_HAND, DRAKE, SCOUT), a1=(1, 1))), "assault Bob", "end")
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
    state = after_moves(table(*sides, turn=199), "assault Bob", "end")
    assert state.outcome() is None
    state = after_moves(state, "assault Ann", "end")
    assert state.ending() == Ending("turn-limit", "turn 200, the last one, has been played")
    assert (state.outcome().scores, state.outcome().winner) == ((30, 31), 1)
    assert state.legal_moves() == ()


def test_after_the_last_turn_equal_life_is_a_draw():
    state = after_moves(table(side(a1=(1, 1)), side(a1=(1, 1)), turn=3, limit=3), "assault Bob", "end")
    assert state.outcome().winner is None
    assert state.outcome().leaders == (0, 1)


def test_last_turn_ends_after_discarding_down_to_five():
    state = table(side((*FULL_HAND, SPARK), a1=(1, 1)), turn=200)
    state = after_moves(state, "assault Bob", "end")
    assert state.outcome() is None
    assert play(state, "discard Spark").outcome().winner is None


def test_score_is_the_life_or_0_for_eliminated_players():
    state = table(side(life=12), replace(side(life=40), is_out=True), replace(side(life=-3), is_out=True), side(life=1))
    assert state.scores() == (12, 0, 0, 1)


def test_moves_after_the_end_are_rejected_with_its_reason():
    state = after_assault(side(a1=(9, 9)), side(life=5), "a1")
    for parse in (play, read_move):
        with pytest.raises(IllegalMoveError, match="the game is over: only one player is left"):
            parse(state, "assault Bob")
