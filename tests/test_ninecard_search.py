"""Ninecard searched in rows of numbers: the rules as they are, and compiled what it is in plain Python."""

import random
from itertools import pairwise

import pytest
from game_positions import positions

from engine.dice import Dice
from engine.games.ninecard.cards import Creature, Energy
from engine.games.ninecard.rows import rules, search
from engine.games.ninecard.rows.position import number_of, numbers, position
from engine.games.ninecard.tree import NinecardTree
from engine.search.state_world import StateWorld


def rows(state):
    """A full position as a row, with the cards that are drawn next."""
    row = position(state)
    decks = [0] * rules.DEPTH * len(state.sides)
    for seat, side in enumerate(state.sides):
        for place, card in enumerate(side.deck[: rules.DEPTH]):
            decks[rules.DEPTH * seat + place] = number_of(card)
    return row, decks


def as_seen(row):
    """The row without the order in which cards are held, without how many were drawn, and without gaps under assault.

    Creatures that are assaulted move up when the assault is over; that they do so at once on a row changes nothing.
    """
    row = row[:]
    if row[rules.TARGET] >= 0:
        cells = rules.side_of(row[rules.TARGET]) + rules.CELLS
        for column in range(3):
            rules.put_column(row, cells + column, rules.column_of(row, cells + column))
    for seat in range(row[rules.SEATS]):
        at = rules.side_of(seat)
        held = row[at + rules.HELD]
        hand = sorted(row[at + rules.HAND : at + rules.HAND + held])
        row[at + rules.HAND : at + rules.SIDE] = hand + [0] * (rules.MOST_HELD - held)
        row[at + rules.NEXT] = 0
    return row


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_move_does_on_a_row_what_it_does_by_the_rules(players):
    compared = 0
    for seed in range(24):
        for (state, _), (after, move) in pairwise(positions("ninecard", seed, players)):
            if any(len(side.hand) > rules.MOST_HELD - 2 for side in state.sides):
                continue
            row, decks = rows(state)
            number = next(key for key, name in numbers(state, [move]).items() if name == move)
            rules.play(row, decks, number)
            assert as_seen(row) == as_seen(position(after))
            assert rules.is_over(row) == after.is_over()
            compared += 1
    assert compared > 200


@pytest.mark.parametrize("players", [2, 3])
def test_moves_worth_looking_at_are_legal_and_there_is_always_one(players):
    room, moves, promises = [0] * search.ALL_ROOM, [0] * search.MOST_MOVES, [0] * search.MOST_MOVES
    for seed in range(6):
        for state, _ in positions("ninecard", seed, players):
            row, _ = rows(state)
            count = search.legal(row, room, moves, promises)
            assert set(moves[:count]) <= set(numbers(state, state.legal_moves()))
            assert (count > 0) == bool(state.legal_moves())


def test_worlds_have_the_own_deck_and_of_the_others_nothing_that_is_hidden():
    rng = random.Random(3)
    for seed in range(4):
        state = rng.choice([state for state, _ in positions("ninecard", seed, 2) if state.legal_moves()])
        seat = state.to_move
        tree = NinecardTree(state.view(seat), Dice(1))
        start, row, decks, pool, pools, hidden, dice, _ = tree.rows
        dice[0] = 7
        search.begin(row, start, decks, pools, hidden, dice)
        left = list(map(number_of, state.sides[seat].deck))
        drawn = decks[rules.DEPTH * seat : rules.DEPTH * seat + min(len(left), rules.DEPTH)]
        assert sorted(pool[hidden[3 * seat] :][: hidden[3 * seat + 1]]) == sorted(left)
        assert sorted(set(drawn)) == sorted(set(drawn) & set(left))
        at = rules.side_of(seat)
        held = row[at + rules.HAND : at + rules.HAND + row[at + rules.HELD]]
        assert held == list(map(number_of, state.side.hand))


def test_a_turn_played_on_is_as_the_heuristic_plays_it():
    """Greedy turns of the readable rules and on a row come to the same where no two moves look equally good."""
    same = 0
    for seed in range(12):
        for state, _ in positions("ninecard", seed, 2):
            if not state.legal_moves() or state.target is not None or state.discarding:
                continue
            row, decks = rows(state)
            search.turns.play_turn(row, decks, [seed, seed], [0] * search.ALL_ROOM)
            world = StateWorld(state)
            world.begin(Dice(1))
            world._state = state
            while world._state.turn == state.turn and world.legal():
                world.play(world.legal()[0])
            same += as_seen(row) == as_seen(position(world._state))
            break
    assert same >= 4


def test_compiled_it_finds_what_it_finds_in_plain_python():
    compiled = pytest.importorskip("engine.games.ninecard.compiled.search")
    rng = random.Random(5)
    for players in (2, 3, 4):
        for seed in range(4):
            state = rng.choice([state for state, _ in positions("ninecard", seed, players) if state.legal_moves()])
            view = state.view(state.to_move)
            plain, quick = NinecardTree(view, Dice(seed)), NinecardTree(view, Dice(seed), compiled)
            for rounds in (3, 20):
                plain.grow(rounds)
                quick.grow(rounds)
            assert plain.tried() == quick.tried()
            assert [plain.lead(plain.moves[-1], number) for number in range(3)] == [
                quick.lead(quick.moves[-1], number) for number in range(3)
            ]


def test_all_energy_is_laid_without_thinking():
    assert list(map(number_of, (Energy("Rune"), Creature("Drake", 2, 2)))) == [0, rules.CREATURE + 34]
    for seed in range(6):
        for state, _ in positions("ninecard", seed, 2):
            moves = state.legal_moves()
            energy = [move for move in moves if move.startswith("energy ")]
            tree = NinecardTree(state.view(state.to_move), Dice(1)) if moves else None
            assert tree is None or (tree.only in energy if energy else tree.only is None)
