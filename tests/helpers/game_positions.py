"""Positions of every game, and their cards."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.card import Card
from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.four_sides import sided_card
from ccgrid.engine.games.grid.options import USUAL
from ccgrid.engine.notation import play
from ccgrid.engine.records.record import read_document
from helpers import naive_grid, naive_search
from helpers.made_up import deck_for, options_for, sparse_deal

TESTS = Path(__file__).parents[1]
NAMES = ("Ann", "Bartholomew the Elder of the Long Name", "Cid", "宝石の指輪")
every_game = pytest.mark.parametrize("game", [game.name for game in GAMES])

CORES = [game.name for game in GAMES if game.core is not None]
"""The games that have a core."""


def positions(game: str, seed: int, players: int | None = None) -> Iterator[tuple[State, str | None]]:
    """Yield every position of a random game, with the move that led to it.

    Args:
        players: The number of players, reduced to the maximum of the game; random if it is None.
    """
    rng = random.Random(seed)
    rules = find_game(game)
    count = min(players, rules.player_counts[-1]) if players else rng.choice(rules.player_counts)
    decks = [deck_for(game, rng) for _ in range(rules.decks_needed(count))]
    state: State = rules.deal(NAMES[:count], decks, Dice(seed), options=options_for(game, rng)).start()
    last = None
    yield state, last
    while moves := state.legal_moves():
        last = rng.choice(moves)
        state = play(state, last)
        yield state, last


def named(cards: list[Card], owner: str) -> list[Card]:
    return [replace(card, name=f"{owner}{number}x") for number, card in enumerate(cards)]


def tactics(first: int = 0) -> Any:
    decks = [
        [sided_card("Spear", 1, 2, 3, 4), sided_card("Shield", 5, 5, 5, 5), sided_card("Bow", 0, 0, 0, 0)],
        [sided_card("Lamp", 6, 7, 8, 9), sided_card("Drum", 5, 5, 5, 5), sided_card("Flag", 0, 0, 0, 0)],
    ]
    rules = find_game("tactics")
    return rules.deal(["Ann", "Bob"], decks, Dice(1), first=first).start()


def near_the_end(rng, most=400, options=USUAL):
    """Return a random position of grid, as the engine's state and naively, with at most `most` positions after it."""
    while True:
        setup = replace(sparse_deal(rng), options=options)
        state, plain = setup.start(), naive_grid.start_of(setup)
        while legal := state.legal_moves():
            if state.turned_up >= 17 and naive_search.size(naive_grid, plain, most) <= most:
                return state, plain
            move = rng.choice(legal)
            state, plain = state.play_unchecked(move), naive_grid.play(plain, move)


def file_of_game(folder: str, game: str, ending: str) -> Path:
    """Return a file that the tests of all games compare a game with; skip the test if a plug-in has none."""
    for tests in (TESTS, TESTS / "fifth_game"):
        if (path := tests / folder / f"{game}{ending}").exists() or game in GAMES.bundled:
            return path
    pytest.skip(f"there is no tests/{folder}/{game}{ending} to compare with")


def perft_table(game):
    """Yield the positions in tests/perft/GAME.txt: a line `name: counts`, then a line with the record."""
    text = file_of_game("perft", game.name, ".txt").read_text(encoding="utf-8")
    for name, counts, line in re.findall(r"^([^#\n:]+): ([\d ]+)\n(\{.*\})$", text, re.MULTILINE):
        yield name, [int(count) for count in counts.split()], read_document(json.loads(line)).require()


def core_of(name):
    return import_module(f"ccgrid.engine.games.{name}.core")
