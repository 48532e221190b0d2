"""Tests of what each seat of tactics sees, and of the greedy player's choices."""

import random
from collections import Counter

import pytest
from tactics_positions import TACTICS, card, deal, position

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    UnknownCardError,
)
from ccgrid.engine.games.tactics.rules import EMPTY, TacticsSetup
from ccgrid.engine.notation import play
from ccgrid.engine.players import choose_move, find_player


# What a seat sees
def test_seat_sees_only_its_own_hand_and_the_board():
    state = deal(players=4).start()
    rng = random.Random(4)
    for _ in range(6):
        state = play(state, rng.choice(state.legal_moves()))
    for seat in range(4):
        view = state.view(seat)
        assert view.hand(seat) == state.hand(seat)
        assert all(view.card_on(cell) == state.card_on(cell) for cell in state.table.board.cells)
        assert [view.cards_captured(each) for each in range(4)] == [state.cards_captured(each) for each in range(4)]
        assert view.scores() == state.scores()
        for other in {0, 1, 2, 3} - {seat}:
            assert view.hand(other) == (None,) * len(state.hand(other))
        seen = {each for each in view.setup.cards if each}
        on_board = {state.setup.cards[each] for each in state.grid if each != EMPTY}
        assert seen == on_board.union(state.hand(seat), *(state.cards_captured(each) for each in range(4)))
        assert [view.deck_left(each) for each in range(4)] == [state.deck_left(each) for each in range(4)]


def test_seat_knows_remaining_own_cards_and_seen_cards_of_others():
    state = deal(first=0).start()
    state = play(state, state.legal_moves()[0])
    played = state.setup.cards[next(each for each in state.grid if each != EMPTY)]
    own, other = state.unseen(0)
    assert own.places == tuple(f"deck:0:{number}" for number in range(14))
    assert [state.hidden_card(place) for place in own.places] == list(range(4, 18))
    assert own.cards == tuple(sorted(state.setup.decks[0][4:], key=lambda each: each.name))
    assert set(own.seen) == {played, *state.hand(0)}
    assert other.places == (*(f"hand:1:{n}" for n in range(3)), *(f"deck:1:{n}" for n in range(15)))
    assert [state.hidden_card(place) for place in other.places] == list(range(18, 36))
    assert (other.cards, other.seen) == (None, ())
    assert state.unseen(1)[0].seen == (played,)


def test_rest_of_deck_with_unknown_card_is_unknown():
    known = deal(first=0)
    decks = ((*known.decks[0][:-1], None), known.decks[1])
    assert TacticsSetup(known.players, 0, decks).lists[0] is None
    assert Counter(TacticsSetup(known.players, 0, decks).lists[1]) == Counter(known.decks[1])
    mine, theirs = TacticsSetup(known.players, 0, decks).start().unseen(0)
    assert (mine.cards, theirs.cards) == (None, None)
    full = known.start().with_hidden({17: None})
    assert full.setup.decks == decks
    assert full.with_hidden({17: known.decks[0][17]}).setup == known


def test_drawing_or_playing_a_hidden_card_is_an_error():
    state = deal(first=0).start()
    with pytest.raises(UnknownCardError):
        play(state.view(0), state.legal_moves()[0])
    with pytest.raises(UnknownCardError):
        state.view(1).play_unchecked(state.legal_moves()[0])


def test_move_value_is_ten_per_point_minus_risk_of_weakest_side():
    hands = {0: [card("Lance", 7, 4, 2, 9)], 1: [card("Other")]}
    empty = position(hands=hands)
    assert TACTICS.heuristic(empty, "Lance@b2") == 10 * 3 - (1 + 3) * (10 - 2)
    assert TACTICS.heuristic(empty, "Lance@b1") == 10 * 2 - (1 + 2) * (10 - 2)
    assert TACTICS.heuristic(empty, "Lance@c3") == 10 * 1 - (1 + 1) * (10 - 7)
    assert TACTICS.heuristic(empty, "Lance@a3") == 10 * 1 - (1 + 1) * (10 - 4)
    state = position(hands=hands, b3=(0, card("Own", 9, 9, 9, 9)), c2=(1, card("Strong", 9, 9, 9, 9)))
    assert TACTICS.heuristic(state, "Lance@b2") == 10 * 3 - (1 + 3) * (10 - 7)
    won = position(hands=hands, b1=(1, card("Weak", 1, 1, 1, 1)), b3=(0, card("Own")), c2=(0, card("Mine")))
    assert TACTICS.heuristic(won, "Lance@b2") == 10 * (3 + 1 + 2) - (1 + 3) * (10 - 7)


def test_greedy_prefers_points_and_then_the_safer_card():
    hands = {0: [card("Open", 1, 1, 1, 1), card("Safe", 9, 9, 9, 9)], 1: [card("Other")]}
    assert choose_move(find_player("greedy"), position(hands=hands), Dice(1)) == "Safe@b2"
    strike = position(hands=hands, a2=(1, card("Weak", 2, 2, 2, 2)), b3=(1, card("Strong", 9, 9, 9, 9)))
    assert (
        TACTICS.heuristic(strike, "Safe@b2")
        > TACTICS.heuristic(strike, "Safe@a1")
        > TACTICS.heuristic(strike, "Open@a1")
    )


def test_greedy_beats_random():
    policies, wins = [find_player("greedy"), find_player("random")], 0
    for seed in range(60):
        state, dice = deal(seed=seed).start(), Dice(seed)
        while state.legal_moves():
            state = state.play_unchecked(choose_move(policies[(state.to_move + seed) % 2], state, dice))
        wins += state.outcome().winner == seed % 2
    assert wins > 50
