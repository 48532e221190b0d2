"""Tests that the integer-array core of ninecard plays by the rules, and that searches use only what a seat knows."""

import random
from itertools import combinations, islice, pairwise

import pytest
from helpers.differential import games
from helpers.game_positions import positions

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.ninecard import core, row
from ccgrid.engine.games.ninecard.heuristic import heuristic
from ccgrid.engine.games.ninecard.tables import card_of, number_of, world
from ccgrid.engine.rows.binding import bound
from ccgrid.engine.rows.core import search_moves
from ccgrid.engine.rows.dealing import dice_row
from ccgrid.engine.search import think
from ccgrid.engine.search.core_search import CoreSearch
from ccgrid.engine.search.tree import SearchTree


def encode_full_position(state):
    """Return the core's world of the player to move, and the row with all cards in their true locations."""
    encoded = world(state.view(state.to_move))
    if encoded is None:
        return None
    s = encoded.start[:]
    for seat, side in enumerate(state.sides):
        offset, deck = side_of(seat), row.DECKS + seat * encoded.table.longest
        hand = sorted(map(card_of, side.hand))
        s[offset + row.HAND_COUNT] = len(hand)
        s[offset + row.HAND : offset + row.HAND + len(hand)] = hand
        cards = list(map(card_of, side.deck[: encoded.table.longest]))
        s[deck : deck + len(cards)] = cards
    return encoded, s


def side_of(seat):
    """Return the offset of a seat's side in a row."""
    return row.SIDES + row.SIDE * seat


def visible_part(encoded, s):
    """Return the relevant part of a row, without the storage of decks and the unused ends of hands."""
    sides = []
    for seat in range(encoded.table.seats):
        side = s[side_of(seat) : side_of(seat + 1)]
        sides.append((side[: row.HAND_COUNT + 1], side[row.COLUMNS : row.HAND + side[row.HAND_COUNT]]))
    return s[: row.SIDES], sides


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_on_rows_equal_the_rules(players):
    compared = 0
    for seed in range(games(6, parts=4)):
        for (state, _), (after, move) in pairwise(positions("ninecard", seed, players)):
            before, expected = encode_full_position(state), encode_full_position(after)
            if before is None or expected is None:
                continue
            encoded, s = before
            core.play(encoded.table, s, number_of(state, move))
            assert visible_part(encoded, s) == visible_part(*expected)
            assert (s[row.PLAYERS] == 1 or s[row.TURN] > encoded.table.limit) == after.is_over()
            compared += 1
    assert compared > 50


@pytest.mark.parametrize("players", [2, 3])
def test_searched_moves_are_among_the_legal_moves_of_the_rules(players):
    moves, priorities = [0] * core.MOST_MOVES, [0] * core.MOST_MOVES
    for seed in range(6):
        for state, _ in positions("ninecard", seed, players):
            if not state.legal_moves():
                continue
            encoded, s = encode_full_position(state)
            assert set(moves[: core.legal(encoded.table, s, moves)]) == set(encoded.numbers.values())
            count = bound(search_moves, core)(encoded.table, s, moves, priorities)
            assert set(moves[:count]) <= set(encoded.numbers.values())
            assert count > 0
            assert priorities[:count] == sorted(priorities[:count], reverse=True)


def test_worlds_do_not_use_hidden_cards_of_others():
    rng = random.Random(3)
    for seed in range(8):
        state = rng.choice([state for state, _ in positions("ninecard", seed, 2) if state.legal_moves()])
        seat = state.to_move
        encoded = world(state.view(seat))
        s, offset = encoded.start[:], side_of(seat)
        core.deal_unseen(encoded.table, s, encoded.hidden, dice_row(7))
        left = list(map(card_of, state.sides[seat].deck))
        first, size, _ = encoded.hidden.parts[3 * seat : 3 * seat + 3]
        assert not left or sorted(encoded.hidden.cards[first : first + size]) == sorted(left)
        drawn = s[row.DECKS + seat * encoded.table.longest :][: s[offset + row.SIZE]]
        assert set(drawn) <= set(left)
        hand = s[offset + row.HAND : offset + row.HAND + s[offset + row.HAND_COUNT]]
        assert hand == sorted(map(card_of, state.side.hand))
        other = side_of(1 - seat)
        assert s[other + row.HAND_COUNT] == len(state.sides[1 - seat].hand)
        assert encoded.start[other + row.HAND : other + row.SIDE] == [0] * row.MAX_HELD


@pytest.mark.parametrize("players", [2, 3])
def test_playouts_follow_the_heuristic(players):
    moves, priorities = [0] * core.MOST_MOVES, [0] * core.MOST_MOVES
    for seed in range(games(3, parts=8)):
        for state, _ in positions("ninecard", seed, players):
            if not state.legal_moves():
                continue
            encoded, s = encode_full_position(state)
            values = {move: heuristic(state, move) for move in state.legal_moves()}
            best = {number_of(state, move) for move, value in values.items() if value == max(values.values())}
            assert set(moves[: core.best(encoded.table, s, moves, priorities)]) == best


def test_energy_is_played_without_a_search():
    for seed in range(6):
        for state, _ in positions("ninecard", seed, 2):
            moves = state.legal_moves()
            if energy := [move for move in moves if move.startswith("energy ")]:
                tree = SearchTree(CoreSearch(core, world(state.view(state.to_move)), is_compiled=False), Dice(1))
                assert tree.only in energy


def test_different_discards_need_a_search():
    chosen = 0
    for seed in range(6):
        for state, _ in positions("ninecard", seed, 2):
            cards = {move.partition(" ")[2] for move in state.legal_moves() if move.startswith("discard ")}
            if len({card_of(card) for card in state.side.hand if getattr(card, "name", None) in cards}) > 1:
                chosen += 1
                assert (
                    SearchTree(CoreSearch(core, world(state.view(state.to_move)), is_compiled=False), Dice(1)).only
                    is None
                )
    assert chosen > 0


@pytest.mark.slow
def test_moves_with_interchangeable_cards_have_equal_values():
    equal_moves = 0
    for seed in range(games(1, parts=7)):
        for state, _ in islice(positions("ninecard", seed, 2), seed % 5, None, 5):
            if not state.legal_moves():
                continue
            view = state.view(state.to_move)
            values = {one.move: one.value for one in think(view, Dice(seed), rounds=8).moves}
            assert sorted(values) == sorted(state.legal_moves())
            numbers = world(view).numbers
            for one, other in combinations(numbers, 2):
                if numbers[one] == numbers[other]:
                    assert values[one] == values[other]
                    equal_moves += 1
    assert equal_moves > 3
