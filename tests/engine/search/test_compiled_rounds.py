"""Tests that compiled searches grow the same trees as searches in plain Python."""

import random

import pytest
from helpers.differential import games
from helpers.game_positions import positions

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.rows.binding import outside
from ccgrid.engine.rows.rounds import LINKS
from ccgrid.engine.search import Clock
from ccgrid.engine.search.core_search import CoreSearch, find_core_search, searched_core
from ccgrid.engine.search.tree import SearchTree

pytest.importorskip("numba")

SEARCHED_ROUNDS = [game for game in GAMES.names if searched_core(game)]


def counts_of(tree):
    return {move: (node.visits, node.total, node.lead, node.squares, node.seen) for move, node in tree.tried().items()}


def trees(view, seed):
    """Return the search tree in plain Python, and the compiled one."""
    return tuple(tree_on_core(find_game(view.game).core, view, seed, is_compiled=fast) for fast in (False, True))


def tree_on_core(core, view, seed, *, is_compiled):
    world = outside(core.world, core, is_compiled=is_compiled)(view)
    return SearchTree(CoreSearch(core, world, is_compiled), Dice(seed))


@pytest.mark.parametrize("by_lead", [False, True])
@pytest.mark.parametrize(
    ("game", "players"),
    [(game, players) for game in SEARCHED_ROUNDS for players in find_game(game).player_counts],
)
def test_compiled_search_equals_plain_python(game, players, by_lead):
    rng = random.Random(players)
    is_slow = (game, players) in {("tactics", 4), ("matrix", 3), ("matrix", 4)} or game == "ninecard"
    for seed in range(games(2, parts=20) if is_slow else games(12, parts=4)):
        state = rng.choice([state for state, _ in positions(game, seed, players) if state.legal_moves()])
        plain, quick = trees(state.view(state.to_move), seed)
        for rounds in (1, 9, 15) if is_slow else (1, 20, 60):
            plain.grow(rounds, by_lead=by_lead)
            quick.grow(rounds, by_lead=by_lead)
        assert plain.moves == quick.moves
        assert sorted([*plain.moves, *plain.equivalents]) == sorted(state.legal_moves())
        assert counts_of(quick) == counts_of(plain)
        for number in range(3):
            assert plain.lead(plain.moves[0], number) == quick.lead(plain.moves[0], number)


@pytest.mark.parametrize("game", SEARCHED_ROUNDS)
def test_full_tree_stops_growing_as_in_plain_python(game):
    state = next(state for state, _ in positions(game, 3, 2) if len(state.legal_moves()) > 3)
    plain, quick = trees(state.view(state.to_move), 3)
    plain.most_nodes = quick.most_nodes = 300
    for rounds in (200, 90, 300):
        plain.grow(rounds)
        quick.grow(rounds)
        assert counts_of(quick) == counts_of(plain)
    assert plain.lead(plain.moves[0], 1) == quick.lead(plain.moves[0], 1)
    assert len(quick.links) // LINKS == 300


@pytest.mark.parametrize("plies", [0, 1, 6])
def test_decks_of_several_possible_factions_are_sampled_as_in_plain_python(plies):
    decks = [faction.cards for faction in FACTIONS.bundled()]
    state = find_game("tactics").deal(("Ann", "Bob"), decks[1:3], Dice(plies)).start()
    for number in range(plies):
        state = state.play_unchecked(state.legal_moves()[-number])
    view = state.view(state.to_move)
    first, last = find_game("tactics").core.world(view).hidden.groups[4 * (1 - state.to_move) + 2 :][:2]
    assert last - first == (1 if plies else len(decks))
    plain, quick = trees(view, 1)
    plain.grow(150)
    quick.grow(150)
    assert plain.moves == quick.moves
    assert counts_of(quick) == counts_of(plain)


def test_unknown_own_hand_is_searched_by_readable_rules():
    state = find_game("tactics").deal(("Ann", "Bob"), [FACTIONS.bundled()[0].cards] * 2, Dice(1), first=0).start()
    assert find_core_search(state.view(0), 10, Clock()) is not None
    assert find_core_search(state.view(1), 10, Clock()) is None
