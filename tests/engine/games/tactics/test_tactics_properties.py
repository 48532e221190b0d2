"""Tests that hold for every game of tactics, and comparisons with a naive implementation of its rules."""

import random
from contextlib import suppress

from helpers import naive_tactics
from helpers.game_positions import perft_table
from helpers.made_up import random_sided_card
from hypothesis import given
from hypothesis import strategies as st
from tactics_positions import TACTICS, deal, random_game

from ccgrid.engine.errors import (
    MoveError,
)
from ccgrid.engine.games.tactics.rules import EMPTY, TacticsSetup
from ccgrid.engine.notation import play, read_move

# Properties
seeds, player_counts = st.integers(0, 2**32), st.sampled_from([2, 4])


@given(seeds, player_counts, st.integers(3, 20), st.sampled_from([(0, 1), (0, 10), (4, 5)]))
def test_game_equals_naive_implementation(seed, players, size, values):
    rng = random.Random(seed)
    decks = [[random_sided_card(rng, *values) for _ in range(rng.randint(3, size))] for _ in range(players)]
    setup = deal(decks, players, seed)
    state, naive = setup.start(), naive_tactics.start_of(setup)
    while True:
        assert list(state.legal_moves()) == naive_tactics.legal(naive)
        assert list(state.scores()) == naive_tactics.points(naive)
        if not state.legal_moves():
            assert not any(naive["hands"]) or len(naive["board"]) == len(state.grid)
            break
        assert state.to_move == naive["turn"]
        move = rng.choice(state.legal_moves())
        state, naive = play(state, move), naive_tactics.play(naive, move)


def test_naive_implementation_counts_the_same_tree():
    for name, counts, record in perft_table(TACTICS):
        naive = naive_tactics.start_of(record.setup)
        for move in record.moves:
            naive = naive_tactics.play(naive, move)
        for depth, expected in enumerate(counts[:3], start=1):
            assert naive_tactics.count(naive, depth) == expected, f"{name}, depth {depth}"


@given(seeds, player_counts, st.integers(3, 20))
def test_cards_are_conserved_and_scores_add_up(seed, players, size):
    record, _ = random_game(seed, players, size)
    for ply in record:
        check_conserved(ply.state)
        assert ply.state.outcome() is None
    check_conserved(record.final())


def check_conserved(state):
    """Check that each card is in exactly one place and that the scores add up."""
    setup, start = state.setup, 0
    undrawn = []
    for deck, drawn in zip(setup.decks, state.drawn, strict=True):
        undrawn += range(start + drawn, start + len(deck))
        start += len(deck)
    on_board = [number for number in state.grid if number != EMPTY]
    captured = [number for pile in state.captured for number in pile]
    assert sorted(undrawn + on_board + captured + [number for hand in state.hands for number in hand]) == list(
        range(start)
    )
    for seat, pile in enumerate(state.captured):
        assert all(setup.owners[number] != seat for number in pile)
    on_board = sum(value for value, number in zip(state.table.values, state.grid, strict=True) if number != EMPTY)
    assert sum(state.scores()) == len(captured) + on_board


@given(seeds, player_counts, st.text(max_size=8), st.sampled_from(["a1", "B2", "d4", ""]))
def test_any_text_is_a_legal_move_or_one_of_the_move_errors(seed, players, text, cell):
    state = deal(players=players, seed=seed).start()
    for parse in (play, read_move):
        with suppress(MoveError):
            parse(state, f"{text}@{cell}")
        with suppress(MoveError):
            parse(state, f"{text}{cell}")


@given(seeds, player_counts)
def test_view_does_not_depend_on_hidden_cards(seed, players):
    state = deal(players=players, seed=seed).start()
    seat = state.to_move
    decks = [list(deck) for deck in state.setup.decks]
    for owner, deck in enumerate(decks):
        hidden = deck[3:] if owner == seat else deck
        random.Random(seed).shuffle(hidden)
        decks[owner] = [*deck[:3], *hidden] if owner == seat else hidden
    other = TacticsSetup(state.players, state.setup.first, tuple(map(tuple, decks))).start()
    assert state.view(seat) == other.view(seat)
