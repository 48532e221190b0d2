"""How moves of matrix are written, typed and explained."""

import pytest
from matrix_positions import MATRIX, position

from ccgrid.engine.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    MalformedMoveError,
)
from ccgrid.engine.games.matrix.cards import KINDS, MOVES
from ccgrid.engine.notation import play, read_move


# Moves as written and as typed
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("switch-corners c1 a1", "cells are written in alphabetical order: switch-corners a1 c1"),
        ("switch-corners a1 a1", "two different corners change places, and a1 is one"),
        ("switch-corners a1 b1", "b1 is not a corner: the corners are a1 a3 c1 c3"),
        ("switch-edges b2 c2", "b2 is not an edge: the edges are a2 b1 b3 c2"),
        ("swap-even 5", "5 is not even"),
        ("swap-odd 9", "9 is in the centre already"),
    ],
)
def test_an_illegal_move_is_explained(move, reason):
    with pytest.raises(IllegalMoveError) as caught:
        play(position(), move)
    assert caught.value.reason == reason


def test_a_card_that_is_not_in_hand_is_said_so():
    with pytest.raises(IllegalMoveError) as caught:
        play(position([["swap-odd", "swap-odd", "shift-west"], KINDS]), "swap-even 2")
    assert caught.value.reason == '"Ann" has no swap-even in hand, but shift-west, swap-odd'


@pytest.mark.parametrize(
    "move",
    [
        "",
        "rotate",
        "rotate-clockwise a1",
        "shift-north",
        "shift-north 1",
        "shift-west a",
        "swap-even",
        "swap-even 0",
        "swap-even 10",
        "switch-corners a1",
        "switch-corners a1c1",
        "Shift-North a",
        "shift-north a\n",
        "shift-north d",
    ],
)
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like switch-corners a1 c3"):
        play(position(), move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Switch Corners C1 A1", "switch-corners a1 c1"),
        ("corners a1-c3", "switch-corners a1 c3"),
        ("a3, c3", "switch-corners a3 c3"),
        ("switch edges b1 with a2", "switch-edges a2 b1"),
        ("edge c2 b3", "switch-edges b3 c2"),
        ("corners a1 and c3", "switch-corners a1 c3"),
        ("north b", "shift-north b"),
        ("shift the column b to the north", "shift-north b"),
        (" - shift row 3 west - ", "shift-west 3"),
        ("north b".rjust(100), "shift-north b"),
        ("shift column b south", "shift-south b"),
        ("shift_west 3", "shift-west 3"),
        ("east row 1", "shift-east 1"),
        ("swap 4", "swap-even 4"),
        ("swap 7", "swap-odd 7"),
        ("even 6", "swap-even 6"),
        ("rotate clockwise", "rotate-clockwise"),
        ("CW", "rotate-clockwise"),
        ("ccw", "rotate-counterclockwise"),
        ("rotate counter-clockwise", "rotate-counterclockwise"),
        ("anticlockwise", "rotate-counterclockwise"),
    ],
)
def test_a_person_may_type_a_move_loosely(text, move):
    assert read_move(position(), text) == move


@pytest.mark.parametrize("move", MOVES)
def test_every_move_means_itself_when_typed(move):
    assert MATRIX.notation.moves_meant(position(), move) == (move,)


def test_a_typed_move_that_may_mean_several_is_ambiguous():
    with pytest.raises(AmbiguousMoveError, match="shift-north b or shift-south b: say which"):
        read_move(position(), "b")
    with pytest.raises(AmbiguousMoveError, match="rotate-clockwise or rotate-counterclockwise"):
        read_move(position(), "rotate")
    assert read_move(position([["rotate-clockwise"], KINDS]), "rotate") == "rotate-clockwise"


@pytest.mark.parametrize(
    "text", ["", "-", "jump", "swap 10", "shift up", "\x1b[2J", "a" * 10_000, "a1 a1 a1", "cw".rjust(101), "the"]
)
def test_a_typed_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(position(), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)
