"""How moves of tactics are written, typed and explained."""

import pytest
from tactics_positions import card, names, position

from ccgrid.engine.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    MalformedMoveError,
)
from ccgrid.engine.games.tactics.state import TABLES
from ccgrid.engine.notation import play, read_move


# Moves as written and as typed
def test_copies_of_one_card_make_one_move_for_each_cell():
    moves = position(hands={0: [card("Twin"), card("Twin")]}).legal_moves()
    assert moves == tuple(f"Twin@{cell}" for cell in ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"))


@pytest.mark.parametrize("name", ["@", "a@b2", "Gate Warden", " lead and trail ", "[/red]", "\x1b[2J", "Été", "x\ny"])
def test_a_card_may_have_any_name(name):
    state = position(hands={0: [card(name)]})
    assert f"{name}@b2" in state.legal_moves()
    assert read_move(state, f"{name}@b2") == f"{name}@b2"
    assert play(state, f"{name}@b2").card_on("b2").name == name


def test_the_last_at_sign_divides_name_and_cell():
    state = position(hands={0: [card("Gate@b1"), card("Gate")]})
    assert names(play(state, "Gate@b1@b2").hand(0)) == ["Gate"]
    assert names(play(state, "Gate@b1").hand(0)) == ["Gate@b1"]


@pytest.mark.parametrize("move", ["", "b2", "Gate", "Gate@", "@b2", " @b2", "Gate@d4", "Gate@B2", "Gate@b2 "])
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like Gate Warden@b2"):
        play(position(hands={0: [card("Gate")]}), move)


def test_an_illegal_move_is_explained():
    state = position(hands={0: [card("Gate"), card("Wall")]}, b2=(1, card("Other")))
    with pytest.raises(IllegalMoveError) as caught:
        play(state, "Gate@b2")
    assert caught.value.reason == 'b2 is taken, by a card of "Bob"'
    with pytest.raises(IllegalMoveError) as caught:
        play(state, "Tower@a1")
    assert caught.value.reason == '"Ann" has no "Tower" in hand, but "Gate", "Wall"'


@pytest.mark.parametrize(
    "text",
    [
        "Gate Warden@b2",
        "gate warden b2",
        "gate b2",
        "WARD@B2",
        "gate on b2",
        "gate  @ b2",
        " gate at B2",
        "gate onto b2",
    ],
)
def test_a_person_may_type_a_move_loosely(text):
    assert read_move(position(hands={0: [card("Gate Warden"), card("Wall")]}), text) == "Gate Warden@b2"


def test_a_card_or_a_cell_alone_is_enough_where_nothing_else_can_be_meant():
    only = position(hands={0: [card("Gate Warden")]})
    assert read_move(only, "b2") == "Gate Warden@b2"
    cells = {cell: (1, card(f"On {cell}")) for cell in TABLES[2].board.cells[1:]}
    assert read_move(position(hands={0: [card("Gate"), card("Wall")]}, **cells), "wall") == "Wall@a1"


def test_the_whole_name_goes_before_its_beginning():
    state = position(hands={0: [card("Gate"), card("Gate Warden")]})
    assert read_move(state, "gate b2") == "Gate@b2"
    with pytest.raises(AmbiguousMoveError, match="Gate@b2 or Gate Warden@b2: say which"):
        read_move(state, "ga b2")


def test_a_typed_card_that_is_not_in_hand_is_said_so():
    state = position(hands={0: [card("Gate")]}, b2=(1, card("Other")))
    with pytest.raises(IllegalMoveError, match='"Ann" has no "tower" in hand'):
        read_move(state, "tower b1")
    with pytest.raises(IllegalMoveError, match="b2 is taken"):
        read_move(state, "gate b2")


@pytest.mark.parametrize("text", ["", "  ", "tower", "gate z9", "\x1b[2J", "a " * 10_000])
def test_a_typed_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(position(hands={0: [card("Gate"), card("Wall")]}), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)
