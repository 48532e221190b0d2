"""Positions of every game, and the cards that lie in them."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from made_up import deck_for, options_for

from catalog.card import Card
from engine.dice import Dice
from engine.game import State
from engine.games import GAMES, find_game
from engine.games.four_sides.cards import sided_card
from engine.notation import play

NAMES = ("Ann", "Bartholomew the Elder of the Long Name", "Cid", "宝石の指輪")
every_game = pytest.mark.parametrize("game", [game.name for game in GAMES])


def positions(game: str, seed: int, players: int | None = None) -> Iterator[tuple[State, str | None]]:
    """Every position of a random game, with the move that led to it; of so many players or as many as may play."""
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
