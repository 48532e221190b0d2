"""Cards, positions and random games of the tactics game for its tests."""

import random

from helpers.made_up import random_side_deck
from helpers.random_records import random_moves

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.four_sides import sided_card
from ccgrid.engine.games.tactics.game import TacticsGame
from ccgrid.engine.games.tactics.rules import EMPTY, TABLES, TacticsSetup, TacticsState
from ccgrid.engine.records.record import Record

TACTICS = TacticsGame()
NAMES = ("Ann", "Bob", "Cid", "Dan")
SIDES = ("top", "right", "bottom", "left")
SEATS = {2: ("south", "north"), 4: ("south", "west", "north", "east")}
NEIGHBOUR_OF_B2 = {"up": "b1", "right": "c2", "down": "b3", "left": "a2"}

# The directions of a card's sides on the table, by the seat of its owner.
FACES = {
    "south": {"top": "up", "right": "right", "bottom": "down", "left": "left"},
    "north": {"top": "down", "right": "left", "bottom": "up", "left": "right"},
    "west": {"top": "right", "right": "down", "bottom": "left", "left": "up"},
    "east": {"top": "left", "right": "up", "bottom": "right", "left": "down"},
}


def card(name="Sentry", top=5, right=5, bottom=5, left=5):
    return sided_card(name, top, right, bottom, left)


def position(players=2, to_move=0, hands=None, decks=None, **cells):
    """Return a position. Each cell has a (seat, card) pair; hands and remaining decks are by seat."""
    hands, decks_left = hands or {}, decks or {}
    table = TABLES[players]
    grid, hand_numbers, drawn, owned, offset = [EMPTY] * len(table.board.cells), [], [], [], 0
    for seat in range(players):
        on_board = [(cell, placed) for cell, (owner, placed) in cells.items() if owner == seat]
        in_hand = hands.get(seat, [])
        for number, (cell, _) in enumerate(on_board):
            grid[table.places[cell]] = offset + number
        hand_numbers.append(tuple(range(offset + len(on_board), offset + len(on_board) + len(in_hand))))
        drawn.append(len(on_board) + len(in_hand))
        owned.append((*[placed for _, placed in on_board], *in_hand, *decks_left.get(seat, [])))
        offset += len(owned[-1])
    setup = TacticsSetup(NAMES[:players], 0, tuple(owned))
    return TacticsState(setup, tuple(grid), tuple(hand_numbers), tuple(drawn), to_move, ((),) * players)


def deal(decks=None, players=2, seed=1, **more):
    rng = random.Random(seed)
    return TACTICS.deal(NAMES[:players], decks or [random_side_deck(rng) for _ in range(players)], Dice(seed), **more)


def random_game(seed, players=2, size=18):
    """Return the record and the final state of a random game."""
    rng = random.Random(seed)
    setup = deal([random_side_deck(rng, size) for _ in range(players)], players, seed)
    moves, state = random_moves(setup, rng)
    return Record(setup, moves, result=state.scores()), state


def names(cards):
    return [each.name if each else None for each in cards]
