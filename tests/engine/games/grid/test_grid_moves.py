"""How moves of grid are written, typed and explained; what a seat sees."""

import random
from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from grid_deals import deal
from helpers.made_up import STILL, card, grid_of, random_deck

from ccgrid.engine.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    MalformedMoveError,
    UnknownCardError,
)
from ccgrid.engine.games.grid.state import BOARD, GridState
from ccgrid.engine.notation import play, read_move


# Legality and notation
def test_legal_moves_are_sorted_by_code_point():
    moves = deal(random_deck(random.Random(1))).start().legal_moves()
    assert len(moves) > 3
    assert list(moves) == sorted(moves)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("b2xc3", "c3 has 5 facing b2's 4"),
        ("b2xb3", "b3 has 4 facing b2's 4, and equal does not capture"),
        ("b2xa2", "b2 has no number at its left, which faces a2"),
        ("a1xc3", "a1 and c3 are not neighbours"),
        ("b2xb2", "a card cannot take itself"),
    ],
)
def test_an_illegal_move_is_explained_in_words_a_player_understands(move, reason):
    state = grid_of(b2=card(bottom_right=4, bottom=4), c3=card(top_left=5), b3=card(top=4))
    with pytest.raises(IllegalMoveError) as caught:
        play(state, move)
    assert caught.value.reason == reason
    assert str(caught.value) == f'"{move}": {reason}'


@pytest.mark.parametrize("move", ["a1b2", "A1xB2", "a1xb2 ", "a4xb2", "d1xc1", "a1Xb2", "a1xb2\n", "x", "resign"])
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like a1xb2"):
        play(grid_of(a1=card(bottom_right=1)), move)


@pytest.mark.parametrize(
    "text",
    ["a1xb2", "A1 x B2", "a1b2", "a1 b2", " A1-B2 ", "a1 to b2", "a1->b2", "a1 takes b2", "a1×b2", "a1", "A1", "xb2"],
)
def test_a_person_may_type_a_move_loosely(text):
    assert read_move(grid_of(a1=card(top=0, bottom=0, bottom_right=1)), text) == "a1xb2"


def test_a_typed_move_that_may_mean_several_is_ambiguous():
    state = grid_of(a1=card(bottom_right=1, right=1))
    with pytest.raises(AmbiguousMoveError, match='"a1": this may be a1xb1 or a1xb2: say which'):
        read_move(state, "a1")


@pytest.mark.parametrize("text", ["", "x", "b4", "a1xb2xc3", "a1 b2 c3", "take it", "\x1b[2J", "a" * 10_000])
def test_a_typed_text_that_is_no_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(grid_of(a1=card(bottom_right=1)), text)
    assert len(str(caught.value)) < 200
    assert "\x1b" not in str(caught.value)


def test_a_typed_move_that_is_not_legal_says_why():
    state = grid_of(b2=card(bottom_right=4), c3=card(top_left=5))
    with pytest.raises(IllegalMoveError, match="c3 has 5 facing b2's 4"):
        read_move(state, "B2 C3")
    with pytest.raises(IllegalMoveError, match="no such move is legal now"):
        read_move(state, "a1")


def test_after_the_end_every_move_is_refused_with_the_reason_of_the_end():
    state = grid_of(**{cell: card(top=0, bottom=0) for cell in BOARD.cells})
    for attempt in (play, read_move):
        with pytest.raises(IllegalMoveError, match="the game is over: no card on the grid"):
            attempt(state, "a1xb1")


# Values, hidden cards
def test_a_state_is_a_value():
    state = grid_of([STILL] * 11, a1=card(right=1))
    with pytest.raises(FrozenInstanceError):
        state.turned_up = 3
    assert state == grid_of([STILL] * 11, a1=card(right=1))
    assert hash(state) == hash(grid_of([STILL] * 11, a1=card(right=1)))
    assert play(state, "a1xb1") != state
    assert not hasattr(state, "__dict__")


def test_the_draw_pile_is_hidden_from_every_seat():
    state = deal(random_deck(random.Random(1))).start()
    view = state.view(0)
    assert view.setup.cards == state.setup.cards[:9]
    assert len(view.setup.moving) == len(view.setup.facing) == 10
    assert view.legal_moves() == state.legal_moves()
    assert view.pile == 11
    with pytest.raises(UnknownCardError):
        play(view, view.legal_moves()[0])


def test_what_is_left_of_a_known_deck_lies_in_the_pile_in_an_order_that_nobody_sees():
    state = deal(random_deck(random.Random(1))).start()
    (hidden,) = state.unseen(1)
    assert hidden.places == tuple(f"pile:{number}" for number in range(11))
    assert Counter(hidden.cards) == Counter(state.setup.cards[9:])
    assert hidden.cards != state.setup.cards[9:]
    assert hidden.seen == state.setup.cards[:9]
    (unknown,) = grid_of([STILL] * 3).view(0).unseen(0)
    assert (unknown.places, unknown.cards) == (hidden.places, None)


def test_nothing_is_hidden_when_the_pile_is_empty():
    assert GridState(deal(random_deck(random.Random(1))), tuple(range(9)), 20, 0, ((), ())).unseen(0) == ()


def test_a_view_shows_everything_turned_up():
    state = deal(random_deck(random.Random(1))).start()
    rng = random.Random(2)
    while moves := state.legal_moves():
        assert state.view(state.to_move).scores() == state.scores()
        assert len(state.view(0).setup.cards) == state.turned_up
        state = play(state, rng.choice(moves))


def test_drawing_a_card_that_nobody_saw_is_an_error():
    state = play(grid_of([STILL], a1=card(right=1)), "a1xb1")
    with pytest.raises(UnknownCardError, match="card 11 of the deck, which is not known"):
        play(state, state.legal_moves()[0])
