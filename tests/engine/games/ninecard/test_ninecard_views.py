"""What a seat of ninecard sees, and what the greedy player makes of it."""

from collections import Counter
from dataclasses import replace

import pytest
from ninecard_positions import DRAKE, GHOST, NINECARD, SCOUT, SPARK, WALL, catalogue, deal, played, side, table

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    UnknownCardError,
)
from ccgrid.engine.games.ninecard.cards import GAP, HIDDEN, Creature, Energy
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.many.simulation import Lineup, simulate
from ccgrid.engine.notation import play
from ccgrid.engine.players import choose_move, find_player


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


def test_the_repr_of_a_side_shows_no_deck():
    assert "Brass Scout" not in repr(side((DRAKE,), deck=[SCOUT]))


def test_hidden_cards_are_told_by_zone_and_owner_and_put_back_where_they_were():
    ann = side((DRAKE, SPARK), deck=[SCOUT, SPARK], energy=1, a1=(1, 1))
    bob = replace(side((SCOUT,), deck=[GHOST]), facedown=(DRAKE,), discard=(WALL,))
    state = table(ann, bob, facedown=True)
    own, other = state.unseen(0)
    assert (own.places, own.cards) == (("deck:0:0", "deck:0:1"), None)
    assert Counter(own.seen) == Counter((DRAKE, SPARK, SPARK, ann.grid[0]))
    assert (other.places, other.cards, other.seen) == (("facedown:1:0", "hand:1:0", "deck:1:0"), None, (WALL,))
    assert Counter(state.unseen(1)[1].seen) == Counter((SCOUT, DRAKE, WALL))
    cards = dict(zip((*own.places, *other.places), (SCOUT, SPARK, DRAKE, SCOUT, GHOST), strict=True))
    assert NINECARD.revealed(state.view(0), cards) == state


def test_of_ones_own_deck_a_seat_knows_what_is_left_where_its_list_is_known():
    state = table(side((DRAKE,), deck=[SPARK, SCOUT]), side((GHOST,)))
    own = replace(state, lists=((DRAKE, SPARK, SCOUT), None)).unseen(0)[0]
    assert own.cards == (SCOUT, SPARK)


def test_a_card_that_nobody_knows_is_laid_face_down_and_the_others_stay_in_hand():
    state = play(table(side((SPARK, GAP, SCOUT, GAP)), facedown=True), "facedown ?")
    assert (state.side.hand, state.side.facedown) == ((SPARK, SCOUT, GAP), (GAP,))


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


def test_greedy_beats_random():
    decks = BattleDecks.of(catalogue(), 2)
    players = simulate(Lineup("ninecard", ("random", "greedy"), decks, 7), 60, workers=1).to_dict()["players"]
    assert players[1]["wins"] > 2.5 * players[0]["wins"]
