"""Tests of the decisive turn of a ninecard game: its choice and its description."""

from dataclasses import replace

import pytest
from ninecard_positions import DRAKE, NINECARD, SPARK, WALL, after_moves, deal, side, table

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.ninecard.decisive import DECISIVE_CHANCE, Advantage, advantages, chances, decisive_turn
from ccgrid.engine.insight.analysis import Analysis, review
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import GreedyPlayer
from ccgrid.engine.records.record import Record
from ccgrid.view.pictures import say


def play_moves(state, *moves):
    """Return the positions before and after each move, and the moves."""
    positions = [state]
    for move in moves:
        positions.append(after_moves(positions[-1], move))
    return positions, moves


def test_winner_stays_ahead_after_decisive_turn():
    for seed in range(4):
        setup = deal(seed, size=40)
        moves, end = play_out(setup.start(), [GreedyPlayer(), GreedyPlayer()], Dice(seed))
        positions = [ply.state for ply in Record(setup, tuple(moves))] + [end]
        if len(end.outcome().leaders) != 1:
            continue
        (winner,) = end.outcome().leaders
        turn = decisive_turn(positions, moves)
        assert {positions[index].turn for index in range(turn.first, turn.last + 1)} == {turn.number}
        turn_starts = [
            index for index in range(turn.last + 1, len(moves)) if positions[index].turn > positions[index - 1].turn
        ]
        assert all(chances(positions[index])[winner] >= DECISIVE_CHANCE for index in (*turn_starts, len(moves)))
        assert turn.number == 1 or chances(positions[turn.first])[winner] < DECISIVE_CHANCE


def test_open_column_and_possible_blocker_are_named():
    bob = side((WALL, SPARK, SPARK, SPARK, SPARK), energy=6, life=4, deck=(SPARK,) * 5)
    ann = side((DRAKE,) * 5, deck=(DRAKE,) * 5, c1=(9, 9))
    positions, moves = play_moves(table(ann, bob, to_move=1, turn=3), "assault Ann", "end", "assault Bob", "attack c1")
    turn = decisive_turn(positions, moves)
    assert (turn.number, turn.first, turn.last) == (4, 2, 3)
    assert say(turn.words) == (
        "Ann assaulted Bob. It took 4 life (all of it through column c, which had no creatures). "
        "Bob could have played Gate to c the turn before. It ended the game."
    )


def test_unaffordable_blocker_is_not_mentioned():
    bob = side((WALL, SPARK, SPARK, SPARK, SPARK), energy=5, life=4, deck=(SPARK,) * 5)
    ann = side((DRAKE,) * 5, deck=(DRAKE,) * 5, c1=(9, 9))
    positions, moves = play_moves(table(ann, bob, to_move=1, turn=3), "assault Ann", "end", "assault Bob", "attack c1")
    assert "could have" not in say(decisive_turn(positions, moves).words)


@pytest.mark.parametrize(
    ("own", "others", "description"),
    [
        ({}, {}, "It took 3 life (all of it through column c, which had no creatures)."),
        ({"a1": (3, 1)}, {"a1": (3, 1)}, "which had no creatures) and 1 creature; it cost Ann 1 creature."),
        ({"a1": (3, 1), "b2": (1, 1)}, {"a1": (3, 1), "b1": (1, 1)}, "and 2 creatures; it cost Ann 2 creatures."),
    ],
)
def test_decisive_turn_counts_creatures_lost_by_both(own, others, description):
    ann, bob = side(life=20, c1=(9, 9), **own), side(life=3, deck=(SPARK,) * 9, **others)
    attacks = [f"attack {cell}" for cell in (*own, "c1")]
    positions, moves = play_moves(table(ann, bob, turn=3), "assault Bob", *attacks)
    assert f"{description} It ended the game." in say(decisive_turn(positions, moves).words)


def test_life_lost_past_a_creature_is_not_through_an_open_column():
    ann, bob = side(life=20, c1=(9, 9)), side(life=3, deck=(SPARK,) * 9, c1=(1, 1))
    positions, moves = play_moves(table(ann, bob, turn=3), "assault Bob", "attack c1")
    description = "Ann assaulted Bob. It took 3 life and 1 creature. It ended the game."
    assert say(decisive_turn(positions, moves).words) == description


def test_assault_without_attacks_took_no_life():
    ann = side((SPARK,) * 5, deck=(SPARK,) * 9, life=20, c1=(9, 9))
    bob = side((WALL,) * 5, deck=(SPARK,) * 9, life=12)
    positions, moves = play_moves(table(ann, bob, turn=3), "assault Bob", "end", "assault Ann", "end")
    assert say(decisive_turn(positions, moves).words) == (
        "Ann assaulted Bob. It took nothing. "
        "From then on Ann stayed ahead: energy in play and in hand 5 to 1, creatures 1 to 0, life 20 to 12."
    )


def test_decisive_turn_names_the_winners_lasting_advantage():
    ann = side((SPARK,) * 5, deck=(SPARK,) * 9, life=20, c1=(9, 9))
    bob = side((DRAKE,) * 5, deck=(DRAKE,) * 9, life=12, b3=(0, 1))
    first, second = ("assault Bob", "attack c1", "end"), ("assault Ann", "end", "discard Amber Drake")
    positions, moves = play_moves(table(ann, bob, turn=3), *first, *second, "assault Bob", "attack c1")
    turn = decisive_turn(positions, moves)
    assert (turn.number, turn.first, turn.last) == (3, 0, 2)
    assert say(turn.words) == (
        "Ann assaulted Bob. It took 9 life (all of it through column c, which had no creatures). "
        "From then on Ann stayed ahead: energy in play and in hand 5 to 0, life 20 to 3."
    )


def test_advantages_are_named_in_order_of_importance():
    state = table(side((SPARK,), energy=8, life=30), side((DRAKE,), energy=1, life=20, a1=(1, 1)))
    assert advantages(state, 0) == [Advantage("energy", 9, 1), Advantage("life", 30, 20)]
    assert advantages(state, 1) == [Advantage("creatures", 1, 0)]


def test_chances_are_even_between_equals_and_zero_for_eliminated_players():
    assert chances(table(side(a1=(3, 3)), side(b1=(3, 3)))) == [0.5, 0.5]
    out = replace(side(), is_out=True)
    assert chances(table(side(), side(), out))[2] == 0
    assert sum(chances(table(side(energy=4), side(), side(life=9)))) == pytest.approx(1)
    strong, stronger = (chances(table(side(energy=energy), side(life=30)))[0] for energy in (0, 4))
    assert 0.5 < strong < stronger < 1
    for better, worse in ((side(a1=(3, 9)), side(b1=(3, 3))), (side(a1=(5, 3)), side(b1=(3, 3)))):
        assert chances(table(better, worse))[0] > 0.5
    assert chances(table(side(life=1), side(life=0)))[0] > 0.5


def test_game_without_a_single_winner_has_no_decisive_turn():
    state = replace(table(side(), side()), turn=10_000)
    assert state.is_over()
    assert decisive_turn([state], []) is None


def test_review_names_the_decisive_turn_instead_of_a_move():
    setup = deal(2, size=40)
    moves, end = play_out(setup.start(), [GreedyPlayer(), GreedyPlayer()], Dice(2))
    assert len(end.outcome().leaders) == 1
    found = review(Record(setup, tuple(moves)), Analysis(setup.players, (), end.scores(), True, False))
    assert found.turn is not None
    assert found.turning_point is None
    assert NINECARD.part("decisive") is decisive_turn
