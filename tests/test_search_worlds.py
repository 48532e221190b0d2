"""Quick worlds: a game played on in one is a game by the rules, with the cards that were drawn for it."""

import random

import pytest
from game_positions import positions

from engine.dice import Dice
from engine.games import find_game
from engine.games.four_sides.cards import sided_card
from engine.games.grid.lanes import row_of
from engine.games.grid.world import grid_world
from engine.games.matrix.world import MatrixWorld
from engine.games.tactics.factions import FACTIONS
from engine.games.tactics.table import turned
from engine.games.tactics.world import TacticsWorld
from engine.search.tree import WorldTree, leads

TABLES = [
    ("grid", 2),
    ("grid", 3),
    ("grid", 4),
    ("matrix", 2),
    ("matrix", 3),
    ("matrix", 4),
    ("tactics", 2),
    ("tactics", 4),
]
WORLDS = {"grid": grid_world, "matrix": MatrixWorld, "tactics": TacticsWorld}


def dealt(world, view):
    """The full position with the cards that the world has drawn."""
    if view.game == "matrix":
        return view.with_hands(dict(enumerate(world._hands)))
    if view.game == "grid":
        left = list(view.unseen(view.to_move)[0].cards) if view.pile else []
        pile = []
        for row in reversed(world._drawn):
            card = next(card for card in left if row_of(card) == row)
            left.remove(card)
            pile.append(card)
        return view.with_pile(pile)
    hidden = {}
    for place, (_, lying) in enumerate(world._labels):
        if view.setup.cards[place] is None:
            name = f"Hidden {place}"  # by the rules different cards of one deck have different names
            world._labels[place] = name, lying
            turns = view.table.turns[view.setup.owners[place]]
            hidden[place] = sided_card(name, *turned(lying, (4 - turns) % 4))
    return view.with_hidden(hidden)


def check_moves(found, state, seat):
    """All legal moves are looked at; of the others in grid, where more than two play, one that takes most."""
    legal = set(state.legal_moves())
    if state.game != "grid" or len(state.players) == 2 or state.to_move == seat:
        assert found == legal
        return
    worth = {move: state.play_unchecked(move).scores()[state.to_move] for move in legal}
    assert [worth[move] for move in found] == [max(worth.values())]


def test_a_tree_has_no_more_nodes_than_it_may():
    state = next(state for state, _ in positions("grid", 1, 2) if len(state.legal_moves()) > 3)
    tree = WorldTree(grid_world(state.view(state.to_move), Dice(1)), Dice(1))
    tree.most_nodes = 40
    tree.grow(200)

    def below(node):
        return 1 + sum(map(below, node.children.values()))

    assert below(tree._root) == 40
    assert sum(node.visits for node in tree.tried().values()) == 200


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_game_played_on_in_a_world_is_one_by_the_rules(game, players):
    rng = random.Random(players)
    compared = 0
    for seed in range(12):
        states = [state for state, _ in positions(game, seed, players) if state.legal_moves()]
        state = rng.choice(states)
        view = state.view(state.to_move)
        world = WORLDS[game](view, Dice(seed))
        if world is None:  # a variant that is played on by the readable rules
            continue
        for number in range(2):
            world.begin(Dice(number))
            by_rules = dealt(world, view)
            assert by_rules.view(view.to_move) == view
            while legal := world.legal():
                assert world.seat == by_rules.to_move
                check_moves({world.name(move) for move in legal}, by_rules, view.to_move)
                move = rng.choice(legal)
                by_rules = by_rules.play_unchecked(world.name(move))
                world.play(move)
            assert by_rules.ending() is not None
            assert list(world.finish(Dice(1))) == list(by_rules.scores())
            compared += 1
    assert compared > 3


def test_another_faction_is_known_by_the_cards_that_were_seen_of_it():
    factions = {faction.name: faction.cards for faction in FACTIONS.bundled()}
    names = list(factions)
    state = (
        find_game("tactics").deal(("Ann", "Bob"), [factions[names[0]], factions[names[1]]], Dice(1), first=1).start()
    )
    state = state.play_unchecked(state.legal_moves()[0])
    world = TacticsWorld(state.view(0), Dice(1))
    own = {card.name for card in factions[names[1]]}
    for number in range(5):
        world.begin(Dice(number))
        hidden = [world._labels[place][0] for place in range(len(state.setup.cards)) if state.setup.owners[place] == 1]
        assert set(hidden) <= own
        assert len(hidden) == len(factions[names[1]])


def test_a_lead_is_over_the_best_of_the_others():
    assert leads([7, 4, 5]) == [2, -3, -2]
    assert leads([5, 5, 1]) == [0, 0, -4]


def test_a_round_adds_one_move_to_the_tree_and_counts_it_for_who_made_it():
    state = next(state for state, _ in positions("matrix", 3, 2))
    tree = WorldTree(MatrixWorld(state.view(state.to_move), Dice(1)), Dice(1))
    for rounds in range(1, 4):
        tree.grow(1)
        assert sum(node.visits for node in tree.tried().values()) == rounds


def test_all_moves_of_a_position_are_tried_in_the_same_worlds():
    state = next(state for state, _ in positions("grid", 3, 2))
    world = grid_world(state.view(state.to_move), Dice(1))
    tree, drawn = WorldTree(world, Dice(1)), {}
    begin = world.begin

    def watched(dice):
        begin(dice)
        worlds.append(tuple(world._drawn))

    world.begin = watched
    for move in tree.moves[:3]:
        worlds = []
        for number in range(4):
            tree.lead(move, number)
        drawn[move] = worlds
    first, *others = drawn.values()
    assert len(set(first)) == 4
    assert all(worlds == first for worlds in others)
