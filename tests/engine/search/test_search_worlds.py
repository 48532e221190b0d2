"""Tests that games played in sampled worlds on cores follow the readable rules."""

import random
import sys
from collections import Counter
from types import ModuleType, SimpleNamespace

import pytest
from helpers.game_positions import positions
from helpers.made_up import random_deck
from helpers.naive_tree import NaiveTree, NaiveWorld, leads

from ccgrid.engine.cards import label
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.four_sides import sided_card, sides
from ccgrid.engine.games.grid import core
from ccgrid.engine.games.grid import core as grid
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.games.matrix import core as matrix
from ccgrid.engine.games.matrix.cards import KINDS, MOVES
from ccgrid.engine.games.tactics import core as tactics
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.arena import Arena, Contestant, play_arena
from ccgrid.engine.many.simulation import Lineup, simulate
from ccgrid.engine.players import find_player, prepare
from ccgrid.engine.rows import core as contract
from ccgrid.engine.rows.binding import bound
from ccgrid.engine.rows.dealing import dice_row
from ccgrid.engine.rows.rounds import SIBLING, VISITS
from ccgrid.engine.search import Clock, core_search, state_core
from ccgrid.engine.search.core_search import find_core_search
from ccgrid.engine.search.state_core import state_search
from ccgrid.engine.search.thinking import estimate_moves
from ccgrid.engine.search.tree import SearchTree


def test_number_of_nodes_is_limited():
    state = next(state for state, _ in positions("grid", 1, 2) if len(state.legal_moves()) > 3)
    tree = SearchTree(state_search(state.view(state.to_move)), Dice(1))
    tree.most_nodes = 300
    tree.grow(400)
    assert tree.links[SIBLING] == 299
    assert tree.links[VISITS] == 400


def counts_of(tree):
    return {move: (node.visits, node.total, node.lead, node.squares, node.seen) for move, node in tree.tried().items()}


GAMES_AND_PLAYERS = [("grid", 2), ("grid", 3), ("matrix", 2), ("tactics", 4), ("ninecard", 2)]


@pytest.mark.slow
@pytest.mark.parametrize("by_lead", [False, True])
@pytest.mark.parametrize(("game", "players"), GAMES_AND_PLAYERS)
def test_tree_on_readable_rules_equals_naive_tree(game, players, by_lead):
    for seed in range(2):
        state = [state for state, _ in positions(game, seed, players) if len(state.legal_moves()) > 1][-3]
        view = state.view(state.to_move)
        tree, naive = SearchTree(state_search(view), Dice(seed)), NaiveTree(NaiveWorld(view), Dice(seed))
        for rounds in (1, 29, 60):
            tree.grow(rounds, by_lead=by_lead)
            naive.grow(rounds, by_lead=by_lead)
        assert counts_of(tree) == counts_of(naive)
        assert tree.moves == naive.moves
        move = tree.moves[-1]
        assert [tree.lead(move, number) for number in range(5)] == [naive.lead(move, number) for number in range(5)]


def world_with_sampled_pile(view, number):
    """Return a world of grid that the core samples: the table, the row, and the full position."""
    world = grid.world(view)
    table, s, pile = world.table, world.start[:], []
    grid.deal_unseen(table, s, world.hidden, dice_row(number))
    left = list(view.unseen(view.to_move)[0].cards) if view.pile else []
    for place in range(grid.DECK + view.turned_up, grid.DECK + grid.DECK_SIZE):
        known = view.setup.cards[: view.turned_up]
        pile.append((*known, *left)[table.cards.index(s[place]) - 1])
    assert Counter(card.name for card in pile) == Counter(card.name for card in left)
    return table, s, view.with_pile(pile)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_grid_playout_on_core_follows_rules(players):
    rng, ordered = random.Random(players), bound(contract.search_moves, grid)
    names = grid.moves_by_number()
    for seed in range(12):
        state = rng.choice([state for state, _ in positions("grid", seed, players) if state.legal_moves()])
        view = state.view(state.to_move)
        for number in range(2):
            table, s, by_rules = world_with_sampled_pile(view, number)
            assert by_rules.view(view.to_move) == view
            moves, priorities = [0] * grid.MOST_MOVES, [0] * grid.MOST_MOVES
            while grid.over(table, s) < 0:
                assert s[grid.SEAT] == by_rules.to_move
                found = [names[move] for move in moves[: grid.legal(table, s, moves)]]
                assert found == list(by_rules.legal_moves())
                gains = {move: by_rules.card_taken(move).score for move in found}
                searched = moves[: ordered(table, s, moves, priorities)]
                assert [names[move] for move in searched] == sorted(found, key=gains.__getitem__, reverse=True)
                move = rng.choice(searched)
                by_rules = by_rules.play_unchecked(names[move])
                grid.play(table, s, move)
            assert by_rules.ending() is not None
            points = [0] * players
            grid.scores(table, s, points)
            assert tuple(points) == by_rules.scores()


def test_unknown_pile_is_sampled_from_known_cards():
    state = next(state for state, _ in positions("grid", 1, 2))
    known = GridSetup(state.players, 0, state.setup.cards[:9]).start()
    world = grid.world(known)
    piles = set()
    for number in range(20):
        s = world.start[:]
        grid.deal_unseen(world.table, s, world.hidden, dice_row(number))
        pile = s[grid.DECK + 9 : grid.DECK + grid.DECK_SIZE]
        assert Counter(pile) <= Counter(2 * world.table.cards[1:])
        piles.add(tuple(pile))
    assert len(piles) == 20


def world_with_sampled_hands(view, number):
    """Return a world of tactics that the core samples: the table, the row, the full position, and the card names."""
    world = tactics.world(view)
    table, s = world.table, world.start[:]
    names = {number >> 4: move.split("@")[0] for move, number in world.numbers.items()}
    tactics.deal_unseen(table, s, world.hidden, dice_row(number))
    places = [place for group in view.unseen(view.to_move) for place in group.places]
    hidden = {}
    for place, offset in zip(places, world.hidden.places, strict=True):
        label = s[offset] >> tactics.LABEL
        name = names.setdefault(label, f"Hidden {label}")  # different cards of a deck have different names
        numbers = [s[offset] >> tactics.SIDE * side & 15 for side in range(4)]
        hidden[view.hidden_card(place)] = sided_card(name, *numbers)
    return table, s, view.with_hidden(hidden), names


@pytest.mark.parametrize("players", [2, 4])
def test_tactics_playout_on_core_follows_rules(players):
    rng = random.Random(players)
    for seed in range(12):
        state = rng.choice([state for state, _ in positions("tactics", seed, players) if state.legal_moves()])
        view = state.view(state.to_move)
        for number in range(2):
            table, s, by_rules, names = world_with_sampled_hands(view, number)
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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_matrix_playout_on_core_follows_rules(players):
    rng = random.Random(players)
    for seed in range(12):
        state = rng.choice([state for state, _ in positions("matrix", seed, players) if state.legal_moves()])
        view = state.view(state.to_move)
        world = matrix.world(view)
        assert set(world.numbers) == set(view.legal_moves())
        for number in range(2):
            table, s, moves = world.table, world.start[:], [0] * matrix.MOST_MOVES
            matrix.deal_unseen(table, s, world.hidden, dice_row(number))
            by_rules = view.with_hands({seat: hand_of(s, seat) for seat in range(players)})
            assert by_rules.view(view.to_move) == view
            while matrix.over(table, s) < 0:
                assert s[matrix.SEAT] == by_rules.to_move
                assert [MOVES[move] for move in moves[: matrix.legal(table, s, moves)]] == [*by_rules.legal_moves()]
                move = rng.choice(by_rules.legal_moves())
                by_rules = by_rules.play_unchecked(move)
                matrix.play(table, s, MOVES.index(move))
            assert matrix.ENDINGS[matrix.over(table, s)] == by_rules.ending().code
            points = [0] * players
            matrix.scores(table, s, points)
            assert tuple(points) == by_rules.scores()


def hand_of(s, seat):
    hand = s[matrix.HANDS + seat]
    return [kind for place, kind in enumerate(KINDS) for _ in range(matrix.copies_of(hand, place))]


def test_opponents_faction_is_inferred_from_seen_cards():
    one, other = [faction.cards for faction in FACTIONS.bundled()[:2]]
    state = find_game("tactics").deal(("Ann", "Bob"), [one, other], Dice(1), first=1).start()
    state = state.play_unchecked(state.legal_moves()[0])
    for number in range(5):
        _, _, by_rules, _ = world_with_sampled_hands(state.view(0), number)
        drawn = Counter(sides(card) for card in by_rules.setup.decks[1])
        assert drawn == Counter(map(sides, other))


def test_lead_is_over_best_opponent():
    assert leads([7, 4, 5]) == [2, -3, -2]
    assert leads([5, 5, 1]) == [0, 0, -4]


def test_round_adds_one_node_counted_for_its_player():
    state = next(state for state, _ in positions("grid", 3, 2))
    tree = SearchTree(state_search(state.view(state.to_move)), Dice(1))
    for rounds in range(1, 4):
        tree.grow(1)
        assert sum(node.visits for node in tree.tried().values()) == rounds


def test_all_moves_are_tried_in_same_worlds(monkeypatch):
    state = next(state for state, _ in positions("grid", 3, 2))
    search = state_search(state.view(state.to_move))
    sample, drawn, worlds = state_core.sample_world, {}, []

    def recording_sample(*arguments):
        world = sample(*arguments)
        worlds.append(world.setup.cards)
        return world

    monkeypatch.setattr(state_core, "sample_world", recording_sample)
    # A copy of the core, so that no bound function with the original name is reused.
    core = ModuleType("ccgrid.engine.search.state_core")
    vars(core).update(vars(state_core))
    tree = SearchTree(search._replace(core=core), Dice(1))
    tree.lead(tree.moves[0], 0)  # the first call lists the moves in a separate world
    for move in tree.moves[:3]:
        worlds = []
        for number in range(4):
            tree.lead(move, number)
        drawn[move] = worlds
    first, *others = drawn.values()
    assert len(set(first)) == 4
    assert all(worlds == first for worlds in others)


def test_half_of_opponents_moves_are_greedy_with_three_players():
    rng, tried = random.Random(5), 0
    while tried < 3:
        state, move, greedy, best = position_with_deciding_reply(rng)
        view = state.view(state.to_move)
        for tree in (
            SearchTree(state_search(view), Dice(tried)),
            SearchTree(find_core_search(view, 1, Clock()), Dice(tried)),
        ):
            values = {estimate.move: estimate.value for estimate in estimate_moves(view, tree, 800).moves}
            assert values[move] == pytest.approx((greedy + best) / 2, abs=abs(greedy - best) / 8)
        tried += 1


def position_with_deciding_reply(rng):
    """Return a three-player position, a move, and the mover's leads after the greedy and the best reply.

    The next player has two replies: one captures more, and the other is better, and no choice follows.
    """
    while True:
        state = GridSetup(("Ann", "Bob", "Cem"), rng.randrange(3), label(random_deck(rng))).start()
        while len(moves := state.legal_moves()) > 1:
            move, seat = rng.choice(moves), state.to_move
            after = state.play_unchecked(move)
            answers = sorted(after.legal_moves(), key=lambda answer: -after.card_taken(answer).score)
            if not state.pile and len(answers) == 2:
                ends = [forced_end(after.play_unchecked(answer)) for answer in answers]
                if None not in ends:
                    own, theirs = ([leads(end.scores())[player] for end in ends] for player in (seat, after.to_move))
                    gains = [after.card_taken(answer).score for answer in answers]
                    if gains[0] > gains[1] and theirs[1] > theirs[0] + 5 and abs(own[0] - own[1]) > 8:
                        return state, move, own[0], own[1]
            state = after


def forced_end(state):
    """Return the end of a game without further choices, or None if there is a choice."""
    while moves := state.legal_moves():
        if len(moves) > 1:
            return None
        state = state.play_unchecked(moves[0])
    return state


# --- When compiled searches are loaded ----------------------------------------------------------------------------


COMPILING = "ccgrid.engine.rows.compiling"


def compiler(cores, is_loaded=False):
    """Return a replacement for the compiler, which records the cores in `cores`."""
    return SimpleNamespace(
        compiled=lambda _, core: core in cores or cores.append(core),
        is_loaded=lambda *_: is_loaded,
    )


@pytest.fixture
def cores(monkeypatch):
    """The cores whose compiled search was loaded, with a fake compiler and saved code."""
    cores = []
    monkeypatch.setitem(sys.modules, COMPILING, compiler(cores))
    monkeypatch.setattr(core_search, "can_compile", lambda: True)
    monkeypatch.setattr(core_search, "_is_saved", lambda game: True)
    monkeypatch.setattr(core_search.saved_code, "announcement", "Compiling {}: {}".format)
    return cores


@pytest.mark.parametrize(
    ("rounds", "seconds", "is_saved", "expected"),
    [
        (1000, None, True, True),
        (1000, None, False, True),
        (100, None, True, True),
        (100, None, False, False),
        (10, None, True, False),
        (None, 0.1, True, False),
        (None, 60.0, True, True),
        (None, 60.0, False, False),
    ],
)
def test_compiled_search_is_loaded_if_worthwhile_and_in_time(cores, monkeypatch, rounds, seconds, is_saved, expected):
    monkeypatch.setattr(core_search, "_is_saved", lambda game: is_saved)
    assert core_search.is_search_compiled(core, rounds, Clock.of(seconds)) is expected


def test_loaded_search_is_used_despite_short_time(monkeypatch):
    monkeypatch.setitem(sys.modules, COMPILING, compiler([], is_loaded=True))
    assert core_search.is_search_compiled(core, 1, Clock.of(0.001))


def test_players_load_search_before_game_and_report_compilation(cores, monkeypatch):
    messages = []
    prepare([find_player("greedy"), find_player("strong:20")], "grid", messages.append)
    assert cores == []
    prepare([find_player("strong:0.1s")], "grid", messages.append)
    assert (cores, messages) == ([core], [])
    monkeypatch.setattr(core_search, "_is_saved", lambda game: False)
    prepare([find_player("strong")], "grid", messages.append)
    assert messages == ["Compiling the search of grid: half a minute"]


def test_nothing_is_loaded_without_extra(cores, monkeypatch):
    monkeypatch.setattr(core_search, "can_compile", lambda: False)
    prepare([find_player("strong")], "grid")
    assert not core_search.is_search_compiled(core, 1000, Clock())
    assert cores == []


@pytest.mark.parametrize(("games", "expected"), [(1, []), (2000, [core])])
def test_many_quick_games_justify_compilation(cores, games, expected):
    prepare([find_player("strong:30")], "grid", games=games)
    assert cores == expected


def test_simulation_and_arena_prepare_for_all_games(cores, monkeypatch):
    class IsLoadedError(Exception):
        """Raised if the compiled search is loaded."""

    def load(*_):
        raise IsLoadedError

    monkeypatch.setattr(sys.modules[COMPILING], "compiled", load)
    decks = FixedDecks((tuple(random_deck(random.Random(1), 20)),))
    lineup = Lineup("grid", ("strong:15", "random"), decks, 1)
    assert simulate(lineup, 2).tally.games == 2
    with pytest.raises(IsLoadedError):
        simulate(lineup, 4000)
    contestants = Contestant("A", "strong:15"), Contestant("B", "random")
    with pytest.raises(IsLoadedError):
        play_arena(Arena("grid", contestants, decks, 1), 4000)
