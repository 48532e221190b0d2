"""How a game of tactics begins, and how its seats look at the table."""

import pytest
from tactics_positions import BESIDE, FACES, SEATS, SIDES, card, deal, names, position

from ccgrid.catalog.card import Card
from ccgrid.engine.errors import (
    EngineError,
)
from ccgrid.engine.games.tactics.decks import SIZES
from ccgrid.engine.notation import play

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
TURNS = [(2, seat) for seat in range(2)] + [(4, seat) for seat in range(4)]


# Setup
@pytest.mark.parametrize(("players", "cells"), [(2, 9), (4, 16)])
def test_two_play_on_three_by_three_and_four_on_four_by_four(players, cells):
    assert len(deal(players=players).start().grid) == cells


def test_three_may_not_play():
    with pytest.raises(EngineError, match="tactics is for 2 or 4 players, not 3"):
        deal(players=3)


@pytest.mark.parametrize("size", [3, 18, 60, SIZES[-1]])
def test_a_deck_has_any_size_from_three(size):
    decks = [[card(f"Sentry {number}") for number in range(size)]] * 2
    assert [len(deck) for deck in deal(decks).decks] == [size, size]


@pytest.mark.parametrize("size", [0, 2, SIZES[-1] + 1])
def test_a_deck_is_not_smaller_and_not_endless(size):
    with pytest.raises(EngineError, match=f"a deck has 3 to 1000 cards, not {size}"):
        deal([[card()] * size, [card()] * 3])


def test_every_player_has_a_deck():
    with pytest.raises(EngineError, match="a deck for each player, 2 here, not 1"):
        deal([[card()] * 3])


def test_decks_are_shuffled_and_the_first_three_cards_are_the_hand():
    deck = [card(f"Sentry {number}") for number in range(18)]
    setups = [deal([deck, deck], seed=seed) for seed in range(40)]
    assert len({setup.decks for setup in setups}) == 40
    assert {setup.first for setup in setups} == {0, 1}
    for setup in setups:
        assert sorted(names(setup.decks[0])) == sorted(names(deck))
        state = setup.start()
        assert [state.hand(seat) for seat in (0, 1)] == [dealt[:3] for dealt in setup.decks]
        assert (state.deck_left(0), state.deck_left(1)) == (15, 15)


def test_the_decks_may_be_of_different_sizes():
    setup = deal([[card()] * 3, [card()] * 7])
    assert [setup.start().deck_left(seat) for seat in (0, 1)] == [0, 4]


def test_who_starts_may_be_said_and_the_same_seed_deals_the_same():
    assert deal(first=1).start().to_move == 1
    assert deal(seed=7) == deal(seed=7)


def test_the_game_has_no_options():
    with pytest.raises(EngineError, match='no option "life"'):
        deal(options={"life": 20})


def test_a_card_has_a_number_on_every_side():
    lacking = Card(id="", game="", name="Half", zones={"top": 1, "left": 2, "top-left": 3}, score=6)
    with pytest.raises(EngineError, match='"Half" has no number at its right and bottom'):
        deal([[lacking] * 3, [card()] * 3])


def test_different_cards_of_one_name_in_one_deck_are_numbered_and_copies_are_not():
    setup = deal([[card("Twin"), card("Twin"), card("Twin", top=6)], [card("Twin", top=7)] * 3])
    assert sorted(names(setup.decks[0])) in (["Twin", "Twin", "Twin #2"], ["Twin", "Twin #2", "Twin #2"])
    assert names(setup.decks[1]) == ["Twin"] * 3


# Who sits where, and how the cards lie
def test_the_seats_go_clockwise_around_the_table():
    state = position(4, hands={seat: [card(f"Card {seat}")] for seat in range(4)})
    seats = []
    for cell in ("a1", "d1", "a4", "d4"):
        seats.append(SEATS[4][state.to_move])
        state = play(state, f"Card {state.to_move}@{cell}")
    assert seats == ["south", "west", "north", "east"]


@pytest.mark.parametrize(("players", "seat"), TURNS)
@pytest.mark.parametrize("side", SIDES)
def test_each_side_of_a_played_card_meets_the_cell_it_faces_on_the_table(players, seat, side):
    """A card with one 9 and else 0 takes a 5 only where its 9 faces, wherever the 5 lies."""
    lance = card("Lance", **{**dict.fromkeys(SIDES, 0), side: 9})
    for direction, cell in BESIDE.items():
        state = position(players, seat, hands={seat: [lance]}, **{cell: ((seat + 1) % players, card())})
        taken = play(state, "Lance@b2").cards_captured(seat)
        assert (len(taken) == 1) is (FACES[SEATS[players][seat]][side] == direction)


@pytest.mark.parametrize(("players", "seat"), TURNS)
@pytest.mark.parametrize("side", SIDES)
def test_the_number_that_touches_defends(players, seat, side):
    """A card with one 4 and else 9 is taken by a 5 only from where its 4 faces."""
    weak = card("Weak", **{**dict.fromkeys(SIDES, 9), side: 4})
    mover = (seat + 1) % players
    for direction, cell in BESIDE.items():
        state = position(players, mover, hands={mover: [card("Mover")]}, **{cell: (seat, weak)})
        taken = play(state, "Mover@b2").cards_captured(mover)
        assert (len(taken) == 1) is (OPPOSITE[FACES[SEATS[players][seat]][side]] == direction)


def test_souths_top_meets_norths_top():
    state = position(hands={0: [card("South", top=7)]}, b1=(1, card("North", top=6, bottom=9)))
    assert play(state, "South@b2").scores() == (4, 0)
    state = position(hands={0: [card("South", top=7)]}, b1=(1, card("North", top=8, bottom=0)))
    assert play(state, "South@b2").scores() == (3, 2)


def test_wests_top_meets_easts_top():
    state = position(4, to_move=1, hands={1: [card("West", top=7)]}, c2=(3, card("East", top=6, left=9)))
    assert names(play(state, "West@b2").cards_captured(1)) == ["East"]


@pytest.mark.parametrize(("players", "seat"), TURNS)
def test_a_picture_of_the_table_shows_the_turned_numbers(players, seat):
    numbers = dict(zip(SIDES, (1, 2, 3, 4), strict=True))
    state = position(players, a1=(seat, card("Turned", **numbers)))
    directions = {"up": "top", "right": "right", "down": "bottom", "left": "left"}
    faces = FACES[SEATS[players][seat]]
    assert state.lying_on("a1") == {directions[faces[side]]: number for side, number in numbers.items()}
    assert state.lying_on("b1") == {}
