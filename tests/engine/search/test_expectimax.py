"""Tests that searches of positions with few hidden cards return the averages over all possible arrangements."""

import os
import random
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations

import pytest
from helpers import naive_expectimax, naive_grid, naive_ninecard, naive_tactics
from helpers.everyday import sampled, slow_except
from helpers.made_up import card, deck_for, random_deck, sparse_deal

from ccgrid.catalog.zones import ZONES
from ccgrid.engine.cards import label
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid import core
from ccgrid.engine.games.grid.options import ORDERS, USUAL, Options
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.rows.binding import outside
from ccgrid.engine.search import Clock, averages, best_move, find_solver, move_values, think
from ccgrid.engine.search.averages import CoreExpectimax
from ccgrid.engine.search.core_search import CoreSearch, find_core_search
from ccgrid.engine.search.proving import OutOfTimeError
from ccgrid.engine.search.thinking import estimate_moves
from ccgrid.engine.search.tree import SearchTree

POSITIONS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "12")) // 4
"""The number of random positions that are compared with the averages over all orders of the pile."""

SLOWEST = pytest.param("1-2-2", "clockwise", marks=pytest.mark.slow)

plain_and_compiled = pytest.mark.parametrize(
    "is_compiled",
    [False, pytest.param(True, marks=pytest.mark.skipif(find_spec("numba") is None, reason="nothing compiles"))],
)


def hidden_pile(rng, options=USUAL, most=2, *, lively=False):
    """Return a random position with at most `most` cards in the pile, and its naive form."""
    while True:
        deal = sparse_deal(rng)
        cards = label(random_deck(rng)) if lively else deal.cards
        setup = GridSetup(deal.players, deal.first, cards, options=options)
        state, plain = setup.start(), naive_grid.start_of(setup)
        while moves := state.legal_moves():
            if state.pile <= most and len(moves) > 1:
                return state, plain
            move = rng.choice(moves)
            state, plain = state.play_unchecked(move), naive_grid.play(plain, move)


def expectimax_of(state, *, is_compiled):
    view = state.view(state.to_move)
    return CoreExpectimax(view, CoreSearch(core, outside(core.world, core, is_compiled=is_compiled)(view), is_compiled))


@plain_and_compiled
@pytest.mark.parametrize(("order", "turn"), [*((order, "none") for order in ORDERS), SLOWEST])
@pytest.mark.parametrize("empty_pile", sampled([False, True], True))
def test_expectimax_equals_enumeration_of_pile_orders(order, empty_pile, turn, is_compiled):
    rng = random.Random(21)
    for number in range(POSITIONS):
        options = Options(rng.randrange(9), order, empty_pile, turn)
        # With turned cards, the orders of three cards take seconds: test them only with many positions.
        is_large = number % 5 == (4 if turn == "clockwise" else 0)
        state, plain = hidden_pile(rng, options, most=3 if is_large else 2)
        expected = naive_expectimax.values_of_moves(plain)
        search = expectimax_of(state, is_compiled=is_compiled)
        assert search.values(Clock()) == pytest.approx(expected, abs=1e-9)
        best = max(expected.values())
        found = expectimax_of(state, is_compiled=is_compiled).values(Clock(), all_moves=False)
        assert max(found.values()) == pytest.approx(best, abs=1e-9)
        assert all(value == pytest.approx(expected[move], abs=1e-9) for move, value in found.items())


def test_advice_and_strong_player_are_exact_with_few_hidden_cards():
    rng = random.Random(22)
    for _ in range(POSITIONS // 2):
        state, plain = hidden_pile(rng)
        expected = naive_expectimax.values_of_moves(plain)
        thought = think(state, Dice(1), rounds=2000)
        assert thought.is_exact
        assert {estimate.move: estimate.value for estimate in thought.moves} == pytest.approx(expected, abs=1e-9)
        assert best_move(state, Dice(2), rounds=2000) == thought.best.move


@plain_and_compiled
def test_averages_are_independent_of_clock_checks(is_compiled, monkeypatch):
    state, _ = hidden_pile(random.Random(23), lively=True)
    expected = expectimax_of(state, is_compiled=is_compiled).values(Clock())
    monkeypatch.setattr(averages, "NODES_PER_CLOCK_CHECK", 7)
    monkeypatch.setattr(averages, "NODES_PER_CALL", 7)
    search = expectimax_of(state, is_compiled=is_compiled)
    assert search.values(Clock.of(3600.0)) == expected
    with pytest.raises(OutOfTimeError):
        expectimax_of(state, is_compiled=is_compiled).values(Clock.of(0.0))
    with pytest.raises(OutOfTimeError, match="too many"):
        expectimax_of(state, is_compiled=is_compiled).values(Clock(), most=search.nodes // 2)


def five_rounds_left(rng):
    """Return a random position of two-player matrix with five rounds left."""
    state = find_game("matrix").deal(("Ann", "Bob"), [], Dice(rng.getrandbits(32))).start()
    while max(map(len, state.hands)) > 5:
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


@pytest.mark.slow
@pytest.mark.parametrize("game", ["grid", "matrix"])
def test_estimates_are_within_two_errors_of_exact_values(game):
    pytest.importorskip("numba")
    rng, inside, values = random.Random(24), Counter(), 0
    for number in range(5 * POSITIONS):
        if game == "grid":
            state, _ = hidden_pile(rng, most=4, lively=number % 2 == 0)
            expected = expectimax_of(state, is_compiled=True).values(Clock())
        else:
            state = five_rounds_left(rng)
            expected = move_values(state, find_solver(state).searcher(state))
        values += len(expected)
        view = state.view(state.to_move)
        for rounds in (100, 1_000, 10_000):
            thought = estimate_moves(view, SearchTree(find_core_search(view, rounds, Clock()), Dice(number)), rounds)
            inside[rounds] += sum(
                abs(estimate.value - expected[estimate.move]) <= 2 * estimate.stderr for estimate in thought.moves
            )
    assert all(count >= 0.95 * values for count in inside.values()), (inside, values)


# --- Endings of ninecard and tactics with hidden cards --------------------------------------------------------------


POSITIONS_OF_ENDINGS = int(os.environ.get("CCGRID_SOLVED_POSITIONS", "100")) // 20
"""The number of positions of each game."""


def last_assault(rng):
    """Return a position in the last assault of a game of ninecard, with a choice, and its naive form."""
    game = find_game("ninecard")
    while True:
        decks = [deck_for("ninecard", rng) for _ in range(2)]
        options = {"limit": 8, "life": 9}
        setup = game.deal(["Ann", "Bob"], decks, Dice(rng.randrange(1 << 30)), options=options)
        state, plain = setup.start(), naive_ninecard.start_of(setup)
        while moves := state.legal_moves():
            if state.turn == 8 and state.target is not None and len(moves) > 1:
                return state, plain
            preferred = [move for move in moves if move.startswith(("energy", "play", "attack"))]
            move = rng.choice(preferred or list(moves))
            state, plain = state.play_unchecked(move), naive_ninecard.play(plain, move)


def best_of_turn(plain, seat):
    """Return the lead of a seat after the best order of the remaining attacks."""
    moves = naive_ninecard.legal(plain)
    if not moves or plain["who"] != seat:
        scores = naive_ninecard.scores(plain)
        return scores[seat] - scores[1 - seat]
    return max(best_of_turn(naive_ninecard.play(plain, move), seat) for move in moves)


def test_last_ninecard_assault_has_value_of_best_attack_order():
    rng, inside, values, regret = random.Random(3), 0, 0, 0.0
    for number in range(POSITIONS_OF_ENDINGS):
        state, plain = last_assault(rng)
        expected = {
            move: best_of_turn(naive_ninecard.play(plain, move), state.to_move) for move in naive_ninecard.legal(plain)
        }
        thought = think(state.view(state.to_move), Dice(number), rounds=500)
        inside += sum(
            abs(estimate.value - expected[estimate.move]) <= 2 * (estimate.stderr or 0.0) for estimate in thought.moves
        )
        values += len(thought.moves)
        regret += max(expected.values()) - expected[thought.best.move]
    assert inside >= 0.95 * values
    assert regret / POSITIONS_OF_ENDINGS <= 0.05


def short_ending(rng):
    """Return a position of tactics that ends within two moves, and the average value of each move."""
    game, factions = find_game("tactics"), [faction.cards for faction in FACTIONS.bundled()]
    while True:
        decks = rng.sample(factions, 2)
        setup = game.deal(["Ann", "Bob"], decks, Dice(rng.randrange(1 << 30)))
        state, plain = setup.start(), naive_tactics.start_of(setup)
        while moves := state.legal_moves():
            if len(plain["board"]) in (7, 8) and (values := average_values(plain)):
                return state, values
            move = rng.choice(moves)
            state, plain = state.play_unchecked(move), naive_tactics.play(plain, move)


def average_values(plain):
    """Return averages over all hands that the opponent may hold, or None if more than two moves may follow."""
    seat, other = plain["turn"], 1 - plain["turn"]
    size, cards = len(plain["hands"][other]), plain["hands"][other] + plain["decks"][other]
    hands, averages = list(combinations(cards, size)), {}
    for move in naive_tactics.legal(plain):
        leads = []
        for hand in hands:
            left = [card for card in cards if card not in hand]
            world = {**plain, "hands": [*plain["hands"]], "decks": [*plain["decks"]]}
            world["hands"][other], world["decks"][other] = list(hand), left
            following = naive_tactics.play(world, move)
            ends = [following]
            if len(following["board"]) < 9:
                if following["turn"] != other:
                    return None
                ends = [naive_tactics.play(following, answer) for answer in naive_tactics.legal(following)]
            if any(len(end["board"]) < 9 for end in ends):
                return None
            points = [naive_tactics.points(end) for end in ends]
            leads.append(min(scores[seat] - scores[other] for scores in points))
        averages[move] = sum(leads) / len(leads)
    return averages


def test_tactics_endings_average_over_possible_hands():
    rng, inside, values, regret = random.Random(4), 0, 0, 0.0
    for number in range(POSITIONS_OF_ENDINGS):
        state, expected = short_ending(rng)
        thought = think(state.view(state.to_move), Dice(number), rounds=500)
        inside += sum(
            abs(estimate.value - expected[estimate.move]) <= 2 * (estimate.stderr or 0.0) + 1e-9
            for estimate in thought.moves
        )
        values += len(thought.moves)
        regret += max(expected.values()) - expected[thought.best.move]
    assert inside >= 0.95 * values
    assert regret / POSITIONS_OF_ENDINGS <= 0.05


# --- Moves that reveal several cards, and the number of searched positions ------------------------------------------


def often_blocked(rng, order, pile, lively=0.45):
    """Return a position in which a move reveals several cards because no capture is possible, and its naive form."""
    while True:
        zones = [rng.sample(ZONES, 2) if rng.random() < lively else [] for _ in range(20)]
        numbers = [{zone.replace("-", "_"): rng.randint(0, 10) for zone in own} for own in zones]
        cards = label([card(f"Card {number}", rng.randint(0, 9), **own) for number, own in enumerate(numbers)])
        setup = GridSetup(("Ann", "Bob"), 0, cards, options=Options(0, order, empty_pile=True))
        turned = 20 - pile
        on_grid = rng.sample(range(turned), 9)
        state = replace(setup.start(), grid=tuple(on_grid), turned_up=turned, to_move=0, taken=((), ()))
        moves = state.legal_moves()
        if len(moves) > 1 and any(state.play_unchecked(move).turned_up > turned + 1 for move in moves):
            plain_cards = [(dict(estimate.zones), estimate.score) for estimate in cards]
            grid = {cell: plain_cards[number] for cell, number in zip(naive_grid.FILL_ORDER, on_grid, strict=True)}
            plain = naive_grid.start(plain_cards, 2, 0, 0, order, empty_pile=True)
            return state, {**plain, "grid": grid, "pile": plain_cards[turned:], "in a row": 1}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pile", slow_except([2, 3, 4], 2))
def test_move_with_several_reveals_averages_their_orders(order, pile):
    rng = random.Random(25)
    for _ in range(8):
        state, plain = often_blocked(rng, order, pile)
        expected = naive_expectimax.values_of_moves(plain)
        assert expectimax_of(state, is_compiled=False).values(Clock()) == pytest.approx(expected, abs=1e-9)
        best = expectimax_of(state, is_compiled=False).values(Clock(), all_moves=False)
        assert max(best.values()) == pytest.approx(max(expected.values()), abs=1e-9)


@pytest.mark.parametrize(("all_moves", "most"), [(True, 10_174), (False, 9_125)])
def test_expectimax_prunes_by_bounds_and_proofs(all_moves, most):
    rng, nodes = random.Random(26), 0
    for number in range(6):
        state, _ = often_blocked(rng, ORDERS[number % 2], 4) if number < 3 else hidden_pile(rng, most=3)
        search = expectimax_of(state, is_compiled=False)
        search.values(Clock(), all_moves=all_moves)
        nodes += search.nodes
    assert nodes <= most


def test_expectimax_reuses_proofs():
    state, _ = hidden_pile(random.Random(27), most=3)
    search = expectimax_of(state, is_compiled=False)
    values, nodes = search.values(Clock()), search.nodes
    assert search.values(Clock()) == values
    assert search.nodes - nodes < nodes / 10
