"""Tests of the heuristic values of ninecard moves, by which the greedy player chooses."""

import pytest
from ninecard_positions import DRAKE, NINECARD, SCOUT, SPARK, after_moves, side, table

from ccgrid.engine.games.ninecard.cards import Creature
from ccgrid.engine.games.ninecard.heuristic import column_gain

COLOSSUS = Creature("Colossus", 9, 9)


def values_of(state, *moves):
    assert set(moves) <= set(state.legal_moves())
    return [NINECARD.heuristic(state, move) for move in moves]


def test_energy_precedes_creatures_as_energy():
    assert values_of(table(side((SPARK,))), "energy Spark") == [10_000]
    assert values_of(
        table(side((DRAKE, SCOUT), energy=1), facedown=True), "facedown Amber Drake", "facedown Brass Scout"
    ) == [
        9_000 + 5,
        9_000 + 2,
    ]
    assert values_of(table(side((DRAKE, SCOUT), energy=2), facedown=True), "facedown Amber Drake") == [-1]


@pytest.mark.parametrize(("energy", "expected"), [(13, 9_018), (14, -1)])
def test_energy_is_not_wanted_beyond_fourteen(energy, expected):
    assert values_of(table(side((COLOSSUS,), energy=energy), one_creature=True), "sacrifice Colossus") == [expected]


def test_creature_is_not_laid_as_energy_after_a_creature_was_played():
    state = after_moves(table(side((Creature("Ghost", 0, 0), DRAKE)), facedown=True), "play Ghost a")
    assert values_of(state, "facedown Amber Drake") == [-1]


def test_assault_value_is_below_one_and_grows_with_its_gain():
    state = table(side((), a1=(5, 5)), side(), side(a1=(0, 3)), side(a1=(9, 9)))
    assert values_of(state, "assault Bob", "assault Cid", "assault Dan") == [5 / 105, 5 / 105, 0]


def test_gaining_columns_attack_in_order_and_useless_attacks_come_last():
    state = after_moves(table(side(a1=(5, 5), b1=(3, 3), c1=(2, 2)), side(b1=(9, 9))), "assault Bob")
    assert values_of(state, "attack a1", "attack b1", "attack c1", "end") == [3_000 + 5, -1, 1_000 + 2, 0]


@pytest.mark.parametrize(("life", "expected"), [(6, 3_005), (5, 4_005), (4, 4_005)])
def test_taking_the_last_life_has_a_bonus_of_1000(life, expected):
    state = after_moves(table(side(a1=(5, 5)), side(life=life)), "assault Bob")
    assert values_of(state, "attack a1") == [expected]


def test_step_has_the_value_of_its_improvement():
    state = table(side((), a1=(3, 3)), side(a1=(9, 9)))
    # In column a the creature dies (6) and 6 damage passes: -12. In column b it takes 3 life, and Bob takes 9.
    assert values_of(state, "move a1 b1") == [100 + (3 - 9) - (0 - 12)]
    assert values_of(table(side((), b1=(3, 3)), side(a1=(9, 9))), "move b1 a1", "move b1 c1") == [-1, -1]
    swap = table(side((), a1=(3, 3), b1=(0, 10)), side(a1=(9, 9)))
    assert values_of(swap, "swap a1 b1") == [100 + (3 - 0) - (0 - 12)]


def test_best_own_assault_and_worst_assault_by_an_opponent_count():
    state = table(side((), a1=(3, 3)), side(a1=(9, 9)), side())
    assert values_of(state, "move a1 b1") == [100 + (3 - 9) - (3 - 12)]


@pytest.mark.parametrize(
    ("creature", "life", "better"),
    [
        (SCOUT, 50, 1),
        (Creature("Giant", 48, 1), 99, 48),
        (Creature("Giant", 49, 1), 99, 49),
        (Creature("Giant", 50, 1), 99, 49),
        (Creature("Giant", 50, 1), 50, 49),
    ],
)
def test_creature_is_chosen_by_cost_then_by_improvement_up_to_49(creature, life, better):
    cost = creature.attack + creature.defense
    state = table(side((creature,), energy=cost), side(life=life))
    assert values_of(state, f"play {creature.name} a") == [1_000 + 100 * cost + better]


@pytest.mark.parametrize(("attack", "worse"), [(47, 47), (48, 48), (49, 49), (50, 49), (60, 49)])
def test_worsening_by_a_creature_is_limited_to_49(attack, worse):
    creature = Creature("Giant", attack, 1)
    state = table(side((creature,), energy=attack + 1, life=200), side(a1=(99, 99)))
    # Against an empty column the enemy takes 99 life; against the giant it takes 98 and kills the giant.
    assert values_of(state, "play Giant a") == [1_000 + 100 * (attack + 1) - worse]


def test_wall_is_played_into_the_most_threatened_column():
    state = table(side((Creature("Gate", 0, 9),), energy=9), side(b1=(8, 1)))
    assert values_of(state, "play Gate a", "play Gate b", "play Gate c") == [1_900, 1_908, 1_900]


def test_unaffordable_creatures_are_discarded_first_and_needed_energy_last():
    hand = (SPARK, SCOUT, Creature("Three", 2, 1), Creature("Four", 2, 2), DRAKE, COLOSSUS)
    state = after_moves(table(side(hand, energy=1, a1=(1, 1))), "assault Bob", "end")
    moves = [f"discard {name}" for name in ("Spark", "Brass Scout", "Three", "Four", "Amber Drake", "Colossus")]
    assert values_of(state, *moves) == [-13, -2, -3, 3, 4, 17]


@pytest.mark.parametrize(
    ("attackers", "defenders", "life", "expected"),
    [
        ([], [], 50, 0),
        ([(5, 5)], [], 50, 5),
        ([(5, 5)], [(1, 1)], 50, 6),
        ([(5, 5)], [(1, 1)], 5, 6),
        ([(5, 5)], [(1, 1)], 4, 1_006),
        ([(5, 5)], [(9, 9)], 50, 0),
        ([(0, 5), (9, 9)], [], 50, 0),
        ([(9, 9), (0, 5)], [], 50, 9),
        ([(3, 1), (9, 9)], [(1, 3)], 5, 1_009),
        ([(3, 1), (9, 9)], [(1, 3)], 50, 9),
        ([(5, 5), (2, 1)], [(9, 4)], 50, 5),
        ([(5, 5), (2, 1)], [(9, 5), (9, 9)], 50, 4),
        ([(1, 9), (1, 9)], [], 2, 1_002),
        ([(1, 9), (1, 9)], [], 3, 2),
    ],
)
def test_column_gain_is_the_gain_of_the_best_number_of_attackers(attackers, defenders, life, expected):
    mine, theirs = (
        tuple(Creature(f"{attack}/{defense}", attack, defense) for attack, defense in column)
        for column in (attackers, defenders)
    )
    assert column_gain(mine, theirs, life) == expected
