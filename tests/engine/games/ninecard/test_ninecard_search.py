"""Ninecard on a row of numbers: every move does what it does by the rules, and searches know what a seat knows."""

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


def full(state):
    """A full position as a core has it: the world of the seat that is to move, with all cards where they are."""
    made = world(state.view(state.to_move))
    if made is None:
        return None
    s = made.start[:]
    for seat, side in enumerate(state.sides):
        at, deck = side_of(seat), row.DECKS + seat * made.table.longest
        hand = sorted(map(card_of, side.hand))
        s[at + row.HAND_COUNT] = len(hand)
        s[at + row.HAND : at + row.HAND + len(hand)] = hand
        cards = list(map(card_of, side.deck[: made.table.longest]))
        s[deck : deck + len(cards)] = cards
    return made, s


def side_of(seat):
    return row.SIDES + row.SIDE * seat


def as_seen(made, s):
    """Return the relevant part of a row, without the storage of decks and the unused ends of hands."""
    sides = []
    for seat in range(made.table.seats):
        side = s[side_of(seat) : side_of(seat + 1)]
        sides.append((side[: row.HAND_COUNT + 1], side[row.COLUMNS : row.HAND + side[row.HAND_COUNT]]))
    return s[: row.SIDES], sides


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_moves_on_rows_equal_the_rules(players):
    compared = 0
    for seed in range(games(6, parts=4)):
        for (state, _), (after, move) in pairwise(positions("ninecard", seed, players)):
            before, expected = full(state), full(after)
            if before is None or expected is None:
                continue
            made, s = before
            core.play(made.table, s, number_of(state, move))
            assert as_seen(made, s) == as_seen(*expected)
            assert (s[row.PLAYERS] == 1 or s[row.TURN] > made.table.limit) == after.is_over()
            compared += 1
    assert compared > 50


@pytest.mark.parametrize("players", [2, 3])
def test_legal_moves_equal_the_rules_and_some_are_considered(players):
    moves, priorities = [0] * core.MOST_MOVES, [0] * core.MOST_MOVES
    for seed in range(6):
        for state, _ in positions("ninecard", seed, players):
            if not state.legal_moves():
                continue
            made, s = full(state)
            assert set(moves[: core.legal(made.table, s, moves)]) == set(made.numbers.values())
            count = bound(search_moves, core)(made.table, s, moves, priorities)
            assert set(moves[:count]) <= set(made.numbers.values())
            assert count > 0
            assert priorities[:count] == sorted(priorities[:count], reverse=True)


def test_worlds_do_not_use_hidden_cards_of_others():
    rng = random.Random(3)
    for seed in range(8):
        state = rng.choice([state for state, _ in positions("ninecard", seed, 2) if state.legal_moves()])
        seat = state.to_move
        made = world(state.view(seat))
        s, at = made.start[:], side_of(seat)
        core.deal_unseen(made.table, s, made.hidden, dice_row(7))
        left = list(map(card_of, state.sides[seat].deck))
        first, size, _ = made.hidden.parts[3 * seat : 3 * seat + 3]
        assert not left or sorted(made.hidden.cards[first : first + size]) == sorted(left)
        drawn = s[row.DECKS + seat * made.table.longest :][: s[at + row.SIZE]]
        assert set(drawn) <= set(left)
        hand = s[at + row.HAND : at + row.HAND + s[at + row.HAND_COUNT]]
        assert hand == sorted(map(card_of, state.side.hand))
        other = side_of(1 - seat)
        assert s[other + row.HAND_COUNT] == len(state.sides[1 - seat].hand)
        assert made.start[other + row.HAND : other + row.SIDE] == [0] * row.MAX_HELD


@pytest.mark.parametrize("players", [2, 3])
def test_playouts_follow_the_heuristic(players):
    moves, priorities = [0] * core.MOST_MOVES, [0] * core.MOST_MOVES
    for seed in range(games(3, parts=8)):
        for state, _ in positions("ninecard", seed, players):
            if not state.legal_moves():
                continue
            made, s = full(state)
            looks = {move: heuristic(state, move) for move in state.legal_moves()}
            best = {number_of(state, move) for move, value in looks.items() if value == max(looks.values())}
            assert set(moves[: core.best(made.table, s, moves, priorities)]) == best


def test_energy_is_laid_without_a_search():
    for seed in range(6):
        for state, _ in positions("ninecard", seed, 2):
            moves = state.legal_moves()
            if energy := [move for move in moves if move.startswith("energy ")]:
                tree = SearchTree(CoreSearch(core, world(state.view(state.to_move)), is_compiled=False), Dice(1))
                assert tree.only in energy


def test_several_moves_need_a_search():
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
