"""Why a move of ninecard is not legal, in whole sentences, and what a text may mean where cards are not known."""

from dataclasses import replace

import pytest
from ninecard_positions import DRAKE, FULL_HAND, GHOST, SCOUT, SPARK, WALL, played, side, table

from ccgrid.engine.errors import IllegalMoveError
from ccgrid.engine.games.ninecard.cards import GAP, HIDDEN, Creature, Energy
from ccgrid.engine.notation import play, read_move

FOUGHT = side(a1=(1, 1), a2=WALL, a3=(1, 1), b1=(1, 1), b2=(1, 1), b3=(1, 1), c1=(2, 2))


def reason(state, move):
    with pytest.raises(IllegalMoveError) as caught:
        play(state, move)
    return caught.value.reason


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("attack a1", "no assault has been declared: first assault a player"),
        ("end", "no assault has been declared: first assault a player"),
        ("discard Spark", "cards are discarded only at the end of the turn"),
        ("assault Ann", "you cannot assault yourself"),
        ("assault Cid", '"Cid" is out'),
        ("assault Eve", '"Eve" is not one of the players'),
        ("move a1 b2", "a1 and b2 are not next to each other in a row or a column"),
        ("swap a1 c1", "a1 and c1 are not next to each other in a row or a column"),
        ("move c1 c2", "you have no creature on c1"),
        ("swap b2 c2", "you have no creature on c2"),
        ("swap c2 b2", "you have no creature on c2"),
        ("swap b2 a2", "the cells of a swap are in alphabetical order: swap a2 b2"),
        ("move b2 a2", "a2 is not empty: creatures next to each other swap"),
        ("move a2 b2", "b2 is not empty: creatures next to each other swap"),
        ("move b2 c2", "the creature on b2 has already moved this turn"),
        ("swap a2 b2", "the creature on b2 has already moved this turn"),
        ("swap b1 b2", "the creature on b2 has already moved this turn"),
        ("play Ghostly a", 'there is no "Ghostly" in your hand'),
        ("energy Ghostly", 'there is no "Ghostly" in your hand'),
        ("play Spark a", "this is an energy card: only creatures are played into a column"),
        ("play Amber Drake a", '"Amber Drake" costs 5, and 2 energy is ready'),
        ("play Brass Scout b", "b3, where creatures enter column b, is not empty"),
        ("facedown Spark", 'this is an energy card: lay it with "energy Spark"'),
        ("energy Ghost", "this is a creature, not an energy card: play it into a column"),
        ("facedown Ghost", "in this game creatures are not laid as energy: it has no option facedown"),
        ("sacrifice Ghost", "in this game creatures are not laid as energy: it has no option one_creature"),
    ],
)
def test_before_an_assault_a_move_is_refused_with_its_reason(move, expected):
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
def test_how_a_creature_may_be_laid_as_energy_in_this_game_is_said(options, expected):
    state = table(side((GHOST, SPARK)), **dict.fromkeys(options, True))
    assert reason(state, "energy Ghost") == "this is a creature, not an energy card: play it into a column" + expected


def test_a_second_creature_is_not_laid_as_energy_in_one_turn():
    state = played(table(side((GHOST, SCOUT)), one_creature=True), "sacrifice Brass Scout")
    assert reason(state, "sacrifice Ghost") == "one creature a turn may be laid as energy, and one has been"


@pytest.mark.parametrize(
    ("attacks", "move", "expected"),
    [
        ((), "energy Spark", "the assault has begun: attack with a creature, or end"),
        ((), "assault Bob", "the assault has begun: attack with a creature, or end"),
        ((), "attack c2", "you have no creature on c2"),
        ((), "attack a2", '"Gate" on a2 has attack 0, and cannot attack'),
        ((), "attack a3", "a2, in front of a3, has attack 0, and so nobody behind it can attack"),
        ((), "attack b2", "b2 attacks only after b1, which is in front of it, has attacked"),
        ((), "attack b3", "b3 attacks only after b2, which is in front of it, has attacked"),
        (("attack a1",), "attack a1", "the creature on a1 has already attacked"),
        (("attack b1",), "attack a1", "column a has been passed: columns attack from a to c"),
        (("attack b1",), "attack b1", "the creature on b1 has already attacked"),
        (("attack b1", "attack b2"), "attack b1", "the creature on b1 has already attacked"),
        (("attack b1",), "attack b3", "b3 attacks only after b2, which is in front of it, has attacked"),
        (("attack c1",), "attack b2", "column b has been passed: columns attack from a to c"),
    ],
)
def test_in_an_assault_a_move_is_refused_with_its_reason(attacks, move, expected):
    assert reason(played(table(FOUGHT, side()), "assault Bob", *attacks), move) == expected


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("end", "at the end of the turn discard a card: you hold 7"),
        ("energy Spark", "at the end of the turn discard a card: you hold 7"),
        ("discard Ghost", 'there is no "Ghost" in your hand'),
    ],
)
def test_at_the_end_of_a_turn_a_move_is_refused_with_its_reason(move, expected):
    state = played(table(side((*FULL_HAND, DRAKE, SCOUT), a1=(1, 1))), "assault Bob", "end")
    assert reason(state, move) == expected


def test_cards_in_hand_that_nobody_knows_are_told_with_those_that_are_missed():
    state = table(side((SPARK, GAP, HIDDEN)), facedown=True)
    assert reason(state, "energy Ghost") == 'there is no "Ghost" in your hand, but 2 that the record does not know'
    assert read_move(state, "facedown") == read_move(state, " f ") == "facedown ?"
    with pytest.raises(IllegalMoveError, match="in your hand"):
        read_move(table(side((SPARK,)), facedown=True), "facedown ghost")


def test_the_name_of_another_card_of_the_deck_does_not_mean_one_that_begins_so():
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
def test_a_card_that_nobody_knows_may_be_laid_face_down_where_creatures_may(hidden, allowed, moves):
    legal = table(side((SPARK, hidden)), facedown=allowed).legal_moves()
    assert legal == ("assault Bob", "energy Spark", "facedown ?")[: 2 + moves]
