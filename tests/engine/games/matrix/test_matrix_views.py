"""Tests of what each seat of matrix sees, and of the greedy player's choices."""

from collections import Counter
from dataclasses import replace

import pytest
from matrix_positions import MATRIX, deal, position, random_game

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    UnknownCardError,
)
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.notation import play
from ccgrid.engine.players import choose_move, find_player


# What a seat sees
def test_nothing_is_hidden_between_two_players():
    state = deal().start()
    assert state.view(0) == state.view(1) == state
    pack = Counter(dict.fromkeys(KINDS, 2))
    assert pack - Counter(state.hands[0]) == Counter(state.hands[1])


@pytest.mark.parametrize("players", [3, 4])
def test_other_hands_are_hidden_among_more_players_except_played_cards(players):
    record, _ = random_game(5, players)
    for ply in list(record)[:: players + 1]:
        state = ply.state
        for seat in range(players):
            view = state.view(seat)
            assert view.hands[seat] == state.hands[seat]
            assert view.board == state.board
            for other in set(range(players)) - {seat}:
                assert view.hands[other] == (None,) * len(state.hands[other])
                assert view.discards(other) == state.discards(other)
                assert Counter(view.setup.hands[other]) == Counter(state.discards(other) + view.hands[other])
            hands = view.setup.to_table()["hands"]
            assert [hands[name].count("?") for name in view.players] == [len(hand) for hand in hidden_cards(view)]


def hidden_cards(view):
    return [[kind for kind in hand if kind is None] for hand in view.setup.hands]


def test_a_hidden_card_cannot_be_played_in_a_view():
    state = deal(3).start()
    view = state.view((state.to_move + 1) % 3)
    assert view.legal_moves() == ()
    with pytest.raises(UnknownCardError, match=r"^this move plays a card that is not known$"):
        view.play_unchecked(state.legal_moves()[0])


def test_between_two_players_only_unknown_cards_are_hidden():
    known = position([("shift-north", "shift-west"), ("swap-odd", "swap-even")])
    assert known.unseen(0) == known.unseen(1) == ()
    hands = (("shift-north", "shift-west"), ("swap-odd", None))
    state = replace(known, setup=replace(known.setup, hands=hands), hands=hands)
    (hidden,) = state.unseen(0)
    assert hidden.places[:2] == ("hand:1:0", "hand:1:1")
    assert Counter(hidden.cards) + Counter(hands[0]) == Counter(KINDS * 2)


@pytest.mark.parametrize("players", [3, 4])
def test_possible_hands_replace_the_hidden_ones(players):
    for ply in list(random_game(5, players)[0])[:: players + 2]:
        state, seat = ply.state, ply.state.to_move
        others = {other: hand[::-1] for other, hand in enumerate(state.hands) if other != seat}
        world = state.view(seat).with_hands(others)
        assert (world, world.setup) == (state, state.setup)


def test_greedy_maximises_lead_with_last_card_and_keeps_strong_cards():
    last = position([["switch-corners"], ["shift-east"]])
    assert choose_move(find_player("greedy"), last, Dice(1)) == "switch-corners a1 a3"
    assert MATRIX.heuristic(last, "switch-corners a1 a3") == 17 - 10
    early = position([["switch-corners", "rotate-clockwise"], ["shift-east"] * 2])
    assert choose_move(find_player("greedy"), early, Dice(1)) == "rotate-clockwise"


def test_greedy_stays_just_behind_because_the_lowest_score_moves_last():
    hands = [["shift-west"] * 2, ["shift-east"] * 2]
    behind, even, ahead = (
        MATRIX.heuristic(position(hands, (*north, *sorted({*range(1, 10)} - {*north, *south}), *south)), "shift-west 2")
        for north, south in (((6, 7, 5), (3, 4, 8)), ((7, 3, 5), (6, 1, 8)), ((3, 4, 8), (6, 7, 5)))
    )
    assert behind > even > ahead


def test_greedy_of_two_keeps_cards_that_move_its_row_and_corners():
    worth = {"switch-corners": 7, "switch-edges": 5, "swap-odd": 4, "swap-even": 3}
    for seat in (0, 1):
        state = position([KINDS] * 2, to_move=seat)
        for move in state.legal_moves():
            scores = play(state, move).scores()
            lead = scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
            kind = move.partition(" ")[0]
            cost = 6 if kind in ("shift-north", "shift-south") else worth.get(kind, 0)
            assert MATRIX.heuristic(state, move) == -abs(lead + 3) - 3 * cost


def test_last_cards_of_three_players_are_evaluated_with_possible_hands():
    state = deal(3, 4).start()
    while len(state.hands[state.to_move]) > 1 or state.order.index(state.to_move) < 2:
        state = play(state, state.legal_moves()[0])
    seat = state.to_move  # in the last move only the final board counts
    for move in state.legal_moves():
        outcome = play(state, move).outcome()
        share = MATRIX.heuristic(state.view(seat), move)
        assert round(share) == (outcome.winner == seat) or len(outcome.leaders) > 1
        assert share == MATRIX.heuristic(state, move) == MATRIX.heuristic(state.view(seat), move)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "share"), [(2, 0.8), (3, 0.46), (4, 0.54)])
def test_greedy_beats_random(players, share):
    """Compare with thresholds three standard errors below its share of the points (0.88, 0.58 and 0.68)."""
    points, games = 0.0, 160
    for seed in range(games):
        state, dice = deal(players, seed).start(), Dice(seed)
        while state.legal_moves():
            policy = "greedy" if state.to_move == seed % players else "random"
            state = state.play_unchecked(choose_move(find_player(policy), state, dice))
        leaders = state.outcome().leaders
        points += (seed % players in leaders) / len(leaders)
    assert points / games > share
