"""Playing, capturing, drawing and the end of tactics, sentence by sentence as RULES.md states it."""

import pytest
from tactics_positions import BESIDE, FACES, SEATS, SIDES, card, names, position

from ccgrid.engine.errors import (
    IllegalMoveError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.tactics.state import TABLES
from ccgrid.engine.notation import play


# A turn: play, process, draw
def test_a_turn_puts_a_card_from_hand_on_an_open_cell():
    state = play(position(hands={0: [card("Sentry"), card("Lance")]}), "Lance@c3")
    assert state.card_on("c3") == card("Lance")
    assert state.holder("c3") == 0
    assert names(state.hand(0)) == ["Sentry"]


def around(seat, numbers):
    """Opponents' cards on all four sides of b2, of which each meets the mover's sides in the order given."""
    faces = FACES[SEATS[2][seat]]
    cells = {}
    for side, number in zip(SIDES, numbers, strict=True):
        cells[BESIDE[faces[side]]] = (1 - seat, card(f"At {side}", *[number] * 4))
    return cells


PROCESSING = [
    ((4, 4, 4, 4), ["top", "right", "bottom", "left"]),
    ((4, 5, 4, 4), ["top", "bottom", "left"]),
    ((5, 5, 5, 5), []),
    ((5, 5, 5, 4), ["left"]),
    ((6, 4, 4, 4), []),
    ((4, 6, 4, 4), ["top"]),
    ((4, 4, 6, 4), ["top", "right"]),
    ((4, 5, 4, 6), ["top", "bottom"]),
]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("numbers", "captured"), PROCESSING)
def test_top_right_bottom_left_in_that_order_higher_captures_equal_goes_on_lower_stops(seat, numbers, captured):
    state = play(position(2, seat, hands={seat: [card("Mover")]}, **around(seat, numbers)), "Mover@b2")
    assert names(state.cards_captured(seat)) == [f"At {side}" for side in captured]


@pytest.mark.parametrize("players", [2, 4])
def test_a_neighbour_is_captured_on_whichever_cell_it_lies(players):
    board = TABLES[players].board
    for cell in board.cells:
        for zone, other in board.neighbours(cell).items():
            hands = {0: [card("Lance", 9, 9, 9, 9)], 1: [card("Other")]}
            captures = position(players, hands=hands, **{other: (1, card())}).captures(f"Lance@{cell}")
            assert captures == ((other,) if zone in ("top", "right", "bottom", "left") else ())


def test_a_lower_number_leaves_the_played_card_on_the_board():
    state = play(position(hands={0: [card("Mover")]}, **around(0, (6, 4, 4, 4))), "Mover@b2")
    assert state.card_on("b2") == card("Mover")


def test_empty_cells_the_rim_and_ones_own_cards_are_skipped():
    own, prize = card("Own", 10, 10, 10, 10), card("Prize", 0, 0, 0, 0)
    mover = card("Mover", 0, 0, 0, 1)
    state = play(position(hands={0: [mover]}, c2=(0, own), b3=(1, prize)), "Mover@c3")
    assert names(state.cards_captured(0)) == ["Prize"]
    assert state.card_on("c2") == own


def test_a_captured_card_leaves_the_board_its_cell_is_open_and_the_captor_keeps_it():
    state = play(position(hands={0: [card("Mover")], 1: [card("Next")]}, b1=(1, card("Weak", top=4))), "Mover@b2")
    assert state.card_on("b1") is None
    assert state.holder("b1") is None
    assert names(state.cards_captured(0)) == ["Weak"]
    assert "Next@b1" in state.legal_moves()


def test_captured_cards_do_not_capture_and_a_card_is_processed_only_when_played():
    state = play(position(hands={0: [card("Low", 0, 0, 0, 0)]}, b1=(1, card("High", 9, 9, 9, 9))), "Low@b2")
    assert state.card_on("b2") is not None
    assert state.cards_captured(1) == ()


def test_then_one_card_is_drawn_from_the_top_of_the_deck():
    decks = {0: [card("Top"), card("Below")]}
    state = play(position(hands={0: [card("Mover"), card("Kept")]}, decks=decks), "Mover@b2")
    assert names(state.hand(0)) == ["Kept", "Top"]
    assert state.deck_left(0) == 1


def test_from_an_empty_deck_nothing_is_drawn():
    state = play(position(hands={0: [card("Mover"), card("Kept")]}), "Mover@b2")
    assert names(state.hand(0)) == ["Kept"]


def test_a_player_without_cards_in_hand_is_skipped():
    state = position(4, hands={0: [card("A1"), card("A2")], 2: [card("C1"), card("C2")]})
    seats = []
    for cell in ("a1", "d1", "a4", "d4"):
        seats.append(state.to_move)
        state = play(state, f"{state.hand(state.to_move)[0].name}@{cell}")
    assert seats == [0, 2, 0, 2]


def test_the_last_one_with_cards_goes_on_alone():
    state = play(play(position(hands={0: [card("A1"), card("A2"), card("A3")]}), "A1@a1"), "A2@b1")
    assert state.to_move == 0
    assert state.ending() is None


# The end and the score
def test_the_game_ends_when_no_cell_is_empty():
    cells = {cell: (0, card(f"On {cell}")) for cell in TABLES[2].board.cells[:-1]}
    state = position(hands={0: [card("Last"), card("Left")], 1: [card("Other")]}, **cells)
    assert state.ending() is None
    over = play(state, "Last@c3")
    assert over.ending() == Ending("board-full", "every cell is taken")
    assert over.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="the game is over: every cell is taken"):
        play(over, "Other@c3")


def test_a_full_board_is_judged_after_processing():
    cells = {cell: (1, card(f"On {cell}", 0, 0, 0, 0)) for cell in TABLES[2].board.cells[:-1]}
    state = play(position(hands={0: [card("Last")], 1: [card("Other")]}, **cells), "Last@c3")
    assert state.ending() is None
    assert state.legal_moves() == ("Other@b3", "Other@c2")


def test_the_game_ends_when_nobody_has_a_card_in_hand():
    state = play(position(hands={0: [card("Only")]}), "Only@b2")
    assert state.ending() == Ending("no-cards", "nobody has a card left")
    assert state.outcome().scores == (3, 0)


@pytest.mark.parametrize(
    ("players", "points"),
    [(2, "121 232 121"), (4, "1221 2332 2332 1221")],
)
def test_a_corner_is_worth_1_a_side_cell_2_a_centre_cell_3(players, points):
    table = TABLES[players]
    found = {cell: position(players, **{cell: (1, card())}).scores() for cell in table.board.cells}
    assert [score[1] for score in found.values()] == [int(digit) for digit in points.replace(" ", "")]
    assert all(sum(score) == score[1] for score in found.values())


def test_each_captured_card_is_worth_1():
    state = position(hands={0: [card("Mover")]}, **around(0, (4, 4, 4, 4)))
    assert state.scores() == (0, 8)
    assert play(state, "Mover@b2").scores() == (3 + 4, 0)


def test_the_highest_score_wins_and_equal_is_a_draw():
    won = play(position(hands={0: [card("Only")]}, a1=(1, card("Other"))), "Only@b2").outcome()
    assert (won.scores, won.winner) == ((3, 1), 0)
    drawn = play(position(hands={0: [card("Only")]}, a1=(1, card("Other"))), "Only@c3").outcome()
    assert (drawn.scores, drawn.winner, drawn.leaders) == ((1, 1), None, (0, 1))
