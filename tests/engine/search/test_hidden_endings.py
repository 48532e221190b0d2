"""Endings of ninecard and tactics in which something is hidden: what the rules in plain words make of every move."""

import os
import random
from itertools import combinations

from helpers import naive_ninecard, naive_tactics
from helpers.made_up import deck_for

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.search import think

POSITIONS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "100")) // 20
"""So many positions of each game are compared."""


def last_assault(rng):
    """A position in the last assault of a game of ninecard, with a choice, by the engine and by the plain rules."""
    game = find_game("ninecard")
    while True:
        decks = [deck_for("ninecard", rng) for _ in range(2)]
        options = {"limit": 8, "life": 9}
        setup = game.deal(["Ann", "Bob"], decks, Dice(rng.randrange(1 << 30)), options=options)
        state, plain = setup.start(), naive_ninecard.start_of(setup)
        while moves := state.legal_moves():
            if state.turn == 8 and state.target is not None and len(moves) > 1:
                return state, plain
            liked = [move for move in moves if move.startswith(("energy", "play", "attack"))]
            move = rng.choice(liked or list(moves))
            state, plain = state.play_unchecked(move), naive_ninecard.play(plain, move)


def best_of_turn(plain, seat):
    """The lead of a seat after the best order of attacks that is left."""
    moves = naive_ninecard.legal(plain)
    if not moves or plain["who"] != seat:
        scores = naive_ninecard.scores(plain)
        return scores[seat] - scores[1 - seat]
    return max(best_of_turn(naive_ninecard.play(plain, move), seat) for move in moves)


def test_in_the_last_assault_of_ninecard_values_are_those_of_the_best_order_of_attacks():
    rng, inside, values, regret = random.Random(3), 0, 0, 0.0
    for number in range(POSITIONS):
        state, plain = last_assault(rng)
        expected = {
            move: best_of_turn(naive_ninecard.play(plain, move), state.to_move) for move in naive_ninecard.legal(plain)
        }
        thought = think(state.view(state.to_move), Dice(number), rounds=500)
        inside += sum(abs(one.value - expected[one.move]) <= 2 * (one.error or 0.0) for one in thought.moves)
        values += len(thought.moves)
        regret += max(expected.values()) - expected[thought.best.move]
    assert inside >= 0.95 * values
    assert regret / POSITIONS <= 0.05


def short_ending(rng):
    """A position of tactics that two moves end whatever cards the other holds; what all moves are worth on average."""
    game, factions = find_game("tactics"), [faction.cards for faction in FACTIONS.bundled()]
    while True:
        decks = rng.sample(factions, 2)
        setup = game.deal(["Ann", "Bob"], decks, Dice(rng.randrange(1 << 30)))
        state, plain = setup.start(), naive_tactics.start_of(setup)
        while moves := state.legal_moves():
            if len(plain["board"]) in (7, 8) and (worth := worth_of_moves(plain)):
                return state, worth
            move = rng.choice(moves)
            state, plain = state.play_unchecked(move), naive_tactics.play(plain, move)


def worth_of_moves(plain):
    """On average over all hands that the other may hold; None where more than two moves may follow."""
    seat, other = plain["turn"], 1 - plain["turn"]
    size, cards = len(plain["hands"][other]), plain["hands"][other] + plain["decks"][other]
    hands, worth = list(combinations(cards, size)), {}
    for move in naive_tactics.legal(plain):
        leads = []
        for hand in hands:
            left = [card for card in cards if card not in hand]
            world = {**plain, "hands": [*plain["hands"]], "decks": [*plain["decks"]]}
            world["hands"][other], world["decks"][other] = list(hand), left
            after = naive_tactics.play(world, move)
            ends = [after]
            if len(after["board"]) < 9:
                if after["turn"] != other:
                    return None
                ends = [naive_tactics.play(after, answer) for answer in naive_tactics.legal(after)]
            if any(len(end["board"]) < 9 for end in ends):
                return None
            points = [naive_tactics.points(end) for end in ends]
            leads.append(min(own[seat] - own[other] for own in points))
        worth[move] = sum(leads) / len(leads)
    return worth


def test_in_short_endings_of_tactics_values_are_averages_over_the_hands_the_other_may_hold():
    rng, inside, values, regret = random.Random(4), 0, 0, 0.0
    for number in range(POSITIONS):
        state, expected = short_ending(rng)
        thought = think(state.view(state.to_move), Dice(number), rounds=500)
        inside += sum(abs(one.value - expected[one.move]) <= 2 * (one.error or 0.0) + 1e-9 for one in thought.moves)
        values += len(thought.moves)
        regret += max(expected.values()) - expected[thought.best.move]
    assert inside >= 0.95 * values
    assert regret / POSITIONS <= 0.05
