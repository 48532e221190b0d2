"""Tests of descriptions of ninecard moves: effects, public descriptions, and the groups of the move list."""

import pytest
from ninecard_positions import DRAKE, FULL_HAND, GHOST, SCOUT, SPARK, WALL, Creature, after_moves, side, table

from ccgrid.engine.games.ninecard.notation import describe, groups, tell
from ccgrid.engine.picture import Name


def plain_text(words):
    return words if isinstance(words, str) else "".join(part.text if isinstance(part, Name) else part for part in words)


HAND = (SPARK, DRAKE, SCOUT, GHOST)
BEFORE = table(side(HAND, energy=5, a1=SCOUT, a2=DRAKE, b1=GHOST, b2=GHOST, b3=GHOST), facedown=True, one_creature=True)


@pytest.mark.parametrize(
    ("move", "public", "private"),
    [
        ("energy Spark", "energy Spark", "one more energy"),
        ("facedown Ghost", "a creature laid face down as energy", "a creature laid as energy"),
        ("sacrifice Ghost", "sacrifice Ghost", "a creature laid as energy"),
        ("play Amber Drake a", "play Amber Drake a (3/2 for 5 energy, to a3)", "3/2 for 5 energy, to a3"),
        ("play Brass Scout c", "play Brass Scout c (1/1 for 2 energy, to c1)", "1/1 for 2 energy, to c1"),
        ("play Brass Scout b", "play Brass Scout b (1/1 for 2 energy, to b3)", "1/1 for 2 energy, to b3"),
        ("move a1 a2", "move a1 a2", "Brass Scout and Amber Drake"),
        ("move a2 a3", "move a2 a3", "Amber Drake"),
        ("swap a1 a2", "swap a1 a2", "Brass Scout and Amber Drake"),
        ("assault Bob", "assault Bob", "your creatures may now attack"),
        ("discard Spark", "discard Spark", "put away"),
        ("end", "end turn", "no more attacks; you draw no card"),
    ],
)
def test_move_has_a_private_and_a_public_description(move, public, private):
    assert (plain_text(tell(BEFORE, move)), plain_text(describe(BEFORE, move))) == (public, private)


OPPONENT = side((GHOST,), a1=(1, 1), a2=(0, 2), b1=(9, 9), c1=(0, 5))
ATTACKS = {
    "a1": ("Giant kills 1/1 and 0/2, takes 6 life", "9/9, kills 2, takes 6 life"),
    "b1": ("Giant kills 9/9, dies", "9/9, kills 1, dies"),
    "c1": ("Guard is held", "1/9"),
}
ASSAULT = after_moves(
    table(
        side(FULL_HAND, a1=Creature("Giant", 9, 9), b1=Creature("Giant", 9, 9), c1=Creature("Guard", 1, 9)), OPPONENT
    ),
    "assault Bob",
)


@pytest.mark.parametrize(("cell", "words"), [(cell, ATTACKS[cell][0]) for cell in ("a1", "b1", "c1")])
def test_attack_description_names_losses(cell, words):
    assert plain_text(describe(ASSAULT, f"attack {cell}")) == words
    assert plain_text(tell(ASSAULT, f"attack {cell}")) == f"attack {cell} ({words})"


def test_attack_without_a_creature_has_a_plain_description():
    assert plain_text(describe(ASSAULT, "attack c3")) == plain_text(describe(BEFORE, "attack a1")) == "an attack"


def menu_entries(state):
    return [
        (
            plain_text(group.heading),
            [(choice.move, plain_text(choice.short), choice.effect) for choice in group.choices],
        )
        for group in groups(state)
    ]


def test_moves_are_grouped_by_verb_and_by_creature():
    state = table(side((SPARK, SCOUT), energy=2, a1=GHOST, a2=GHOST, a3=GHOST), facedown=True, one_creature=True)
    assert menu_entries(state) == [
        ("energy: lay", [("energy Spark", "Spark", "")]),
        ("facedown: lay", [("facedown Brass Scout", "Brass Scout", "")]),
        ("move", [(f"move a{n} b{n}", f"a{n} b{n}", "") for n in (1, 2, 3)]),
        ("play Brass Scout (2)", [(f"play Brass Scout {column}", column, "") for column in "bc"]),
        ("sacrifice: lay", [("sacrifice Brass Scout", "Brass Scout", "")]),
        ("swap", [("swap a1 a2", "a1 a2", ""), ("swap a2 a3", "a2 a3", "")]),
        ("End turn", [("end turn", "no attack; you draw no card", "")]),
    ]


def test_assault_is_listed_if_a_creature_can_attack_and_the_end_of_the_turn_is_last():
    can_attack = table(side((SPARK,), a1=SCOUT))
    assert menu_entries(can_attack)[-2:] == [
        ("assault", [("assault Bob", "Bob", "")]),
        ("End turn", [("end turn", "no attack; you draw no card", "")]),
    ]


def test_end_of_turn_that_eliminates_the_player_is_described():
    assert menu_entries(table(side((SPARK,))))[-1] == (
        "End turn",
        [("end turn", "no attack; you are out: your grid is empty, and you can play no creature", "")],
    )


def test_attacks_are_listed_with_their_effects():
    assert menu_entries(ASSAULT) == [
        ("attack with", [(f"attack {cell}", cell, ATTACKS[cell][1]) for cell in ("a1", "b1", "c1")]),
        ("End turn", [("end", "no more attacks; you draw no card", "")]),
    ]


def test_discards_are_listed_by_name():
    state = after_moves(table(side((*FULL_HAND, WALL, DRAKE), a1=SCOUT)), "assault Bob", "end")
    assert menu_entries(state) == [("discard", [(f"discard {n}", n, "") for n in ("Amber Drake", "Gate", "Spark")])]
