"""Creatures, sides, positions and decks of the ninecard game for its tests."""

import random

from helpers.made_up import random_battle_deck

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.ninecard.cards import Creature, Energy
from ccgrid.engine.games.ninecard.combat import BOARD, Side
from ccgrid.engine.games.ninecard.options import Options
from ccgrid.engine.games.ninecard.rules import NinecardState
from ccgrid.engine.notation import play

NINECARD = find_game("ninecard")
NAMES = ("Ann", "Bob", "Cid", "Dan")
SPARK = Energy("Spark")
DRAKE = Creature("Amber Drake", 3, 2)
SCOUT = Creature("Brass Scout", 1, 1)
WALL = Creature("Gate", 0, 6)
GHOST = Creature("Ghost", 0, 0)
FULL_HAND = (SPARK,) * 5


def creature(fight):
    return fight if isinstance(fight, Creature) else Creature(f"{fight[0]}/{fight[1]}", *fight)


def side(hand=FULL_HAND, energy=0, life=50, deck=(), **cells):
    """Return a player's side. Each cell has an `(attack, defense)` pair or a creature."""
    grid = tuple(creature(cells[cell]) if cell in cells else None for cell in BOARD.cells)
    return Side(life, tuple(deck), tuple(hand), energy=(SPARK,) * energy, grid=grid)


def table(*sides, turn=1, to_move=0, **options):
    sides = sides if len(sides) > 1 else (*sides, side((GHOST,)))  # a ghost costs nothing, so Bob is not eliminated
    return NinecardState(NAMES[: len(sides)], Options(**options), sides, to_move, turn)


def after_moves(state, *moves):
    for move in moves:
        state = play(state, move)
    return state


def cells_of(side):
    return {cell: f"{c.attack}/{c.defense}" for cell, c in zip(BOARD.cells, side.grid, strict=True) if c is not None}


def after_assault(ann, bob, *attacks):
    """Return the position after attacks by Ann on Bob, before she ends the assault."""
    return after_moves(table(ann, bob), "assault Bob", *(f"attack {cell}" for cell in attacks))


def deal(seed=1, players=2, size=12, **more):
    rng = random.Random(seed)
    return NINECARD.deal(NAMES[:players], [random_battle_deck(rng, size) for _ in range(players)], Dice(seed), **more)


def document(ann, bob=({"name": "Spark"},), moves=(), **setup):
    return {
        "game": "ninecard",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": list(moves),
        "setup": {"decks": {"Ann": list(ann), "Bob": list(bob)}, **setup},
    }


def catalogue(seed=1):
    rng = random.Random(seed)
    cards = [
        Card(id=f"dusk:{n}", game="dusk", name=f"Beast {n}", zones={}, score=0, attack=a, defense=d)
        for n in range(150)
        for a, d in [(rng.choice((0, 1, 1, 2, 2, 3, 4, 6)), rng.choice((1, 1, 2, 2, 3, 4, 6)))]
    ]
    return [*cards, *(Card(id=f"dusk:e{n}", game="dusk", name=f"Spark {n}", zones={}, score=0) for n in range(40))]
