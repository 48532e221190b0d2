"""Tests of searches of matrix: inferring hands from the moves of three or four players, and when to search."""

import os
import random
from collections import Counter
from dataclasses import replace

import pytest
from helpers import naive_expectimax, naive_matrix
from matrix_positions import deal, position

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.matrix import core
from ccgrid.engine.games.matrix.cards import KINDS, NUMBERS
from ccgrid.engine.games.matrix.heuristic import heuristic_with_dice
from ccgrid.engine.games.matrix.rules import COPIES, order_of_play
from ccgrid.engine.notation import play
from ccgrid.engine.players import choose_move, find_player
from ccgrid.engine.rows.dealing import dice_row
from ccgrid.engine.rows.rounds import SIBLING
from ccgrid.engine.search import Clock, best_move, think
from ccgrid.engine.search.core_search import find_core_search
from ccgrid.engine.search.tree import SearchTree
from ccgrid.engine.worlds import sample_world

GREEDY = find_player("greedy")
three_or_four = pytest.mark.parametrize("players", [3, 4])


def late_position(players, seed, cards_left=3):
    """Return the first position of a game of greedy players in which the player to move holds `cards_left` cards."""
    state = deal(players, seed).start()
    while len(state.hands[state.to_move]) > cards_left:
        state = state.play_unchecked(choose_move(GREEDY, state, Dice(seed)))
    return state


def evidence_against(view):
    """Return, per seat and kind, the number of the seat's moves that contradict holding a card of that kind."""
    found = core.against_holding(core.table_of(len(view.hands), view.setup.rotate), view)
    rows = [dict(zip(KINDS, found[len(KINDS) * seat :], strict=False)) for seat in range(len(found) // len(KINDS))]
    return rows[: len(view.hands)]


def count_contradictions(found, hands):
    """Return the number of moves that contradict these hands."""
    return sum(found[seat][kind] for seat, hand in enumerate(hands) for kind in hand)


def deal_world(view, number):
    """Return the full position with the hands that the core samples, and the number of cards left out."""
    world = core.world(view)
    s = world.start[:]
    core.deal_unseen(world.table, s, world.hidden, dice_row(number))
    hands = [
        [kind for place, kind in enumerate(KINDS) for _ in range(core.copies_of(hand, place))]
        for hand in s[core.HANDS : core.HANDS + len(view.hands)]
    ]
    left_out = sum(core.copies_of(s[core.BOX], place) for place in range(len(KINDS)))
    return view.with_hands({seat: hand for seat, hand in enumerate(hands) if None in view.hands[seat]}), left_out


@three_or_four
def test_view_contains_all_boards_and_played_moves(players):
    states = [deal(players, 2).start()]
    while len(states) < 9:
        states.append(play(states[-1], states[-1].legal_moves()[-1]))
    view = states[-1].view(0)
    assert view.past == states[-1].past
    assert [(seat, board) for seat, board, _ in view.past] == [(state.to_move, state.board) for state in states[:-1]]
    again = states[0]
    for _, _, move in view.past:
        again = play(again, move)
    assert again == states[-1]
    assert order_of_play(again.board, again.order) == order_of_play(states[-1].board, states[-1].order)


@three_or_four
def test_greedy_moves_do_not_contradict_the_held_cards(players):
    for seed in range(6):
        state = late_position(players, seed)
        found = evidence_against(state)
        assert count_contradictions(found, state.hands) == 0
        assert found == evidence_against(state.view(state.to_move))
        assert not any(found[state.to_move].values())
        assert any(any(row.values()) for row in found)


def test_move_contradicts_cards_with_better_moves():
    state = position([["shift-north"] * 3] * 3, board=(1, 2, 3, 4, 5, 6, 7, 8, 9), to_move=0)
    # These cards lower its score.
    better = {"rotate-clockwise", "rotate-counterclockwise", "switch-corners", "switch-edges"}
    assert evidence_against(play(state, "shift-north c").view(1))[0] == {kind: int(kind in better) for kind in KINDS}


def test_rounds_evaluated_by_playouts_contradict_no_cards():
    state = position([["shift-north"] * 2] * 3, board=(1, 2, 3, 4, 5, 6, 7, 8, 9), to_move=0)
    assert not any(any(row.values()) for row in evidence_against(play(state, "shift-north c").view(1)))


@three_or_four
def test_sampled_hands_have_unseen_cards_and_fit_the_played_moves(players):
    contradictions = shuffled_contradictions = 0
    for seed in range(4):
        state = late_position(players, seed)
        view = state.view(state.to_move)
        found, (hidden,) = evidence_against(view), view.unseen(view.to_move)
        for number in range(10):
            full, left_out = deal_world(view, number)
            assert full.view(view.to_move) == view
            others = Counter(kind for seat, hand in enumerate(full.hands) if seat != view.to_move for kind in hand)
            assert others <= Counter(hidden.cards)
            assert others.total() + left_out == len(hidden.cards)
            contradictions += count_contradictions(found, full.hands)
            shuffled_contradictions += count_contradictions(found, sample_world(view, view.to_move, Dice(number)).hands)
    assert shuffled_contradictions > 10 * contradictions


def with_hands(state, *hands):
    return replace(state, hands=hands, setup=replace(state.setup, hands=hands))


def test_known_cards_stay_in_the_sampled_hand():
    state = position([["shift-east", "shift-north", "swap-odd"]] * 2)
    state = with_hands(state, state.hands[0], ("shift-east", "shift-north", None))
    world = core.world(state)
    for number in range(5):
        s = world.start[:]
        core.deal_unseen(world.table, s, world.hidden, dice_row(number))
        assert [core.copies_of(s[core.HANDS], place) for place in range(len(KINDS))] == [
            state.hands[0].count(kind) for kind in KINDS
        ]
        hand = [kind for place, kind in enumerate(KINDS) for _ in range(core.copies_of(s[core.HANDS + 1], place))]
        assert Counter(hand) > Counter(("shift-east", "shift-north"))
        assert len(hand) == 3
        assert Counter((*hand, *state.hands[0])) <= Counter(KINDS * COPIES[2])


def test_unknown_own_hand_is_searched_by_the_readable_rules():
    state = position([["shift-east", "shift-north", "swap-odd"]] * 3)
    known = with_hands(state, *state.hands)
    assert find_core_search(known.view(0), 10, Clock()) is not None
    unknown = with_hands(state, ("shift-east", "shift-north", None), *state.hands[1:])
    assert find_core_search(unknown.view(0), 10, Clock()) is None


def play_out_on_core(view, seed):
    """Return the final scores of a playout on the core: sampled hands, the first legal move, and a playout."""
    world, dice = core.world(view), dice_row(1)
    s, moves, priorities, points = world.start[:], [0] * core.MOST_MOVES, [0] * core.MOST_MOVES, [0] * len(view.hands)
    core.deal_unseen(world.table, s, world.hidden, dice)
    core.play(world.table, s, min(world.numbers.values()))
    core.finish(world.table, s, moves, priorities, dice_row(seed))
    core.scores(world.table, s, points)
    return tuple(points)


@three_or_four
@pytest.mark.parametrize("left", [1, 2, 3])
def test_playout_uses_greedy_players_with_another_generator(players, left):
    state = late_position(players, 3, left)
    view = state.view(state.to_move)
    state, dice = play(deal_world(view, 1)[0], view.legal_moves()[0]), Dice(7)
    while legal := state.legal_moves():
        other = dice.below(1 << 31)
        values = [heuristic_with_dice(state, move, other) for move in legal]
        state = play(
            state, dice.choose([move for move, value in zip(legal, values, strict=True) if value == max(values)])
        )
    assert play_out_on_core(view, 7) == state.scores()


@pytest.mark.slow
@three_or_four
def test_tree_contains_only_the_moves_of_the_position(players):
    state = late_position(players, 2)
    tree = SearchTree(find_core_search(state.view(state.to_move), 10, Clock()), Dice(1))
    tree.grow(30)
    assert tree.links[SIBLING] == len(tree.tried()) <= len(state.legal_moves())
    assert sum(node.visits for node in tree.tried().values()) == 30


@three_or_four
def test_opponents_generators_are_not_predictable(players):
    views = [late_position(players, seed, cards_left=2) for seed in range(9)]
    assert any(
        len({play_out_on_core(view.view(view.to_move), playout_seed) for playout_seed in range(5)}) > 1
        for view in views
    )


@three_or_four
def test_strong_keeps_cards_until_the_last_three_rounds(players):
    game = find_game("matrix")
    for left, early in ((4, True), (3, False), (1, False)):
        state = late_position(players, 1, left)
        assert (game.is_too_early(state), game.rounds_for(state, 100)) == (early, 100 if early else 20)
    assert not game.is_too_early(deal().start())
    assert game.rounds_for(deal().start(), 7) == 7
    assert game.rounds_for(late_position(players, 1), 1) == 1
    assert game.rounds_for(late_position(players, 1), None) is None


@pytest.mark.slow
@three_or_four
def test_strong_does_not_depend_on_hidden_hands_in_the_last_rounds(players):
    for left, rounds in ((3, 10), (2, 20), (1, 50)):
        state = late_position(players, left, left)
        other = sample_world(state.view(state.to_move), state.to_move, Dice(9))
        assert best_move(state, Dice(1), rounds=rounds) == best_move(other, Dice(1), rounds=rounds)
    assert think(state, Dice(1), rounds=5) == think(other, Dice(1), rounds=5)


@three_or_four
def test_strong_with_few_playouts_beats_greedy_with_another_generator(players):
    pytest.importorskip("numba")
    strong, shares = find_player("strong:600"), []
    for number in range(60):
        state, seat = deal(players, number).start(), number % players
        while legal := state.legal_moves():
            if state.to_move == seat:
                move = choose_move(strong, state, Dice(number))
            else:
                view = state.view(state.to_move)
                move = max(legal, key=lambda move, view=view: heuristic_with_dice(view, move, 7))
            state = state.play_unchecked(move)
        leaders = state.outcome().leaders
        shares.append(seat in leaders and 1 / len(leaders))
    assert sum(shares) / len(shares) >= 0.45


def last_round(players, rng):
    """Return a position of the last round with a choice, its naive form, and the unseen cards.

    The moves give no evidence of hands. With four players, at most three have still to move.
    """
    while True:
        board, pack = tuple(rng.sample(NUMBERS, len(NUMBERS))), rng.sample(KINDS * COPIES[players], players)
        order = order_of_play(board, tuple(range(players)))
        turn = rng.randrange(max(players - 3, 0), players)
        seat = order[turn]
        hands = [[] if order.index(other) < turn else [pack[other]] for other in range(players)]
        state = position(hands, board, order, seat)
        if len(state.legal_moves()) > 1:
            plain = naive_matrix.start_of(state.setup)
            plain = {**plain, "order": list(order), "turns": turn}
            return state, plain, list((Counter(KINDS * COPIES[players]) - Counter(hands[seat])).elements())


@three_or_four
def test_values_in_the_last_round_are_within_two_errors_of_averages(players):
    pytest.importorskip("numba")
    rng, positions = random.Random(41), int(os.environ.get("CCGRID_SOLVED_POSITIONS", "12"))
    inside, values, regret = Counter(), 0, 0.0
    for number in range(positions):
        state, plain, unseen = last_round(players, rng)
        expected = naive_expectimax.leads_in_the_last_round(plain, unseen)
        values += len(expected)
        for rounds in (500, 5_000, 50_000):  # every fifth round is a playout
            thought = think(state.view(state.to_move), Dice(number), rounds=rounds)
            assert {estimate.move for estimate in thought.moves} == set(expected)
            inside[rounds] += sum(
                abs(estimate.value - expected[estimate.move]) <= 2 * estimate.stderr for estimate in thought.moves
            )
        regret += max(expected.values()) - expected[thought.best.move]
    assert all(count >= 0.95 * values for count in inside.values()), (inside, values)
    assert regret / positions <= 0.1
