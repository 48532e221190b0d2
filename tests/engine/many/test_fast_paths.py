"""Tests that kernels, solvers and searches play the same games as the readable rules, or decline an option.

The games and options come from the registry, so that new ones are compared, too.
"""

import random

import pytest
from helpers.differential import games
from helpers.made_up import CARDS, variants_of
from test_kernels import assert_games_are, readable

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.insight.deck_rating import count_by_readable_rules, count_games
from ccgrid.engine.many.kernels import core_kernel, find_kernel
from ccgrid.engine.many.simulation import Lineup
from ccgrid.engine.options import unknown_options
from ccgrid.engine.rows.saved_code import can_compile
from ccgrid.engine.search import find_solver, move_values, think
from ccgrid.engine.search.core_search import searched_core

VARIANTS = [(game, options) for game in GAMES.names for options in variants_of(game)]

every_variant = pytest.mark.parametrize(("game", "options"), VARIANTS, ids=str)


def lineup(game, players, options, seed=1):
    """Return a lineup of random and greedy players with random decks."""
    game_rules = find_game(game)
    decks = (
        game_rules.decks.random_decks(CARDS, game_rules.decks_needed(players), {})
        if game_rules.decks
        else FixedDecks(())
    )
    policies = (("random", "greedy") * players)[:players]
    return Lineup(game, policies, FixedDecks(tuple(map(tuple, decks(Dice(seed))))), seed, options)


def start_of(game, options, seed, players=2):
    compared_lineup = lineup(game, players, options, seed)
    return (
        find_game(game)
        .deal(compared_lineup.players, compared_lineup.decks(Dice(seed)), Dice(seed), options=options)
        .start()
    )


@pytest.mark.slow
@every_variant
def test_kernels_equal_readable_rules_or_decline_options(game, options):
    rules = find_game(game)
    for players in rules.player_counts:
        compared_lineup = lineup(game, players, options)
        if rules.core is None or unknown_options(rules.variant(options), rules.core.OPTIONS):
            assert find_kernel(compared_lineup) is None
            continue
        numbers = range(1, 1 + games(2))
        records = readable(compared_lineup, numbers)
        for is_compiled in (False, True) if can_compile() else (False,):
            assert_games_are(records, core_kernel(rules.core, is_compiled=is_compiled), compared_lineup, numbers)


@every_variant
def test_declined_option_is_reported(game, options):
    rules, messages = find_game(game), []
    unknown = unknown_options(rules.variant(options), rules.core.OPTIONS) if rules.core else []
    find_kernel(lineup(game, 2, options), 10**6, tell=messages.append)
    assert [line for line in messages if "readable rules" in line] == (
        [f"{sentence_start(unknown)} by the slower, readable rules."] if unknown else []
    )


def sentence_start(unknown):
    """Return the start of the notice that unknown options are played by the readable rules."""
    quoted = " and ".join(f'"{name}"' for name in unknown)
    return f"{quoted} is played" if len(unknown) == 1 else f"{quoted} are played"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), [each for each in VARIANTS if each[0] in GAMES.having("rating")], ids=str)
def test_deck_rating_kernels_equal_readable_rules(game, options):
    compared_lineup = lineup(game, 2, options)
    assert count_games(compared_lineup, range(1, 6)) == count_by_readable_rules(compared_lineup, range(1, 6))


# Solving


def lead(state):
    return 2 * state.scores()[state.to_move] - sum(state.scores())


def value(state):
    """Return the value of a two-player position for the player to move, by playing out every game."""
    return max(values(state).values(), default=lead(state))


def values(state):
    following = {move: state.play_unchecked(move) for move in state.legal_moves()}
    return {
        move: value(position) if position.to_move == state.to_move else -value(position)
        for move, position in following.items()
    }


def count_following(state, most):
    """Return the number of positions that may follow, or a number above `most`."""
    count = 0
    for move in state.legal_moves():
        if count > most:
            break
        count += 1 + count_following(state.play_unchecked(move), most - count)
    return count


def near_the_end(game, options, seed, most=150):
    """Return the first position of a random game that at most `most` positions follow."""
    state, rng = start_of(game, options, seed), random.Random(seed)
    while count_following(state, most) > most:
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


@pytest.mark.parametrize(("game", "options"), [each for each in VARIANTS if each[0] in GAMES.having("solver")], ids=str)
def test_solved_value_equals_exhaustive_play(game, options):
    own, compared = find_game(game).part("solver"), 0
    for seed in range(1, 5):
        state, messages = near_the_end(game, options, seed), []
        if not state.legal_moves():
            continue
        unknown = unknown_options(find_game(game).variant(options), own.options)
        if not unknown and own.refusal(state):
            continue
        solver = find_solver(state, messages.append)
        assert (solver is own) is not bool(unknown)
        assert messages == ([f"{sentence_start(unknown)} by the slower, readable rules."] if unknown else [])
        assert move_values(state, solver.searcher(state)) == values(state)
        compared += 1
    assert compared


# Thinking


@every_variant
def test_fast_searches_support_options_or_decline(game, options):
    rules = find_game(game)
    variant = rules.variant(options)
    state = start_of(game, options, 1)
    assert set(state.variant) <= set(variant), "what is over when the game begins need not be known to a position"
    assert {name: variant[name] for name in state.variant} == state.variant
    assert (searched_core(game, state.variant) is None) is (
        rules.core is None or bool(unknown_options(state.variant, rules.core.OPTIONS))
    )
    thought = think(state, Dice(1), rounds=4)
    assert {each.move for each in thought.moves} <= set(state.legal_moves())
