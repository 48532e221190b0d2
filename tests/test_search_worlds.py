"""Quick worlds: a game played on in one is a game by the rules, with the cards that were drawn for it."""

import random
from collections import Counter

import pytest
from game_positions import positions

from engine.dice import Dice
from engine.games import find_game
from engine.games.four_sides.cards import sided_card, sides
from engine.games.grid.lanes import row_of
from engine.games.grid.world import GridWorld
from engine.games.matrix.world import MatrixWorld
from engine.games.tactics import core as tactics
from engine.games.tactics.factions import FACTIONS
from engine.options import not_known
from engine.rows.dice import dice_row
from engine.search.loading import search_of
from engine.search.tree import WorldTree, leads

TABLES = [
    ("grid", 2),
    ("grid", 3),
    ("grid", 4),
    ("matrix", 2),
    ("matrix", 3),
    ("matrix", 4),
]
WORLDS = {"grid": GridWorld, "matrix": MatrixWorld}


def dealt(world, view):
    """The full position with the cards that the world has drawn."""
    if view.game == "matrix":
        return view.with_hands(dict(enumerate(world._hands)))
    left = list(view.unseen(view.to_move)[0].cards) if view.pile else []
    pile = []
    for row in reversed(world._drawn):
        card = next(card for card in left if row_of(card) == row)
        left.remove(card)
        pile.append(card)
    return view.with_pile(pile)


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
    tree = WorldTree(GridWorld(state.view(state.to_move), Dice(1)), Dice(1))
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
        if not_known(view.varied, search_of(game).options):  # it is played on by the readable rules
            continue
        world = WORLDS[game](view, Dice(seed))
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


def drawn_by_the_core(view, number):
    """A world of tactics that the core draws: the table, the row, the full position, and the names of its labels."""
    world = tactics.world(view)
    table, s, names = world.table, world.start[:], {move >> 4: text.split("@")[0] for move, text in world.names.items()}
    tactics.deal_unseen(table, s, world.hidden, dice_row(number))
    places = [place for group in view.unseen(view.to_move) for place in group.places]
    hidden = {}
    for place, at in zip(places, world.hidden.places, strict=True):
        label = s[at] >> tactics.LABEL
        name = names.setdefault(label, f"Hidden {label}")  # different cards of a deck have different names
        numbers = [s[at] >> tactics.SIDE * side & 15 for side in range(4)]
        hidden[view.hidden_card(place)] = sided_card(name, *numbers)
    return table, s, view.with_hidden(hidden), names


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_of_tactics_in_rows_is_one_by_the_rules(players):
    rng = random.Random(players)
    for seed in range(12):
        state = rng.choice([state for state, _ in positions("tactics", seed, players) if state.legal_moves()])
        view = state.view(state.to_move)
        for number in range(2):
            table, s, by_rules, names = drawn_by_the_core(view, number)
            assert by_rules.view(view.to_move) == view
            moves, cells = [0] * tactics.MOST_MOVES, view.table.board.cells
            while tactics.over(table, s) < 0:
                assert s[tactics.SEAT] == by_rules.to_move
                found = moves[: tactics.legal(table, s, moves)]
                named = {f"{names[move >> 4]}@{cells[move & 15]}": move for move in found}
                assert set(named) == set(by_rules.legal_moves())
                move = rng.choice(sorted(named))
                by_rules = by_rules.play_unchecked(move)
                tactics.play(table, s, named[move])
            assert tactics.ENDINGS[tactics.over(table, s)] == by_rules.ending().code
            points = [0] * players
            tactics.scores(table, s, points)
            assert tuple(points) == by_rules.scores()


def test_another_faction_is_known_by_the_cards_that_were_seen_of_it():
    one, other = [faction.cards for faction in FACTIONS.bundled()[:2]]
    state = find_game("tactics").deal(("Ann", "Bob"), [one, other], Dice(1), first=1).start()
    state = state.play_unchecked(state.legal_moves()[0])
    for number in range(5):
        _, _, by_rules, _ = drawn_by_the_core(state.view(0), number)
        drawn = Counter(sides(card) for card in by_rules.setup.decks[1])
        assert drawn == Counter(map(sides, other))


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
    world = GridWorld(state.view(state.to_move), Dice(1))
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
