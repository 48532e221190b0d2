"""Tests that hold for every game of matrix, and comparisons with a naive implementation of its rules."""

import random
from collections import Counter
from contextlib import suppress

from helpers import naive_matrix
from helpers.game_positions import perft_table
from hypothesis import given
from hypothesis import strategies as st
from matrix_positions import EXAMPLE, MATRIX, boards, deal, position, random_game

from ccgrid.engine.errors import (
    MoveError,
)
from ccgrid.engine.games.matrix.cards import BOARD, MOVES, board_after
from ccgrid.engine.notation import play, read_move

# Properties
seeds, player_counts, rotations = (
    st.integers(0, 2**32),
    st.sampled_from([2, 3, 4]),
    st.sampled_from(["quarter", "step"]),
)


@given(boards, st.sampled_from(MOVES), rotations)
def test_every_card_leaves_a_permutation(board, move, rotate):
    assert sorted(board_after(board, move, rotate)) == list(range(1, 10))


def repeat_move(board, move, times, rotate="quarter"):
    for _ in range(times):
        board = board_after(board, move, rotate)
    return board


@given(boards, st.sampled_from(["rotate-clockwise", "rotate-counterclockwise"]))
def test_four_quarter_turns_or_eight_steps_change_nothing(board, move):
    assert repeat_move(board, move, 4) == board
    assert repeat_move(board, move, 8, "step") == board
    assert repeat_move(board, move, 2) == repeat_move(board, move, 4, "step")


@given(boards, st.sampled_from("abc"), st.sampled_from("123"), rotations)
def test_opposite_cards_undo_each_other(board, column, row, rotate):
    for move, opposite in (
        (f"shift-north {column}", f"shift-south {column}"),
        (f"shift-west {row}", f"shift-east {row}"),
        ("rotate-clockwise", "rotate-counterclockwise"),
    ):
        assert board_after(board_after(board, move, rotate), opposite, rotate) == board


@given(boards, st.sampled_from([move for move in MOVES if move.startswith("switch")]))
def test_repeated_switch_restores_the_board(board, move):
    assert repeat_move(board, move, 2) == board


@given(boards, st.integers(1, 9))
def test_swap_moves_the_number_to_the_centre(board, number):
    move = f"swap-{'odd' if number % 2 else 'even'} {number}"
    assert board_after(board, move, "quarter")[4] == number


@given(seeds, player_counts, rotations)
def test_game_equals_naive_implementation(seed, players, rotate):
    rng = random.Random(seed)
    setup = deal(players, seed, options={"rotate": rotate})
    state, naive = setup.start(), naive_matrix.start_of(setup)
    while True:
        assert list(state.board) == [number for row in naive["rows"] for number in row]
        assert list(state.scores()) == naive_matrix.points(naive)
        assert state.to_move == naive_matrix.turn(naive)
        assert list(state.legal_moves()) == naive_matrix.legal(naive)
        if not state.legal_moves():
            break
        move = rng.choice(state.legal_moves())
        state, naive = play(state, move), naive_matrix.play(naive, move)
    assert naive["turns"] == 10 * players


def test_naive_implementation_counts_the_same_tree():
    for name, counts, record in perft_table(MATRIX):
        naive = naive_matrix.start_of(record.setup)
        for move in record.moves:
            naive = naive_matrix.play(naive, move)
        for depth, expected in enumerate(counts[:3], start=1):
            assert naive_matrix.count(naive, depth) == expected, f"{name}, depth {depth}"


@given(seeds, player_counts, rotations)
def test_cards_and_numbers_are_conserved_and_an_unfinished_game_has_scores(seed, players, rotate):
    record, _ = random_game(seed, players, rotate)
    for number, ply in enumerate(record):
        state = ply.state
        assert sorted(state.board) == list(range(1, 10))
        assert state.outcome() is None
        assert len(state.scores()) == players
        assert sum(map(len, state.hands)) == 10 * players - number
        for seat in range(players):
            assert Counter(state.hands[seat] + state.discards(seat)) == Counter(record.setup.hands[seat])


@given(seeds, st.text(max_size=12), st.sampled_from(MOVES))
def test_any_text_is_a_legal_move_or_one_of_the_move_errors(seed, text, move):
    state = deal(seed=seed).start()
    for parse in (play, read_move):
        for typed in (text, f"{move}{text}", f"{text}{move}"):
            with suppress(MoveError):
                parse(state, typed)


def test_cells_have_the_same_names_as_on_other_boards():
    state = position()
    assert [state.number_on(cell) for cell in BOARD.cells] == list(EXAMPLE)
