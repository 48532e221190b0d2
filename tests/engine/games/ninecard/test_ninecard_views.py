"""Tests of what each seat of ninecard sees, of the greedy player's choices, and of explanations of illegal moves."""

from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from inline_snapshot import snapshot
from ninecard_positions import (
    DRAKE,
    FULL_HAND,
    GHOST,
    NINECARD,
    SCOUT,
    SPARK,
    WALL,
    after_moves,
    catalogue,
    deal,
    side,
    table,
)

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    IllegalMoveError,
    UnknownCardError,
)
from ccgrid.engine.games.ninecard.cards import GAP, HIDDEN, Creature, Energy
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.games.ninecard.view import VIEW
from ccgrid.engine.many.simulation import Lineup, simulate
from ccgrid.engine.notation import play, read_move
from ccgrid.engine.players import choose_move, find_player


# What a seat sees
def test_view_has_no_decks_and_no_other_hands():
    state = deal(players=3).start()
    view = state.view(1)
    assert view.sides[1].hand == state.sides[1].hand
    for seat in (0, 2):
        assert view.sides[seat].hand == (HIDDEN,) * len(state.sides[seat].hand)
    for seat in range(3):
        assert view.sides[seat].deck == (HIDDEN,) * len(state.sides[seat].deck)


def test_view_has_face_up_cards_but_no_face_down_cards():
    state = table(side((DRAKE, SPARK), a1=(1, 1), life=9), facedown=True)
    state = after_moves(state, "facedown Amber Drake", "energy Spark")
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


def test_hidden_cards_are_named_by_zone_and_owner():
    ann = side((DRAKE, SPARK), deck=[SCOUT, SPARK], energy=1, a1=(1, 1))
    bob = replace(side((SCOUT,), deck=[GHOST]), facedown=(DRAKE,), discard=(WALL,))
    state = table(ann, bob, facedown=True)
    own, other = state.unseen(0)
    assert (own.places, own.cards) == (("deck:0:0", "deck:0:1"), None)
    assert Counter(own.seen) == Counter((DRAKE, SPARK, SPARK, ann.grid[0]))
    assert (other.places, other.cards, other.seen) == (("facedown:1:0", "hand:1:0", "deck:1:0"), None, (WALL,))
    assert Counter(state.unseen(1)[1].seen) == Counter((SCOUT, DRAKE, WALL))
    cards = dict(zip((*own.places, *other.places), (SCOUT, SPARK, DRAKE, SCOUT, GHOST), strict=True))
    assert NINECARD.reveal(state.view(0), cards) == state


def test_seat_knows_remaining_cards_of_its_own_known_deck():
    state = table(side((DRAKE,), deck=[SPARK, SCOUT]), side((GHOST,)))
    own = replace(state, lists=((DRAKE, SPARK, SCOUT), None)).unseen(0)[0]
    assert own.cards == (SCOUT, SPARK)


def test_unknown_card_is_laid_face_down_and_others_stay_in_hand():
    state = play(table(side((SPARK, GAP, SCOUT, GAP)), facedown=True), "facedown ?")
    assert (state.side.hand, state.side.facedown) == ((SPARK, SCOUT, GAP), (GAP,))


def test_only_drawing_is_an_error_in_a_view():
    state = table(side((SPARK, SPARK), deck=[SCOUT], a1=(1, 1)), side(life=1)).view(0)
    state = after_moves(state, "energy Spark", "move a1 b1", "assault Bob")
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


def test_greedy_makes_no_losing_attack_and_plays_walls():
    state = play(table(side((), a1=(1, 1)), side(a1=(9, 9))), "assault Bob")
    assert choose_move(find_player("greedy"), state, Dice(1)) == "end"
    state = table(side((Creature("Gate", 0, 9),), energy=9), side(b1=(8, 1)))
    assert choose_move(find_player("greedy"), state, Dice(1)) == "play Gate b"


def test_greedy_sacrifices_an_attacker_if_the_next_gains_more():
    state = play(table(side(a1=(3, 1), a2=(9, 9)), side(a1=(1, 3), life=5)), "assault Bob")
    assert choose_move(find_player("greedy"), state, Dice(1)) == "attack a1"


def test_greedy_assaults_the_opponent_with_the_largest_gain():
    state = table(side((), a1=(5, 5)), side(a1=(9, 9)), side(a1=(0, 3)), side(a1=(1, 9)))
    state = replace(state, moved=(0,))
    assert choose_move(find_player("greedy"), state, Dice(1)) == "assault Cid"


def test_greedy_lays_only_unplayable_creatures_as_energy():
    for option, word in (("facedown", "facedown"), ("one_creature", "sacrifice")):
        state = table(side((DRAKE, SCOUT), energy=1), **{option: True})
        assert choose_move(find_player("greedy"), state, Dice(1)) == f"{word} Amber Drake"
        state = table(side((DRAKE, SCOUT), energy=2), **{option: True})
        assert choose_move(find_player("greedy"), state, Dice(1)).startswith("play Brass Scout")


def test_greedy_discards_the_least_useful_card():
    hand = (SCOUT,) * 5 + (Creature("Colossus", 9, 9),)
    state = after_moves(table(side(hand, energy=1, a1=(1, 1))), "assault Bob", "end")
    assert choose_move(find_player("greedy"), state, Dice(1)) == "discard Colossus"


def test_greedy_beats_random():
    decks = BattleDecks.of(catalogue(), 2)
    players = msgspec.to_builtins(simulate(Lineup("ninecard", ("random", "greedy"), decks, 7), 60, workers=1).answer())[
        "players"
    ]
    assert players[1]["wins"] > 2.5 * players[0]["wins"]


# --- Explanations of illegal moves, and typed moves with unknown cards ---------------------------------------------


FULL_GRID = side(a1=(1, 1), a2=WALL, a3=(1, 1), b1=(1, 1), b2=(1, 1), b3=(1, 1), c1=(2, 2))


def reason(state, move):
    with pytest.raises(IllegalMoveError) as caught:
        play(state, move)
    return caught.value.reason


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("attack a1", snapshot("no assault has been declared: first assault a player")),
        (
            "end",
            snapshot(
                'no assault has been declared: to end the turn without one, type "end turn", or write in a record'
                ' "assault PLAYER" and "end"'
            ),
        ),
        ("discard Spark", snapshot("cards are discarded only at the end of the turn")),
        ("assault Ann", snapshot("you cannot assault yourself")),
        ("assault Cid", snapshot('"Cid" is out')),
        ("assault Eve", snapshot('"Eve" is not one of the players')),
        ("move a1 b2", snapshot("a1 and b2 are not next to each other in a row or a column")),
        ("swap a1 c1", snapshot("a1 and c1 are not next to each other in a row or a column")),
        ("move c1 c2", snapshot("you have no creature on c1")),
        ("swap b2 c2", snapshot("you have no creature on c2")),
        ("swap c2 b2", snapshot("you have no creature on c2")),
        ("swap b2 a2", snapshot("the cells of a swap are in alphabetical order: swap a2 b2")),
        ("move b2 a2", snapshot("a2 is not empty: creatures next to each other swap")),
        ("move a2 b2", snapshot("b2 is not empty: creatures next to each other swap")),
        ("move b2 c2", snapshot("the creature on b2 has already moved this turn")),
        ("swap a2 b2", snapshot("the creature on b2 has already moved this turn")),
        ("swap b1 b2", snapshot("the creature on b2 has already moved this turn")),
        ("play Ghostly a", snapshot('there is no "Ghostly" in your hand')),
        ("energy Ghostly", snapshot('there is no "Ghostly" in your hand')),
        (
            "play Spark a",
            snapshot(
                "only creatures are played into a column, "
                "and every card without an attack and a defense from 0 to 10 is energy"
            ),
        ),
        ("play Amber Drake a", snapshot('"Amber Drake" costs 5, and 2 energy is ready')),
        ("play Brass Scout b", snapshot("b3, where creatures enter column b, is not empty")),
        ("facedown Spark", snapshot('this is an energy card: lay it with "energy Spark"')),
        ("energy Ghost", snapshot("this is a creature, not an energy card: play it into a column")),
        ("facedown Ghost", snapshot("in this game creatures are not laid as energy: it has no option facedown")),
        ("sacrifice Ghost", snapshot("in this game creatures are not laid as energy: it has no option one_creature")),
    ],
)
def test_illegal_move_before_an_assault_is_explained(move, expected):
    hand = (SPARK, DRAKE, SCOUT, GHOST)
    mine = side(hand, energy=2, a1=(1, 1), a2=(1, 1), b1=(1, 1), b2=(1, 1), b3=(1, 1))
    state = replace(table(mine, side(), replace(side(), is_out=True)), moved=(4,))
    assert reason(state, move) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("facedown",), ", or lay it with facedown"),
        (("one_creature",), ", or lay it with sacrifice"),
        (("facedown", "one_creature"), ", or lay it with facedown, or lay it with sacrifice"),
    ],
)
def test_explanation_names_the_options_for_creatures_as_energy(options, expected):
    state = table(side((GHOST, SPARK)), **dict.fromkeys(options, True))
    assert reason(state, "energy Ghost") == "this is a creature, not an energy card: play it into a column" + expected


def test_a_second_creature_is_not_laid_as_energy_in_one_turn():
    state = after_moves(table(side((GHOST, SCOUT)), one_creature=True), "sacrifice Brass Scout")
    assert reason(state, "sacrifice Ghost") == "one creature a turn may be laid as energy, and one has been"


@pytest.mark.parametrize(
    ("attacks", "move", "expected"),
    [
        ((), "energy Spark", snapshot("the assault has begun: attack with a creature, or end the turn")),
        ((), "assault Bob", snapshot("the assault has begun: attack with a creature, or end the turn")),
        ((), "attack c2", snapshot("you have no creature on c2")),
        ((), "attack a2", snapshot('"Gate" on a2 has attack 0, and cannot attack')),
        ((), "attack a3", snapshot("a3 cannot attack, because the creature in front of it, on a2, has attack 0")),
        ((), "attack b2", snapshot("b2 attacks only after b1, which is in front of it, has attacked")),
        ((), "attack b3", snapshot("b3 attacks only after b2, which is in front of it, has attacked")),
        (("attack a1",), "attack a1", snapshot("the creature on a1 has already attacked")),
        (("attack b1",), "attack a1", snapshot("column a has been passed: columns attack from a to c")),
        (("attack b1",), "attack b1", snapshot("the creature on b1 has already attacked")),
        (("attack b1", "attack b2"), "attack b1", snapshot("the creature on b1 has already attacked")),
        (("attack b1",), "attack b3", snapshot("b3 attacks only after b2, which is in front of it, has attacked")),
        (("attack c1",), "attack b2", snapshot("column b has been passed: columns attack from a to c")),
    ],
)
def test_illegal_move_in_an_assault_is_explained(attacks, move, expected):
    assert reason(after_moves(table(FULL_GRID, side()), "assault Bob", *attacks), move) == expected


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("end", "at the end of the turn discard a card: you hold 7"),
        ("energy Spark", "at the end of the turn discard a card: you hold 7"),
        ("discard Ghost", 'there is no "Ghost" in your hand'),
    ],
)
def test_illegal_move_at_the_end_of_a_turn_is_explained(move, expected):
    state = after_moves(table(side((*FULL_HAND, DRAKE, SCOUT), a1=(1, 1))), "assault Bob", "end")
    assert reason(state, move) == expected


def test_explanation_counts_unknown_cards_in_hand():
    state = table(side((SPARK, GAP, HIDDEN)), facedown=True)
    assert (
        reason(state, "energy Ghost") == 'there is no "Ghost" in your hand, but the record does not name 2 of the cards'
    )
    assert read_move(state, "facedown") == read_move(state, " f ") == "facedown ?"
    with pytest.raises(IllegalMoveError, match="in your hand"):
        read_move(table(side((SPARK,)), facedown=True), "facedown ghost")


def test_name_of_another_card_does_not_match_longer_names():
    fire, fireball = Energy("Fire"), Creature("Fireball", 0, 0)
    state = table(side((fireball,)))
    assert read_move(state, "play Fire a") == "play Fireball a"
    known = replace(state, lists=((fire, fireball), None))
    assert read_move(known, "play Fireb a") == "play Fireball a"
    assert read_move(known, "play Fireball a") == "play Fireball a"
    with pytest.raises(IllegalMoveError) as caught:
        read_move(known, "play Fire a")
    assert caught.value.reason == 'there is no "Fire" in your hand'


@pytest.mark.parametrize("text", ["energy   spark", "  energy spark  ", "energy spark "])
def test_blanks_around_and_between_words_change_nothing(text):
    assert read_move(table(side((SPARK, DRAKE))), text) == "energy Spark"


@pytest.mark.parametrize(
    ("hidden", "allowed", "moves"), [(GAP, True, 1), (GAP, False, 0), (HIDDEN, True, 0), (HIDDEN, False, 0)]
)
def test_unknown_card_may_be_laid_face_down_like_creatures(hidden, allowed, moves):
    legal = table(side((SPARK, hidden)), facedown=allowed).legal_moves()
    assert legal == ("assault Bob", "energy Spark", "facedown ?")[: 2 + moves]


def test_phases_and_energy_are_explained_in_the_first_turn_of_each_player():
    state = table(side((SPARK,), deck=[SPARK], a1=(1, 1)), side((SPARK,), deck=[SPARK], a1=(1, 1)))
    shown = []
    while len(shown) < 3:
        shown.append(repr(VIEW.picture(state, state.to_move, None)))
        target = state.names[1 - state.to_move]
        state = after_moves(state, f"assault {target}", "end")
    for explained in ("Energy: ", "Play: ", "Move: ", "Assault: ", "is energy."):
        assert [explained in picture for picture in shown] == [True, True, False]
