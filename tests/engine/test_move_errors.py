"""Tests of the errors of the functions that accept a move, and of the moves that records accept."""

import pytest
from helpers.made_up import PASSIVE_CARD, card, grid_of

from ccgrid.engine.errors import IllegalMoveError, MalformedMoveError
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.games.ninecard.combat import BOARD, Side
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.notation import play, read_move, read_record_move

PARSERS = (play, read_move, read_record_move)
STATE = grid_of(a1=card(top=0, bottom=0, right=1))


@pytest.mark.parametrize("parse", PARSERS)
def test_malformed_move_error_shows_example(parse):
    with pytest.raises(MalformedMoveError) as caught:
        parse(STATE, "fly")
    assert str(caught.value) == '"fly": not a move; write moves like a1xb2'


@pytest.mark.parametrize("parse", PARSERS)
def test_move_after_end_error_shows_ending(parse):
    with pytest.raises(IllegalMoveError) as caught:
        parse(grid_of([PASSIVE_CARD] * 11), "a1xb1")
    reason = "the game is over: no card on the grid can take a neighbour, with 11 left in the draw pile"
    assert str(caught.value) == f'"a1xb1": {reason}'


@pytest.mark.parametrize("text", ["a1xb1", "A1 takes B1", "a1", f"a1{' ' * 396}b1"])
def test_record_accepts_typed_form_of_move(text):
    assert read_record_move(STATE, text) == "a1xb1"


def test_length_of_recorded_move_is_limited():
    with pytest.raises(MalformedMoveError):
        read_record_move(STATE, f"a1{' ' * 397}b1")


@pytest.mark.parametrize(("energies", "left_out"), [(1, ""), (2, ", 1 more")])
def test_error_lists_twenty_legal_moves_and_counts_others(energies, left_out):
    hand = (*(Creature(f"Imp {n}", 0, 0) for n in range(6)), *(Energy(f"Spark {n}") for n in range(energies)))
    grid = tuple(Creature("Ghost", 0, 0) if cell in ("a1", "b1") else None for cell in BOARD.cells)
    side = Side(50, (), hand, grid=grid)
    state = NinecardState(("Ann", "Bob"), Options(), (side, side), 0, moved=(0, 1))
    legal = state.legal_moves()
    assert len(legal) == 19 + energies
    with pytest.raises(IllegalMoveError) as caught:
        read_move(state, "a1 b1")
    listed = ", ".join(legal[:20])
    assert caught.value.reason == f"no such move is legal now; the legal ones: {listed}{left_out}"
