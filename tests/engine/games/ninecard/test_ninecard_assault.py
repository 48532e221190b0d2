"""The assault of ninecard, sentence by sentence as RULES.md states it."""

from dataclasses import replace

import pytest
from ninecard_positions import SCOUT, SPARK, WALL, assaulted, cells_of, creature, played, side, table

from ccgrid.engine.errors import (
    IllegalMoveError,
)
from ccgrid.engine.games.ninecard.combat import clash
from ccgrid.engine.notation import play


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
    with pytest.raises(IllegalMoveError, match="on b1 has already attacked"):
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
